//! The thread that gives inputs back while a limit is in force.

use super::{Limit, needed_mib, resident};
use crate::input::Sweep;
use skald_host::memory::Gauge;
use skald_host::{faults, threads};
use std::io::Result;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread::Thread;
use std::time::Duration;

/// Bytes per microsecond by which the memory is assumed to grow at most.
const FASTEST: u64 = 8 << 10;
/// The shortest pause: more frequent checks would cost more than they save.
const SHORTEST: Duration = Duration::from_micros(500);
const LONGEST: Duration = Duration::from_millis(50);
/// A 32nd of the limit is given back at a time: less would cause more interrupts, more would cause
/// more pages to be read again.
const BACK: u64 = 32;

/// Least bytes of inputs that may be faulted in between two checks of the memory.
const LEAST_CREDIT: u64 = 1 << 20;
/// Half of a member's windows are assumed to be resident, so members with twice the needed size are
/// given back. The guess saves checks of the memory.
const GUESS: u64 = 2;
/// Bytes that may be faulted in while another thread makes room.
const MOST_OVERDRAFT: u64 = 4 << 20;

static IS_STARTED: AtomicBool = AtomicBool::new(false);
/// The limit in force, until [`end`]. A thread that checks the memory holds the lock; others that
/// have read much wait for it.
static KEEPER: Mutex<Option<Keeper>> = Mutex::new(None);

/// A limit, and the state needed to keep it.
struct Keeper {
    limit: Limit,
    gauge: Gauge,
    sweep: Sweep,
    thread: Option<Thread>,
}

pub(super) fn is_started() -> bool {
    IS_STARTED.load(Ordering::Relaxed)
}

/// Keeps `limit`, unless another one is in force.
pub(super) fn start(limit: Limit) -> Result<()> {
    if IS_STARTED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let gauge = Gauge::open()?;
    gauge.read()?;
    let mut keeper = lock();
    let own = keeper.insert(Keeper { limit, gauge, sweep: Sweep::default(), thread: None });
    let thread = std::thread::Builder::new().stack_size(128 << 10);
    // If the thread cannot be started, the threads that read inputs give memory back.
    own.thread = thread.spawn(keep).ok().map(|handle| handle.thread().clone());
    own.look();
    Ok(())
}

fn lock() -> MutexGuard<'static, Option<Keeper>> {
    KEEPER.lock().unwrap_or_else(|e| e.into_inner())
}

/// Ends what [`super::hold`] began: from now on the process is not ended for the sake of a limit.
pub fn end() {
    if let Some(thread) = lock().take().and_then(|keeper| keeper.thread) {
        thread.unpark();
    }
}

fn keep() {
    // With short time slices this thread gets the processor soon when it wakes up.
    threads::ask_for_short_turns();
    loop {
        // A separate statement, so that the lock is free during the pause.
        let left = lock().as_mut().map(Keeper::look);
        let Some(left) = left else { return };
        let pause = Duration::from_micros(left / FASTEST);
        std::thread::park_timeout(pause.clamp(SHORTEST, LONGEST));
    }
}

/// Checks the memory, and makes room if there is none. If another thread does so already, this one
/// waits only if much was read since the last check.
pub(super) fn pace() {
    let mut keeper = match KEEPER.try_lock() {
        Ok(keeper) => keeper,
        Err(TryLockError::WouldBlock) if resident::overdraft() < MOST_OVERDRAFT => return,
        Err(_) => lock(),
    };
    if resident::overdraft() > 0 {
        keeper.as_mut().map(Keeper::look);
    }
}

/// The limit in force.
pub(super) fn limit() -> Option<Limit> {
    if is_started() { lock().as_ref().map(|keeper| keeper.limit) } else { None }
}

/// Whether there is no room for `more` bytes.
pub(super) fn is_short(more: u64) -> bool {
    lock().as_ref().is_some_and(|keeper| keeper.left() < more)
}

impl Keeper {
    /// How many bytes are left before inputs are given back.
    fn left(&self) -> u64 {
        // If `statm` cannot be read any more, resident memory counts as zero.
        let resident = self.gauge.read().map_or(0, |memory| memory.resident);
        self.limit.high().saturating_sub(resident)
    }

    /// Makes room if there is none. Returns how many bytes are left.
    fn look(&mut self) -> u64 {
        let Ok(memory) = self.gauge.read() else { return u64::MAX };
        if memory.own > self.limit.most_own() && !self.limit.is_soft {
            self.exceeded(memory.own);
        }
        let high = self.limit.high();
        if memory.resident > high {
            self.give_back(memory.resident, high - self.limit.room / BACK);
        }
        let left = self.left();
        // The other half is for tables, which grow as well.
        resident::allow((left / 2).max(LEAST_CREDIT));
        left
    }

    /// Gives inputs back until the resident memory is at most `low`, or until all were given back
    /// once.
    fn give_back(&mut self, mut resident: u64, low: u64) {
        let spared = 2 * crate::par::threads() + 2;
        while resident::leave(GUESS * (resident - low), spared) {
            match self.gauge.read() {
                Ok(memory) if memory.resident > low => resident = memory.resident,
                _ => return,
            }
        }
        resident::all_left();
        self.sweep.begin();
        while self.sweep.give_back() {
            if self.gauge.read().is_ok_and(|memory| memory.resident <= low) {
                return;
            }
        }
    }

    /// Ends the process: the memory is above the limit, and no input is left to give back.
    fn exceeded(&self, own: u64) -> ! {
        let (limit, needed) = (self.limit, needed_mib(own + own / 8));
        faults::end_with(&format!(
            "the memory limit of {limit} is too small: this link needs about {needed} MiB"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no /proc")]
    fn the_gauge_sees_what_is_allocated() {
        let gauge = Gauge::open().expect("Linux");
        let before = gauge.read().expect("readable").own;
        let bytes = vec![1u8; 64 << 20];
        let after = gauge.read().expect("readable").own;
        assert!(after >= before + (48 << 20), "{before} {after}");
        drop(bytes);
    }
}
