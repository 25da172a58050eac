//! Records the tasks of a link that runs on one thread, to predict how long it would take on more
//! threads.
//!
//! A build with the feature `record` and `SKALD_RECORD=FILE` in the environment notes how long each
//! task of each parallel loop takes, what runs between the loops, and what holds a lock of the
//! kernel. It must be run with one thread. `SKALD_RECORD_THREADS` is the number of threads that the
//! link assumes in its decisions; `SKALD_RECORD_SINCE` is the start of the process (nanoseconds of
//! CLOCK_MONOTONIC).
//!
//! Without the feature nothing of this is compiled in.
//!
//! The file is text with one event per line, in chronological order:
//!
//! | line | meaning |
//! |---|---|
//! | `since NS` | from the start of the process to the first event |
//! | `phase NAME` | a phase of the link begins |
//! | `run NS` | work for this long on one thread, outside of loops or within a task |
//! | `hold LOCK NS` | work for this long while a lock of the kernel is held |
//! | `apart NS` | work for this long for which no other work waits |
//! | `loop MOST PLACE`, `task ITEMS`, `end` | a parallel loop, of which a thread takes at most `MOST` items at once (0: any number); `task` ends what runs for so many items |
//! | `sort COUNT NS PLACE` | a parallel sort |
//! | `list PLACE`, `visit PARENT`, `end` | a worklist: each visit with the number of the one that asked for it, or `-` |
//! | `ended NS` | CLOCK_MONOTONIC when the file is written |

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::Write as _;
use std::panic::Location;
use std::sync::OnceLock;

/// The source location of a loop.
pub(crate) type Place = &'static Location<'static>;

/// Tasks of fewer nanoseconds are noted several at a time, so that noting does not distort times.
const SHORT: u64 = 1_000;
/// Tasks are noted together for at most so many nanoseconds.
const LONG: u64 = 4_000;

enum Event {
    Phase(&'static str),
    Run(u64),
    Hold(&'static str, u64),
    Apart(u64),
    Loop(usize, Place),
    Task(usize),
    Sort(usize, u64, Place),
    List(Place),
    Visit(Option<u32>),
    End,
}

/// A loop that runs now.
struct Frame {
    /// How many items are noted together.
    stride: usize,
    /// How many items began since the last note.
    items: usize,
    /// When the first of these items began.
    since: Option<u64>,
}

struct Recorder {
    events: Vec<Event>,
    frames: Vec<Frame>,
    since: u64,
    /// When the last event was noted.
    last: u64,
}

thread_local! {
    /// The recorder of the linking thread; `None` on all others.
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

/// Begins to record if the environment asks for it (`SKALD_RECORD`).
pub(crate) fn start() {
    if std::env::var_os("SKALD_RECORD").is_none() {
        return;
    }
    let now = now();
    let since = std::env::var("SKALD_RECORD_SINCE").ok().and_then(|text| text.parse().ok());
    RECORDER.set(Some(Recorder::new(since.unwrap_or(now), now)));
}

/// The number of threads that the link shall assume; `None` without recording.
pub(crate) fn threads() -> Option<usize> {
    static THREADS: OnceLock<Option<usize>> = OnceLock::new();
    *THREADS.get_or_init(|| std::env::var("SKALD_RECORD_THREADS").ok()?.parse().ok())
}

/// Writes the recording to its file.
pub(crate) fn finish() {
    let Some(Some(mut recorder)) = RECORDER.try_with(RefCell::take).ok() else { return };
    recorder.run();
    let Some(path) = std::env::var_os("SKALD_RECORD") else { return };
    let text = recorder.text();
    drop(recorder);
    let written = std::fs::File::create(&path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        drop(text);
        // Neither the time nor the memory of recording belongs to the link.
        crate::alloc::take_free().give_back();
        writeln!(file, "ended {}", now())
    });
    if let Err(error) = written {
        eprintln!("skald: {}: {error}", path.display());
    }
}

/// Notes that a phase begins.
pub(crate) fn phase(name: &'static str) {
    with(|recorder| {
        recorder.run();
        recorder.events.push(Event::Phase(name));
        recorder.go_on();
    });
}

/// Notes that `act`, which is run here, holds `lock`.
pub(crate) fn hold<R>(lock: &'static str, act: impl FnOnce() -> R) -> R {
    with(Recorder::run_on);
    let result = act();
    with(|recorder| {
        let length = recorder.length();
        recorder.events.push(Event::Hold(lock, length));
        recorder.go_on();
    });
    result
}

/// Runs `act` and notes it as work for which no other work waits.
pub(crate) fn apart(act: impl FnOnce()) {
    with(Recorder::run_on);
    act();
    with(|recorder| {
        let length = recorder.length();
        recorder.events.push(Event::Apart(length));
        recorder.go_on();
    });
}

/// Runs `act`, a sort of `count` elements, and notes it.
pub(crate) fn sort(count: usize, place: Place, act: impl FnOnce()) {
    with(Recorder::run_on);
    act();
    with(|recorder| {
        let length = recorder.length();
        recorder.events.push(Event::Sort(count, length, place));
        recorder.go_on();
    });
}

/// A parallel loop that is being recorded, until it is dropped.
pub(crate) struct Loop {
    is_noted: bool,
}

impl Loop {
    /// Begins a loop at `place` whose tasks have at most `most` items.
    pub(crate) fn begin(most: usize, place: Place) -> Loop {
        let noted = with(|recorder| {
            // Of two loops that run as one (`zip`) only the outer one is recorded.
            if recorder.frames.last().is_some_and(|frame| frame.since.is_none()) {
                return false;
            }
            recorder.run();
            recorder.events.push(Event::Loop(most, place));
            recorder.frames.push(Frame { stride: 1, items: 0, since: None });
            recorder.go_on();
            true
        });
        Loop { is_noted: noted.unwrap_or(false) }
    }

    /// Notes that the next item begins.
    pub(crate) fn item(&self) {
        if self.is_noted {
            with(Recorder::item);
        }
    }

    /// Notes that the loop ends.
    pub(crate) fn end(&self) {
        if self.is_noted {
            with(|recorder| {
                recorder.task();
                recorder.frames.pop();
                recorder.events.push(Event::End);
                recorder.go_on();
            });
        }
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        self.end();
    }
}

/// A worklist that is being recorded, until it is dropped; knows which visit pushed each item.
pub(crate) struct List {
    /// For each item on the stack, the visit that pushed it.
    parents: Vec<Option<u32>>,
    /// The same for items that have left the stack and wait for their visit.
    coming: VecDeque<Option<u32>>,
    visits: u32,
}

impl List {
    pub(crate) fn begin(place: Place) -> List {
        with(|recorder| {
            recorder.run();
            recorder.events.push(Event::List(place));
            // With `since` set, loops inside a visit are recorded as loops of their own.
            recorder.frames.push(Frame { stride: 1, items: 0, since: Some(0) });
            recorder.go_on();
        });
        List { parents: Vec::new(), coming: VecDeque::new(), visits: 0 }
    }

    /// Notes that the last item leaves the stack, on which `left` items remain.
    pub(crate) fn take(&mut self, left: usize) {
        self.coming.push_back(self.parents.get(left).copied().flatten());
        self.parents.truncate(left);
    }

    /// Notes that the first waiting item is visited now.
    pub(crate) fn visit(&mut self) {
        let parent = self.coming.pop_front().flatten();
        with(|recorder| {
            recorder.run();
            recorder.events.push(Event::Visit(parent));
            recorder.go_on();
        });
        self.visits += 1;
    }

    /// Notes that the visit has pushed items, so that the stack has `len`.
    pub(crate) fn pushed(&mut self, len: usize) {
        self.parents.resize(len, Some(self.visits - 1));
    }
}

impl Drop for List {
    fn drop(&mut self) {
        with(|recorder| {
            recorder.run();
            recorder.frames.pop();
            recorder.events.push(Event::End);
            recorder.go_on();
        });
    }
}

fn with<R>(act: impl FnOnce(&mut Recorder) -> R) -> Option<R> {
    RECORDER.try_with(|recorder| recorder.borrow_mut().as_mut().map(act)).ok().flatten()
}

fn now() -> u64 {
    skald_host::times::monotonic()
}

impl Recorder {
    fn new(since: u64, now: u64) -> Recorder {
        let events = Vec::with_capacity(1 << 20);
        Recorder { events, frames: Vec::new(), since: now - since, last: now }
    }

    fn length(&self) -> u64 {
        now() - self.last
    }

    /// Sets the clock, so that noting is not counted as work.
    fn go_on(&mut self) {
        self.last = now();
    }

    /// Notes the work since the last event.
    fn run(&mut self) {
        let length = self.length();
        if length > 0 {
            self.events.push(Event::Run(length));
        }
    }

    fn run_on(&mut self) {
        self.run();
        self.go_on();
    }

    /// Notes the end of the running task.
    fn task(&mut self) {
        let frame = self.frames.last_mut().expect("a loop runs");
        let items = std::mem::take(&mut frame.items);
        if frame.since.is_some() {
            self.run();
            self.events.push(Event::Task(items));
        }
    }

    fn item(&mut self) {
        let frame = self.frames.last_mut().expect("a loop runs");
        if let Some(since) = frame.since {
            if frame.items < frame.stride {
                frame.items += 1;
                return;
            }
            match now() - since {
                ..SHORT => frame.stride *= 2,
                LONG.. => frame.stride = (frame.stride / 2).max(1),
                _ => {}
            }
            self.task();
        }
        self.go_on();
        let begun = self.last;
        let frame = self.frames.last_mut().expect("a loop runs");
        (frame.since, frame.items) = (Some(begun), 1);
    }

    fn text(&self) -> String {
        let mut text = format!("since {}\n", self.since);
        for event in &self.events {
            let _ = match event {
                Event::Phase(name) => writeln!(text, "phase {name}"),
                Event::Run(length) => writeln!(text, "run {length}"),
                Event::Hold(lock, length) => writeln!(text, "hold {lock} {length}"),
                Event::Apart(length) => writeln!(text, "apart {length}"),
                Event::Loop(most, place) => writeln!(text, "loop {most} {}", name(place)),
                Event::Task(items) => writeln!(text, "task {items}"),
                Event::Sort(count, length, place) => {
                    writeln!(text, "sort {count} {length} {}", name(place))
                }
                Event::List(place) => writeln!(text, "list {}", name(place)),
                Event::Visit(Some(parent)) => writeln!(text, "visit {parent}"),
                Event::Visit(None) => writeln!(text, "visit -"),
                Event::End => writeln!(text, "end"),
            };
        }
        text
    }
}

fn name(place: Place) -> String {
    let file = place.file();
    let file = file.split_once("/src/").map_or(file, |(_, file)| file);
    format!("{file}:{}", place.line())
}

#[cfg(test)]
mod tests {
    use super::super::prelude::*;
    use super::super::worklist;
    use super::*;

    /// The lines of a recording of `act`, without times.
    fn recorded(act: impl FnOnce() + Send) -> Vec<String> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        let text = pool.install(|| {
            RECORDER.set(Some(Recorder::new(now(), now())));
            act();
            RECORDER.take().expect("as it was set").text()
        });
        let is_no_time = |line: &&str| !line.starts_with("run ") && !line.starts_with("since ");
        text.lines().filter(is_no_time).map(str::to_owned).collect()
    }

    fn items(lines: &[String]) -> usize {
        let items =
            lines.iter().filter_map(|line| line.strip_prefix("task ")?.parse::<usize>().ok());
        items.sum()
    }

    #[test]
    fn each_item_of_a_loop_is_noted_once() {
        let lines = recorded(|| {
            let numbers: Vec<u32> = (0..1000).collect();
            let others = numbers.clone();
            let sum: u32 = numbers.par_iter().zip(others.par_iter()).map(|(a, b)| a + b).sum();
            assert_eq!(sum, 999_000);
        });
        assert!(lines[0].starts_with("loop 0 par/recorder.rs:"), "{lines:?}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("loop")).count(), 1);
        assert_eq!((items(&lines), lines.last().map(String::as_str)), (1000, Some("end")));
    }

    #[test]
    fn what_is_within_an_item_is_noted_there() {
        let lines = recorded(|| {
            (0..2).into_par_iter().with_max_len(1).for_each(|_| {
                super::super::join(|| hold("lock", || ()), || ());
            });
        });
        let words: Vec<_> = lines.iter().map(|l| l.split(' ').next().unwrap_or_default()).collect();
        let inner = ["loop", "hold", "task", "task", "end", "task"];
        assert_eq!(words, [&["loop"][..], &inner, &inner, &["end"]].concat());
    }

    #[test]
    fn visits_tell_who_asked_for_them() {
        let lines = recorded(|| {
            worklist(
                vec![1u32],
                || (),
                |_, _| (),
                |(), n, stack| stack.extend([2 * n, 2 * n + 1].iter().filter(|&&m| m < 8)),
            );
        });
        let visits: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("visit ")).collect();
        assert_eq!(visits, ["-", "0", "0", "1", "1", "2", "2"]);
    }
}
