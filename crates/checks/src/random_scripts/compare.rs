//! Compares two outputs by facts about sections, bytes, symbols and program headers.

use crate::Result;
use object::elf;
use skald_testkit::elf_names as names;
use skald_testkit::output_file::{OutputFile, Section, Segment};
use std::collections::BTreeMap;
use std::path::Path;

/// The section with skald's version, which exists even if no input has such a section; no object
/// has one.
pub const VERSION_SECTION: &str = ".comment";

/// Facts about an output.
pub struct Facts {
    /// Value by kind, object and attribute.
    facts: BTreeMap<[String; 3], String>,
    /// Bytes of each section by number and name, where the file has them.
    bytes: BTreeMap<String, Vec<u8>>,
    /// Keys of sections with instructions.
    code: Vec<String>,
    padding: Padding,
    /// A thread-local NOBITS section stands before a thread-local section with bytes.
    pub has_zeros_first: bool,
}

/// What fills the gaps of code in skald's output.
#[derive(Debug, Clone, Copy)]
enum Padding {
    /// Nothing of its own.
    Zeros,
    /// Instructions of one byte: a trap, and one that does nothing. GNU ld has longer ones.
    Bytes([u8; 2]),
    /// An instruction of four bytes that does nothing. GNU ld has zeros.
    Word([u8; 4]),
}

impl Padding {
    /// Whether byte `at` of `ours` is padding where GNU ld has something else.
    fn is_at(self, at: usize, ours: &[u8], theirs: &[u8]) -> bool {
        match self {
            Padding::Zeros => false,
            Padding::Bytes(bytes) => bytes.contains(&ours[at]),
            // Words end where the gap does, so they may begin anywhere.
            Padding::Word(word) => (at.saturating_sub(3)..=at).any(|start| {
                let part = start..start + 4;
                ours.get(part.clone()) == Some(&word) && theirs.get(part) == Some(&[0; 4])
            }),
        }
    }
}

/// A difference between the outputs of the two linkers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// `section`, `symbol`, `segment`, `bytes` or `link`.
    pub kind: String,
    /// Name of the section or symbol, number of the program header.
    pub object: String,
    /// What differs.
    pub attribute: String,
    /// Value in skald's output.
    pub ours: String,
    /// Value in GNU ld's output.
    pub theirs: String,
}

impl Difference {
    /// Kind and attribute, which a smaller script must reproduce.
    pub fn signature(&self) -> (&str, &str) {
        (&self.kind, &self.attribute)
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Difference { kind, object, attribute, ours, theirs } = self;
        write!(f, "{kind} {object}: {attribute}: skald {ours}, GNU ld {theirs}")
    }
}

/// Reads the facts about the output at `path`.
pub fn read(path: &Path) -> Result<Facts> {
    let file = OutputFile::read(path)?;
    let is_thread_local = |section: &&Section| section.flags & u64::from(elf::SHF_TLS) != 0;
    let mut behind_zeros =
        file.sections.iter().filter(is_thread_local).skip_while(|s| !s.is_tls_nobits());
    let has_zeros_first = behind_zeros.any(|section| !section.is_tls_nobits());
    let (facts, bytes) = (BTreeMap::new(), BTreeMap::new());
    let padding = match file.machine {
        elf::EM_AARCH64 => Padding::Word([0x1f, 0x20, 0x03, 0xd5]),
        elf::EM_RISCV => Padding::Word([0x13, 0, 0, 0]),
        _ => Padding::Bytes([0xcc, 0x90]),
    };
    let mut facts = Facts { facts, bytes, code: Vec::new(), padding, has_zeros_first };
    facts.add("link", "output", "entry", format!("{:#x}", file.entry));
    facts.sections(&file);
    facts.symbols(&file);
    facts.segments(&file);
    Ok(facts)
}

impl Facts {
    fn fact(&self, key: [&str; 3]) -> Option<&String> {
        self.facts.get(&key.map(str::to_owned))
    }
}

fn is_of_linker(section: &Section) -> bool {
    [".symtab", ".strtab", ".shstrtab"].contains(&&section.name[..])
}

impl Facts {
    fn add(&mut self, kind: &str, object: &str, attribute: &str, value: String) {
        let key = [kind.to_owned(), object.to_owned(), attribute.to_owned()];
        self.facts.insert(key, value);
    }

    fn sections(&mut self, file: &OutputFile) {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let mut order = Vec::new();
        for section in file.sections.iter().filter(|s| s.kind != elf::SHT_NULL) {
            if is_of_linker(section) {
                continue;
            }
            let number = seen.entry(&section.name).or_default();
            *number += 1;
            let key = match *number {
                1 => section.name.clone(),
                number => format!("{}#{number}", section.name),
            };
            if section.name != VERSION_SECTION {
                order.push(key.clone());
            }
            self.add("section", &key, "type", names::section_type(section.kind));
            self.add("section", &key, "flags", names::section_flags(section.flags));
            self.add("section", &key, "address", format!("{:#x}", section.address));
            self.add("section", &key, "size", format!("{:#x}", section.size));
            self.add("section", &key, "align", section.align.to_string());
            self.add("section", &key, "entsize", section.entry_size.to_string());
            self.add("section", &key, "load address", load_address(file, section));
            let start = section.file_offset as usize;
            let end = start.saturating_add(section.size as usize);
            if section.is_in_file()
                && let Some(bytes) = file.data.get(start..end)
            {
                self.bytes.insert(key.clone(), bytes.to_vec());
            }
            if section.flags & u64::from(elf::SHF_EXECINSTR) != 0 {
                self.code.push(key);
            }
        }
        self.add("section", "all", "order", order.join(" "));
    }

    fn symbols(&mut self, file: &OutputFile) {
        for symbol in &file.symbols {
            let is_skipped = matches!(symbol.kind, elf::STT_FILE | elf::STT_SECTION);
            if is_skipped || symbol.name.is_empty() {
                continue;
            }
            let name = &symbol.name;
            self.add("symbol", name, "value", format!("{:#x}", symbol.value));
            self.add("symbol", name, "section", symbol.section.clone());
            self.add("symbol", name, "size", symbol.size.to_string());
            self.add("symbol", name, "type", symbol.kind.to_string());
            // Hidden symbols of a program are local in skald's and lld's outputs, and local or
            // global in GNU ld's: nothing that uses the program can tell.
            let visibility = symbol.other & 3;
            if symbol.binding == elf::STB_LOCAL || visibility == elf::STV_HIDDEN {
                self.add("symbol", name, "binding", "own".to_owned())
            } else {
                self.add("symbol", name, "binding", symbol.binding.to_string());
                self.add("symbol", name, "visibility", visibility.to_string());
            }
        }
    }

    fn segments(&mut self, file: &OutputFile) {
        // GNU ld makes some PT_LOADs of empty sections, which load nothing.
        let is_real = |segment: &&Segment| segment.kind != elf::PT_LOAD || segment.memory_size != 0;
        let mut segments: Vec<&Segment> = file.segments.iter().filter(is_real).collect();
        // GNU ld has those of the machine first, lld last; nobody looks at their place.
        segments.sort_by_key(|segment| (elf::PT_LOPROC..=elf::PT_HIPROC).contains(&segment.kind));
        let kinds: Vec<String> =
            segments.iter().map(|segment| names::segment_type(segment.kind)).collect();
        self.add("segment", "all", "types", kinds.join(" "));
        for (at, segment) in segments.into_iter().enumerate() {
            let at = &format!("{at} {}", kinds[at]);
            self.add("segment", at, "flags", names::segment_flags(segment.flags));
            self.add("segment", at, "address", format!("{:#x}", segment.address));
            self.add("segment", at, "load address", format!("{:#x}", segment.physical_address));
            self.add("segment", at, "file size", format!("{:#x}", segment.file_size));
            self.add("segment", at, "memory size", format!("{:#x}", segment.memory_size));
            self.add("segment", at, "align", format!("{:#x}", segment.align));
        }
    }
}

/// The load address that the program headers give a section.
fn load_address(file: &OutputFile, section: &Section) -> String {
    if !section.is_alloc() || section.size == 0 || section.is_tls_nobits() {
        return "none".to_owned();
    }
    let mut loads = file.segments.iter().filter(|segment| segment.kind == elf::PT_LOAD);
    let load = loads.find(|segment| segment.holds(section.address, section.size));
    load.map_or_else(
        || "none".to_owned(),
        |load| {
            let distance = section.address.wrapping_sub(load.address);
            format!("{:#x}", load.physical_address.wrapping_add(distance))
        },
    )
}

/// All differences of two outputs.
pub fn differences(ours: &Facts, theirs: &Facts) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut keys: Vec<&[String; 3]> = ours.facts.keys().chain(theirs.facts.keys()).collect();
    keys.sort();
    keys.dedup();
    let missing = "nothing".to_owned();
    let (ours_facts, theirs_facts) = (ours, theirs);
    for key in keys {
        let value = |facts: &Facts| facts.facts.get(key).unwrap_or(&missing).clone();
        let (ours, theirs) = (value(ours), value(theirs));
        if ours != theirs {
            let [kind, object, mut attribute] = key.clone();
            let is_hollow = |name: &str| {
                let own_size = ours_facts.fact(["section", name, "size"]);
                own_size.is_some_and(|size| size == "0x0")
                    && theirs_facts.fact(["section", name, "size"]).is_none()
            };
            match (&*kind, &*attribute) {
                ("section", _) if is_hollow(&object) => attribute = "empty".to_owned(),
                ("symbol", _)
                    if ours_facts
                        .fact(["symbol", &object, "section"])
                        .is_some_and(|section| is_hollow(section)) =>
                {
                    attribute = "empty section".to_owned();
                }
                _ => {}
            }
            differences.push(Difference { kind, object, attribute, ours, theirs });
        }
    }
    for (key, own) in &ours.bytes {
        let Some(other) = theirs.bytes.get(key) else { continue };
        let padding = if ours.code.contains(key) { ours.padding } else { Padding::Zeros };
        if let Some(difference) = bytes(key, own, other, padding) {
            differences.push(difference);
        }
    }
    differences
}

/// The first byte of a section that differs. In code, the attribute is another if the byte is
/// padding.
fn bytes(key: &str, ours: &[u8], theirs: &[u8], padding: Padding) -> Option<Difference> {
    let is_padding = |&(at, _): &(usize, (&u8, &u8))| padding.is_at(at, ours, theirs);
    let pairs = || ours.iter().zip(theirs).enumerate().filter(|(_, (a, b))| a != b);
    let first = pairs().find(|pair| !is_padding(pair));
    let attribute = match first {
        None => "padding",
        Some(_) if pairs().all(|pair| is_padding(&pair) || *pair.1.1 == 0) => "unfilled",
        Some(_) => "content",
    };
    let (at, (own, other)) = first.or_else(|| pairs().next())?;
    Some(Difference {
        kind: "bytes".to_owned(),
        object: format!("{key}+{at:#x}"),
        attribute: attribute.to_owned(),
        ours: format!("{own:#04x}"),
        theirs: format!("{other:#04x}"),
    })
}

#[cfg(test)]
mod tests {
    use super::{Padding, bytes};

    #[test]
    fn padding_of_four_bytes_is_a_whole_instruction() {
        let padding = Padding::Word([1, 2, 3, 4]);
        let attribute = |ours: &[u8], theirs: &[u8]| {
            bytes(".text", ours, theirs, padding).map(|difference| difference.attribute)
        };
        assert_eq!(attribute(&[9, 0, 1, 2, 3, 4], &[9, 0, 0, 0, 0, 0]).unwrap(), "padding");
        assert_eq!(attribute(&[9, 0, 0, 2, 3, 4], &[9, 0, 0, 0, 0, 0]).unwrap(), "unfilled");
        assert_eq!(attribute(&[9, 2, 9, 9, 9, 9], &[9, 1, 9, 9, 9, 9]).unwrap(), "content");
        assert_eq!(attribute(&[1, 2, 3, 4], &[5, 6, 7, 8]).unwrap(), "content");
    }
}
