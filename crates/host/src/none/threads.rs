//! Threads: how many may run, and what each costs.

/// Nothing has to be said to the C library.
pub fn share_one_heap() {}

/// How many processors this process may run on: nobody tells.
pub fn processors() -> Option<usize> {
    None
}

/// Threads take turns as the system likes.
pub fn ask_for_short_turns() {}
