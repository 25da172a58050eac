//! `--oformat`: the memory image in formats that are not ELF, converted from a whole ELF file.
//!
//! As with GNU ld, addresses are those of the same link with ELF output; only the headers, and
//! sections that are not loaded, are left out. The records are those that `objcopy -O` writes, byte
//! by byte:
//!
//! - binary: from the lowest to the highest loaded byte, zeros where nothing is;
//! - srec: Motorola S-records of up to 16 bytes, of the shortest kind whose addresses suffice;
//!   symbolsrec has the symbols before them, by their load addresses;
//! - ihex: Intel hexadecimal records;
//! - verilog: bytes in hexadecimal digits for `$readmemh`.
//!
//! S-records and Intel's have 32 bits for an address. A start address that needs more is truncated,
//! as by GNU ld: the processor that jumps there does not run with that mapping.

use crate::args::OutputFormat;
use crate::format::elf::{Ehdr, Phdr, Shdr, Sym};
use crate::format::encoding::Encoding;
use object::elf::{PT_LOAD, SHF_ALLOC, SHN_UNDEF, SHT_NOBITS, SHT_SYMTAB, STT_FILE, STT_SECTION};
use skald_core::diag::{Error, Result};
use std::fmt::Write as _;

/// Data bytes of a record.
const RECORD: usize = 16;
/// S-records contain this many bytes of the output's name.
const NAME_MAX: usize = 40;

/// A file in another format: runs of bytes, with zeros between them.
pub struct ImageFile<'a> {
    /// Bytes by their offset in the file, ascending.
    pub runs: Vec<(u64, std::borrow::Cow<'a, [u8]>)>,
    /// Bytes of the file, with the zeros between `runs`.
    pub size: u64,
}

/// A loaded section: the address where a loader puts it (LMA), and its bytes.
type Loaded<'a> = (u64, &'a [u8]);

/// Converts `elf`, a file that this linker made, to `format`; `name` is that of the output.
///
/// Fails if the format cannot represent an address.
pub fn convert<'a>(elf: &'a [u8], format: OutputFormat, name: &str) -> Result<ImageFile<'a>> {
    let file = ElfFile::new(elf);
    let loaded = file.loaded();
    let start = file.header.e_entry();
    check_overlaps(&loaded)?;
    let text = match format {
        OutputFormat::Elf | OutputFormat::Binary => return Ok(binary(loaded)),
        OutputFormat::Srec => srec(&loaded, start, name)?,
        OutputFormat::SymbolSrec => file.symbols(name) + &srec(&loaded, start, name)?,
        OutputFormat::Ihex => ihex(&loaded, start)?,
        OutputFormat::Verilog => verilog(&loaded),
    };
    let size = text.len() as u64;
    Ok(ImageFile { runs: vec![(0, text.into_bytes().into())], size })
}

/// The section and program headers of a file that is known to be well-formed.
struct ElfFile<'a> {
    encoding: Encoding,
    bytes: &'a [u8],
    header: Ehdr,
    sections: Vec<Shdr>,
}

impl<'a> ElfFile<'a> {
    fn new(bytes: &'a [u8]) -> ElfFile<'a> {
        let encoding = Encoding::of_file(bytes).expect("it has a header");
        let header: Ehdr = encoding.read(bytes).expect("it has a header");
        let table = &bytes[header.e_shoff() as usize..];
        // If there are more sections than `e_shnum` can count, the null section header has the
        // number.
        let first = encoding.read(table).map(|first: Shdr| first.sh_size());
        let count = match header.e_shnum() {
            0 => first.unwrap_or(0) as usize,
            count => usize::from(count),
        };
        let entries = table.chunks_exact(encoding.size::<Shdr>()).take(count);
        let sections = entries.filter_map(|entry| encoding.read(entry)).collect();
        ElfFile { encoding, bytes, header, sections }
    }

    fn content(&self, section: &Shdr) -> &'a [u8] {
        let start = section.sh_offset() as usize;
        &self.bytes[start..start + section.sh_size() as usize]
    }

    /// The address where a loader puts a section (LMA): from `p_paddr` of its segment.
    fn load_address(&self, section: &Shdr) -> u64 {
        let headers = &self.bytes[self.header.e_phoff() as usize..];
        let headers = headers.chunks_exact(self.encoding.size::<Phdr>());
        let headers = headers.take(self.header.e_phnum().into());
        let mut loads = headers.filter_map(|entry| self.encoding.read::<Phdr>(entry));
        let holds = |load: &Phdr| {
            load.p_type() == PT_LOAD
                && section.sh_offset() >= load.p_offset()
                && section.sh_addr() >= load.p_vaddr()
                && section.sh_addr() - load.p_vaddr() < load.p_memsz()
                // Sections of an overlay have one address and are in several segments.
                && (section.sh_type() == SHT_NOBITS
                    || section.sh_offset() - load.p_offset() < load.p_filesz())
        };
        let load = loads.find(holds);
        let shift = load.map_or(0, |load| load.p_paddr().wrapping_sub(load.p_vaddr()));
        section.sh_addr().wrapping_add(shift)
    }

    /// Sections of SHF_ALLOC with content, by load address.
    fn loaded(&self) -> Vec<Loaded<'a>> {
        let is_loaded = |section: &&Shdr| {
            section.sh_flags() & u64::from(SHF_ALLOC) != 0
                && section.sh_type() != SHT_NOBITS
                && section.sh_size() != 0
        };
        let sections = self.sections.iter().filter(is_loaded);
        let mut loaded: Vec<_> =
            sections.map(|section| (self.load_address(section), self.content(section))).collect();
        loaded.sort_by_key(|&(address, _)| address);
        loaded
    }

    /// The load address of a symbol.
    fn loaded_symbol(&self, symbol: &Sym) -> u64 {
        let home = self.sections.get(usize::from(symbol.st_shndx()));
        let home = home.filter(|home| home.sh_flags() & u64::from(SHF_ALLOC) != 0);
        let shift = home.map_or(0, |home| self.load_address(home).wrapping_sub(home.sh_addr()));
        symbol.st_value().wrapping_add(shift)
    }

    /// The symbols of `symbolsrec`, one on each line, without those that only debuggers and the
    /// linker use.
    fn symbols(&self, name: &str) -> String {
        let mut text = format!("$$ {name}\r\n");
        for table in self.sections.iter().filter(|s| s.sh_type() == SHT_SYMTAB) {
            let names = self.content(&self.sections[table.sh_link() as usize]);
            for entry in self.content(table).chunks_exact(self.encoding.size::<Sym>()).skip(1) {
                let Some(symbol) = self.encoding.read::<Sym>(entry) else { continue };
                let spelled = &names[symbol.st_name() as usize..];
                let spelled = &spelled[..spelled.iter().position(|&b| b == 0).unwrap_or(0)];
                let is_shown = !matches!(symbol.st_info() & 15, STT_FILE | STT_SECTION)
                    && symbol.st_shndx() != SHN_UNDEF
                    && !spelled.starts_with(b".L");
                if is_shown {
                    let spelled = String::from_utf8_lossy(spelled);
                    let _ = write!(text, "  {spelled} ${:x}\r\n", self.loaded_symbol(&symbol));
                }
            }
        }
        text + "$$ \r\n"
    }
}

fn binary(loaded: Vec<Loaded<'_>>) -> ImageFile<'_> {
    let first = loaded.first().map_or(0, |&(address, _)| address);
    let runs: Vec<_> =
        loaded.into_iter().map(|(address, bytes)| (address - first, bytes.into())).collect();
    let end =
        |&(offset, ref bytes): &(u64, std::borrow::Cow<'_, [u8]>)| offset + bytes.len() as u64;
    let size = runs.iter().map(end).max().unwrap_or(0);
    ImageFile { runs, size }
}

/// The sections at addresses of 32 bits, as a format has them. Kernels in the upper half of the
/// address space have the same addresses for a loader of 32 bits; it is an error if more than sign
/// bits are lost.
fn in_32_bits<'a>(loaded: &[Loaded<'a>], format: &str) -> Result<Vec<Loaded<'a>>> {
    let cut = |&(address, bytes): &Loaded<'a>| {
        let last = address.wrapping_add(bytes.len() as u64 - 1);
        let is_said =
            |address: u64| u32::try_from(address).is_ok() || i32::try_from(address as i64).is_ok();
        if is_said(address) && is_said(last) && address <= last {
            Ok((u64::from(address as u32), bytes))
        } else {
            Err(Error(format!("--oformat={format}: no room for the address {last:#x}")))
        }
    };
    let mut cut = loaded.iter().map(cut).collect::<Result<Vec<_>>>()?;
    cut.sort_by_key(|&(address, _)| address);
    check_overlaps(&cut)?;
    Ok(cut)
}

/// Fails if two sections overlap.
fn check_overlaps(loaded: &[Loaded<'_>]) -> Result<()> {
    let overlapping = loaded.windows(2).find(|pair| pair[1].0 - pair[0].0 < pair[0].1.len() as u64);
    match overlapping {
        Some([_, (address, _)]) => {
            Err(Error(format!("--oformat: two sections are at {address:#x}")))
        }
        _ => Ok(()),
    }
}

fn srec(loaded: &[Loaded<'_>], start: u64, name: &str) -> Result<String> {
    let loaded = in_32_bits(loaded, "srec")?;
    let last = loaded.iter().map(|&(address, bytes)| address + (bytes.len() as u64 - 1)).max();
    let (kind, address_bytes) = match last.unwrap_or(0) {
        0..=0xffff => (1, 2),
        0x1_0000..=0xff_ffff => (2, 3),
        _ => (3, 4),
    };
    let mut text = String::new();
    let shown = &name.as_bytes()[..name.len().min(NAME_MAX)];
    srec_record(&mut text, 0, 0, 2, shown);
    for (address, bytes) in loaded {
        for (at, chunk) in bytes.chunks(RECORD).enumerate() {
            srec_record(&mut text, kind, address + (at * RECORD) as u64, address_bytes, chunk);
        }
    }
    srec_record(&mut text, 10 - kind, start, address_bytes, &[]);
    Ok(text)
}

fn srec_record(text: &mut String, kind: u8, address: u64, address_bytes: usize, data: &[u8]) {
    let mut record = vec![(address_bytes + data.len() + 1) as u8];
    record.extend_from_slice(&address.to_be_bytes()[8 - address_bytes..]);
    record.extend_from_slice(data);
    let sum = record.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
    record.push(!sum);
    let _ = write!(text, "S{kind}");
    hexadecimal(text, &record);
    text.push_str("\r\n");
}

/// Records have 16 bits of address; a record in front gives the base to add, in paragraphs below 1
/// MiB (type 2), and as the upper half above that (type 4).
fn ihex(loaded: &[Loaded<'_>], start: u64) -> Result<String> {
    let loaded = in_32_bits(loaded, "ihex")?;
    let mut text = String::new();
    let (mut segment, mut upper) = (0u64, 0u64);
    for (address, bytes) in loaded {
        let (mut at, mut rest) = (address, bytes);
        while !rest.is_empty() {
            if at > segment + upper + 0xffff {
                if at <= 0xf_ffff {
                    segment = at & 0xf_0000;
                    ihex_record(&mut text, 2, 0, &((segment >> 4) as u16).to_be_bytes());
                } else {
                    if segment != 0 {
                        segment = 0;
                        ihex_record(&mut text, 2, 0, &[0, 0]);
                    }
                    upper = at & 0xffff_0000;
                    ihex_record(&mut text, 4, 0, &((upper >> 16) as u16).to_be_bytes());
                }
            }
            let offset = at - segment - upper;
            let length = rest.len().min(RECORD).min((0x1_0000 - offset) as usize);
            ihex_record(&mut text, 0, offset as u16, &rest[..length]);
            rest = &rest[length..];
            at += length as u64;
        }
    }
    match start {
        0 => {}
        1..=0xf_ffff => {
            let [low, high] = [start as u16, ((start & 0xf_0000) >> 4) as u16];
            ihex_record(&mut text, 3, 0, &[high.to_be_bytes(), low.to_be_bytes()].concat());
        }
        _ => ihex_record(&mut text, 5, 0, &(start as u32).to_be_bytes()),
    }
    ihex_record(&mut text, 1, 0, &[]);
    Ok(text)
}

fn ihex_record(text: &mut String, kind: u8, offset: u16, data: &[u8]) {
    let mut record = vec![data.len() as u8];
    record.extend_from_slice(&offset.to_be_bytes());
    record.push(kind);
    record.extend_from_slice(data);
    let sum = record.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
    record.push(sum.wrapping_neg());
    text.push(':');
    hexadecimal(text, &record);
    text.push_str("\r\n");
}

fn verilog(loaded: &[Loaded<'_>]) -> String {
    let mut text = String::new();
    for &(address, bytes) in loaded {
        let _ = write!(text, "@{address:08X}\r\n");
        for line in bytes.chunks(RECORD) {
            for (at, byte) in line.iter().enumerate() {
                let _ = write!(text, "{}{byte:02X}", if at == 0 { "" } else { " " });
            }
            text.push_str("\r\n");
        }
    }
    text
}

fn hexadecimal(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(text, "{byte:02X}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_spans_what_is_loaded() {
        let file = binary(vec![(0x1000, b"ab"), (0x1010, b"c")]);
        let offsets: Vec<u64> = file.runs.iter().map(|run| run.0).collect();
        assert_eq!((offsets, file.size), (vec![0, 0x10], 0x11));
        assert_eq!(binary(Vec::new()).size, 0);
    }

    #[test]
    fn records_that_cross_64_kib_are_cut() {
        let text = ihex(&[(0x1_fffe, b"abcd")], 0).unwrap();
        let expected = ":020000021000EC\r\n:02FFFE0061623E\r\n:020000022000DC\r\n:02000000636437\r\n\
                        :00000001FF\r\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn addresses_that_do_not_fit_are_errors() {
        assert!(ihex(&[(0xffff_ffff, b"a")], 0).is_ok());
        assert!(ihex(&[(0xffff_ffff, b"ab")], 0).is_err());
        assert!(srec(&[(1 << 40, b"a")], 0, "x").is_err());
        assert!(srec(&[(1, b"a")], 1 << 40, "x").is_ok());
        assert!(ihex(&[(0xffff_ffff_8000_0000, b"a")], 0).is_ok());
        assert!(ihex(&[(0x8000_0000, b"a"), (0xffff_ffff_8000_0000, b"b")], 0).is_err());
    }
}
