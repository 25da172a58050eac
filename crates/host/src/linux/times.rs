//! Processor time and clocks.

use crate::times::CpuTime;
use std::mem::MaybeUninit;
use std::time::Duration;

/// CPU time of all threads of this process so far.
pub fn of_process() -> CpuTime {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: getrusage fills the structure it is given, which is valid when zero.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    CpuTime { user: duration(usage.ru_utime), system: duration(usage.ru_stime) }
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
}

/// CPU time of this thread so far: it does not count waiting for the processor.
pub fn of_thread() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours; the clock is there in every Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Nanoseconds of a monotonic clock.
pub fn monotonic() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Whether a write to a file now would set the given modification time again: the kernel takes file
/// times from a clock that ticks every few milliseconds.
pub fn ticks_now(seconds: i64, nanoseconds: i64) -> bool {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: fills one structure; no system call.
    unsafe { libc::clock_gettime(libc::CLOCK_REALTIME_COARSE, &mut now) };
    // Some file systems store whole seconds.
    seconds == now.tv_sec && (nanoseconds == 0 || nanoseconds == now.tv_nsec)
}
