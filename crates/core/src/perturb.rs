//! Self-perturbation: a test that no output depends on chance.
//!
//! A build with the feature `perturb` randomizes in every process what a link must not depend on.
//! That is the order of equal elements before unstable sorts ([`shuffled`]), and how bytes are
//! written to the output ([`crate::output`], through [`choice`]). Addresses of allocations and the
//! timing of threads are randomized too ([`crate::alloc`], through [`gap`] and [`pause`]). Hashes
//! have random keys in every build, and hash tables cannot be iterated ([`crate::unordered`]). The
//! output must equal that of any other build. `SKALD_PERTURB` in the environment sets the seed, to
//! reproduce a failure as far as threads allow.
//!
//! Without the feature nothing of this is compiled in.

/// `elements` in an arbitrary order, for an unstable sort: with the feature `perturb` they are
/// shuffled, so that no output depends on the order before.
#[inline(always)]
pub fn shuffled<T>(elements: &mut [T]) -> &mut [T] {
    #[cfg(feature = "perturb")]
    chance::shuffle(elements);
    elements
}

#[cfg(feature = "perturb")]
pub(crate) use chance::{choice, gap, pause};

/// Panics if the environment names this phase (`SKALD_PERTURB_FAIL=PHASE`) or this phase at this
/// input (`PHASE@PATH`); overflows the stack for `overflow:PHASE`. For tests of internal errors.
#[cfg(feature = "perturb")]
pub(crate) fn fail_in(phase: &str, input: &str) {
    static WANTED: std::sync::OnceLock<Option<(String, String)>> = std::sync::OnceLock::new();
    let wanted = WANTED.get_or_init(|| {
        let wanted = std::env::var("SKALD_PERTURB_FAIL").ok()?;
        let (phase, input) = wanted.split_once('@').unwrap_or((&wanted, ""));
        Some((phase.to_owned(), input.to_owned()))
    });
    let Some((in_phase, at)) = wanted.as_ref().filter(|(_, at)| at == input) else { return };
    if in_phase.strip_prefix("overflow:") == Some(phase) {
        println!("{}", overflow_stack(at.len()));
    }
    assert!(in_phase != phase, "asked for by SKALD_PERTURB_FAIL");
}

/// Recurses until the stack overflows.
#[cfg(feature = "perturb")]
#[allow(unconditional_recursion)]
fn overflow_stack(depth: usize) -> usize {
    std::hint::black_box([depth; 64])[depth % 64] + overflow_stack(depth + 1)
}

#[cfg(feature = "perturb")]
mod chance {
    use std::cell::Cell;
    use std::hash::{BuildHasher, RandomState};
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    /// One in so many allocations of a thread waits.
    const PAUSES: u64 = 1 << 6;
    /// A new thread waits at most so many microseconds.
    const START: u64 = 400;

    thread_local! {
        static STATE: Cell<u64> = const { Cell::new(0) };
        static IS_SEEDING: Cell<bool> = const { Cell::new(false) };
    }

    /// The seed of the process. The allocator also calls this while the seed is computed, and then
    /// gets a constant.
    fn seed() -> u64 {
        static SEED: OnceLock<u64> = OnceLock::new();
        if IS_SEEDING.replace(true) {
            return 1;
        }
        let seed = *SEED.get_or_init(|| {
            let given = std::env::var("SKALD_PERTURB").ok().and_then(|text| text.parse().ok());
            given.unwrap_or_else(|| RandomState::new().hash_one(0))
        });
        IS_SEEDING.set(false);
        seed
    }

    /// The next random number of this thread (splitmix64).
    fn next() -> u64 {
        static THREADS: AtomicU64 = AtomicU64::new(1);
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut state = STATE.get();
        if state == 0 {
            let thread = THREADS.fetch_add(1, Ordering::Relaxed);
            state = seed().wrapping_add(thread.wrapping_mul(STEP.rotate_left(32)));
        }
        state = state.wrapping_add(STEP);
        STATE.set(state);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub(super) fn shuffle<T>(elements: &mut [T]) {
        for last in (1..elements.len()).rev() {
            elements.swap(last, (next() % (last as u64 + 1)) as usize);
        }
    }

    /// How many units of memory to leave out before a block: mostly none, at most `most`.
    pub(crate) fn gap(most: usize) -> usize {
        let number = next();
        if number & 7 != 0 { 0 } else { (number >> 8) as usize % (most + 1) }
    }

    /// A number below `count`, each as likely as the others.
    pub(crate) fn choice(count: u64) -> u64 {
        (next() >> 8) % count
    }

    /// Gives other threads the processor: at the start of a thread, and at random.
    pub(crate) fn pause() {
        let is_first = STATE.get() == 0;
        let number = next();
        if is_first {
            std::thread::sleep(Duration::from_micros((number >> 32) % START));
        } else if number.is_multiple_of(PAUSES) {
            if number & PAUSES == 0 {
                std::thread::yield_now();
            } else {
                std::thread::sleep(Duration::from_micros((number >> 32) % 64));
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn shuffling_moves_and_keeps_elements() {
            let sorted: Vec<u32> = (0..1000).collect();
            let mut elements = sorted.clone();
            shuffle(&mut elements);
            assert_ne!(elements, sorted);
            elements.sort();
            assert_eq!(elements, sorted);
        }
    }
}
