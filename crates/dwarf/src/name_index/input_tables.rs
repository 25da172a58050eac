//! Tables of names in the inputs (DWARF 5, section 6.1.1.4), as far as they list skeletons. The
//! entries of these units are in `.dwo` files, which the linker does not read for the table.
//!
//! Distances of entries stay unchanged: they are relative to the unit's header, in a `.dwo` file as
//! well as in a package. Numbers of units and places of parents are converted to those of the new
//! table. Types in units of their own (`-fdebug-types-section`) are foreign type units, which have
//! signatures. A reader finds the `.dwo` file of such a type by the skeleton, so entries with equal
//! signatures are kept for each skeleton.
//!
//! A broken table is ignored as a whole: debuggers read units that no table lists. Units other than
//! skeletons are indexed from their entries, and what the inputs' tables list for them is ignored.

use super::collect::{Collected, Listed, Parent, UnitNames};
use crate::names::{QualifiedId, Text};
use crate::program::FoundUnit;
use crate::units::UnitKind;
use crate::values::{self, Encoding, Value, fixed, uleb};
use gimli::constants::*;
use skald_core::unordered::UnorderedMap;
use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::Malformed;
use std::borrow::Cow;
use std::ops::Range;

/// The tables of names of an input, one behind the other, before they are relocated.
pub trait InputTables: Sync {
    /// The number of the input: see [`super::NameInput::inputs`].
    fn input(&self) -> u32;
    /// The bytes of the input's `.debug_names`.
    fn bytes(&self) -> Cow<'_, [u8]>;
    /// The relocated value, an offset in the program's `.debug_info`, of the field at a byte
    /// offset, which has the value `written` before. `None` if the target is not in the program.
    fn unit(&self, field: usize, written: u64) -> Option<u64>;
    /// As [`InputTables::unit`], for an offset in the program's `.debug_str`.
    fn string(&self, field: usize, written: u64) -> Option<u64>;
}

/// Takes the names of all skeletons that an input's tables list.
pub(super) fn take(
    tables: &dyn InputTables,
    units: &[FoundUnit],
    inputs: &[u32],
    order: ByteOrder,
    collected: &mut Collected,
) -> Result<(), Malformed> {
    let bytes = &*tables.bytes();
    let input = tables.input();
    let is_wanted = |found: &FoundUnit| {
        matches!(found.unit.kind, UnitKind::Skeleton { .. })
            && inputs.get(found.contribution) == Some(&input)
    };
    let mut at = 0;
    while at < bytes.len() {
        let header = Header::parse(bytes, at, order)?;
        at = header.end;
        let unit = |number: usize| {
            let field = header.units + number * header.offset_size;
            let written = fixed(bytes, &mut field.clone(), header.offset_size, order)?;
            let start = tables.unit(field, written)?;
            let compile_units = units.partition_point(|unit| !unit.is_type_unit());
            let units = &units[..compile_units];
            let found = units.binary_search_by_key(&start, |found| found.unit.start).ok()?;
            is_wanted(&units[found]).then_some(found)
        };
        let covered: Vec<Option<usize>> = (0..header.unit_count).map(unit).collect();
        if covered.iter().any(Option::is_some) {
            let table = Table { tables, bytes, header, covered };
            collected.add(&table, table.entries()?)?;
        }
    }
    Ok(())
}

/// The parts of a table, as offsets from the first byte of all tables.
struct Header {
    order: ByteOrder,
    /// Bytes of an offset into a section.
    offset_size: usize,
    unit_count: usize,
    local_type_count: u64,
    foreign_type_count: u64,
    name_count: usize,
    units: usize,
    foreign_types: usize,
    strings: usize,
    entries: usize,
    abbreviations: Range<usize>,
    /// Start of the entry pool.
    pool: usize,
    /// End of the table.
    end: usize,
}

impl Header {
    /// The header at `start`.
    fn parse(bytes: &[u8], start: usize, order: ByteOrder) -> Result<Header, Malformed> {
        let truncated = Malformed::new("truncated table of names", start);
        let mut at = start;
        let mut next = |size| fixed(bytes, &mut at, size, order).ok_or(truncated);
        let (offset_size, len) = match next(4)? {
            0xffff_ffff => (8, next(8)?),
            len @ 0..0xffff_fff0 => (4, len),
            _ => return Err(Malformed::new("reserved length of a table of names", start)),
        };
        let behind = start + if offset_size == 8 { 12 } else { 4 };
        let end = usize::try_from(len).ok().and_then(|len| behind.checked_add(len));
        let end = end.filter(|&end| end <= bytes.len()).ok_or(truncated)?;
        if next(2)? != 5 {
            return Err(Malformed::new("unknown version of a table of names", start));
        }
        let _padding = next(2)?;
        let mut counts = [0u64; 7];
        for count in &mut counts {
            *count = next(4)?;
        }
        let [units, local_types, foreign_types, buckets, names, abbreviations, augmentation] =
            counts;
        let hashes = if buckets == 0 { 0 } else { names };
        let offset = offset_size as u64;
        // No count has more than 32 bits, so none of the sums overflows.
        let mut place = at as u64;
        let mut behind = |size: u64| {
            let start = place;
            place += size;
            if place > end as u64 { Err(truncated) } else { Ok(start as usize) }
        };
        behind(augmentation.next_multiple_of(4))?;
        let header = Header {
            order,
            offset_size,
            unit_count: units as usize,
            local_type_count: local_types,
            foreign_type_count: foreign_types,
            name_count: names as usize,
            units: behind(offset * units)?,
            foreign_types: {
                behind(offset * local_types)?;
                behind(8 * foreign_types)?
            },
            strings: {
                behind(4 * buckets)?;
                behind(4 * hashes)?;
                behind(offset * names)?
            },
            entries: behind(offset * names)?,
            abbreviations: {
                let start = behind(abbreviations)?;
                start..start + abbreviations as usize
            },
            pool: behind(0)?,
            end,
        };
        Ok(header)
    }

    fn encoding(&self) -> Encoding {
        let (offset_size, order) = (self.offset_size as u8, self.order);
        Encoding { version: 5, offset_size, address_size: 8, order }
    }
}

/// An abbreviation of the table: a tag, and DW_IDX_* attributes with forms.
struct Shape {
    tag: DwTag,
    fields: Vec<(u64, DwForm)>,
}

/// A table that lists at least one skeleton.
struct Table<'t> {
    tables: &'t dyn InputTables,
    /// The bytes of all tables of the input.
    bytes: &'t [u8],
    header: Header,
    /// For each of its units, the position among those of the program, if the unit is a skeleton.
    covered: Vec<Option<usize>>,
}

/// An entry of the pool.
#[derive(Default)]
struct Fields {
    unit: Option<u64>,
    type_unit: Option<u64>,
    offset: Option<u64>,
    parent: Option<ParentField>,
}

/// DW_IDX_parent.
#[derive(Clone, Copy)]
enum ParentField {
    Unlisted,
    /// Offset in the pool.
    Entry(u64),
}

/// An entry of a skeleton, by one of its names.
struct Wanted {
    /// Offset in the program's `.debug_str`.
    string: u64,
    /// Number of its unit in the table.
    unit: usize,
    /// The signature of its type unit.
    signature: Option<u64>,
    offset: u32,
    tag: DwTag,
    /// Offset of the entry in the pool.
    place: u64,
    parent: Option<ParentField>,
}

impl Table<'_> {
    /// The entries of all skeletons.
    fn entries(&self) -> Result<Vec<Wanted>, Malformed> {
        let Header { offset_size, name_count, strings, entries, pool, end, .. } = self.header;
        let bytes = &self.bytes[..end];
        let shapes = self.shapes()?;
        let mut wanted = Vec::new();
        // Each entry has at least one byte, so more bytes than the pool has mean that names share
        // entries.
        let mut room = end - pool;
        for number in 0..name_count {
            let mut at = entries + number * offset_size;
            let start = fixed(bytes, &mut at, offset_size, self.header.order).unwrap_or(u64::MAX);
            let place = usize::try_from(start).ok().and_then(|start| pool.checked_add(start));
            let truncated = Malformed::new("truncated entries of a name", at - offset_size);
            let mut at = place.ok_or(truncated)?;
            let mut string = None;
            loop {
                let first = at;
                let code = uleb(bytes, &mut at).ok_or(truncated)?;
                if code == 0 {
                    break;
                }
                room = room.checked_sub(1).ok_or(Malformed::new("names share entries", first))?;
                let shape = shapes.get(&code);
                let shape = shape.ok_or(Malformed::new("unknown abbreviation of a name", first))?;
                let fields = self.fields(shape, bytes, &mut at).ok_or(truncated)?;
                let Some((unit, signature)) = self.unit_of(&fields, first)? else { continue };
                let offset = fields.offset.and_then(|offset| u32::try_from(offset).ok());
                let offset = offset.ok_or(Malformed::new("name of no entry", first))?;
                let string = match string {
                    Some(known) => known,
                    None => *string.insert(self.string(strings + number * offset_size)?),
                };
                let (tag, parent) = (shape.tag, fields.parent);
                let place = (first - pool) as u64;
                wanted.push(Wanted { string, unit, signature, offset, tag, place, parent });
            }
        }
        Ok(wanted)
    }

    /// The abbreviations by code.
    fn shapes(&self) -> Result<UnorderedMap<u64, Shape>, Malformed> {
        let mut at = self.header.abbreviations.start;
        let bytes = &self.bytes[..self.header.abbreviations.end];
        let mut shapes = UnorderedMap::new();
        loop {
            let wrong = |what| Malformed::new(what, at);
            let truncated = wrong("truncated abbreviations of names");
            let unknown = wrong("unknown form in an abbreviation of names");
            let mut next = || uleb(bytes, &mut at).ok_or(truncated);
            let code = next()?;
            if code == 0 {
                return Ok(shapes);
            }
            let tag = DwTag(u16::try_from(next()?).unwrap_or(u16::MAX));
            let mut fields = Vec::new();
            loop {
                let (index, form) = (next()?, next()?);
                if (index, form) == (0, 0) {
                    break;
                }
                let form = DwForm(u16::try_from(form).unwrap_or(u16::MAX));
                let is_known = values::extent(form, self.header.encoding()).is_some();
                if !is_known || form == DW_FORM_implicit_const {
                    return Err(unknown);
                }
                fields.push((index, form));
            }
            shapes.insert(code, Shape { tag, fields });
        }
    }

    /// Reads an entry, whose values begin at `at`.
    fn fields(&self, shape: &Shape, bytes: &[u8], at: &mut usize) -> Option<Fields> {
        let mut fields = Fields::default();
        for &(index, form) in &shape.fields {
            let value = values::read(bytes, at, form, 0, self.header.encoding())?;
            let number = match value {
                Value::Number(number) | Value::UnitEntry(number) => Some(number),
                Value::SectionOffset(number) => Some(number),
                _ => None,
            };
            match u16::try_from(index).map(DwIdx).unwrap_or(DwIdx(0)) {
                DW_IDX_compile_unit => fields.unit = number,
                DW_IDX_type_unit => fields.type_unit = number,
                DW_IDX_die_offset => fields.offset = number,
                DW_IDX_parent => {
                    fields.parent = match (number, value) {
                        (Some(place), _) => Some(ParentField::Entry(place)),
                        (None, Value::Flag(true)) => Some(ParentField::Unlisted),
                        _ => None,
                    };
                }
                _ => {}
            }
        }
        Some(fields)
    }

    /// The number of the unit of the entry at `at`, and the signature of its type unit; `None` if
    /// the unit is not a skeleton.
    fn unit_of(
        &self,
        fields: &Fields,
        at: usize,
    ) -> Result<Option<(usize, Option<u64>)>, Malformed> {
        let Header { local_type_count, foreign_type_count, foreign_types, .. } = self.header;
        let wrong = Malformed::new("name of no unit", at);
        let mut signature = None;
        if let Some(number) = fields.type_unit {
            let Some(foreign) = number.checked_sub(local_type_count) else { return Ok(None) };
            if foreign >= foreign_type_count {
                return Err(wrong);
            }
            let mut field = foreign_types + 8 * foreign as usize;
            signature = fixed(self.bytes, &mut field, 8, self.header.order);
        }
        // The number of the unit may be left out if there is only one.
        let number = fields.unit.or((self.covered.len() == 1).then_some(0)).ok_or(wrong)?;
        let number = usize::try_from(number).ok();
        let number = number.filter(|&number| number < self.covered.len()).ok_or(wrong)?;
        Ok(self.covered[number].map(|_| (number, signature)))
    }

    fn string(&self, field: usize) -> Result<u64, Malformed> {
        let Header { offset_size, order, .. } = self.header;
        let written = fixed(self.bytes, &mut field.clone(), offset_size, order);
        let string = written.and_then(|written| self.tables.string(field, written));
        string.ok_or(Malformed::new("name without a string", field))
    }
}

impl Collected {
    /// Adds the entries that a table has for its skeletons.
    fn add(&mut self, table: &Table<'_>, wanted: Vec<Wanted>) -> Result<(), Malformed> {
        let indices: UnorderedMap<u64, usize> =
            wanted.iter().enumerate().map(|(index, entry)| (entry.place, index)).collect();
        // The new position of each entry among those of its unit.
        let mut counts = vec![0u32; table.covered.len()];
        let position = |entry: &Wanted| {
            counts[entry.unit] += 1;
            counts[entry.unit] - 1
        };
        let positions: Vec<u32> = wanted.iter().map(position).collect();
        let parent = |entry: &Wanted| match entry.parent {
            None => Ok(Parent::Declared),
            Some(ParentField::Unlisted) => Ok(Parent::Unlisted),
            Some(ParentField::Entry(place)) => {
                let at = table.header.pool + entry.place as usize;
                let wrong = Malformed::new("parent of a name is no entry", at);
                let index = *indices.get(&place).ok_or(wrong)?;
                let parent = &wanted[index];
                let is_same = (parent.unit, parent.signature) == (entry.unit, entry.signature);
                Ok(if is_same { Parent::Listed(positions[index]) } else { Parent::Declared })
            }
        };
        let parents: Vec<Parent> = wanted.iter().map(parent).collect::<Result<_, Malformed>>()?;
        let names = |&unit: &Option<usize>| Some(UnitNames { unit: unit?, ..UnitNames::default() });
        let mut units: Vec<Option<UnitNames>> = table.covered.iter().map(names).collect();
        for (entry, parent) in wanted.iter().zip(parents) {
            let Some(unit) = &mut units[entry.unit] else { continue };
            let component = self.texts.component(Text::String(entry.string));
            let name = self.names.intern(QualifiedId::COLONS, component);
            if let Some(signature) = entry.signature {
                unit.foreign.push((unit.listed.len() as u32, signature));
            }
            unit.listed.push(Listed { name, offset: entry.offset, tag: entry.tag, parent });
        }
        self.units.extend(units.into_iter().flatten());
        Ok(())
    }
}
