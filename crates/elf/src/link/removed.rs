//! `--print-gc-sections`: what garbage collection left out.

use super::reports::Sources;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::Definitions;
use crate::select::liveness::Liveness;
use std::fmt::Write as _;
use std::io::Write as _;

/// Lists the sections that are not in the output, in command-line order.
pub fn print(sources: &Sources<'_>, definitions: &Definitions, live: &Liveness) {
    let options = sources.options;
    if !options.gc_sections || !options.print_gc_sections {
        return;
    }
    let mut text = String::new();
    for (at, object) in sources.objects.iter().enumerate() {
        let Some(file) = object.file else { continue };
        let mut name = None;
        for id in definitions.sections_of(at) {
            let section = &definitions.sections[id];
            let passed_over =
                SectionFlags::DISCARDED | SectionFlags::COMMON | SectionFlags::EH_FRAME;
            if live.is_live(id as u32) || section.flags.has(passed_over) {
                continue;
            }
            let name = name.get_or_insert_with(|| sources.candidates.display_name(file));
            let section = String::from_utf8_lossy(object.section_name(section.shndx));
            let _ = writeln!(text, "removing unused section {name}:({section})");
        }
    }
    let outcome = match &options.reports.gc_sections_file {
        Some(path) if path.as_os_str() != "-" => {
            std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
        }
        Some(_) => std::io::stdout()
            .write_all(text.as_bytes())
            .map_err(|e| format!("cannot write to standard output: {e}")),
        // Nobody is left to tell that standard error is closed.
        None => std::io::stderr().write_all(text.as_bytes()).or(Ok(())),
    };
    if let Err(text) = outcome {
        sources.diag.error((0, 0), text);
    }
}
