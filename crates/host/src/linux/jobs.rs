//! GNU make's job server: a pipe with one byte (token) for every further job that may run. A
//! process that was started by make owns one job. For each further thread it takes a token, if one
//! is available, and writes the same token back when it is done. This process never waits for a
//! token.
//!
//! `MAKEFLAGS` says where the pipe is: `--jobserver-auth=R,W` (descriptors; `--jobserver-fds`
//! before make 4.2) or `--jobserver-auth=fifo:PATH` (make 4.4). For recipes that make does not take
//! for sub-makes, it closes the descriptors but leaves the option: then there is no job server.
//! There is none either if the numbers are not those of the two ends of one pipe.
//!
//! Taken tokens are in static atomics, because signal handlers also give them back.
//! <https://www.gnu.org/software/make/manual/html_node/Job-Slots.html>

use crate::system::faults;
use rustix::fd::{AsFd, BorrowedFd, IntoRawFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicUsize, Ordering};

/// Maximum number of jobs taken from the server.
const MOST: usize = 256;

static TAKEN: [AtomicU8; MOST] = [const { AtomicU8::new(0) }; MOST];
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// The descriptor to which tokens are written back; -1 for none.
static PIPE: AtomicI32 = AtomicI32::new(-1);

/// How many of `wanted` further threads this process may start; all of them if there is no job
/// server. To be called once, while the process has one thread.
pub fn take(wanted: usize) -> usize {
    let flags = std::env::var_os("MAKEFLAGS");
    let server = flags.as_deref().and_then(server).and_then(open);
    let Some((from, to)) = server else { return wanted };
    // A signal between reading and noting the byte would lose it for the whole build.
    faults::without(|| take_from(from, to, wanted.min(MOST)))
}

fn take_from(from: OwnedFd, to: OwnedFd, wanted: usize) -> usize {
    PIPE.store(to.into_raw_fd(), Ordering::Release);
    let mut count = 0;
    while count < wanted {
        let mut byte = [0];
        match rustix::io::read(&from, &mut byte) {
            Ok(1) => TAKEN[count].store(byte[0], Ordering::Relaxed),
            Err(Errno::INTR) => continue,
            // The pipe is empty, or make has ended.
            _ => break,
        }
        count += 1;
        COUNT.store(count, Ordering::Release);
    }
    count
}

/// Gives all jobs back to the server. Async-signal-safe; a second call finds none.
pub fn give_back() {
    let count = COUNT.swap(0, Ordering::AcqRel);
    let pipe = PIPE.load(Ordering::Acquire);
    for token in &TAKEN[..count] {
        let byte = token.load(Ordering::Relaxed);
        // SAFETY: write reads one byte of the stack; it takes any descriptor.
        unsafe { libc::write(pipe, (&raw const byte).cast(), 1) };
    }
}

/// The place of the job server, as make states it.
#[derive(Debug, PartialEq, Eq)]
enum Server<'a> {
    Descriptors(i32, i32),
    Fifo(&'a OsStr),
}

/// The last job server that `MAKEFLAGS` names; words behind `--` are variables.
fn server(flags: &OsStr) -> Option<Server<'_>> {
    let words = flags.as_bytes().split(|&byte| byte == b' ').take_while(|&word| word != b"--");
    let value = |word: &'_ [u8]| -> Option<usize> {
        [&b"--jobserver-auth="[..], b"--jobserver-fds="]
            .iter()
            .find_map(|name| word.starts_with(name).then_some(name.len()))
    };
    let value = words.filter_map(|word| value(word).map(|length| &word[length..])).last()?;
    if let Some(path) = value.strip_prefix(b"fifo:") {
        return Some(Server::Fifo(OsStr::from_bytes(path)));
    }
    let (read, write) = std::str::from_utf8(value).ok()?.split_once(',')?;
    Some(Server::Descriptors(read.parse().ok()?, write.parse().ok()?))
}

/// Opens both ends again: non-blocking mode is a property of the open file, and make's is shared
/// with all other jobs. `None` if there is no such pipe.
fn open(server: Server<'_>) -> Option<(OwnedFd, OwnedFd)> {
    let open = |path: &OsStr, flags| {
        let flags = flags | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::open(path, flags, Mode::empty()).ok()?;
        is_pipe(file.as_fd()).map(|identity| (file, identity))
    };
    let ((read, read_identity), (write, write_identity)) = match server {
        // Opened for reading and writing: a non-blocking open for writing alone fails while there
        // is no reader.
        Server::Fifo(path) => (open(path, OFlags::RDWR)?, open(path, OFlags::RDWR)?),
        Server::Descriptors(read, write) if read >= 0 && write >= 0 => {
            let path = |descriptor| format!("/proc/self/fd/{descriptor}");
            let read = open(path(read).as_ref(), OFlags::RDONLY)?;
            (read, open(path(write).as_ref(), OFlags::WRONLY)?)
        }
        Server::Descriptors(..) => return None,
    };
    (read_identity == write_identity).then_some((read, write))
}

/// Device and inode, if the file is a pipe, to compare pipes.
fn is_pipe(file: BorrowedFd<'_>) -> Option<(u64, u64)> {
    let stat = rustix::fs::fstat(file).ok()?;
    let is_pipe = FileType::from_raw_mode(stat.st_mode) == FileType::Fifo;
    is_pipe.then_some((stat.st_dev, stat.st_ino))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_spelling() {
        let cases = [
            ("", None),
            ("ks -j4", None),
            (" -j4 --jobserver-auth=3,4", Some(Server::Descriptors(3, 4))),
            ("-j --jobserver-fds=5,6 -- A=b", Some(Server::Descriptors(5, 6))),
            ("--jobserver-auth=-2,-2", Some(Server::Descriptors(-2, -2))),
            ("--jobserver-auth=3,4 --jobserver-auth=5,6", Some(Server::Descriptors(5, 6))),
            ("-j8 --jobserver-auth=fifo:/tmp/GMfifo1", Some(Server::Fifo("/tmp/GMfifo1".as_ref()))),
            ("-- X=--jobserver-auth=3,4 --jobserver-auth=3,4", None),
            ("--jobserver-auth=3", None),
            ("--jobserver-auth=a,b", None),
        ];
        for (flags, expected) in cases {
            assert_eq!(server(OsStr::new(flags)), expected, "{flags}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri opens no files with such flags")]
    fn what_is_no_pipe_is_left_alone() {
        assert!(open(Server::Descriptors(-2, -2)).is_none());
        assert!(open(Server::Descriptors(1 << 20, 1 << 20)).is_none());
        assert!(open(Server::Fifo("/dev/null".as_ref())).is_none());
        assert!(open(Server::Fifo("/no/such/fifo".as_ref())).is_none());
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri opens no files with such flags")]
    fn tokens_go_back_as_they_were() {
        let (read, write) = rustix::pipe::pipe().unwrap();
        let (other_read, other_write) = rustix::pipe::pipe().unwrap();
        rustix::io::write(&write, b"abc").unwrap();
        use rustix::fd::AsRawFd;
        let server = Server::Descriptors(read.as_raw_fd(), write.as_raw_fd());
        let mixed = Server::Descriptors(read.as_raw_fd(), other_write.as_raw_fd());
        assert!(open(mixed).is_none());
        drop(other_read);
        let (from, to) = open(server).unwrap();
        assert_eq!(take_from(from, to, 2), 2);
        give_back();
        give_back();
        let mut bytes = [0; 8];
        assert_eq!(rustix::io::read(&read, &mut bytes).unwrap(), 3);
        assert_eq!(&bytes[..3], b"cab");
    }
}
