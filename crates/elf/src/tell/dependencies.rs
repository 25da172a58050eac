//! `--print-dependencies`: which section refers to which, for names that an object takes from
//! another file, in mold's four columns.

use crate::read::ObjectId;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::{Definitions, Strength};
use crate::resolve::tables::Sources;
use object::elf::{SHN_UNDEF, STB_WEAK};
use skald_core::ids::IdRange;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedSet;
use std::fmt::Write;

const HEAD: &str = "# A section, what it needs, u or w for a weak reference, and the symbol\n";

/// The list, by section in command-line order, each in the order of its relocations.
pub fn text(sources: &Sources<'_>, definitions: &Definitions) -> String {
    let parts: Vec<String> = sources
        .objects
        .par_ids()
        .with_max_len(16)
        .map(|object| of_object(sources, definitions, object))
        .collect();
    HEAD.to_owned() + &parts.concat()
}

fn of_object(sources: &Sources<'_>, definitions: &Definitions, at: ObjectId) -> String {
    let object = &sources.objects[at];
    let mut text = String::new();
    for id in definitions.sections_of(at).ids() {
        let section = &definitions.sections[id];
        let is_loaded = section.flags.has(SectionFlags::ALLOC);
        if !is_loaded || section.flags.has(SectionFlags::COMMON | SectionFlags::DISCARDED) {
            continue;
        }
        let mut told = UnorderedSet::new();
        for reloc in object.relocs(section) {
            let index = reloc.symbol();
            // The table is read before relocations are checked.
            let Some(symbol) = object.mapped.symbols.get(index) else { continue };
            let Some(name) = object.name_of(index) else { continue };
            if symbol.st_shndx() != SHN_UNDEF || !told.insert(index) {
                continue;
            }
            let Some(definer) = definer(sources, definitions, name) else { continue };
            let kind = if symbol.bind() == STB_WEAK { 'w' } else { 'u' };
            let referrer = place(sources, section);
            let spelled = String::from_utf8_lossy(object.symbol_name(index));
            let _ = writeln!(text, "{referrer}\t{definer}\t{kind}\t{spelled}");
        }
    }
    text
}

/// The section that defines a name, or the file if it is in none.
fn definer(sources: &Sources<'_>, definitions: &Definitions, name: NameId) -> Option<String> {
    let rank = definitions.ranks[name];
    let file = match rank.strength() {
        Strength::Undefined => None,
        Strength::Shared => sources.candidates.shared[rank.library()].file,
        _ => {
            if let Some(section) = definitions.globals[name].value_base.section() {
                return Some(place(sources, &definitions.sections[section]));
            }
            sources.objects[rank.object()].file
        }
    };
    file.map(|file| sources.candidates.display_name(file))
}

/// `FILE:(SECTION)`.
fn place(sources: &Sources<'_>, section: &InputSection) -> String {
    let object = &sources.objects[section.object];
    let file = object.file.map(|file| sources.candidates.display_name(file)).unwrap_or_default();
    let name = if section.flags.has(SectionFlags::COMMON) {
        b"COMMON"
    } else {
        object.section_name(section.shndx)
    };
    format!("{file}:({})", String::from_utf8_lossy(name))
}
