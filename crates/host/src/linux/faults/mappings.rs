//! Which file an address belongs to: the list of mapped files that the SIGBUS handler reads.
//!
//! A signal handler may take no lock and allocate nothing, so the list is append-only: chunks of
//! entries linked by atomic pointers, never freed. An entry is published by the store of its
//! `start`, which comes last; a retired entry has `start` 0. Registering is lock-free too: large
//! links map 30,000 files from all threads at once.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// An entry of the table that signal handlers read: a mapped file.
pub(crate) struct Mapping {
    /// Address of the first byte; 0 for an entry that is not used yet or any more.
    start: AtomicUsize,
    len: AtomicUsize,
    path: AtomicPtr<u8>,
    path_len: AtomicUsize,
    is_output: AtomicBool,
}

/// The mapped file that an address belongs to.
pub(crate) struct MappedFile {
    pub path: &'static [u8],
    /// The file is an output that is written, not an input that is read.
    pub is_output: bool,
}

const CHUNK: usize = 256;

struct Chunk {
    /// Entries given out; above `CHUNK` the chunk is full.
    taken: AtomicUsize,
    mappings: [Mapping; CHUNK],
    next: AtomicPtr<Chunk>,
}

static FIRST: Chunk = Chunk::new();

/// Records that `[start, start + len)` shows the file `path`.
pub(crate) fn register(
    start: usize,
    len: usize,
    path: &'static [u8],
    is_output: bool,
) -> &'static Mapping {
    let mapping = take();
    mapping.len.store(len, Ordering::Relaxed);
    mapping.path.store(path.as_ptr().cast_mut(), Ordering::Relaxed);
    mapping.path_len.store(path.len(), Ordering::Relaxed);
    mapping.is_output.store(is_output, Ordering::Relaxed);
    mapping.start.store(start, Ordering::Release);
    mapping
}

/// The mapping that contains `address`. Async-signal-safe.
pub(crate) fn find(address: usize) -> Option<MappedFile> {
    let mut chunk = &FIRST;
    loop {
        let taken = chunk.taken.load(Ordering::Acquire).min(CHUNK);
        for mapping in &chunk.mappings[..taken] {
            let start = mapping.start.load(Ordering::Acquire);
            let len = mapping.len.load(Ordering::Relaxed);
            if start != 0 && address >= start && address - start < len {
                let path = mapping.path.load(Ordering::Relaxed);
                let path_len = mapping.path_len.load(Ordering::Relaxed);
                // SAFETY: pointer and length were stored from one `&'static [u8]` before `start`
                // was published, and an entry is never used for a second file.
                let path = unsafe { std::slice::from_raw_parts(path, path_len) };
                return Some(MappedFile {
                    path,
                    is_output: mapping.is_output.load(Ordering::Relaxed),
                });
            }
        }
        chunk = chunk.next()?;
    }
}

/// Address and length of each mapped input, in the order of their mapping, which does not change.
pub fn inputs() -> Vec<(usize, usize)> {
    let mut inputs = Vec::new();
    each_input(|start, len| inputs.push((start, len)));
    inputs
}

/// Bytes of all inputs that are mapped. Allocates nothing.
pub fn input_bytes() -> usize {
    let mut sum = 0;
    each_input(|_, len| sum += len);
    sum
}

fn each_input(mut visit: impl FnMut(usize, usize)) {
    let mut next = Some(&FIRST);
    while let Some(chunk) = next {
        let taken = chunk.taken.load(Ordering::Acquire).min(CHUNK);
        for mapping in &chunk.mappings[..taken] {
            let start = mapping.start.load(Ordering::Acquire);
            if start != 0 && !mapping.is_output.load(Ordering::Relaxed) {
                visit(start, mapping.len.load(Ordering::Relaxed));
            }
        }
        next = chunk.next();
    }
}

impl Mapping {
    /// Marks the entry as unused; to be called before the memory is unmapped.
    pub(crate) fn retire(&self) {
        self.start.store(0, Ordering::Release);
    }
}

impl Chunk {
    const fn new() -> Chunk {
        Chunk {
            taken: AtomicUsize::new(0),
            mappings: [const {
                Mapping {
                    start: AtomicUsize::new(0),
                    len: AtomicUsize::new(0),
                    path: AtomicPtr::new(ptr::null_mut()),
                    path_len: AtomicUsize::new(0),
                    is_output: AtomicBool::new(false),
                }
            }; CHUNK],
            next: AtomicPtr::new(ptr::null_mut()),
        }
    }

    fn next(&self) -> Option<&'static Chunk> {
        // SAFETY: the pointer is null or came from `Box::into_raw` and is never freed.
        unsafe { self.next.load(Ordering::Acquire).as_ref() }
    }

    /// The chunk after this one; adds it if there is none.
    fn next_or_new(&self) -> &'static Chunk {
        if let Some(next) = self.next() {
            return next;
        }
        let new = Box::into_raw(Box::new(Chunk::new()));
        let won =
            self.next.compare_exchange(ptr::null_mut(), new, Ordering::AcqRel, Ordering::Acquire);
        match won {
            // SAFETY: `new` is now owned by the list, which never frees it.
            Ok(_) => unsafe { &*new },
            Err(other) => {
                // SAFETY: `new` was not published, so it is still ours alone.
                drop(unsafe { Box::from_raw(new) });
                // SAFETY: `other` was published by another thread and is never freed.
                unsafe { &*other }
            }
        }
    }
}

fn take() -> &'static Mapping {
    let mut chunk = &FIRST;
    loop {
        // A plain load first, so that the counter of a full chunk does not grow without end.
        if chunk.taken.load(Ordering::Acquire) < CHUNK {
            let index = chunk.taken.fetch_add(1, Ordering::AcqRel);
            if index < CHUNK {
                return &chunk.mappings[index];
            }
        }
        chunk = chunk.next_or_new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_many_threads_registered() {
        // Addresses of the last pages below the canonical hole: nothing else maps them.
        let base = 0x7fff_0000_0000_0000usize;
        let (count, step) = if cfg!(miri) { (100, 9) } else { (1000, 1) };
        std::thread::scope(|scope| {
            for thread in 0..4usize {
                scope.spawn(move || {
                    for i in 0..count {
                        let start = base + (thread * count + i) * 0x1000;
                        let path: &'static str = format!("{thread}/{i}").leak();
                        register(start, 0x800, path.as_bytes(), i % 2 == 1);
                    }
                });
            }
        });
        for thread in 0..4 {
            for i in (0..count).step_by(step) {
                let start = base + (thread * count + i) * 0x1000;
                let found = find(start + 0x7ff).expect("registered");
                assert_eq!(found.path, format!("{thread}/{i}").as_bytes());
                assert_eq!(found.is_output, i % 2 == 1);
                assert!(find(start + 0x800).is_none());
            }
        }
    }

    #[test]
    fn retired_mappings_are_not_found() {
        let mapping = register(0x7ffe_0000_0000_0000, 16, b"gone", false);
        assert!(find(0x7ffe_0000_0000_0000).is_some());
        mapping.retire();
        assert!(find(0x7ffe_0000_0000_0000).is_none());
    }
}
