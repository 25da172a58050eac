//! Where a file is or will be, whatever path leads there: to see that two are the same.

use std::ffi::OsString;
use std::path::Path;

use rustix::fs::FileType;

use super::destination::own_descriptor;
use super::temporary::file_type;
use crate::input::Identity;

/// The place of a regular file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// There is a file.
    File(Identity),
    /// There is none yet: its directory and its name in it.
    New(Identity, OsString),
}

impl Place {
    /// The place that `path` leads to; `None` for what is no regular file and for a stream of this
    /// process, which any number of texts may share, and for what cannot be a file.
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

fn identity(status: &rustix::fs::Stat) -> Identity {
    Identity { device: status.st_dev, inode: status.st_ino }
}
