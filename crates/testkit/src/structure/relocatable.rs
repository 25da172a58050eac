//! Facts about a relocatable file that matter to the next link.

use super::{Description, symbol_facts};
use crate::elf_names as names;
use crate::output_file::{OutputFile, Section};
use object::elf;

pub(super) fn describe(file: &OutputFile, description: &mut Description) {
    for section in file.sections.iter().filter(|s| s.kind != elf::SHT_NULL) {
        let name = section.name.as_str();
        description.add("section", name, "type", names::section_type(section.kind));
        description.add("section", name, "flags", names::section_flags(section.flags));
        description.add("section", name, "align", section.align.to_string());
        if section.kind == elf::SHT_GROUP {
            group(file, section, description);
        }
    }
    for symbol in file.symbols.iter().skip(1) {
        if !matches!(symbol.kind, elf::STT_SECTION | elf::STT_FILE) {
            symbol_facts(description, "symbol", &symbol.name, symbol);
            description.add("symbol", &symbol.name, "section", &symbol.section);
            description.add("symbol", &symbol.name, "size", format!("{:#x}", symbol.size));
        }
    }
    for relocation in &file.relocations {
        let symbol = file.symbols.get(relocation.symbol_index as usize);
        let is_section = symbol.is_some_and(|s| s.kind == elf::STT_SECTION);
        let (section, kind, target) = (&relocation.section, &relocation.kind, &relocation.symbol);
        let target = if is_section { format!("[{target}]") } else { target.clone() };
        let addend = relocation.addend;
        description.count("relocation", format!("{kind} in {section}: {target}{addend:+#x}"));
    }
    for note in &file.notes {
        let contents: String = note.description.iter().map(|b| format!("{b:02x}")).collect();
        let name = format!("{} {:#x} in {}", note.owner, note.kind, note.section);
        description.add("note", name, "contents", contents);
    }
}

/// Signature, whether copies are dropped, and the names of the members.
fn group(file: &OutputFile, section: &Section, description: &mut Description) {
    let signature = match file.symbols.get(section.info as usize) {
        Some(symbol) if symbol.kind == elf::STT_SECTION => symbol.section.as_str(),
        Some(symbol) => symbol.name.as_str(),
        None => "none",
    };
    let words = file.section_bytes(section).chunks_exact(4);
    let mut words = words.map(|word| file.encoding.number(word) as u32);
    let kind = if words.next() == Some(elf::GRP_COMDAT) { "COMDAT" } else { "plain" };
    description.add("group", signature, "kind", kind);
    for member in words {
        let name = file.sections.get(member as usize).map_or("none", |s| s.name.as_str());
        description.add("group", signature, "members", name);
    }
}
