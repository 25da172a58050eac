//! Facts for the dynamic linker: the entries of .dynamic, symbols imported and exported, versions.

use super::places::Places;
use super::{Description, symbol_facts};
use crate::output_file::OutputFile;
use object::elf;

/// Tags whose values follow from other facts, such as sizes.
const DERIVED: &[&str] = &[
    "NULL",
    "STRSZ",
    "SYMENT",
    "RELASZ",
    "RELAENT",
    "RELRSZ",
    "RELRENT",
    "PLTRELSZ",
    "PLTREL",
    "VERNEEDNUM",
    "VERDEFNUM",
    "INIT_ARRAYSZ",
    "FINI_ARRAYSZ",
    "PREINIT_ARRAYSZ",
    "RELACOUNT",
];

pub(super) fn describe(file: &OutputFile, places: &Places<'_>, description: &mut Description) {
    tags(file, places, description);
    for symbol in file.dynamic_symbols.iter().skip(1) {
        let name = format!("{}{}", symbol.name, symbol.version);
        if symbol.is_defined() {
            let is_unique = symbol.binding == elf::STB_GNU_UNIQUE;
            let kind = if is_unique { "unique export" } else { "export" };
            symbol_facts(description, kind, &name, symbol);
            description.add(kind, &name, "size", format!("{:#x}", symbol.size));
        } else {
            symbol_facts(description, "import", &name, symbol);
            // Pointers to a function that is imported have the value of the import, if it has one.
            description.add("import", &name, "canonical", (symbol.value != 0).to_string());
        }
    }
    for version in &file.versions {
        let name = match version.kind {
            "need" => format!("{} of {}", version.name, version.file),
            _ => version.name.clone(),
        };
        let kind = if version.kind == "need" { "needed version" } else { "version" };
        description.add(kind, &name, "flags", format!("{:#x}", version.flags));
        description.add(kind, &name, "parent", &version.parent);
    }
}

fn tags(file: &OutputFile, places: &Places<'_>, description: &mut Description) {
    let mut needed = Vec::new();
    for entry in &file.dynamic {
        let tag = entry.tag.as_str();
        match (tag, &entry.text) {
            ("NEEDED", Some(library)) => needed.push(library.as_str()),
            ("FLAGS" | "FLAGS_1", Some(flags)) => {
                for flag in flags.split('|').filter(|flag| !flag.is_empty()) {
                    description.add("tag", tag, "flags", flag);
                }
            }
            (_, Some(text)) => description.add("tag", tag, "value", text),
            ("INIT" | "FINI", None) => {
                description.add("tag", tag, "value", places.name(entry.value));
            }
            (tag, None) if DERIVED.contains(&tag) => {}
            (tag, None) => description.add("tag", tag, "there", "yes"),
        }
    }
    if !needed.is_empty() {
        description.add("tag", "NEEDED", "in order", needed.join(" "));
    }
}
