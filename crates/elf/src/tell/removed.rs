//! `--print-gc-sections`: the sections that garbage collection removed.

use super::listing::{self, Stream};
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::Definitions;
use crate::resolve::tables::Sources;
use crate::select::liveness::Liveness;
use skald_core::ids::IdRange;
use std::fmt::Write;

/// Lists the sections that are not in the output, in command-line order.
pub fn print(sources: &Sources<'_>, definitions: &Definitions, live: &Liveness) {
    let options = sources.options;
    if !options.gc_sections || !options.print_gc_sections {
        return;
    }
    let mut text = String::new();
    for (at, object) in sources.objects.with_ids() {
        let Some(file) = object.file else { continue };
        let mut name = None;
        for id in definitions.sections_of(at).ids() {
            let section = &definitions.sections[id];
            let passed_over = SectionFlags::DISCARDED | SectionFlags::EH_FRAME;
            if live.is_live(id) || section.flags.has(passed_over) {
                continue;
            }
            let name = name.get_or_insert_with(|| sources.candidates.display_name(file));
            let section = if section.flags.has(SectionFlags::COMMON) {
                "COMMON".into()
            } else {
                String::from_utf8_lossy(object.section_name(section.shndx))
            };
            let _ = writeln!(text, "removing unused section {name}:({section})");
        }
    }
    let file = options.reports.gc_sections_file.as_deref();
    listing::write(file, Stream::Err, &text, sources.diag);
}
