//! .dynamic and dynamic relocations: tags agree with the sections, and relocations are in writable
//! memory (generic ABI, "Dynamic Section").

use super::Report;
use crate::output_file::{OutputFile, Section};
use crate::relocation_types;
use object::elf;
use std::collections::BTreeSet;

pub(super) fn check(file: &OutputFile, report: &mut Report) {
    if file.dynamic.is_empty() {
        return;
    }
    let ends = file.dynamic.last().is_some_and(|d| d.tag == "NULL");
    report.expect("dynamic-null", ends, || "no DT_NULL at the end".to_owned());
    repeated(file, report);
    addresses(file, report);
    relative_count(file, report);
    relocations(file, report);
    let dynamic = file.sections.iter().find(|s| s.kind == elf::SHT_DYNAMIC);
    let segment = file.segments.iter().find(|s| s.kind == elf::PT_DYNAMIC);
    let same = match (dynamic, segment) {
        (Some(section), Some(segment)) => {
            section.address == segment.address && section.size == segment.memory_size
        }
        _ => false,
    };
    report.expect("dynamic-segment", same, || "PT_DYNAMIC is not .dynamic".to_owned());
}

fn repeated(file: &OutputFile, report: &mut Report) {
    let mut seen = BTreeSet::new();
    let may_repeat = ["NULL", "NEEDED", "AUXILIARY", "FILTER"];
    for entry in &file.dynamic {
        let key = (entry.tag.as_str(), entry.text.as_deref().unwrap_or_default());
        let key = if may_repeat.contains(&key.0) { key } else { (key.0, "") };
        let is_new = seen.insert(key) || key.0 == "NULL";
        report.expect("dynamic-repeated", is_new, || format!("{} {}", key.0, key.1));
    }
}

/// Each tag with the address or size of a section agrees with the section header.
fn addresses(file: &OutputFile, report: &mut Report) {
    type Find = fn(&Section) -> bool;
    let tags: [(&str, &str, Find); 12] = [
        ("SYMTAB", "", |s| s.kind == elf::SHT_DYNSYM),
        ("HASH", "", |s| s.kind == elf::SHT_HASH && s.is_alloc()),
        ("GNU_HASH", "", |s| s.kind == elf::SHT_GNU_HASH),
        ("STRTAB", "STRSZ", |s| s.kind == elf::SHT_STRTAB && s.is_alloc()),
        ("VERSYM", "", |s| s.kind == elf::SHT_GNU_VERSYM),
        ("VERDEF", "", |s| s.kind == elf::SHT_GNU_VERDEF),
        ("VERNEED", "", |s| s.kind == elf::SHT_GNU_VERNEED),
        ("RELR", "RELRSZ", |s| s.kind == elf::SHT_RELR),
        ("INIT_ARRAY", "INIT_ARRAYSZ", |s| s.kind == elf::SHT_INIT_ARRAY),
        ("FINI_ARRAY", "FINI_ARRAYSZ", |s| s.kind == elf::SHT_FINI_ARRAY),
        ("PREINIT_ARRAY", "PREINIT_ARRAYSZ", |s| s.kind == elf::SHT_PREINIT_ARRAY),
        ("INIT", "", |s| s.name == ".init"),
    ];
    for (address_tag, size_tag, find) in tags {
        let address = file.dynamic_value(address_tag);
        // A script can define further arrays, which nobody runs.
        let sections = || file.sections.iter().filter(|s| find(s) && s.size > 0);
        let section = sections().find(|s| Some(s.address) == address).or_else(|| sections().next());
        // `-init` may name any function, and a section `.init` may be an ordinary one.
        let is_optional = address_tag == "INIT";
        match (section, address) {
            (Some(section), Some(address)) => {
                report.expect("dynamic-address", address == section.address || is_optional, || {
                    format!(
                        "{address_tag} is {address:#x}, {} is at {:#x}",
                        section.name, section.address
                    )
                });
                let size = file.dynamic_value(size_tag).unwrap_or(section.size);
                report.expect("dynamic-address", size == section.size, || {
                    format!(
                        "{size_tag} is {size:#x}, size of {} is {:#x}",
                        section.name, section.size
                    )
                });
            }
            (Some(section), None) => report.expect("dynamic-address", is_optional, || {
                format!("no {address_tag} for {}", section.name)
            }),
            (None, Some(address)) => {
                let is_empty_array =
                    !size_tag.is_empty() && file.dynamic_value(size_tag) == Some(0);
                report.expect("dynamic-address", is_empty_array || is_optional, || {
                    format!("{address_tag} {address:#x} has no section")
                });
            }
            (None, None) => {}
        }
    }
    const DT_REL: u64 = 17;
    let (rela, rel) = (file.encoding.rela_size(), file.encoding.rel_size());
    let plt_entry = if file.dynamic_value("PLTREL") == Some(DT_REL) { rel } else { rela };
    for (tag, entry) in [("RELASZ", rela), ("RELSZ", rel), ("PLTRELSZ", plt_entry)] {
        let size = file.dynamic_value(tag).unwrap_or(0);
        report.expect("dynamic-address", size.is_multiple_of(entry), || format!("{tag} {size:#x}"));
    }
}

/// DT_RELACOUNT relative relocations come first in DT_RELA, as DT_RELCOUNT do in DT_REL.
fn relative_count(file: &OutputFile, report: &mut Report) {
    let Some(relative) = relocation_types::relative_relocation(file.machine, file.encoding) else {
        return;
    };
    let (rela, rel) = (file.encoding.rela_size(), file.encoding.rel_size());
    let counts = [("RELA", elf::SHT_RELA, rela), ("REL", elf::SHT_REL, rel)];
    for (table, kind, entry_size) in counts {
        count_of(file, table, kind, entry_size, &relative, report);
    }
}

fn count_of(
    file: &OutputFile,
    table: &str,
    kind: u32,
    entry_size: u64,
    relative: &str,
    report: &mut Report,
) {
    let tag = format!("{table}COUNT");
    let Some(count) = file.dynamic_value(&tag) else { return };
    let address = file.dynamic_value(table).unwrap_or(0);
    // A script may put the PLT's relocations before them into one section.
    let holds = |s: &&Section| (s.address..s.end().max(s.address + 1)).contains(&address);
    let table = file.sections.iter().filter(|s| s.kind == kind).find(holds);
    let name = table.map_or("", |s| s.name.as_str());
    let before = table.map_or(0, |s| (address - s.address) / entry_size) as usize;
    let in_table = file.relocations.iter().filter(|r| r.table == name).skip(before);
    let leading = in_table.take_while(|r| r.kind == relative).count() as u64;
    report.expect("dynamic-relacount", count <= leading, || {
        format!("DT_{tag} is {count}, {leading} come first")
    });
}

fn relocations(file: &OutputFile, report: &mut Report) {
    let is_textrel_allowed = file.dynamic.iter().any(|entry| {
        entry.tag == "TEXTREL"
            || entry.tag == "FLAGS" && entry.text.as_deref().unwrap_or("").contains("TEXTREL")
    });
    let alloc = |name: &str| file.section(name).is_some_and(Section::is_alloc);
    let none = relocation_types::no_relocation(file.machine);
    let real = file.relocations.iter().filter(|r| r.kind != none);
    let mut places = BTreeSet::new();
    for relocation in real.filter(|r| alloc(&r.table)) {
        let name = || format!("{} at {:#x}", relocation.kind, relocation.place);
        let in_range = (relocation.symbol_index as usize) < file.dynamic_symbols.len().max(1);
        report.expect("relocation-symbol", in_range, name);
        report.expect("relocation-twice", places.insert(relocation.place), name);
        let place = relocation.place;
        let load = file.segments.iter().find(|s| s.kind == elf::PT_LOAD && s.holds(place, 1));
        match load {
            Some(load) => {
                let writable = load.flags & elf::PF_W != 0 || is_textrel_allowed;
                report.expect("relocation-read-only", writable, name);
            }
            None => report.add("relocation-outside", name()),
        }
    }
}
