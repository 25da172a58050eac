//! Where everything is, once all has its address.

use crate::layout::output_sections::StatedId;
use crate::layout::segments::FileEnd;
use crate::layout::{OutputSection, OutputSections, Segment, Synthetic};
use crate::resolve::definitions::SectionId;
use skald_base::string_table::StringTable;
use skald_core::ids::Column;
use std::sync::atomic::AtomicU64;

/// The value of an assignment.
#[derive(Debug, Clone, Copy)]
pub struct AssignedValue {
    /// The address, or number.
    pub address: u64,
    /// What it belongs to.
    pub place: AssignedPlace,
}

/// What an assigned symbol belongs to.
#[derive(Debug, Clone, Copy)]
pub enum AssignedPlace {
    /// The section with this header index, in which it is assigned.
    Section(u32),
    /// The section where its address is.
    Address,
    /// None.
    Absolute,
}

/// Addresses.
pub struct PlacedOutput {
    /// Program headers.
    pub segments: Vec<Segment>,
    /// Size of the file.
    pub end: FileEnd,
    /// Address of every section.
    pub addresses: Column<SectionId, AtomicU64>,
    /// `.shstrtab`.
    pub shstrtab: StringTable,
    /// Offsets of section names in it.
    pub section_names: Vec<u32>,
    /// `.relr.dyn` places.
    pub packed: Vec<u64>,
    /// `.rela.dyn` in Android's packed form.
    pub packed_table: Vec<u8>,
    /// Values of the symbols of `--section-order`.
    pub listed: Vec<u64>,
    /// By assignment of a script that lays the output out: its value.
    pub assigned: Vec<Option<AssignedValue>>,
    /// Bytes that such a script states.
    pub stated: Column<StatedId, Vec<u8>>,
}

impl PlacedOutput {
    /// Nothing yet, for so many sections of inputs.
    pub fn new(sections: usize) -> PlacedOutput {
        PlacedOutput {
            segments: Vec::new(),
            end: FileEnd::default(),
            addresses: Column::zeroed(sections),
            shstrtab: StringTable::new(),
            section_names: Vec::new(),
            packed: Vec::new(),
            packed_table: Vec::new(),
            listed: Vec::new(),
            assigned: Vec::new(),
            stated: Column::new(),
        }
    }

    /// Makes `.shstrtab`.
    pub fn name_sections(&mut self, outputs: &mut OutputSections) {
        self.shstrtab = StringTable::new();
        let mut add = |section: &OutputSection| self.shstrtab.add(&section.name);
        let names: Vec<u32> = outputs.headed().map(&mut add).collect();
        self.section_names = names;
        let size = self.shstrtab.size();
        if let Some(table) = outputs.synthetic_mut(Synthetic::ShStrTab) {
            table.size = size;
        }
    }
}
