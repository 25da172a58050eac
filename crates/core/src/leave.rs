//! Leaving: what is done by all threads when the work is done and the process is about to exit,
//! because the kernel would do it with one.

use crate::input;
use rustix::fd::OwnedFd;
use std::sync::Mutex;

static FILES: Mutex<Vec<OwnedFd>> = Mutex::new(Vec::new());

/// Keeps `file` open until [`leave`]: it has no name any more, and closing it frees its bytes.
pub(crate) fn close_last(file: OwnedFd) {
    FILES.lock().unwrap_or_else(|e| e.into_inner()).push(file);
}

/// Frees replaced files and the memory of inputs. To be called last, by a process that has its
/// threads: it would start them. Nothing becomes invalid.
pub fn leave() {
    free();
    #[cfg(feature = "record")]
    crate::par::recorder::finish();
}

fn free() {
    let files = std::mem::take(&mut *FILES.lock().unwrap_or_else(|e| e.into_inner()));
    if files.is_empty() {
        // A small link has nothing to share out.
        return input::release_all();
    }
    crate::par::join(input::release_all, || drop(files));
}
