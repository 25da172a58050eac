//! File header and section headers of a relocatable output.

use super::sections::OutputSections;
use crate::arch::Target;
use crate::format::elf::Shdr;
use object::elf::*;
use zerocopy::IntoBytes;

/// Fills the file header. `.shstrtab` is the last section.
pub fn write_file_header(
    out: &mut [u8],
    target: &Target,
    outputs: &OutputSections,
    section_headers: u64,
    os_abi: u8,
) {
    let mut header = target.file_header(ET_REL, os_abi);
    header.e_shoff.set(section_headers);
    header.e_shentsize.set(size_of::<Shdr>() as u16);
    let count = outputs.list.len() + 1;
    let names = outputs.list.len();
    // Numbers that do not fit are in the first section header (gABI, section 4).
    let large = usize::from(SHN_LORESERVE);
    header.e_shnum.set(if count >= large { 0 } else { count as u16 });
    header.e_shstrndx.set(if names >= large { SHN_XINDEX } else { names as u16 });
    out.copy_from_slice(header.as_bytes());
}

/// Fills the section header table.
pub fn write_section_headers(out: &mut [u8], outputs: &OutputSections) {
    let count = outputs.list.len() + 1;
    let large = usize::from(SHN_LORESERVE);
    let mut null = Shdr::default();
    if count >= large {
        null.sh_size.set(count as u64);
    }
    if count > large {
        null.sh_link.set(count as u32 - 1);
    }
    let mut slots = out.chunks_exact_mut(size_of::<Shdr>());
    slots.next().expect("room for the null header").copy_from_slice(null.as_bytes());
    for ((section, &name), slot) in outputs.list.iter().zip(&outputs.name_offsets).zip(slots) {
        let mut header = Shdr::default();
        header.sh_name.set(outputs.names.resolve(name));
        header.sh_type.set(section.sh_type);
        header.sh_flags.set(section.sh_flags);
        header.sh_offset.set(section.file_offset);
        header.sh_size.set(section.size);
        header.sh_link.set(section.link);
        header.sh_info.set(section.info);
        header.sh_addralign.set(section.align);
        header.sh_entsize.set(section.entsize);
        slot.copy_from_slice(header.as_bytes());
    }
}
