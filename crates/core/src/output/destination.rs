//! Where the bytes of an output go, and under which name, until it is whole.
//!
//! The rules, in this order (`docs/decisions/0001-output-file.md` has the reasons and what other
//! linkers do):
//! 1. `-`, and paths that lead to a descriptor of this process (`/dev/stdout`, `/dev/fd/3`): the
//!    bytes go into that descriptor, in order.
//! 2. What exists and is not a regular file (`/dev/null`, FIFOs, terminals): written through, never
//!    renamed, unlinked or truncated. The type is looked at before anything else is done.
//! 3. An executable that exists, has one name, is ours and is in use by nobody, unless the plan
//!    says atomic: renamed to a temporary name, overwritten there, renamed back.
//! 4. Everything else: a new file under a temporary name, which then takes the place of the old
//!    one. A symbolic link is replaced, as the other linkers do; so is one of several hard links.
//! 5. Where the directory takes no new file but the output exists and is writable: overwritten
//!    where it is, with its first bytes kept back until the rest is written.

use std::ffi::OsString;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::temporary::{Temporary, file_type, resize, same_file};
use super::{OutputPlan, transfer};
use crate::signals::unfinished::Unfinished;
use crate::{patience, standard_streams};

/// An open destination. Dropped without [`Destination::finish`], it leaves nothing that looks
/// like a whole output.
pub(super) enum Destination {
    /// A file under a temporary name, which gets the final name when it is whole.
    Temporary(Temporary),
    /// The existing file, if its directory cannot be written.
    InPlace(InPlace),
    /// A pipe, a device or a descriptor of the caller, which takes bytes in order only.
    Stream(OwnedFd),
    /// The null device, to which nothing is written.
    Null,
}

pub(super) struct InPlace {
    file: Option<OwnedFd>,
    unfinished: Option<Unfinished>,
}

impl Destination {
    /// Opens the destination of `plan` by the rules above, with its final size and mode.
    pub(super) fn open(plan: &OutputPlan) -> Result<Destination, Errno> {
        let path = plan.path.as_path();
        can_name_a_file(path)?;
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

    /// The file, if the destination has offsets to write at.
    pub(super) fn file(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Destination::Temporary(temporary) => temporary.file(),
            Destination::InPlace(in_place) => in_place.file.as_ref().map(|file| file.as_fd()),
            Destination::Stream(_) | Destination::Null => None,
        }
    }

    /// Where bytes are written in order: the file from its beginning, or a stream; `None` for the
    /// null device.
    pub(super) fn writer(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Destination::Stream(file) => Some(file.as_fd()),
            _ => self.file(),
        }
    }

    /// Whether bytes that are not written are those of an older output, and not zero.
    pub(super) fn holds_old_bytes(&self) -> bool {
        matches!(self, Destination::Temporary(temporary) if temporary.is_reused())
    }

    /// Closes the whole output and gives it its name.
    pub(super) fn finish(self, path: &Path) -> Result<(), Errno> {
        match self {
            Destination::Temporary(temporary) => temporary.finish(path),
            Destination::InPlace(in_place) => in_place.finish(),
            // The error of closing our copy of a descriptor would say nothing of the data.
            Destination::Stream(_) | Destination::Null => Ok(()),
        }
    }
}

/// Whether a file could be written to `path`, as far as it can be known without doing anything.
pub(super) fn check(path: &Path) -> Result<(), Errno> {
    can_name_a_file(path)?;
    if let Some(descriptor) = own_descriptor(path) {
        return duplicate(descriptor).map(|_| ());
    }
    let may = |path: &Path, access| match rustix::fs::accessat(CWD, path, access, AtFlags::EACCESS)
    {
        // If the kernel or file system does not answer, writing will show.
        Err(Errno::NOSYS | Errno::INVAL) => Ok(()),
        result => result,
    };
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let takes_files =
        || may(directory.unwrap_or(Path::new(".")), Access::WRITE_OK | Access::EXEC_OK);
    match rustix::fs::stat(path).map(|old| file_type(&old)) {
        Ok(FileType::Directory) => Err(Errno::ISDIR),
        Ok(FileType::RegularFile) => {
            takes_files().or_else(|errno| may(path, Access::WRITE_OK).or(Err(errno)))
        }
        Ok(_) => may(path, Access::WRITE_OK),
        Err(_) => takes_files(),
    }
}

/// Refuses a path for which the rename at the end would fail.
fn can_name_a_file(path: &Path) -> Result<(), Errno> {
    match path.as_os_str().as_bytes() {
        [] => Err(Errno::NOENT),
        [.., b'/'] => Err(Errno::ISDIR),
        _ => Ok(()),
    }
}

impl InPlace {
    fn open(plan: &OutputPlan) -> Result<Destination, Errno> {
        let flags = OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
        let open = |access| rustix::fs::open(&plan.path, flags | access, Mode::empty());
        // What is written may have to be read again: see [`super::written`].
        let file = open(OFlags::RDWR).or_else(|_| open(OFlags::WRONLY))?;
        let old = rustix::fs::fstat(&file)?;
        if file_type(&old) != FileType::RegularFile {
            return Err(Errno::ACCESS);
        }
        let unfinished = Unfinished::truncate(file.as_fd());
        let in_place = InPlace { file: Some(file), unfinished: Some(unfinished) };
        if let Some(file) = &in_place.file {
            resize(file, 0)?;
            resize(file, plan.size)?;
            // Only the owner may change the mode; otherwise the file keeps the one that its owner
            // gave it.
            let executable = plan.mode & 0o111;
            let mode = Mode::from_raw_mode(old.st_mode & 0o777 | executable);
            let _ = rustix::fs::fchmod(file, mode);
        }
        Ok(Destination::InPlace(in_place))
    }

    fn finish(mut self) -> Result<(), Errno> {
        if let Some(file) = &self.file {
            // Errors of close are seen with a copy of the descriptor, while the file can still be
            // truncated.
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

/// The descriptor of this process that `path` stands for: `-`, or symbolic links that end in
/// `/proc/self/fd/N`. Opening such a path would begin again at offset 0 of what the caller has
/// half written, and renaming onto it would replace `/dev/stdout` for the whole machine.
pub(super) fn own_descriptor(path: &Path) -> Option<i32> {
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
    // Cheap for ordinary outputs, as few names end in a number.
    let here = rustix::fs::stat(parent).ok()?;
    ["/proc/self/fd", "/proc/thread-self/fd"]
        .iter()
        .any(|own| rustix::fs::stat(*own).is_ok_and(|own| same_file(&own, &here)))
        .then_some(number)
}

fn duplicate(descriptor: i32) -> Result<OwnedFd, Errno> {
    if standard_streams::was_closed(descriptor) {
        return Err(Errno::BADF);
    }
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
    let open = || loop {
        match rustix::fs::open(path, flags, Mode::empty()) {
            Err(Errno::INTR) => {}
            result => break result,
        }
    };
    // To open a FIFO waits for its reader.
    let is_fifo = rustix::fs::stat(path).is_ok_and(|old| file_type(&old) == FileType::Fifo);
    let file = match is_fifo {
        true => patience::waiting_for("a reader", path, open),
        false => open(),
    }?;
    let status = rustix::fs::fstat(&file)?;
    let is_null = file_type(&status) == FileType::CharacterDevice
        && status.st_rdev == rustix::fs::makedev(1, 3);
    Ok(if is_null { Destination::Null } else { Destination::Stream(file) })
}
