//! Where everything is, once all has its address.

use crate::layout::segments::FileEnd;
use crate::layout::{OutputSections, Segment, Synthetic};
use crate::resolve::definitions::SectionId;
use skald_base::string_table::StringTable;
use skald_core::ids::Column;
use std::sync::atomic::AtomicU64;

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
}

impl PlacedOutput {
    /// Makes `.shstrtab`.
    pub fn name_sections(&mut self, outputs: &mut OutputSections) {
        self.shstrtab = StringTable::new();
        let names = outputs.sections.iter();
        self.section_names = names.map(|section| self.shstrtab.add(&section.name)).collect();
        let size = self.shstrtab.size();
        if let Some(table) = outputs.synthetic_mut(Synthetic::ShStrTab) {
            table.size = size;
        }
    }
}
