//! Detects which standard streams the caller had closed.
//!
//! `/dev/null` is opened in their place before anything else, as Rust's runtime does, so that no
//! other file gets their numbers. From then on, output to them is lost without an error, so they
//! have to be checked before that.

use std::sync::atomic::{AtomicU8, Ordering};

/// Bit N is set if the caller had closed descriptor N.
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Finds out which standard streams are closed. The C library calls it before `main`.
extern "C" fn look() {
    for descriptor in 0..3 {
        // SAFETY: fcntl takes any number; this command changes nothing.
        if unsafe { libc::fcntl(descriptor, libc::F_GETFD) } == -1 {
            CLOSED.fetch_or(1 << descriptor, Ordering::Relaxed);
        }
    }
}

// SAFETY: functions in this section are called once, by one thread, when the C library is ready;
// this one calls nothing that needs the runtime of Rust.
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

/// Opens `/dev/null` for each standard stream that the caller had closed. To be called before any
/// file is opened.
pub(crate) fn fill() {
    for descriptor in 0..3 {
        if was_closed(descriptor) {
            // SAFETY: a path that ends; the descriptor, the lowest that is free, is this one.
            unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDWR) };
        }
    }
}

/// Whether the caller had closed this standard stream.
pub(crate) fn was_closed(descriptor: i32) -> bool {
    (0..3).contains(&descriptor) && CLOSED.load(Ordering::Relaxed) & (1 << descriptor) != 0
}
