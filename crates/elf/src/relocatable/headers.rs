//! File header and section headers of a relocatable output.

use super::sections::OutputSections;
use crate::format::elf::{Ehdr, Shdr};
use crate::machine::Machine;
use crate::write::headers::SectionCount;
use object::elf::*;
use zerocopy::IntoBytes;

/// `.shstrtab` is the last section.
fn section_count(outputs: &OutputSections) -> SectionCount {
    let names = outputs.list.len();
    SectionCount { count: names + 1, names: names as u32 }
}

/// Fills the file header.
pub fn write_file_header(
    out: &mut [u8],
    machine: &Machine,
    outputs: &OutputSections,
    section_headers: u64,
    os_abi: u8,
) {
    let mut header = Ehdr::of_machine(machine, ET_REL, os_abi);
    section_count(outputs).enter(&mut header, section_headers);
    out.copy_from_slice(header.as_bytes());
}

/// Fills the section header table.
pub fn write_section_headers(out: &mut [u8], outputs: &OutputSections) {
    let headers = outputs.list.iter().zip(&outputs.name_offsets).map(|(section, &name)| {
        let mut header = Shdr::default();
        header.set_sh_name(name);
        header.set_sh_type(section.sh_type);
        header.set_sh_flags(section.sh_flags);
        header.set_sh_addr(section.address);
        header.set_sh_offset(section.file_offset);
        header.set_sh_size(section.size);
        header.set_sh_link(section.link);
        header.set_sh_info(section.info);
        header.set_sh_addralign(section.align);
        header.set_sh_entsize(section.entsize);
        header
    });
    section_count(outputs).write_table(headers, out);
}
