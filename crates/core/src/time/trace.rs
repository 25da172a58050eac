//! The trace event format of Chrome: one complete event (`"ph":"X"`) for each phase and each event
//! of a worker, times in microseconds.

use super::{State, milliseconds};
use crate::perturb::shuffled;
use std::fmt::Write as _;
use std::time::Duration;

/// The whole file. Entries shorter than `shortest` are left out, as are phases not ended.
pub(super) fn trace(state: &State, owner: u32, shortest: Duration) -> String {
    let mut json = String::from("{\"traceEvents\":[\n");
    let mut threads: Vec<u32> = state.phases.iter().map(|phase| phase.thread).collect();
    threads.extend(state.events.iter().map(|event| event.thread));
    shuffled(&mut threads).sort_unstable();
    threads.dedup();
    for thread in threads {
        let role = if thread == owner { "main".to_owned() } else { format!("worker {thread}") };
        let _ = writeln!(
            json,
            "{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":{thread},\
             \"args\":{{\"name\":\"{role}\"}}}},"
        );
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
    json.push_str("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":");
    json.push_str("\"link\"}}\n],\"displayTimeUnit\":\"ms\"}\n");
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
        ",\"cat\":\"{category}\",\"pid\":1,\"tid\":{thread},\"ts\":{:.3},\"dur\":{:.3},\"args\":{{",
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
