//! Ranks input sections as options ask, and turns names and files into ids: [`symbol_list`] finds
//! listed symbols, [`calls`] the call graph. [`super`] makes an order of the ranks.
//!
//! As in lld a symbol ordering file precedes the call graph, which still orders sections that the
//! file does not list. The orders of [`profiles`] replace that of the call graph.

use super::{Order, Ranks, calls, profiles, symbol_list};
use crate::args::section_list::{FileName, SectionList};
use crate::args::{CallGraphSort, CompressionSort, Options, assignments};
use crate::diagnose::order::MessageKind;
use crate::format::elf::SymbolId;
use crate::read::candidates::Candidates;
use crate::read::{FileId, ObjectFile, ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId, attr};
use crate::resolve::extract::Extraction;
use crate::select::fold::Folds;
use crate::select::liveness::Liveness;
use skald_core::diag::{Diag, Error};
use skald_core::input;
use skald_core::unordered::UnorderedMap;
use skald_linking::order::call_graph;
use std::path::Path;

/// The tables that an order of input sections depends on.
pub struct OrderInput<'a> {
    /// For the options that order sections.
    pub options: &'a Options,
    /// File names of objects, which messages and section lists need.
    pub candidates: &'a Candidates,
    /// Names of symbols, and which files mention them.
    pub extraction: &'a Extraction,
    /// The objects that are taken.
    pub objects: &'a Objects,
    /// Section records, and the definition of each name.
    pub definitions: &'a Definitions,
    /// Which sections reach the output.
    pub live: &'a Liveness,
    /// Sections that `--icf` folded into others.
    pub folds: &'a Folds,
    /// Receives warnings of listed symbols and of lines that cannot be read.
    pub diag: &'a Diag,
}

impl<'a> OrderInput<'a> {
    /// The order of input sections, and the sections that calls or profiles put in order.
    pub fn section_order(&self) -> (Order<'a>, Vec<SectionId>) {
        let arrangement = &self.options.arrangement;
        let mut ranks = Ranks::new(self.definitions.sections.len());
        if let Some(path) = &arrangement.symbol_ordering_file {
            symbol_list::rank(self, path, &mut ranks);
        }
        ranks.append(&self.ordered_by_plugins());
        let is_balanced =
            arrangement.bp_startup_sort || arrangement.bp_compression_sort != CompressionSort::None;
        let found = if is_balanced { profiles::sort(self) } else { self.order_by_calls() };
        ranks.append(&found);
        let list = arrangement.section_ordering_file.as_deref().and_then(|path| self.list(path));
        let files = match &list {
            Some(SectionList::Statements(_)) => self.file_names(),
            _ => Vec::new(),
        };
        (Order { arrangement, list, files: files.into(), ranks: ranks.finish() }, found)
    }

    /// The sections that compiler plugins put in an order.
    fn ordered_by_plugins(&self) -> Vec<SectionId> {
        let asked = &self.candidates.compiled.section_order;
        if asked.is_empty() {
            return Vec::new();
        }
        let of_file: UnorderedMap<FileId, ObjectId> =
            self.objects.with_ids().filter_map(|(at, object)| Some((object.file?, at))).collect();
        let section = |&(file, shndx): &(FileId, u32)| {
            let &at = of_file.get(&file)?;
            let record = self.objects[at].record_index(shndx)?;
            Some(self.definitions.section_base[at] + record)
        };
        asked.iter().filter_map(section).filter(|&id| self.is_placed(id)).collect()
    }

    /// Reads the list of sections at `path`; mistakes in the list are errors.
    fn list(&self, path: &Path) -> Option<SectionList> {
        let origin = path.display().to_string();
        let path = assignments::find_script(self.options, path);
        match input::open_text(&path).and_then(|file| SectionList::parse(&origin, file.data)) {
            Ok(list) => Some(list),
            Err(Error(text)) => {
                self.diag.error(MessageKind::SectionOrder.key(0), text);
                None
            }
        }
    }

    /// By object, the file name that a section list compares.
    fn file_names(&self) -> Vec<FileName> {
        let named = |object: &ObjectFile| Some(self.candidates.file_name(object.file?));
        self.objects.iter().map(|object| named(object).unwrap_or_default()).collect()
    }

    /// Sections in the order that calls ask for, if any are known.
    fn order_by_calls(&self) -> Vec<SectionId> {
        let arrangement = &self.options.arrangement;
        let has_calls = || {
            arrangement.call_graph_ordering_file.is_some()
                || self.objects.iter().any(|object| object.call_graph_profile != 0)
        };
        let sort = arrangement.call_graph_sort;
        if sort == CallGraphSort::None || !has_calls() {
            return Vec::new();
        }
        let calls = calls::collect(self);
        let sizes = |id: SectionId| self.definitions.sections[id].size;
        match sort {
            CallGraphSort::Hfsort => call_graph::chains::sort(&calls, sizes),
            _ => call_graph::cache_directed::sort(&calls, sizes),
        }
    }

    /// Whether a section reaches the output as a section of its own, so that it can be moved.
    pub(super) fn is_placed(&self, section: SectionId) -> bool {
        use crate::read::SectionFlags;
        let kept_elsewhere = SectionFlags::EH_FRAME | SectionFlags::DISCARDED | SectionFlags::MERGE;
        self.live.is_live(section) && !self.definitions.sections[section].flags.has(kept_elsewhere)
    }

    /// The section that a symbol of an object is in, whichever file defines the symbol.
    pub fn section_of(&self, object: ObjectId, symbol: SymbolId) -> Option<SectionId> {
        let target = self.definitions.target_of(object, symbol);
        let name = target.name();
        if name.is_some_and(|name| !self.definitions.globals[name].has(attr::DEFINED)) {
            return None;
        }
        self.definitions.section_of(target)
    }

    /// The lines of a file that an option names, trimmed, without empty lines and comments. If the
    /// file cannot be read, that is an error, and there are no lines.
    pub(super) fn lines(&self, path: &Path) -> Vec<&'static [u8]> {
        match input::open_text(path) {
            Ok(file) => file
                .data
                .split(|&byte| byte == b'\n')
                .map(<[u8]>::trim_ascii)
                .filter(|line| !line.is_empty() && !line.starts_with(b"#"))
                .collect(),
            Err(Error(text)) => {
                self.diag.error(MessageKind::SectionOrder.key(0), text);
                Vec::new()
            }
        }
    }
}
