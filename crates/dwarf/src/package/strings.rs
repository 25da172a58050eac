//! Merged strings of all `.dwo` files: equal strings share one place.
//!
//! A string begins at an offset that a table has, and ends with its NUL. Bytes that no table refers
//! to are left out. The first of equal strings, in the order of files and offsets, is the owner,
//! and keeps its order among the other owners of its file.

use super::DwoId;
use super::string_tables::StringTables;
use skald_core::column::split_mut;
use skald_core::hash::HashKey;
use skald_core::ids::Column;
use skald_core::par::prelude::*;
use skald_linking::cursor::Malformed;
use skald_linking::piece_owners::{PieceHashes, PieceId};

/// The strings of one file, hashed, in the order of its offsets.
#[derive(Default)]
pub struct HashedStrings {
    hashes: PieceHashes,
    /// Length of each string with its NUL.
    lens: Vec<u32>,
}

/// Hashes the strings at the offsets in `tables`; `strings` is the whole section.
///
/// # Errors
/// If an offset is outside of the section, or a string has no NUL.
pub fn hash(
    key: &HashKey,
    tables: &StringTables<'_>,
    strings: &[u8],
) -> Result<HashedStrings, Malformed> {
    let mut hashed =
        HashedStrings { lens: Vec::with_capacity(tables.count()), ..Default::default() };
    if strings.last().is_some_and(|&last| last != 0) {
        return Err(Malformed::new("strings do not end with a NUL", strings.len()));
    }
    for offset in tables.offsets() {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = strings.get(start..).filter(|rest| !rest.is_empty());
        let rest = rest.ok_or(Malformed::new("string outside of the strings", start))?;
        let (len, hash) = key.hash_until::<0, 0>(rest);
        hashed.hashes.push(hash);
        hashed.lens.push(len as u32 + 1);
    }
    Ok(hashed)
}

/// The places of the strings of all files.
pub struct Strings {
    /// For each string, the owner of the equal ones.
    owners: Column<PieceId, PieceId>,
    /// For each owner, its offset among the strings of the package.
    places: Column<PieceId, u32>,
    /// The first string of each file, and how many it has.
    files: Column<DwoId, (PieceId, usize)>,
    /// Offset of each file's owners.
    starts: Column<DwoId, u64>,
    /// Size of all strings in bytes. If it has more than 32 bits, places are wrong.
    pub size: u64,
}

impl Strings {
    /// Merges the strings of files, which must have less than 4 GiB each.
    pub fn merge(files: Vec<HashedStrings>) -> Strings {
        let mut hashes = PieceHashes::default();
        let mut lens = Vec::with_capacity(files.len());
        let mut ranges = Column::default();
        for file in files {
            let base = PieceId::new(hashes.append(file.hashes));
            ranges.push((base, file.lens.len()));
            lens.push(file.lens);
        }
        let owners = hashes.owners();
        drop(hashes);
        let mut places: Column<PieceId, u32> = Column::zeroed(owners.len());
        let bounds = |&(base, count): &(PieceId, usize)| base.index()..base.index() + count;
        let parts = split_mut(places.as_vec(), ranges.iter().map(bounds));
        let tasks: Vec<_> = parts.into_iter().zip(lens).zip(ranges.iter()).collect();
        // Offsets among the strings of the file.
        let sizes: Vec<u64> = tasks
            .into_par_iter()
            .with_max_len(1)
            .map(|((places, lens), &(base, _))| {
                let mut size = 0u64;
                for ((place, len), piece) in places.iter_mut().zip(lens).zip(base.onward()) {
                    if owners[piece] == piece {
                        *place = size as u32;
                        size += u64::from(len);
                    }
                }
                size
            })
            .collect();
        let mut starts = Column::default();
        let mut size = 0;
        for of_file in sizes {
            starts.push(size);
            size += of_file;
        }
        let parts = split_mut(places.as_vec(), ranges.iter().map(bounds));
        let tasks: Vec<_> = parts.into_iter().zip(starts.iter()).collect();
        tasks.into_par_iter().with_max_len(1).for_each(|(places, &start)| {
            places.iter_mut().for_each(|place| *place = place.wrapping_add(start as u32));
        });
        Strings { owners, places, files: ranges, starts, size }
    }

    /// The offset of a file's owners.
    pub fn start(&self, file: DwoId) -> u64 {
        self.starts[file]
    }

    /// The places of a file's strings, in the order of its offsets.
    pub fn places(&self, file: DwoId) -> impl Iterator<Item = u32> {
        let (first, count) = self.files[file];
        first.onward().take(count).map(|piece| self.places[self.owners[piece]])
    }

    /// For each string of a file, whether it is an owner.
    pub fn are_owners(&self, file: DwoId) -> impl Iterator<Item = bool> {
        let (first, count) = self.files[file];
        first.onward().take(count).map(|piece| self.owners[piece] == piece)
    }
}

/// The string at `offset` of `strings`, with its NUL.
pub fn string(strings: &[u8], offset: u64) -> &[u8] {
    let rest = usize::try_from(offset).ok().and_then(|start| strings.get(start..));
    let rest = rest.unwrap_or_default();
    memchr::memchr(0, rest).map_or(&[], |end| &rest[..=end])
}

#[cfg(test)]
mod tests {
    use super::super::Form;
    use super::*;
    use skald_linking::byte_order::ByteOrder;

    fn table(offsets: &[u32]) -> Vec<u8> {
        offsets.iter().flat_map(|offset| offset.to_le_bytes()).collect()
    }

    #[test]
    fn equal_strings_have_one_place() {
        let files: [(&[u8], &[u32]); 3] = [
            (b"one\0two\0", &[4, 0, 4]),
            (b"", &[]),
            // An offset in the middle of another string, and a string that nothing refers to.
            (b"three\0two\0unused\0\0", &[0, 6, 2, 17]),
        ];
        let key = HashKey::random();
        let bytes = files.map(|(_, offsets)| table(offsets));
        let tables = bytes.each_ref().map(|bytes| {
            StringTables::parse(bytes, Form::Gnu, 4, ByteOrder::Little).expect("whole offsets")
        });
        let hashed = tables.iter().zip(files);
        let hashed = hashed.map(|(tables, (strings, _))| hash(&key, tables, strings));
        let hashed: Result<Vec<_>, _> = hashed.collect();
        let merged = Strings::merge(hashed.expect("whole strings"));
        let mut all = Vec::new();
        for (at, (tables, (strings, _))) in tables.iter().zip(files).enumerate() {
            let file = DwoId::from_index(at);
            assert_eq!(merged.start(file), all.len() as u64);
            for (offset, is_owner) in tables.offsets().zip(merged.are_owners(file)) {
                if is_owner {
                    all.extend_from_slice(string(strings, offset));
                }
            }
        }
        assert_eq!(all, b"two\0one\0three\0ree\0\0");
        assert_eq!(merged.size, all.len() as u64);
        let places = |at| merged.places(DwoId::new(at)).collect::<Vec<_>>();
        assert_eq!((places(0), places(1), places(2)), (vec![0, 4, 0], vec![], vec![8, 0, 14, 18]));
    }

    #[test]
    fn strings_without_an_end_are_refused() {
        let key = HashKey::random();
        let what = |strings: &[u8], offset| {
            let bytes = table(&[offset]);
            let tables = StringTables::parse(&bytes, Form::Gnu, 4, ByteOrder::Little)
                .expect("whole offsets");
            hash(&key, &tables, strings).err().map(|fault| fault.what)
        };
        assert_eq!(what(b"a\0b", 0), Some("strings do not end with a NUL"));
        assert_eq!(what(b"a\0", 2), Some("string outside of the strings"));
        assert_eq!(what(b"", 0), Some("string outside of the strings"));
        assert_eq!(what(b"a\0", 1), None);
    }
}
