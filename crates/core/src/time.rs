//! Where the time of a link goes: the tree of phases for `--time`, a Chrome trace for
//! `--time-trace=FILE`.
//!
//! A phase is timed by a guard ([`Timer::phase`]); phases nest as guards do. A phase begun by a
//! thread that has none open (the other side of a join) hangs below what the thread that made the
//! timer is doing. CPU time is that of the whole process, so phases that overlap each count what
//! the other used. A timer that is off costs one test of a pointer per phase.
//!
//! *Serial share*: a phase is modelled as a part that runs on one thread and a part that runs on
//! all; with wall time W, CPU time C and T threads, C = sW + (1 - s)WT gives s. Idle threads count
//! as serial time. At 5 % of the whole link, two thirds of what a many-core machine could gain is
//! lost.

mod spans;
mod trace;

pub use spans::Span;

use crate::{internal_error, par};
use skald_host::times::{self, CpuTime};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What a [`Timer`] collects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Collect {
    /// Phases, for the report and the trace.
    pub phases: bool,
    /// Events of workers too, for the trace.
    pub events: bool,
    /// The trace leaves out spans shorter than this.
    pub shortest: Duration,
}

/// Collects the phases of one link. Shared by all its threads.
#[derive(Debug)]
pub struct Timer(Option<Box<Active>>);

#[derive(Debug)]
struct Active {
    start: Instant,
    collect_events: bool,
    shortest: Duration,
    /// Number of the thread that made the timer.
    owner: u32,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// In the order of their beginnings: parents before children.
    phases: Vec<Phase>,
    /// Phases not ended, with the thread that began them.
    open: Vec<(u32, usize)>,
    events: Vec<Event>,
}

#[derive(Debug)]
struct Phase {
    name: &'static str,
    depth: usize,
    thread: u32,
    /// Time from the start of the timer.
    begin: Duration,
    wall: Duration,
    /// CPU time of the process at the beginning; after the end, the difference.
    cpu: CpuTime,
}

#[derive(Debug)]
struct Event {
    name: &'static str,
    detail: String,
    thread: u32,
    begin: Duration,
    wall: Duration,
}

/// Times a phase until it is dropped.
#[must_use = "a phase ends where its guard is dropped"]
#[derive(Debug)]
pub struct PhaseGuard<'t> {
    timer: Option<(&'t Active, usize)>,
    name: &'static str,
}

/// Times an event of a worker until it is dropped.
#[must_use = "an event ends where its guard is dropped"]
#[derive(Debug)]
pub struct EventGuard<'t, D: Fn() -> String> {
    timer: Option<(&'t Active, Duration)>,
    name: &'static str,
    detail: D,
}

impl Timer {
    /// A timer that does nothing.
    pub fn off() -> Timer {
        Timer(None)
    }

    /// A timer that collects what `collect` says.
    pub fn new(collect: Collect) -> Timer {
        if !collect.phases && !collect.events {
            return Timer::off();
        }
        Timer(Some(Box::new(Active {
            start: Instant::now(),
            collect_events: collect.events,
            shortest: collect.shortest,
            owner: thread_number(),
            state: Mutex::default(),
        })))
    }

    /// Begins a phase, which ends when the guard is dropped.
    #[inline]
    pub fn phase(&self, name: &'static str) -> PhaseGuard<'_> {
        internal_error::begin(name);
        PhaseGuard { timer: self.0.as_deref().map(|timer| (timer, timer.begin(name))), name }
    }

    /// Begins an event of a worker, shown in the trace only; `detail` is called when it ends, if
    /// it was long enough to be shown.
    #[inline]
    pub fn event<D: Fn() -> String>(&self, name: &'static str, detail: D) -> EventGuard<'_, D> {
        let timer = self.0.as_deref().filter(|timer| timer.collect_events);
        EventGuard { timer: timer.map(|timer| (timer, timer.start.elapsed())), name, detail }
    }

    /// The table of phases so far, one line each, indented as they nest; empty for a timer that
    /// is off.
    pub fn report(&self) -> String {
        self.0.as_deref().map_or_else(String::new, Active::report)
    }

    /// The phases and events so far in the trace event format of Chrome (`chrome://tracing`,
    /// Perfetto), times in microseconds.
    pub fn trace(&self) -> String {
        let trace = |timer: &Active| {
            let elapsed = timer.start.elapsed();
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            let whole = trace::Whole { begun: now.saturating_sub(elapsed), elapsed };
            trace::trace(&timer.lock(), timer.owner, timer.shortest, whole)
        };
        let empty = || trace::trace(&State::default(), 0, Duration::ZERO, trace::Whole::default());
        self.0.as_deref().map_or_else(empty, trace)
    }
}

impl Drop for PhaseGuard<'_> {
    fn drop(&mut self) {
        if let Some((timer, phase)) = self.timer.take() {
            timer.end(phase);
        }
        internal_error::end(self.name);
    }
}

impl<D: Fn() -> String> Drop for EventGuard<'_, D> {
    fn drop(&mut self) {
        let Some((timer, begin)) = self.timer.take() else { return };
        let wall = timer.start.elapsed().saturating_sub(begin);
        if wall >= timer.shortest {
            let (name, detail, thread) = (self.name, (self.detail)(), thread_number());
            timer.lock().events.push(Event { name, detail, thread, begin, wall });
        }
    }
}

impl Active {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn begin(&self, name: &'static str) -> usize {
        let thread = thread_number();
        let mut state = self.lock();
        let innermost = |of| state.open.iter().rev().find(|open| open.0 == of);
        let parent = innermost(thread).or_else(|| innermost(self.owner));
        let depth = parent.map_or(0, |&(_, parent)| state.phases[parent].depth + 1);
        let phase = state.phases.len();
        state.open.push((thread, phase));
        let begin = self.start.elapsed();
        let cpu = times::of_process();
        state.phases.push(Phase { name, depth, thread, begin, wall: Duration::ZERO, cpu });
        phase
    }

    fn end(&self, phase: usize) {
        let (now, cpu) = (self.start.elapsed(), times::of_process());
        let mut state = self.lock();
        state.open.retain(|open| open.1 != phase);
        let phase = &mut state.phases[phase];
        phase.wall = now.saturating_sub(phase.begin);
        phase.cpu = between(phase.cpu, cpu);
    }

    fn report(&self) -> String {
        let (state, threads) = (self.lock(), par::threads());
        let mut table = String::from("  wall ms  user ms   sys ms  serial  phase\n");
        for (index, phase) in state.phases.iter().enumerate() {
            if state.open.iter().any(|open| open.1 == index) {
                continue;
            }
            let share = serial_share(phase.wall, phase.cpu, threads);
            let _ = writeln!(
                table,
                "{:9.2}{:9.2}{:9.2}{:7.0}%  {:indent$}{}",
                milliseconds(phase.wall),
                milliseconds(phase.cpu.user),
                milliseconds(phase.cpu.system),
                share * 100.0,
                "",
                phase.name,
                indent = 2 * phase.depth,
            );
        }
        table
    }
}

/// The CPU time between two moments.
fn between(earlier: CpuTime, later: CpuTime) -> CpuTime {
    CpuTime {
        user: later.user.saturating_sub(earlier.user),
        system: later.system.saturating_sub(earlier.system),
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The share of `wall` in which one thread ran, as the module describes; 1 for one thread.
fn serial_share(wall: Duration, cpu: CpuTime, threads: usize) -> f64 {
    if threads <= 1 || wall.is_zero() {
        return 1.0;
    }
    let busy = (cpu.user + cpu.system).as_secs_f64() / wall.as_secs_f64();
    let threads = threads as f64;
    ((threads - busy) / (threads - 1.0)).clamp(0.0, 1.0)
}

/// A small number that identifies this thread, in the order in which threads first ask.
fn thread_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    thread_local! {
        static NUMBER: u32 = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    NUMBER.with(|number| *number)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Collect = Collect { phases: true, events: true, shortest: Duration::ZERO };

    fn spin(time: Duration) {
        let start = Instant::now();
        while start.elapsed() < time {
            std::hint::spin_loop();
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri knows no getrusage")]
    fn a_timer_that_is_off_collects_nothing() {
        let timer = Timer::new(Collect::default());
        {
            let _phase = timer.phase("read");
            let _event = timer.event("map", || panic!("not asked for"));
        }
        assert_eq!(timer.report(), "");
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri knows no getrusage")]
    fn phases_nest_as_guards_do() {
        let timer = Timer::new(ALL);
        let link = timer.phase("link");
        {
            let _read = timer.phase("read");
            spin(Duration::from_millis(20));
        }
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _side = timer.phase("side");
                let _inner = timer.phase("inner");
            });
        });
        drop(timer.phase("write"));
        let open = timer.report();
        assert!(!open.contains("link\n"), "{open}");
        drop(link);
        let report = timer.report();
        let names: Vec<&str> = report.lines().skip(1).map(|line| &line[37..]).collect();
        assert_eq!(names, ["link", "  read", "  side", "    inner", "  write"], "{report}");
        let read: Vec<&str> = report.lines().nth(2).unwrap().split_whitespace().collect();
        assert!(read[0].parse::<f64>().unwrap() >= 20.0, "{report}");
    }

    #[test]
    fn serial_share_follows_the_model() {
        let cpu = |ms| CpuTime { user: Duration::from_millis(ms), system: Duration::ZERO };
        let wall = Duration::from_millis(100);
        assert_eq!(serial_share(wall, cpu(100), 4), 1.0);
        assert_eq!(serial_share(wall, cpu(400), 4), 0.0);
        assert_eq!(serial_share(wall, cpu(250), 4), 0.5);
        assert_eq!(serial_share(wall, cpu(10), 4), 1.0);
        assert_eq!(serial_share(wall, cpu(900), 4), 0.0);
        assert_eq!(serial_share(wall, cpu(100), 1), 1.0);
        assert_eq!(serial_share(Duration::ZERO, cpu(0), 4), 1.0);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri knows no getrusage")]
    fn the_trace_is_json_with_every_phase_and_event() {
        let timer = Timer::new(ALL);
        {
            let _read = timer.phase("read");
            let _event = timer.event("map", || "a \"b\"\\\n".to_owned());
        }
        let json = timer.trace();
        assert!(json.contains(r#""ph":"X","name":"read","cat":"phase","pid":"#), "{json}");
        assert!(json.contains(r#""args":{"detail":"a \"b\"\\\u000a"}}"#), "{json}");
        assert!(json.contains(r#""name":"ExecuteLinker""#), "{json}");
        assert_eq!(json.matches('{').count(), json.matches('}').count());
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri knows no getrusage")]
    fn the_trace_leaves_short_entries_out() {
        let timer = Timer::new(Collect { shortest: Duration::from_millis(5), ..ALL });
        drop(timer.phase("short"));
        drop(timer.event("brief", || panic!("not shown")));
        {
            let _long = timer.phase("long");
            spin(Duration::from_millis(6));
        }
        let trace = timer.trace();
        assert!(trace.contains("long") && !trace.contains("short"), "{trace}");
        assert!(timer.report().contains("short"));
    }
}
