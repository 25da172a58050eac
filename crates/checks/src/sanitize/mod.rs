//! `cargo xtask sanitize miri|address|thread`: runs the linker under tools that find faults which
//! tests cannot see.
//!
//! Miri interprets the unit tests of `core`, where all `unsafe` is ([`miri`]). AddressSanitizer and
//! ThreadSanitizer are built into the linker, and the standard library with it; that linker runs
//! all cases, and with ThreadSanitizer large links too ([`instrumented`]). All of them need a
//! nightly compiler, which rustup installs; it is an error if something that they need is missing.

mod instrumented;
mod miri;
mod nightly;
mod reports;
mod workloads;

use crate::Result;

const USAGE: &str =
    "sanitize miri [--seeds COUNT] | sanitize address [FILTER] | sanitize thread [FILTER]";

/// The command.
pub fn run(words: &[String]) -> Result<()> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["miri"] => miri::run(miri::SEEDS),
        ["miri", "--seeds", count] => {
            miri::run(count.parse().map_err(|e| format!("{count}: {e}"))?)
        }
        ["address"] => instrumented::run(&instrumented::ADDRESS, None),
        ["address", filter] => instrumented::run(&instrumented::ADDRESS, Some(filter)),
        ["thread"] => instrumented::run(&instrumented::THREAD, None),
        ["thread", filter] => instrumented::run(&instrumented::THREAD, Some(filter)),
        _ => Err(USAGE.to_owned()),
    }
}
