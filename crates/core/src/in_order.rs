//! Long texts that all threads build in parts and that are written in order meanwhile.
//!
//! Threads take the parts in order. The thread that has built the part that is due writes it and
//! all finished ones behind it, while the others go on. Texts are kept only until they are written,
//! and their buffers are reused.

use crate::par;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

struct Queue<'a, W> {
    /// `None` while a thread writes to it.
    sink: Option<&'a mut W>,
    /// How many parts were written.
    written: usize,
    ready: BTreeMap<usize, Vec<u8>>,
    spare: Vec<Vec<u8>>,
    outcome: io::Result<()>,
}

/// Writes parts 0 to `count`; `make` appends each to an empty text, on any thread.
#[track_caller]
pub fn write<W: Write + Send>(
    count: usize,
    sink: &mut W,
    make: impl Fn(usize, &mut Vec<u8>) + Sync,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let queue = Mutex::new(Queue {
        sink: Some(sink),
        written: 0,
        ready: BTreeMap::new(),
        spare: Vec::new(),
        outcome: Ok(()),
    });
    #[cfg(feature = "record")]
    let place = std::panic::Location::caller();
    rayon::broadcast(|_| {
        #[cfg(feature = "record")]
        let noted = par::recorder::Loop::begin(1, place);
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= count {
                return;
            }
            #[cfg(feature = "record")]
            noted.item();
            let mut text = lock(&queue).spare.pop().unwrap_or_default();
            make(part, &mut text);
            deliver(&queue, part, text);
        }
    });
    queue.into_inner().expect("no worker panics").outcome
}

fn lock<'a, 'b, W>(queue: &'a Mutex<Queue<'b, W>>) -> MutexGuard<'a, Queue<'b, W>> {
    queue.lock().expect("no worker panics")
}

/// Adds a part that is ready, and writes all that are due unless another thread does.
fn deliver<W: Write>(queue: &Mutex<Queue<'_, W>>, part: usize, text: Vec<u8>) {
    let mut state = lock(queue);
    state.ready.insert(part, text);
    loop {
        let due = state.written;
        if state.sink.is_none() || !state.ready.contains_key(&due) {
            return;
        }
        let (Some(sink), Some(mut text)) = (state.sink.take(), state.ready.remove(&due)) else {
            unreachable!("both are there");
        };
        let has_failed = state.outcome.is_err();
        drop(state);
        let outcome =
            if has_failed { Ok(()) } else { par::hold("in-order", || sink.write_all(&text)) };
        text.clear();
        state = lock(queue);
        state.sink = Some(sink);
        state.written += 1;
        state.spare.push(text);
        if outcome.is_err() {
            state.outcome = outcome;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_written_in_order() {
        let mut sink = Vec::new();
        let count = if cfg!(miri) { 60 } else { 1000 };
        write(count, &mut sink, |part, text| {
            text.extend_from_slice(format!("{part} ").repeat(part % 7).as_bytes());
        })
        .expect("memory takes it");
        let expected: String = (0..count).map(|part| format!("{part} ").repeat(part % 7)).collect();
        assert_eq!(String::from_utf8(sink).expect("digits"), expected);
    }

    #[test]
    fn the_first_error_is_told_and_ends_the_writing() {
        let mut room = [0u8; 10];
        let mut sink = &mut room[..];
        let outcome = write(100, &mut sink, |_, text| text.extend_from_slice(b"abc"));
        assert_eq!(outcome.expect_err("too long").kind(), io::ErrorKind::WriteZero);
    }
}
