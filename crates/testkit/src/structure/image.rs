//! Facts about the memory image of a program: header, sections and their treatment by the loader,
//! segments, notes.

use super::places::{Places, is_of_linker, symbols};
use super::{Description, symbol_facts};
use crate::elf_names as names;
use crate::output_file::{OutputFile, Section, Segment};
use object::elf;

pub(super) fn describe(file: &OutputFile, places: &Places<'_>, description: &mut Description) {
    header(file, places, description);
    for section in file.sections.iter().filter(|s| s.kind != elf::SHT_NULL) {
        section_facts(file, section, description);
    }
    segments(file, description);
    notes(file, description);
    for symbol in &file.symbols {
        // Hidden symbols count as local: linkers may write either binding in `.symtab`.
        let is_hidden = matches!(symbol.other & 3, elf::STV_HIDDEN | elf::STV_INTERNAL);
        if !symbol.is_local() && !is_hidden && symbol.is_defined() {
            // Whether `.symtab` has the version in the name matters to readers only.
            let name = symbol.name.split('@').next().unwrap_or_default();
            symbol_facts(description, "symbol", name, symbol);
            if !is_of_linker(name) {
                description.add("symbol", name, "size", format!("{:#x}", symbol.size));
                description.add("symbol", name, "section", &symbol.section);
            }
        }
    }
    if symbols(file).is_empty() {
        description.add("header", "ELF", "symbols", "none");
    }
}

fn header(file: &OutputFile, places: &Places<'_>, description: &mut Description) {
    let mut add = |attribute, value: String| description.add("header", "ELF", attribute, value);
    add("type", names::file_type(file.file_type));
    add("machine", file.machine.to_string());
    add("osabi", file.os_abi.to_string());
    add("flags", format!("{:#x}", file.flags));
    add("entry", places.name(file.entry));
}

fn section_facts(file: &OutputFile, section: &Section, description: &mut Description) {
    let name = section.name.as_str();
    let mut add = |attribute, value: String| description.add("section", name, attribute, value);
    add("type", names::section_type(section.kind));
    // The flags for merging, strings and links matter to linkers, not to programs.
    let matters = elf::SHF_WRITE | elf::SHF_ALLOC | elf::SHF_EXECINSTR | elf::SHF_TLS;
    let matters = u64::from(matters | elf::SHF_COMPRESSED);
    add("flags", names::section_flags(section.flags & matters));
    if !section.is_alloc() {
        return;
    }
    add("align", section.align.to_string());
    if section.size == 0 || section.is_tls_nobits() {
        return;
    }
    let holds = |s: &&Segment| s.holds(section.address, section.size);
    let load = file.segments.iter().filter(|s| s.kind == elf::PT_LOAD).find(holds);
    add("loaded", load.map_or_else(|| "no".to_owned(), |s| names::segment_flags(s.flags)));
    let is_relro = file.segments.iter().filter(|s| s.kind == elf::PT_GNU_RELRO).any(|s| holds(&s));
    add("relro", is_relro.to_string());
}

fn segments(file: &OutputFile, description: &mut Description) {
    for segment in &file.segments {
        let name = names::segment_type(segment.kind);
        if segment.kind == elf::PT_LOAD {
            continue;
        }
        description.add("segment", &name, "flags", names::segment_flags(segment.flags));
        match segment.kind {
            elf::PT_TLS => {
                description.add("segment", &name, "align", segment.align.to_string());
                description.add("segment", &name, "filesz", format!("{:#x}", segment.file_size));
                description.add("segment", &name, "memsz", format!("{:#x}", segment.memory_size));
            }
            elf::PT_GNU_STACK => {
                description.add("segment", &name, "memsz", format!("{:#x}", segment.memory_size));
            }
            elf::PT_INTERP => {
                let path = file.bytes(segment.file_offset, segment.file_size);
                description.add("segment", &name, "path", String::from_utf8_lossy(path));
            }
            _ => {}
        }
    }
}

fn notes(file: &OutputFile, description: &mut Description) {
    for note in &file.notes {
        let name = format!("{} {:#x} in {}", note.owner, note.kind, note.section);
        let is_build_id = note.owner == "GNU" && note.kind == elf::NT_GNU_BUILD_ID;
        // The note of a probe begins with three addresses.
        let addresses = 3 * file.encoding.word_size() as usize;
        let addresses = if note.owner == "stapsdt" { addresses } else { 0 };
        let bytes = note.description.get(addresses..).unwrap_or_default();
        let contents = if is_build_id {
            format!("{} bytes", bytes.len())
        } else {
            bytes.iter().map(|b| format!("{b:02x}")).collect()
        };
        description.add("note", name, "contents", contents);
    }
}
