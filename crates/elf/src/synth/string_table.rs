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

use rayon::slice::ParallelSliceMut;

/// A table under construction, and the table itself.
#[derive(Debug, Clone)]
pub struct StringTable {
    bytes: Vec<u8>,
    /// Open addressing: offsets of names, 0 for a free slot (the empty name needs none). A power
    /// of two in length and never more than half full.
    slots: Vec<u32>,
    /// Names in `slots`.
    count: usize,
    /// Offsets of names that are not in `slots`.
    distinct: Vec<u32>,
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
            bytes: vec![0],
            slots: vec![0; 16],
            count: 0,
            distinct: Vec::new(),
            key: HashKey::random(),
            moved: Vec::new(),
            overflowed: false,
        }
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
        let slot = self.slot_of(name);
        if self.slots[slot] != 0 {
            return self.slots[slot];
        }
        if name.len() as u64 >= u64::from(u32::MAX) - self.bytes.len() as u64 {
            self.overflowed = true;
            return 0;
        }
        let offset = self.bytes.len() as u32;
        self.bytes.extend_from_slice(name);
        self.bytes.push(0);
        self.slots[slot] = offset;
        self.count += 1;
        if self.count * 2 > self.slots.len() {
            self.grow();
        }
        offset
    }

    /// The offsets of many `names`, all added: they are known to differ from each other, or are so
    /// seldom equal that looking for what is there costs more than it saves.
    pub fn add_distinct(&mut self, names: &[&[u8]]) -> Vec<u32> {
        self.bytes.reserve(names.iter().map(|name| name.len() + 1).sum());
        let mut offsets = Vec::with_capacity(names.len());
        for name in names {
            let offset = self.bytes.len() as u32;
            let fits = (name.len() as u64) < u64::from(u32::MAX) - self.bytes.len() as u64;
            self.overflowed |= !fits;
            if name.is_empty() || !fits {
                offsets.push(0);
                continue;
            }
            self.bytes.extend_from_slice(name);
            self.bytes.push(0);
            offsets.push(offset);
        }
        self.distinct.extend(offsets.iter().filter(|&&offset| offset != 0));
        offsets
    }

    /// Lets [`StringTable::add`] find names of [`StringTable::add_distinct`], whose offsets these are in rising
    /// order.
    pub fn look_up(&mut self, offsets: &[u32]) {
        self.distinct.retain(|offset| offsets.binary_search(offset).is_err());
        for &offset in offsets.iter().filter(|&&offset| offset != 0) {
            let slot = self.slot_of(name_at(&self.bytes, offset as usize));
            self.slots[slot] = offset;
            self.count += 1;
            if self.count * 2 > self.slots.len() {
                self.grow();
            }
        }
    }

    /// The slot that holds `name`, or the free one where it belongs.
    fn slot_of(&self, name: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.key.hash(name) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return slot,
                offset if has_name_at(&self.bytes, offset as usize, name) => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![0; mask + 1];
        for &offset in self.slots.iter().filter(|&&offset| offset != 0) {
            let name = name_at(&self.bytes, offset as usize);
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
        offsets.append(&mut self.distinct);
        // By the reversed name: the names that end alike follow each other, longer ones later.
        // Offsets are distinct, so that an unstable sort has one result.
        let bytes = &self.bytes;
        shuffled(&mut offsets).par_sort_unstable_by(|&a, &b| {
            let [left, right] = [a, b].map(|offset| name_at(bytes, offset as usize));
            left.iter().rev().cmp(right.iter().rev()).then(b.cmp(&a))
        });
        // From the end: `owner` is the longest name that the ones before may be tails of.
        let mut owners: Vec<(u32, u32)> = Vec::with_capacity(offsets.len());
        let mut owner = None;
        for &offset in offsets.iter().rev() {
            let name = name_at(bytes, offset as usize);
            let longer = owner.map(|owner| name_at(bytes, owner as usize));
            if !longer.is_some_and(|longer| longer.ends_with(name)) {
                owner = Some(offset);
            }
            owners.push((offset, owner.unwrap_or(offset)));
        }
        shuffled(&mut owners).sort_unstable();
        let mut merged = vec![0];
        let mut kept = Vec::new();
        for &(offset, owner) in owners.iter().filter(|(offset, owner)| offset == owner) {
            kept.push((owner, merged.len() as u32));
            merged.extend_from_slice(name_at(bytes, offset as usize));
            merged.push(0);
        }
        let shared = |(offset, owner): (u32, u32)| {
            let len = |at| name_at(bytes, at as usize).len() as u32;
            (offset, lookup(&kept, owner) + len(owner) - len(offset))
        };
        self.moved = owners.into_iter().map(shared).collect();
        self.bytes = merged;
        self.slots = Vec::new();
    }

    /// The final offset of the name that [`StringTable::add`] gave `offset`.
    pub fn resolve(&self, offset: u32) -> u32 {
        if offset == 0 || self.moved.is_empty() { offset } else { lookup(&self.moved, offset) }
    }

    /// Bytes of the section.
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Fills `out`, which is [`StringTable::size`] bytes long.
    pub fn write(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.bytes);
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
            names in prop::collection::vec("[ab]{0,6}", 0..200), merge: bool, distinct in 0usize..20,
        ) {
            let mut table = StringTable::new();
            let texts: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
            let (first, rest) = texts.split_at(distinct.min(texts.len()));
            let mut offsets = table.add_distinct(first);
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
