//! Job servers are not supported on this host, so the number of threads is not limited by one.

/// How many of `wanted` further threads this process may start: all of them.
pub fn take(wanted: usize) -> usize {
    wanted
}

/// Gives all jobs back: none was taken.
pub fn give_back() {}
