//! Threads: this host has no settings for them.

/// Does nothing: the C library needs no setting.
pub fn share_one_heap() {}

/// Number of processors that this process may run on: not known.
pub fn processors() -> Option<usize> {
    None
}

/// Does nothing: the system schedules threads as it likes.
pub fn ask_for_short_turns() {}
