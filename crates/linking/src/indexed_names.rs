//! The names of an archive's index, with the members numbered in the order of their headers.

use crate::archive_index::Index;
use skald_core::diag::{Error, Result};
use skald_core::hash::{Hash128, HashKey};
use skald_core::perturb::shuffled;

/// A name of an archive's index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexedName {
    /// Hash of the name, without its default version.
    pub hash: Hash128,
    /// Offset of the name in the pool, in bytes.
    pub offset: u32,
    /// Length of the name in bytes, without the default version.
    pub len: u32,
    /// Index in [`IndexedNames::members`] of the member that defines it.
    pub member: u32,
}

/// The names of an archive's index, and the members that define them.
#[derive(Debug)]
pub struct IndexedNames {
    /// The bytes that hold the names.
    pub pool: &'static [u8],
    /// The names, in index order.
    pub entries: Vec<IndexedName>,
    /// File offsets of the headers of these members, ascending.
    pub members: Vec<u64>,
}

impl IndexedNames {
    /// Walks an index without touching the members. Names are hashed while they are in the cache.
    /// It is separate from the code that opens files, because the loop is compiled better so.
    #[inline(never)]
    pub fn read(index: &Index<'static>, key: &HashKey) -> Result<IndexedNames> {
        let mut entries = Vec::with_capacity(index.len());
        // Most indexes list the members in order, so that a name's member is nearly always the last
        // one seen or a new one.
        let mut members: Vec<u64> = Vec::new();
        let mut is_sorted = true;
        let mut symbols = index.iter();
        while let Some(symbol) = symbols.next_with(|rest| measure(rest, key)) {
            let (symbol, (len, hash)) = symbol.map_err(|e| Error(e.to_string()))?;
            if members.last() != Some(&symbol.member_offset) {
                is_sorted &= members.last().is_none_or(|&last| last < symbol.member_offset);
                members.push(symbol.member_offset);
            }
            let (offset, len) = (symbol.name_offset as u32, len as u32);
            entries.push(IndexedName { hash, offset, len, member: members.len() as u32 - 1 });
        }
        if !is_sorted {
            members = renumber(&mut entries, &members);
        }
        Ok(IndexedNames { pool: index.names(), entries, members })
    }
}

/// Measures the name at the start of `rest`: its length, and length and hash of the part looked up.
fn measure(rest: &[u8], key: &HashKey) -> Option<(usize, (usize, Hash128))> {
    let (len, hash) = key.hash_until::<0, b'@'>(rest);
    if *rest.get(len)? == 0 {
        return Some((len, (len, hash)));
    }
    let whole = len + memchr::memchr(0, &rest[len..])?;
    // `name@@VERSION` is looked up by the plain name.
    let is_default = rest[len + 1] == b'@';
    let read = if is_default { (len, hash) } else { (whole, key.hash(&rest[..whole])) };
    Some((whole, read))
}

/// Sorts `listed`, without repeats, and points `entries` to the new indices.
fn renumber(entries: &mut [IndexedName], listed: &[u64]) -> Vec<u64> {
    let mut members = listed.to_vec();
    shuffled(&mut members).sort_unstable();
    members.dedup();
    let place = |offset| members.binary_search(&offset).expect("all are listed") as u32;
    let places: Vec<u32> = listed.iter().map(|&offset| place(offset)).collect();
    for entry in entries {
        entry.member = places[entry.member as usize];
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_numbered_by_their_headers() {
        let named = |member| IndexedName { hash: 0, offset: 0, len: 1, member };
        let mut entries = [0, 1, 1, 2].map(named);
        assert_eq!(renumber(&mut entries, &[500, 68, 500]), [68, 500]);
        assert_eq!(entries, [1, 0, 0, 1].map(named));
    }
}
