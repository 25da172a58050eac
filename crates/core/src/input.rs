//! Opening and mapping inputs.
use crate::diag::{Error, Result};
use std::path::{Path, PathBuf};
/// A file.
#[derive(Debug, Clone)]
pub struct InputFile {
    /// Where.
    pub path: PathBuf,
    /// Bytes.
    pub data: &'static [u8],
    /// Device and inode.
    pub identity: (u64, u64),
}
/// Opens.
pub fn open(path: &Path) -> Result<InputFile> {
    use std::os::unix::fs::MetadataExt;
    let f = std::fs::File::open(path)
        .map_err(|e| Error(format!("cannot open {}: {e}", path.display())))?;
    let m = f.metadata().map_err(|e| Error(format!("cannot open {}: {e}", path.display())))?;
    // SAFETY: provisional
    let map = unsafe { memmap2::Mmap::map(&f) }
        .map_err(|e| Error(format!("cannot map {}: {e}", path.display())))?;
    let map: &'static memmap2::Mmap = Box::leak(Box::new(map));
    Ok(InputFile { path: path.to_owned(), data: map, identity: (m.dev(), m.ino()) })
}
