//! File header, program headers and section headers.

use crate::args::{Options, OutputKind};
use crate::format::elf::{Ehdr, Phdr, Shdr};
use crate::layout::{OutputSections, Segment, Synthetic};
use object::elf::*;
use zerocopy::IntoBytes;

/// File offset of the program headers.
pub fn program_headers_offset(segments: &[Segment]) -> u64 {
    let header = segments.iter().find(|segment| segment.p_type == PT_PHDR);
    header.map_or(size_of::<Ehdr>() as u64, |segment| segment.file_offset)
}

/// The type in the file header. A position-independent executable at an address of its own is a
/// file that the kernel puts there and nowhere else, as GNU ld and mold make it.
pub fn file_type(options: &Options) -> u16 {
    match options.kind {
        OutputKind::Executable => ET_EXEC,
        OutputKind::Relocatable => ET_REL,
        OutputKind::PieExecutable if options.arrangement.is_fixed => ET_EXEC,
        OutputKind::PieExecutable | OutputKind::Shared => ET_DYN,
    }
}

/// How many section headers there are, with the null one, and which is that of the names. Numbers
/// that do not fit into the file header are in the null one (gABI chapter 4, "ELF Header").
pub struct SectionCount {
    /// Headers.
    pub count: usize,
    /// The index of `.shstrtab`.
    pub names: u32,
}

impl SectionCount {
    const LARGE: usize = SHN_LORESERVE as usize;

    fn of(outputs: &OutputSections) -> SectionCount {
        let count = outputs.sections.len() + 1;
        SectionCount { count, names: outputs.index_of(Synthetic::ShStrTab) }
    }

    /// Says in a file header that there are section headers at `offset`.
    pub fn enter(&self, header: &mut Ehdr, offset: u64) {
        let is_large = self.names as usize >= Self::LARGE;
        header.e_shoff.set(offset);
        header.e_shentsize.set(size_of::<Shdr>() as u16);
        header.e_shnum.set(if self.count >= Self::LARGE { 0 } else { self.count as u16 });
        header.e_shstrndx.set(if is_large { SHN_XINDEX } else { self.names as u16 });
    }

    /// The null section header.
    pub fn null_header(&self) -> Shdr {
        let mut null = Shdr::default();
        if self.count >= Self::LARGE {
            null.sh_size.set(self.count as u64);
        }
        if self.names as usize >= Self::LARGE {
            null.sh_link.set(self.names);
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
    header.e_entry.set(entry);
    if !segments.is_empty() {
        header.e_phoff.set(program_headers_offset(segments));
        header.e_phentsize.set(size_of::<Phdr>() as u16);
        header.e_phnum.set(segments.len() as u16);
    }
    if section_headers != 0 {
        SectionCount::of(outputs).enter(&mut header, section_headers);
    }
    let (first, rest) = out.split_at_mut(size_of::<Ehdr>());
    first.copy_from_slice(header.as_bytes());
    write_program_headers(rest, segments);
}

/// Fills the program headers.
pub fn write_program_headers(out: &mut [u8], segments: &[Segment]) {
    for (segment, out) in segments.iter().zip(out.chunks_exact_mut(size_of::<Phdr>())) {
        let mut header = Phdr::default();
        header.p_type.set(segment.p_type);
        header.p_flags.set(segment.p_flags);
        header.p_offset.set(segment.file_offset);
        header.p_vaddr.set(segment.address);
        header.p_paddr.set(segment.physical_address);
        header.p_filesz.set(segment.file_size);
        header.p_memsz.set(segment.memory_size);
        header.p_align.set(segment.align);
        out.copy_from_slice(header.as_bytes());
    }
}

/// Fills the section header table. `names` are offsets in `.shstrtab` by position.
pub fn write_section_headers(out: &mut [u8], outputs: &OutputSections, names: &[u32]) {
    let sections = &outputs.sections;
    let mut headers = out.chunks_exact_mut(size_of::<Shdr>());
    let null = headers.next().expect("room for the null header");
    null.copy_from_slice(SectionCount::of(outputs).null_header().as_bytes());
    // Many sections may refer to one (`.rela.NAME` to `.symtab`).
    let mut linked = (None, 0);
    for ((section, &name), out) in sections.iter().zip(names).zip(headers) {
        let mut header = Shdr::default();
        header.sh_name.set(name);
        header.sh_type.set(section.sh_type);
        header.sh_flags.set(section.sh_flags);
        header.sh_addr.set(section.address);
        header.sh_offset.set(section.file_offset);
        header.sh_size.set(section.size);
        header.sh_info.set(section.info);
        if let Some(which) = section.link {
            if linked.0 != section.link {
                linked = (section.link, outputs.index_of(which));
            }
            header.sh_link.set(linked.1);
        } else if let Some(out) = section.linked_to {
            header.sh_link.set(outputs.header_index_of_id(out));
        }
        header.sh_addralign.set(section.align);
        header.sh_entsize.set(section.entsize);
        out.copy_from_slice(header.as_bytes());
    }
}
