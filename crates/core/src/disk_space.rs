//! How much room a file system has.

use std::io;
use std::path::Path;

/// Bytes that are free for everybody where a path is.
///
/// # Errors
/// Those of the file system.
pub fn free(path: &Path) -> io::Result<u64> {
    let system = rustix::fs::statvfs(path)?;
    Ok(system.f_bavail.saturating_mul(system.f_frsize))
}
