//! Buffers in which spans are built before they are written.

use crate::column;
use std::cell::Cell;
use std::mem::ManuallyDrop;

/// A thread does not keep a larger buffer.
const KEPT_MAX: usize = 8 << 20;

/// Memory of which some bytes at the beginning were used.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// How many bytes have their pages.
    populated: usize,
}

thread_local! {
    /// Never freed: threads end with the process, which would pay for giving pages back one by one.
    static BUFFER: Cell<ManuallyDrop<Buffer>> =
        const { Cell::new(ManuallyDrop::new(Buffer { bytes: Vec::new(), populated: 0 })) };
}

impl Buffer {
    /// The first `len` bytes.
    pub(super) fn bytes(&self, len: usize) -> &[u8] {
        &self.bytes[..len]
    }

    /// The first `len` bytes.
    pub(super) fn bytes_mut(&mut self, len: usize) -> &mut [u8] {
        &mut self.bytes[..len]
    }
}

/// Takes the buffer of this thread, with room for `len` bytes. A thread that asks again before it
/// gives it back gets another one: to build a span may run other spans.
pub(super) fn take(len: usize) -> Buffer {
    let mut buffer = ManuallyDrop::into_inner(BUFFER.take());
    if buffer.bytes.len() < len {
        // As large as the ones that are kept: what no span uses has no pages.
        buffer = Buffer { bytes: vec![0; len.max(KEPT_MAX)], populated: 0 };
    }
    if buffer.populated < len {
        column::populate_alone(&buffer.bytes[buffer.populated..len]);
        buffer.populated = len;
    }
    if cfg!(debug_assertions) {
        buffer.bytes[..len].fill(0xA5);
    }
    buffer
}

/// Gives a buffer back to this thread; another one that it was given meanwhile is freed.
pub(super) fn keep(buffer: Buffer) {
    if buffer.bytes.len() <= KEPT_MAX {
        drop(ManuallyDrop::into_inner(BUFFER.replace(ManuallyDrop::new(buffer))));
    }
}
