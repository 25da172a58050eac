//! File operations other than reading inputs and writing outputs.

use super::unsupported;
use std::fs::{File, Metadata};
use std::io::{Read, Result, Seek, SeekFrom};
use std::path::Path;

/// Fails: Rust's standard library cannot tell the free space.
///
/// # Errors
/// Always.
pub fn free_space(_path: &Path) -> Result<u64> {
    Err(unsupported())
}

/// Makes a directory, with the rights that the system gives it.
///
/// # Errors
/// Those of the file system.
pub fn create_private_directory(path: &Path) -> Result<()> {
    std::fs::create_dir(path)
}

/// Gives the file `target` another name.
///
/// # Errors
/// Those of the file system.
pub fn link(target: &Path, name: &Path) -> Result<()> {
    std::fs::hard_link(target, name)
}

/// Whether somebody may execute the file: always true, as this host cannot tell.
pub fn is_executable(_file: &Metadata) -> bool {
    true
}

/// Fills `buffer` with the bytes of `file` at an offset.
///
/// # Errors
/// Those of the file system, and if the file has fewer bytes.
pub fn read_exact_at(mut file: &File, buffer: &mut [u8], file_offset: u64) -> Result<()> {
    file.seek(SeekFrom::Start(file_offset))?;
    file.read_exact(buffer)
}
