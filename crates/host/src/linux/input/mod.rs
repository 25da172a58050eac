//! Opening, mapping and reading of inputs.

mod descriptors;

pub use descriptors::KeptFile;

use crate::input::{Identity, Kind, Status};
use crate::pages::page_size;
use crate::system::faults::mappings;
use crate::system::patience;
use rustix::event::{PollFd, PollFlags};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags, Stat};
use rustix::io::{Errno, ReadWriteFlags};
use rustix::mm::{Advice, MapFlags, ProtFlags};
use std::io::{self, IoSliceMut};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Maximum range of one advice: of a longer one, Linux reads only the beginning, as much as one
/// disk request takes, by default this much.
const ADVICE_MAX: usize = 128 << 10;

/// A file that is open for reading.
pub struct OpenFile {
    file: OwnedFd,
    status: Status,
}

/// Prepares for about `count` inputs, before other threads are started.
pub fn expect(count: usize) {
    // Every process may have this many descriptors.
    if count > 32 {
        descriptors::expect(count + 32);
    }
}

impl OpenFile {
    /// Opens `path`; for a FIFO, waits for the writer.
    ///
    /// # Errors
    /// Those of the system, and for a directory.
    pub fn open(path: &Path) -> io::Result<OpenFile> {
        let file = open_at_once(path)?;
        let raw = rustix::fs::fstat(&file)?;
        let kind = FileType::from_raw_mode(raw.st_mode);
        if kind == FileType::Directory {
            return Err(Errno::ISDIR.into());
        }
        if kind != FileType::RegularFile {
            await_writer(&file, kind, path)?;
        }
        Ok(OpenFile { file, status: told(&raw) })
    }

    /// The metadata of the file when it was opened.
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// Maps the whole file for the lifetime of the process; `None` if it cannot be mapped. If the
    /// file is truncated later, reading the missing part ends the process with an error that names
    /// `path`.
    pub fn map(&self, path: &'static Path) -> Option<&'static [u8]> {
        let len = usize::try_from(self.status.size).ok();
        let len = len.filter(|&len| len > 0 && isize::try_from(len).is_ok())?;
        let start = {
            // SAFETY: a new mapping at an address of the kernel's choice aliases nothing.
            let mapped = unsafe {
                let file = self.file.as_fd();
                let none = std::ptr::null_mut();
                rustix::mm::mmap(none, len, ProtFlags::READ, MapFlags::PRIVATE, file, 0)
            };
            mapped.ok()?
        };
        mappings::register(start as usize, len, path.as_os_str().as_bytes(), false);
        // SAFETY: the mapping is readable, `len` bytes long and never unmapped. Pages beyond the
        // end of a file that shrank raise SIGBUS, which ends the process.
        Some(unsafe { std::slice::from_raw_parts(start.cast::<u8>(), len) })
    }

    /// Reads the next bytes into `buffer`; returns their number, 0 at the end.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(retry(|| rustix::io::read(&self.file, &mut *buffer))?)
    }

    /// Appends the next bytes to `bytes`, within its spare capacity; returns their number, 0 at the
    /// end.
    ///
    /// # Errors
    /// Those of the system.
    pub fn append(&self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        Ok(retry(|| rustix::io::read(&self.file, rustix::buffer::spare_capacity(bytes)))?)
    }

    /// Whether the first page must come from the disk. Unlike `mincore` and `cachestat`, this works
    /// for users who do not own the file, too. If the file system cannot tell, the page counts as
    /// being in memory.
    pub fn is_cold(&self) -> bool {
        let mut byte = [0];
        let mut into = [IoSliceMut::new(&mut byte)];
        let read = rustix::io::preadv2(&self.file, &mut into, 0, ReadWriteFlags::NOWAIT);
        read == Err(Errno::AGAIN)
    }

    /// Keeps the file open until the process ends; `None` if too many files are open.
    pub fn keep(self) -> Option<KeptFile> {
        descriptors::keep(self.file)
    }
}

/// The metadata of the file that `path` leads to.
///
/// # Errors
/// Those of the system.
pub fn status(path: &Path) -> io::Result<Status> {
    Ok(told(&rustix::fs::stat(path)?))
}

fn told(status: &Stat) -> Status {
    Status {
        kind: match FileType::from_raw_mode(status.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::CharacterDevice | FileType::BlockDevice => Kind::Device,
            _ => Kind::Stream,
        },
        identity: identity(status),
        size: status.st_size as u64,
        modified: (status.st_mtime, status.st_mtime_nsec as i64),
    }
}

pub(super) fn identity(status: &Stat) -> Identity {
    Identity { device: status.st_dev, inode: status.st_ino }
}

/// Starts reading a part of a mapped file from its disk, without waiting. Advice only.
pub fn read_ahead(part: &'static [u8]) {
    // The kernel requires page-aligned addresses.
    let skew = part.as_ptr().addr() % page_size();
    let (start, len) = (part.as_ptr().wrapping_sub(skew), part.len() + skew);
    for at in (0..len).step_by(ADVICE_MAX) {
        let next = ADVICE_MAX.min(len - at);
        let start = start.wrapping_add(at).cast_mut();
        // SAFETY: the advice changes no contents, whatever is there.
        let _ = unsafe { rustix::mm::madvise(start.cast(), next, Advice::WillNeed) };
    }
}

/// Opens `path` without waiting for the writer of a FIFO.
fn open_at_once(path: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
    let open = |flags| retry(|| rustix::fs::open(path, flags, Mode::empty()));
    match open(flags | OFlags::NONBLOCK) {
        // Another process has a lease on the file; a blocking open waits until the lease is given
        // up.
        Err(Errno::AGAIN) => open(flags),
        result => result,
    }
}

/// Makes reads of `file` blocking. If `file` is a FIFO, waits until its writer has begun or has
/// closed it.
fn await_writer(file: &OwnedFd, kind: FileType, path: &Path) -> Result<(), Errno> {
    let flags = rustix::fs::fcntl_getfl(file)?;
    rustix::fs::fcntl_setfl(file, flags - OFlags::NONBLOCK)?;
    if kind != FileType::Fifo {
        return Ok(());
    }
    let wait = || {
        let mut waited = [PollFd::new(file, PollFlags::IN)];
        retry(|| rustix::event::poll(&mut waited, None)).map(|_| ())
    };
    patience::waiting_for("a writer", path, wait)
}

fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> rustix::io::Result<T> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            result => return result,
        }
    }
}
