//! Reads back the bytes of an output that were written so far.

use skald_host::output::{self as host, MappedRange};
use std::ops::{Deref, Range};
use std::sync::Arc;

/// The bytes of an output, in a file or in memory.
pub enum Written {
    /// A file. Nobody else writes it, because it has a temporary name.
    File(host::Written),
    /// The output was collected in memory.
    Memory(Arc<Vec<u8>>),
}

/// A range of the bytes of an output.
pub enum View {
    /// Pages of the file.
    Mapped(MappedRange),
    /// A range of memory.
    Memory(Arc<Vec<u8>>, Range<usize>),
    /// A copy, if the file cannot be mapped or the range is empty.
    Copied(Vec<u8>),
}

impl Deref for View {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            View::Mapped(pages) => pages,
            View::Memory(bytes, range) => &bytes[range.clone()],
            View::Copied(bytes) => bytes,
        }
    }
}

impl Written {
    /// Fills `out` with the bytes at `offset`; returns whether the output has that many.
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
            Written::File(file) => file.read_at(offset, out),
        }
    }

    /// The bytes of a range; `None` if the range leaves the output.
    pub fn view(&self, range: Range<u64>) -> Option<View> {
        let len = usize::try_from(range.end.checked_sub(range.start)?).ok()?;
        match self {
            Written::Memory(bytes) => {
                let start = usize::try_from(range.start).ok()?;
                let end = start.checked_add(len).filter(|&end| end <= bytes.len())?;
                Some(View::Memory(bytes.clone(), start..end))
            }
            Written::File(file) => {
                if range.end > file.size().ok()? {
                    return None;
                }
                file.map(range.clone()).map(View::Mapped).or_else(|| {
                    let mut bytes = vec![0; len];
                    file.read_at(range.start, &mut bytes).then_some(View::Copied(bytes))
                })
            }
        }
    }
}
