//! Phases and events as values, for the drawing of a link's timeline.

use super::{Active, Timer};
use std::time::Duration;

/// A phase of the link, or an event of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// What was done, such as `resolve`.
    pub name: &'static str,
    /// The input or part that it was done to; empty for phases.
    pub detail: String,
    /// The thread that did it, from 0 for the one that made the timer.
    pub thread: u32,
    /// How many phases are around it; `None` for events.
    pub depth: Option<u32>,
    /// Time from the start of the timer.
    pub begin: Duration,
    /// Time that it took.
    pub wall: Duration,
    /// CPU time of the whole process meanwhile; zero for events.
    pub cpu: Duration,
}

impl Timer {
    /// The phases that have ended, in the order in which they began, and then the events, by thread
    /// and beginning.
    pub fn spans(&self) -> Vec<Span> {
        self.0.as_deref().map(Active::spans).unwrap_or_default()
    }

    /// Time since the start of the timer; zero for one that is off.
    pub fn elapsed(&self) -> Duration {
        self.0.as_deref().map(|timer| timer.start.elapsed()).unwrap_or_default()
    }
}

impl Active {
    fn spans(&self) -> Vec<Span> {
        let state = self.lock();
        let open = |index: usize| state.open.iter().any(|open| open.1 == index);
        let phases = state.phases.iter().enumerate().filter(|&(index, _)| !open(index));
        let mut spans: Vec<Span> = phases
            .map(|(_, phase)| Span {
                name: phase.name,
                detail: String::new(),
                thread: phase.thread,
                depth: Some(phase.depth as u32),
                begin: phase.begin,
                wall: phase.wall,
                cpu: phase.cpu.user + phase.cpu.system,
            })
            .collect();
        let first_event = spans.len();
        spans.extend(state.events.iter().map(|event| Span {
            name: event.name,
            detail: event.detail.clone(),
            thread: event.thread,
            depth: None,
            begin: event.begin,
            wall: event.wall,
            cpu: Duration::ZERO,
        }));
        spans[first_event..].sort_by_key(|span| (span.thread, span.begin));
        number_threads(&mut spans, self.owner);
        spans
    }
}

/// Numbers threads without gaps, the owner first.
fn number_threads(spans: &mut [Span], owner: u32) {
    let mut threads: Vec<u32> = spans.iter().map(|span| span.thread).collect();
    threads.push(owner);
    threads.sort_by_key(|&thread| (thread != owner, thread));
    threads.dedup();
    for span in spans {
        let place = threads.iter().position(|&thread| thread == span.thread);
        span.thread = place.expect("listed above") as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Collect;
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "Miri knows no getrusage")]
    fn spans_are_phases_and_then_events() {
        let timer = Timer::new(Collect { phases: true, events: true, shortest: Duration::ZERO });
        let open = timer.phase("open");
        {
            let _phase = timer.phase("read");
            std::thread::scope(|scope| {
                scope.spawn(|| drop(timer.event("map", || "a.o".to_owned())));
            });
        }
        let spans = timer.spans();
        let told: Vec<_> =
            spans.iter().map(|s| (s.name, s.detail.as_str(), s.thread, s.depth)).collect();
        assert_eq!(told, [("read", "", 0, Some(1)), ("map", "a.o", 1, None)]);
        drop(open);
        assert_eq!(timer.spans()[0].name, "open");
        assert!(Timer::off().spans().is_empty());
    }
}
