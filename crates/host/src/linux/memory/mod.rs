//! Memory of the machine, limits on memory, and memory of this process.

mod control_groups;

pub use control_groups::group_limit;

use crate::memory::Memory;
use crate::pages::page_size;
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags};
use std::io::{Error, ErrorKind, Result};

/// Bytes of memory of the machine.
pub fn machine_memory() -> Option<u64> {
    // SAFETY: a call without pointers.
    let pages = unsafe { libc::sysconf(libc::_SC_PHYS_PAGES) };
    Some(u64::try_from(pages).ok()? * page_size() as u64)
}

/// Limit of the address space of this process in bytes (`ulimit -v`). Allocates nothing.
pub fn most_addresses() -> Option<u64> {
    // Calls the C library: rustix assumes that this call never fails, but a seccomp filter may make
    // it fail.
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: getrlimit fills one structure.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) };
    (limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}

/// Reads how much memory the process has.
pub struct Gauge(OwnedFd);

impl Gauge {
    /// A gauge for this process.
    ///
    /// # Errors
    /// If the system does not provide the numbers.
    pub fn open() -> Result<Gauge> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        Ok(Gauge(rustix::fs::open("/proc/self/statm", flags, Mode::empty())?))
    }

    /// The current memory of the process.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read(&self) -> Result<Memory> {
        let mut text = [0; 128];
        let count = rustix::io::pread(&self.0, &mut text, 0)?;
        let pages = pages(&text[..count]).ok_or_else(|| Error::from(ErrorKind::InvalidData))?;
        let [resident, shared] = pages.map(|count| count * page_size() as u64);
        Ok(Memory { resident, own: resident.saturating_sub(shared) })
    }
}

/// Resident pages, and file-backed ones among them, from a line of `/proc/self/statm`.
fn pages(line: &[u8]) -> Option<[u64; 2]> {
    let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace().skip(1);
    let mut next = || words.next()?.parse().ok();
    Some([next()?, next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_statm_is_read() {
        assert_eq!(pages(b"5000 300 200 40 0 900 0\n"), Some([300, 200]));
        assert_eq!(pages(b"5000 300"), None);
        assert_eq!(pages(b""), None);
    }
}
