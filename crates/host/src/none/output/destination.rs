//! The destination of an output: the file that is written, and its name until the output is
//! complete.

use super::mapping::{MappedRange, Mapping};
use super::unfinished;
use crate::none::unsupported;
use crate::output::{SharedPages, Wanted, Way};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// Maximum number of names that are tried.
const ATTEMPTS: u32 = 100;

/// An open destination. Dropped without [`Destination::finish`], it leaves no file.
pub enum Destination {
    /// A file under a temporary name.
    File(NewFile),
    /// A device or a pipe, which is written through and never replaced.
    Device(Mutex<File>),
    /// Standard output.
    Standard,
}

/// A file that has a temporary name until it is complete.
pub struct NewFile {
    /// Locked for each call, because a call sets the file position. `None` after it is closed.
    file: Mutex<Option<File>>,
    temporary: PathBuf,
}

/// A file that has no name any more: the system has freed it.
#[derive(Debug)]
pub enum Replaced {}

/// The bytes of an output that is a file.
pub struct Written(File);

impl Destination {
    /// Opens the destination `wanted`, with its final size.
    ///
    /// # Errors
    /// Those of the system.
    pub fn open(wanted: &Wanted<'_>) -> io::Result<Destination> {
        if is_stream(wanted.path) {
            return Ok(Destination::Standard);
        }
        check(wanted.path)?;
        if std::fs::metadata(wanted.path).is_ok_and(|found| !found.is_file()) {
            let device = OpenOptions::new().write(true).open(wanted.path)?;
            return Ok(Destination::Device(Mutex::new(device)));
        }
        for number in 0..ATTEMPTS {
            let name = wanted.path.file_name().unwrap_or_default().to_string_lossy();
            let name = format!(".{name}.skald-{}-{number}", std::process::id());
            let temporary = wanted.path.with_file_name(name);
            match OpenOptions::new().read(true).write(true).create_new(true).open(&temporary) {
                Ok(file) => {
                    unfinished::note(&temporary);
                    file.set_len(wanted.size)?;
                    return Ok(Destination::File(NewFile {
                        file: Mutex::new(Some(file)),
                        temporary,
                    }));
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// How bytes get into the destination.
    pub fn way(&self) -> Way {
        match self {
            Destination::File(_) => Way::AtOffsets,
            Destination::Device(_) | Destination::Standard => Way::InOrder,
        }
    }

    /// Whether unwritten bytes have the content of an older output: never.
    pub fn holds_old_bytes(&self) -> bool {
        false
    }

    /// Writes all of `bytes` at `file_offset`; does nothing if the destination has no offsets.
    ///
    /// # Errors
    /// Those of the system.
    pub fn write_at(&self, bytes: &[u8], file_offset: u64) -> io::Result<()> {
        self.with_file(|file| {
            file.seek(SeekFrom::Start(file_offset))?;
            file.write_all(bytes)
        })
    }

    /// Writes all of `bytes` at the current position, which is at first the beginning of the file.
    ///
    /// # Errors
    /// Those of the system.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Destination::File(_) => self.with_file(|file| file.write_all(bytes)),
            Destination::Device(device) => {
                device.lock().unwrap_or_else(|e| e.into_inner()).write_all(bytes)
            }
            Destination::Standard => {
                io::stdout().write_all(bytes)?;
                io::stdout().flush()
            }
        }
    }

    /// Gives a file another size.
    ///
    /// # Errors
    /// Those of the system.
    pub fn resize(&self, size: u64) -> io::Result<()> {
        self.with_file(|file| file.set_len(size))
    }

    /// Fails: files are not mapped.
    ///
    /// # Errors
    /// Always.
    pub fn map(&self, _len: usize, _path: &Path) -> io::Result<Mapping> {
        Err(unsupported())
    }

    /// What such a mapping would cost.
    pub fn shared_pages(&self) -> SharedPages {
        SharedPages::Unknown
    }

    /// Access to the bytes that were written so far.
    ///
    /// # Errors
    /// Those of the system, and if the destination is not a file.
    pub fn written(&self) -> io::Result<Written> {
        match self {
            Destination::File(file) => match &*file.lock() {
                Some(file) => file.try_clone().map(Written),
                None => Err(ErrorKind::NotFound.into()),
            },
            Destination::Device(_) | Destination::Standard => Err(unsupported()),
        }
    }

    /// Closes the complete output and gives it its name, `path`.
    ///
    /// # Errors
    /// Those of the system.
    pub fn finish(self, path: &Path) -> io::Result<Option<Replaced>> {
        if let Destination::File(file) = &self {
            *file.lock() = None;
            std::fs::rename(&file.temporary, path)?;
            unfinished::forget(&file.temporary);
        }
        Ok(None)
    }

    fn with_file(&self, act: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        match self {
            Destination::File(file) => file.lock().as_mut().map_or(Ok(()), act),
            Destination::Device(_) | Destination::Standard => Ok(()),
        }
    }
}

impl NewFile {
    fn lock(&self) -> MutexGuard<'_, Option<File>> {
        self.file.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        *self.lock() = None;
        // After [`Destination::finish`] the file has another name.
        let _ = std::fs::remove_file(&self.temporary);
        unfinished::forget(&self.temporary);
    }
}

/// Whether a file could be written to `path`, as far as that can be known without writing one.
///
/// # Errors
/// For a directory.
pub fn check(path: &Path) -> io::Result<()> {
    if path.is_dir() { Err(ErrorKind::IsADirectory.into()) } else { Ok(()) }
}

/// Whether `path` leads to standard output.
pub fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl Written {
    /// The size in bytes.
    ///
    /// # Errors
    /// Those of the system.
    pub fn size(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// Fills `out` with the bytes at `offset`; returns whether the file has that many.
    pub fn read_at(&self, offset: u64, out: &mut [u8]) -> bool {
        // One read at a time, because a read sets the file position.
        static TURN: Mutex<()> = Mutex::new(());
        let _turn = TURN.lock().unwrap_or_else(|e| e.into_inner());
        let mut file = &self.0;
        file.seek(SeekFrom::Start(offset)).is_ok() && file.read_exact(out).is_ok()
    }

    /// `None`: files are not mapped.
    pub fn map(&self, _range: Range<u64>) -> Option<MappedRange> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(path: &Path, size: u64) -> Wanted<'_> {
        Wanted { path, size, mode: 0, may_reuse: true, atomic: false }
    }

    #[test]
    fn a_file_has_its_name_when_it_is_whole() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("out");
        std::fs::write(&path, "old").expect("writable");
        let destination = Destination::open(&wanted(&path, 4)).expect("it can be created");
        destination.write_at(b"cd", 2).expect("there is room");
        destination.write_at(b"ab", 0).expect("there is room");
        let written = destination.written().expect("a file");
        let mut bytes = [0; 2];
        assert!(written.read_at(1, &mut bytes) && bytes == *b"bc");
        assert!(written.size().is_ok_and(|size| size == 4) && !written.read_at(3, &mut bytes));
        assert_eq!(std::fs::read(&path).expect("the old file"), b"old");
        assert!(destination.finish(&path).expect("it gets its name").is_none());
        assert_eq!(std::fs::read(&path).expect("the new file"), b"abcd");
        assert_eq!(std::fs::read_dir(directory.path()).expect("a directory").count(), 1);
    }

    /// The test does not finish the output: with a bug, that would replace a device of the machine.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_through() {
        let path = Path::new("/dev/full");
        let destination = Destination::open(&wanted(path, 4)).expect("it can be opened");
        assert!(matches!(destination, Destination::Device(_)));
        let error = destination.write(b"abcd").expect_err("it is always full");
        assert_eq!(error.kind(), ErrorKind::StorageFull);
    }

    #[test]
    fn nothing_is_left_of_what_is_not_whole() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("out");
        drop(Destination::open(&wanted(&path, 4)).expect("it can be created"));
        assert!(Destination::open(&wanted(directory.path(), 0)).is_err());
        assert_eq!(std::fs::read_dir(directory.path()).expect("a directory").count(), 0);
    }
}
