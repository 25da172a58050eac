//! Section headers: inside the file, without overlaps, aligned, linked to the right tables (generic
//! ABI, "Sections").

use super::Report;
use crate::output_file::{OutputFile, Section};
use object::elf;

pub(super) fn check(file: &OutputFile, report: &mut Report) {
    for section in &file.sections {
        bounds(file, section, report);
        links(file, section, report);
    }
    let in_file = |s: &&Section| s.is_in_file() && s.size > 0;
    let file_range = |s: &Section| (s.file_offset, s.size);
    overlaps(file, "section-file-overlap", report, in_file, file_range, |_, _| false);
    if file.file_type != elf::ET_REL {
        let in_memory = |s: &&Section| s.is_alloc() && s.size > 0 && !s.is_tls_nobits();
        let range = |s: &Section| (s.address, s.size);
        let is_overlay = |a: &Section, b: &Section| take_turns(file, a, b);
        overlaps(file, "section-address-overlap", report, in_memory, range, is_overlay);
    }
}

/// Whether two sections are in segments of one overlay, so that they may share addresses.
fn take_turns(file: &OutputFile, a: &Section, b: &Section) -> bool {
    let load_of = |section: &Section| {
        file.segments.iter().find(|s| s.kind == elf::PT_LOAD && s.loads(section))
    };
    matches!((load_of(a), load_of(b)), (Some(a), Some(b)) if a.takes_turns_with(b))
}

fn bounds(file: &OutputFile, section: &Section, report: &mut Report) {
    let name = &section.name;
    if section.is_in_file() {
        let end = section.file_offset.checked_add(section.size);
        let inside = end.is_some_and(|end| end <= file.data.len() as u64);
        report.expect("section-outside-file", inside, || name.clone());
    }
    let align = section.align.max(1);
    report.expect("section-align", align.is_power_of_two(), || format!("{name}: {align:#x}"));
    if section.is_alloc() && align.is_power_of_two() {
        report.expect("section-align", section.address.is_multiple_of(align), || {
            format!("{name} at {:#x} is not aligned to {align:#x}", section.address)
        });
    }
    let entry_size = match section.kind {
        elf::SHT_RELA => file.encoding.rela_size(),
        elf::SHT_REL => file.encoding.rel_size(),
        elf::SHT_SYMTAB | elf::SHT_DYNSYM => file.encoding.symbol_size(),
        elf::SHT_DYNAMIC => file.encoding.dynamic_size(),
        elf::SHT_GNU_VERSYM => 2,
        elf::SHT_RELR => file.encoding.word_size(),
        _ => return,
    };
    report.expect("section-entsize", section.entry_size == entry_size, || {
        format!("{name}: {} and not {entry_size}", section.entry_size)
    });
    report.expect("section-entsize", section.size.is_multiple_of(entry_size), || {
        format!("{name}: size {:#x} is no whole number of entries", section.size)
    });
}

fn links(file: &OutputFile, section: &Section, report: &mut Report) {
    let name = &section.name;
    let count = file.sections.len() as u32;
    report.expect("section-link", section.link < count, || format!("{name}: {}", section.link));
    let linked = file.sections.get(section.link as usize).map_or(elf::SHT_NULL, |s| s.kind);
    let right = match section.kind {
        elf::SHT_SYMTAB
        | elf::SHT_DYNSYM
        | elf::SHT_DYNAMIC
        | elf::SHT_GNU_VERDEF
        | elf::SHT_GNU_VERNEED => linked == elf::SHT_STRTAB,
        elf::SHT_HASH | elf::SHT_GNU_HASH | elf::SHT_GNU_VERSYM => linked == elf::SHT_DYNSYM,
        elf::SHT_GROUP | elf::SHT_SYMTAB_SHNDX => linked == elf::SHT_SYMTAB,
        elf::SHT_RELA | elf::SHT_REL if file.file_type == elf::ET_REL => linked == elf::SHT_SYMTAB,
        // A static executable has IRELATIVE relocations and no symbol table for them.
        elf::SHT_RELA | elf::SHT_REL => {
            [elf::SHT_DYNSYM, elf::SHT_SYMTAB, elf::SHT_NULL].contains(&linked)
        }
        _ => true,
    };
    report
        .expect("section-link", right, || format!("{name} is linked to section {}", section.link));
    let info_is_section = match section.kind {
        elf::SHT_RELA | elf::SHT_REL => {
            file.file_type == elf::ET_REL || section.flags & u64::from(elf::SHF_INFO_LINK) != 0
        }
        _ => false,
    };
    if info_is_section {
        report.expect("section-info", section.info > 0 && section.info < count, || {
            format!("{name}: {}", section.info)
        });
    }
}

fn overlaps(
    file: &OutputFile,
    rule: &str,
    report: &mut Report,
    filter: impl Fn(&&Section) -> bool,
    range: impl Fn(&Section) -> (u64, u64),
    is_meant: impl Fn(&Section, &Section) -> bool,
) {
    let mut sections: Vec<&Section> = file.sections.iter().filter(filter).collect();
    sections.sort_unstable_by_key(|s| (range(s), &s.name));
    for pair in sections.windows(2) {
        let (start, size) = range(pair[0]);
        let is_apart = start.saturating_add(size) <= range(pair[1]).0;
        report.expect(rule, is_apart || is_meant(pair[0], pair[1]), || {
            format!("{} and {}", pair[0].name, pair[1].name)
        });
    }
}
