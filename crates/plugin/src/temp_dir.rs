//! The directory that a helper and what it starts put their temporary files in, and its end.

use std::io;
use std::path::{Path, PathBuf};

/// A directory of its own below `TMPDIR`, which is removed with all that is in it.
#[derive(Debug)]
pub struct Remains(PathBuf);

impl Remains {
    /// Makes the directory.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn new() -> io::Result<Remains> {
        let below = std::env::temp_dir();
        for number in 0..u32::MAX {
            let name = format!("skald-lto-{}-{number}", std::process::id());
            let path = below.join(name);
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Remains(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Path of the directory.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Remains {
    fn drop(&mut self) {
        // The helper may have removed it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
