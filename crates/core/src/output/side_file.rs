//! What a link writes beside its output: maps, reports, lists, traces.
//!
//! It goes where the output goes by the same rules: streams and devices are written through, and
//! what becomes a file has its name when it is whole. Only symbolic links are followed: they name
//! a place for texts, which every other linker writes through them.

use std::io::{Error, Result, Write};
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::destination::{Destination, own_descriptor};
use super::{OutputPlan, permission_bits, transfer};
use crate::signals;

/// A text file that is being written. If it is dropped without [`SideFile::commit`], no file is
/// left.
pub struct SideFile {
    path: PathBuf,
    destination: Destination,
}

impl SideFile {
    /// Creates the file under a temporary name; `-` is standard output.
    ///
    /// # Errors
    /// Those of the system.
    pub fn create(path: &Path) -> Result<SideFile> {
        signals::report_file_size_limit();
        let is_link = std::fs::symlink_metadata(path).is_ok_and(|old| old.is_symlink());
        let target = is_link.then(|| followed(path)).flatten();
        // Links in `/dev` and `/proc` lead to streams, which have no path.
        let target = target.filter(|target| target.is_file() || !path.exists());
        let is_stream = own_descriptor(path).is_some();
        let path = target.filter(|_| !is_stream).unwrap_or_else(|| path.to_owned());
        let destination = Destination::open(&OutputPlan {
            path: path.clone(),
            size: 0,
            mode: permission_bits(false),
            is_executable_kind: false,
            atomic: false,
            mmap: Some(false),
        })?;
        Ok(SideFile { path, destination })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If it cannot be closed or renamed.
    pub fn commit(self) -> Result<()> {
        self.destination.finish(&self.path).map_err(Error::from)
    }
}

impl Write for SideFile {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let Some(file) = self.destination.writer() else { return Ok(bytes.len()) };
        if let Err(errno) = transfer::write_all(file, bytes) {
            // It is no error if the reader of standard output has closed its end.
            if errno != Errno::PIPE || self.path.as_os_str() != "-" {
                return Err(errno.into());
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// The most symbolic links that are followed, as in Linux.
const MAX_LINKS: usize = 40;

/// The target of a symbolic link, which need not exist.
fn followed(link: &Path) -> Option<PathBuf> {
    let mut path = link.to_owned();
    for _ in 0..MAX_LINKS {
        match std::fs::read_link(&path) {
            Ok(next) => path = path.parent()?.join(next),
            Err(_) => return Some(path),
        }
    }
    None
}
