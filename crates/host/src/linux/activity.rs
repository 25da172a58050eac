//! Detects processes that hang, so that the linker does not wait for such a compiler plugin or
//! distributor for ever.

use std::fs;
use std::time::{Duration, Instant};

/// A process that only uses processor time may do so for this many times the limit: an optimiser
/// may look like an endless loop, but hardly for long.
const LOOPING: u32 = 4;

/// A measure of what the processes of a group have done so far: any numbers that change when the
/// processes do something.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Done {
    /// Processor time, in ticks.
    time: u64,
    /// Sum of page faults, ticks of system time, and number of processes.
    effects: u64,
}

/// Measures how long a group of processes has done nothing.
#[derive(Debug)]
pub struct Silence {
    done: Done,
    idle_since: Instant,
    looping_since: Instant,
}

impl Silence {
    /// A group that was active just now.
    pub fn begin() -> Silence {
        let now = Instant::now();
        Silence { done: Done::default(), idle_since: now, looping_since: now }
    }

    /// Checks the group again; returns a message if it has done nothing for too long.
    pub fn beyond(&mut self, group: u32, limit: Duration) -> Option<String> {
        self.look(done_by(group), Instant::now());
        let ended = |what: &str, limit: Duration| {
            Some(format!("{what} for {} seconds and was ended", limit.as_secs()))
        };
        let for_loops = limit.saturating_mul(LOOPING);
        match () {
            () if self.idle_since.elapsed() > limit => ended("has done nothing", limit),
            () if self.looping_since.elapsed() > for_loops => {
                ended("has only gone round in a loop", for_loops)
            }
            () => None,
        }
    }

    fn look(&mut self, done: Done, now: Instant) {
        if done.effects != self.done.effects {
            self.looping_since = now;
        }
        if done != self.done {
            self.idle_since = now;
        }
        self.done = done;
    }
}

/// The activity of a group of processes.
fn done_by(group: u32) -> Done {
    let mut all = Done::default();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        if !entry.file_name().as_encoded_bytes().first().is_some_and(u8::is_ascii_digit) {
            continue;
        }
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        if let Some(done) = done_by_one(&stat, group) {
            all.time = all.time.wrapping_add(done.time);
            all.effects = all.effects.wrapping_add(done.effects);
        }
    }
    all
}

/// The activity of a process, from its `/proc/PID/stat` (proc(5)); `None` if it is not in the
/// group.
fn done_by_one(stat: &str, group: u32) -> Option<Done> {
    // The name, in parentheses, may contain any characters.
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<u64> = rest.split_whitespace().map(|f| f.parse().unwrap_or(0)).collect();
    if fields.get(2) != Some(&u64::from(group)) {
        return None;
    }
    let &[minor, of_children, major, of_their, user, system, child_user, child_system] =
        fields.get(7..15)?
    else {
        return None;
    };
    let time = user + system + child_user + child_system;
    let effects = minor + of_children + major + of_their + system + child_system + 1;
    Some(Done { time, effects })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_of_the_group_is_counted() {
        let stat = "9 (a) b) R 1 77 9 0 -1 0 1 2 3 4 50 6 7 8 20 0";
        assert_eq!(done_by_one(stat, 77), Some(Done { time: 71, effects: 25 }));
        assert_eq!(done_by_one(stat, 78), None);
        assert_eq!(done_by_one("", 77), None);
    }

    #[test]
    fn a_loop_is_no_work() {
        let mut silence = Silence::begin();
        let start = silence.idle_since;
        let later = start + Duration::from_secs(5);
        silence.look(Done { time: 5, effects: 1 }, start);
        silence.look(Done { time: 6, effects: 1 }, later);
        assert_eq!((silence.idle_since, silence.looping_since), (later, start));
        silence.look(Done { time: 6, effects: 2 }, later);
        assert_eq!(silence.looping_since, later);
    }
}
