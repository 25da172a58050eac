//! `--warn-backrefs`: members that are taken only because archives are also searched for references
//! of later files. A linker that goes once from left to right does not find them.
//!
//! As in lld, the inputs are walked from left to right, each with its definitions and references. A
//! reference that takes a member of an earlier group is noted, unless the definition there is weak,
//! or a later input offers the name too, which the other linker would take.

use crate::diagnose::order::MessageKind;
use crate::format::elf::SymbolId;
use crate::read::object_file::ObjectFile;
use crate::read::{FileId, LibraryId, ObjectId};
use crate::resolve::names::references::ref_flags;
use crate::resolve::tables::Sources;
use object::elf::{SHN_UNDEF, STB_WEAK};
use skald_core::ids::{Column, IdRange};
use skald_core::names::NameId;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedMap;
use skald_linking::candidates::{Candidate, ExtractionRule, Mention};
use skald_linking::glob::Glob;
use std::collections::BTreeMap;

/// Warns of such references if `--warn-backrefs` is given.
pub fn warn(sources: &Sources<'_>) {
    let reports = &sources.options.reports;
    if !reports.warn_backrefs {
        return;
    }
    let mut walk = Walk::new(sources);
    // `-u` comes before all files.
    for text in sources.options.undefined.iter().chain(&sources.options.require_defined) {
        if let Some(name) = sources.extraction.own_name(text.as_bytes()) {
            walk.states.insert(name, State::Wanted);
        }
    }
    for mention in &sources.candidates.mentions {
        walk.visit(mention);
    }
    // The entry point and the like are looked up behind all files; the files that are taken for
    // them refer to more.
    for &name in &sources.extraction.own_names.ids {
        let is_root = sources.extraction.refs.get(name).flags() & ref_flags::ROOT != 0;
        if is_root && let Some(&State::Offered(file)) = walk.states.get(&name) {
            walk.objects.get(&file).copied().into_iter().for_each(|object| walk.take(object));
        }
    }
    for object in sources.objects.ids() {
        walk.take(object);
    }
    let excluded: Vec<Glob> =
        reports.warn_backrefs_exclude.iter().map(|glob| Glob::new(glob.as_bytes())).collect();
    let mut found: Vec<(usize, NameId, Backref)> =
        walk.found.into_iter().map(|(name, (at, backref))| (at, name, backref)).collect();
    shuffled(&mut found).sort_unstable_by_key(|&(at, ..)| at);
    for (at, name, backref) in found {
        let definer = sources.candidates.display_name(backref.definer);
        if excluded.iter().any(|glob| glob.matches(definer.as_bytes())) {
            continue;
        }
        let name = sources.extraction.pools.name(&sources.extraction.names, name);
        let text = format!(
            "backward reference detected: {} in {} refers to {definer}",
            String::from_utf8_lossy(name),
            sources.candidates.display_name(backref.referrer)
        );
        sources.diag.warn(MessageKind::BackwardReference.key(at as u64), text);
    }
}

/// The state of a name after the files before this point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Some file refers to it, none defines it.
    Wanted,
    /// An archive member defines it and is not taken yet.
    Offered(FileId),
    Defined,
}

/// A reference to a definition in an earlier group.
#[derive(Debug)]
struct Backref {
    referrer: FileId,
    definer: FileId,
}

struct Walk<'a> {
    sources: &'a Sources<'a>,
    /// Objects that are taken, by file.
    objects: UnorderedMap<FileId, ObjectId>,
    /// The group that each file belongs to; 0 if it is not part of an input of the command line.
    groups: Column<FileId, u32>,
    is_done: Column<ObjectId, bool>,
    states: UnorderedMap<NameId, State>,
    /// By name, with its position among all that were found.
    found: BTreeMap<NameId, (usize, Backref)>,
    found_count: usize,
}

impl<'a> Walk<'a> {
    fn new(sources: &'a Sources<'a>) -> Walk<'a> {
        let mut groups = Column::filled(0, sources.candidates.files.len());
        for mention in sources.candidates.mentions.iter().rev() {
            for file in mention.files.clone().ids() {
                groups[file] = mention.group;
            }
        }
        let numbered = sources.objects.with_ids();
        Walk {
            sources,
            objects: numbered.filter_map(|(at, object)| Some((object.file?, at))).collect(),
            groups,
            is_done: Column::filled(false, sources.objects.len()),
            states: UnorderedMap::new(),
            found: BTreeMap::new(),
            found_count: 0,
        }
    }

    fn visit(&mut self, mention: &Mention) {
        let candidates = self.sources.candidates;
        if let Some(at) = mention.archive {
            let archive = &candidates.archives[at];
            for entry in &archive.index {
                let file = archive.first_file + entry.member;
                if let Some(name) = self.sources.extraction.names.find(entry.hash) {
                    self.offer(name, file);
                }
            }
        }
        for file in mention.files.clone().ids() {
            match &candidates.files[file] {
                Candidate::Shared(at) => self.shared(*at, file),
                Candidate::Member {
                    rule: ExtractionRule::ByIndex | ExtractionRule::Skipped,
                    ..
                } => {}
                Candidate::Object { lazy: false, .. }
                | Candidate::Member { rule: ExtractionRule::Whole, .. } => {
                    if let Some(&object) = self.objects.get(&file) {
                        self.take(object);
                    }
                }
                Candidate::Object { lazy: true, .. }
                | Candidate::Member { rule: ExtractionRule::BySymbols, .. } => self.offer_all(file),
            }
        }
    }

    /// Offers all names that a file defines: a lazy object, or a member of an archive without an
    /// index.
    fn offer_all(&mut self, file: FileId) {
        let names = match self.objects.get(&file) {
            Some(&at) => defined_names(&self.sources.objects[at]),
            None => self.names_of_untaken(file),
        };
        for name in names {
            self.offer(name, file);
        }
    }

    fn names_of_untaken(&self, file: FileId) -> Vec<NameId> {
        let Sources { candidates, extraction, options, .. } = self.sources;
        let rules = crate::resolve::wanted::read_rules(options);
        let object = candidates.input(file).and_then(|input| ObjectFile::parse(input, rules));
        // Its errors were reported when it was first read.
        let Ok(object) = object else { return Vec::new() };
        let defined = |at: &SymbolId| object.mapped.symbols[*at].st_shndx() != SHN_UNDEF;
        object
            .global_ids()
            .ids()
            .filter(defined)
            .filter_map(|at| extraction.names.find_text(object.symbol_name(at)))
            .collect()
    }

    fn offer(&mut self, name: NameId, file: FileId) {
        match self.states.get(&name) {
            None => {
                self.states.insert(name, State::Offered(file));
            }
            Some(State::Wanted) => {
                if let Some(&object) = self.objects.get(&file) {
                    self.take(object);
                }
            }
            Some(State::Offered(_)) => {}
            Some(State::Defined) => {
                self.found.remove(&name);
            }
        }
    }

    fn shared(&mut self, at: LibraryId, file: FileId) {
        let shared = &self.sources.candidates.shared[at];
        for &(_, name) in &shared.exports {
            if !matches!(self.states.get(&name), Some(State::Offered(_))) {
                self.states.insert(name, State::Defined);
            }
        }
        for &(symbol, name) in &shared.imports {
            if shared.symbols[symbol].bind() != STB_WEAK
                && let Some(object) = self.refer(name, file)
            {
                self.take(ObjectId::from_index(object));
            }
        }
    }

    /// Takes an object; the objects to which it refers are taken first, in the order of its
    /// symbols.
    fn take(&mut self, object: ObjectId) {
        let objects = self.sources.objects;
        let mut open: Vec<(ObjectId, usize)> = Vec::new();
        self.enter(object, &mut open);
        while let Some((at, next)) = open.last_mut() {
            let object = &objects[*at];
            let index = *next;
            let Some(&name) = object.globals.get(index) else {
                open.pop();
                continue;
            };
            *next += 1;
            let symbol = &object.mapped.symbols[object.first_global + index as u32];
            if symbol.st_shndx() != SHN_UNDEF || symbol.bind() == STB_WEAK {
                continue;
            }
            if let Some(file) = object.file
                && let Some(taken) = self.refer(name, file)
            {
                self.enter(ObjectId::from_index(taken), &mut open);
            }
        }
    }

    fn enter(&mut self, object: ObjectId, open: &mut Vec<(ObjectId, usize)>) {
        if !std::mem::replace(&mut self.is_done[object], true) {
            for name in defined_names(&self.sources.objects[object]) {
                self.states.insert(name, State::Defined);
            }
            open.push((object, 0));
        }
    }

    /// Looks up `name` for `referrer`: notes a reference that goes backwards, and returns the
    /// object that is taken for the name.
    fn refer(&mut self, name: NameId, referrer: FileId) -> Option<usize> {
        let definer = match self.states.get(&name) {
            Some(State::Offered(definer)) => *definer,
            Some(_) => return None,
            None => {
                self.states.insert(name, State::Wanted);
                return None;
            }
        };
        let &object = self.objects.get(&definer)?;
        let group = |file: FileId| self.groups[file];
        if group(definer) < group(referrer)
            && !self.is_done[object]
            && !is_weak(&self.sources.objects[object], name)
        {
            let backref = (self.found_count, Backref { referrer, definer });
            self.found.entry(name).or_insert(backref);
            self.found_count += 1;
        }
        Some(object.index())
    }
}

/// Names that an object defines, by symbol.
fn defined_names(object: &ObjectFile) -> Vec<NameId> {
    let defined =
        |at: usize| object.mapped.symbols[object.first_global + at as u32].st_shndx() != SHN_UNDEF;
    object
        .globals
        .iter()
        .enumerate()
        .filter(|&(at, _)| defined(at))
        .map(|(_, &name)| name)
        .collect()
}

fn is_weak(object: &ObjectFile, name: NameId) -> bool {
    let symbols = &object.mapped.symbols[object.global_ids()];
    let mut own = symbols.iter().zip(&object.globals).filter(|&(_, &other)| other == name);
    own.any(|(symbol, _)| symbol.st_shndx() != SHN_UNDEF && symbol.bind() == STB_WEAK)
}
