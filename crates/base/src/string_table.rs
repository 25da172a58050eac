//! String tables: `.dynstr`, `.shstrtab`.
//!
//! [`StringTable::add`] gives a name its offset at once; equal names share one. Offsets depend on
//! the order of the calls alone. [`StringTable::merge_tails`] lets a name share the end of a longer
//! one (`-O2` of GNU ld): offsets given before then are handles that [`StringTable::resolve`] turns
//! into final ones. Without merging, `resolve` is the identity, so that writers always call it.
//!
//! Generic ABI, "String Table": NUL-terminated names, the first byte of the table is NUL.

use skald_core::hash::HashKey;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedMap;

use skald_core::par::prelude::*;

/// A table under construction, and the table itself.
#[derive(Debug, Clone)]
pub struct StringTable {
    /// The names that the table was made of, which come first. Their bytes are not copied before
    /// they are written.
    first: Vec<&'static [u8]>,
    /// Offset of `bytes`, behind the empty name and `first`.
    base: u32,
    /// Names that were added, each with its NUL.
    bytes: Vec<u8>,
    /// Open addressing: offsets of names in `bytes`, 0 for a free slot (the empty name needs
    /// none). A power of two in length and never more than half full.
    slots: Vec<u32>,
    /// Names in `slots`.
    count: usize,
    /// Those of `first` that others may share.
    shared: UnorderedMap<&'static [u8], u32>,
    /// Keyed at random, so that no input can make names collide; it decides no offset.
    key: HashKey,
    /// After [`StringTable::merge_tails`]: offsets before and after, sorted by the first.
    moved: Vec<(u32, u32)>,
    /// A name did not fit.
    overflowed: bool,
}

impl Default for StringTable {
    fn default() -> Self {
        StringTable::new()
    }
}

impl StringTable {
    /// A table of the empty name only.
    pub fn new() -> StringTable {
        StringTable {
            first: Vec::new(),
            base: 1,
            bytes: Vec::new(),
            slots: vec![0; 16],
            count: 0,
            shared: UnorderedMap::new(),
            key: HashKey::random(),
            moved: Vec::new(),
            overflowed: false,
        }
    }

    /// A table of many names, and their offsets. They are known to differ from each other, or are
    /// so seldom equal that looking for what is there costs more than it saves; nor does
    /// [`StringTable::add`] find them.
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

    /// Lets [`StringTable::add`] find names that the table was made of, at most `count`, which are
    /// at these offsets.
    pub fn share(&mut self, count: usize, names: impl Iterator<Item = (&'static [u8], u32)>) {
        self.shared.reserve(count);
        self.shared.extend(names);
    }

    /// The offset of `name`, which is added unless it is there. `name` holds no NUL. Not to be
    /// called after [`StringTable::merge_tails`].
    ///
    /// Offsets are 32 bits wide; a name that would end past 4 GiB gets offset 0, and
    /// [`StringTable::overflowed`] says so from then on.
    pub fn add(&mut self, name: &[u8]) -> u32 {
        assert!(!self.slots.is_empty(), "names are added before tails are merged");
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

    /// Lets every name that another one ends with share that one's bytes. The names that stay keep
    /// their order. Called at most once.
    pub fn merge_tails(&mut self) {
        assert!(!self.slots.is_empty(), "tails are merged once");
        let mut offsets: Vec<u32> = self.slots.iter().copied().filter(|&o| o != 0).collect();
        let mut end = 1;
        offsets.extend(self.first.iter().map(|name| {
            let offset = end;
            end += name.len() as u32 + 1;
            offset
        }));
        let mut bytes = vec![0; self.size() as usize];
        self.write(&mut bytes);
        // By the reversed name: the names that end alike follow each other, longer ones later.
        // Offsets are distinct, so that an unstable sort has one result.
        shuffled(&mut offsets).par_sort_unstable_by(|&a, &b| {
            let [left, right] = [a, b].map(|offset| name_at(&bytes, offset as usize));
            left.iter().rev().cmp(right.iter().rev()).then(b.cmp(&a))
        });
        // From the end: `owner` is the longest name that the ones before may be tails of.
        let mut owners: Vec<(u32, u32)> = Vec::with_capacity(offsets.len());
        let mut owner = None;
        for &offset in offsets.iter().rev() {
            let name = name_at(&bytes, offset as usize);
            let longer = owner.map(|owner| name_at(&bytes, owner as usize));
            if !longer.is_some_and(|longer| longer.ends_with(name)) {
                owner = Some(offset);
            }
            owners.push((offset, owner.unwrap_or(offset)));
        }
        shuffled(&mut owners).sort_unstable();
        let mut merged = Vec::new();
        let mut kept = Vec::new();
        for &(offset, owner) in owners.iter().filter(|(offset, owner)| offset == owner) {
            kept.push((owner, merged.len() as u32 + 1));
            merged.extend_from_slice(name_at(&bytes, offset as usize));
            merged.push(0);
        }
        let shared = |(offset, owner): (u32, u32)| {
            let len = |at| name_at(&bytes, at as usize).len() as u32;
            (offset, lookup(&kept, owner) + len(owner) - len(offset))
        };
        self.moved = owners.into_iter().map(shared).collect();
        self.first = Vec::new();
        self.base = 1;
        self.bytes = merged;
        self.slots = Vec::new();
    }

    /// The final offset of the name that [`StringTable::add`] gave `offset`.
    pub fn resolve(&self, offset: u32) -> u32 {
        if offset == 0 || self.moved.is_empty() { offset } else { lookup(&self.moved, offset) }
    }

    /// Bytes of the section.
    pub fn size(&self) -> u64 {
        u64::from(self.base) + self.bytes.len() as u64
    }

    /// Fills `out`, which is [`StringTable::size`] bytes long.
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

/// The second of the pair of `sorted` that begins with `offset`, which is there.
fn lookup(sorted: &[(u32, u32)], offset: u32) -> u32 {
    let found = sorted.binary_search_by_key(&offset, |&(before, _)| before);
    sorted[found.expect("an offset that the table gave")].1
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
        assert_eq!(table.resolve(6), 6);
    }

    #[test]
    fn tails_are_shared() {
        let mut table = StringTable::new();
        let names = [&b"printf"[..], b"f", b"snprintf", b"puts", b"intf", b"ts", b"xf"];
        let offsets = names.map(|name| table.add(name));
        table.merge_tails();
        assert_eq!(written(&table), b"\0snprintf\0puts\0xf\0");
        assert_eq!(offsets.map(|offset| table.resolve(offset)), [3, 8, 1, 10, 5, 12, 15]);
    }

    proptest! {
        #[test]
        fn every_name_is_where_the_table_says(
            names in prop::collection::vec("[ab]{0,6}", 0..200), merge: bool, shares: bool,
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
            let size = table.size();
            if merge {
                table.merge_tails();
            }
            let bytes = written(&table);
            for (name, offset) in names.iter().zip(offsets) {
                let offset = table.resolve(offset) as usize;
                prop_assert!(has_name_at(&bytes, offset, name.as_bytes()));
            }
            prop_assert!(table.size() <= size);
        }
    }
}
