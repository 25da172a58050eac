//! De-duplication of debug information: type units with the same signature, types that several
//! units define, abbreviation tables, and line tables are kept once.
//!
//! The input are the relocated sections as they would be written; the output are the sections that
//! replace them. A unit that refers to a type of another unit does so by an offset in `.debug_info`
//! (DW_FORM_ref_addr; DWARF 5, section 7.5.5). All references to entries or units are rewritten:
//! attributes, operands of expressions (in location lists, too), and `.debug_aranges`. Tables of
//! names (`.debug_pubnames`, `.debug_names`) are not rewritten: the caller drops them.
//!
//! 1. Each unit is read, and its types get hashes ([`identity`]).
//! 2. Of each set of equal types, the first unit becomes the owner ([`owners`]); this step is
//!    serial.
//! 3. Each unit is rewritten, without a final offset ([`kept_entries`], [`rewrite`]).
//! 4. All units get their offsets, and fields that depend on these are filled ([`assemble`]).
//!
//! Units are read and written in parallel. Their ids follow the order of the sections, so that the
//! output does not depend on the schedule of threads.

mod assemble;
mod expressions;
mod identity;
mod kept_entries;
mod line_tables;
mod owners;
mod references;
mod rewrite;
mod shapes;
mod source_files;
mod tree;

use super::abbreviations::{Abbreviations, UNKNOWN_FORM};
use super::entries::UnitView;
use super::sections::{Contribution, Sections};
use super::units::{UNKNOWN_KIND, UNKNOWN_VERSION, Unit, UnitKind};
use identity::Candidate;
use owners::{Names, OwnedId};
use references::{UNKNOWN_REFERENCE, UnitReferences};
use rewrite::{NewUnit, Task};
use skald_core::hash::HashKey;
use skald_core::id;
use skald_core::ids::Column;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedSet;
use skald_linking::cursor::Malformed;
use std::ops::Range;
use tree::{EntryId, TOO_LARGE, Tree};

id! {
    /// A unit, in the order of `.debug_info`, and then of `.debug_types`.
    UnitId
}

/// Which repeated debug information is kept once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Type units.
    Units,
    /// Type units, and types that other units define.
    All,
}

/// The sections before de-duplication.
#[derive(Clone, Copy)]
pub struct DedupInput<'a> {
    /// `.debug_info`.
    pub info: &'a [u8],
    /// `.debug_types`.
    pub types: &'a [u8],
    /// `.debug_line`.
    pub lines: &'a [u8],
    /// Only units refer to `.debug_line`.
    pub shares_lines: bool,
    /// All other sections; those of units are in [`DedupInput::info`] and [`DedupInput::types`].
    pub others: Sections<'a>,
    /// The parts of `.debug_info`, then those of `.debug_types`, each in ascending order.
    pub contributions: &'a [Contribution],
    /// Which repeated debug information is kept once.
    pub level: Level,
}

/// The places of units after rewriting.
#[derive(Debug, Default)]
pub struct RewrittenUnits {
    /// The new contributions to `.debug_info` and `.debug_types`, one for each old one.
    pub contributions: Vec<Contribution>,
    /// Units of `.debug_info`: old and new offset, ascending, and whether the unit is a skeleton.
    moves: Vec<(u64, u64, bool)>,
}

impl RewrittenUnits {
    /// The new offset of the unit of `.debug_info` that was at the offset `before`.
    pub fn place(&self, before: u64) -> Option<u64> {
        let found = self.moves.binary_search_by_key(&before, |&(before, ..)| before).ok()?;
        Some(self.moves[found].1)
    }

    /// As [`RewrittenUnits::place`], but for skeletons, whose entries are in another file.
    pub fn place_of_skeleton(&self, before: u64) -> Option<u64> {
        let found = self.moves.binary_search_by_key(&before, |&(before, ..)| before).ok()?;
        let (_, after, is_skeleton) = self.moves[found];
        is_skeleton.then_some(after)
    }
}

/// The new sections. `None` is for a section that does not change.
#[derive(Debug, Default)]
pub struct Dedup {
    /// `.debug_info`.
    pub info: Vec<u8>,
    /// `.debug_types`.
    pub types: Vec<u8>,
    /// `.debug_abbrev`.
    pub abbreviations: Vec<u8>,
    /// `.debug_line`.
    pub lines: Option<Vec<u8>>,
    /// `.debug_loc`.
    pub locations: Option<Vec<u8>>,
    /// `.debug_loclists`.
    pub location_lists: Option<Vec<u8>>,
    /// `.debug_aranges`.
    pub address_ranges: Option<Vec<u8>>,
    /// The places of the units in the new sections.
    pub units: RewrittenUnits,
}

/// The result of de-duplication.
pub struct Outcome {
    /// `None` if there are no duplicates, or none that could be removed.
    pub dedup: Option<Dedup>,
    /// Faults of units that were left unchanged, by the position of their contribution.
    pub faults: Vec<(usize, Malformed)>,
    /// All units were left unchanged, because a unit with a fault may refer to others in an unknown
    /// way.
    pub is_given_up: bool,
    /// Offsets would not fit into their fields.
    pub is_too_large: bool,
}

/// A piece of a contribution.
enum Piece {
    /// A unit.
    Unit(UnitId),
    /// Bytes that cannot be parsed as a unit: their range in the section.
    Bytes(Range<u64>),
}

/// The source of each unit, by its id.
type Sources = Column<UnitId, Source>;

/// A unit as it was read, and the contribution that it is in.
#[derive(Clone, Copy)]
struct Source {
    unit: Unit,
    contribution: usize,
    is_types: bool,
}

/// To what extent a unit may be rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rewritable {
    /// The unit is broken: its bytes stay unchanged.
    Broken,
    /// Its entries keep their distances from the header.
    Rigid,
    /// The unit may be rewritten as a whole.
    Free,
}

/// What is known of all units.
struct Facts {
    freedom: Column<UnitId, Rewritable>,
    names: Names,
    /// Offsets in `.debug_info` that any unit refers to, ascending and each once.
    wanted: Vec<u64>,
    is_skeleton: Column<UnitId, bool>,
}

/// What is known of one unit.
#[derive(Default)]
struct UnitFacts {
    outward: UnitReferences,
    candidates: Vec<Candidate>,
    is_skeleton: bool,
}

/// The decision about a unit.
enum UnitPlan {
    /// The unit's bytes are copied unchanged.
    Left,
    /// Another type unit with its signature is kept.
    Dropped,
    /// The unit is rewritten, or copied with new values in fields that refer to other units.
    Written(Box<NewUnit>),
}

/// Faults of units that are valid for newer readers, and that may refer to entries of other units.
const NOT_UNDERSTOOD: [&str; 5] =
    [UNKNOWN_VERSION, UNKNOWN_KIND, UNKNOWN_FORM, TOO_LARGE, UNKNOWN_REFERENCE];

/// The number of units that are read before their facts are joined.
const BATCH: usize = 64;

/// Maximum number of attempts to rewrite the units; each treats the units that could not be
/// rewritten before as [`Rewritable::Rigid`]. After the last one, everything is left unchanged.
const MAX_ROUNDS: usize = 8;

impl<'a> DedupInput<'a> {
    fn bytes(&self, source: &Source) -> Option<&'a [u8]> {
        let Unit { start, len, .. } = source.unit;
        let section = if source.is_types { self.types } else { self.info };
        let start = usize::try_from(start).ok()?;
        section.get(start..start.checked_add(usize::try_from(len).ok()?)?)
    }

    /// Decodes a unit for `take`.
    fn with_tree<R>(
        &self,
        source: &Source,
        take: impl FnOnce(&Tree<'_>) -> Result<R, Malformed>,
    ) -> Result<R, Malformed> {
        let unit = &source.unit;
        let wrong = |what| Malformed::new(what, unit.start as usize);
        let bytes = self.bytes(source).ok_or(wrong("cannot be read"))?;
        let (offset, encoding) = (unit.abbreviations, unit.encoding);
        let abbreviations = Abbreviations::parse(self.others.abbreviations, offset, encoding)
            .map_err(|fault| wrong(fault.what))?;
        let view = UnitView::new(unit, bytes, &abbreviations, &self.others)?;
        take(&Tree::new(view)?)
    }

    /// Makes the de-duplicated sections.
    pub fn dedup(&self) -> Outcome {
        let (pieces, sources, mut faults) = self.find_units();
        let mut facts = self.facts(&sources, &mut faults);
        let is_given_up = faults.iter().any(|(_, fault)| NOT_UNDERSTOOD.contains(&fault.what));
        let (mut dedup, mut is_too_large) = (None, false);
        for _ in 0..if is_given_up { 0 } else { MAX_ROUNDS } {
            let dropped = facts.duplicates(&sources);
            if self.level == Level::Units && !dropped.iter().any(|&is_dropped| is_dropped) {
                break;
            }
            let fates = self.fates(&sources, &mut facts, &dropped);
            let mut all = Column::new();
            let mut is_good = true;
            for (id, fate) in sources.ids().zip(fates.into_vec()) {
                match fate {
                    Ok(fate) => drop(all.push(fate)),
                    Err(fault) => {
                        faults.push((sources[id].contribution, fault));
                        facts.freedom[id] = Rewritable::Rigid;
                        facts.names.keep(id);
                        is_good = false;
                    }
                }
            }
            if is_good {
                let new = assemble::assemble(self, &pieces, &sources, &facts.is_skeleton, &all);
                is_too_large = new.is_none();
                dedup = new.filter(|new| self.is_larger_than(new));
                break;
            }
        }
        faults.sort_by_key(|&(contribution, fault)| (contribution, fault.offset));
        Outcome { dedup, faults, is_given_up, is_too_large }
    }

    /// Whether the old sections are larger than `new`: rewritten units have abbreviation tables of
    /// their own, which may cost more than is saved.
    fn is_larger_than(&self, new: &Dedup) -> bool {
        let old = [self.info, self.types, self.others.abbreviations, self.lines];
        let lines = new.lines.as_deref().unwrap_or(self.lines);
        let new = [&new.info[..], &new.types, &new.abbreviations, lines];
        let size = |sections: [&[u8]; 4]| sections.into_iter().map(<[u8]>::len).sum::<usize>();
        size(new) < size(old)
    }

    /// The units of all contributions, and the bytes between units.
    fn find_units(&self) -> (Vec<Vec<Piece>>, Sources, Vec<(usize, Malformed)>) {
        let sections = Sections { info: &self.info, types: &self.types, ..self.others };
        let found: Vec<_> = self.contributions.par_iter().map(|&at| sections.units(at)).collect();
        let mut sources = Column::new();
        let mut faults = Vec::new();
        let mut pieces = Vec::new();
        for (contribution, (units, fault)) in found.into_iter().enumerate() {
            let Contribution { is_types, start, size } = self.contributions[contribution];
            let mut own = Vec::new();
            let mut end = start;
            for unit in units {
                end = unit.start + unit.len;
                own.push(Piece::Unit(sources.push(Source { unit, contribution, is_types })));
            }
            if let Some(fault) = fault {
                faults.push((contribution, fault));
                own.push(Piece::Bytes(end..start.saturating_add(size)));
            }
            pieces.push(own);
        }
        (pieces, sources, faults)
    }

    fn facts(
        &self,
        sources: &Column<UnitId, Source>,
        faults: &mut Vec<(usize, Malformed)>,
    ) -> Facts {
        let key = HashKey::random();
        let mut facts = Facts {
            freedom: Column::new(),
            names: Names::default(),
            wanted: Vec::new(),
            is_skeleton: Column::new(),
        };
        for batch in sources.items().chunks(BATCH) {
            let of_batch: Vec<_> = batch
                .par_iter()
                .with_max_len(1)
                .map(|source| self.unit_facts(source, &key))
                .collect();
            for (source, found) in batch.iter().zip(of_batch) {
                let freedom = match &found {
                    Err(fault) => {
                        faults.push((source.contribution, *fault));
                        Rewritable::Broken
                    }
                    Ok(found) if found.outward.is_rigid => Rewritable::Rigid,
                    Ok(_) => Rewritable::Free,
                };
                let UnitFacts { outward, candidates, is_skeleton } = found.unwrap_or_default();
                facts.wanted.extend(outward.offsets);
                facts.names.add(candidates);
                facts.is_skeleton.push(is_skeleton);
                let unit = facts.freedom.push(freedom);
                if freedom != Rewritable::Free {
                    facts.names.keep(unit);
                }
            }
        }
        facts.wanted.sort();
        facts.wanted.dedup();
        facts
    }

    fn unit_facts(&self, source: &Source, key: &HashKey) -> Result<UnitFacts, Malformed> {
        self.with_tree(source, |tree| {
            let outward = references::outward(tree)?;
            let candidates = match self.level {
                Level::All => identity::candidates(tree, self.lines, key),
                Level::Units => Vec::new(),
            };
            let is_skeleton = tree.view.root.dwo_name.is_some();
            Ok(UnitFacts { outward, candidates, is_skeleton })
        })
    }

    /// Decides which units stay, and rewrites those that change.
    fn fates(
        &self,
        sources: &Column<UnitId, Source>,
        facts: &mut Facts,
        dropped: &Column<UnitId, bool>,
    ) -> Column<UnitId, Result<UnitPlan, Malformed>> {
        let owners = facts.names.owners();
        let facts = &*facts;
        let fate = |id: UnitId| {
            if dropped[id] {
                return Ok(UnitPlan::Dropped);
            }
            let (source, shared) = (&sources[id], &owners.of_unit[id]);
            let is_owner = |entry: EntryId, owned: OwnedId| {
                let owned = owners.owned[owned];
                (owned.unit, owned.entry) == (id, entry)
            };
            let keeps_all = shared.iter().all(|&(entry, owned)| is_owner(entry, owned));
            let task = Task { shared, is_owner: &is_owner, wanted: facts.wanted_in(source) };
            let new = match facts.freedom[id] {
                Rewritable::Broken => return Ok(UnitPlan::Left),
                Rewritable::Free if !keeps_all => {
                    self.with_tree(source, |tree| rewrite::rewrite(tree, &task))
                }
                _ => self.with_tree(source, |tree| references::moved(tree, shared)),
            };
            Ok(UnitPlan::Written(Box::new(new?)))
        };
        sources.par_ids().with_max_len(1).map(fate).collect()
    }
}

impl Facts {
    /// The offsets in a unit that other units refer to.
    fn wanted_in(&self, source: &Source) -> &[u64] {
        let Source { unit, is_types, .. } = source;
        if *is_types {
            return &[];
        }
        let first = self.wanted.partition_point(|&offset| offset < unit.start);
        let end = self.wanted.partition_point(|&offset| offset < unit.start + unit.len);
        &self.wanted[first..end]
    }

    /// Marks type units with the signature of an earlier type unit.
    fn duplicates(&self, sources: &Column<UnitId, Source>) -> Column<UnitId, bool> {
        let mut seen = UnorderedSet::new();
        let mut is_dropped = |(id, source): (UnitId, &Source)| {
            let UnitKind::Type { signature, .. } = source.unit.kind else { return false };
            if self.freedom[id] == Rewritable::Broken {
                return false;
            }
            let is_first = seen.insert(signature);
            // A type unit that other units refer to by offset stays.
            !is_first && self.wanted_in(source).is_empty()
        };
        sources.with_ids().map(&mut is_dropped).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_sections::{self, Numbers};
    use crate::values::Value;

    const ABBREVIATIONS: [u8; 51] = [
        1, 0x11, 1, 0x13, 0x05, 0x10, 0x17, 0, 0, // unit
        2, 0x13, 1, 0x03, 0x08, 0x0b, 0x0b, 0x3a, 0x0b, 0, 0, // structure
        3, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0, 0, // member
        4, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b, 0, 0, // base type
        5, 0x34, 0, 0x03, 0x08, 0x49, 0x13, 0, 0, // variable
        0, 0,
    ];

    /// The values that remain of two C++ units with the same structure, which is at 31.
    fn values_left(numbers: Numbers) -> Vec<String> {
        let unit = numbers.unit(&[
            &[1],
            &numbers.number(0x21_u16),
            &numbers.number(0_u32),
            b"\x04unsigned\0\x04\x07",
            b"\x02a structure with a name\0\x04\0",
            b"\x03a member with a name\0",
            &numbers.number(19_u32),
            &[0],
            b"\x05variable\0",
            &numbers.number(31_u32),
            &[0],
        ]);
        let info = unit.repeat(2);
        // One directory, and one file.
        let lines = numbers.part(&[
            &[numbers.address_size, 0],
            &numbers.number(22_u32),
            &[1, 1, 1, 0, 1, 1],
            b"\x01\x01\x08\x01/\0\x01\x01\x08\x01a.h\0",
        ]);
        let others =
            Sections { order: numbers.order, abbreviations: &ABBREVIATIONS, ..Sections::default() };
        let input = DedupInput {
            info: &info,
            types: &[],
            lines: &lines,
            shares_lines: true,
            others,
            contributions: &[Contribution { is_types: false, start: 0, size: info.len() as u64 }],
            level: Level::All,
        };
        let Outcome { dedup, faults, .. } = input.dedup();
        assert_eq!(faults, []);
        let dedup = dedup.expect("the structure is there twice");
        let again = DedupInput {
            info: &dedup.info,
            others: Sections { abbreviations: &dedup.abbreviations, ..others },
            contributions: &dedup.units.contributions,
            ..input
        };
        let (_, sources, faults) = again.find_units();
        assert_eq!((sources.len(), faults), (2, vec![]));
        let mut left = Vec::new();
        for source in sources.iter() {
            let take = |tree: &Tree<'_>| {
                for id in tree.entries.ids() {
                    let note = |_: &_, value: Value<'_>, _| {
                        left.push(format!("{value:?}"));
                        Some(())
                    };
                    tree.attributes(id, note).expect("it is whole");
                }
                Ok(())
            };
            again.with_tree(source, take).expect("it is whole");
        }
        left
    }

    #[test]
    fn what_is_left_is_the_same_in_all_programs() {
        let [left, others @ ..] = test_sections::ALL.map(values_left);
        assert!(left.contains(&format!("{:?}", Value::Entry(31))), "{left:?}");
        others.into_iter().for_each(|other| assert_eq!(other, left));
    }
}
