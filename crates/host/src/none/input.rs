//! Inputs without mappings: their bytes are read.

use crate::input::{Identity, Kind, Status};
use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::UNIX_EPOCH;

/// A file that is open for reading.
pub struct OpenFile {
    file: File,
    status: Status,
}

/// A file that stays open until the process ends: there is none, as nothing is mapped.
#[derive(Debug, Clone, Copy)]
pub enum KeptFile {}

impl KeptFile {
    /// Reads at an offset.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read_at(self, _buffer: &mut [u8], _file_offset: u64) -> io::Result<usize> {
        match self {}
    }

    /// The current metadata of the file.
    ///
    /// # Errors
    /// Those of the system.
    pub fn status(self) -> io::Result<Status> {
        match self {}
    }
}

/// Nothing has to be prepared.
pub fn expect(_count: usize) {}

/// Does nothing: this host reads nothing ahead.
pub fn read_ahead(_part: &'static [u8]) {}

impl OpenFile {
    /// Opens `path`.
    ///
    /// # Errors
    /// Those of the system, and for a directory.
    pub fn open(path: &Path) -> io::Result<OpenFile> {
        let file = File::open(path)?;
        let data = file.metadata()?;
        if data.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        Ok(OpenFile { status: told(path, &data)?, file })
    }

    /// The metadata of the file when it was opened.
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// `None`: files are read, not mapped.
    pub fn map(&self, _path: &'static Path) -> Option<&'static [u8]> {
        None
    }

    /// Reads the next bytes into `buffer`; returns their number, 0 at the end.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match (&self.file).read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }

    /// Appends the next bytes to `bytes`, within its spare capacity; returns their number, 0 at the
    /// end.
    ///
    /// # Errors
    /// Those of the system.
    pub fn append(&self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let room = (bytes.capacity() - bytes.len()) as u64;
        (&self.file).take(room).read_to_end(bytes)
    }

    /// Whether the first page must come from the disk: not known.
    pub fn is_cold(&self) -> bool {
        false
    }

    /// `None`: the file was read whole and is not needed any more.
    pub fn keep(self) -> Option<KeptFile> {
        None
    }
}

/// The metadata of the file that `path` leads to.
///
/// # Errors
/// Those of the system.
pub fn status(path: &Path) -> io::Result<Status> {
    told(path, &std::fs::metadata(path)?)
}

fn told(path: &Path, data: &Metadata) -> io::Result<Status> {
    let since = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let since = since.unwrap_or_default();
    Ok(Status {
        kind: if data.is_file() { Kind::File } else { Kind::Stream },
        identity: identity(path)?,
        size: data.len(),
        modified: (since.as_secs() as i64, i64::from(since.subsec_nanos())),
    })
}

/// Files are identified by their paths, which are numbered in the order in which they occur.
pub(super) fn identity(path: &Path) -> io::Result<Identity> {
    static KNOWN: Mutex<BTreeMap<PathBuf, u64>> = Mutex::new(BTreeMap::new());
    let path = path.canonicalize()?;
    let mut known = KNOWN.lock().unwrap_or_else(|e| e.into_inner());
    let next = known.len() as u64;
    Ok(Identity { device: 0, inode: *known.entry(path).or_insert(next) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_and_told_apart() {
        let directory = tempfile::tempdir().expect("a directory");
        let [one, other] = ["one", "other"].map(|name| directory.path().join(name));
        std::fs::write(&one, "abcd").expect("writable");
        std::fs::write(&other, "").expect("writable");
        let file = OpenFile::open(&one).expect("it is there");
        let mut bytes = [0; 2];
        assert!(file.read(&mut bytes).is_ok_and(|count| count == 2) && bytes == *b"ab");
        let mut rest = Vec::with_capacity(16);
        assert!(file.append(&mut rest).is_ok_and(|count| count == 2) && rest == b"cd");
        assert!(file.append(&mut rest).is_ok_and(|count| count == 0));
        let again = status(&directory.path().join("./one")).expect("it is there");
        assert_eq!((file.status().identity, file.status().size), (again.identity, 4));
        assert_ne!(again.identity, status(&other).expect("it is there").identity);
        assert!(OpenFile::open(directory.path()).is_err());
    }
}
