//! The order of input sections within their output section, where an option asks for another one
//! than that of the command line.
//!
//! Options are applied from weak to strong, so that the strongest decides and the others count
//! where it says nothing. First come `--sort-section` and `--sort-common`, then
//! `--section-ordering-file`. *Ranks* follow, which the symbol ordering file, calls and profiles
//! give to single sections, and [`shuffle`] orders what has no rank. Sections with a rank come
//! first. The order of initialisers by their priorities and that of SHF_LINK_ORDER are not
//! optional: [`super::collect`] restores them afterwards.
//!
//! A link without such options has an [`Order`] that [is the default](Order::is_default), and skips
//! all this by one test.

mod calls;
pub mod padding;
mod profiles;
pub mod requested;
pub mod shuffle;
mod sorting;
mod symbol_list;
mod symbol_search;

use crate::args::section_list::{FileName, SectionList, Statement};
use crate::args::{Arrangement, SortSection};
use crate::read::object_file::SectionFlags;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::script::section_names::OutputId;
use skald_core::ids::Column;

/// The rank of sections without one; they come last.
pub const UNRANKED: u32 = u32::MAX;

/// The order of input sections within their output section.
#[derive(Debug)]
pub struct Order<'a> {
    /// `--sort-section`, `--sort-common` and shuffles, which depend on the sections alone.
    pub arrangement: &'a Arrangement,
    /// The list of `--section-ordering-file`.
    pub list: Option<SectionList>,
    /// By object, the names of its file; empty if the list names no file.
    pub files: Column<ObjectId, FileName>,
    /// By section: lower comes first. Empty if nothing gives ranks.
    pub ranks: Column<SectionId, u32>,
}

/// Ranks of input sections while options give them.
#[derive(Debug)]
pub struct Ranks {
    /// Rank by section; empty until a section has one.
    ranks: Column<SectionId, u32>,
    section_count: usize,
    next: u32,
}

impl Ranks {
    /// No ranks, for `section_count` sections.
    pub fn new(section_count: usize) -> Ranks {
        Ranks { ranks: Column::new(), section_count, next: 0 }
    }

    /// Ranks `sections` behind all that have a rank; sections that have one keep it.
    pub fn append(&mut self, sections: &[SectionId]) {
        if self.ranks.is_empty() && !sections.is_empty() {
            self.ranks = Column::filled(UNRANKED, self.section_count);
        }
        for &section in sections {
            let rank = &mut self.ranks[section];
            if *rank == UNRANKED {
                *rank = self.next;
                self.next += 1;
            }
        }
    }

    /// The ranks by section.
    pub fn finish(self) -> Column<SectionId, u32> {
        self.ranks
    }
}

/// The tables that give input sections their names.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    /// Section records.
    pub definitions: &'a Definitions,
    /// The objects, which have the section name tables.
    pub objects: &'a Objects,
}

impl Inputs<'_> {
    /// The name of an input section; `COMMON` for a common symbol's section, as in linker scripts.
    pub fn name(&self, id: SectionId) -> &'static [u8] {
        let section = &self.definitions.sections[id];
        if section.flags.has(SectionFlags::COMMON) {
            return b"COMMON";
        }
        self.objects[section.object].section_name(section.shndx)
    }

    /// The last part of the path of the file that an input section is in.
    pub fn file(&self, id: SectionId) -> &'static [u8] {
        let object = &self.objects[self.definitions.sections[id].object];
        let path = object.mapped.input.as_ref().map(|input| input.path);
        path.and_then(|path| path.file_name()).unwrap_or_default().as_encoded_bytes()
    }

    fn has(&self, id: SectionId, flags: u32) -> bool {
        self.definitions.sections[id].flags.has(flags)
    }
}

impl Order<'_> {
    /// Whether inputs keep the order of the command line.
    pub fn is_default(&self) -> bool {
        let Arrangement { shuffle, sort_section, sort_common, .. } = self.arrangement;
        self.ranks.is_empty()
            && self.list.is_none()
            && shuffle.is_empty()
            && *sort_section == SortSection::None
            && sort_common.is_none()
    }

    /// Brings the inputs of the output section with id `out`, which are in the order of the
    /// command line, into the order asked for.
    pub fn arrange(
        &self,
        out: OutputId,
        name: &[u8],
        sections: &mut [SectionId],
        inputs: Inputs<'_>,
    ) {
        if out.runs_through() {
            return;
        }
        sorting::sort(self.arrangement, out, sections, inputs);
        self.sort_by_list(name, sections, inputs);
        let unranked = self.sort_by_rank(sections);
        shuffle::rearrange(&self.arrangement.shuffle, out, unranked, inputs);
    }

    /// Sorts the inputs of the output section `name` by the list of sections.
    fn sort_by_list(&self, name: &[u8], sections: &mut [SectionId], inputs: Inputs<'_>) {
        match &self.list {
            None => {}
            Some(SectionList::Patterns(set)) => {
                sections.sort_by_cached_key(|&id| set.get(inputs.name(id)));
            }
            Some(SectionList::Statements(statements)) => {
                let statements: Vec<_> = statements.iter().filter(|s| s.output == name).collect();
                sections.sort_by_cached_key(|&id| {
                    let object = inputs.definitions.sections[id].object;
                    let is_of =
                        |s: &&_| Statement::matches(s, &self.files[object], inputs.name(id));
                    statements.iter().position(is_of).unwrap_or(statements.len())
                });
            }
        }
    }

    /// Puts sections with a rank first; returns those without one.
    fn sort_by_rank<'b>(&self, sections: &'b mut [SectionId]) -> &'b mut [SectionId] {
        if self.ranks.is_empty() {
            return sections;
        }
        // Planning has added sections for copied variables, which are not in the column.
        let rank = |id: SectionId| self.ranks.get(id).copied().unwrap_or(UNRANKED);
        sections.sort_by_key(|&id| rank(id));
        let ranked = sections.partition_point(|&id| rank(id) != UNRANKED);
        &mut sections[ranked..]
    }
}
