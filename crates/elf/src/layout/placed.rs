//! The result of the layout: output sections with their addresses, segments, and values that follow
//! from them.

use super::deletions::Deletions;
use super::islands::PatchSite;
use super::output_sections::StatedId;
use super::segments::FileEnd;
use super::shown::Shown;
use super::walk::RegionUsage;
use super::{OutputSections, Segment};
use crate::resolve::definitions::SectionId;
use skald_core::ids::Column;
use std::sync::atomic::AtomicU64;

/// The value of an assignment.
#[derive(Debug, Clone, Copy)]
pub struct AssignedValue {
    /// The address, or the number if `place` is [`AssignedPlace::Absolute`].
    pub address: u64,
    /// The section of the symbol.
    pub place: AssignedPlace,
}

/// Which section an assigned symbol belongs to: its `st_shndx`.
#[derive(Debug, Clone, Copy)]
pub enum AssignedPlace {
    /// The section with this section header index, in whose statement the assignment stands.
    Section(u32),
    /// The section that is at its address.
    Address,
    /// The symbol belongs to no section (SHN_ABS).
    Absolute,
}

/// The places of everything in memory and in the file.
pub struct PlacedOutput {
    /// All output sections, in order.
    pub outputs: OutputSections,
    /// Program headers, with addresses and file offsets.
    pub segments: Vec<Segment>,
    /// File offsets of section headers and of the end.
    pub end: FileEnd,
    /// Address of every input section; of the group's output for a merged one.
    pub addresses: Column<SectionId, AtomicU64>,
    /// The bytes that input sections have lost.
    pub deletions: Deletions,
    /// Values of the symbols of `--section-order`, which `Mark::Listed` counts.
    pub listed: Vec<u64>,
    /// The value of each assignment of a layout script; `None` for one that has none.
    pub assigned: Vec<Option<AssignedValue>>,
    /// Content of `BYTE`, `LONG` and the like of a layout script.
    pub stated: Column<StatedId, Vec<u8>>,
    /// Places where an instruction is replaced for an erratum of a processor.
    pub repaired: Vec<PatchSite>,
    /// Places with such an erratum that cannot be repaired.
    pub unrepaired: Vec<PatchSite>,
    /// Where the map shows assignments of a layout script; empty unless a map is asked for.
    pub shown: Shown,
    /// The memory regions of a layout script; empty unless a map is asked for.
    pub regions: Vec<RegionUsage>,
}

impl PlacedOutput {
    /// `outputs` before the layout, with room for the addresses of `sections` input sections.
    pub fn new(outputs: OutputSections, sections: usize) -> PlacedOutput {
        PlacedOutput {
            outputs,
            segments: Vec::new(),
            end: FileEnd::default(),
            addresses: Column::zeroed(sections),
            deletions: Deletions::default(),
            listed: Vec::new(),
            assigned: Vec::new(),
            stated: Column::new(),
            repaired: Vec::new(),
            unrepaired: Vec::new(),
            shown: Shown::default(),
            regions: Vec::new(),
        }
    }
}
