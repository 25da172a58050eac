//! The names of an archive's index, with the members numbered in the order of their headers.

use crate::format::archive_index::Index;
use skald_core::diag::{Error, Result};

/// What the index of an archive offers.
#[derive(Debug)]
pub struct IndexedNames {
    /// The text that holds the names.
    pub pool: &'static [u8],
    /// Offset in `pool`, length, and place in `members`.
    pub entries: Vec<(u32, u32, u32)>,
    /// Offsets of the headers of members that define something, ascending.
    pub members: Vec<u64>,
}

impl IndexedNames {
    /// Walks an index; the members themselves are not touched.
    pub fn read(index: &Index<'static>) -> Result<IndexedNames> {
        let mut entries = Vec::with_capacity(index.len());
        // Most indexes list the members in order, so that a name's member is nearly always the
        // last or a new one.
        let mut members: Vec<u64> = Vec::new();
        let mut is_sorted = true;
        for symbol in index {
            let symbol = symbol.map_err(|e| Error(e.to_string()))?;
            if members.last() != Some(&symbol.member_offset) {
                is_sorted &= members.last().is_none_or(|&last| last < symbol.member_offset);
                members.push(symbol.member_offset);
            }
            let member = members.len() as u32 - 1;
            entries.push((symbol.name_offset as u32, symbol.name_len as u32, member));
        }
        if !is_sorted {
            members = renumber(&mut entries, &members);
        }
        Ok(IndexedNames { pool: index.names(), entries, members })
    }
}

/// Sorts `listed`, in which offsets repeat, and points `entries` to the new places.
fn renumber(entries: &mut [(u32, u32, u32)], listed: &[u64]) -> Vec<u64> {
    let mut members = listed.to_vec();
    members.sort_unstable();
    members.dedup();
    let place = |offset| members.binary_search(&offset).expect("all are listed") as u32;
    let places: Vec<u32> = listed.iter().map(|&offset| place(offset)).collect();
    for (_, _, member) in entries {
        *member = places[*member as usize];
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_numbered_by_their_headers() {
        let mut entries = vec![(0, 1, 0), (2, 1, 1), (4, 1, 1), (6, 1, 2)];
        assert_eq!(renumber(&mut entries, &[500, 68, 500]), [68, 500]);
        assert_eq!(entries, [(0, 1, 1), (2, 1, 0), (4, 1, 0), (6, 1, 1)]);
    }
}
