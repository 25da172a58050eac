//! The byte pools that hold the texts of interned names: string tables, archive indexes, options.

use crate::ids::FileId;
use skald_core::names::{NameId, NameRef, NameTable};
use std::sync::OnceLock;

/// Number of the pool of names that options and the linker bring; the pool after it is for names
/// made later.
const OWN: u32 = 0;
const LATE: u32 = 1;

/// The pools by number; numbers stay valid when more files and archives come.
#[derive(Debug, Default)]
pub struct NamePools {
    pools: Vec<OnceLock<&'static [u8]>>,
    /// Groups of files and archives that were added together, in order; rarely more than one.
    arrivals: Vec<Arrival>,
    files: usize,
    archives: usize,
}

/// The files and archives from these ids on, whose pools follow each other.
#[derive(Debug)]
struct Arrival {
    file: u32,
    archive: usize,
    /// Number of the first file's pool, and of the first archive's.
    first: u32,
    first_of_archives: u32,
}

impl NamePools {
    /// Adds pools for new files and archives; `files` and `archives` are the counts of all.
    pub fn grow(&mut self, files: usize, archives: usize) {
        let (file, archive) = (self.files, self.archives);
        let first = self.pools.len().max(LATE as usize + 1);
        let first_of_archives = first + files - file;
        let end = first_of_archives + archives - archive;
        assert!(end < u32::MAX as usize, "more pools than numbers");
        self.pools.resize_with(end, OnceLock::new);
        let (first, first_of_archives) = (first as u32, first_of_archives as u32);
        self.arrivals.push(Arrival { file: file as u32, archive, first, first_of_archives });
        (self.files, self.archives) = (files, archives);
    }

    /// The pool number of a file.
    pub fn of_file(&self, file: FileId) -> u32 {
        let file = file.number();
        let arrival = self.arrivals.iter().rfind(|arrival| arrival.file <= file);
        let arrival = arrival.expect("a file that has come");
        arrival.first + (file - arrival.file)
    }

    /// The pool number of an archive's index.
    pub fn of_archive(&self, archive: usize) -> u32 {
        let arrival = self.arrivals.iter().rfind(|arrival| arrival.archive <= archive);
        let arrival = arrival.expect("an archive that has come");
        arrival.first_of_archives + (archive - arrival.archive) as u32
    }

    /// The pool number of names that options and the linker bring.
    pub fn own(&self) -> u32 {
        OWN
    }

    /// The pool number of names that are made from names of files.
    pub fn late(&self) -> u32 {
        LATE
    }

    /// Sets the bytes of a pool, unless they are set already.
    pub fn set(&self, pool: u32, bytes: &'static [u8]) {
        let _ = self.pools[pool as usize].set(bytes);
    }

    /// The bytes of a name.
    pub fn text(&self, name: NameRef) -> &'static [u8] {
        let pool = self.pools[name.pool as usize].get().copied().unwrap_or_default();
        let start = name.pool_offset as usize;
        &pool[start..start + name.len as usize]
    }

    /// The bytes of the name with id `id`.
    pub fn name(&self, names: &NameTable, id: NameId) -> &'static [u8] {
        self.text(names.name(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_when_more_come() {
        let mut pools = NamePools::default();
        pools.grow(3, 2);
        let numbers = |pools: &NamePools, files: u32, archives: usize| {
            let files = (0..files).map(|file| pools.of_file(FileId::new(file)));
            files.chain((0..archives).map(|at| pools.of_archive(at))).collect::<Vec<u32>>()
        };
        let first = numbers(&pools, 3, 2);
        pools.set(first[1], b"name");
        pools.grow(5, 2);
        pools.grow(5, 3);
        pools.grow(9, 4);
        assert_eq!(numbers(&pools, 3, 2), first);
        let mut all = numbers(&pools, 9, 4);
        all.extend([pools.own(), pools.late()]);
        all.sort_unstable();
        assert_eq!(all, (0..15).collect::<Vec<u32>>());
        assert_eq!(pools.text(NameRef { pool: first[1], pool_offset: 1, len: 2 }), b"am");
    }
}
