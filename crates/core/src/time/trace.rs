//! The trace event format of Chrome: one complete event (`"ph":"X"`) for each phase and each event
//! of a worker, times in microseconds.

use super::{State, milliseconds};
use crate::perturb::shuffled;
use std::fmt::Write as _;
use std::time::Duration;

/// When the timer was started and how long it has run.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Whole {
    /// Time since 1970 at which the timer was started.
    pub begun: Duration,
    /// Time that the timer has run.
    pub elapsed: Duration,
}

/// The whole file. Entries shorter than `shortest` are left out, as are phases that have not ended.
/// The outermost entry and the time of day have lld's names, for programs that read both linkers'
/// traces.
pub(super) fn trace(state: &State, owner: u32, shortest: Duration, whole: Whole) -> String {
    let pid = std::process::id();
    let mut json = String::from("{\"traceEvents\":[\n");
    let mut threads: Vec<u32> = state.phases.iter().map(|phase| phase.thread).collect();
    threads.extend(state.events.iter().map(|event| event.thread));
    shuffled(&mut threads).sort_unstable();
    threads.dedup();
    for thread in threads {
        let role = if thread == owner { "main".to_owned() } else { format!("worker {thread}") };
        let _ = writeln!(
            json,
            "{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{pid},\"tid\":{thread},\
             \"args\":{{\"name\":\"{role}\"}}}},"
        );
    }
    if whole.elapsed >= shortest && !state.phases.is_empty() {
        trace_span(&mut json, "ExecuteLinker", "link", owner, Duration::ZERO, whole.elapsed);
        json.push_str("}},\n");
    }
    for (index, phase) in state.phases.iter().enumerate() {
        if phase.wall >= shortest && state.open.iter().all(|open| open.1 != index) {
            trace_span(&mut json, phase.name, "phase", phase.thread, phase.begin, phase.wall);
            let _ = writeln!(
                json,
                "\"user ms\":{:.3},\"sys ms\":{:.3}}}}},",
                milliseconds(phase.cpu.user),
                milliseconds(phase.cpu.system)
            );
        }
    }
    for event in &state.events {
        trace_span(&mut json, event.name, "worker", event.thread, event.begin, event.wall);
        json.push_str("\"detail\":");
        push_json_string(&mut json, &event.detail);
        json.push_str("}},\n");
    }
    // The format has no trailing comma; a last record without effect ends the list.
    let _ = writeln!(
        json,
        "{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{pid},\"args\":{{\"name\":\"link\"}}}}\n\
         ],\"displayTimeUnit\":\"ms\",\"beginningOfTime\":{}}}",
        whole.begun.as_micros()
    );
    json
}

/// Appends a complete event up to the inside of its arguments.
fn trace_span(
    json: &mut String,
    name: &str,
    category: &str,
    thread: u32,
    begin: Duration,
    wall: Duration,
) {
    json.push_str("{\"ph\":\"X\",\"name\":");
    push_json_string(json, name);
    let _ = write!(
        json,
        ",\"cat\":\"{category}\",\"pid\":{},\"tid\":{thread},\"ts\":{:.3},\"dur\":{:.3},\"args\":{{",
        std::process::id(),
        begin.as_secs_f64() * 1e6,
        wall.as_secs_f64() * 1e6,
    );
}

fn push_json_string(json: &mut String, text: &str) {
    json.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            c if c < ' ' => {
                let _ = write!(json, "\\u{:04x}", c as u32);
            }
            c => json.push(c),
        }
    }
    json.push('"');
}
