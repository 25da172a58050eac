//! Threads: data-parallel loops over rayon, and one worklist.

#[cfg(feature = "record")]
mod recorded;
#[cfg(feature = "record")]
pub(crate) mod recorder;

/// Rayon's traits for parallel loops. All loops use this prelude, so that a build with the feature
/// `record` can record them.
pub mod prelude {
    #[cfg(feature = "record")]
    pub use super::recorded::{
        IntoParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelSlice,
        ParallelSliceMut,
    };
    #[cfg(not(feature = "record"))]
    pub use rayon::prelude::*;
    #[cfg(feature = "record")]
    pub use rayon::prelude::{
        FromParallelIterator, IndexedParallelIterator, ParallelExtend, ParallelIterator,
    };
}

#[cfg(not(feature = "record"))]
pub use rayon::{join, scope};

/// See [`scope`].
#[cfg(not(feature = "record"))]
pub type Scope<'s, 'scope> = rayon::Scope<'scope>;
#[cfg(feature = "record")]
pub use recorded::{Scope, join, scope};

use crate::ids::Id;
use prelude::*;
use rayon::ThreadBuilder;
use skald_host::{self as host, faults, jobs};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Condvar, Mutex, OnceLock};

/// Most threads that are started under [`are_all_wanted`].
const ALL: usize = 256;

/// Whether all requested threads are started, even if the machine cannot run them at once or the
/// work is small. Used to find results that depend on the number of threads (`SKALD_ALL_THREADS` in
/// the environment, and builds with the feature `perturb`).
fn are_all_wanted() -> bool {
    cfg!(feature = "perturb") || std::env::var_os("SKALD_ALL_THREADS").is_some()
}

/// The requested number of threads and the most to start, until the pool exists.
static ASKED: Mutex<Option<(usize, usize)>> = Mutex::new(None);

/// Sets how many threads the process's pool gets when it is started.
///
/// If `threads` is 0, the pool gets as many as the machine runs at once, or fewer if make's job
/// server has no tokens for them ([`jobs`]). More than `most`, or more than the machine runs at
/// once, are never started: they would gain nothing and wait for each other. For the exception see
/// [`are_all_wanted`].
pub fn ask(threads: usize, most: usize) {
    host::threads::share_one_heap();
    #[cfg(feature = "record")]
    recorder::start();
    *ASKED.lock().unwrap_or_else(|e| e.into_inner()) = Some((threads, most));
}

/// Starts the process's thread pool. The calling thread is one of its workers, and the only one if
/// the work `is_small`: starting another thread would take as long as its share of the work.
///
/// Does nothing when the pool is already running. To be called before the first loop. If the system
/// refuses a thread (a limit on processes or on memory), the pool has fewer.
pub fn start(is_small: bool) {
    let asked = ASKED.lock().unwrap_or_else(|e| e.into_inner()).take();
    let Some((threads, most)) = asked else { return };
    let are_all_wanted = are_all_wanted();
    if most == 1 || is_small && !are_all_wanted {
        // `available` takes some thirty system calls, so it is not called here.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        let _ = pool.build_global();
        return;
    }
    let threads = if threads == 0 { 1 + jobs::take(available().min(most) - 1) } else { threads };
    let at_once = if are_all_wanted { available().max(ALL) } else { available() };
    let threads = threads.min(most).min(at_once);
    // Every worker that the pool counts must run, so the threads are started before the pool is
    // made.
    let mut spawned = (1..threads).map_while(|_| spawn_waiting()).collect::<Vec<_>>().into_iter();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1 + spawned.len()).use_current_thread();
    let employ = |worker| {
        let thread = spawned.next().expect("as many as the pool was told of");
        thread.send(worker).map_err(|_| std::io::Error::other("a worker has gone"))
    };
    // Fails only if a pool exists already, which is then used.
    let _ = pool.spawn_handler(employ).build_global();
}

/// Starts a thread that waits to become a worker of the pool; `None` if the system refuses.
fn spawn_waiting() -> Option<Sender<ThreadBuilder>> {
    let (sender, receiver) = channel::<ThreadBuilder>();
    let run = move || {
        faults::use_own_stack();
        receiver.recv().map_or((), ThreadBuilder::run)
    };
    std::thread::Builder::new().spawn(run).ok().map(|_| sender)
}

/// Runs `act` later on some idle thread.
pub(crate) fn meanwhile(act: impl FnOnce() + Send + 'static) {
    #[cfg(feature = "record")]
    let act = || recorder::apart(act);
    rayon::spawn(act);
}

/// Runs `act` on every thread of the pool.
pub(crate) fn on_each<T: Send>(act: impl Fn() -> T + Sync) -> Vec<T> {
    rayon::broadcast(|_| act())
}

/// How many threads the pool has.
#[inline]
pub fn threads() -> usize {
    #[cfg(feature = "record")]
    if let Some(threads) = recorder::threads() {
        return threads;
    }
    rayon::current_num_threads()
}

/// How many threads of this process can run at once.
pub(crate) fn processors() -> usize {
    #[cfg(feature = "record")]
    if let Some(threads) = recorder::threads() {
        return threads;
    }
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(available)
}

/// Runs `act`, during which the kernel holds the lock that `lock` names; other threads that need
/// this lock wait.
#[inline(always)]
pub(crate) fn hold<R>(lock: &'static str, act: impl FnOnce() -> R) -> R {
    #[cfg(feature = "record")]
    return recorder::hold(lock, act);
    #[cfg(not(feature = "record"))]
    {
        let _ = lock;
        act()
    }
}

/// An upper bound of the threads that run at once. A control group's quota, which takes longer to
/// read, may allow fewer.
pub fn most() -> usize {
    host::threads::processors().unwrap_or_else(available)
}

/// The machine's threads, as far as this process may use them.
fn available() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

/// Ids that one task of [`select`] looks at.
const SELECT_CHUNK: usize = 1 << 14;

/// The ids below `len` that are `wanted`, ascending.
pub fn select<I: Id>(len: usize, wanted: impl Fn(I) -> bool + Sync) -> Vec<I> {
    let chunks: Vec<Vec<I>> = (0..len.div_ceil(SELECT_CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let start = chunk * SELECT_CHUNK;
            let end = len.min(start + SELECT_CHUNK);
            let mut found = Vec::new();
            for id in (start..end).map(I::from_index) {
                if wanted(id) {
                    found.push(id);
                }
            }
            found
        })
        .collect();
    chunks.concat()
}

/// Least length of a stack that is shared with idle workers.
const SHARE_LENGTH: usize = 8;
/// How many items of a worklist wait between the stack and their visit.
const COMING: usize = 8;

/// How soon an item of a worklist will be visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The visit is [`COMING`] visits ahead.
    First,
    /// The visit is half as many visits ahead.
    Second,
}

struct Shared<T> {
    stacks: Vec<Vec<T>>,
    active: usize,
}

/// Visits `seeds` and everything that visits push, in parallel and in no particular order, until
/// nothing is left. Each worker has a state made by `state`; all states are returned.
///
/// `visit(state, item, stack)` pushes further items on `stack`. `approach` is called twice for an
/// item, some visits before its own, to prefetch the data that the visit will read. The first call
/// prefetches the item's own data, the second the data that these refer to.
#[track_caller]
pub fn worklist<T: Copy + Default + Send, S: Send>(
    seeds: Vec<T>,
    state: impl Fn() -> S + Sync,
    approach: impl Fn(&T, Step) + Sync,
    visit: impl Fn(&mut S, T, &mut Vec<T>) + Sync,
) -> Vec<S> {
    #[cfg(feature = "record")]
    let place = std::panic::Location::caller();
    let workers = threads();
    let chunk = seeds.len().div_ceil(workers * 4).max(1);
    let mut stacks = Vec::new();
    let mut seeds = seeds.into_iter();
    loop {
        let stack: Vec<T> = seeds.by_ref().take(chunk).collect();
        if stack.is_empty() {
            break;
        }
        stacks.push(stack);
    }
    let shared = Mutex::new(Shared { stacks, active: 0 });
    let changed = Condvar::new();
    // Changed while the lock is held; read at every visit without the lock.
    let waiting = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    rayon::broadcast(|_| {
        let mut own = state();
        #[cfg(feature = "record")]
        let mut list = recorder::List::begin(place);
        let mut coming = Coming::default();
        while let Some(mut stack) = next_stack(&shared, &changed, &waiting) {
            loop {
                while coming.has_room()
                    && let Some(item) = stack.pop()
                {
                    approach(&item, Step::First);
                    #[cfg(feature = "record")]
                    list.take(stack.len());
                    coming.push(item);
                }
                let Some(item) = coming.pop() else { break };
                if let Some(next) = coming.middle() {
                    approach(next, Step::Second);
                }
                #[cfg(feature = "record")]
                list.visit();
                visit(&mut own, item, &mut stack);
                #[cfg(feature = "record")]
                list.pushed(stack.len());
                if stack.len() >= SHARE_LENGTH && waiting.load(Ordering::Relaxed) != 0 {
                    share(&shared, &changed, &waiting, &mut stack);
                }
            }
            let mut shared = shared.lock().expect("no worker panics");
            shared.active -= 1;
            if shared.active == 0 && shared.stacks.is_empty() {
                changed.notify_all();
            }
        }
        results.lock().expect("no worker panics").push(own);
    });
    results.into_inner().expect("no worker panics")
}

/// Items of a worklist that will be visited next, in order.
#[derive(Default)]
struct Coming<T> {
    items: [T; COMING],
    first: usize,
    count: usize,
}

impl<T: Copy> Coming<T> {
    #[inline(always)]
    fn has_room(&self) -> bool {
        self.count < COMING
    }

    #[inline(always)]
    fn push(&mut self, item: T) {
        self.items[(self.first + self.count) % COMING] = item;
        self.count += 1;
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<T> {
        self.count = self.count.checked_sub(1)?;
        let item = self.items[self.first % COMING];
        self.first += 1;
        Some(item)
    }

    /// The item with half of [`COMING`] items before it, if there are that many.
    #[inline(always)]
    fn middle(&self) -> Option<&T> {
        (self.count > COMING / 2).then(|| &self.items[(self.first + COMING / 2) % COMING])
    }
}

fn next_stack<T>(
    shared: &Mutex<Shared<T>>,
    changed: &Condvar,
    waiting: &AtomicUsize,
) -> Option<Vec<T>> {
    let mut shared = shared.lock().expect("no worker panics");
    loop {
        if let Some(stack) = shared.stacks.pop() {
            shared.active += 1;
            return Some(stack);
        }
        if shared.active == 0 {
            return None;
        }
        waiting.fetch_add(1, Ordering::Relaxed);
        shared = changed.wait(shared).expect("no worker panics");
        waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Gives the older half of a stack to a waiting worker, if there is one.
fn share<T>(
    shared: &Mutex<Shared<T>>,
    changed: &Condvar,
    waiting: &AtomicUsize,
    stack: &mut Vec<T>,
) {
    let mut shared = shared.lock().expect("no worker panics");
    if waiting.load(Ordering::Relaxed) > shared.stacks.len() {
        let newer = stack.split_off(stack.len() / 2);
        shared.stacks.push(std::mem::replace(stack, newer));
        changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU8, Ordering};

    #[test]
    fn worklist_visits_everything_once() {
        let seen: Vec<AtomicU8> =
            (0..if cfg!(miri) { 300 } else { 100_000 }).map(|_| AtomicU8::new(0)).collect();
        let visit = |count: &mut usize, n: usize, stack: &mut Vec<usize>| {
            if seen[n].swap(1, Ordering::Relaxed) == 0 {
                *count += 1;
                stack.extend([n * 2 + 1, n * 2 + 2].into_iter().filter(|&m| m < seen.len()));
            }
        };
        let approached = AtomicUsize::new(0);
        let approach = |_: &_, step| {
            if step == Step::First {
                approached.fetch_add(1, Ordering::Relaxed);
            }
        };
        let counts = worklist(vec![0], || 0, approach, visit);
        assert_eq!(counts.iter().sum::<usize>(), seen.len());
        assert_eq!(approached.into_inner(), seen.len());
    }

    #[test]
    #[cfg_attr(miri, ignore = "long, and all of it safe code")]
    fn select_keeps_order() {
        use crate::names::NameId;
        let found = select(3 * SELECT_CHUNK + 7, |id: NameId| id.index() % 5 == 1);
        assert!(found.iter().zip(0..).all(|(&id, at)| id.number() == 5 * at + 1));
        assert_eq!(found.len(), (3 * SELECT_CHUNK + 10) / 5);
        assert!(select::<NameId>(0, |_| true).is_empty());
    }

    #[test]
    fn empty_worklist_ends() {
        let never = |(): &mut (), _, _: &mut Vec<u32>| unreachable!("nothing to visit");
        worklist(Vec::new(), || (), |_, _| (), never);
    }
}
