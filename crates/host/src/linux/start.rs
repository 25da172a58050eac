//! The beginning of the process: `main` as the C library calls it.
//!
//! A link of a small program takes three milliseconds, of which Rust's runtime would take a tenth
//! before `main`: it reads `/proc/self/maps` to find the end of the stack, which is not needed
//! here. So the C library calls the program directly ([`program!`](crate::program)), and this
//! module does the necessary work of the runtime.

use super::{faults, standard_streams};
use std::ffi::{CStr, OsStr, OsString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;

/// Defines the C function `main` of a program: it calls `$main` with the command line, and exits
/// with the status that it returns.
#[macro_export]
macro_rules! program {
    ($main:path) => {
        /// Called by the C library.
        // SAFETY: no other function of a program has this name.
        #[unsafe(no_mangle)]
        extern "C" fn main(
            count: ::std::ffi::c_int,
            words: *const *const ::std::ffi::c_char,
        ) -> ::std::ffi::c_int {
            // SAFETY: the C library passes the command line.
            unsafe { $crate::start::run(count, words, $main) }
        }

        /// Called by Rust's library when a thread first uses a variable with a destructor. Threads
        /// end with the process, so there is nothing to keep; the C library would set up a heap of
        /// its own for the list.
        // SAFETY: it takes the place of the C library's function of the same name, which promises
        // no more than that `destructor` is not called early.
        #[unsafe(no_mangle)]
        extern "C" fn __cxa_thread_atexit_impl(
            _destructor: *mut ::std::ffi::c_void,
            _object: *mut ::std::ffi::c_void,
            _image: *mut ::std::ffi::c_void,
        ) -> ::std::ffi::c_int {
            0
        }
    };
}

/// Runs `main`.
///
/// # Safety
/// `words` must be `count` strings that stay, as the C library passes them to a program.
#[doc(hidden)]
pub unsafe fn run(
    count: c_int,
    words: *const *const c_char,
    main: fn(Vec<OsString>) -> i32,
) -> c_int {
    standard_streams::fill();
    // Writing to a closed pipe returns an error instead of ending the process.
    // SAFETY: no handler is set.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    faults::use_own_stack();
    let word = |at| {
        // SAFETY: the caller's promise.
        let word = unsafe { CStr::from_ptr(*words.add(at)) };
        OsStr::from_bytes(word.to_bytes()).to_owned()
    };
    main((0..usize::try_from(count).unwrap_or(0)).map(word).collect())
}
