//! File header, program headers and section headers.

use crate::args::{Options, OutputKind};
use crate::format::elf::{Ehdr, Phdr, Shdr};
use crate::format::encoding::Encoding;
use crate::layout::{OutputSections, Segment, Synthetic, nature, table_headers};
use object::elf::*;

/// File offset of the program headers.
pub fn program_headers_offset(encoding: Encoding, segments: &[Segment]) -> u64 {
    let header = segments.iter().find(|segment| segment.p_type == PT_PHDR);
    header.map_or(encoding.size::<Ehdr>() as u64, |segment| segment.file_offset)
}

/// `e_type`. A position-independent executable that is given an address of its own, by an option or
/// by a layout script, is ET_EXEC: the kernel loads such a file at that address only. GNU ld does
/// the same, and mold for the option.
pub fn file_type(options: &Options, is_scripted: bool, segments: &[Segment]) -> u16 {
    let loads = segments.iter().filter(|segment| segment.p_type == PT_LOAD);
    let starts_behind_zero = || loads.map(|s| s.address).min().is_some_and(|first| first != 0);
    match options.kind {
        OutputKind::Executable => ET_EXEC,
        OutputKind::Relocatable => ET_REL,
        OutputKind::PieExecutable if options.arrangement.is_fixed => ET_EXEC,
        OutputKind::PieExecutable if is_scripted && starts_behind_zero() => ET_EXEC,
        OutputKind::PieExecutable | OutputKind::Shared => ET_DYN,
    }
}

/// The number of section headers, with the null header, and the index of the one of the names.
/// Numbers that do not fit into the file header are in the null header (gABI chapter 4, "ELF
/// Header").
pub struct SectionCount {
    /// How many section headers there are, with the null header.
    pub count: usize,
    /// Section header index of `.shstrtab`.
    pub names: u32,
}

impl SectionCount {
    const LARGE: usize = SHN_LORESERVE as usize;

    fn of(outputs: &OutputSections) -> SectionCount {
        let count = outputs.header_count() + 1;
        SectionCount { count, names: outputs.index_of(Synthetic::ShStrTab) }
    }

    /// Enters section headers at `offset` in a file header.
    pub fn enter(&self, encoding: Encoding, header: &mut Ehdr, offset: u64) {
        let is_large = self.names as usize >= Self::LARGE;
        header.set_e_shoff(offset);
        header.set_e_shentsize(encoding.size::<Shdr>() as u16);
        header.set_e_shnum(if self.count >= Self::LARGE { 0 } else { self.count as u16 });
        header.set_e_shstrndx(if is_large { SHN_XINDEX } else { self.names as u16 });
    }

    /// Fills the section header table: the null header, and `headers`.
    pub fn write_table(
        &self,
        encoding: Encoding,
        headers: impl Iterator<Item = Shdr>,
        out: &mut [u8],
    ) {
        encoding.fill(out, |table: &mut [Shdr]| {
            let Some((null, table)) = table.split_first_mut() else { return };
            *null = self.null_header();
            table.iter_mut().zip(headers).for_each(|(place, header)| *place = header);
        });
    }

    /// The null header.
    pub fn null_header(&self) -> Shdr {
        let mut null = Shdr::default();
        if self.count >= Self::LARGE {
            null.set_sh_size(self.count as u64);
        }
        if self.names as usize >= Self::LARGE {
            null.set_sh_link(self.names);
        }
        null
    }
}

/// Fills the file header, and the program headers if `out` has room for them.
pub fn write_file_headers(
    out: &mut [u8],
    mut header: Ehdr,
    segments: &[Segment],
    outputs: &OutputSections,
    entry: u64,
    section_headers: u64,
) {
    let encoding = outputs.encoding();
    header.set_e_entry(entry);
    if !segments.is_empty() {
        header.set_e_phoff(program_headers_offset(encoding, segments));
        header.set_e_phentsize(encoding.size::<Phdr>() as u16);
        header.set_e_phnum(segments.len() as u16);
    }
    if section_headers != 0 {
        SectionCount::of(outputs).enter(encoding, &mut header, section_headers);
    }
    let (first, rest) = out.split_at_mut(encoding.size::<Ehdr>());
    encoding.write(&header, first);
    if !rest.is_empty() {
        write_program_headers(encoding, rest, segments);
    }
}

/// Fills the program headers.
pub fn write_program_headers(encoding: Encoding, out: &mut [u8], segments: &[Segment]) {
    let headers = segments.iter().map(program_header);
    encoding.fill(out, |table: &mut [Phdr]| {
        table.iter_mut().zip(headers).for_each(|(place, header)| *place = header);
    });
}

fn program_header(segment: &Segment) -> Phdr {
    let mut header = Phdr::default();
    header.set_p_type(segment.p_type);
    header.set_p_flags(segment.p_flags);
    header.set_p_offset(segment.file_offset);
    header.set_p_vaddr(segment.address);
    header.set_p_paddr(segment.physical_address);
    header.set_p_filesz(segment.file_size);
    header.set_p_memsz(segment.memory_size);
    header.set_p_align(segment.align);
    header
}

/// Fills the section header table. `names` are `sh_name` by position of the output section.
pub fn write_section_headers(out: &mut [u8], outputs: &OutputSections, names: &[u32]) {
    // Sections of relocations, which may be many, all refer to one table.
    let mut last = None;
    let mut link_to = |which| match last {
        Some((table, index)) if table == which => index,
        _ => last.insert((which, table_headers::link_to(outputs, which))).1,
    };
    let headers = outputs.heads.iter().zip(names).map(|(head, &name)| {
        let parts = &outputs.sections[head.parts.clone()];
        let section = &parts[0];
        let mut header = Shdr::default();
        header.set_sh_name(name);
        header.set_sh_type(section.sh_type);
        header.set_sh_flags(section.sh_flags | nature::flags_by_name(parts));
        header.set_sh_addr(head.address);
        header.set_sh_offset(head.file_offset);
        header.set_sh_size(head.size);
        header.set_sh_info(section.info);
        if let Some(which) = section.link {
            header.set_sh_link(link_to(which));
        } else if let Some(out) = section.linked_to {
            header.set_sh_link(outputs.header_index_of_id(out));
        }
        header.set_sh_addralign(head.align);
        header.set_sh_entsize(section.entsize);
        header
    });
    SectionCount::of(outputs).write_table(outputs.encoding(), headers, out);
}
