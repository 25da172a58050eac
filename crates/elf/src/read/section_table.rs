//! The section header table of an ELF file, checked (gABI, "Section Header").

use super::object_file::bad;
use crate::format::elf::{self, Ehdr, Shdr};
use crate::format::encoding::Encoding;
use object::elf::SHN_XINDEX;
use skald_core::diag::Result;

/// More sections than this are refused: section indices have 32 bits.
const MAX_SECTIONS: usize = u32::MAX as usize;

/// Section headers and the section name table of an ELF file, checked.
pub fn section_table(
    encoding: Encoding,
    data: &'static [u8],
) -> Result<(&'static [Shdr], &'static [u8])> {
    let header: Ehdr = encoding.read(data).ok_or_else(|| bad("file is too short"))?;
    let file_offset = header.e_shoff();
    if file_offset == 0 {
        return Ok((&[], &[]));
    }
    let (size, own) = (header.e_shentsize(), encoding.size::<Shdr>());
    if usize::from(size) != own {
        return Err(bad(format!("section header size is {size}, not {own}")));
    }
    let first = usize::try_from(file_offset).ok().and_then(|at| encoding.read(data.get(at..)?));
    let first: Shdr = first.ok_or_else(|| outside(data, file_offset))?;
    // Counts and indices that do not fit the ELF header are in the first section header (gABI,
    // section 4).
    let count = match header.e_shnum() {
        0 => first.sh_size(),
        n => u64::from(n),
    };
    let shdrs: &[Shdr] = encoding
        .table(data, file_offset, count)
        .filter(|s| s.len() < MAX_SECTIONS)
        .ok_or_else(|| outside(data, file_offset))?;
    let name_index = match header.e_shstrndx() {
        SHN_XINDEX => first.sh_link(),
        n => u32::from(n),
    };
    if name_index == 0 {
        return Ok((shdrs, &[]));
    }
    let names = shdrs.get(name_index as usize).ok_or_else(|| {
        let count = shdrs.len();
        bad(format!("section names are in section {name_index} of {count} (e_shstrndx)"))
    })?;
    let names = elf::range(data, names.sh_offset(), names.sh_size())
        .ok_or_else(|| bad("section name table lies outside the file"))?;
    Ok((shdrs, names))
}

/// The error for a table outside of the file. Compilers write it last, so the file was truncated.
fn outside(data: &[u8], file_offset: u64) -> skald_core::diag::Error {
    bad(format!(
        "section header table lies outside the file\n>>> it begins at offset {file_offset:#x} and \
         the \
         file ends at {:#x}: was it cut short?",
        data.len()
    ))
}
