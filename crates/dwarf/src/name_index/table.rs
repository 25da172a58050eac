//! Writes the table (DWARF 5, section 6.1.1.4): lists of units, hash table, names, abbreviations,
//! entry pool.

use super::collect::{Collected, Listed, Parent};
use super::folding::hash;
use crate::names::{Names, QualifiedId, Texts};
use crate::program::FoundUnit;
use crate::sections::Sections;
use gimli::constants::*;
use skald_core::id;
use skald_core::ids::{Column, IndexRange, OptionalId};
use skald_core::par::prelude::*;
use skald_core::sort;
use skald_core::unordered::UnorderedMap;
use skald_linking::byte_order::ByteOrder;
use skald_linking::leb128::push_uleb128;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Number of names whose entries one thread writes at a time.
const CHUNK: usize = 1 << 12;
/// The augmentation string of LLVM, whose interpretation of the standard this table follows, and
/// whose debugger accepts no other.
const AUGMENTATION: &[u8; 8] = b"LLVM0700";
/// Bytes of the header, from its version on.
const HEADER: usize = 32 + AUGMENTATION.len();

id! {
    /// An entry by one of its names, units in order.
    ListedId
}

id! {
    /// A name by its place in the table.
    NamePlace
}

id! {
    /// A bucket of the hash table.
    BucketId
}

/// An abbreviation of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    tag: u16,
    home: EntryUnit,
    /// The form of DW_IDX_parent; 0 without one.
    parent: u8,
}

/// The kind of unit that entries belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum EntryUnit {
    /// A compilation unit, or the `.dwo` file of a skeleton.
    CompileUnit,
    /// A type unit of the program.
    TypeUnit,
    /// A type unit in the `.dwo` file of a skeleton.
    ForeignType,
}

/// [`Shape::parent`] of an entry whose parent is not listed.
const UNLISTED: u8 = DW_FORM_flag_present.0 as u8;
/// [`Shape::parent`] of an entry that says which entry its parent is.
const LISTED: u8 = DW_FORM_ref4.0 as u8;

/// An entry as it is written.
struct Row {
    name: QualifiedId,
    offset: u32,
    /// The number of the unit in the list of its kind.
    unit: u32,
    /// Position of the signature, for a foreign type unit.
    signature: u32,
    shape: Shape,
    parent: OptionalId<ListedId>,
}

/// The units that the table covers, and their entries.
struct Rows {
    /// Offsets of units, type units behind all others.
    units: [Vec<u32>; 2],
    /// Signatures of type units in `.dwo` files.
    signatures: Vec<u64>,
    all: Column<ListedId, Row>,
}

/// Writes the table; `None` if an offset does not fit.
pub(super) fn write(
    sections: &Sections<'_>,
    found: &[FoundUnit],
    collected: Collected,
) -> Option<Vec<u8>> {
    let rows = Rows::new(found, &collected)?;
    if rows.all.is_empty() {
        return Some(Vec::new());
    }
    let order = Order::new(sections, &collected.names, &collected.texts, &rows);
    let byte_order = sections.order;
    let pool = Pool::new(&rows, &order, byte_order)?;
    let mut out = Vec::with_capacity(HEADER + 4);
    out.extend([0; 4]);
    out.extend(byte_order.bytes(5_u16));
    out.extend([0; 2]);
    let abbreviations = pool.abbreviations();
    let counts = [
        rows.units[0].len(),
        rows.units[1].len(),
        rows.signatures.len(),
        order.buckets.len(),
        order.names.len(),
        abbreviations.len(),
        AUGMENTATION.len(),
    ];
    counts.iter().for_each(|&count| out.extend(byte_order.bytes(count as u32)));
    out.extend(AUGMENTATION);
    let mut words = |words: &mut dyn Iterator<Item = u32>| {
        words.for_each(|word| out.extend(byte_order.bytes(word)));
    };
    words(&mut rows.units.iter().flatten().copied());
    words(&mut rows.signatures.iter().flat_map(|&signature| byte_order.halves(signature)));
    words(&mut order.buckets.iter().copied());
    words(&mut order.names.iter().map(|name| name.hash));
    words(&mut order.names.iter().map(|name| name.string));
    words(&mut pool.starts.iter().copied());
    out.extend(abbreviations);
    pool.write(&mut out);
    let len = u32::try_from(out.len() - 4).ok().filter(|&len| len < 0xffff_fff0)?;
    byte_order.put(&mut out, 0, len);
    Some(out)
}

impl Rows {
    fn new(found: &[FoundUnit], collected: &Collected) -> Option<Rows> {
        let mut rows =
            Rows { units: [Vec::new(), Vec::new()], signatures: Vec::new(), all: Column::new() };
        let mut numbers: UnorderedMap<u64, u32> = UnorderedMap::new();
        for unit in &collected.units {
            let found = found.get(unit.unit)?;
            let own_home =
                if found.is_type_unit() { EntryUnit::TypeUnit } else { EntryUnit::CompileUnit };
            let list = &mut rows.units[usize::from(found.is_type_unit())];
            let number = list.len() as u32;
            list.push(u32::try_from(found.unit.start).ok()?);
            let first = rows.all.end();
            let mut foreign = unit.foreign.iter().peekable();
            for (at, &Listed { name, offset, tag, parent }) in (0..).zip(&unit.listed) {
                let (form, parent) = match parent {
                    Parent::Declared => (0, None),
                    Parent::Unlisted => (UNLISTED, None),
                    Parent::Listed(at) => (LISTED, Some(first + at)),
                };
                let (mut home, mut signature) = (own_home, 0);
                if let Some(&(_, key)) = foreign.next_if(|(position, _)| *position == at) {
                    let next = rows.signatures.len() as u32;
                    signature = *numbers.entry(key).or_insert(next);
                    if signature == next {
                        rows.signatures.push(key);
                    }
                    home = EntryUnit::ForeignType;
                }
                let shape = Shape { tag: tag.0, home, parent: form };
                let parent = parent.into();
                rows.all.push(Row { name, offset, unit: number, signature, shape, parent });
            }
            u32::try_from(rows.all.len()).ok()?;
        }
        Some(rows)
    }
}

/// A name of the table.
struct NameRow {
    hash: u32,
    /// Offset in `.debug_str`.
    string: u32,
}

/// The names, ordered by bucket, hash and text, and the entries of each.
struct Order {
    names: Column<NamePlace, NameRow>,
    /// Position of the first name of each bucket, counted from 1; 0 for an empty one.
    buckets: Column<BucketId, u32>,
    /// The entries, by name.
    entries: Vec<ListedId>,
    /// Start of each name's entries, and the end of the last ones.
    starts: Column<NamePlace, u32>,
}

impl Order {
    fn new(sections: &Sections<'_>, names: &Names, texts: &Texts, rows: &Rows) -> Order {
        let text = |id: QualifiedId| texts.text(names.all()[id].component, sections);
        let hashes: Vec<u32> = names.all().par_ids().map(|id| hash(text(id).bytes())).collect();
        let hashes: Column<QualifiedId, u32> = Column::from(hashes);
        // Equal texts at different offsets are one name.
        let used = hashes.ids().filter(|id| !id.is_root());
        let mut keyed: Vec<sort::Keyed> =
            used.map(|id| (u64::from(hashes[id]), id.number())).collect();
        let compare = |a: u32, b: u32| {
            text(QualifiedId::new(a)).bytes().cmp(text(QualifiedId::new(b)).bytes())
        };
        // Of several offsets of a text the lowest is written, so that the result does not depend on
        // threads.
        let component = |number| names.all()[QualifiedId::new(number)].component;
        sort::by_word(&mut keyed, |a, b| {
            compare(a, b).then_with(|| component(a).cmp(&component(b)))
        });
        let mut first_of: Column<QualifiedId, QualifiedId> =
            Column::from(vec![QualifiedId::default(); hashes.len()]);
        let mut distinct: Vec<sort::Keyed> = Vec::with_capacity(keyed.len());
        let mut hash_count = 0;
        for (word, number) in keyed {
            let last = distinct.last().copied();
            let is_same_hash = last.is_some_and(|(other, _)| other == word);
            hash_count += usize::from(!is_same_hash);
            let same = last
                .filter(|&(_, other)| is_same_hash && compare(other, number) == Ordering::Equal);
            let (_, first) = same.unwrap_or((word, number));
            first_of[QualifiedId::new(number)] = QualifiedId::new(first);
            if same.is_none() {
                distinct.push((word, number));
            }
        }
        let bucket_count = bucket_count(hash_count);
        for (word, _) in &mut distinct {
            *word |= (*word % bucket_count as u64) << 32;
        }
        sort::by_word(&mut distinct, compare);
        let mut order = Order {
            names: Column::new(),
            buckets: Column::from(vec![0; bucket_count]),
            entries: Vec::new(),
            starts: Column::new(),
        };
        let mut place_of: Column<QualifiedId, NamePlace> =
            Column::from(vec![NamePlace::default(); hashes.len()]);
        for (word, number) in distinct {
            let id = QualifiedId::new(number);
            let component = names.all()[id].component;
            place_of[id] = order.names.push(NameRow {
                hash: word as u32,
                string: component.string_offset().unwrap_or_default() as u32,
            });
            let bucket = &mut order.buckets[BucketId::new((word >> 32) as u32)];
            if *bucket == 0 {
                *bucket = order.names.len() as u32;
            }
        }
        order.assign(rows, |name| place_of[first_of[name]]);
        order
    }

    /// Sorts the entries by name.
    fn assign(&mut self, rows: &Rows, place: impl Fn(QualifiedId) -> NamePlace) {
        let mut next: Column<NamePlace, u32> = Column::from(vec![0; self.names.len()]);
        rows.all.iter().for_each(|row| next[place(row.name)] += 1);
        let mut start = 0;
        for count in next.iter_mut() {
            self.starts.push(start);
            start += std::mem::replace(count, start);
        }
        self.starts.push(start);
        let mut entries: Column<ListedId, ListedId> =
            Column::from(vec![ListedId::default(); rows.all.len()]);
        for (id, row) in rows.all.with_ids() {
            let next = &mut next[place(row.name)];
            entries[ListedId::new(*next)] = id;
            *next += 1;
        }
        self.entries = entries.into_vec();
    }

    fn of(&self, name: NamePlace) -> &[ListedId] {
        &self.entries[self.starts.range_of(name).wide()]
    }
}

/// The number of buckets for this many different hashes, as LLVM chooses it.
fn bucket_count(hashes: usize) -> usize {
    match hashes {
        1025.. => hashes / 4,
        17.. => hashes / 2,
        _ => hashes.max(1),
    }
}

/// The entry pool.
struct Pool<'t> {
    rows: &'t Rows,
    order: &'t Order,
    byte_order: ByteOrder,
    /// The abbreviations; the code of each is its position, counted from 1.
    shapes: Vec<Shape>,
    /// Start of each name's entries.
    starts: Column<NamePlace, u32>,
    /// Start of each entry.
    places: Column<ListedId, u32>,
    /// Entries have unit numbers, because there are several units.
    has_units: bool,
}

impl<'t> Pool<'t> {
    fn new(rows: &'t Rows, order: &'t Order, byte_order: ByteOrder) -> Option<Pool<'t>> {
        let mut shapes: BTreeSet<Shape> = BTreeSet::new();
        let mut last = None;
        for row in rows.all.iter() {
            if last != Some(row.shape) {
                shapes.insert(row.shape);
                last = Some(row.shape);
            }
        }
        let mut pool = Pool {
            rows,
            order,
            byte_order,
            shapes: shapes.into_iter().collect(),
            starts: Column::new(),
            places: Column::from(vec![0; rows.all.len()]),
            has_units: rows.units[0].len() > 1,
        };
        let mut at = 0u64;
        for name in order.names.ids() {
            pool.starts.push(u32::try_from(at).ok()?);
            for &id in order.of(name) {
                pool.places[id] = u32::try_from(at).ok()?;
                at += pool.size(&rows.all[id]);
            }
            at += 1;
        }
        Some(pool)
    }

    fn code(&self, shape: Shape) -> u32 {
        self.shapes.partition_point(|other| *other < shape) as u32 + 1
    }

    /// The values of DW_IDX_compile_unit and DW_IDX_type_unit of an entry.
    fn units(&self, row: &Row) -> [Option<u32>; 2] {
        match row.shape.home {
            EntryUnit::CompileUnit => [self.has_units.then_some(row.unit), None],
            EntryUnit::TypeUnit => [None, Some(row.unit)],
            // Types of `.dwo` files are counted behind those of the program.
            EntryUnit::ForeignType => {
                let number = self.rows.units[1].len() as u32 + row.signature;
                [Some(row.unit), Some(number)]
            }
        }
    }

    /// Bytes of an entry.
    fn size(&self, row: &Row) -> u64 {
        let units: u64 = self.units(row).into_iter().flatten().map(leb_size).sum();
        let parent = if row.shape.parent == LISTED { 4 } else { 0 };
        leb_size(self.code(row.shape)) + units + 4 + parent
    }

    /// The table of abbreviations.
    fn abbreviations(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (code, &shape) in (1..).zip(&self.shapes) {
            push_uleb128(&mut out, code);
            push_uleb128(&mut out, shape.tag.into());
            let has_type_unit = shape.home != EntryUnit::CompileUnit;
            let has_unit = match shape.home {
                EntryUnit::CompileUnit => self.has_units,
                EntryUnit::TypeUnit => false,
                EntryUnit::ForeignType => true,
            };
            // gdb 13 reads unit numbers of this form only.
            let unit = (DW_IDX_compile_unit.0, DW_FORM_udata.0, has_unit);
            let type_unit = (DW_IDX_type_unit.0, DW_FORM_udata.0, has_type_unit);
            let offset = (DW_IDX_die_offset.0, DW_FORM_ref4.0, true);
            let parent = (DW_IDX_parent.0, shape.parent.into(), shape.parent != 0);
            let fields = [unit, type_unit, offset, parent];
            for (index, form, _) in fields.into_iter().filter(|field| field.2) {
                push_uleb128(&mut out, index.into());
                push_uleb128(&mut out, form.into());
            }
            out.extend([0, 0]);
        }
        out.push(0);
        out
    }

    /// Appends the pool.
    fn write(&self, out: &mut Vec<u8>) {
        let chunks: Vec<Vec<u8>> = self
            .order
            .names
            .par_parts(CHUNK)
            .map(|(first, names)| {
                let mut bytes = Vec::new();
                for (name, _) in first.onward().zip(names) {
                    self.order.of(name).iter().for_each(|&id| self.entry(id, &mut bytes));
                    bytes.push(0);
                }
                bytes
            })
            .collect();
        out.reserve(chunks.iter().map(Vec::len).sum());
        chunks.iter().for_each(|chunk| out.extend_from_slice(chunk));
    }

    fn entry(&self, id: ListedId, out: &mut Vec<u8>) {
        let row = &self.rows.all[id];
        push_uleb128(out, self.code(row.shape).into());
        self.units(row).into_iter().flatten().for_each(|number| push_uleb128(out, number.into()));
        out.extend(self.byte_order.bytes(row.offset));
        if let Some(parent) = row.parent.get() {
            out.extend(self.byte_order.bytes(self.places[parent]));
        }
    }
}

/// Bytes of a LEB128 number without sign.
fn leb_size(value: u32) -> u64 {
    u64::from((32 - value.leading_zeros()).max(1).div_ceil(7))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_size_that_is_counted() {
        for value in [0, 1, 127, 128, 16383, 16384, u32::MAX] {
            let mut out = Vec::new();
            push_uleb128(&mut out, value.into());
            assert_eq!(out.len() as u64, leb_size(value), "{value}");
        }
    }

    #[test]
    fn buckets_are_fewer_than_hashes() {
        assert_eq!([0, 1, 16, 17, 1024, 1025].map(bucket_count), [1, 1, 16, 8, 512, 256]);
    }
}
