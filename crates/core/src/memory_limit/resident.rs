//! Which members of inputs are in memory while a limit is in force, and which of them are given
//! back first.
//!
//! A stage reads the members one after the other, and the next stage begins with the first one
//! again. So the members that were read last are given back first: those read first are then still
//! in memory when the next stage begins. To give back the oldest ones (LRU) would evict each member
//! just before it is needed. A stage that reads in the order of a graph, and so returns to members
//! read recently, says so ([`Order::Any`]); then the oldest ones go first. A member's symbol table,
//! which most stages read, is given back only when all else is not enough.

use crate::input::{InputFile, give_back};
use skald_host::pages::page_size;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard};

/// Bytes of a window: a page fault maps all pages of it that are in the page cache.
const WINDOW: usize = 64 << 10;

/// The order in which a stage reads members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Each member once, in the same order in all stages.
    Same,
    /// In the order of a graph: a member that was just read is likely to be read again.
    Any,
}

static IN_ANY_ORDER: AtomicBool = AtomicBool::new(false);

/// A member of an archive, or an input that is no archive.
#[derive(Debug)]
pub struct Resident {
    /// Addresses of the windows that a read of the member may map.
    windows: Range<usize>,
    /// Addresses of the pages that stay in memory longer: the symbol table.
    kept: Range<usize>,
    /// [`WHOLE`] and [`KEPT`], as bits.
    is_here: AtomicU8,
}

/// The member has been read since its pages without `kept` were given back the last time.
const WHOLE: u8 = 1;
/// The member has been read since its `kept` pages were given back the last time.
const KEPT: u8 = 2;

/// Which members may be in memory; the kernel may have evicted some of them.
static STATE: Mutex<State> =
    Mutex::new(State { here: Vec::new(), kept: Vec::new(), ranges: Vec::new(), sorted: 0 });

struct State {
    /// Members that may be in memory as a whole, in the order in which they were read first.
    here: Vec<&'static Resident>,
    /// Members whose `kept` pages may be in memory, in the same order.
    kept: Vec<&'static Resident>,
    /// The `kept` ranges of all members; the first `sorted` of them are sorted by address.
    ranges: Vec<(usize, usize)>,
    sorted: usize,
}

/// Bytes that may be faulted in before some thread has to check the memory.
static CREDIT: AtomicI64 = AtomicI64::new(0);

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(|e| e.into_inner())
}

impl Resident {
    /// The record of a member that has these `bytes` of `file`, of which the `kept` ones stay
    /// longer. `None` if the file is not mapped.
    pub(super) fn new(
        file: &InputFile,
        bytes: &'static [u8],
        kept: &'static [u8],
    ) -> Option<&'static Resident> {
        let page = page_size();
        let Range { start, end } = file.mapping(bytes)?;
        // Windows end with the mapping: the addresses behind it are not ours.
        let all = file.mapping(file.data)?;
        let start = (start / WINDOW * WINDOW).max(all.start);
        let windows = start..end.next_multiple_of(WINDOW).min(all.end.next_multiple_of(page));
        let kept = match file.mapping(kept).filter(|kept| !kept.is_empty()) {
            Some(kept) => kept.start / page * page..kept.end.next_multiple_of(page),
            None => start..start,
        };
        if !kept.is_empty() {
            lock().ranges.push((kept.start, kept.end));
        }
        Some(Box::leak(Box::new(Resident { windows, kept, is_here: AtomicU8::new(0) })))
    }

    /// Notes that this thread reads the member now. Returns whether the thread has to check the
    /// memory.
    #[inline]
    pub(super) fn touch(&'static self) -> bool {
        self.is_here.load(Ordering::Relaxed) & WHOLE == 0 && self.come()
    }

    /// Whether pages of the member are likely to be in memory.
    pub fn is_here(&self) -> bool {
        self.is_here.load(Ordering::Relaxed) & WHOLE != 0
    }

    #[cold]
    fn come(&'static self) -> bool {
        let before = self.is_here.fetch_or(WHOLE | KEPT, Ordering::Relaxed);
        let mut state = lock();
        if before & WHOLE == 0 {
            state.here.push(self);
        }
        if before & KEPT == 0 {
            state.kept.push(self);
        }
        charge(self.windows.len())
    }

    fn leave(&self, what: u8) -> bool {
        self.is_here.fetch_and(!what, Ordering::Relaxed) & what != 0
    }
}

/// Notes that `bytes` are faulted in. Returns whether this thread has to check the memory.
pub(super) fn charge(bytes: usize) -> bool {
    CREDIT.fetch_sub(bytes as i64, Ordering::Relaxed) < bytes as i64
}

/// Allows so many bytes to be faulted in before the next check.
pub(super) fn allow(bytes: u64) {
    CREDIT.store(bytes as i64, Ordering::Relaxed);
}

/// How many bytes were faulted in beyond those allowed.
pub(super) fn overdraft() -> u64 {
    CREDIT.load(Ordering::Relaxed).min(0).unsigned_abs()
}

/// Sets the order in which members are read from now on.
pub fn visit(order: Order) {
    IN_ANY_ORDER.store(order == Order::Any, Ordering::Relaxed);
}

/// Gives back members that map `bytes` together, except the last `spared`, which are being read.
/// Returns whether there were any.
pub(super) fn leave(bytes: u64, spared: usize) -> bool {
    let mut state = lock();
    let mut leaving = take(&mut state.here, bytes, spared, |resident| resident.windows.len());
    let ranges = if leaving.is_empty() {
        leaving = take(&mut state.kept, bytes, spared, |resident| resident.kept.len());
        let kept = leaving.iter().filter(|resident| resident.leave(KEPT)).map(|r| &r.kept);
        kept.filter(|k| !k.is_empty()).map(|k| (k.start, k.len())).collect()
    } else {
        state.leave(&mut leaving)
    };
    // The lock is freed first, so that other threads need not wait for the kernel.
    drop(state);
    give_back(&ranges);
    !leaving.is_empty()
}

/// Takes members out of `here` that map `bytes` together, except the last `spared`: from the front
/// under [`Order::Any`], otherwise from the end.
fn take(
    here: &mut Vec<&'static Resident>,
    bytes: u64,
    spared: usize,
    size: impl Fn(&Resident) -> usize,
) -> Vec<&'static Resident> {
    let mut left = bytes as usize;
    let is_enough = |resident: &&Resident| {
        left = left.saturating_sub(size(resident));
        left == 0
    };
    let free = here.len().saturating_sub(spared);
    let taken = if IN_ANY_ORDER.load(Ordering::Relaxed) {
        0..here[..free].iter().position(is_enough).map_or(free, |at| at + 1)
    } else {
        here[..free].iter().rposition(is_enough).unwrap_or(0)..free
    };
    here.drain(taken).collect()
}

/// Gives back these members without their `kept` pages.
pub(super) fn leave_these(mut leaving: Vec<&'static Resident>) {
    let ranges = lock().leave(&mut leaving);
    give_back(&ranges);
}

impl State {
    /// Notes that these members are given back without their `kept` pages; returns the ranges to
    /// give back.
    fn leave(&mut self, leaving: &mut Vec<&Resident>) -> Vec<(usize, usize)> {
        leaving.retain(|resident| resident.leave(WHOLE));
        leaving.sort_by_key(|resident| resident.windows.start);
        if self.sorted < self.ranges.len() {
            self.ranges.sort();
            self.sorted = self.ranges.len();
        }
        let mut ranges: Vec<(usize, usize)> = Vec::with_capacity(leaving.len());
        let mut from = 0;
        for resident in leaving {
            let Range { start, end } = resident.windows;
            from = from.max(start);
            let first = self.ranges.partition_point(|&(_, end)| end <= from);
            for &(start, kept_end) in self.ranges[first..].iter().take_while(|k| k.0 < end) {
                push(&mut ranges, from, start);
                from = from.max(kept_end);
            }
            push(&mut ranges, from, end);
            from = from.max(end);
        }
        ranges
    }
}

fn push(ranges: &mut Vec<(usize, usize)>, start: usize, end: usize) {
    match ranges.last_mut() {
        _ if start >= end => {}
        Some(last) if last.0 + last.1 == start => last.1 += end - start,
        _ => ranges.push((start, end - start)),
    }
}

/// Notes that all members were given back.
pub(super) fn all_left() {
    let state = &mut *lock();
    for resident in state.here.drain(..).chain(state.kept.drain(..)) {
        resident.leave(WHOLE | KEPT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resident(windows: Range<usize>, kept: Range<usize>) -> &'static Resident {
        Box::leak(Box::new(Resident { windows, kept, is_here: AtomicU8::new(WHOLE | KEPT) }))
    }

    fn state(all: &[&'static Resident]) -> State {
        let ranges = all.iter().map(|resident| (resident.kept.start, resident.kept.end)).collect();
        State { here: all.to_vec(), kept: all.to_vec(), ranges, sorted: 0 }
    }

    #[test]
    fn what_stays_longer_is_left_out_of_what_is_given_back() {
        let first = resident(0x10000..0x30000, 0x18000..0x1a000);
        let second = resident(0x20000..0x40000, 0x2f000..0x31000);
        let mut state = state(&[second, first]);
        // The window that two members share is given back once, without the `kept` pages of the
        // other one.
        let ranges = state.leave(&mut vec![first]);
        assert_eq!(ranges, [(0x10000, 0x8000), (0x1a000, 0x15000)]);
        assert!(!first.is_here() && second.is_here());
        let ranges = state.leave(&mut vec![first, second]);
        assert_eq!(ranges, [(0x20000, 0xf000), (0x31000, 0xf000)], "the first one has left");
    }

    #[test]
    fn the_last_go_first_but_for_those_that_are_read() {
        let all: Vec<_> = (0..6).map(|at| resident(at << 16..(at + 1) << 16, 0..0)).collect();
        let mut here = all.clone();
        let starts = |taken: Vec<&Resident>| -> Vec<usize> {
            taken.iter().map(|resident| resident.windows.start >> 16).collect()
        };
        let size = |resident: &Resident| resident.windows.len();
        assert_eq!(starts(take(&mut here, 2 << 16, 1, size)), [3, 4]);
        assert_eq!(starts(here.clone()), [0, 1, 2, 5]);
        assert_eq!(starts(take(&mut here, 9 << 16, 1, size)), [0, 1, 2]);
        assert_eq!(starts(take(&mut here, 1, 1, size)), [0_usize; 0]);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn windows_end_where_the_mapping_does() {
        let file = crate::input::open(&std::env::current_exe().expect("a test is a file"));
        let file = file.expect("readable");
        let (start, end) = (file.data.as_ptr() as usize, file.data.as_ptr_range().end as usize);
        let tail = &file.data[file.data.len() - 10..];
        let last = Resident::new(&file, tail, tail).expect("mapped");
        assert_eq!(last.windows.end, end.next_multiple_of(page_size()));
        assert_eq!(last.kept, tail.as_ptr() as usize / page_size() * page_size()..last.windows.end);
        let first = Resident::new(&file, &file.data[..10], &[]).expect("mapped");
        assert_eq!(first.windows.start, start);
        assert!(first.kept.is_empty());
        assert!(Resident::new(&file, b"elsewhere", &[]).is_none());
    }
}
