//! Whether processes do something: nobody tells, so none is ended for doing nothing.

use std::time::Duration;

/// How long a group of processes has done nothing.
#[derive(Debug)]
pub struct Silence;

impl Silence {
    /// It begins now.
    pub fn begin() -> Silence {
        Silence
    }

    /// What to say of the group if it has done nothing for too long.
    pub fn beyond(&mut self, _group: u32, _limit: Duration) -> Option<String> {
        None
    }
}
