//! Checks that an output is complete.
//!
//! A linker that leaves out the symbol table, the debug sections, the build id or the index of
//! unwind tables is faster and not comparable. Each output is checked for the parts that its
//! workload expects, compared with the other linkers' outputs in amounts that should agree, and
//! run.

use super::statistics::median;
use crate::corpus::Expectation;
use object::elf::{
    FileHeader32, FileHeader64, SHF_ALLOC, SHT_DYNSYM, SHT_NOBITS, SHT_SYMTAB, STB_LOCAL, STT_FILE,
    STT_NOTYPE,
};
use object::read::elf::{FileHeader, SectionHeader, Sym};
use object::read::{ReadCache, ReadRef};
use object::{FileKind, LittleEndian};
use std::fs::File;
use std::path::Path;

/// How much less than the median of all linkers an amount may be. Linkers differ in what they
/// relax, fold and align, and in which local symbols they keep.
const TOLERANCE: f64 = 0.7;

/// Maximum fraction of the loaded bytes that remains after folding, which removes a tenth of a
/// large C++ program.
const FOLDED: f64 = 0.97;

/// Differences up to this are ignored: outputs of a few kilobytes differ in a few symbols and in
/// padding.
const SLACK: f64 = 100.0;
const SLACK_BYTES: f64 = 65536.0;

/// An amount that linkers should agree on: its name, how far it may be off, and the amount.
type Amount = (&'static str, f64, fn(&Shape) -> u64);

/// Amounts in an output.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// Bytes of sections that are loaded from the file.
    pub allocated: u64,
    /// Bytes of debug sections, as stored.
    pub debug: u64,
    /// Entries of `.symtab` but for the names of source files and the marks where code and data
    /// begin (mapping symbols of AArch64's ABI), which not every linker keeps.
    pub symbols: u64,
    /// Entries of `.dynsym`.
    pub dynamic_symbols: u64,
    /// Entries of the sorted table in `.eh_frame_hdr`.
    pub unwind_entries: u64,
    /// Bytes of the build id note.
    pub build_id: u64,
    /// Names in the table of symbols of `.gdb_index`.
    pub index_names: u64,
}

impl Shape {
    /// Reads the shape of an ELF file.
    ///
    /// # Errors
    /// When it is not a well-formed little-endian ELF file.
    pub fn of(path: &Path) -> Result<Self, String> {
        let file = File::open(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let data = ReadCache::new(file);
        let shape = match FileKind::parse(&data) {
            Ok(FileKind::Elf32) => Self::read::<FileHeader32<LittleEndian>, _>(&data),
            Ok(_) => Self::read::<FileHeader64<LittleEndian>, _>(&data),
            Err(error) => Err(error),
        };
        shape.map_err(|e| format!("{}: {e}", path.display()))
    }

    fn read<'data, Elf, R>(data: R) -> object::read::Result<Self>
    where
        Elf: FileHeader<Endian = LittleEndian>,
        R: ReadRef<'data>,
    {
        let endian = LittleEndian;
        let header = Elf::parse(data)?;
        let sections = header.sections(endian, data)?;
        let mut shape = Self::default();
        for section in sections.iter() {
            let name = sections.section_name(endian, section)?;
            let size: u64 = section.sh_size(endian).into();
            let flags: u64 = section.sh_flags(endian).into();
            let kind = section.sh_type(endian);
            if flags & u64::from(SHF_ALLOC) != 0 && kind != SHT_NOBITS {
                shape.allocated += size;
            }
            match kind {
                SHT_SYMTAB => {
                    let entries: &[Elf::Sym] = section.data_as_array(endian, data)?;
                    let counted = entries.iter().filter(|&entry| counts::<Elf>(entry));
                    shape.symbols += counted.count() as u64;
                }
                SHT_DYNSYM => shape.dynamic_symbols += size / size_of::<Elf::Sym>() as u64,
                _ => {}
            }
            match name {
                b".note.gnu.build-id" => shape.build_id += size,
                b".eh_frame_hdr" => {
                    // LSB, 10.6.2: version and three encodings, .eh_frame, the number of entries.
                    let table = section.data(endian, data)?;
                    let count = table.get(8..12).and_then(|bytes| bytes.try_into().ok());
                    shape.unwind_entries += u64::from(count.map_or(0, u32::from_le_bytes));
                }
                b".gdb_index" => {
                    let names = names_in_index(section.data(endian, data)?);
                    shape.index_names += names.unwrap_or_default();
                }
                name if name.starts_with(b".debug_") => shape.debug += size,
                _ => {}
            }
        }
        Ok(shape)
    }

    /// The parts that `expects` requires and the output lacks.
    pub fn missing(&self, expects: Expectation) -> Vec<String> {
        let mut missing = Vec::new();
        let mut require = |wanted: bool, found: u64, what: &str| {
            if wanted && found == 0 {
                missing.push(format!("there is no {what}"));
            }
        };
        require(expects.build_id, self.build_id, ".note.gnu.build-id");
        require(expects.eh_frame_hdr, self.unwind_entries, "entry in .eh_frame_hdr");
        require(expects.symtab, self.symbols, "entry in .symtab");
        require(expects.dynsym, self.dynamic_symbols, "entry in .dynsym");
        require(expects.debug, self.debug, "debug section");
        require(expects.gdb_index, self.index_names, "name in .gdb_index");
        if !expects.debug && self.debug != 0 {
            missing.push("debug sections were kept".into());
        }
        missing
    }

    /// Whether functions were folded; `unfolded` is the output without folding.
    pub fn is_folded(&self, unfolded: &Self) -> bool {
        (self.allocated as f64) < unfolded.allocated as f64 * FOLDED
    }

    /// Amounts that are much smaller than the median of all linkers' outputs, which include this
    /// one.
    pub fn smaller_than(&self, all: &[Self]) -> Vec<String> {
        let amounts: [Amount; 6] = [
            ("loaded bytes", SLACK_BYTES, |shape| shape.allocated),
            ("bytes of debug sections", SLACK_BYTES, |shape| shape.debug),
            ("entries in .symtab", SLACK, |shape| shape.symbols),
            ("entries in .dynsym", SLACK, |shape| shape.dynamic_symbols),
            ("entries in .eh_frame_hdr", SLACK, |shape| shape.unwind_entries),
            ("names in .gdb_index", SLACK, |shape| shape.index_names),
        ];
        let mut smaller = Vec::new();
        for (what, slack, amount) in amounts {
            let of_all: Vec<f64> = all.iter().map(|shape| amount(shape) as f64).collect();
            let usual = median(&of_all);
            if (amount(self) as f64) < usual * TOLERANCE - slack {
                smaller.push(format!("only {} {what}, {usual:.0} is usual", amount(self)));
            }
        }
        smaller
    }
}

/// Whether a symbol is one that every linker keeps. Marks are local, without type and size.
fn counts<Elf: FileHeader<Endian = LittleEndian>>(symbol: &Elf::Sym) -> bool {
    let size: u64 = symbol.st_size(LittleEndian).into();
    let is_mark = symbol.st_type() == STT_NOTYPE && symbol.st_bind() == STB_LOCAL && size == 0;
    symbol.st_type() != STT_FILE && !is_mark
}

/// How many slots of the hash table of an index for gdb are taken: GDB's manual, Index Section
/// Format. The table ends where the next part begins, which version 9 has put before the pool.
fn names_in_index(index: &[u8]) -> Option<u64> {
    let word = |at: usize| {
        let bytes = index.get(at * 4..at * 4 + 4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    };
    let table = index.get(word(4)?..word(5)?)?;
    Some(table.chunks_exact(8).filter(|slot| slot.iter().any(|&byte| byte != 0)).count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Expectation = Expectation {
        eh_frame_hdr: true,
        build_id: true,
        symtab: true,
        debug: true,
        dynsym: true,
        folded: false,
        gdb_index: true,
    };

    fn whole() -> Shape {
        Shape {
            allocated: 1 << 20,
            debug: 1 << 21,
            symbols: 5000,
            dynamic_symbols: 5,
            unwind_entries: 2000,
            build_id: 36,
            index_names: 3000,
        }
    }

    #[test]
    fn skipped_work_is_seen() {
        assert!(whole().missing(ALL).is_empty());
        let lazy = Shape { symbols: 0, debug: 0, ..whole() };
        assert_eq!(lazy.missing(ALL).len(), 2);
        assert_eq!(whole().missing(Expectation { debug: false, ..ALL }).len(), 1);
    }

    #[test]
    fn names_of_an_index_are_counted() {
        let mut index: Vec<u8> = [8_u32, 24, 24, 24, 24, 56].map(u32::to_le_bytes).concat();
        index.extend([0_u32, 0, 9, 0, 0, 0, 20, 4].map(u32::to_le_bytes).concat());
        assert_eq!(names_in_index(&index), Some(2));
        assert_eq!(names_in_index(&index[..40]), None);
        let empty = Shape { index_names: 0, ..whole() };
        assert_eq!(empty.missing(ALL), ["there is no name in .gdb_index"]);
    }

    #[test]
    fn half_the_work_is_seen_beside_others() {
        let half = Shape { unwind_entries: 900, ..whole() };
        assert_eq!(half.smaller_than(&[whole(), whole(), half.clone()]).len(), 1);
        assert!(whole().smaller_than(&[whole(), half]).is_empty());
    }

    #[test]
    fn folding_is_seen() {
        let folded = Shape { allocated: whole().allocated * 9 / 10, ..whole() };
        assert!(folded.is_folded(&whole()) && !whole().is_folded(&whole()));
    }

    #[test]
    fn a_file_of_32_bits_has_a_shape() {
        let names = b"\0.symtab\0.names\0\0\0\0";
        // Name, value and size; then type, other and section.
        let symbol = |kind| [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, kind, 0, 0, 0];
        let symbols = [0, STT_FILE, 2, 2].map(symbol).concat();
        let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
        let table = 52 + symbols.len() + names.len();
        let words = [0x0003_0002, 1, 0, 0, table as u32, 0];
        file.extend(words.map(u32::to_le_bytes).concat());
        file.extend([52_u16, 32, 0, 40, 3, 2].map(u16::to_le_bytes).concat());
        file.extend([&symbols[..], names].concat());
        let headers: [[u32; 10]; 3] = [
            [0; 10],
            [1, SHT_SYMTAB, 0, 0, 52, symbols.len() as u32, 2, 1, 4, 16],
            [9, 3, 0, 0, 52 + symbols.len() as u32, names.len() as u32, 0, 0, 1, 0],
        ];
        file.extend(headers.concat().iter().flat_map(|word| word.to_le_bytes()));
        let scratch = crate::scratch::Scratch::new().unwrap();
        let path = scratch.path().join("program");
        std::fs::write(&path, file).unwrap();
        assert_eq!(Shape::of(&path).unwrap().symbols, 2);
    }

    #[test]
    fn this_program_has_a_shape() {
        let shape = Shape::of(&std::env::current_exe().unwrap()).unwrap();
        assert!(shape.symbols > 100 && shape.allocated > 10_000 && shape.unwind_entries > 100);
        assert!(Shape::of(Path::new("/dev/null")).is_err());
    }
}
