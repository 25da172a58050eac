//! Errata: instruction sequences that some processors execute wrongly, and that the linker changes.
//!
//! A machine defines them; `rewrite/errata` finds where code has them, makes room in islands
//! (`layout/islands`), and changes the code after relocations are applied.

use crate::args::Options;
use crate::layout::islands::PatchSite;
use crate::resolve::definitions::SectionId;
use crate::synth::image::Image;

/// Finds how suspects in sections of one object are repaired, each with the position of its output
/// section; those that are none once relocations are applied are left out.
pub type Confirm = fn(&Image<'_>, &Options, &[SuspectSection]) -> Vec<(u32, Repair)>;

/// The errata of a machine.
pub struct Errata {
    /// Whether options ask for a repair.
    pub are_repaired: fn(&Options) -> bool,
    /// Adds the offsets in code at an address where instructions look like a sequence. Data in
    /// between may look so, too.
    pub suspect: fn(&Options, &[u8], u64, &mut Vec<Suspect>),
    /// Finds the repairs.
    pub confirm: Confirm,
    /// The instruction that goes to a place without moving another one.
    pub in_place: fn(&Image<'_>, PatchSite) -> u32,
    /// The instruction for a place, a branch to the code at an address, and that code.
    pub moved: fn(&Image<'_>, PatchSite, u64) -> Moved,
    /// Bytes before and behind a place between which its code may be.
    pub reach: u64,
    /// The repair depends on positions in a page of this size.
    pub page: u64,
    /// Numbers of the errata, for names of symbols.
    pub names: &'static [&'static str],
}

/// Instructions that look like a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suspect {
    /// Offset of the first one in the section.
    pub offset: u64,
    /// Which erratum it is, by the machine's numbers.
    pub erratum: u8,
}

/// A section with suspects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuspectSection {
    /// Position of its output section.
    pub position: u32,
    /// The section.
    pub section: SectionId,
    /// The suspects, of one erratum after the other.
    pub found: Vec<Suspect>,
}

/// How a sequence is repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    /// An instruction is replaced by another one.
    InPlace(PatchSite),
    /// An instruction is replaced by a branch to it.
    Moved(PatchSite),
    /// Options do not allow the repair that would be possible.
    Refused(PatchSite),
}

/// What is written for a moved instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// The branch in its place.
    pub branch: u32,
    /// The instruction, and behind it the branch back.
    pub code: [u32; 2],
}
