//! The limit on a link's memory, and an estimate of what it will need.
//!
//! The limit of the command line or of the environment holds from the start. That of the control
//! group is looked up only for links of some size (`read/open`): small links come nowhere near it,
//! and the look-up takes time.

use crate::args::{MemoryLimit, Options};
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::Definitions;
use skald_core::diag::{Diag, WHOLE_LINK};
use skald_core::memory_limit::{self, Limit};
use skald_core::par;
use skald_core::par::prelude::*;

/// With more threads than this the limit of the control group is looked up before they start.
const MANY_THREADS: usize = 16;

/// Sets how many threads the link may start, and holds it to its memory limit if there is one.
pub fn start(options: &Options, diag: &Diag) {
    let limit = limit(options);
    par::ask(options.threads, limit.map_or(usize::MAX, |limit| limit.threads(usize::MAX)));
    if let Some(limit) = limit {
        memory_limit::hold(limit).unwrap_or_else(|error| diag.warn(WHOLE_LINK, error.0));
    }
}

/// The memory limit that is known before anything is read.
fn limit(options: &Options) -> Option<Limit> {
    match options.memory_limit {
        MemoryLimit::Bytes(bytes, source) => Some(Limit::new(bytes, source)),
        MemoryLimit::Percent(percent, source) => {
            let all = memory_limit::available_memory()?;
            Some(Limit::new(all / 100 * percent, source))
        }
        MemoryLimit::System if options.threads.max(par::most()) > MANY_THREADS => {
            Limit::of_control_group()
        }
        MemoryLimit::System | MemoryLimit::None => None,
    }
}

/// Bytes that all tables take for each name, section and symbol, and for each byte of merged
/// sections: fitted to the peaks of links of many kinds, plus a tenth.
const PER_NAME: u64 = 180;
const PER_SECTION: u64 = 160;
const PER_SYMBOL: u64 = 22;
const MERGED_BYTES_PER_BYTE: u64 = 4;
const PER_THREAD: u64 = 5 << 19;
const AT_LEAST: u64 = 6 << 20;

/// Estimates how much memory the link will need, once its inputs are known; only if there is a
/// limit to compare the estimate with.
pub fn foresee(definitions: &Definitions) {
    if !memory_limit::is_asked() {
        return;
    }
    let sections = &definitions.sections;
    let merged = |section: &&InputSection| section.flags.has(SectionFlags::MERGE);
    let merged: u64 = sections.par_iter().filter(merged).map(|section| section.size).sum();
    let count = |len: usize, each: u64| len as u64 * each;
    memory_limit::foresee(
        AT_LEAST
            + count(definitions.globals.len(), PER_NAME)
            + count(sections.len(), PER_SECTION)
            + count(definitions.target.len(), PER_SYMBOL)
            + merged / MERGED_BYTES_PER_BYTE
            + count(skald_core::par::threads(), PER_THREAD),
    );
}
