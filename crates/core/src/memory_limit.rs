//! A limit on the memory of the process, kept by giving pages of inputs back to the kernel.
//!
//! Most resident memory of a link is pages of inputs, which are in the page cache in any case. Such
//! pages count as memory of the process while they are mapped, and are faulted in from the file
//! when they are read again. While a limit is in force, a separate thread, the keeper, checks the
//! resident memory, the more often the less room is left. When there is no room left, the keeper
//! gives pages of inputs back. Which inputs go first depends on the order in which stages read them
//! ([`Order`]); no output depends on it.
//!
//! Tables and buffers of the link itself cannot be given back. When these alone exceed the limit,
//! the keeper ends the process with an error that says how much memory the link would need, as far
//! as the stages have estimated it ([`foresee`]).
//!
//! The limit applies to the resident memory that `/proc/self/statm` shows: see
//! `docs/decisions/0021-memory-limit.md`.

mod keeper;
mod resident;

use crate::diag::{Error, Result};
use crate::input::InputFile;
use skald_host::faults::mappings;
use skald_host::memory;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

pub use keeper::end;
pub use resident::{Order, Resident, visit};

/// Bytes of the limit for each thread: ten times what a thread needs for itself (a span, a chunk of
/// the allocator, buffers: 2.3 MiB were measured), so that threads take at most a tenth of the
/// limit.
const LIMIT_PER_THREAD: u64 = 24 << 20;
/// Bytes of the program itself, which cannot be given back and are neither tables nor buffers.
const PROGRAM: u64 = 8 << 20;
/// Most bytes that are kept free below a limit, because memory may grow while the keeper does not
/// run.
const MOST_MARGIN: u64 = 32 << 20;

/// Where a limit comes from, for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// `--memory-limit`.
    Option,
    /// This variable of the environment.
    Variable(&'static str),
    /// The control group that the process belongs to.
    ControlGroup,
}

/// A limit on the memory of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// Bytes that the process may use; above that the link ends with an error.
    pub bytes: u64,
    /// Bytes of resident memory; inputs are given back so that the process stays below.
    pub room: u64,
    /// Where the limit comes from, for messages.
    pub source: Source,
    /// The process can use more than `bytes`, because there is swap: to exceed the limit is no
    /// error.
    pub is_soft: bool,
}

impl Limit {
    /// A limit of `bytes`.
    pub fn new(bytes: u64, source: Source) -> Limit {
        Limit { bytes, room: bytes, source, is_soft: false }
    }

    /// The limit of the control group that this process belongs to, if it has one.
    pub fn of_control_group() -> Option<Limit> {
        let limit = memory::group_limit()?;
        let (bytes, room) = (limit.bytes, limit.room);
        Some(Limit { bytes, room, source: Source::ControlGroup, is_soft: limit.has_swap })
    }

    /// How many of `threads` threads fit into the limit.
    pub fn threads(&self, threads: usize) -> usize {
        let most = usize::try_from(self.bytes / LIMIT_PER_THREAD).unwrap_or(usize::MAX);
        threads.min(most.max(1))
    }

    /// Resident bytes above which inputs are given back.
    fn high(&self) -> u64 {
        self.room - margin(self.room)
    }

    /// Most bytes that tables and buffers may have.
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

/// Bytes of memory of the machine, or of the control group if that has fewer.
pub fn available_memory() -> Option<u64> {
    let machine = memory::machine_memory()?;
    Some(memory::group_limit().map_or(machine, |limit| limit.bytes.min(machine)))
}

/// Bytes that are kept free below `room`.
fn margin(room: u64) -> u64 {
    (room / 10).min(MOST_MARGIN)
}

/// Estimated bytes of tables and buffers that the link will need.
static FORESEEN: AtomicU64 = AtomicU64::new(LEAST);
/// Bytes that a link without inputs needs.
const LEAST: u64 = 6 << 20;

/// Sets the estimate of the memory for tables and buffers to `bytes`, for messages about too little
/// memory.
pub fn foresee(bytes: u64) {
    FORESEEN.store(bytes, Ordering::Relaxed);
}

/// Whether a limit is in force.
pub fn is_held() -> bool {
    keeper::is_started()
}

/// Starts to track the member of `file` that has these `bytes`; the `kept` ones among them stay in
/// memory longer. `None` without a limit, or if the file is not mapped.
pub fn watch(
    file: &InputFile,
    bytes: &'static [u8],
    kept: &'static [u8],
) -> Option<&'static Resident> {
    if is_held() { Resident::new(file, bytes, kept) } else { None }
}

/// Notes that this thread reads a member from here on. Makes room in memory if there is none.
#[inline]
pub fn read(resident: &'static Resident) {
    if resident.touch() {
        keeper::pace();
    }
}

/// Gives back the pages of members that no thread reads now.
pub fn leave(members: impl Iterator<Item = &'static Resident>) {
    resident::leave_these(members.collect());
}

/// Whether a limit is in force that leaves no room for `more` bytes.
pub fn is_short(more: u64) -> bool {
    is_held() && keeper::is_short(more)
}

/// How many bytes of inputs may be read between two checks of the memory; `None` without a limit.
pub fn input_window() -> Option<u64> {
    keeper::limit().map(|limit| limit.room / 8)
}

/// Whether [`foresee`] is of use: there is a limit on memory or on the address space.
pub fn is_asked() -> bool {
    is_held() || memory::most_addresses().is_some()
}

/// The least limit, in MiB, under which a link with `own` bytes of tables and buffers works.
fn needed_mib(own: u64) -> u64 {
    let own = own.max(FORESEEN.load(Ordering::Relaxed)) + PROGRAM;
    (own + (own / 15).min(MOST_MARGIN)).div_ceil(1 << 20) + 1
}

/// The address space that the link is likely to need, in MiB; `None` without an estimate. Allocates
/// nothing.
pub(crate) fn needed_addresses_mib() -> Option<u64> {
    let own = FORESEEN.load(Ordering::Relaxed);
    (own > LEAST).then(|| (own + PROGRAM + mappings::input_bytes() as u64).div_ceil(1 << 20))
}

/// Keeps the process below `limit` from now on, until [`end`]. If a limit is in force already, that
/// one stays.
///
/// # Errors
/// If the process cannot find out how much memory it has.
pub fn hold(limit: Limit) -> Result<()> {
    keeper::start(limit).map_err(|error| Error(format!("cannot keep a memory limit: {error}")))
}
