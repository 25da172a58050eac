//! A limit on the memory of the process, held by giving inputs back earlier.
//!
//! Most of what a link holds are pages of inputs, which the page cache has in any case: they count
//! as memory of the process as long as they are mapped, and come back from the file when they are
//! read again. So while a limit is in force a thread of its own, the keeper, looks at the memory of
//! the process, at shorter intervals the less is left, and gives inputs back in the order of the
//! command line, around and around, as soon as there is no more room. No stage knows of it, and no
//! output depends on it.
//!
//! Tables and buffers of the link itself cannot be given back. When they alone exceed the limit,
//! the keeper ends the process with an error that says what the link would need, as far as its
//! stages could tell so far ([`foresee`]).
//!
//! What counts is what `/proc/self/statm` calls resident, and the limit is that of `ulimit`'s
//! users: see `docs/decisions/0021-memory-limit.md`.

mod keeper;
mod resident;
mod system;

use crate::diag::{Error, Result};
use crate::input::InputFile;
use crate::signals::mappings;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

pub use keeper::end;
pub use resident::{Order, Resident, visit};
pub use system::available_memory;

/// Memory that a thread may take of its own: a span, a chunk of the allocator, buffers (2.3 MiB
/// were measured), ten times: threads are not to take more than a tenth of the limit.
const LIMIT_PER_THREAD: u64 = 24 << 20;
/// What cannot be given back besides tables and buffers: the program itself.
const PROGRAM: u64 = 8 << 20;
/// More is not kept free below a limit: so much the memory may grow while the keeper does not run.
const MOST_MARGIN: u64 = 32 << 20;

/// Who asks for a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The command line.
    Option,
    /// The environment, by this variable.
    Variable(&'static str),
    /// The control group that the process belongs to.
    ControlGroup,
}

/// A limit on the memory of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// What the process may hold at all: beyond it the link ends with an error.
    pub bytes: u64,
    /// What it should hold, if giving inputs back is enough for that.
    pub room: u64,
    /// Who says so.
    pub source: Source,
    /// More than `bytes` is possible after all (there is swap), so that it is no error.
    pub is_soft: bool,
}

impl Limit {
    /// A limit of `bytes`.
    pub fn new(bytes: u64, source: Source) -> Limit {
        Limit { bytes, room: bytes, source, is_soft: false }
    }

    /// The limit of the control group that this process belongs to, if it has one.
    pub fn of_control_group() -> Option<Limit> {
        system::control_group()
    }

    /// As many of `threads` as the limit leaves memory for.
    pub fn threads(&self, threads: usize) -> usize {
        let most = usize::try_from(self.bytes / LIMIT_PER_THREAD).unwrap_or(usize::MAX);
        threads.min(most.max(1))
    }

    /// From here on there is no room left.
    fn high(&self) -> u64 {
        self.room - margin(self.room)
    }

    /// Tables and buffers may have so many bytes.
    fn most_own(&self) -> u64 {
        let margin =
            if self.source == Source::ControlGroup { self.bytes / 64 } else { self.bytes / 16 };
        (self.bytes - margin.min(MOST_MARGIN)).saturating_sub(PROGRAM)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = self.bytes.div_ceil(1 << 20);
        match self.source {
            Source::Option => write!(f, "{mib} MiB (--memory-limit)"),
            Source::Variable(name) => write!(f, "{mib} MiB ({name})"),
            Source::ControlGroup => write!(f, "{mib} MiB of the control group"),
        }
    }
}

/// What is kept free below `room`.
fn margin(room: u64) -> u64 {
    (room / 10).min(MOST_MARGIN)
}

/// Tables and buffers that the link is likely to need, as far as is known.
static FORESEEN: AtomicU64 = AtomicU64::new(LEAST);
/// Of a link of nothing.
const LEAST: u64 = 6 << 20;

/// Notes that tables and buffers of the link will come to about `bytes`: what messages say of
/// memory that is not there.
pub fn foresee(bytes: u64) {
    FORESEEN.store(bytes, Ordering::Relaxed);
}

/// Whether a limit is in force.
pub fn is_held() -> bool {
    keeper::is_started()
}

/// Begins to note when a member of `file` comes into memory, of which these are the `bytes`; `kept`
/// of them stays longer than the others. `None` without a limit, or if the file is not mapped.
pub fn watch(
    file: &InputFile,
    bytes: &'static [u8],
    kept: &'static [u8],
) -> Option<&'static Resident> {
    if is_held() { Resident::new(file, bytes, kept) } else { None }
}

/// Notes that this thread reads a member from here on; it goes on when there is room for that.
#[inline]
pub fn read(resident: &'static Resident) {
    if resident.touch() {
        keeper::pace();
    }
}

/// Gives members back that nobody reads now.
pub fn leave(members: impl Iterator<Item = &'static Resident>) {
    resident::leave_these(members.collect());
}

/// Whether a limit is in force that leaves no room for `more` bytes.
pub fn is_short(more: u64) -> bool {
    is_held() && keeper::is_short(more)
}

/// The bytes of inputs that may be read at a time, between two looks at what is left; `None`
/// without a limit.
pub fn input_window() -> Option<u64> {
    keeper::limit().map(|limit| limit.room / 8)
}

/// Whether somebody may ask for what is foreseen: a limit is in force, or one of the address space.
pub fn is_asked() -> bool {
    is_held() || rustix::process::getrlimit(rustix::process::Resource::As).current.is_some()
}

/// The least limit with which a link works whose tables and buffers have `own` bytes, in MiB.
fn needed_mib(own: u64) -> u64 {
    let own = own.max(FORESEEN.load(Ordering::Relaxed)) + PROGRAM;
    (own + (own / 15).min(MOST_MARGIN)).div_ceil(1 << 20) + 1
}

/// The address space that the link is likely to need, in MiB; `None` if nothing is known of it.
/// Allocates nothing.
pub(crate) fn needed_addresses_mib() -> Option<u64> {
    let own = FORESEEN.load(Ordering::Relaxed);
    (own > LEAST).then(|| (own + PROGRAM + mappings::input_bytes() as u64).div_ceil(1 << 20))
}

/// Keeps the process below `limit` from now on, until [`end`]. Of several limits the first one is
/// kept.
///
/// # Errors
/// If the process cannot tell how much memory it has.
pub fn hold(limit: Limit) -> Result<()> {
    keeper::start(limit).map_err(|error| Error(format!("cannot keep a memory limit: {error}")))
}
