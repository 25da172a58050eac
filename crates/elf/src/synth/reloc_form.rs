//! Forms of `.rela.dyn` other than an array of Rela: Rel (`-z rel`), and Android's packed form
//! (`--pack-dyn-relocs=android`).
//!
//! The packed form is a sequence of signed LEB128 numbers behind the letters `APS2`: the number of
//! relocations, the first offset that deltas count from, and groups. A group states how many
//! relocations it has and what they share: `r_info`, the distance between neighbours, or the
//! addend. What they do not share follows for each. Offsets and addends are deltas from the
//! relocation before. Source: bionic's `linker_reloc_iterators.h`, and lld's documentation of
//! `--pack-dyn-relocs`.

use crate::args::Options;
use crate::format::elf::{Rel, Rela};
use crate::format::encoding::Encoding;
use crate::machine::RelocKind;
use crate::machine::loader::LoaderTypes;
use crate::resolve::dynamic::OutputShape;
use object::elf::{SHT_REL, SHT_RELA};
use skald_core::perturb::shuffled;

/// The form of dynamic relocations (`-z rel`, `--pack-dyn-relocs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RelocForm {
    /// DT_RELA: entries have an addend.
    #[default]
    Rela,
    /// DT_REL: the addend is in the field that is relocated.
    Rel,
    /// DT_ANDROID_RELA: groups of SLEB128 numbers.
    Android,
    /// DT_ANDROID_REL: the same without addends, which are in the fields.
    AndroidRel,
}

const SHT_ANDROID_REL: u32 = 0x6000_0001;
const SHT_ANDROID_RELA: u32 = 0x6000_0002;

impl RelocForm {
    /// The form that options ask for. Static programs relocate themselves, and know only the
    /// machine's form.
    pub fn new(options: &Options, shape: OutputShape) -> RelocForm {
        let own = options.machine.loader_reloc_kind();
        match (shape.is_dynamic, options.pack_android_relocs, options.z.rel) {
            (true, true, _) if own == RelocKind::Rel => RelocForm::AndroidRel,
            (true, true, _) => RelocForm::Android,
            (true, false, Some(true)) => RelocForm::Rel,
            (true, false, Some(false)) => RelocForm::Rela,
            _ => RelocForm::of(own),
        }
    }

    /// The form that is an array of entries of this kind.
    fn of(kind: RelocKind) -> RelocForm {
        match kind {
            RelocKind::Rela | RelocKind::RelaInFields => RelocForm::Rela,
            RelocKind::Rel => RelocForm::Rel,
        }
    }

    /// Has `fill` write the entries of an array, which `out` is.
    pub fn fill<T>(
        self,
        encoding: Encoding,
        out: &mut [u8],
        fill: impl FnOnce(&mut [Rela]) -> T,
    ) -> T {
        if self.has_addends() {
            return encoding.fill(out, fill);
        }
        let mut beside = vec![Rela::default(); out.len() / encoding.size::<Rel>()];
        let result = fill(&mut beside);
        encoding.fill(out, |table: &mut [Rel]| {
            table
                .iter_mut()
                .zip(&beside)
                .for_each(|(place, entry)| *place = entry.without_addend());
        });
        result
    }

    /// Name, `sh_type` and `sh_entsize` of the table.
    pub fn header(self, encoding: Encoding) -> (&'static [u8], u32, u64) {
        match self {
            RelocForm::Rela => (b".rela.dyn", SHT_RELA, encoding.size::<Rela>() as u64),
            RelocForm::Rel => (b".rel.dyn", SHT_REL, encoding.size::<Rel>() as u64),
            RelocForm::Android => (b".rela.dyn", SHT_ANDROID_RELA, 1),
            RelocForm::AndroidRel => (b".rel.dyn", SHT_ANDROID_REL, 1),
        }
    }

    /// Whether the table is an array of entries.
    pub fn is_array(self) -> bool {
        matches!(self, RelocForm::Rela | RelocForm::Rel)
    }

    /// Whether the table has the addends.
    pub fn has_addends(self) -> bool {
        matches!(self, RelocForm::Rela | RelocForm::Android)
    }

    /// Name and `sh_type` of the table of the PLT's relocations, which is never packed.
    pub fn plt_header(self) -> (&'static [u8], u32) {
        if self.has_addends() { (b".rela.plt", SHT_RELA) } else { (b".rel.plt", SHT_REL) }
    }

    /// Bytes of a relocation for the PLT, which is never packed.
    pub fn plt_entry_size(self, encoding: Encoding) -> u64 {
        let has_addends = self.has_addends();
        (if has_addends { encoding.size::<Rela>() } else { encoding.size::<Rel>() }) as u64
    }

    /// Bytes of the table with `count` relocations; for the packed form an initial size for the
    /// layout.
    pub fn size(self, encoding: Encoding, count: u32) -> u64 {
        match self {
            RelocForm::Android | RelocForm::AndroidRel => {
                if count == 0 {
                    0
                } else {
                    8
                }
            }
            form => form.header(encoding).2 * u64::from(count),
        }
    }

    /// Fills a table, or a part of one, that is an array.
    pub fn write_entries(
        self,
        encoding: Encoding,
        entries: impl Iterator<Item = Rela>,
        out: &mut [u8],
    ) {
        self.fill(encoding, out, |table| {
            table.iter_mut().zip(entries).for_each(|(place, entry)| *place = entry);
        });
    }

    /// Encodes relocations.
    pub fn encode(self, encoding: Encoding, loader: &LoaderTypes, entries: &[Rela]) -> Vec<u8> {
        match self {
            RelocForm::Rela => encoding.bytes(entries).into_owned(),
            RelocForm::Rel => {
                let entries: Vec<Rel> = entries.iter().map(Rela::without_addend).collect();
                encoding.bytes(&entries).into_owned()
            }
            RelocForm::Android => {
                android(loader.relative, entries.iter().map(|e| Entry::new(encoding, e)).collect())
            }
            RelocForm::AndroidRel => {
                let bare = |e: &Rela| Entry { addend: 0, ..Entry::new(encoding, e) };
                android(loader.relative, entries.iter().map(bare).collect())
            }
        }
    }
}

/// The fields of a relocation as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    offset: u64,
    info: u64,
    addend: u64,
}

impl Entry {
    fn new(encoding: Encoding, rela: &Rela) -> Entry {
        let info = rela.r_info().number(encoding);
        Entry { offset: rela.r_offset(), info, addend: rela.r_addend() as u64 }
    }
}

const BY_INFO: i64 = 1;
const BY_OFFSET_DELTA: i64 = 2;
const BY_ADDEND: i64 = 4;
const HAS_ADDEND: i64 = 8;

/// A group for relocations at equal distances pays from this many on.
const MIN_RUN: usize = 4;

/// Packs `entries` in the order given, except relative relocations, which are sorted by address.
fn android(relative_type: u32, mut entries: Vec<Entry>) -> Vec<u8> {
    let relative = entries.iter().take_while(|e| e.info == u64::from(relative_type)).count();
    shuffled(&mut entries[..relative]).sort_unstable_by_key(|e| e.offset);
    let mut packer = Packer { out: b"APS2".to_vec(), offset: 0, addend: 0 };
    packer.put(entries.len() as i64);
    packer.put(0);
    let mut rest = &entries[..];
    while !rest.is_empty() {
        let alike = run(rest, |a, b| a.info == b.info);
        let (group, tail) = rest.split_at(alike);
        packer.alike(group);
        rest = tail;
    }
    packer.out
}

/// How many of `entries`, from the first on, are each `related` to the one before; at least one.
fn run(entries: &[Entry], related: impl Fn(&Entry, &Entry) -> bool) -> usize {
    1 + entries.windows(2).take_while(|pair| related(&pair[0], &pair[1])).count()
}

struct Packer {
    out: Vec<u8>,
    offset: u64,
    addend: u64,
}

impl Packer {
    /// Packs relocations with the same `r_info`: runs at equal distances as groups of their own,
    /// the rest together.
    fn alike(&mut self, entries: &[Entry]) {
        let mut first = 0;
        let mut at = 0;
        while at < entries.len() {
            let distance = |from: usize| match from {
                0 => entries[0].offset.wrapping_sub(self.offset),
                from => entries[from].offset.wrapping_sub(entries[from - 1].offset),
            };
            let step = distance(at);
            let same = (at..entries.len()).take_while(|&next| distance(next) == step).count();
            if same >= MIN_RUN {
                self.group(&entries[first..at], None);
                self.group(&entries[at..at + same], Some(step));
                first = at + same;
                at = first;
            } else {
                at += same;
            }
        }
        self.group(&entries[first..], None);
    }

    fn group(&mut self, entries: &[Entry], step: Option<u64>) {
        let Some(first) = entries.first() else { return };
        let has_addend = entries.iter().any(|e| e.addend != 0);
        let same_addend = has_addend && entries.iter().all(|e| e.addend == first.addend);
        let flag = |on: bool, bit: i64| if on { bit } else { 0 };
        self.put(entries.len() as i64);
        self.put(
            BY_INFO
                | flag(step.is_some(), BY_OFFSET_DELTA)
                | flag(has_addend, HAS_ADDEND)
                | flag(same_addend, BY_ADDEND),
        );
        if let Some(step) = step {
            self.put(step as i64);
        }
        self.put(first.info as i64);
        if !has_addend {
            self.addend = 0;
        }
        if same_addend {
            self.put_addend(first.addend);
        }
        for entry in entries {
            if step.is_none() {
                self.put(entry.offset.wrapping_sub(self.offset) as i64);
            }
            self.offset = entry.offset;
            if has_addend && !same_addend {
                self.put_addend(entry.addend);
            }
        }
    }

    fn put_addend(&mut self, addend: u64) {
        self.put(addend.wrapping_sub(self.addend) as i64);
        self.addend = addend;
    }

    /// Appends a number as signed LEB128.
    fn put(&mut self, mut value: i64) {
        loop {
            let low = value as u8 & 0x7f;
            value >>= 7;
            let is_last = (value == 0 && low & 0x40 == 0) || (value == -1 && low & 0x40 != 0);
            self.out.push(if is_last { low } else { low | 0x80 });
            if is_last {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::encoding::ALL;
    use crate::machine::Machine;
    use proptest::prelude::*;
    use zerocopy::IntoBytes;

    fn rela(entry: Entry) -> Rela {
        Rela::new(entry.offset, entry.info as u32, 0, entry.addend as i64)
    }

    #[test]
    fn tables_in_every_encoding() {
        let loader = <&Machine>::default().loader;
        let entries = [Rela::new(0x10, 8, 0, 5), Rela::new(0x20, 1, 3, -1)];
        for encoding in ALL {
            for form in [RelocForm::Rela, RelocForm::Rel] {
                let table = form.encode(encoding, loader, &entries);
                assert_eq!(table.len() as u64, form.size(encoding, 2));
                let mut plt = vec![0; table.len()];
                form.write_entries(encoding, entries.iter().copied(), &mut plt);
                assert_eq!(plt, table);
            }
            let table = RelocForm::Rela.encode(encoding, loader, &entries);
            let read = encoding.records::<Rela>(&table).expect("two of them");
            assert_eq!(read.as_bytes(), entries.as_bytes());
            let packed = RelocForm::Android.encode(encoding, loader, &entries);
            let sym = if encoding.word_size() == 8 { 3 << 32 } else { 3 << 8 };
            assert_eq!(decode(&packed)[1].info, sym | 1);
            let bare = decode(&RelocForm::AndroidRel.encode(encoding, loader, &entries));
            assert_eq!(bare.iter().map(|entry| entry.addend).collect::<Vec<_>>(), [0, 0]);
        }
    }

    /// A decoder like that of Bionic's loader.
    fn decode(packed: &[u8]) -> Vec<Entry> {
        let mut rest = packed.strip_prefix(b"APS2").unwrap().iter();
        let mut number = || {
            let (mut value, mut shift) = (0i64, 0);
            loop {
                let byte = *rest.next().unwrap();
                value |= i64::from(byte & 0x7f).wrapping_shl(shift);
                shift += 7;
                if byte & 0x80 == 0 {
                    let unused = 64u32.saturating_sub(shift);
                    return value << unused >> unused;
                }
            }
        };
        let count = number();
        let (mut offset, mut addend) = (number() as u64, 0u64);
        let mut entries = Vec::new();
        while (entries.len() as i64) < count {
            let (size, flags) = (number(), number());
            let step = if flags & BY_OFFSET_DELTA != 0 { number() } else { 0 };
            let info = number() as u64;
            if flags & HAS_ADDEND == 0 {
                addend = 0;
            } else if flags & BY_ADDEND != 0 {
                addend = addend.wrapping_add(number() as u64);
            }
            for _ in 0..size {
                let by = if flags & BY_OFFSET_DELTA != 0 { step } else { number() };
                offset = offset.wrapping_add(by as u64);
                if flags & (HAS_ADDEND | BY_ADDEND) == HAS_ADDEND {
                    addend = addend.wrapping_add(number() as u64);
                }
                entries.push(Entry { offset, info, addend });
            }
        }
        entries
    }

    proptest! {
        #[test]
        fn decodes_to_what_was_encoded(
            places in prop::collection::vec((0u64..40, 6u64..9, 0u64..3), 0..200),
        ) {
            let loader = <&Machine>::default().loader;
            let mut offset = 0x1000;
            let mut entries: Vec<Entry> = places
                .iter()
                .map(|&(gap, info, addend)| {
                    offset += if gap < 30 { 8 } else { gap };
                    Entry { offset, info, addend: addend * 0x1234_5678_9abc }
                })
                .collect();
            entries.sort_by_key(|e| e.info != u64::from(loader.relative));
            let relocs: Vec<Rela> = entries.iter().copied().map(rela).collect();
            let packed = RelocForm::Android.encode(Encoding::NATIVE, loader, &relocs);
            prop_assert_eq!(decode(&packed), entries);
        }
    }
}
