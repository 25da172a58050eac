//! The system calls that may fail, and how (their pages in section 2 of the manual).

use nix::errno::Errno;
use nix::libc;

/// A system call that may fail.
#[derive(Debug, PartialEq, Eq)]
pub struct Call {
    number: libc::c_long,
    /// Name of the system call.
    pub name: &'static str,
    /// Errors with which the tracer lets it fail.
    pub errors: &'static [Errno],
    /// It may succeed for only part of the length that its third argument gives.
    pub can_be_short: bool,
}

/// The call with this number, if the table has it.
pub fn of(number: u64) -> Option<&'static Call> {
    CALLS.iter().find(|call| call.number as u64 == number)
}

use Errno::{
    EACCES, EAGAIN, EDQUOT, EFBIG, EINTR, EIO, EMFILE, ENFILE, ENOENT, ENOMEM, ENOSPC, EPERM,
};

const fn row(number: libc::c_long, name: &'static str, errors: &'static [Errno]) -> Call {
    Call { number, name, errors, can_be_short: false }
}

const fn moving(number: libc::c_long, name: &'static str, errors: &'static [Errno]) -> Call {
    Call { number, name, errors, can_be_short: true }
}

const OPEN: &[Errno] = &[EINTR, EIO, ENOMEM, EMFILE, ENFILE, EACCES, ENOSPC, EDQUOT];
const READ: &[Errno] = &[EINTR, EIO, ENOMEM, EAGAIN];
const WRITE: &[Errno] = &[EINTR, EIO, ENOSPC, EDQUOT, EFBIG, ENOMEM];
const LOOK: &[Errno] = &[EIO, ENOMEM, EACCES];
const CHANGE: &[Errno] = &[EIO, ENOSPC, EDQUOT, EPERM, ENOMEM];
const ROOM: &[Errno] = &[EINTR, EIO, ENOSPC, EDQUOT, EPERM];
const MEMORY: &[Errno] = &[ENOMEM];

static CALLS: &[Call] = &[
    row(libc::SYS_open, "open", OPEN),
    row(libc::SYS_openat, "openat", OPEN),
    moving(libc::SYS_read, "read", READ),
    moving(libc::SYS_pread64, "pread64", READ),
    row(libc::SYS_readv, "readv", READ),
    row(libc::SYS_preadv2, "preadv2", READ),
    moving(libc::SYS_write, "write", WRITE),
    moving(libc::SYS_pwrite64, "pwrite64", WRITE),
    row(libc::SYS_writev, "writev", WRITE),
    row(libc::SYS_sendfile, "sendfile", WRITE),
    row(libc::SYS_copy_file_range, "copy_file_range", WRITE),
    row(libc::SYS_ftruncate, "ftruncate", ROOM),
    row(libc::SYS_fallocate, "fallocate", ROOM),
    row(libc::SYS_fsync, "fsync", ROOM),
    row(libc::SYS_close, "close", &[EIO, EINTR, ENOSPC, EDQUOT]),
    row(libc::SYS_stat, "stat", LOOK),
    row(libc::SYS_lstat, "lstat", LOOK),
    row(libc::SYS_fstat, "fstat", LOOK),
    row(libc::SYS_newfstatat, "newfstatat", LOOK),
    row(libc::SYS_statx, "statx", LOOK),
    row(libc::SYS_readlink, "readlink", LOOK),
    row(libc::SYS_readlinkat, "readlinkat", LOOK),
    row(libc::SYS_access, "access", LOOK),
    row(libc::SYS_getcwd, "getcwd", &[ENOENT, ENOMEM]),
    row(libc::SYS_lseek, "lseek", &[EIO]),
    row(libc::SYS_flock, "flock", &[EINTR, ENOMEM, EAGAIN]),
    row(libc::SYS_rename, "rename", CHANGE),
    row(libc::SYS_renameat, "renameat", CHANGE),
    row(libc::SYS_renameat2, "renameat2", CHANGE),
    row(libc::SYS_link, "link", CHANGE),
    row(libc::SYS_linkat, "linkat", CHANGE),
    row(libc::SYS_unlink, "unlink", CHANGE),
    row(libc::SYS_unlinkat, "unlinkat", CHANGE),
    row(libc::SYS_fchmod, "fchmod", CHANGE),
    row(libc::SYS_chmod, "chmod", CHANGE),
    row(libc::SYS_mmap, "mmap", &[ENOMEM, EAGAIN]),
    row(libc::SYS_mremap, "mremap", MEMORY),
    // Not brk: only the C library's malloc makes that call, and when it fails in glibc 2.36,
    // `calloc` ends the program with SIGSEGV.
    row(libc::SYS_madvise, "madvise", &[ENOMEM, EAGAIN, EIO]),
    row(libc::SYS_mprotect, "mprotect", MEMORY),
    row(libc::SYS_memfd_create, "memfd_create", &[EMFILE, ENFILE, ENOMEM]),
    row(libc::SYS_pipe2, "pipe2", &[EMFILE, ENFILE]),
    row(libc::SYS_eventfd2, "eventfd2", &[EMFILE, ENFILE, ENOMEM]),
    row(libc::SYS_clone, "clone", &[EAGAIN, ENOMEM]),
    row(libc::SYS_clone3, "clone3", &[EAGAIN, ENOMEM]),
    row(libc::SYS_fork, "fork", &[EAGAIN, ENOMEM]),
    row(libc::SYS_vfork, "vfork", &[EAGAIN, ENOMEM]),
    row(libc::SYS_getrandom, "getrandom", &[EINTR]),
    row(libc::SYS_prlimit64, "prlimit64", &[EPERM]),
    row(libc::SYS_sched_getaffinity, "sched_getaffinity", &[EPERM]),
    row(libc::SYS_process_madvise, "process_madvise", &[EINTR, ENOMEM, EPERM]),
    row(libc::SYS_poll, "poll", &[EINTR, ENOMEM]),
];
