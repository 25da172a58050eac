//! The byte pools that interned names live in: string tables of files, archive indexes, options.

use crate::ids::FileId;
use skald_core::ids::Column;
use skald_core::names::{NameId, NameRef, NameTable};
use std::sync::OnceLock;

/// A pool: one of a file has the file's number, others have this bit.
const NO_FILE: u32 = 1 << 31;
/// Others before those of archives: of names that the command line and the linker bring, before
/// files are read and after.
const OWN_POOLS: u32 = 2;

/// Pools by number, which stays when more files and archives come.
#[derive(Debug, Default)]
pub struct NamePools {
    files: Column<FileId, OnceLock<&'static [u8]>>,
    others: Vec<OnceLock<&'static [u8]>>,
}

impl NamePools {
    /// Makes room for the pools of `files` candidate files and `archives` archives in all.
    pub fn grow(&mut self, files: usize, archives: usize) {
        assert!(files < NO_FILE as usize, "more files than pools");
        self.files.as_vec().resize_with(files, OnceLock::new);
        self.others.resize_with(OWN_POOLS as usize + archives, OnceLock::new);
    }

    /// The pool number of a file.
    pub fn of_file(&self, file: FileId) -> u32 {
        file.number()
    }

    /// The pool number of an archive's index.
    pub fn of_archive(&self, archive: usize) -> u32 {
        NO_FILE | (OWN_POOLS + archive as u32)
    }

    /// The pool number of names that no file brings.
    pub fn own(&self) -> u32 {
        NO_FILE
    }

    /// The pool number of names that follow from what files hold.
    pub fn late(&self) -> u32 {
        NO_FILE | 1
    }

    fn pool(&self, pool: u32) -> &OnceLock<&'static [u8]> {
        match pool & NO_FILE {
            0 => &self.files[FileId::new(pool)],
            _ => &self.others[(pool & !NO_FILE) as usize],
        }
    }

    /// Registers the bytes of a pool; the first registration stays.
    pub fn set(&self, pool: u32, bytes: &'static [u8]) {
        let _ = self.pool(pool).set(bytes);
    }

    /// The bytes of a name.
    pub fn text(&self, name: NameRef) -> &'static [u8] {
        let pool = self.pool(name.pool).get().copied().unwrap_or_default();
        let start = name.pool_offset as usize;
        &pool[start..start + name.len as usize]
    }

    /// The bytes of the name with id `id`.
    pub fn name(&self, names: &NameTable, id: NameId) -> &'static [u8] {
        self.text(names.name(id))
    }
}
