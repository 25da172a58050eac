//! The identity of an existing or future file, to find out whether two paths lead to the same file.

use std::ffi::OsString;
use std::path::Path;

use rustix::fs::FileType;

use super::destination::own_descriptor;
use super::temporary::file_type;
use crate::input::Identity;
use crate::system::input::identity;

/// Which regular file a path leads to, existing or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// An existing file.
    File(Identity),
    /// A file that does not exist yet: its directory, and its name there.
    New(Identity, OsString),
}

impl Place {
    /// The place that `path` leads to. `None` if it is not a regular file, for a descriptor of this
    /// process (which several texts may share), and for a path that no file can have.
    pub fn of(path: &Path) -> Option<Place> {
        if own_descriptor(path).is_some() {
            return None;
        }
        if let Ok(file) = rustix::fs::stat(path) {
            let is_file = file_type(&file) == FileType::RegularFile;
            return is_file.then(|| Place::File(identity(&file)));
        }
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = rustix::fs::stat(directory.unwrap_or(Path::new("."))).ok()?;
        Some(Place::New(identity(&directory), path.file_name()?.to_owned()))
    }
}
