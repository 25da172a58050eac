//! The result of selection.

use super::copies::Copies;
use super::eh_frame::EhFrames;
use super::fold::Folds;
use super::liveness::Liveness;
use super::merge::MergedSections;
use super::scan::ScanOutput;
use super::scan_columns::ScanColumns;
use super::shrinkable::Shrinkable;
use super::tagged_globals::TaggedGlobals;

/// Which bytes of the inputs reach the output, and what their relocations need.
pub struct Selected {
    /// CIEs and FDEs of all objects.
    pub frames: EhFrames,
    /// Which sections and CIEs reach the output.
    pub live: Liveness,
    /// What relocations need, of local symbols and as dynamic relocations.
    pub scan: ScanOutput,
    /// What relocations need, by name and by section.
    pub columns: ScanColumns,
    /// Merged sections, with their pieces' output offsets.
    pub merged: MergedSections,
    /// Sections that `--icf` folded, with their leaders.
    pub folds: Folds,
    /// Variables of shared objects with R_COPY relocations.
    pub copies: Copies,
    /// Sections that may lose bytes once addresses are known.
    pub shrinkable: Shrinkable,
    /// A relocation or expression refers to `_GLOBAL_OFFSET_TABLE_`.
    pub needs_got_base: bool,
    /// Instructions may be rewritten: [`ScanInput::relax`](super::scan::ScanInput::relax).
    pub relaxes: bool,
    /// Variables in tagged memory.
    pub tagged: TaggedGlobals,
}
