//! Reads the bytes that an output has so far.

use std::io;
use std::ops::{Deref, Range};
use std::os::fd::{AsFd, OwnedFd};

use rustix::io::Errno;

/// The bytes of an output file, which nobody else writes, because it has a temporary name.
pub struct Written(OwnedFd);

/// Mapped pages of the file, and the number of bytes before the range in the first one.
pub struct MappedRange(memmap2::Mmap, usize);

impl Deref for MappedRange {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0[self.1..]
    }
}

impl Written {
    pub(super) fn new(file: OwnedFd) -> Written {
        Written(file)
    }

    /// The size in bytes.
    ///
    /// # Errors
    /// Those of the system.
    pub fn size(&self) -> io::Result<u64> {
        Ok(rustix::fs::fstat(&self.0)?.st_size as u64)
    }

    /// Fills `out` with the bytes at `offset`; returns whether the file has that many.
    pub fn read_at(&self, mut offset: u64, mut out: &mut [u8]) -> bool {
        while !out.is_empty() {
            match rustix::io::pread(self.0.as_fd(), &mut *out, offset) {
                Ok(0) => return false,
                Ok(count) => {
                    offset += count as u64;
                    out = &mut out[count..];
                }
                Err(Errno::INTR) => {}
                Err(_) => return false,
            }
        }
        true
    }

    /// The bytes of a range that has been written, if the file can be mapped.
    pub fn map(&self, range: Range<u64>) -> Option<MappedRange> {
        let len = usize::try_from(range.end.checked_sub(range.start)?).ok()?;
        if range.end > self.size().ok()? {
            return None;
        }
        let skew = (range.start % crate::pages::page_size() as u64) as usize;
        let mut options = memmap2::MmapOptions::new();
        options.offset(range.start - skew as u64).len(len + skew);
        // SAFETY: the file is ours, under a name that nobody else knows, and what is viewed has
        // been written.
        let mapped = unsafe { options.map(&self.0) };
        mapped.map(|pages| MappedRange(pages, skew)).ok()
    }
}
