//! The functions of the link's machine that stages call: loops over relocations, and questions
//! about its code. A caller takes a function from here once for a link or a section, and never for
//! each relocation: docs/decisions/0038-facts-and-loops.md.

use super::code::{Branches, CodeOrder, LandingPads, SplitStack};
use super::errata::Errata;
use super::thunks::Thunks;
use crate::args::ZOptions;
use crate::machine::Machine;
use crate::resolve::dynamic::OutputShape;
use crate::select::fall_through::LastJumps;
use crate::select::marker::ScanLoops;
use crate::synth::emitted_relocs::FollowRewrite;
use crate::synth::image::{ApplyInPlace, ApplyLoop};
use crate::synth::plt::{Plt, Promises};
use crate::synth::shrinking::Shrinking;

/// The loops of a machine.
pub struct Loops {
    /// The facts of the machine.
    pub machine: &'static Machine,
    /// Finds what the relocations of a section need.
    pub scan: ScanLoops,
    /// Writes the fields of relocations.
    pub apply: ApplyLoop,
    /// The same for relocations that stay in their file; `None` where none do.
    pub apply_in_place: Option<ApplyInPlace>,
    /// Follows the rewriting of instructions (`--emit-relocs`), if `apply` rewrites any.
    pub follow_rewrite: Option<FollowRewrite>,
    /// The PLT's code, chosen by options and by what the output promises.
    pub plt: fn(&ZOptions, OutputShape, Promises) -> &'static Plt,
    /// Code for branches that do not reach their targets.
    pub thunks: Option<&'static Thunks>,
    /// Instruction sequences that some processors execute wrongly.
    pub errata: Option<&'static Errata>,
    /// How code shrinks once addresses are known.
    pub shrinking: Option<&'static Shrinking>,
    /// How direct branches are recognized (`--branch-to-branch`).
    pub branches: Option<&'static Branches>,
    /// Instructions that indirect branches may land on (`-z rewrite-endbr`).
    pub landing_pads: Option<&'static LandingPads>,
    /// The prologues of code with split stacks.
    pub split_stack: Option<&'static SplitStack>,
    /// How code gets the other byte order than data (`--be8`).
    pub code_order: Option<&'static CodeOrder>,
    /// How a jump at the end of a section is recognized and removed (`--optimize-bb-jumps`).
    pub last_jumps: Option<&'static LastJumps>,
}
