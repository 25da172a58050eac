//! `.shstrtab`: the names in section headers.

use crate::layout::{OutputSections, Synthetic};
use skald_linking::string_table::StringTable;

/// Content of `.shstrtab`, and where each name is in it.
#[derive(Debug, Default)]
pub struct SectionNames {
    /// Content of `.shstrtab`.
    pub table: StringTable,
    /// `sh_name` of each section header except the null header: offsets in `table`.
    pub offsets: Vec<u32>,
}

impl SectionNames {
    /// The names of all headers, in order; gives `.shstrtab` its size.
    pub fn of(outputs: &mut OutputSections) -> SectionNames {
        let mut table = StringTable::new();
        let offsets = outputs.headed().map(|section| table.add(&section.name)).collect();
        if let Some(section) = outputs.synthetic_mut(Synthetic::ShStrTab) {
            section.size = table.size();
        }
        SectionNames { table, offsets }
    }
}
