//! What selection leaves.

use super::copies::Copies;
use super::eh_frame::EhFrames;
use super::fold::Folds;
use super::liveness::Liveness;
use super::merge::MergedSections;
use super::scan::ScanOutput;
use super::scan_columns::ScanColumns;

/// Which bytes of the inputs reach the output, and what their relocations need.
pub struct Selected {
    /// Exception frames.
    pub frames: EhFrames,
    /// What is alive.
    pub live: Liveness,
    /// What scanning found.
    pub scan: ScanOutput,
    /// The same by name and by section.
    pub columns: ScanColumns,
    /// Merged sections.
    pub merged: MergedSections,
    /// Folded sections.
    pub folds: Folds,
    /// Copied variables.
    pub copies: Copies,
    /// Something counts from the start of `.got.plt`.
    pub needs_got_plt: bool,
    /// Instructions are rewritten.
    pub relaxes: bool,
}
