//! String tables: `.dynstr`, `.shstrtab`.
//!
//! [`StringTable::add`] gives a name its offset at once; equal names share one. Offsets depend on
//! the order of the calls alone.
//!
//! Generic ABI, "String Table": NUL-terminated names, the first byte of the table is NUL.

use skald_core::hash::HashKey;
use skald_core::unordered::UnorderedMap;

/// A string table, while names are added and when it is written.
#[derive(Debug, Clone)]
pub struct StringTable {
    /// The names that [`StringTable::of_distinct`] got, which come first. Their bytes are not
    /// copied before they are written.
    first: Vec<&'static [u8]>,
    /// Offset of `bytes`, behind the empty name and `first`.
    base: u32,
    /// Names that were added, each with its NUL.
    bytes: Vec<u8>,
    /// Open addressing: offsets of names in `bytes`, 0 for a free slot (the empty name needs
    /// none). A power of two in length and never more than half full.
    slots: Vec<u32>,
    /// How many names are in `slots`.
    count: usize,
    /// By text, the offsets of names in `first` that [`StringTable::add`] finds.
    shared: UnorderedMap<&'static [u8], u32>,
    /// A random hash key, so that no input can make names collide; offsets do not depend on it.
    key: HashKey,
    /// A name would have ended past 4 GiB.
    overflowed: bool,
}

impl Default for StringTable {
    fn default() -> Self {
        StringTable::new()
    }
}

impl StringTable {
    /// A table with only the empty name.
    pub fn new() -> StringTable {
        StringTable {
            first: Vec::new(),
            base: 1,
            bytes: Vec::new(),
            slots: vec![0; 16],
            count: 0,
            shared: UnorderedMap::new(),
            key: HashKey::random(),
            overflowed: false,
        }
    }

    /// A table of many names, and their offsets. The names differ from each other, or are so rarely
    /// equal that searching for equal ones costs more than it saves. [`StringTable::add`] does not
    /// find these names either.
    pub fn of_distinct(mut names: Vec<&'static [u8]>) -> (StringTable, Vec<u32>) {
        let mut table = StringTable::new();
        let mut offsets = Vec::with_capacity(names.len());
        let mut end = 1u64;
        for name in &names {
            let next = end + name.len() as u64 + 1;
            offsets.push(if name.is_empty() || next > u64::from(u32::MAX) {
                0
            } else {
                end as u32
            });
            end = if name.is_empty() { end } else { next };
        }
        table.overflowed = end > u64::from(u32::MAX);
        if table.overflowed {
            return (table, offsets);
        }
        names.retain(|name| !name.is_empty());
        table.first = names;
        table.base = end as u32;
        (table, offsets)
    }

    /// Lets [`StringTable::add`] find some names of [`StringTable::of_distinct`], at most `count`,
    /// with their offsets.
    pub fn share(&mut self, count: usize, names: impl Iterator<Item = (&'static [u8], u32)>) {
        self.shared.reserve(count);
        self.shared.extend(names);
    }

    /// The offset of `name`, which is added unless the table has it. `name` holds no NUL.
    ///
    /// Offsets are 32 bits wide; a name that would end past 4 GiB gets offset 0, and
    /// [`StringTable::overflowed`] says so from then on.
    pub fn add(&mut self, name: &[u8]) -> u32 {
        debug_assert!(memchr::memchr(0, name).is_none());
        if name.is_empty() {
            return 0;
        }
        if let Some(&offset) = self.shared.get(name) {
            return offset;
        }
        let slot = self.slot_of(name);
        if self.slots[slot] != 0 {
            return self.slots[slot];
        }
        if name.len() as u64 >= u64::from(u32::MAX) - self.size() {
            self.overflowed = true;
            return 0;
        }
        let offset = self.size() as u32;
        self.bytes.extend_from_slice(name);
        self.bytes.push(0);
        self.slots[slot] = offset;
        self.count += 1;
        if self.count * 2 > self.slots.len() {
            self.grow();
        }
        offset
    }

    /// The slot that holds `name`, or the free one where it belongs.
    fn slot_of(&self, name: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.key.hash(name) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return slot,
                offset if has_name_at(&self.bytes, (offset - self.base) as usize, name) => {
                    return slot;
                }
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![0; mask + 1];
        for &offset in self.slots.iter().filter(|&&offset| offset != 0) {
            let name = name_at(&self.bytes, (offset - self.base) as usize);
            let mut slot = self.key.hash(name) as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = offset;
        }
        self.slots = slots;
    }

    /// Whether the table would exceed 4 GiB; it then must not be written.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Size of the table in bytes.
    pub fn size(&self) -> u64 {
        u64::from(self.base) + self.bytes.len() as u64
    }

    /// Writes the table to `out`, which has [`StringTable::size`] bytes.
    pub fn write(&self, out: &mut [u8]) {
        let (first, rest) = out.split_at_mut(self.base as usize);
        first[0] = 0;
        let mut left = &mut first[1..];
        for name in &self.first {
            let (place, behind) = std::mem::take(&mut left).split_at_mut(name.len() + 1);
            place[..name.len()].copy_from_slice(name);
            place[name.len()] = 0;
            left = behind;
        }
        rest.copy_from_slice(&self.bytes);
    }
}

fn name_at(bytes: &[u8], offset: usize) -> &[u8] {
    let rest = &bytes[offset..];
    &rest[..memchr::memchr(0, rest).expect("names end with NUL")]
}

fn has_name_at(bytes: &[u8], offset: usize, name: &[u8]) -> bool {
    bytes[offset..].strip_prefix(name).is_some_and(|rest| rest.first() == Some(&0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(table: &StringTable) -> Vec<u8> {
        let mut out = vec![0xaa; table.size() as usize];
        table.write(&mut out);
        out
    }

    #[test]
    fn write_fills_exactly_size() {
        let mut table = StringTable::new();
        assert_eq!(written(&table), b"\0");
        assert_eq!([b"a".as_slice(), b"", b"bc", b"a"].map(|n| table.add(n)), [1, 0, 3, 1]);
        assert_eq!(table.add(b"b"), 6, "a prefix is another name");
        assert_eq!(written(&table), b"\0a\0bc\0b\0");
    }

    proptest! {
        #[test]
        fn every_name_is_where_the_table_says(
            names in prop::collection::vec("[ab]{0,6}", 0..200), shares: bool,
            distinct in 0usize..20,
        ) {
            let texts: Vec<&'static [u8]> =
                names.iter().map(|name| &*name.clone().into_bytes().leak()).collect();
            let (first, rest) = texts.split_at(distinct.min(texts.len()));
            let (mut table, mut offsets) = StringTable::of_distinct(first.to_vec());
            if shares {
                table.share(first.len(), first.iter().copied().zip(offsets.iter().copied()));
            }
            offsets.extend(rest.iter().map(|name| table.add(name)));
            let bytes = written(&table);
            for (name, offset) in names.iter().zip(offsets) {
                prop_assert!(has_name_at(&bytes, offset as usize, name.as_bytes()));
            }
        }
    }
}
