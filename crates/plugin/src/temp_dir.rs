//! The directory for temporary files of the plugin host and its children, removed at the end.

use std::io;
use std::path::{Path, PathBuf};

/// A new directory below `TMPDIR`, or below `/tmp` if there is no such directory, as GCC has it.
/// It is removed with all its content when this is dropped.
#[derive(Debug)]
pub struct TempDir(PathBuf);

impl TempDir {
    /// Makes the directory.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn new() -> io::Result<TempDir> {
        match below(&std::env::temp_dir()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => below(Path::new("/tmp")),
            made => made,
        }
    }

    /// Path of the directory.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// Makes a directory that nothing else has.
fn below(directory: &Path) -> io::Result<TempDir> {
    for number in 0..u32::MAX {
        let path = directory.join(format!("skald-lto-{}-{number}", std::process::id()));
        match std::fs::create_dir(&path) {
            Ok(()) => return Ok(TempDir(path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

impl Drop for TempDir {
    fn drop(&mut self) {
        // The helper may have removed it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
