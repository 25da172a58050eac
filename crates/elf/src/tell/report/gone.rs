//! Sections that are not in the output: collected as garbage, or folded into an equal section.

use super::Input;
use super::collect::Rows;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::SectionId;
use skald_core::ids::IdRange;
use skald_core::par::prelude::*;
use skald_report::data::{Removed, Report};

/// Fills in sections that were removed and sections that were folded.
pub fn collect(input: &Input<'_>, rows: &Rows, report: &mut Report) {
    let describe = |id: SectionId| {
        let section = &input.tables.definitions.sections[id];
        let name = input.tables.objects[section.object].section_name(section.shndx);
        Removed { name, object: section.object.number(), size: section.size }
    };
    let passed_over = SectionFlags::DISCARDED | SectionFlags::COMMON | SectionFlags::EH_FRAME;
    let is_gone = |id: &SectionId| {
        let section = &input.tables.definitions.sections[*id];
        !section.flags.has(passed_over)
            && section.size != 0
            && !input.selected.live.has_address(*id)
    };
    let of_objects = input.tables.definitions.section_base.last().copied().unwrap_or_default();
    report.removed =
        (SectionId::new(0)..of_objects).par_ids().filter(is_gone).map(describe).collect();
    for part in [&input.selected.folds.folded, &input.selected.folds.dependents] {
        let rows = part.iter().map(|f| (describe(f.section), rows.row[f.leader]));
        report.folded.extend(rows);
    }
}
