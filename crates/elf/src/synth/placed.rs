//! What placing returns: addresses of sections, segments, and values that follow from them.

use crate::layout::Segment;
use crate::layout::output_sections::StatedId;
use crate::layout::segments::FileEnd;
use crate::layout::shown::Shown;
use crate::resolve::definitions::SectionId;
use crate::synth::section_names::SectionNames;
use skald_core::ids::Column;
use skald_dwarf::dedup::RewrittenUnits;
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
    /// The section with this section header index: the assignment is in its description.
    Section(u32),
    /// The section that is at its address.
    Address,
    /// None: SHN_ABS.
    Absolute,
}

/// What placing returns: addresses, and what follows from them.
pub struct PlacedOutput {
    /// Program headers, with addresses and file offsets.
    pub segments: Vec<Segment>,
    /// File offsets of section headers and of the end.
    pub end: FileEnd,
    /// Address of every input section; of the group's output for a merged one.
    pub addresses: Column<SectionId, AtomicU64>,
    /// Names in section headers.
    pub names: SectionNames,
    /// Addresses that `.relr.dyn` covers, ascending.
    pub packed: Vec<u64>,
    /// `.rela.dyn` in Android's packed form; empty for the other forms.
    pub packed_table: Vec<u8>,
    /// Values of the symbols of `--section-order`, which `Mark::Listed` counts.
    pub listed: Vec<u64>,
    /// The value of each assignment of a layout script; `None` for one that has none.
    pub assigned: Vec<Option<AssignedValue>>,
    /// Content of `BYTE`, `LONG` and the like of a layout script.
    pub stated: Column<StatedId, Vec<u8>>,
    /// Where a list shows what a layout script says; empty unless a map is asked for.
    pub shown: Shown,
    /// Where units of debug information are, if they were written anew.
    pub rewritten_units: Option<RewrittenUnits>,
}

impl PlacedOutput {
    /// Nothing placed yet, with room for addresses of `sections` input sections.
    pub fn new(sections: usize) -> PlacedOutput {
        PlacedOutput {
            segments: Vec::new(),
            end: FileEnd::default(),
            addresses: Column::zeroed(sections),
            names: SectionNames::default(),
            packed: Vec::new(),
            packed_table: Vec::new(),
            listed: Vec::new(),
            assigned: Vec::new(),
            stated: Column::new(),
            shown: Shown::default(),
            rewritten_units: None,
        }
    }
}
