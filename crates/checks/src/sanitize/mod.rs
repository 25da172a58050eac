//! `cargo xtask sanitize miri|address|thread`: the linker under tools that see what its tests
//! cannot.
//!
//! Miri interprets the unit tests of `core`, where all `unsafe` is ([`miri`]). AddressSanitizer and
//! ThreadSanitizer are built into the linker, and the standard library with it; that linker is put
//! through all cases, and for threads through large links too ([`instrumented`]). All of them need
//! a nightly compiler, which rustup is asked for; what cannot be had is said, and is an error.

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
