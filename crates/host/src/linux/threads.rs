//! Threads: how many may run, and settings that make them cheaper.

/// Lets all threads share one heap of the C library. Otherwise it would reserve 64 MiB of address
/// space for each thread that allocates a few bytes. Nearly all memory comes from our own
/// allocator.
pub fn share_one_heap() {
    // SAFETY: it sets a number of the C library, which takes any.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
}

/// Number of processors that this process may run on; `None` if the system does not tell.
pub fn processors() -> Option<usize> {
    rustix::thread::sched_getaffinity(None).ok().map(|set| set.count() as usize)
}

/// Asks for short time slices for this thread, which begin sooner after a wake-up (since Linux
/// 6.12; older kernels refuse or ignore it).
pub fn ask_for_short_turns() {
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
