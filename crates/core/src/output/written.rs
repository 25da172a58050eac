//! Reading what an output holds so far.

use std::ops::{Deref, Range};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::io::Errno;

/// The bytes of an output, wherever they went.
pub enum Written {
    /// A file, which nobody else writes: it has a temporary name.
    File(OwnedFd),
    /// Memory.
    Memory(Arc<Vec<u8>>),
}

/// A range of the bytes of an output.
pub enum View {
    /// Pages of the file, and how many bytes of the first one are before the range.
    Mapped(memmap2::Mmap, usize),
    /// A range of memory.
    Memory(Arc<Vec<u8>>, Range<usize>),
    /// A copy, of a file that cannot be mapped; or nothing.
    Copied(Vec<u8>),
}

impl Deref for View {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            View::Mapped(pages, skew) => &pages[*skew..],
            View::Memory(bytes, range) => &bytes[range.clone()],
            View::Copied(bytes) => bytes,
        }
    }
}

impl Written {
    /// Fills `out` with the bytes at `offset`; returns whether there are as many.
    pub fn read_at(&self, offset: u64, out: &mut [u8]) -> bool {
        match self {
            Written::Memory(bytes) => {
                let start = usize::try_from(offset).unwrap_or(usize::MAX);
                let found = bytes.get(start..).and_then(|rest| rest.get(..out.len()));
                found.is_some_and(|found| {
                    out.copy_from_slice(found);
                    true
                })
            }
            Written::File(file) => read_all(file.as_fd(), offset, out),
        }
    }

    /// The bytes of a range; `None` if there are not as many.
    pub fn view(&self, range: Range<u64>) -> Option<View> {
        let len = usize::try_from(range.end.checked_sub(range.start)?).ok()?;
        match self {
            Written::Memory(bytes) => {
                let start = usize::try_from(range.start).ok()?;
                let end = start.checked_add(len).filter(|&end| end <= bytes.len())?;
                Some(View::Memory(bytes.clone(), start..end))
            }
            Written::File(file) => {
                if range.end > rustix::fs::fstat(file).ok()?.st_size as u64 {
                    return None;
                }
                let skew = (range.start % crate::input::page_size() as u64) as usize;
                let mut options = memmap2::MmapOptions::new();
                options.offset(range.start - skew as u64).len(len + skew);
                // SAFETY: the file is ours, under a name that nobody else knows, and what is
                // viewed has been written.
                let mapped = unsafe { options.map(file) };
                mapped.map(|pages| View::Mapped(pages, skew)).ok().or_else(|| {
                    let mut bytes = vec![0; len];
                    read_all(file.as_fd(), range.start, &mut bytes).then_some(View::Copied(bytes))
                })
            }
        }
    }
}

fn read_all(file: BorrowedFd<'_>, mut offset: u64, mut out: &mut [u8]) -> bool {
    while !out.is_empty() {
        match rustix::io::pread(file, &mut *out, offset) {
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
