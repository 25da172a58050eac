//! The `.dwo` files of skeleton units, read for names that no compiler listed.

use crate::args::Options;
use crate::machine::Machine;
use crate::write::package::dwo_file::DwoFile;
use skald_core::diag::{Error, Result};
use skald_dwarf::package::Kind;
use skald_dwarf::split_files::{SplitFile, SplitFiles};
use skald_host::paths::OsStrBytes;
use skald_linking::root_directories::RootDirectories;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Opens `.dwo` files, and collects their faults.
pub struct DwoFiles<'a> {
    roots: RootDirectories<'a>,
    machine: &'static Machine,
    faults: Mutex<Vec<String>>,
}

impl<'a> DwoFiles<'a> {
    /// For a program of `machine`.
    pub fn new(options: &'a Options, machine: &'static Machine) -> DwoFiles<'a> {
        let roots = RootDirectories { sysroot: None, chroot: options.chroot.as_deref() };
        DwoFiles { roots, machine, faults: Mutex::default() }
    }

    /// The faults of files, each once, in the order of their names.
    pub fn faults(self) -> Vec<String> {
        let mut faults = self.faults.into_inner().unwrap_or_else(PoisonError::into_inner);
        faults.sort();
        faults.dedup();
        faults
    }

    fn read(&self, path: &Path) -> Result<SplitFile> {
        let file = DwoFile::open(path, self.machine)?;
        let mut units = vec![file.content(Kind::Info)?];
        units.extend(file.contents(Kind::Types)?);
        Ok(SplitFile {
            order: file.order(),
            units,
            abbreviations: file.content(Kind::Abbreviations)?,
            strings: file.content(Kind::Strings)?,
            string_offsets: file.content(Kind::StringOffsets)?,
        })
    }
}

impl SplitFiles for DwoFiles<'_> {
    fn open(&self, directory: &[u8], name: &[u8]) -> Option<SplitFile> {
        let path = |text| Path::new(OsStr::from_bytes(text));
        let read = self.read(&self.roots.in_root(&path(directory).join(path(name))));
        let noted = read.map_err(|Error(fault)| {
            self.faults.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
        });
        noted.ok()
    }
}
