//! Describes an output independently of addresses and layout, so that the outputs of two linkers
//! can be compared.
//!
//! [`describe`] makes a [`Description`] of a file: facts about subjects (`export foo`, `section
//! .text`, `tag NEEDED`), each with an attribute and a value. Addresses are replaced by the symbols
//! or sections that they lie in ([`places`]). [`difference`] compares three descriptions, and
//! [`rules`] has the differences that are intended.

pub mod difference;
mod dynamic;
mod image;
mod machine_rules;
mod places;
mod relocatable;
mod relocations;
pub mod rules;
mod startup;
mod unwind;

use crate::output_file::{OutputFile, Symbol};
use difference::Difference;
use object::elf;
use std::collections::BTreeMap;

/// A part of a file about which facts are stated.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    /// The kind of thing: `export`, `section`, `relocation`.
    pub kind: &'static str,
    /// Its name, unique among things of its kind.
    pub name: String,
}

/// All facts of a file: attributes of subjects, each with its values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Description {
    facts: BTreeMap<Subject, BTreeMap<&'static str, Vec<String>>>,
}

impl Description {
    /// Adds a fact. Several values of an attribute of one subject are a multiset.
    fn add(
        &mut self,
        kind: &'static str,
        name: impl Into<String>,
        attribute: &'static str,
        value: impl Into<String>,
    ) {
        let subject = Subject { kind, name: name.into() };
        let values = self.facts.entry(subject).or_default().entry(attribute).or_default();
        let value = value.into();
        let at = values.partition_point(|other| *other < value);
        values.insert(at, value);
    }

    /// Counts `subject` once more as existing.
    fn count(&mut self, kind: &'static str, name: impl Into<String>) {
        let subject = Subject { kind, name: name.into() };
        let times = self.facts.entry(subject).or_default().entry("times").or_default();
        let before = times.pop().and_then(|number| number.parse::<usize>().ok()).unwrap_or(0);
        times.push((before + 1).to_string());
    }

    /// All subjects, by kind and name.
    pub fn subjects(&self) -> impl Iterator<Item = &Subject> {
        self.facts.keys()
    }

    /// Whether there is a fact of `subject`.
    pub fn has(&self, subject: &Subject) -> bool {
        self.facts.contains_key(subject)
    }

    /// The attributes that `subject` has.
    pub fn attributes(&self, subject: &Subject) -> impl Iterator<Item = &'static str> {
        self.facts.get(subject).into_iter().flat_map(|facts| facts.keys().copied())
    }

    /// The value of an attribute; several values are joined. `None` if there is none.
    pub fn value(&self, subject: &Subject, attribute: &str) -> Option<String> {
        Some(self.facts.get(subject)?.get(attribute)?.join("; "))
    }
}

/// The differences of `ours` to GNU ld's output of the same `command` that no rule explains.
pub fn unexplained(command: &str, ours: &OutputFile, gnu: &OutputFile) -> Vec<String> {
    let found = difference::find(&describe(ours), Some(&describe(gnu)), None);
    let is_meant = |one: &Difference| rules::explanation(one, &found, command).is_some();
    found.iter().filter(|one| !is_meant(one)).map(ToString::to_string).collect()
}

/// Collects the facts of `file`.
pub fn describe(file: &OutputFile) -> Description {
    let mut description = Description::default();
    if file.file_type == elf::ET_REL {
        relocatable::describe(file, &mut description);
        return description;
    }
    let places = places::Places::new(file);
    image::describe(file, &places, &mut description);
    dynamic::describe(file, &places, &mut description);
    relocations::describe(file, &places, &mut description);
    startup::describe(file, &places, &mut description);
    unwind::describe(file, &mut description);
    description
}

/// The facts of a symbol that a symbol table states, except its address.
fn symbol_facts(description: &mut Description, kind: &'static str, name: &str, symbol: &Symbol) {
    use crate::elf_names as names;
    description.add(kind, name, "bind", names::symbol_binding(symbol.binding));
    description.add(kind, name, "type", names::symbol_type(symbol.kind));
    description.add(kind, name, "visibility", names::symbol_visibility(symbol.other & 3));
}

#[cfg(test)]
mod tests {
    use super::{Description, describe};
    use crate::output_file::{Dynamic, OutputFile, Relocation, Section, Segment, Symbol};
    use object::elf;

    fn section(name: &str, address: u64, size: u64) -> Section {
        Section {
            name: name.to_owned(),
            kind: elf::SHT_PROGBITS,
            flags: u64::from(elf::SHF_ALLOC | elf::SHF_WRITE),
            address,
            file_offset: address,
            size,
            link: 0,
            info: 0,
            align: 8,
            entry_size: 0,
        }
    }

    fn symbol(name: &str, value: u64, size: u64, section: &str) -> Symbol {
        Symbol {
            name: name.to_owned(),
            value,
            size,
            kind: elf::STT_OBJECT,
            binding: elf::STB_GLOBAL,
            other: 0,
            section_index: u32::from(section != "UND"),
            section: section.to_owned(),
            version: String::new(),
        }
    }

    fn relocation(kind: &str, place: u64, symbol_index: u32, addend: i64) -> Relocation {
        Relocation {
            kind: kind.to_owned(),
            place,
            symbol_index,
            symbol: String::new(),
            addend,
            table: ".rela.dyn".to_owned(),
            section: if place < 0x200 { ".data" } else { ".got" }.to_owned(),
        }
    }

    fn segment(kind: u32, address: u64, size: u64) -> Segment {
        Segment {
            kind,
            flags: elf::PF_R | elf::PF_W,
            file_offset: address,
            address,
            physical_address: address,
            file_size: size,
            memory_size: size,
            align: 8,
        }
    }

    /// A library with `table`, whose second word is the address of its first, and a GOT with two
    /// slots for an import and one for `table`.
    fn library() -> OutputFile {
        let mut data = vec![0; 0x300];
        data[0x208..0x210].copy_from_slice(&0x100_u64.to_le_bytes());
        OutputFile {
            data,
            file_type: elf::ET_DYN,
            sections: vec![
                section(".data", 0x100, 0x20),
                section(".got", 0x200, 0x20),
                section(".rela.dyn", 0x280, 0x20),
            ],
            segments: vec![segment(elf::PT_LOAD, 0, 0x300), segment(elf::PT_GNU_RELRO, 0x200, 32)],
            symbols: vec![symbol("", 0, 0, "UND"), symbol("table", 0x100, 16, ".data")],
            dynamic_symbols: vec![symbol("", 0, 0, "UND"), symbol("import", 0, 0, "UND")],
            dynamic: vec![Dynamic { tag: "FINI".to_owned(), value: 0x118, text: None }],
            relocations: vec![
                relocation("R_X86_64_RELATIVE", 0x108, 0, 0x100),
                relocation("R_X86_64_GLOB_DAT", 0x200, 1, 0),
                relocation("RELR", 0x208, 0, 0),
                relocation("R_X86_64_GLOB_DAT", 0x210, 1, 0),
            ],
            ..OutputFile::default()
        }
    }

    fn value(description: &Description, text: &str) -> Option<String> {
        let mut words = text.splitn(3, ' ');
        let (kind, attribute, name) = (words.next()?, words.next()?, words.next()?);
        let is_asked = |s: &&super::Subject| s.kind == kind && s.name == name;
        description.value(description.subjects().find(is_asked)?, attribute)
    }

    #[test]
    fn addresses_are_names() {
        let description = describe(&library());
        let value = |text| value(&description, text);
        assert_eq!(value("word becomes table+0x8").as_deref(), Some("RELATIVE table"));
        assert_eq!(value("relocation times RELATIVE table").as_deref(), Some("1"), "of RELR");
        assert_eq!(value("relocation times GLOB_DAT import").as_deref(), Some("2"));
        assert_eq!(value("tag value FINI").as_deref(), Some("[.data]"), "behind the table");
        assert_eq!(value("import type import").as_deref(), Some("OBJECT"));
        assert_eq!(value("section relro .got").as_deref(), Some("true"));
        assert_eq!(value("section loaded .data").as_deref(), Some("RW"));
    }

    #[test]
    fn where_things_are_does_not_matter() {
        let mut moved = library();
        moved.data = [vec![0; 0x1000], moved.data].concat();
        moved.data[0x1208..0x1210].copy_from_slice(&0x1100_u64.to_le_bytes());
        for section in &mut moved.sections {
            section.address += 0x1000;
            section.file_offset += 0x1000;
        }
        for segment in &mut moved.segments {
            segment.address += 0x1000;
            segment.file_offset += 0x1000;
        }
        moved.symbols[1].value += 0x1000;
        moved.dynamic[0].value += 0x1000;
        for relocation in &mut moved.relocations {
            relocation.place += 0x1000;
        }
        moved.relocations[0].addend += 0x1000;
        assert_eq!(describe(&moved), describe(&library()));
        moved.relocations[0].addend += 8;
        assert_ne!(describe(&moved), describe(&library()));
    }
}
