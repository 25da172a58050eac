//! A way into the output beside writing, for more threads than the kernel lets write at once.
//!
//! A write takes the inode's lock, so however many threads there are, a file takes no more bytes per second than
//! one of them writes. Pages of a shared mapping can be filled by all. They cost about twice as much each, and what
//! they cost depends on the file system: `docs/decisions/0002-output-strategy.md` has the figures.
//!
//! The pages are brought before they are touched, so that a disk that is full is an error of a call and no
//! signal; whoever cannot have them writes instead, and is told why.

use super::OutputPlan;
use super::destination::Destination;
use super::mapping::Mapping;
use crate::par;
use rustix::fd::BorrowedFd;
use std::path::PathBuf;
use std::sync::OnceLock;

/// From so many threads on they fill a mapping when they would wait: two wait too seldom.
const SEVERAL: usize = 4;
/// From so many threads on they all fill a mapping, where writing is cheap.
const MANY: usize = 6;
/// Smaller outputs are written before another thread would have brought a page.
const SMALL: u64 = 4 << 20;

/// When spans go beside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// They are all written.
    Never,
    /// When a thread writes and enough waits for it.
    WhenFull,
    /// They are built where they belong.
    Always,
}

/// See above.
pub(super) struct Beside {
    wanted: Use,
    size: usize,
    path: PathBuf,
    /// Mapped by who needs it first; `None` if that is not possible.
    mapping: OnceLock<Option<Mapping>>,
}

impl Beside {
    /// No such way.
    pub(super) fn never() -> Beside {
        Beside { wanted: Use::Never, size: 0, path: PathBuf::new(), mapping: OnceLock::new() }
    }

    /// What is best for the output of `plan`, which is `file`.
    pub(super) fn new(plan: &OutputPlan, file: BorrowedFd<'_>) -> Beside {
        let threads = par::threads().min(par::processors());
        let wanted = match usize::try_from(plan.size) {
            Ok(_) if plan.size >= SMALL && threads > 1 => best(file, threads),
            _ => Use::Never,
        };
        let size = plan.size as usize;
        Beside { wanted, size, path: plan.path.clone(), mapping: OnceLock::new() }
    }

    /// When spans go this way.
    pub(super) fn wanted(&self) -> Use {
        self.wanted
    }

    /// The bytes `[file_offset, file_offset + len)`, claimed by the caller, with all their pages; `None` if they
    /// cannot be had.
    pub(super) fn populated(
        &self,
        destination: &Destination,
        file_offset: u64,
        len: usize,
    ) -> Option<Populated<'_>> {
        if len == 0 {
            return None;
        }
        let map = || Mapping::shared(destination.file()?, self.size, &self.path).ok();
        let mapping = self.mapping.get_or_init(map).as_ref()?;
        let offset = file_offset as usize;
        mapping.populate(offset, len).ok()?;
        Some(Populated { mapping, offset, len })
    }
}

/// Bytes of the output that are in memory.
pub(super) struct Populated<'b> {
    mapping: &'b Mapping,
    offset: usize,
    len: usize,
}

impl Populated<'_> {
    /// Has `fill` set all the bytes.
    pub(super) fn fill(self, fill: impl FnOnce(&mut [u8])) {
        // SAFETY: the caller of `Beside::populated` has claimed the range, and `Coverage` lets nobody else claim a
        // byte of it.
        fill(unsafe { self.mapping.slice_mut(self.offset, self.len) });
        self.mapping.forget(self.offset, self.len);
    }
}

/// What is best for `file`, with so many threads that run at once.
fn best(file: BorrowedFd<'_>, threads: usize) -> Use {
    const BTRFS: i64 = 0x9123_683e;
    const TMPFS: i64 = 0x0102_1994;
    const EXT: i64 = 0xef53;
    const XFS: i64 = 0x5846_5342;
    match rustix::fs::fstatfs(file).map(|status| status.f_type as i64) {
        Ok(TMPFS | BTRFS) if threads >= SEVERAL => Use::WhenFull,
        // These bring large folios to who writes, and small ones to who faults: one beside the other is the worst.
        Ok(EXT | XFS) if threads >= MANY => Use::Always,
        _ => Use::Never,
    }
}
