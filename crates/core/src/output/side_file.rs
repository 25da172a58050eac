//! Files that a link writes besides its output: maps, reports, lists, traces.
//!
//! The rules for the destination are those of the output: streams and devices are written directly,
//! and a regular file gets its name when it is complete. The only difference is that symbolic links
//! are followed, because every other linker writes such files through them.

use std::io::{ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

use crate::process_exit;
use skald_host::faults;
use skald_host::output::{Destination, Wanted, is_stream, permission_bits};

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
        faults::report_file_size_limit();
        let is_link = std::fs::symlink_metadata(path).is_ok_and(|old| old.is_symlink());
        let target = is_link.then(|| followed(path)).flatten();
        // Links in `/dev` and `/proc` lead to streams, which have no path.
        let target = target.filter(|target| target.is_file() || !path.exists());
        let is_stream = is_stream(path);
        let path = target.filter(|_| !is_stream).unwrap_or_else(|| path.to_owned());
        let destination = Destination::open(&Wanted {
            path: &path,
            size: 0,
            mode: permission_bits(false),
            may_reuse: false,
            atomic: false,
        })?;
        Ok(SideFile { path, destination })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If it cannot be closed or renamed.
    pub fn commit(self) -> Result<()> {
        let replaced = self.destination.finish(&self.path)?;
        replaced.into_iter().for_each(process_exit::close_last);
        Ok(())
    }
}

impl Write for SideFile {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        if let Err(error) = self.destination.write(bytes) {
            // It is no error if the reader of standard output has closed its end.
            if error.kind() != ErrorKind::BrokenPipe || self.path.as_os_str() != "-" {
                return Err(error);
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
