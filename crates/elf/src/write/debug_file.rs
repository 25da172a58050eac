//! `--separate-debug-file`: divides the parts of a whole ELF file into two files, the program and
//! the debug file. `--only-keep-debug`: only the debug file.
//!
//! As in mold, the debug file gets the debug sections, the symbol table with its strings, and the
//! relocations of `--emit-relocs`, which name symbols. It has the headers of all sections, so that
//! section numbers mean the same in both; the program's sections have no content there, except for
//! notes: debuggers find the file by the build id. `.gnu_debugaltlink` is in both files, as after
//! `strip -g` and `objcopy --only-keep-debug`: the debug sections refer to the file that it names.
//! The program has `.gnu_debuglink` with the name and the CRC-32 of the debug file (GDB manual,
//! "Separate Debug Files"), which is chosen before the debug file is written
//! ([0032](../../../../docs/decisions/0032-debug-file.md)).
//!
//! The content of a part does not depend on its file offset. So both files are lists of parts of
//! the whole file, at other offsets, and are written in the same way.

use super::content::Writer;
use super::headers::{self, SectionCount};
use super::parts::{Part, PartContent};
use crate::format::elf::{self, Ehdr, Phdr, Shdr};
use crate::format::encoding::Encoding;
use crate::layout::{Synthetic, address_segments};
use object::elf::{
    PT_GNU_PROPERTY, PT_LOAD, PT_NOTE, PT_PHDR, SHF_ALLOC, SHF_INFO_LINK, SHT_NOBITS, SHT_NOTE,
    SHT_PROGBITS, SHT_REL, SHT_RELA, SHT_STRTAB, SHT_SYMTAB, SHT_SYMTAB_SHNDX,
};
use skald_core::ids::IndexRange;
use std::borrow::Cow;
use std::ops::Range;

/// The section that names the debug file.
const LINK: &[u8] = b".gnu_debuglink";
/// The section that names a supplementary file of debug information.
const SUPPLEMENTARY: &[u8] = b".gnu_debugaltlink";

/// This many bytes may be skipped to give notes the same offset as in the whole file.
const NEAR: u64 = 4096;
/// Notes are aligned to at most this many bytes.
const NOTE_UNIT: u64 = 16;

/// Returns the bytes of a range of the whole file, in which these parts begin.
pub type BytesOf<'b> = dyn Fn(Range<u64>, &[Part]) -> Vec<u8> + 'b;

/// A file made of parts of the whole file.
#[derive(Debug, Default)]
pub struct FilePlan {
    /// All parts, by file offset.
    pub parts: Vec<Part>,
    /// Size of the file in bytes, as far as it consists of these parts.
    pub size: u64,
    /// `e_shoff`: offset of the section header table.
    pub section_headers: u64,
}

/// The program, and its end with the name of the debug file. Nothing else in the program depends on
/// file names, so neither does its build id.
#[derive(Debug)]
pub struct Program {
    /// All but the section header table and what follows it.
    pub file: FilePlan,
    /// How they are stored.
    encoding: Encoding,
    /// The section headers, of which `.gnu_debuglink`, the last section, has no size yet.
    headers: Vec<Shdr>,
}

impl Program {
    /// The section header table without the size of `.gnu_debuglink`.
    pub fn headers(&self) -> Cow<'_, [u8]> {
        self.encoding.bytes(&self.headers)
    }

    /// The end of the program: the section header table and the content of `.gnu_debuglink`.
    pub fn end(&self, debug_name: &[u8], crc: u32) -> Vec<u8> {
        let mut link = debug_name.to_vec();
        link.resize((debug_name.len() + 1).next_multiple_of(4), 0);
        link.extend_from_slice(&self.encoding.order.bytes(crc));
        let mut headers = self.headers.clone();
        headers.last_mut().expect("there is that of the link").set_sh_size(link.len() as u64);
        [&*self.encoding.bytes(&headers), &link].concat()
    }

    /// Size in bytes of the end for this name.
    pub fn end_size(&self, debug_name: &[u8]) -> u64 {
        self.end(debug_name, 0).len() as u64
    }
}

/// The ELF file that the link would make without the option.
pub struct Whole<'a> {
    encoding: Encoding,
    parts: &'a [Part],
    header: Ehdr,
    segments: Vec<Phdr>,
    /// All section headers, with the null header.
    sections: Vec<Shdr>,
    /// Content of `.shstrtab`, and the index of its header.
    names: Vec<u8>,
    names_at: usize,
}

impl<'a> Whole<'a> {
    /// The file that `writer` makes of `parts`, which are in order.
    pub fn new(writer: &Writer<'_>, parts: &'a [Part]) -> Whole<'a> {
        let &Writer { image, names: section_names, .. } = writer;
        let encoding = image.encoding();
        let mut header = vec![0; encoding.size::<Ehdr>()];
        writer.file_header(&mut header, 0);
        let mut segments = vec![0; image.segments.len() * encoding.size::<Phdr>()];
        headers::write_program_headers(encoding, &mut segments, image.segments);
        let count = image.outputs.header_count() + 1;
        let mut sections = vec![0; count * encoding.size::<Shdr>()];
        headers::write_section_headers(&mut sections, image.outputs, &section_names.offsets);
        let mut names = zeros(section_names.table.size());
        section_names.table.write(&mut names);
        Whole {
            encoding,
            parts,
            header: encoding.read(&header).expect("of this size"),
            segments: encoding.records(&segments).expect("of this size").into_owned(),
            sections: encoding.records(&sections).expect("of this size").into_owned(),
            names,
            names_at: image.outputs.index_of(Synthetic::ShStrTab) as usize,
        }
    }

    fn name(&self, section: &Shdr) -> &[u8] {
        elf::string(&self.names, section.sh_name()).unwrap_or_default()
    }

    /// The parts that start in a range of the file.
    fn parts_in(&self, range: Range<u64>) -> &'a [Part] {
        let before = |end: u64| self.parts.partition_point(|part| part.file_offset < end);
        &self.parts[before(range.start)..before(range.end).max(before(range.start))]
    }

    /// Whether a section goes to the debug file alone.
    fn is_debug(&self, index: usize) -> bool {
        let section = &self.sections[index];
        if index == 0 || is_loaded(section) || index == self.names_at {
            return false;
        }
        let name = self.name(section);
        let moved = [SHT_SYMTAB, SHT_SYMTAB_SHNDX, SHT_REL, SHT_RELA];
        moved.contains(&section.sh_type())
            || section.sh_type() == SHT_STRTAB && name == b".strtab"
            || is_debug_name(name)
    }

    /// The file without debug sections, and with `.gnu_debuglink`.
    pub fn program(&self) -> Program {
        let kept: Vec<usize> = (0..self.sections.len()).filter(|&at| !self.is_debug(at)).collect();
        let moved = |index: u32| kept.binary_search(&(index as usize)).unwrap_or(0) as u32;
        let mut file = FilePlan::default();
        let is_table = |part: &&Part| part.what == PartContent::SectionHeaders;
        let loaded = self.parts_in(0..self.loaded_end()).iter().filter(|part| !is_table(part));
        file.parts.extend(loaded.cloned());
        let end = file.parts.last().map_or(0, |part| part.file_offset + part.size);
        file.size = end.max(self.loaded_end());
        let mut names = vec![0];
        let mut headers = vec![Shdr::default()];
        for &at in kept.iter().filter(|&&at| at != 0 && at != self.names_at) {
            let mut header = self.sections[at];
            header.set_sh_name(add_name(&mut names, self.name(&self.sections[at])));
            header.set_sh_link(moved(header.sh_link()));
            let is_link = header.sh_flags() & u64::from(SHF_INFO_LINK) != 0
                || [SHT_REL, SHT_RELA].contains(&header.sh_type());
            if is_link {
                header.set_sh_info(moved(header.sh_info()));
            }
            if !is_loaded(&header) {
                self.append(&mut file, &mut header);
            }
            headers.push(header);
        }
        let mut link = plain(add_name(&mut names, LINK), SHT_PROGBITS, 4);
        let mut header = plain(add_name(&mut names, b".shstrtab"), SHT_STRTAB, 1);
        header.set_sh_offset(file.size);
        header.set_sh_size(names.len() as u64);
        file.push(names);
        headers.push(header);
        let count = SectionCount { count: headers.len() + 1, names: headers.len() as u32 - 1 };
        file.align(self.encoding.word_size() as u64);
        file.section_headers = file.size;
        link.set_sh_offset(file.size + (count.count * self.encoding.size::<Shdr>()) as u64);
        headers.push(link);
        let mut elf = self.header;
        count.enter(self.encoding, &mut elf, file.section_headers);
        self.enter_file_header(&mut file, &elf);
        headers[0] = count.null_header();
        Program { encoding: self.encoding, headers, file }
    }

    /// Replaces the file header in the first part of the program.
    fn enter_file_header(&self, file: &mut FilePlan, elf: &Ehdr) {
        let Some(first) = file.parts.first_mut() else { return };
        let mut bytes = self.encoding.bytes(std::slice::from_ref(elf)).into_owned();
        if first.size > bytes.len() as u64 {
            bytes.extend_from_slice(&self.encoding.bytes(&self.segments));
        }
        bytes.resize(first.size as usize, 0);
        first.what = PartContent::Bytes(bytes);
    }

    /// End of the bytes that the program headers and SHF_ALLOC sections cover.
    fn loaded_end(&self) -> u64 {
        let size = self.encoding.size::<Phdr>() * self.segments.len();
        let headers = self.header.e_phoff() + size as u64;
        let segments = self.segments.iter().map(|s| s.p_offset() + s.p_filesz());
        let loaded = |s: &&Shdr| is_loaded(s) && s.sh_type() != SHT_NOBITS;
        let sections = self.sections.iter().filter(loaded);
        let ends = segments.chain(sections.map(|s| s.sh_offset() + s.sh_size()));
        ends.chain([headers, self.encoding.size::<Ehdr>() as u64]).max().unwrap_or(0)
    }

    /// The debug file: debug sections, and the headers of the other sections without content.
    /// `bytes_of` returns the bytes of a range of the whole file.
    pub fn debug(&self, bytes_of: &BytesOf<'_>) -> FilePlan {
        let mut elf = self.header;
        elf.set_e_phoff(self.encoding.size::<Ehdr>() as u64);
        let mut file = FilePlan::default();
        let size = address_segments::header_size(self.encoding, self.segments.len());
        file.push(zeros(size));
        let notes = self.copy_notes(&mut file, bytes_of);
        let segments = self.debug_segments(&notes, elf.e_phoff(), file.size);
        let mut headers = self.sections.clone();
        for (at, header) in headers.iter_mut().enumerate().skip(1) {
            let is_in_both =
                at == self.names_at || !is_loaded(header) && self.name(header) == SUPPLEMENTARY;
            if is_in_both || self.is_debug(at) {
                self.append(&mut file, header);
                continue;
            }
            let note = notes.place(header.sh_offset());
            match note.filter(|_| header.sh_type() == SHT_NOTE) {
                Some(place) => header.set_sh_offset(place),
                None => {
                    header.set_sh_type(SHT_NOBITS);
                    header.set_sh_offset(file.size);
                }
            }
        }
        file.align(self.encoding.word_size() as u64);
        file.section_headers = file.size;
        let count = SectionCount { count: headers.len(), names: self.names_at as u32 };
        count.enter(self.encoding, &mut elf, file.section_headers);
        headers[0] = count.null_header();
        file.push(self.encoding.bytes(&headers).into_owned());
        let own = [self.encoding.bytes(&[elf]), self.encoding.bytes(&segments)].concat();
        file.parts[0].what = PartContent::Bytes(own);
        file
    }

    /// The program headers of the debug file, which stand at `offset`; `end` is where its notes
    /// end.
    fn debug_segments(&self, notes: &Notes, offset: u64, end: u64) -> Vec<Phdr> {
        let mut segments = self.segments.clone();
        for segment in &mut segments {
            match segment.p_type() {
                PT_PHDR => segment.set_p_offset(offset),
                PT_NOTE | PT_GNU_PROPERTY => match notes.place(segment.p_offset()) {
                    Some(place) => segment.set_p_offset(place),
                    None => segment.set_p_filesz(0),
                },
                // The first loaded segment keeps the headers and the notes behind them.
                PT_LOAD if segment.p_offset() == 0 => {
                    segment.set_p_filesz(segment.p_filesz().min(end));
                }
                _ => segment.set_p_filesz(0),
            }
        }
        segments
    }

    /// Appends the contents of PT_NOTE segments.
    fn copy_notes(&self, file: &mut FilePlan, bytes_of: &BytesOf<'_>) -> Notes {
        let mut notes = Notes(Vec::new());
        for segment in self.segments.iter().filter(|s| s.p_type() == PT_NOTE) {
            let (offset, len) = (segment.p_offset(), segment.p_filesz());
            if len == 0 || notes.place(offset).is_some() {
                continue;
            }
            // A note keeps its alignment in the whole file; in most files its offset does not
            // change.
            let skew = match offset.checked_sub(file.size) {
                Some(gap) if gap < NEAR => gap,
                _ => offset.wrapping_sub(file.size) % NOTE_UNIT,
            };
            file.size += skew;
            let range = offset..offset + len;
            notes.0.push((range.clone(), file.size));
            file.push(bytes_of(range.clone(), self.parts_in(range)));
        }
        notes
    }

    /// Appends the content of a section, aligned as `header` says, and sets its `sh_offset`.
    fn append(&self, file: &mut FilePlan, header: &mut Shdr) {
        let start = header.sh_offset();
        let has_bytes = header.sh_type() != SHT_NOBITS;
        let parts = self.parts_in(start..start + if has_bytes { header.sh_size() } else { 0 });
        file.align(header.sh_addralign());
        header.set_sh_offset(file.size);
        let moved = |part: &Part| Part {
            file_offset: part.file_offset - start + file.size,
            ..part.clone()
        };
        let moved: Vec<Part> = parts.iter().map(moved).collect();
        file.parts.extend(moved);
        if has_bytes {
            file.size += header.sh_size();
        }
    }
}

impl FilePlan {
    fn align(&mut self, align: u64) {
        self.size = self.size.next_multiple_of(align.max(1));
    }

    fn push(&mut self, bytes: Vec<u8>) {
        let (file_offset, size) = (self.size, bytes.len() as u64);
        self.size += size;
        let what = PartContent::Bytes(bytes);
        self.parts.push(Part { file_offset, size, what, continues: false });
    }

    /// File offsets of section contents, by the index of the header.
    pub fn section_offsets(&self, encoding: Encoding) -> Vec<u64> {
        let table = self.parts.iter().rfind(|part| part.file_offset == self.section_headers);
        let Some(PartContent::Bytes(bytes)) = table.map(|part| &part.what) else {
            return Vec::new();
        };
        let headers = encoding.records::<Shdr>(bytes).expect("written as such");
        headers.iter().map(Shdr::sh_offset).collect()
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

/// Whether a section of this name that is not loaded goes to the debug file.
pub fn is_debug_name(name: &[u8]) -> bool {
    name.starts_with(b".debug_") || name.starts_with(b".zdebug_") || name == b".gdb_index"
}

/// The bytes of a range of a file, from the parts that begin in it; zeros between parts.
pub fn build_range(writer: &Writer<'_>, range: Range<u64>, parts: &[Part]) -> Vec<u8> {
    let mut bytes = zeros(range.end - range.start);
    for part in parts {
        let start = part.file_offset - range.start;
        let mut own = zeros(part.size);
        writer.fill(part, &mut own);
        let end = (start + part.size).min(bytes.len() as u64);
        bytes[(start..end).wide()].copy_from_slice(&own[(0..end - start).wide()]);
    }
    bytes
}

/// This many zero bytes.
pub(super) fn zeros(size: u64) -> Vec<u8> {
    let size = size as usize;
    vec![0; size]
}

fn is_loaded(section: &Shdr) -> bool {
    section.sh_flags() & u64::from(SHF_ALLOC) != 0
}

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
