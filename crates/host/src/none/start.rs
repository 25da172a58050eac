//! The beginning of the process.

use std::ffi::{OsString, c_char, c_int};

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
            $crate::start::run(count, words, $main)
        }
    };
}

/// Runs `main` with the command line from Rust's standard library; the arguments of the C library
/// are ignored.
#[doc(hidden)]
pub fn run(_count: c_int, _words: *const *const c_char, main: fn(Vec<OsString>) -> i32) -> c_int {
    main(std::env::args_os().collect())
}
