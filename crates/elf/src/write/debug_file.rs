//! `--separate-debug-file`: one whole ELF file made into two, the program and what a debugger
//! wants. `--only-keep-debug`: the second alone.
//!
//! As mold divides them, the debug file gets the debug sections, the symbol table with its strings,
//! and the relocations of `--emit-relocs`, which name symbols. It has the headers of all sections,
//! so that section numbers mean the same in both; those of the program are without content there,
//! but for notes: the build id is how debuggers find it. The program has `.gnu_debuglink` with the
//! name and the CRC-32 of the debug file (GDB manual, "Separate Debug Files").

use crate::format::elf::{self, Ehdr, Phdr, Shdr};
use object::elf::{
    PT_GNU_PROPERTY, PT_LOAD, PT_NOTE, PT_PHDR, SHF_ALLOC, SHF_INFO_LINK, SHT_NOBITS, SHT_NOTE,
    SHT_PROGBITS, SHT_REL, SHT_RELA, SHT_STRTAB, SHT_SYMTAB, SHT_SYMTAB_SHNDX,
};
use skald_core::diag::{Error, Result};
use std::ops::Range;
use zerocopy::{FromBytes, IntoBytes};

/// The section that names the debug file.
const LINK: &[u8] = b".gnu_debuglink";

/// So many bytes may be skipped to give notes the same offset as in the whole file.
const NEAR: usize = 4096;
/// Notes are aligned to at most this many bytes.
const NOTE_UNIT: usize = 16;

/// The two files of `--separate-debug-file`.
pub struct Separated {
    /// The stripped output, with `.gnu_debuglink`.
    pub program: Vec<u8>,
    /// Debug sections, and the headers of all others (SHT_NOBITS).
    pub debug: Vec<u8>,
}

/// Divides `elf`, a file that this linker made; `debug_name` is the debug file's, without
/// directory.
///
/// # Errors
/// If there are more sections than a file header counts.
pub fn separate(elf: &[u8], debug_name: &[u8]) -> Result<Separated> {
    let file = whole(elf)?;
    let debug = file.debug();
    let mut crc = flate2::Crc::new();
    crc.update(&debug);
    let mut link = debug_name.to_vec();
    link.resize((debug_name.len() + 1).next_multiple_of(4), 0);
    link.extend_from_slice(&crc.sum().to_le_bytes());
    Ok(Separated { program: file.program(&link), debug })
}

/// The debug file of `elf`, a file that this linker made: `--only-keep-debug`.
///
/// # Errors
/// As of [`separate`].
pub fn only_debug(elf: &[u8]) -> Result<Vec<u8>> {
    Ok(whole(elf)?.debug())
}

fn whole(elf: &[u8]) -> Result<Whole<'_>> {
    let too_many = || Error("debug file: the output has too many sections".to_owned());
    Whole::new(elf).ok_or_else(too_many)
}

/// The ELF file as it would be without the option.
struct Whole<'a> {
    bytes: &'a [u8],
    header: Ehdr,
    segments: &'a [Phdr],
    sections: &'a [Shdr],
    names: &'a [u8],
}

impl<'a> Whole<'a> {
    fn new(bytes: &'a [u8]) -> Option<Whole<'a>> {
        let (header, _) = Ehdr::read_from_prefix(bytes).ok()?;
        let segments = elf::table(bytes, header.e_phoff(), header.e_phnum().into())?;
        let count = u64::from(header.e_shnum());
        let sections: &[Shdr] = elf::table(bytes, header.e_shoff(), count)?;
        let names = sections.get(usize::from(header.e_shstrndx()))?;
        let names = elf::range(bytes, names.sh_offset(), names.sh_size())?;
        Some(Whole { bytes, header, segments, sections, names })
    }

    fn name(&self, section: &Shdr) -> &'a [u8] {
        elf::string(self.names, section.sh_name()).unwrap_or_default()
    }

    fn content(&self, section: &Shdr) -> &'a [u8] {
        let range = elf::range(self.bytes, section.sh_offset(), section.sh_size());
        range.filter(|_| section.sh_type() != SHT_NOBITS).unwrap_or_default()
    }

    fn is_names(&self, index: usize) -> bool {
        index == usize::from(self.header.e_shstrndx())
    }

    /// Whether a section goes to the debug file alone.
    fn is_debug(&self, index: usize) -> bool {
        let section = &self.sections[index];
        if index == 0 || section.sh_flags() & u64::from(SHF_ALLOC) != 0 || self.is_names(index) {
            return false;
        }
        let name = self.name(section);
        let moved = [SHT_SYMTAB, SHT_SYMTAB_SHNDX, SHT_REL, SHT_RELA];
        moved.contains(&section.sh_type())
            || section.sh_type() == SHT_STRTAB && name == b".strtab"
            || name.starts_with(b".debug_")
            || name.starts_with(b".zdebug_")
            || name == b".gdb_index"
    }

    /// The file without debug sections, and with `.gnu_debuglink`, whose content is `link`.
    fn program(&self, link: &[u8]) -> Vec<u8> {
        let kept: Vec<usize> = (0..self.sections.len()).filter(|&at| !self.is_debug(at)).collect();
        let moved = |index: u32| kept.binary_search(&(index as usize)).unwrap_or(0) as u32;
        let mut out = self.bytes[..self.loaded_end()].to_vec();
        let mut names = vec![0];
        let mut headers = Vec::new();
        for &at in kept.iter().filter(|&&at| !self.is_names(at)) {
            let mut header = self.sections[at];
            header.set_sh_name(add_name(&mut names, self.name(&self.sections[at])));
            let flags = header.sh_flags();
            header.set_sh_link(moved(header.sh_link()));
            let is_link = flags & u64::from(SHF_INFO_LINK) != 0
                || [SHT_REL, SHT_RELA].contains(&header.sh_type());
            if is_link {
                header.set_sh_info(moved(header.sh_info()));
            }
            if at != 0 && flags & u64::from(SHF_ALLOC) == 0 {
                append(&mut out, &mut header, self.content(&self.sections[at]));
            }
            headers.push(header);
        }
        let mut header = plain(add_name(&mut names, LINK), SHT_PROGBITS, 4);
        append(&mut out, &mut header, link);
        headers.push(header);
        let mut header = plain(add_name(&mut names, b".shstrtab"), SHT_STRTAB, 1);
        append(&mut out, &mut header, &names);
        headers.push(header);
        let mut elf = self.header;
        elf.set_e_shstrndx(headers.len() as u16 - 1);
        finish(out, elf, &headers)
    }

    /// End of the bytes that the program headers and SHF_ALLOC sections cover.
    fn loaded_end(&self) -> usize {
        let headers = self.header.e_phoff() + size_of_val(self.segments) as u64;
        let segments = self.segments.iter().map(|s| s.p_offset() + s.p_filesz());
        let loaded =
            |s: &&Shdr| s.sh_flags() & u64::from(SHF_ALLOC) != 0 && s.sh_type() != SHT_NOBITS;
        let sections = self.sections.iter().filter(loaded);
        let ends = segments.chain(sections.map(|s| s.sh_offset() + s.sh_size()));
        let end = ends.chain([headers, size_of::<Ehdr>() as u64]).max().unwrap_or(0);
        (end as usize).min(self.bytes.len())
    }

    /// Debug sections, and the headers of the others without content.
    fn debug(&self) -> Vec<u8> {
        let mut elf = self.header;
        elf.set_e_phoff(size_of::<Ehdr>() as u64);
        let mut out = vec![0; size_of::<Ehdr>() + size_of_val(self.segments)];
        let notes = self.copy_notes(&mut out);
        let mut segments = self.segments.to_vec();
        for segment in &mut segments {
            match segment.p_type() {
                PT_PHDR => segment.set_p_offset(elf.e_phoff()),
                PT_NOTE | PT_GNU_PROPERTY => match notes.place(segment.p_offset()) {
                    Some(place) => segment.set_p_offset(place),
                    None => segment.set_p_filesz(0),
                },
                // The first loaded segment keeps the headers and what notes there are behind them.
                PT_LOAD if segment.p_offset() == 0 => {
                    let len = segment.p_filesz().min(out.len() as u64);
                    segment.set_p_filesz(len);
                }
                _ => segment.set_p_filesz(0),
            }
        }
        out[size_of::<Ehdr>()..][..size_of_val(self.segments)].copy_from_slice(segments.as_bytes());
        let mut headers = self.sections.to_vec();
        for (at, header) in headers.iter_mut().enumerate().skip(1) {
            if self.is_debug(at) || self.is_names(at) {
                append(&mut out, header, self.content(&self.sections[at]));
                continue;
            }
            let note = notes.place(header.sh_offset());
            match note.filter(|_| header.sh_type() == SHT_NOTE) {
                Some(place) => header.set_sh_offset(place),
                None => {
                    header.set_sh_type(SHT_NOBITS);
                    header.set_sh_offset(out.len() as u64);
                }
            }
        }
        finish(out, elf, &headers)
    }

    /// Appends the contents of PT_NOTE segments.
    fn copy_notes(&self, out: &mut Vec<u8>) -> Notes {
        let mut notes = Notes(Vec::new());
        for segment in self.segments.iter().filter(|s| s.p_type() == PT_NOTE) {
            let (offset, len) = (segment.p_offset(), segment.p_filesz());
            if notes.place(offset).is_some() {
                continue;
            }
            let Some(bytes) = elf::range(self.bytes, offset, len) else { continue };
            // If a note has the alignment there, it gets it here; in most files its offset does not
            // change.
            let skew = match (offset as usize).checked_sub(out.len()) {
                Some(gap) if gap < NEAR => gap,
                _ => (offset as usize).wrapping_sub(out.len()) % NOTE_UNIT,
            };
            out.resize(out.len() + skew, 0);
            notes.0.push((offset..offset + len, out.len() as u64));
            out.extend_from_slice(bytes);
        }
        notes
    }
}

/// File offsets of notes: range in the whole file, and offset in the debug file.
struct Notes(Vec<(Range<u64>, u64)>);

impl Notes {
    fn place(&self, offset: u64) -> Option<u64> {
        let (range, place) = self.0.iter().find(|(range, _)| range.contains(&offset))?;
        Some(place + (offset - range.start))
    }
}

/// A header of a section that is not loaded.
/// The header of a section without flags.
pub(super) fn plain(name: u32, kind: u32, align: u64) -> Shdr {
    let mut header = Shdr::default();
    header.set_sh_name(name);
    header.set_sh_type(kind);
    header.set_sh_addralign(align);
    header
}

/// Adds a name to a string table; returns its offset there.
pub(super) fn add_name(names: &mut Vec<u8>, name: &[u8]) -> u32 {
    if name.is_empty() {
        return 0;
    }
    let at = names.len() as u32;
    names.extend_from_slice(name);
    names.push(0);
    at
}

/// Appends `content`, aligned as `header` says, and sets `sh_offset` and `sh_size` of `header`.
fn append(out: &mut Vec<u8>, header: &mut Shdr, content: &[u8]) {
    let align = header.sh_addralign().max(1) as usize;
    out.resize(out.len().next_multiple_of(align), 0);
    header.set_sh_offset(out.len() as u64);
    if header.sh_type() != SHT_NOBITS {
        header.set_sh_size(content.len() as u64);
    }
    out.extend_from_slice(content);
}

/// Appends the section headers, and enters them in the file header.
fn finish(mut out: Vec<u8>, mut elf: Ehdr, headers: &[Shdr]) -> Vec<u8> {
    out.resize(out.len().next_multiple_of(8), 0);
    elf.set_e_shoff(out.len() as u64);
    elf.set_e_shnum(headers.len() as u16);
    out.extend_from_slice(headers.as_bytes());
    out[..size_of::<Ehdr>()].copy_from_slice(elf.as_bytes());
    out
}
