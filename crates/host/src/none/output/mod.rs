//! Outputs: a new file under a temporary name, which then takes the place of the old one.

mod destination;
mod mapping;
pub(super) mod unfinished;

pub use destination::{Destination, Replaced, Written, check, is_stream};
pub use mapping::{MappedRange, Mapping};

use super::input::identity;
use crate::input::Identity;
use std::ffi::OsString;
use std::path::Path;

/// Permission bits of a new file, which this host does not have.
pub fn permission_bits(executable: bool) -> u32 {
    if executable { 0o755 } else { 0o644 }
}

/// Which regular file a path leads to, existing or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// An existing file.
    File(Identity),
    /// A file that does not exist yet: its directory, and its name there.
    New(Identity, OsString),
}

impl Place {
    /// The place that `path` leads to. `None` if it is not a regular file, and for standard output.
    pub fn of(path: &Path) -> Option<Place> {
        if is_stream(path) {
            return None;
        }
        if let Ok(file) = path.metadata() {
            return if file.is_file() { Some(Place::File(identity(path).ok()?)) } else { None };
        }
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = identity(directory.unwrap_or(Path::new("."))).ok()?;
        Some(Place::New(directory, path.file_name()?.to_owned()))
    }
}
