//! The directory for temporary files of the plugin host and its children, removed at the end.

use std::io;
use std::path::{Path, PathBuf};

/// A new directory below `TMPDIR`, which is removed with all its content when this is dropped.
#[derive(Debug)]
pub struct TempDir(PathBuf);

impl TempDir {
    /// Makes the directory.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn new() -> io::Result<TempDir> {
        let below = std::env::temp_dir();
        for number in 0..u32::MAX {
            let name = format!("skald-lto-{}-{number}", std::process::id());
            let path = below.join(name);
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(TempDir(path)),
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

impl Drop for TempDir {
    fn drop(&mut self) {
        // The helper may have removed it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
