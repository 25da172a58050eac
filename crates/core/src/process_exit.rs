//! Frees memory and files on all threads before the process exits, because the kernel would free
//! them on one.
//!
//! The last tables of a link are dropped after [`prepare`]; their pages are then given back
//! together with those of the inputs.

use crate::alloc::{self, FreeBlocks};
use crate::par::prelude::*;
use crate::par::{self};
use crate::{input, shares};
use skald_host::output::Replaced;
use std::sync::Mutex;

static FILES: Mutex<Vec<Replaced>> = Mutex::new(Vec::new());
static LAST: Mutex<Vec<Box<dyn FnOnce() + Send>>> = Mutex::new(Vec::new());

/// How many bytes one task of [`finish`] gives back.
const SHARE: usize = 16 << 20;

/// Keeps a file that has no name any more open until [`finish`]: closing it frees its bytes.
pub(crate) fn close_last(file: Replaced) {
    FILES.lock().unwrap_or_else(|e| e.into_inner()).push(file);
}

/// Calls `wait` at the very end of [`finish`]. `wait` waits for another process, which ends
/// meanwhile.
pub fn wait_last(wait: impl FnOnce() + Send + 'static) {
    LAST.lock().unwrap_or_else(|e| e.into_inner()).push(Box::new(wait));
}

/// From now on memory that is freed keeps its pages, which [`finish`] gives back together.
pub fn prepare() {
    alloc::keep_pages();
}

/// Frees replaced files, the memory of inputs, and free blocks of the allocator. To be called last,
/// in a process that has started its threads: otherwise this would start them. All references stay
/// valid.
pub fn finish() {
    let last = std::mem::take(&mut *LAST.lock().unwrap_or_else(|e| e.into_inner()));
    free(!last.is_empty());
    last.into_iter().for_each(|wait| wait());
    #[cfg(feature = "record")]
    crate::par::recorder::finish();
}

/// `waits`: the process waits for another one to end, so there is time for this.
fn free(waits: bool) {
    let files = std::mem::take(&mut *FILES.lock().unwrap_or_else(|e| e.into_inner()));
    if files.is_empty() {
        // A small link has nothing that threads could share.
        return give_pages_back(waits);
    }
    par::join(|| give_pages_back(waits), || drop(files));
}

/// Pages that one thread gives back to the kernel.
enum Share {
    Inputs(Vec<(usize, usize)>),
    Own(FreeBlocks),
}

fn give_pages_back(waits: bool) {
    let inputs = shares::shares(&input::mapped(), SHARE).into_iter().map(Share::Inputs);
    let own = alloc::take_free().shares(SHARE).into_iter().map(Share::Own);
    let shares: Vec<Share> = inputs.chain(own).collect();
    if shares.len() <= 2 && !waits {
        // The kernel frees these as fast at the exit.
        return;
    }
    shares.into_par_iter().with_max_len(1).for_each(|share| match share {
        // Without a call for many ranges, freeing them here would not be faster than at the exit.
        Share::Inputs(ranges) => drop(input::give_back_at_once(&ranges)),
        Share::Own(blocks) => blocks.give_back(),
    });
}
