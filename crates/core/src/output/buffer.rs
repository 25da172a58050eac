//! Buffers in which spans are built before they are written.

use crate::column;
use std::cell::Cell;
use std::mem::ManuallyDrop;

/// Largest buffer that a thread keeps.
const KEPT_MAX: usize = 8 << 20;

/// Memory for spans; the pages at its beginning are populated.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// How many bytes have populated pages.
    populated: usize,
}

thread_local! {
    /// Never freed: threads end with the process, and freeing the pages one by one would cost time
    /// at its exit.
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

/// Takes the buffer of this thread, with room for `len` bytes. A thread that takes another one
/// before it returns the first gets a new buffer: building a span may run other tasks that build
/// spans.
pub(super) fn take(len: usize) -> Buffer {
    let mut buffer = ManuallyDrop::into_inner(BUFFER.take());
    if buffer.bytes.len() < len {
        // As large as the buffers that are kept: unused bytes have no pages.
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

/// Returns a buffer to this thread; a buffer returned before is freed.
pub(super) fn keep(buffer: Buffer) {
    if buffer.bytes.len() <= KEPT_MAX {
        drop(ManuallyDrop::into_inner(BUFFER.replace(ManuallyDrop::new(buffer))));
    }
}
