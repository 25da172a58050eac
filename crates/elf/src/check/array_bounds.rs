//! Bounds of `.init_array` and its relatives where a script puts their entries into other output
//! sections. Start files that walk from `__init_array_start` to `__init_array_end` would find
//! nothing, and no constructor would run. In GNU ld only the default script defines these names, so
//! with another script they are undefined unless that defines them. Here that is an error where
//! entries would be lost.

use crate::args::OutputKind;
use crate::layout::{Content, OutputSections};
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::SectionId;
use crate::resolve::linker_symbols::{LinkerSymbol, Mark};
use crate::resolve::names::references::ref_flags;
use crate::resolve::tables::Tables;
use crate::script::section_names::ARRAYS;
use skald_core::names::NameId;

/// Those bounds among `symbols` that are referred to although a script puts the entries elsewhere.
pub fn of_moved_arrays(
    tables: &Tables<'_>,
    outputs: &OutputSections,
    symbols: &[LinkerSymbol],
) -> Vec<NameId> {
    if tables.options.kind == OutputKind::Shared {
        return Vec::new();
    }
    let is_strong = |name| tables.extraction.refs.get(name).flags() & ref_flags::UNDEF_STRONG != 0;
    let moved = symbols.iter().filter(|symbol| {
        let array = array_of(&symbol.mark).filter(|_| is_strong(symbol.name));
        array.is_some_and(|of| outputs.named(of).is_none() && is_moved(tables, of, outputs))
    });
    moved.map(|symbol| symbol.name).collect()
}

/// Whether the output has entries of this array, but no section for it.
fn is_moved(tables: &Tables<'_>, array: &[u8], outputs: &OutputSections) -> bool {
    let is_entry = |&id: &SectionId| {
        let section = &tables.definitions.sections[id];
        if section.flags.has(SectionFlags::COMMON) {
            // The array has no header, and no entries.
            return false;
        }
        let name = tables.objects[section.object].section_name(section.shndx);
        let rest = name.strip_prefix(array);
        section.size != 0 && rest.is_some_and(|rest| rest.first().is_none_or(|&b| b == b'.'))
    };
    outputs.sections.iter().any(|output| match &output.content {
        Content::Inputs { sections, .. } => sections.iter().any(is_entry),
        _ => false,
    })
}

/// The array that a symbol is a bound of.
fn array_of(mark: &Mark) -> Option<&[u8]> {
    match mark {
        Mark::SectionStart(name) | Mark::SectionEnd(name) => {
            ARRAYS.contains(&&name[..]).then_some(name)
        }
        _ => None,
    }
}
