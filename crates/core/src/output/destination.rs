//! Where the bytes of an output go, and under which name, until it is whole.
//!
//! The rules, in this order (`docs/decisions/0001-output-file.md` has the reasons and what other
//! linkers do):
//! 1. `-`, and paths that lead to a descriptor of this process (`/dev/stdout`, `/dev/fd/3`): the
//!    bytes go into that descriptor, in order.
//! 2. What exists and is not a regular file (`/dev/null`, FIFOs, terminals): written through,
//!    never renamed, unlinked or truncated. The type is looked at before anything else is done.
//! 3. An executable that exists, has one name, is ours and is in use by nobody, unless the plan
//!    says atomic: renamed to a temporary name, overwritten there, renamed back.
//! 4. Everything else: a new file under a temporary name, which then takes the place of
//!    the old one. A symbolic
//!    link is replaced, as the other linkers do; so is one of several hard links.
//! 5. Where the directory takes no new file but the output exists and is writable: overwritten
//!    where it is, with its first bytes kept back until the rest is written.

use std::ffi::{CString, OsString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{CWD, FileType, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;

use super::{OutputPlan, transfer};
use crate::leave;
use crate::signals::unfinished::Unfinished;

/// An open destination. Dropped without [`Destination::finish`], it leaves nothing that looks
/// like a whole output.
pub(super) enum Destination {
    /// A file under a temporary name, which gets the final name when it is whole.
    Temporary(Temporary),
    /// The existing file, where its directory cannot be written.
    InPlace(InPlace),
    /// A pipe, a device, a descriptor of the caller: takes bytes in order.
    Stream(OwnedFd),
    /// The null device: takes nothing.
    Null,
}

pub(super) struct Temporary {
    /// `None` once closed.
    file: Option<OwnedFd>,
    temporary: PathBuf,
    /// `None` once renamed. Also what the signal handlers know.
    unfinished: Option<Unfinished>,
    /// The file was there before, with bytes of its own.
    is_reused: bool,
}

pub(super) struct InPlace {
    file: Option<OwnedFd>,
    unfinished: Option<Unfinished>,
}

impl Destination {
    /// Opens the destination of `plan` by the rules above, with its final size and mode.
    pub(super) fn open(plan: &OutputPlan) -> Result<Destination, Errno> {
        let path = plan.path.as_path();
        // Found at the end otherwise, by the rename.
        match path.as_os_str().as_bytes() {
            [] => return Err(Errno::NOENT),
            [.., b'/'] => return Err(Errno::ISDIR),
            _ => {}
        }
        if let Some(descriptor) = own_descriptor(path) {
            return duplicate(descriptor).map(Destination::Stream);
        }
        let old = rustix::fs::stat(path).ok();
        if let Some(old) = &old
            && file_type(old) != FileType::RegularFile
        {
            return open_special(path);
        }
        match Temporary::open(plan) {
            Ok(temporary) => Ok(Destination::Temporary(temporary)),
            Err(errno) if old.is_none() || plan.atomic || errno == Errno::FBIG => Err(errno),
            Err(errno) => InPlace::open(plan).map_err(|own| match own {
                Errno::TXTBSY => own,
                _ => errno,
            }),
        }
    }

    /// The file to write at offsets, where there is one.
    pub(super) fn file(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Destination::Temporary(temporary) => temporary.file.as_ref().map(|file| file.as_fd()),
            Destination::InPlace(in_place) => in_place.file.as_ref().map(|file| file.as_fd()),
            Destination::Stream(_) | Destination::Null => None,
        }
    }

    /// Whether bytes of an older output show where nothing is written.
    pub(super) fn holds_old_bytes(&self) -> bool {
        matches!(self, Destination::Temporary(temporary) if temporary.is_reused)
    }

    /// Closes the whole output and gives it its name.
    pub(super) fn finish(self, path: &Path) -> Result<(), Errno> {
        match self {
            Destination::Temporary(temporary) => temporary.finish(path),
            Destination::InPlace(in_place) => in_place.finish(),
            // Closing our copy of a descriptor says nothing about the data.
            Destination::Stream(_) | Destination::Null => Ok(()),
        }
    }
}

impl Temporary {
    fn open(plan: &OutputPlan) -> Result<Temporary, Errno> {
        if plan.is_executable_kind
            && !plan.atomic
            && let Some(reused) = Temporary::reuse(plan)
        {
            return match reused.file.as_ref().map_or(Ok(()), |file| resize(file, plan.size)) {
                Ok(()) => Ok(reused),
                // Nothing has been written: the old output stays.
                Err(errno) => {
                    reused.undo(&plan.path);
                    Err(errno)
                }
            };
        }
        let mode = Mode::from_raw_mode(plan.mode & 0o777);
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        for _ in 0..ATTEMPTS {
            let temporary = temporary_name(&plan.path);
            match rustix::fs::open(&temporary, flags, mode) {
                Ok(file) => return Temporary::new(file, temporary).with_size(plan.size),
                Err(Errno::EXIST | Errno::INTR) => {}
                Err(errno) => return Err(errno),
            }
        }
        Err(Errno::EXIST)
    }

    /// The existing output under a temporary name, if rule 3 allows it.
    fn reuse(plan: &OutputPlan) -> Option<Temporary> {
        let named = rustix::fs::lstat(&plan.path).ok()?;
        if file_type(&named) != FileType::RegularFile {
            return None;
        }
        // A running program answers ETXTBSY here; NONBLOCK in case it became a FIFO just now.
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::open(&plan.path, flags, Mode::empty()).ok()?;
        let old = rustix::fs::fstat(&file).ok()?;
        let is_ours = old.st_uid == rustix::process::geteuid().as_raw();
        if !same_file(&named, &old) || old.st_nlink != 1 || !is_ours || is_in_use(&file) {
            return None;
        }
        let temporary = rename_to_temporary(&plan.path)?;
        let mut reused = Temporary::new(file, temporary);
        reused.is_reused = true;
        // Somebody may have put another file there, or opened ours, since it was looked at.
        let moved = rustix::fs::lstat(&reused.temporary).ok();
        let is_same = moved.is_some_and(|moved| same_file(&moved, &old) && moved.st_nlink == 1);
        let mode = Mode::from_raw_mode(plan.mode & 0o777);
        let is_good = is_same
            && !reused.file.as_ref().is_some_and(is_in_use)
            && reused.file.as_ref().is_some_and(|file| rustix::fs::fchmod(file, mode).is_ok());
        if is_good {
            return Some(reused);
        }
        reused.undo(&plan.path);
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

    /// Gives the name back to a file that turned out not to be reusable, unless it is taken.
    fn undo(mut self, path: &Path) {
        let back =
            rustix::fs::renameat_with(CWD, &self.temporary, CWD, path, RenameFlags::NOREPLACE);
        if back.is_ok() {
            self.unfinished = None;
        }
    }

    fn finish(mut self, path: &Path) -> Result<(), Errno> {
        if let Some(file) = self.file.take() {
            transfer::close(file)?;
        }
        // The kernel frees a large file as slowly as it writes one, unless somebody holds it.
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let old = rustix::fs::open(path, flags, Mode::empty());
        replace(&self.temporary, path)?;
        self.unfinished = None;
        old.into_iter().for_each(leave::close_last);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.unfinished.is_some() {
            let _ = rustix::fs::unlink(&self.temporary);
        }
    }
}

impl InPlace {
    fn open(plan: &OutputPlan) -> Result<Destination, Errno> {
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
        let file = rustix::fs::open(&plan.path, flags, Mode::empty())?;
        let old = rustix::fs::fstat(&file)?;
        if file_type(&old) != FileType::RegularFile {
            return Err(Errno::ACCESS);
        }
        let unfinished = Unfinished::truncate(file.as_fd());
        let in_place = InPlace { file: Some(file), unfinished: Some(unfinished) };
        if let Some(file) = &in_place.file {
            resize(file, 0)?;
            resize(file, plan.size)?;
            // Only the owner may; a file that others own keeps the mode they gave it.
            let executable = plan.mode & 0o111;
            let mode = Mode::from_raw_mode(old.st_mode & 0o777 | executable);
            let _ = rustix::fs::fchmod(file, mode);
        }
        Ok(Destination::InPlace(in_place))
    }

    fn finish(mut self) -> Result<(), Errno> {
        if let Some(file) = &self.file {
            // Closing a copy brings out the errors of close while the file can still be emptied.
            transfer::close(duplicate(file.as_raw_fd())?)?;
        }
        self.unfinished = None;
        Ok(())
    }
}

impl Drop for InPlace {
    fn drop(&mut self) {
        if let Some(file) = &self.file
            && self.unfinished.take().is_some()
        {
            let _ = resize(file, 0);
        }
    }
}

/// Temporary names tried before giving up on a directory full of them.
const ATTEMPTS: usize = 100;

/// A name in the directory of `path` that no other link uses now: process id and a counter.
/// Another container may share the directory and the process id, so creation is exclusive.
fn temporary_name(path: &Path) -> PathBuf {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let mut name = OsString::from(".");
    let file_name = path.file_name().unwrap_or_default().as_bytes();
    // NAME_MAX is 255; what identifies the link is added to at most 200 bytes of the name.
    name.push(OsString::from_vec(file_name[..file_name.len().min(200)].to_vec()));
    name.push(format!(".skald-{}-{count}", std::process::id()));
    path.with_file_name(name)
}

/// Moves `path` to a temporary name, never over an existing file.
fn rename_to_temporary(path: &Path) -> Option<PathBuf> {
    for _ in 0..ATTEMPTS {
        let temporary = temporary_name(path);
        let renamed = rustix::fs::renameat_with(CWD, path, CWD, &temporary, RenameFlags::NOREPLACE);
        match renamed {
            Ok(()) => return Some(temporary),
            Err(Errno::EXIST | Errno::INTR) => {}
            // File systems without NOREPLACE answer EINVAL: no reuse there.
            Err(_) => return None,
        }
    }
    None
}

/// `f_type` of ext2 to ext4, XFS, Btrfs, F2FS and tmpfs (`<linux/magic.h>`).
const LEASES_SEE_MAPPINGS: [u64; 5] = [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994];

/// `fcntl` command of `<fcntl.h>` that `libc` lacks.
const F_SETSIG: libc::c_int = 10;

/// Gives the file `temporary` the name `path`; what had the name is unlinked.
///
/// Where something has the name, the two are exchanged and the old one unlinked, at no moment of
/// which the name is absent. A rename over the old file would do, but ext4 then starts to write
/// the new one to its disk before the call returns (`auto_da_alloc`), to survive a power cut that
/// an output need not survive: 270 ms of CPU against 246 for 800 MiB, and the disk's time.
fn replace(temporary: &Path, path: &Path) -> Result<(), Errno> {
    let old = rustix::fs::lstat(path).ok();
    let is_file = old.is_some_and(|old| file_type(&old) != FileType::Directory);
    let exchange = || rustix::fs::renameat_with(CWD, temporary, CWD, path, RenameFlags::EXCHANGE);
    if !is_file || exchange().is_err() {
        return rustix::fs::rename(temporary, path);
    }
    match rustix::fs::unlink(temporary) {
        // A directory came between: give its name back.
        Err(errno @ Errno::ISDIR) => exchange().and(Err(errno)),
        // The new output is whole and in place; a leftover is no reason to call it failed.
        _ => Ok(()),
    }
}

/// Whether another process (or another descriptor of ours) has the file open or mapped.
///
/// A write lease is granted only if nobody else holds the file open, and a mapping holds it open.
/// This sees what ETXTBSY does not: libraries and programs started through the dynamic loader by
/// name, and, on the Linux versions (6.11, 6.12) that let running programs be written, those too.
/// Where the file system's leases are not known to see mappings, every file counts as in use:
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

/// The descriptor of this process that `path` stands for: `-`, or symbolic links that end in
/// `/proc/self/fd/N`. Opening such a path would begin again at offset 0 of what the caller has
/// half written, and renaming onto it would replace `/dev/stdout` for the whole machine.
fn own_descriptor(path: &Path) -> Option<i32> {
    if path.as_os_str() == "-" {
        return Some(1);
    }
    let mut path = path.to_path_buf();
    for _ in 0..40 {
        if let Some(descriptor) = proc_descriptor(&path) {
            return Some(descriptor);
        }
        let target = rustix::fs::readlink(&path, Vec::new()).ok()?;
        let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    None
}

/// `N` of a path whose directory is the descriptor directory of this process.
fn proc_descriptor(path: &Path) -> Option<i32> {
    let number = path.file_name()?.to_str()?.parse().ok()?;
    let parent = path.parent()?;
    // Cheap for ordinary outputs: few end in a number.
    let here = rustix::fs::stat(parent).ok()?;
    ["/proc/self/fd", "/proc/thread-self/fd"]
        .iter()
        .any(|own| rustix::fs::stat(*own).is_ok_and(|own| same_file(&own, &here)))
        .then_some(number)
}

fn duplicate(descriptor: i32) -> Result<OwnedFd, Errno> {
    // SAFETY: fcntl takes any number; a positive answer is a new descriptor that nobody owns.
    unsafe {
        match libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, 3) {
            -1 => Err(last_errno()),
            copy => Ok(OwnedFd::from_raw_fd(copy)),
        }
    }
}

fn last_errno() -> Errno {
    let raw = std::io::Error::last_os_error().raw_os_error();
    raw.map_or(Errno::IO, Errno::from_raw_os_error)
}

fn open_special(path: &Path) -> Result<Destination, Errno> {
    let flags = OFlags::WRONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = loop {
        // Opening a FIFO waits for its reader.
        match rustix::fs::open(path, flags, Mode::empty()) {
            Err(Errno::INTR) => {}
            result => break result?,
        }
    };
    let status = rustix::fs::fstat(&file)?;
    let is_null = file_type(&status) == FileType::CharacterDevice
        && status.st_rdev == rustix::fs::makedev(1, 3);
    Ok(if is_null { Destination::Null } else { Destination::Stream(file) })
}

fn resize(file: &OwnedFd, size: u64) -> Result<(), Errno> {
    loop {
        match rustix::fs::ftruncate(file, size) {
            Err(Errno::INTR) => {}
            // What the kernel answers to a size above any file's.
            Err(Errno::INVAL) => return Err(Errno::FBIG),
            result => return result,
        }
    }
}

fn file_type(status: &Stat) -> FileType {
    FileType::from_raw_mode(status.st_mode)
}

fn same_file(a: &Stat, b: &Stat) -> bool {
    (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino)
}
