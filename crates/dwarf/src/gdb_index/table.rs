//! The symbol table: a hash table of names, and for each name the CU vector of units that have it.

use super::IndexInput;
use super::collect::{Collected, KIND_SHIFT, Kind, ONCE, UNIT_BITS};
use crate::canonical::canonical;
use crate::names::{Names, QualifiedId, Texts};
use crate::sections::Sections;
use skald_core::id;
use skald_core::ids::{Column, OptionalId};
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::sort;
use skald_core::unordered::UnorderedMap;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

/// Number of names whose texts one thread prepares at a time.
const CHUNK: usize = 1 << 11;

/// Length and hash of a component of a name, or of a name with all its scopes, as written.
#[derive(Debug, Clone, Copy, Default)]
struct Spelling {
    /// Length of the name in bytes.
    len: u32,
    /// The [`hash`] of the name.
    hash: u32,
}

/// A component whose canonical spelling differs, by its name.
type Respelt = (QualifiedId, Box<[u8]>);

id! {
    /// A name of the index, in the order in which texts are written.
    SymbolPlace
}

id! {
    /// A component whose canonical spelling differs.
    RespeltId
}

id! {
    /// A slot of the hash table.
    SlotId
}

/// The names of an index, in the order in which their texts are written.
pub struct SymbolTable<'a> {
    names: Names,
    texts: Texts,
    sections: Sections<'a>,
    /// Components whose canonical spelling differs.
    respelt: Column<RespeltId, Box<[u8]>>,
    respelt_of: Column<QualifiedId, OptionalId<RespeltId>>,
    components: Column<QualifiedId, Spelling>,
    /// Names with all their scopes.
    whole: Column<QualifiedId, Spelling>,
    /// The names that are written.
    order: Column<SymbolPlace, QualifiedId>,
    /// Offset of each name's text from the start of the texts, and the end of the last one.
    starts: Column<SymbolPlace, u64>,
    /// Offset of each name's CU vector, in bytes.
    vector_of: Column<SymbolPlace, u32>,
    vectors: Vec<u32>,
    /// The language of the main program, and its name.
    main: Option<(u32, SymbolPlace)>,
}

impl<'a> SymbolTable<'a> {
    pub(super) fn new(input: &IndexInput<'_, 'a>, collected: Collected) -> SymbolTable<'a> {
        let Collected { names, texts, mut uses, main, languages, .. } = collected;
        let mut table = SymbolTable {
            names,
            texts,
            sections: input.sections,
            respelt: Column::new(),
            respelt_of: Column::new(),
            components: Column::new(),
            whole: Column::new(),
            order: Column::new(),
            starts: Column::new(),
            vector_of: Column::new(),
            vectors: Vec::new(),
            main: None,
        };
        table.spell();
        let place_of = table.sort(&uses);
        // Uses grouped by name, each a kind and a unit.
        let mut grouped: Vec<u64> = Vec::with_capacity(uses.len());
        grouped.extend(
            uses.drain(..)
                .map(|(name, element)| u64::from(place_of[name]) << 32 | u64::from(element)),
        );
        shuffled(&mut grouped).par_sort_unstable();
        let main = main.map(|(unit, name)| (unit, place_of[name]));
        let main = main.or_else(|| table.find_main(&grouped));
        let language = |unit: u32| {
            let found = languages.iter().find(|&&(other, _)| other == unit);
            found.map_or(0, |&(_, language)| language)
        };
        table.main = main.map(|(unit, place)| (language(unit), place));
        table.make_vectors(&grouped);
        table
    }

    /// Spells all components and names.
    fn spell(&mut self) {
        let names = self.names.all();
        let mut root_of: Column<QualifiedId, QualifiedId> = Column::new();
        for (id, name) in names.with_ids() {
            root_of.push(if id.is_root() { id } else { root_of[name.scope] });
        }
        let chunks: Vec<(Vec<Spelling>, Vec<Respelt>)> = (0..names.len().div_ceil(CHUNK))
            .into_par_iter()
            .with_max_len(1)
            .map(|chunk| {
                let mut respelt = Vec::new();
                let end = (CHUNK * (chunk + 1)).min(names.len());
                let ids = (CHUNK * chunk..end).map(QualifiedId::from_index);
                let spell = |id: QualifiedId| {
                    let text = self.texts.text(names[id].component, &self.sections);
                    let spelt = match root_of[id] {
                        QualifiedId::C => canonical(text.bytes()),
                        _ => Cow::Borrowed(text.bytes()),
                    };
                    let spelling = Spelling::of(&spelt);
                    if let Cow::Owned(spelt) = spelt {
                        respelt.push((id, spelt.into_boxed_slice()));
                    }
                    spelling
                };
                (ids.map(spell).collect(), respelt)
            })
            .collect();
        let mut components = Vec::with_capacity(names.len());
        self.respelt_of = Column::filled(OptionalId::NONE, names.len());
        for (spelt, respelt) in chunks {
            components.extend(spelt);
            for (id, text) in respelt {
                self.respelt_of[id] = self.respelt.end().into();
                self.respelt.push(text);
            }
        }
        self.components = Column::from(components);
        let separators = [b"::" as &[u8], b"."].map(Spelling::of);
        for id in names.ids() {
            let component = self.components[id];
            let scope = names[id].scope;
            let whole = if scope.is_root() {
                component
            } else {
                let separator = separators[usize::from(root_of[scope] == QualifiedId::DOTS)];
                self.whole[scope].followed_by(separator).followed_by(component)
            };
            self.whole.push(whole);
        }
    }

    /// Sorts the used names in an order that depends only on their texts; returns the place of
    /// each.
    fn sort(&mut self, uses: &[(QualifiedId, u32)]) -> Column<QualifiedId, SymbolPlace> {
        let mut is_used: Column<QualifiedId, bool> =
            Column::from(vec![false; self.names.all().len()]);
        uses.iter().for_each(|&(name, _)| is_used[name] = true);
        let used = is_used.ids().filter(|&id| is_used[id] && !id.is_root());
        let mut keyed: Vec<sort::Keyed> =
            used.map(|id| (u64::from(self.whole[id].hash), id.number())).collect();
        let compare = |a, b| self.compare(QualifiedId::new(a), QualifiedId::new(b));
        sort::by_word(&mut keyed, compare);
        let mut place_of = Column::from(vec![SymbolPlace::default(); is_used.len()]);
        let mut text_end = 0;
        let mut before: Option<sort::Keyed> = None;
        for key in keyed {
            let id = QualifiedId::new(key.1);
            let is_same = before.is_some_and(|(hash, at)| {
                hash == key.0 && self.compare(QualifiedId::new(at), id) == Ordering::Equal
            });
            if !is_same {
                self.order.push(id);
                self.starts.push(text_end);
                text_end += u64::from(self.whole[id].len) + 1;
            }
            place_of[id] = SymbolPlace::from_index(self.order.len() - 1);
            before = Some(key);
        }
        self.starts.push(text_end);
        place_of
    }

    /// Compares the texts of two names.
    #[cold]
    fn compare(&self, a: QualifiedId, b: QualifiedId) -> Ordering {
        self.text(a).cmp(&self.text(b))
    }

    fn text(&self, id: QualifiedId) -> Vec<u8> {
        let mut text = vec![0; self.whole[id].len as usize];
        self.write_name(id, &mut text);
        text
    }

    /// Writes the last component of a name.
    fn write_component(&self, id: QualifiedId, out: &mut [u8]) {
        if let Some(respelt) = self.respelt_of[id].get() {
            return out.copy_from_slice(&self.respelt[respelt]);
        }
        self.texts.copy(self.names.all()[id].component, &self.sections, out);
    }

    /// Writes a name, from its end on.
    fn write_name(&self, mut id: QualifiedId, mut out: &mut [u8]) {
        loop {
            let split = out.len() - self.components[id].len as usize;
            let (rest, component) = out.split_at_mut(split);
            self.write_component(id, component);
            let scope = self.names.all()[id].scope;
            if scope.is_root() {
                return;
            }
            let (rest, separator) = rest.split_at_mut(self.whole[scope].len as usize);
            separator.copy_from_slice(if separator.len() == 1 { b"." } else { b"::" });
            (id, out) = (scope, rest);
        }
    }

    /// The unit with a function `main` that all can call, and the place of that name.
    fn find_main(&self, uses: &[u64]) -> Option<(u32, SymbolPlace)> {
        let hash = Spelling::of(b"main").hash;
        let hash_of = |id: &QualifiedId| self.whole[*id].hash;
        let first = self.order.partition_point(|id| hash_of(id) < hash);
        let mut same = self.order.iter().skip(first).take_while(|id| hash_of(id) == hash);
        let main = first + same.position(|&id| self.text(id) == b"main")?;
        let place = SymbolPlace::from_index(main);
        let key = u64::from(place) << 32 | u64::from((Kind::Function as u32) << KIND_SHIFT);
        let found = *uses.get(uses.partition_point(|&usage| usage < key))?;
        let unit = found as u32 & ((1 << UNIT_BITS) - 1);
        (found >> UNIT_BITS == key >> UNIT_BITS).then_some((unit, place))
    }

    /// Makes the vectors of units, equal ones once.
    fn make_vectors(&mut self, uses: &[u64]) {
        let mut singles: UnorderedMap<u32, u32> = UnorderedMap::new();
        let mut several: UnorderedMap<Box<[u32]>, u32> = UnorderedMap::new();
        let mut vector: Vec<u32> = Vec::new();
        for of_name in uses.chunk_by(|a, b| a >> 32 == b >> 32) {
            elements(of_name, &mut vector);
            let next = 4 * self.vectors.len() as u32;
            let known = match vector[..] {
                [single] => *singles.entry(single).or_insert(next),
                _ => match several.get(&vector[..]) {
                    Some(&known) => known,
                    None => {
                        several.insert(vector.clone().into_boxed_slice(), next);
                        next
                    }
                },
            };
            if known == next {
                self.vectors.push(vector.len() as u32);
                self.vectors.extend_from_slice(&vector);
            }
            self.vector_of.push(known);
        }
    }

    fn vector_size(&self) -> u64 {
        4 * self.vectors.len() as u64
    }

    /// Offset of a text from the start of the vectors: what the table has.
    fn offset(&self, place: SymbolPlace) -> u32 {
        (self.vector_size() + self.starts[place]) as u32
    }

    /// Whether offsets fit their fields.
    pub fn fits(&self) -> bool {
        self.vector_size() + self.text_size() <= u64::from(u32::MAX)
    }

    /// Bytes of the texts.
    pub fn text_size(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Appends the hash table.
    pub(super) fn write_slots(&self, out: &mut Vec<u8>) {
        let count = self.order.len();
        if count == 0 {
            return;
        }
        let mut size = 1024;
        while 4 * count / 3 >= size {
            size *= 2;
        }
        let mask = size as u32 - 1;
        let mut slots: Column<SlotId, [u32; 2]> = Column::from(vec![[0; 2]; size]);
        for place in self.order.ids() {
            let hash = self.whole[self.order[place]].hash;
            let step = hash.wrapping_mul(17) & mask | 1;
            let mut slot = SlotId::new(hash & mask);
            while slots[slot] != [0, 0] {
                slot = SlotId::new(slot.number().wrapping_add(step) & mask);
            }
            slots[slot] = [self.offset(place), self.vector_of[place]];
        }
        out.reserve(8 * size);
        for word in slots.as_flattened() {
            out.extend(word.to_le_bytes());
        }
    }

    /// Appends the table of shortcuts (version 9): language and name of the main program.
    pub(super) fn write_main(&self, out: &mut Vec<u8>) {
        let (language, name) =
            self.main.map_or((0, 0), |(language, place)| (language, self.offset(place)));
        out.extend(language.to_le_bytes());
        out.extend(name.to_le_bytes());
    }

    /// Appends the vectors of units.
    pub(super) fn write_vectors(&self, out: &mut Vec<u8>) {
        for word in &self.vectors {
            out.extend(word.to_le_bytes());
        }
    }

    /// The texts in runs of `least` bytes or somewhat more: range of the names, range of bytes.
    pub fn runs(&self, least: u64) -> Vec<(Range<SymbolPlace>, Range<u64>)> {
        let mut runs = Vec::new();
        let (mut first, end) = (SymbolPlace::default(), self.order.end());
        for place in self.order.ids() {
            let bytes = self.starts[first]..self.starts[place + 1];
            if bytes.end - bytes.start >= least || place + 1 == end {
                runs.push((first..place + 1, bytes));
                first = place + 1;
            }
        }
        runs
    }

    /// Writes the texts of a run of names.
    pub fn write_texts(&self, run: Range<SymbolPlace>, mut out: &mut [u8]) {
        for &id in self.order[run].iter() {
            let len = self.whole[id].len as usize;
            let (text, rest) = out.split_at_mut(len + 1);
            self.write_name(id, &mut text[..len]);
            text[len] = 0;
            out = rest;
        }
    }
}

/// The elements of the CU vector of one name, from its uses in order.
fn elements(uses: &[u64], vector: &mut Vec<u32>) {
    vector.clear();
    let mut last_once = None;
    for &usage in uses {
        let element = usage as u32;
        if element & ONCE != 0 {
            // Equal uses in other units have the same upper bits.
            let what = element >> UNIT_BITS;
            if last_once == Some(what) {
                continue;
            }
            last_once = Some(what);
        }
        vector.push(element & !ONCE);
    }
    shuffled(vector).sort_unstable();
    vector.dedup();
}

impl Spelling {
    fn of(text: &[u8]) -> Spelling {
        Spelling { len: text.len() as u32, hash: hash(text) }
    }

    /// The spelling of this text followed by `other`.
    fn followed_by(self, other: Spelling) -> Spelling {
        let moved = self.hash.wrapping_mul(power(other.len));
        Spelling { len: self.len.saturating_add(other.len), hash: moved.wrapping_add(other.hash) }
    }
}

/// Base of the polynomial in gdb's hash.
const FACTOR: u32 = 67;

/// [`FACTOR`] to the power of `exponent`.
fn power(exponent: u32) -> u32 {
    FACTOR.wrapping_pow(exponent)
}

/// gdb's hash of a name, which ignores case. The hash is a polynomial of the characters, so eight
/// of them can be summed at a time.
fn hash(text: &[u8]) -> u32 {
    const POWERS: [u32; 9] = {
        let mut powers = [1u32; 9];
        let mut at = 1;
        while at < 9 {
            powers[at] = powers[at - 1].wrapping_mul(FACTOR);
            at += 1;
        }
        powers
    };
    let value = |byte: u8| u32::from(byte.to_ascii_lowercase()).wrapping_sub(113);
    let mut hash = 0u32;
    let mut chunks = text.chunks_exact(8);
    for chunk in &mut chunks {
        let mut sum = 0u32;
        for at in 0..8 {
            sum = sum.wrapping_add(value(chunk[at]).wrapping_mul(POWERS[7 - at]));
        }
        hash = hash.wrapping_mul(POWERS[8]).wrapping_add(sum);
    }
    for &byte in chunks.remainder() {
        hash = hash.wrapping_mul(FACTOR).wrapping_add(value(byte));
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_parts_is_that_of_the_whole() {
        let plain = |text: &[u8]| {
            text.iter().fold(0u32, |hash, &byte| {
                let lower = u32::from(byte.to_ascii_lowercase());
                hash.wrapping_mul(67).wrapping_add(lower).wrapping_sub(113)
            })
        };
        let text = b"std::vector<Widget, std::allocator<Widget> >::push_back";
        for split in 0..text.len() {
            let (a, b) = text.split_at(split);
            let joined = Spelling::of(a).followed_by(Spelling::of(b));
            assert_eq!((joined.hash, joined.len), (plain(text), text.len() as u32));
        }
    }

    #[test]
    fn of_what_counts_once_the_first_stays() {
        let mut vector = Vec::new();
        let kind = (Kind::Type as u32) << KIND_SHIFT;
        let uses = [kind | 3, kind | ONCE | 1, kind | ONCE | 2].map(u64::from);
        elements(&uses, &mut vector);
        assert_eq!(vector, [kind | 1, kind | 3]);
    }
}
