//! The thread that gives inputs back while a limit is in force.

use super::{Limit, needed_mib, resident};
use crate::input::Sweep;
use crate::signals;
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags};
use std::io::{Error, ErrorKind, Result};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread::Thread;
use std::time::Duration;

/// Memory does not grow faster than this, in bytes a microsecond.
const FASTEST: u64 = 8 << 10;
/// Looking more often would cost more than it saves.
const SHORTEST: Duration = Duration::from_micros(500);
const LONGEST: Duration = Duration::from_millis(50);
/// What is given back at once is this part of the limit: less costs more interrupts, and of more,
/// more is read again.
const BACK: u64 = 32;

/// So many bytes of inputs come into memory between two looks at least.
const LEAST_CREDIT: u64 = 1 << 20;
/// About one window of a member in so many is in memory: a guess, which saves looks.
const GUESS: u64 = 2;
/// So many bytes come into memory while somebody makes room.
const MOST_OVERDRAFT: u64 = 4 << 20;

static IS_STARTED: AtomicBool = AtomicBool::new(false);
/// What is kept, until [`end`]. Whoever looks has it locked; others who have read much meanwhile
/// wait until there is room.
static KEEPER: Mutex<Option<Keeper>> = Mutex::new(None);

/// A limit, and what it takes to keep it.
struct Keeper {
    limit: Limit,
    gauge: Gauge,
    sweep: Sweep,
    thread: Option<Thread>,
}

pub(super) fn is_started() -> bool {
    IS_STARTED.load(Ordering::Relaxed)
}

/// Keeps `limit`, unless one is kept.
pub(super) fn start(limit: Limit) -> Result<()> {
    if IS_STARTED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let gauge = Gauge::open()?;
    gauge.read()?;
    let mut keeper = lock();
    let own = keeper.insert(Keeper { limit, gauge, sweep: Sweep::default(), thread: None });
    let thread = std::thread::Builder::new().stack_size(128 << 10);
    // Without it those who read give back what they can.
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
    // Those who read leave the processors to whoever looks after them.
    ask_for_short_turns();
    loop {
        // Of its own, so that the lock is free during the pause.
        let left = lock().as_mut().map(Keeper::look);
        let Some(left) = left else { return };
        let pause = Duration::from_micros(left / FASTEST);
        std::thread::park_timeout(pause.clamp(SHORTEST, LONGEST));
    }
}

/// Looks, and makes room if there is none. While somebody else does, only who has read much already
/// waits.
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

/// The limit that is kept.
pub(super) fn limit() -> Option<Limit> {
    if is_started() { lock().as_ref().map(|keeper| keeper.limit) } else { None }
}

/// Whether there is no room for `more` bytes.
pub(super) fn is_short(more: u64) -> bool {
    lock().as_ref().is_some_and(|keeper| keeper.left() < more)
}

impl Keeper {
    /// Bytes that are left before there is no more room.
    fn left(&self) -> u64 {
        // What cannot be read once it could counts as nothing.
        let resident = self.gauge.read().map_or(0, |memory| memory.resident);
        self.limit.high().saturating_sub(resident)
    }

    /// Sees to it that there is room. Returns how much is left.
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
        // Tables grow as well.
        resident::allow((left / 2).max(LEAST_CREDIT));
        left
    }

    /// Gives inputs back until the memory, which is `resident`, is below `low`, or all were given
    /// back once.
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

    /// Ends the process, because there is nothing left to be given back.
    fn exceeded(&self, own: u64) -> ! {
        let (limit, needed) = (self.limit, needed_mib(own + own / 8));
        signals::end_with(&format!(
            "the memory limit of {limit} is too small: this link needs about {needed} MiB"
        ))
    }
}

/// Asks for short turns of the processor, which begin the sooner when this thread wakes up (since
/// Linux 6.12, which before refuses or does nothing).
fn ask_for_short_turns() {
    #[repr(C)]
    #[derive(Default)]
    struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        runtime: u64,
        deadline: u64,
        period: u64,
    }
    // SAFETY: calls without pointers, about this thread.
    let (policy, nice) =
        unsafe { (libc::sched_getscheduler(0), libc::getpriority(libc::PRIO_PROCESS, 0)) };
    if policy != libc::SCHED_OTHER {
        return;
    }
    let size = size_of::<Attributes>() as u32;
    let attributes = Attributes { size, nice, runtime: 100_000, ..Attributes::default() };
    // SAFETY: the call reads `size` bytes of the structure, and changes this thread alone. Whether
    // it does changes nothing but times.
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
}

/// What the process holds, in bytes.
#[derive(Clone, Copy)]
struct Memory {
    /// All that is resident.
    resident: u64,
    /// What no file stands behind.
    own: u64,
}

/// Tells how much memory the process holds.
struct Gauge {
    statm: OwnedFd,
    page: u64,
}

impl Gauge {
    fn open() -> Result<Gauge> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        let statm = rustix::fs::open("/proc/self/statm", flags, Mode::empty())?;
        Ok(Gauge { statm, page: crate::input::page_size() as u64 })
    }

    fn read(&self) -> Result<Memory> {
        let mut text = [0; 128];
        let count = rustix::io::pread(&self.statm, &mut text, 0)?;
        let pages = pages(&text[..count]).ok_or_else(|| Error::from(ErrorKind::InvalidData))?;
        let [resident, shared] = pages.map(|count| count * self.page);
        Ok(Memory { resident, own: resident.saturating_sub(shared) })
    }
}

/// The pages that are resident, and those of them that are a file's, of a line of `statm`.
fn pages(line: &[u8]) -> Option<[u64; 2]> {
    let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace().skip(1);
    let mut next = || words.next()?.parse().ok();
    Some([next()?, next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_statm_is_read() {
        assert_eq!(pages(b"5000 300 200 40 0 900 0\n"), Some([300, 200]));
        assert_eq!(pages(b"5000 300"), None);
        assert_eq!(pages(b""), None);
    }

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
