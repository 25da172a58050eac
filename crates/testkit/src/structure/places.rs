//! Names for addresses: the symbol at the address, a symbol that contains it, or its section.

use crate::output_file::{OutputFile, Section, Symbol};
use object::elf;

/// Symbols that linkers define, at addresses that may have other names, too.
const OF_LINKERS: &[&str] = &[
    "__bss_start",
    "_edata",
    "edata",
    "_end",
    "end",
    "_etext",
    "etext",
    "__etext",
    "_DYNAMIC",
    "_GLOBAL_OFFSET_TABLE_",
    "_PROCEDURE_LINKAGE_TABLE_",
    "__ehdr_start",
    "__executable_start",
    "__GNU_EH_FRAME_HDR",
    "__TMC_END__",
    "__TMC_LIST__",
    "__dso_handle",
    "_TLS_MODULE_BASE_",
    "__data_start",
    "data_start",
    "__FRAME_END__",
    "__abi_tag",
    "_IO_stdin_used",
];

/// A symbol, as a name for its address.
#[derive(Debug)]
struct Place {
    address: u64,
    size: u64,
    section: String,
    /// The least is preferred: symbols of linkers come last, globals before locals.
    rank: (bool, u8, bool),
    name: String,
}

/// Symbols of a file by their address.
#[derive(Debug)]
pub(super) struct Places<'a> {
    /// Sections in memory, by address.
    sections: Vec<&'a Section>,
    memory: Vec<Place>,
    /// For each index of `memory`, the greatest end of the symbols up to this one.
    reach: Vec<u64>,
    thread: Vec<Place>,
}

impl<'a> Places<'a> {
    /// Collects the symbols of .symtab, or of .dynsym where there is no other table.
    pub fn new(file: &'a OutputFile) -> Places<'a> {
        let is_in_memory = |s: &&Section| s.is_alloc() && !s.is_tls_nobits() && s.size > 0;
        let mut sections: Vec<&Section> = file.sections.iter().filter(is_in_memory).collect();
        sections.sort_by_key(|section| section.address);
        let mut places =
            Places { sections, memory: Vec::new(), reach: Vec::new(), thread: Vec::new() };
        for symbol in symbols(file) {
            let is_real = symbol.is_defined()
                && !symbol.name.is_empty()
                && !matches!(symbol.kind, elf::STT_SECTION | elf::STT_FILE)
                && symbol.section_index != u32::from(elf::SHN_ABS)
                && !is_of_mapping(&symbol.name);
            if !is_real {
                continue;
            }
            let list = match symbol.kind {
                elf::STT_TLS => &mut places.thread,
                _ => &mut places.memory,
            };
            // Linkers may write either binding of hidden symbols.
            let is_hidden = matches!(symbol.other & 3, elf::STV_HIDDEN | elf::STV_INTERNAL);
            let is_local = is_hidden || symbol.is_local();
            // A copy of .symtab has the version in the name.
            let name = symbol.name.split('@').next().unwrap_or_default().to_owned();
            list.push(Place {
                address: symbol.value,
                size: symbol.size,
                section: symbol.section.clone(),
                rank: (is_of_linker(&name), u8::from(is_local), symbol.size == 0),
                name,
            });
        }
        let order = |p: &Place| (p.address, p.rank, p.name.clone());
        places.memory.sort_by_key(order);
        places.thread.sort_by_key(order);
        let mut farthest = 0;
        for place in &places.memory {
            farthest = farthest.max(place.address.saturating_add(place.size));
            places.reach.push(farthest);
        }
        places
    }

    /// A name for `address`: symbol and offset, or section and offset.
    pub fn name(&self, address: u64) -> String {
        if address == 0 {
            return "0".to_owned();
        }
        let first = self.memory.partition_point(|p| p.address < address);
        if let Some(place) = self.memory.get(first).filter(|p| p.address == address && !p.rank.0) {
            return place.name.clone();
        }
        let section = self.section(address).map_or("", |s| s.name.as_str());
        if section.is_empty() {
            let after = self.memory.get(first).filter(|p| p.address == address);
            return after.map_or_else(|| "outside".to_owned(), |p| p.name.clone());
        }
        match self.object_around(address, section) {
            Some(name) => name,
            None => format!("[{section}]"),
        }
    }

    /// Name of the object that `address` is in, and the offset in it: an object with a size, or the
    /// label before.
    pub fn object(&self, address: u64) -> Option<String> {
        let first = self.memory.partition_point(|p| p.address < address);
        if let Some(place) = self.memory.get(first).filter(|p| p.address == address && !p.rank.0) {
            return Some(place.name.clone());
        }
        self.object_around(address, &self.section(address)?.name)
    }

    fn object_around(&self, address: u64, section: &str) -> Option<String> {
        let end = self.memory.partition_point(|p| p.address <= address);
        let is_meant = |p: &&Place| !p.rank.0 && p.section == section;
        let around = (0..end).rev().take_while(|&at| self.reach[at] > address);
        let mut around = around.map(|at| &self.memory[at]).filter(is_meant);
        let label = self.memory[..end].iter().rev().take_while(|p| address - p.address < 64);
        let label = label.filter(is_meant).take(1).find(|p| p.size == 0);
        let place = around.find(|p| address - p.address < p.size).or(label)?;
        // Of several symbols at one address the first is preferred.
        let best = self.memory.partition_point(|p| p.address < place.address);
        Some(format!("{}+{:#x}", self.memory[best].name, address - place.address))
    }

    /// The thread-local variable at `offset` of the block.
    pub fn thread_local(&self, offset: u64) -> String {
        let first = self.thread.partition_point(|p| p.address < offset);
        match self.thread.get(first).filter(|p| p.address == offset) {
            Some(place) => place.name.clone(),
            None => format!("{offset:#x}"),
        }
    }

    fn section(&self, address: u64) -> Option<&Section> {
        let after = self.sections.partition_point(|section| section.address <= address);
        let before = self.sections[..after].last().copied();
        before.filter(|section| address < section.end())
    }
}

/// The symbols of .symtab or, in a file without, .dynsym.
pub(super) fn symbols(file: &OutputFile) -> &[Symbol] {
    if file.symbols.is_empty() { &file.dynamic_symbols } else { &file.symbols }
}

/// Whether it is a mark of AArch64's assemblers for where code or data begins.
fn is_of_mapping(name: &str) -> bool {
    matches!(name.get(..2), Some("$d" | "$x"))
        && matches!(name.as_bytes().get(2), None | Some(b'.'))
}

/// Whether linkers define the name, or the files that compilers add.
pub(super) fn is_of_linker(name: &str) -> bool {
    OF_LINKERS.contains(&name)
        || (name.starts_with("__") && (name.ends_with("_start") || name.ends_with("_end")))
        || name.starts_with("__start_")
        || name.starts_with("__stop_")
}
