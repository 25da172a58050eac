//! The destination of an output: the file or descriptor that is written, and its name until the
//! output is complete.
//!
//! The rules, in this order (`docs/decisions/0001-output-file.md` has the reasons and what other
//! linkers do):
//! 1. `-`, and paths that lead to a descriptor of this process (`/dev/stdout`, `/dev/fd/3`): the
//!    bytes go into that descriptor, in order.
//! 2. Existing files that are not regular (`/dev/null`, FIFOs, terminals): written through, never
//!    renamed, unlinked or truncated. The type is checked before anything else is done.
//! 3. An existing executable that has one name, belongs to this user and is not in use, unless
//!    [`Wanted::atomic`] is set: renamed to a temporary name, overwritten there, renamed back.
//! 4. Everything else: a new file under a temporary name, which then takes the place of the old
//!    one. A symbolic link is replaced, as the other linkers do; so is one of several hard links.
//! 5. If no file can be created in the directory, but the output exists and is writable:
//!    overwritten in place, with its first bytes written last.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::mapping::Mapping;
use super::temporary::{Temporary, file_type, resize, same_file};
use super::transfer;
use super::written::Written;
use crate::output::{SharedPages, Wanted, Way};
use crate::system::faults::unfinished::Unfinished;
use crate::system::patience;
use crate::system::standard_streams;

/// An open destination. Dropped without [`Destination::finish`], it leaves nothing that looks
/// like a whole output.
pub struct Destination(Open);

enum Open {
    /// A file under a temporary name, which gets the final name when it is whole.
    Temporary(Temporary),
    /// The existing file, if its directory cannot be written.
    InPlace(InPlace),
    /// A pipe, a device or a descriptor of the caller, which takes bytes in order only.
    Stream(OwnedFd),
    /// The null device, to which nothing is written.
    Null,
}

/// A file that has no name any more. The kernel frees it when this is dropped, which for a large
/// file takes as long as writing it.
#[derive(Debug)]
pub struct Replaced(#[expect(dead_code, reason = "it is kept open")] OwnedFd);

struct InPlace {
    file: Option<OwnedFd>,
    unfinished: Option<Unfinished>,
}

impl Destination {
    /// Opens the destination `wanted` by the rules above, with its final size and mode.
    ///
    /// # Errors
    /// Those of the system.
    pub fn open(wanted: &Wanted<'_>) -> io::Result<Destination> {
        Ok(Destination(Open::by_rules(wanted)?))
    }

    /// How bytes get into the destination.
    pub fn way(&self) -> Way {
        match self.0 {
            Open::Temporary(_) => Way::AtOffsets,
            Open::InPlace(_) => Way::InPlace,
            Open::Stream(_) => Way::InOrder,
            Open::Null => Way::Nowhere,
        }
    }

    /// Whether unwritten bytes have the content of an older output, and are not zero.
    pub fn holds_old_bytes(&self) -> bool {
        matches!(&self.0, Open::Temporary(temporary) if temporary.is_reused())
    }

    /// Writes all of `bytes` at `file_offset`; does nothing if the destination has no offsets.
    ///
    /// # Errors
    /// Those of the system.
    pub fn write_at(&self, bytes: &[u8], file_offset: u64) -> io::Result<()> {
        let Some(file) = self.0.file() else { return Ok(()) };
        Ok(transfer::write_all_at(file, bytes, file_offset)?)
    }

    /// Writes all of `bytes` at the current position, which is at first the beginning of the file.
    ///
    /// # Errors
    /// Those of the system.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let Some(file) = self.0.writer() else { return Ok(()) };
        Ok(transfer::write_all(file, bytes)?)
    }

    /// Gives a file another size.
    ///
    /// # Errors
    /// Those of the system.
    pub fn resize(&self, size: u64) -> io::Result<()> {
        let Some(file) = self.0.file() else { return Ok(()) };
        Ok(rustix::fs::ftruncate(file, size)?)
    }

    /// A shared mapping of the first `len` bytes of a file, which is at least as large; `path` is
    /// its name for messages.
    ///
    /// # Errors
    /// Those of the system, and if the destination is not a file.
    pub fn map(&self, len: usize, path: &Path) -> io::Result<Mapping> {
        let file = self.0.file().ok_or(Errno::NODEV)?;
        Ok(Mapping::shared(file, len, path)?)
    }

    /// The cost of such a mapping in comparison with writing.
    pub fn shared_pages(&self) -> SharedPages {
        const BTRFS: i64 = 0x9123_683e;
        const TMPFS: i64 = 0x0102_1994;
        const EXT: i64 = 0xef53;
        const XFS: i64 = 0x5846_5342;
        match self.0.file().and_then(|file| Some(rustix::fs::fstatfs(file).ok()?.f_type)) {
            Some(TMPFS | BTRFS) => SharedPages::Small,
            Some(EXT | XFS) => SharedPages::Large,
            _ => SharedPages::Unknown,
        }
    }

    /// Access to the bytes that were written so far.
    ///
    /// # Errors
    /// If the file is write-only, or the destination is not a file.
    pub fn written(&self) -> io::Result<Written> {
        let file = self.0.file().ok_or(Errno::NODEV)?;
        rustix::io::pread(file, &mut [0], 0)?;
        Ok(Written::new(file.try_clone_to_owned()?))
    }

    /// Closes the complete output and gives it its name, `path`. Returns the file that had this
    /// name before.
    ///
    /// # Errors
    /// Those of the system.
    pub fn finish(self, path: &Path) -> io::Result<Option<Replaced>> {
        match self.0 {
            Open::Temporary(temporary) => Ok(temporary.finish(path)?.map(Replaced)),
            Open::InPlace(in_place) => Ok(in_place.finish().map(|()| None)?),
            // An error of closing our copy of a descriptor would not concern the data.
            Open::Stream(_) | Open::Null => Ok(None),
        }
    }
}

impl Open {
    fn by_rules(wanted: &Wanted<'_>) -> Result<Open, Errno> {
        let path = wanted.path;
        can_name_a_file(path)?;
        if let Some(descriptor) = own_descriptor(path) {
            return duplicate(descriptor).map(Open::Stream);
        }
        let old = rustix::fs::stat(path).ok();
        if let Some(old) = &old
            && file_type(old) != FileType::RegularFile
        {
            return open_special(path);
        }
        match Temporary::open(wanted) {
            Ok(temporary) => Ok(Open::Temporary(temporary)),
            Err(errno) if old.is_none() || wanted.atomic || errno == Errno::FBIG => Err(errno),
            Err(errno) => InPlace::open(wanted).map_err(|own| match own {
                Errno::TXTBSY => own,
                _ => errno,
            }),
        }
    }

    /// The file, if the destination has offsets to write at.
    fn file(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Open::Temporary(temporary) => temporary.file(),
            Open::InPlace(in_place) => in_place.file.as_ref().map(|file| file.as_fd()),
            Open::Stream(_) | Open::Null => None,
        }
    }

    /// The descriptor for writing in order: the file from its beginning, or a stream; `None` for
    /// the null device.
    fn writer(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Open::Stream(file) => Some(file.as_fd()),
            _ => self.file(),
        }
    }
}

/// Whether a file could be written to `path`, as far as that can be known without writing one.
///
/// # Errors
/// The errors that writing would have.
pub fn check(path: &Path) -> io::Result<()> {
    Ok(may_write(path)?)
}

/// Whether `path` leads to a descriptor of this process.
pub fn is_stream(path: &Path) -> bool {
    own_descriptor(path).is_some()
}

fn may_write(path: &Path) -> Result<(), Errno> {
    can_name_a_file(path)?;
    if let Some(descriptor) = own_descriptor(path) {
        return duplicate(descriptor).map(|_| ());
    }
    let may = |path: &Path, access| match rustix::fs::accessat(CWD, path, access, AtFlags::EACCESS)
    {
        // If the kernel or file system cannot tell, writing will show whether it works.
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

/// Fails for a path for which the final rename would fail.
fn can_name_a_file(path: &Path) -> Result<(), Errno> {
    match path.as_os_str().as_bytes() {
        [] => Err(Errno::NOENT),
        [.., b'/'] => Err(Errno::ISDIR),
        _ => Ok(()),
    }
}

impl InPlace {
    fn open(wanted: &Wanted<'_>) -> Result<Open, Errno> {
        let flags = OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
        let open = |access| rustix::fs::open(wanted.path, flags | access, Mode::empty());
        // Written bytes may have to be read again: see [`super::written`].
        let file = open(OFlags::RDWR).or_else(|_| open(OFlags::WRONLY))?;
        let old = rustix::fs::fstat(&file)?;
        if file_type(&old) != FileType::RegularFile {
            return Err(Errno::ACCESS);
        }
        let unfinished = Unfinished::truncate(file.as_fd());
        let in_place = InPlace { file: Some(file), unfinished: Some(unfinished) };
        if let Some(file) = &in_place.file {
            resize(file, 0)?;
            resize(file, wanted.size)?;
            // Only the owner may change the mode; otherwise the file keeps the one that its owner
            // gave it.
            let executable = wanted.mode & 0o111;
            let mode = Mode::from_raw_mode(old.st_mode & 0o777 | executable);
            let _ = rustix::fs::fchmod(file, mode);
        }
        Ok(Open::InPlace(in_place))
    }

    fn finish(mut self) -> Result<(), Errno> {
        if let Some(file) = &self.file {
            // A copy of the descriptor is closed to get the errors of close while the file can
            // still be truncated.
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
/// `/proc/self/fd/N`. Opening such a path would start at offset 0 of a file that the caller is
/// writing, and renaming onto it would replace `/dev/stdout` for the whole machine.
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
    // This is cheap for ordinary outputs, as few names are a number.
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

fn open_special(path: &Path) -> Result<Open, Errno> {
    let flags = OFlags::WRONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
    let open = || loop {
        match rustix::fs::open(path, flags, Mode::empty()) {
            Err(Errno::INTR) => {}
            result => break result,
        }
    };
    // Opening a FIFO waits for its reader.
    let is_fifo = rustix::fs::stat(path).is_ok_and(|old| file_type(&old) == FileType::Fifo);
    let file = if is_fifo { patience::waiting_for("a reader", path, open) } else { open() }?;
    let status = rustix::fs::fstat(&file)?;
    let is_null = file_type(&status) == FileType::CharacterDevice
        && status.st_rdev == rustix::fs::makedev(1, 3);
    Ok(if is_null { Open::Null } else { Open::Stream(file) })
}
