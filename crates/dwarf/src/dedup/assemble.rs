//! Assembles the sections from all units after each unit has been rewritten.

use super::expressions::write_fixed;
use super::line_tables::LineTables;
use super::owners::OwnedId;
use super::rewrite::{Field, FieldValue, Found, NewUnit};
use super::{Dedup, DedupInput, Piece, RewrittenUnits, Source, Sources, UnitId, UnitPlan};
use crate::sections::{Contribution, Sections};
use crate::units::Unit;
use crate::values::fixed;
use skald_core::ids::Column;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedMap;
use skald_linking::byte_order::ByteOrder;
use std::ops::Range;

/// The new places of all units and entries that others refer to.
struct Places<'s> {
    sources: &'s Column<UnitId, Source>,
    /// Offset of each unit in its new section; `None` for dropped units.
    starts: Column<UnitId, Option<u64>>,
    /// The unit that keeps a type, and the distances of its entries from its header.
    owned: Column<OwnedId, (UnitId, &'s [u32])>,
    /// Entries that other units refer to, by ascending old offset: the unit of the entry, and its
    /// place in that unit.
    wanted: Vec<(u64, UnitId, Found)>,
}

impl Places<'_> {
    /// The new value of a field; `None` if the old one refers to nothing.
    fn value(&self, to: FieldValue) -> Option<u64> {
        let (owned, at) = match to {
            FieldValue::Owned(owned, at) => (owned, at),
            FieldValue::Old(offset) => {
                match self.wanted.binary_search_by_key(&offset, |&(old, ..)| old) {
                    Ok(found) => {
                        let (_, unit, found) = self.wanted[found];
                        match found {
                            Found::Here(distance) => return Some(self.starts[unit]? + distance),
                            Found::Owned(owned, at) => (owned, at),
                        }
                    }
                    Err(_) => return self.moved(offset),
                }
            }
        };
        let (unit, distances) = self.owned[owned];
        let distance = *distances.get(usize::try_from(at).ok()?)?;
        Some(self.starts[unit]? + u64::from(distance))
    }

    /// The new offset of a byte of `.debug_info`, if its unit was copied unchanged or the byte is
    /// the first of a unit.
    fn moved(&self, offset: u64) -> Option<u64> {
        let infos = self.sources.items().partition_point(|source| !source.is_types);
        let infos = &self.sources.items()[..infos];
        let behind = infos.partition_point(|source| source.unit.start <= offset);
        let at = UnitId::from_index(behind.checked_sub(1)?);
        let Unit { start, len, .. } = self.sources[at].unit;
        (offset < start + len).then_some(self.starts[at]? + (offset - start))
    }
}

/// The pieces of a new section and their offsets.
#[derive(Default)]
struct Layout {
    /// Offset and content of each piece, in order.
    pieces: Vec<(u64, Content)>,
    size: u64,
}

enum Content {
    Unit(UnitId),
    /// These bytes of the old section.
    Bytes(Range<u64>),
}

impl Layout {
    fn push(&mut self, size: u64, content: Content) -> u64 {
        self.pieces.push((size, content));
        self.size += size;
        self.size - size
    }
}

/// The new sections, with the places of all units.
struct LaidOut {
    info: Layout,
    types: Layout,
    /// Offset of each unit in its new section; `None` for dropped units.
    starts: Column<UnitId, Option<u64>>,
    contributions: Vec<Contribution>,
}

impl LaidOut {
    fn new(
        input: &DedupInput<'_>,
        pieces: &[Vec<Piece>],
        sources: &Column<UnitId, Source>,
        fates: &Column<UnitId, UnitPlan>,
    ) -> LaidOut {
        let mut laid_out = LaidOut {
            info: Layout::default(),
            types: Layout::default(),
            starts: Column::filled(None, sources.len()),
            contributions: Vec::new(),
        };
        let LaidOut { info, types, starts, contributions } = &mut laid_out;
        for (of_contribution, &Contribution { is_types, .. }) in
            pieces.iter().zip(input.contributions)
        {
            let section = if is_types { &mut *types } else { &mut *info };
            let start = section.size;
            for piece in of_contribution {
                match piece {
                    Piece::Bytes(range) => {
                        section.push(range.end - range.start, Content::Bytes(range.clone()));
                    }
                    &Piece::Unit(id) => {
                        let size = match &fates[id] {
                            UnitPlan::Dropped => continue,
                            UnitPlan::Left => sources[id].unit.len,
                            UnitPlan::Written(new) => new.bytes.len() as u64,
                        };
                        starts[id] = Some(section.push(size, Content::Unit(id)));
                    }
                }
            }
            contributions.push(Contribution { is_types, start, size: section.size - start });
        }
        laid_out
    }
}

/// `.debug_abbrev`, in which equal tables are written once, and the offset of each unit's table.
fn share_tables(
    old: &[u8],
    is_whole: bool,
    fates: &Column<UnitId, UnitPlan>,
) -> (Column<UnitId, u64>, Vec<u8>) {
    // Units that could not be read keep their old tables at the old offsets.
    let mut all = if is_whole { Vec::new() } else { old.to_vec() };
    let mut known: UnorderedMap<&[u8], u64> = UnorderedMap::new();
    let mut places = Column::new();
    for fate in fates {
        let UnitPlan::Written(new) = fate else {
            places.push(0);
            continue;
        };
        places.push(*known.entry(&new.table[..]).or_insert_with(|| {
            all.extend_from_slice(&new.table);
            (all.len() - new.table.len()) as u64
        }));
    }
    (places, all)
}

/// Places all units. `None` if a field is too small for its new value.
pub fn assemble(
    input: &DedupInput<'_>,
    pieces: &[Vec<Piece>],
    sources: &Sources,
    is_skeleton: &Column<UnitId, bool>,
    fates: &Column<UnitId, UnitPlan>,
) -> Option<Dedup> {
    let is_whole = pieces.iter().flatten().all(|piece| matches!(piece, Piece::Unit(_)))
        && !fates.iter().any(|fate| matches!(fate, UnitPlan::Left));
    let (tables, abbreviations) = share_tables(input.others.abbreviations, is_whole, fates);
    let LaidOut { info, types, starts, contributions } =
        LaidOut::new(input, pieces, sources, fates);
    let mut owned: Vec<(OwnedId, UnitId, &[u32])> = Vec::new();
    let mut wanted = Vec::new();
    for (id, fate) in fates.with_ids() {
        let Some(new) = new_unit(fate) else { continue };
        owned.extend(new.owned.iter().map(|(owned, distances)| (*owned, id, &distances[..])));
        wanted.extend(new.wanted.iter().map(|&(old, found)| (old, id, found)));
    }
    owned.sort_by_key(|&(owned, ..)| owned);
    let owned = owned.into_iter().map(|(_, unit, distances)| (unit, distances)).collect();
    let places = Places { sources, starts, owned, wanted };
    let lines = LineTables::new(input.lines, input.others.order).filter(|lines| {
        let has_all = |new: &NewUnit| new.line_table.iter().all(|at| lines.has(at.1));
        is_whole && input.shares_lines && fates.iter().filter_map(new_unit).all(has_all)
    });
    let writer = Writer { input, places: &places, fates, tables, lines: lines.as_ref() };
    Some(Dedup {
        info: writer.section(&info, input.info)?,
        types: writer.section(&types, input.types)?,
        abbreviations,
        locations: writer.lists(input.others.locations, false)?,
        location_lists: writer.lists(input.others.location_lists, true)?,
        address_ranges: writer.address_ranges()?,
        lines: lines.map(|lines| lines.bytes),
        units: RewrittenUnits { contributions, moves: moves(&places, is_skeleton) },
    })
}

/// Old and new offset of each unit of `.debug_info`, and whether the unit is a skeleton.
fn moves(places: &Places<'_>, is_skeleton: &Column<UnitId, bool>) -> Vec<(u64, u64, bool)> {
    let units = places.sources.with_ids().filter(|(_, source)| !source.is_types);
    units
        .filter_map(|(id, source)| Some((source.unit.start, places.starts[id]?, is_skeleton[id])))
        .collect()
}

fn new_unit(fate: &UnitPlan) -> Option<&NewUnit> {
    match fate {
        UnitPlan::Written(new) => Some(new),
        UnitPlan::Left | UnitPlan::Dropped => None,
    }
}

struct Writer<'w> {
    input: &'w DedupInput<'w>,
    places: &'w Places<'w>,
    fates: &'w Column<UnitId, UnitPlan>,
    /// Offset of each unit's abbreviations.
    tables: Column<UnitId, u64>,
    lines: Option<&'w LineTables>,
}

impl Writer<'_> {
    /// Writes a section of units.
    fn section(&self, layout: &Layout, old: &[u8]) -> Option<Vec<u8>> {
        let mut out = vec![0; usize::try_from(layout.size).ok()?];
        let mut rest = &mut out[..];
        let mut tasks = Vec::new();
        for (size, content) in &layout.pieces {
            let (own, behind) =
                std::mem::take(&mut rest).split_at_mut(usize::try_from(*size).ok()?);
            rest = behind;
            tasks.push((own, content));
        }
        let fill = |(out, content): (&mut [u8], &Content)| match content {
            &Content::Unit(id) => self.unit(id, old, out),
            Content::Bytes(range) => copy(old, range.start, out),
        };
        tasks.into_par_iter().map(fill).collect::<Option<Vec<()>>>()?;
        Some(out)
    }

    fn unit(&self, id: UnitId, old: &[u8], out: &mut [u8]) -> Option<()> {
        let unit = &self.places.sources[id].unit;
        let Some(new) = new_unit(&self.fates[id]) else { return copy(old, unit.start, out) };
        out.copy_from_slice(&new.bytes);
        let at = usize::try_from(unit.abbreviations_at() - unit.start).ok()?;
        let (size, order) = (usize::from(unit.encoding.offset_size), unit.encoding.order);
        write_fixed(self.tables[id], out.get_mut(at..at + size)?, order)?;
        self.fill(&new.fields, out)?;
        if let (Some(lines), Some((range, old))) = (self.lines, &new.line_table) {
            write_fixed(lines.place(*old)?, out.get_mut(range.clone())?, order)?;
        }
        Some(())
    }

    fn fill(&self, fields: &[Field], out: &mut [u8]) -> Option<()> {
        for &Field { at, size, to } in fields {
            // Fields that refer to nothing keep their value.
            if let Some(value) = self.places.value(to) {
                let at = usize::try_from(at).ok()?;
                let field = out.get_mut(at..at.checked_add(size.into())?)?;
                write_fixed(value, field, self.input.others.order)?;
            }
        }
        Some(())
    }

    /// `.debug_loc` or, if `is_new`, `.debug_loclists`: `Some(None)` if nothing in it changes.
    fn lists(&self, old: &[u8], is_new: bool) -> Option<Option<Vec<u8>>> {
        let mut out: Option<Vec<u8>> = None;
        for (id, fate) in self.fates.with_ids() {
            let Some(new) = new_unit(fate) else { continue };
            let is_of_unit = self.places.sources[id].unit.encoding.version >= 5;
            let is_same = new.list_patches.is_empty() && new.list_fields.is_empty();
            if is_of_unit != is_new || is_same {
                continue;
            }
            let out = out.get_or_insert_with(|| old.to_vec());
            for patch in &new.list_patches {
                let end = patch.at.checked_add(patch.bytes.len())?;
                out.get_mut(patch.at..end)?.copy_from_slice(&patch.bytes);
            }
            self.fill(&new.list_fields, out)?;
        }
        Some(out)
    }

    /// `.debug_aranges` (DWARF 5, section 6.1.2): `Some(None)` if there is none.
    fn address_ranges(&self) -> Option<Option<Vec<u8>>> {
        let Sections { address_ranges: old, order, .. } = self.input.others;
        let mut out = old.to_vec();
        let mut at = 0;
        while at < old.len() {
            let Some((field, end)) = unit_of_ranges(old, at, order) else { break };
            let unit = fixed(old, &mut field.start.clone(), field.len(), order)?;
            if let Some(place) = self.places.value(FieldValue::Old(unit)) {
                write_fixed(place, &mut out[field], order)?;
            }
            at = end;
        }
        Some((!out.is_empty()).then_some(out))
    }
}

/// The field with the offset of the unit in the set of `.debug_aranges` at `at`, and the end of the
/// set.
fn unit_of_ranges(bytes: &[u8], mut at: usize, order: ByteOrder) -> Option<(Range<usize>, usize)> {
    let (size, len) = match fixed(bytes, &mut at, 4, order)? {
        0xffff_ffff => (8, fixed(bytes, &mut at, 8, order)?),
        len => (4, len),
    };
    let end = at.checked_add(usize::try_from(len).ok()?).filter(|&end| end <= bytes.len())?;
    let _version = fixed(bytes, &mut at, 2, order)?;
    (at + size <= end).then_some((at..at + size, end))
}

/// Fills `out` with the bytes at an offset of a section.
fn copy(section: &[u8], start: u64, out: &mut [u8]) -> Option<()> {
    let start = usize::try_from(start).ok()?;
    out.copy_from_slice(section.get(start..start.checked_add(out.len())?)?);
    Some(())
}
