//! A queue of buffers for one output file, which one thread at a time writes.
//!
//! The kernel takes the inode's lock for each write, and a thread that waits for the lock could
//! build the next span instead. So a thread that finds another one writing puts its buffer into the
//! queue and goes on with a free buffer; the writing thread writes until the queue is empty. If the
//! queue is full, the buffer is copied into a shared mapping where there is one
//! ([`super::shared_mapping`]), and written otherwise.

use super::buffer::Buffer;
use std::collections::VecDeque;
use std::sync::Mutex;

/// Larger buffers are not queued: the thread that built them writes them.
const LEFT_MAX: usize = 1 << 19;

/// Most buffers in the queue, including the one that is being written.
const WAITING: usize = 5;

/// Buffers that wait for the thread that is writing.
#[derive(Default)]
pub(super) struct Queue(Mutex<State>);

#[derive(Default)]
struct State {
    is_writing: bool,
    waiting: VecDeque<(Buffer, usize, u64)>,
    /// Written buffers, for threads that queue one.
    free: Vec<Buffer>,
}

impl Queue {
    /// Writes the first `len` bytes of `buffer` at `file_offset` with `write`, or queues them for
    /// the thread that is writing. If they cannot be queued, tries `write_beside`, and `write` if
    /// that returns false. Returns a buffer for the next span.
    ///
    /// When all calls have returned, everything is written.
    pub(super) fn put(
        &self,
        buffer: Buffer,
        len: usize,
        file_offset: u64,
        write: impl Fn(&[u8], u64),
        write_beside: impl Fn(&[u8], u64) -> bool,
    ) -> Buffer {
        let mut state = self.state();
        if state.is_writing {
            // Few buffers are queued: more would cost memory, and leave one thread with work at the
            // end.
            if len <= LEFT_MAX && state.waiting.len() + 1 < crate::par::threads().min(WAITING) {
                state.waiting.push_back((buffer, len, file_offset));
                return state.free.pop().unwrap_or_default();
            }
            drop(state);
            if !write_beside(buffer.bytes(len), file_offset) {
                write(buffer.bytes(len), file_offset);
            }
            return buffer;
        }
        state.is_writing = true;
        drop(state);
        write(buffer.bytes(len), file_offset);
        loop {
            let mut state = self.state();
            let Some((left, len, file_offset)) = state.waiting.pop_front() else {
                state.is_writing = false;
                return buffer;
            };
            drop(state);
            write(left.bytes(len), file_offset);
            self.state().free.push(left);
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::super::buffer;
    use super::*;
    use crate::par::prelude::*;

    #[test]
    fn all_is_written_once_when_all_calls_have_returned() {
        const COUNT: usize = 2000;
        let queue = Queue::default();
        let written = Mutex::new(vec![0u8; COUNT]);
        (0..COUNT).into_par_iter().with_max_len(1).for_each(|at| {
            let mut own = buffer::take(1 + at % 3);
            own.bytes_mut(1 + at % 3).fill(at as u8);
            let write = |bytes: &[u8], offset: u64| {
                assert_eq!(bytes.len(), 1 + offset as usize % 3);
                assert!(bytes.iter().all(|&byte| byte == offset as u8));
                std::thread::yield_now();
                written.lock().unwrap()[offset as usize] += 1;
            };
            let beside = |bytes: &[u8], offset: u64| {
                let takes = offset.is_multiple_of(2);
                if takes {
                    write(bytes, offset);
                }
                takes
            };
            let next = queue.put(own, 1 + at % 3, at as u64, write, beside);
            buffer::keep(next);
        });
        assert!(written.into_inner().unwrap().iter().all(|&count| count == 1));
        assert!(!queue.state().is_writing);
    }
}
