//! File operations other than reading inputs and writing outputs.

use std::fs::{DirBuilder, File, Metadata};
use std::io::Result;
use std::os::unix::fs::{DirBuilderExt, FileExt, PermissionsExt};
use std::path::Path;

/// Free space for unprivileged users on the file system of a path, in bytes.
///
/// # Errors
/// Those of the file system.
pub fn free_space(path: &Path) -> Result<u64> {
    let system = rustix::fs::statvfs(path)?;
    Ok(system.f_bavail.saturating_mul(system.f_frsize))
}

/// Makes a directory that no other user may look into.
///
/// # Errors
/// Those of the file system.
pub fn create_private_directory(path: &Path) -> Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// Makes `name` a symbolic link to the file `target`.
///
/// # Errors
/// Those of the file system.
pub fn link(target: &Path, name: &Path) -> Result<()> {
    std::os::unix::fs::symlink(target, name)
}

/// Whether somebody may execute the file.
pub fn is_executable(file: &Metadata) -> bool {
    file.permissions().mode() & 0o111 != 0
}

/// Fills `buffer` with the bytes of `file` at an offset.
///
/// # Errors
/// Those of the file system, and if the file has fewer bytes.
pub fn read_exact_at(file: &File, buffer: &mut [u8], file_offset: u64) -> Result<()> {
    file.read_exact_at(buffer, file_offset)
}
