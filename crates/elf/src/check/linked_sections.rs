//! Sections with SHF_LINK_ORDER that are kept although the section that they are linked to is
//! dropped. Their `sh_link` would refer to nothing, and their content would describe nothing: lld
//! and GNU ld report an error.

use crate::layout::collect::link_target;
use crate::layout::{Content, OutputSections};
use crate::resolve::definitions::SectionId;
use crate::resolve::tables::Tables;
use crate::select::liveness::Liveness;
use object::elf::SHF_LINK_ORDER;

/// Reports such sections.
pub fn check(tables: &Tables<'_>, outputs: &OutputSections, live: &Liveness) {
    let is_linked = |sh_flags: u64| sh_flags & u64::from(SHF_LINK_ORDER) != 0;
    for output in outputs.sections.iter().filter(|output| is_linked(output.sh_flags)) {
        let Content::Inputs { sections, .. } = &output.content else { continue };
        for &id in sections {
            let target = link_target(tables.definitions, tables.objects, id);
            if let Some(target) = target.filter(|&target| !live.has_address(target)) {
                let (from, to) = (section_text(tables, id), section_text(tables, target));
                let text = format!("{from}: sh_link points to discarded section {to}");
                tables.diag.error((u64::from(id), 0), text);
            }
        }
    }
}

/// `FILE:(SECTION)`.
fn section_text(tables: &Tables<'_>, id: SectionId) -> String {
    let section = &tables.definitions.sections[id];
    let name = tables.objects[section.object].section_name(section.shndx);
    format!("{}:({})", tables.object_name(section.object), String::from_utf8_lossy(name))
}
