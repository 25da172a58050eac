//! Facts about dynamic relocations: for each word of a named object its value at run time, and for
//! all other words the number of relocations of each sort.
//!
//! RELATIVE relocations of .rela.dyn and of RELR tables are one sort: which table has them is a
//! matter of size. The addend of a RELR relocation is the word that it adds to.

use super::Description;
use super::places::Places;
use crate::output_file::{OutputFile, Relocation};
use object::elf;
use std::collections::BTreeSet;

pub(super) fn describe(file: &OutputFile, places: &Places<'_>, description: &mut Description) {
    let tables = file.sections.iter().filter(|section| section.is_alloc());
    let tables: BTreeSet<&str> = tables.map(|section| section.name.as_str()).collect();
    for relocation in file.relocations.iter().filter(|r| tables.contains(&*r.table)) {
        let Some(becomes) = meaning(file, places, relocation) else { continue };
        if relocation.section == ".eh_frame" {
            description.count("relocation of unwinding", becomes);
            continue;
        }
        match places.object(relocation.place).filter(|_| is_of_input(&relocation.section)) {
            Some(object) if becomes.starts_with("COPY ") => {
                description.add("copied word", object, "becomes", becomes);
            }
            Some(object) => description.add("word", object, "becomes", becomes),
            None => description.count("relocation", becomes),
        }
    }
}

/// Whether the section is made of input sections: places in linkers' own tables have no names.
fn is_of_input(section: &str) -> bool {
    !section.starts_with(".got") && !section.starts_with(".plt") && section != ".dynamic"
}

/// Kind and target of a relocation; `None` if it has no effect.
fn meaning(file: &OutputFile, places: &Places<'_>, relocation: &Relocation) -> Option<String> {
    let addend = file.encoding.address(relocation.addend as u64);
    let kind = generic_kind(&relocation.kind);
    let has_symbol = relocation.symbol_index != 0;
    let target = match kind {
        "NONE" => return None,
        "RELR" => {
            let size = file.encoding.word_size() as usize;
            let word = file.bytes_at_address(relocation.place).get(..size).unwrap_or_default();
            places.name(file.encoding.number(word))
        }
        "RELATIVE" | "IRELATIVE" => places.name(addend),
        "DTPMOD64" if !has_symbol => "this module".to_owned(),
        "DTPOFF64" | "TPOFF64" | "TLSDESC" if !has_symbol => {
            format!("thread-local {}", places.thread_local(addend))
        }
        _ if !has_symbol => places.name(addend),
        _ => symbol(file, relocation),
    };
    let kind = if kind == "RELR" { "RELATIVE" } else { kind };
    Some(format!("{kind} {target}"))
}

/// The name that x86-64 has for what a type of any machine does.
fn generic_kind(kind: &str) -> &str {
    let own = ["R_X86_64_", "R_386_", "R_AARCH64_"].iter().find_map(|p| kind.strip_prefix(p));
    match own.unwrap_or(kind) {
        "ABS64" => "64",
        "TLS_DTPMOD" | "TLS_DTPMOD32" => "DTPMOD64",
        "TLS_DTPREL" | "TLS_DTPOFF32" => "DTPOFF64",
        "TLS_TPREL" | "TLS_TPOFF" => "TPOFF64",
        "TLS_DESC" => "TLSDESC",
        kind => kind,
    }
}

/// Name, version and addend.
fn symbol(file: &OutputFile, relocation: &Relocation) -> String {
    let symbol = file.dynamic_symbols.get(relocation.symbol_index as usize);
    let mut text = match symbol {
        Some(symbol) if symbol.kind == elf::STT_SECTION => format!("[{}]", symbol.section),
        Some(symbol) => format!("{}{}", symbol.name, symbol.version),
        None => "no symbol".to_owned(),
    };
    if relocation.addend != 0 {
        text.push_str(&format!("{:+#x}", relocation.addend));
    }
    text
}
