//! The byte pools that interned names live in: string tables of files, archive indexes, options.

use crate::ids::FileId;
use skald_core::names::{NameId, NameRef, NameTable};
use std::sync::OnceLock;

/// Pools by number: one per candidate file, then one per archive, then two for names that the
/// command line and the linker bring, before files are read and after.
#[derive(Debug)]
pub struct NamePools {
    pools: Vec<OnceLock<&'static [u8]>>,
    files: usize,
}

impl NamePools {
    /// Empty pools for `files` candidate files and `archives` archives.
    pub fn new(files: usize, archives: usize) -> NamePools {
        NamePools { pools: (0..files + archives + 2).map(|_| OnceLock::new()).collect(), files }
    }

    /// The pool number of a file.
    pub fn of_file(&self, file: FileId) -> u32 {
        file.number()
    }

    /// The pool number of an archive's index.
    pub fn of_archive(&self, archive: usize) -> u32 {
        (self.files + archive) as u32
    }

    /// The pool number of names that no file brings.
    pub fn own(&self) -> u32 {
        self.pools.len() as u32 - 2
    }

    /// The pool number of names that follow from what files hold.
    pub fn late(&self) -> u32 {
        self.pools.len() as u32 - 1
    }

    /// Registers the bytes of a pool; the first registration stays.
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
