//! Descriptions of a relocation for messages: where it is, its type, and its symbol.

use crate::diagnose::location::Site;
use crate::diagnose::messages::RelocationReferent;
use crate::diagnose::order::MessageKind;
use crate::format::elf::SymbolId;
use crate::resolve::definitions::{Strength, attr};
use crate::resolve::tables::Tables;
use crate::select::scan::RelocId;
use skald_core::names::NameId;

/// The sort key of the message about a relocation.
pub fn key(place: RelocId) -> (u64, u64) {
    MessageKind::Relocation.key_within(place.section, place.index.into())
}

/// The place of the relocated field in the object.
pub fn site(tables: &Tables<'_>, place: RelocId) -> Site<'static> {
    let section = &tables.definitions.sections[place.section];
    let object = &tables.objects[section.object];
    let reloc = object.reloc(section, place.index);
    let (section_index, section_offset) =
        object.mapped.place_in_file(section.shndx, reloc.r_offset());
    Site {
        file_name: tables.object_name(section.object),
        object: object.mapped.data,
        section_index,
        section_offset,
    }
}

/// What to call the symbol of a relocation: by its name, or by its section for STT_SECTION.
pub fn referent(tables: &Tables<'_>, place: RelocId) -> RelocationReferent {
    let section = &tables.definitions.sections[place.section];
    let object = &tables.objects[section.object];
    let symbol = object.reloc(section, place.index).symbol();
    let name = if symbol < object.mapped.symbols.end() { object.symbol_name(symbol) } else { b"" };
    if !name.is_empty() {
        return RelocationReferent::Symbol(tables.printed(name));
    }
    let target = object
        .mapped
        .symbols
        .get(symbol)
        .and_then(|_| object.symbol_section(symbol))
        .filter(|&shndx| (shndx as usize) < object.mapped.shdrs.len())
        .map_or(&b""[..], |shndx| object.section_name(shndx));
    RelocationReferent::Section(String::from_utf8_lossy(target).into_owned())
}

/// The same as [`referent`], as part of a sentence.
pub fn referent_text(tables: &Tables<'_>, place: RelocId) -> String {
    match referent(tables, place) {
        RelocationReferent::Symbol(name) => format!("symbol '{name}'"),
        RelocationReferent::Section(name) => format!("section '{name}'"),
    }
}

/// The index in the object of the relocation's symbol.
pub fn symbol_index(tables: &Tables<'_>, place: RelocId) -> SymbolId {
    let section = &tables.definitions.sections[place.section];
    let object = &tables.objects[section.object];
    object.reloc(section, place.index).symbol()
}

/// The relocation's type (`r_type`).
pub fn reloc_type(tables: &Tables<'_>, place: RelocId) -> u32 {
    let section = &tables.definitions.sections[place.section];
    let object = &tables.objects[section.object];
    object.reloc(section, place.index).r_type()
}

/// Whether `--defsym` defines the name.
pub fn is_made_by_option(tables: &Tables<'_>, name: NameId) -> bool {
    tables.definitions.globals[name].has(attr::SYNTHETIC)
        && tables.options.defsym.iter().any(|defsym| defsym.name.as_bytes() == tables.name(name))
}

/// The file, or option, that defines the relocation's symbol.
pub fn defined_in(tables: &Tables<'_>, place: RelocId) -> Option<String> {
    let section = &tables.definitions.sections[place.section];
    let object = &tables.objects[section.object];
    let symbol = object.reloc(section, place.index).symbol();
    let target = tables.definitions.target_of(section.object, symbol);
    let Some(name) = target.name() else { return Some(tables.object_name(section.object)) };
    if is_made_by_option(tables, name) {
        return Some("--defsym".to_owned());
    }
    let rank = tables.definitions.ranks[name];
    match rank.strength() {
        Strength::Strong | Strength::Weak | Strength::Common => {
            Some(tables.object_name(rank.object()))
        }
        Strength::Shared => {
            Some(tables.candidates.shared_paths[rank.library()].display().to_string())
        }
        Strength::Undefined => None,
    }
}
