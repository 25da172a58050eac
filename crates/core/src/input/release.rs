//! Giving back the memory of inputs that nothing reads any more.

use super::InputFile;
use crate::par;
use skald_host::faults::mappings;
use skald_host::pages::{self, page_size};
use std::ops::Range;
use std::sync::Mutex;

/// Parts of inputs whose memory is given back in one go.
///
/// Parts are collected, and the kernel is told of all of them together: see [`pages::forget_all`].
#[derive(Debug, Default)]
pub struct ReleasedParts {
    /// Address and bytes of each run of whole pages.
    ranges: Vec<(usize, usize)>,
}

/// How many ranges a sweep gives back at once.
const MOST: usize = 1024;

impl InputFile {
    /// Addresses of `part`, if it is in the mapping of the file.
    pub(crate) fn mapping(&self, part: &'static [u8]) -> Option<Range<usize>> {
        let bounds = self.data.as_ptr_range();
        let part = part.as_ptr_range();
        let is_within = self.is_mapped && part.start >= bounds.start && part.end <= bounds.end;
        is_within.then_some(part.start as usize..part.end as usize)
    }
}

impl ReleasedParts {
    /// Adds the pages that lie entirely in `part` of `file`. A file that was read instead of mapped
    /// has none.
    pub fn add(&mut self, file: &InputFile, part: &'static [u8]) {
        let Some(part) = file.mapping(part) else { return };
        let start = part.start.next_multiple_of(page_size());
        let end = part.end / page_size() * page_size();
        if start < end {
            self.ranges.push((start, end - start));
        }
    }

    /// Adds what `other` holds.
    pub fn append(&mut self, mut other: ReleasedParts) -> &mut ReleasedParts {
        self.ranges.append(&mut other.ranges);
        self
    }

    /// Gives the memory back; a later read faults it in again. On kernels before 6.13, which cannot
    /// do that for many ranges at once, the memory stays.
    pub fn give_back(&self) {
        give_back_at_once(&self.ranges);
    }

    /// Does [`ReleasedParts::give_back`] on some idle thread.
    pub fn give_back_meanwhile(self) {
        if !self.ranges.is_empty() {
            par::meanwhile(move || self.give_back());
        }
    }
}

/// Collects parts while a stage reads one input after the other, and gives them back when there are
/// many.
#[derive(Debug, Default)]
pub struct ReleaseQueue {
    waiting: Mutex<ReleasedParts>,
}

/// Ranges that are given back together: each call interrupts the other processors.
const BATCH: usize = 256;

impl ReleaseQueue {
    /// Adds parts, and gives the waiting ones back if there are enough.
    pub fn push(&self, parts: ReleasedParts) {
        let ready = {
            let mut waiting = self.waiting.lock().expect("no task panics");
            if waiting.append(parts).ranges.len() < BATCH {
                return;
            }
            std::mem::take(&mut *waiting)
        };
        ready.give_back();
    }
}

/// Address and bytes of the whole pages of all mapped inputs.
pub(crate) fn mapped() -> Vec<(usize, usize)> {
    let whole = |(start, len): (usize, usize)| (start, len.next_multiple_of(page_size()));
    mappings::inputs().into_iter().map(whole).collect()
}

/// Gives back all inputs piece by piece, in the order of their opening. A later read faults them in
/// again.
#[derive(Debug, Default)]
pub(crate) struct Sweep {
    inputs: Vec<(usize, usize)>,
    /// Index of the next input, and how many bytes of it are done.
    at: usize,
    done: usize,
}

/// Bytes of address space that a sweep gives back at once.
const SWEPT: usize = 8 << 20;

impl Sweep {
    /// Starts again with the first of the inputs that are open now.
    pub(crate) fn begin(&mut self) {
        *self = Sweep { inputs: mappings::inputs(), at: 0, done: 0 };
    }

    /// Gives back the next piece; `false` if there was none.
    pub(crate) fn give_back(&mut self) -> bool {
        let mut ranges = Vec::new();
        let mut room = SWEPT;
        while room > 0 && ranges.len() < MOST {
            let Some(&(start, len)) = self.inputs.get(self.at) else { break };
            let size = (len.next_multiple_of(page_size()) - self.done).min(room);
            ranges.push((start + self.done, size));
            room -= size;
            self.done += size;
            if self.done >= len {
                (self.at, self.done) = (self.at + 1, 0);
            }
        }
        give_back(&ranges);
        !ranges.is_empty()
    }
}

/// Gives `ranges` of whole pages of inputs back; a later read faults them in again.
pub(crate) fn give_back(ranges: &[(usize, usize)]) {
    if !give_back_at_once(ranges) {
        give_back_one_by_one(ranges);
    }
}

/// Gives ranges back with one call each, for kernels without a call for many ranges.
fn give_back_one_by_one(ranges: &[(usize, usize)]) {
    for &(start, len) in ranges {
        // SAFETY: as for `give_back_at_once`.
        unsafe { pages::forget_of_file(start as *mut u8, len) };
    }
}

/// Gives back `ranges` of whole pages of inputs with one call; `false` if the kernel has no such
/// call.
pub(crate) fn give_back_at_once(ranges: &[(usize, usize)]) -> bool {
    // SAFETY: the ranges lie within private, read-only file mappings of ours that are never
    // unmapped. A dropped page is read from the file again, as nothing ever wrote to it.
    unsafe { pages::forget_all(ranges) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn a_sweep_comes_to_every_input_and_leaves_its_bytes() {
        let file = super::super::open(&std::env::current_exe().expect("a test is a file"));
        let file = file.expect("readable");
        let before: u64 = file.data.iter().map(|&byte| u64::from(byte)).sum();
        let mut sweep = Sweep::default();
        for _ in 0..3 {
            sweep.begin();
            let total: usize = sweep.inputs.iter().map(|&(_, len)| len).sum();
            assert!(total >= file.data.len());
            let parts = std::iter::from_fn(|| sweep.give_back().then_some(())).count();
            assert!(parts >= total.div_ceil(SWEPT) && sweep.at == sweep.inputs.len());
        }
        assert_eq!(file.data.iter().map(|&byte| u64::from(byte)).sum::<u64>(), before);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn what_a_queue_gives_back_is_still_there() {
        let file = super::super::open(&std::env::current_exe().expect("a test is a file"));
        let file = file.expect("readable");
        let before: u64 = file.data.iter().map(|&byte| u64::from(byte)).sum();
        let queue = ReleaseQueue::default();
        for part in file.data.chunks(2 * page_size()).cycle().take(3 * BATCH) {
            let mut parts = ReleasedParts::default();
            parts.add(&file, part);
            queue.push(parts);
        }
        assert!(queue.waiting.lock().expect("one thread").ranges.len() < BATCH);
        assert_eq!(file.data.iter().map(|&byte| u64::from(byte)).sum::<u64>(), before);
    }
}
