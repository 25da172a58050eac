//! A file that is written under a temporary name, and gets its final name when it is complete.

use std::ffi::CString;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;

use super::{temporary_names, transfer};
use crate::output::Wanted;
use crate::system::faults::unfinished::Unfinished;

/// An output under a temporary name, by the rules in [`super::destination`].
pub(super) struct Temporary {
    /// `None` after it is closed.
    file: Option<OwnedFd>,
    temporary: PathBuf,
    /// `None` after it is renamed. Signal handlers use it, too.
    unfinished: Option<Unfinished>,
    /// The file is an existing output that is overwritten, so it has old bytes.
    is_reused: bool,
}

impl Temporary {
    /// Creates the file, or reuses an old one, with the `wanted` size and mode.
    pub(super) fn open(wanted: &Wanted<'_>) -> Result<Temporary, Errno> {
        if wanted.may_reuse
            && !wanted.atomic
            && let Some(reused) = Temporary::reuse(wanted)
        {
            return match reused.file.as_ref().map_or(Ok(()), |file| resize(file, wanted.size)) {
                Ok(()) => Ok(reused),
                // Nothing has been written: the old output stays.
                Err(errno) => {
                    reused.undo(wanted.path);
                    Err(errno)
                }
            };
        }
        let mode = Mode::from_raw_mode(wanted.mode & 0o777);
        let (file, temporary) = temporary_names::create(wanted.path, mode)?;
        Temporary::new(file, temporary).with_size(wanted.size)
    }

    /// The file, until it is closed.
    pub(super) fn file(&self) -> Option<BorrowedFd<'_>> {
        self.file.as_ref().map(|file| file.as_fd())
    }

    /// Whether unwritten bytes have the content of an older output, and are not zero.
    pub(super) fn is_reused(&self) -> bool {
        self.is_reused
    }

    /// The existing output under a temporary name, if rule 3 allows it.
    fn reuse(wanted: &Wanted<'_>) -> Option<Temporary> {
        let named = rustix::fs::lstat(wanted.path).ok()?;
        if file_type(&named) != FileType::RegularFile {
            return None;
        }
        // Fails with ETXTBSY if the file is being executed; NONBLOCK in case it has become a FIFO.
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::open(wanted.path, flags, Mode::empty()).ok()?;
        let old = rustix::fs::fstat(&file).ok()?;
        let is_ours = old.st_uid == rustix::process::geteuid().as_raw();
        if !same_file(&named, &old) || old.st_nlink != 1 || !is_ours || is_in_use(&file) {
            return None;
        }
        let temporary = temporary_names::take_over(wanted.path, &file)?;
        let mut reused = Temporary::new(file, temporary);
        reused.is_reused = true;
        // Since the check, another file may have got the name, or a process may have opened ours.
        let moved = rustix::fs::lstat(&reused.temporary).ok();
        let is_same = moved.is_some_and(|moved| same_file(&moved, &old) && moved.st_nlink == 1);
        let mode = Mode::from_raw_mode(wanted.mode & 0o777);
        let is_good = is_same
            && !reused.file.as_ref().is_some_and(is_in_use)
            && reused.file.as_ref().is_some_and(|file| rustix::fs::fchmod(file, mode).is_ok());
        if is_good {
            return Some(reused);
        }
        reused.undo(wanted.path);
        None
    }

    fn new(file: OwnedFd, temporary: PathBuf) -> Temporary {
        let unfinished = CString::new(temporary.as_os_str().as_bytes())
            .map(|path| Unfinished::unlink(&path))
            .expect("a path that was opened holds no NUL");
        let unfinished = Some(unfinished);
        Temporary { file: Some(file), temporary, unfinished, is_reused: false }
    }

    fn with_size(self, size: u64) -> Result<Temporary, Errno> {
        if let Some(file) = &self.file {
            resize(file, size)?;
        }
        Ok(self)
    }

    /// Renames a file that turned out not to be reusable back, unless the name is taken.
    fn undo(mut self, path: &Path) {
        let back =
            rustix::fs::renameat_with(CWD, &self.temporary, CWD, path, RenameFlags::NOREPLACE);
        if back.is_ok() {
            self.unfinished = None;
        }
    }

    /// Closes the file and gives it its final name. Returns the file that had this name before.
    pub(super) fn finish(mut self, path: &Path) -> Result<Option<OwnedFd>, Errno> {
        let _hold = temporary_names::hold(&self.temporary);
        if let Some(file) = self.file.take() {
            transfer::close(file)?;
        }
        // The old file is kept open, because freeing a large file takes the kernel as long as
        // writing it.
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let old = rustix::fs::open(path, flags, Mode::empty());
        replace(&self.temporary, path)?;
        self.unfinished = None;
        Ok(old.ok())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.unfinished.is_some() {
            let _ = rustix::fs::unlink(&self.temporary);
        }
    }
}

/// `f_type` of ext2 to ext4, XFS, Btrfs, F2FS and tmpfs (`<linux/magic.h>`).
const LEASES_SEE_MAPPINGS: [u64; 5] = [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994];

/// `fcntl` command of `<fcntl.h>` that `libc` lacks.
const F_SETSIG: libc::c_int = 10;

/// Gives the file `temporary` the name `path`; the file that had the name is unlinked.
///
/// If a file has the name, the two names are exchanged and the old file is unlinked, so that the
/// name exists at every moment. A rename over the old file would do as well. But ext4 then starts
/// to write the new file to disk before the call returns (`auto_da_alloc`), to survive a power cut,
/// which an output need not survive. That costs 270 ms of CPU against 246 for 800 MiB, and the
/// disk's time.
fn replace(temporary: &Path, path: &Path) -> Result<(), Errno> {
    let old = rustix::fs::lstat(path).ok();
    let is_file = old.is_some_and(|old| file_type(&old) != FileType::Directory);
    let exchange = || rustix::fs::renameat_with(CWD, temporary, CWD, path, RenameFlags::EXCHANGE);
    if !is_file || exchange().is_err() {
        return rustix::fs::rename(temporary, path);
    }
    match rustix::fs::unlink(temporary) {
        // A directory has got the name: exchange again.
        Err(errno @ Errno::ISDIR) => exchange().and(Err(errno)),
        // The new output is complete and has its name, even if a leftover stays.
        _ => Ok(()),
    }
}

/// Whether another process (or another descriptor of ours) has the file open or mapped.
///
/// A write lease is granted only if nobody else holds the file open, and a mapping holds it open.
/// This detects more than ETXTBSY does: libraries, programs that were started by naming the dynamic
/// loader, and running programs on the Linux versions (6.11, 6.12) that let these be written. On
/// file systems whose leases are not known to detect mappings, every file counts as in use:
/// overlayfs grants a lease on a file whose mappings belong to the file of a layer below.
fn is_in_use(file: &OwnedFd) -> bool {
    let file_system = rustix::fs::fstatfs(file).map(|fs| fs.f_type as u64);
    if !file_system.is_ok_and(|magic| LEASES_SEE_MAPPINGS.contains(&magic)) {
        return true;
    }
    let descriptor = file.as_raw_fd();
    // SAFETY: fcntl on an open descriptor with integer arguments. Should somebody open the file
    // while the lease is held, the kernel sends SIGURG, whose default is to be ignored, in place
    // of SIGIO, whose default is death.
    unsafe {
        libc::fcntl(descriptor, F_SETSIG, libc::SIGURG);
        let granted = libc::fcntl(descriptor, libc::F_SETLEASE, libc::F_WRLCK);
        let errno = std::io::Error::last_os_error().raw_os_error();
        libc::fcntl(descriptor, libc::F_SETLEASE, libc::F_UNLCK);
        granted == -1 && errno == Some(libc::EAGAIN)
    }
}

/// Gives `file` a size.
pub(super) fn resize(file: &OwnedFd, size: u64) -> Result<(), Errno> {
    loop {
        match rustix::fs::ftruncate(file, size) {
            Err(Errno::INTR) => {}
            // EINVAL is the kernel's answer to a size that no file can have.
            Err(Errno::INVAL) => return Err(Errno::FBIG),
            result => return result,
        }
    }
}

pub(super) fn file_type(status: &Stat) -> FileType {
    FileType::from_raw_mode(status.st_mode)
}

pub(super) fn same_file(a: &Stat, b: &Stat) -> bool {
    (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino)
}
