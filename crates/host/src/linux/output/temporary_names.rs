//! Temporary names, and the removal of files that killed links have left under them.
//!
//! The name is `.NAME.skald-N` in the directory of NAME, with the smallest N that is free. The
//! process that writes such a file holds a shared lock of it (`flock`) until the file has its final
//! name. The kernel releases the lock when the process ends, however it ends. So a file under such
//! a name that can be locked exclusively is a leftover, and the next link to the same NAME removes
//! it. Only the names up to the first free one are checked: the directory is never listed.
//!
//! A file is removed only under its exclusive lock, and only if the name still leads to it. A new
//! file is locked after it was made; if somebody took it for a leftover in between, another name is
//! tried.

use std::ffi::OsString;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, FlockOperation, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::temporary::{file_type, same_file};

/// Maximum number of names that are tried.
const ATTEMPTS: u32 = 100;
/// The first names are the same for all processes; the others contain a process id, because without
/// working locks, leftovers could take any number of names.
const SHARED: u32 = 8;

/// `f_type` of local file systems, where a process that has ended holds no lock: ext2 to ext4, XFS,
/// Btrfs, F2FS, tmpfs, overlayfs (`<linux/magic.h>`), ZFS.
const LOCKS_ARE_SEEN: [u64; 7] =
    [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994, 0x794c_7630, 0x2fc1_2fc1];

/// A new file under a temporary name for `path`, open for reading and writing, and locked.
pub(super) fn create(path: &Path, mode: Mode) -> Result<(OwnedFd, PathBuf), Errno> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let mut number = 0;
    for _ in 0..ATTEMPTS {
        let name = name(path, number);
        match rustix::fs::open(&name, flags, mode) {
            Ok(file) => {
                if lock(&file) && leads_to(&name, &file) {
                    remove_leftovers(path, number + 1);
                    return Ok((file, name));
                }
                number += 1;
            }
            Err(Errno::EXIST) if remove_leftover(&name) => {}
            Err(Errno::EXIST) => number += 1,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
    Err(Errno::EXIST)
}

/// Moves `path`, which is open as `file`, to a temporary name, never over an existing file.
pub(super) fn take_over(path: &Path, file: &OwnedFd) -> Option<PathBuf> {
    if !lock(file) {
        return None;
    }
    let mut number = 0;
    for _ in 0..ATTEMPTS {
        let name = name(path, number);
        match rustix::fs::renameat_with(CWD, path, CWD, &name, RenameFlags::NOREPLACE) {
            Ok(()) => {
                remove_leftovers(path, number + 1);
                return Some(name);
            }
            Err(Errno::EXIST) if remove_leftover(&name) => {}
            Err(Errno::EXIST) => number += 1,
            Err(Errno::INTR) => {}
            // File systems without NOREPLACE answer EINVAL: no reuse there.
            Err(_) => return None,
        }
    }
    None
}

/// Opens the file `name` again, which keeps it locked after its descriptor for writing is closed.
pub(super) fn hold(name: &Path) -> Option<OwnedFd> {
    let file = rustix::fs::open(name, LOOK, Mode::empty()).ok()?;
    lock(&file).then_some(file)
}

/// Flags for opening a file of unknown type.
const LOOK: OFlags =
    OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

fn name(path: &Path, number: u32) -> PathBuf {
    let mut name = OsString::from(".");
    let file_name = path.file_name().unwrap_or_default().as_bytes();
    // NAME_MAX is 255: the rest is for the suffix.
    name.push(OsString::from_vec(file_name[..file_name.len().min(200)].to_vec()));
    name.push(".skald-");
    if number >= SHARED {
        name.push(format!("{}-", std::process::id()));
    }
    name.push(number.to_string());
    path.with_file_name(name)
}

/// Locks `file` for this process; `false` if another process is about to remove it as a leftover.
/// On a file system without locks no process does that.
fn lock(file: &OwnedFd) -> bool {
    rustix::fs::flock(file, FlockOperation::NonBlockingLockShared) != Err(Errno::WOULDBLOCK)
}

/// Whether `name` still leads to `file`; `true` if that cannot be determined.
fn leads_to(name: &Path, file: &OwnedFd) -> bool {
    match (rustix::fs::lstat(name), rustix::fs::fstat(file)) {
        (Ok(named), Ok(open)) => same_file(&named, &open),
        (Err(errno), _) => errno != Errno::NOENT,
        (_, Err(_)) => true,
    }
}

/// Removes leftovers under the names from `number` on, up to the first that is free.
fn remove_leftovers(path: &Path, number: u32) {
    for number in number..SHARED {
        let name = name(path, number);
        match rustix::fs::open(&name, LOOK, Mode::empty()) {
            Ok(file) => {
                remove_unowned(&name, file.as_fd());
            }
            Err(Errno::NOENT) => return,
            Err(_) => {}
        }
    }
}

/// Removes a leftover; returns whether `name` may be free now.
fn remove_leftover(name: &Path) -> bool {
    match rustix::fs::open(name, LOOK, Mode::empty()) {
        Ok(file) => remove_unowned(name, file.as_fd()),
        Err(errno) => errno == Errno::NOENT,
    }
}

/// Removes the file `name`, open as `file`, if it is ours and no link holds it.
fn remove_unowned(name: &Path, file: std::os::fd::BorrowedFd<'_>) -> bool {
    let is_seen = |magic: u64| LOCKS_ARE_SEEN.contains(&magic);
    if !rustix::fs::fstatfs(file).is_ok_and(|system| is_seen(system.f_type as u64)) {
        return false;
    }
    let Ok(open) = rustix::fs::fstat(file) else { return false };
    let is_ours = open.st_uid == rustix::process::geteuid().as_raw();
    if file_type(&open) != FileType::RegularFile || !is_ours {
        return false;
    }
    // With this lock no other process removes the file, and while the file exists no other one gets
    // its name.
    rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
        && rustix::fs::lstat(name).is_ok_and(|named| same_file(&named, &open))
        && rustix::fs::unlink(name).is_ok()
}
