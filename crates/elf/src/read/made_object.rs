//! Object files that the linker makes in memory, so that what is no object takes part like one.

use crate::arch::Target;
use crate::format::elf::{Ehdr, Shdr, Sym};
use object::elf::*;
use zerocopy::IntoBytes;

/// A global symbol of a made object.
#[derive(Debug, Clone)]
pub struct MadeSymbol {
    /// Name.
    pub name: Vec<u8>,
    /// Section: [`DATA`] or SHN_ABS.
    pub shndx: u16,
    /// Offset or value.
    pub value: u64,
    /// `st_size`.
    pub size: u64,
    /// STT_*.
    pub kind: u8,
    /// STB_*.
    pub bind: u8,
}

/// Section header index of `.data`.
pub const DATA: u16 = 1;

/// The section of a made object.
#[derive(Debug, Clone, Copy)]
pub enum MadeSection<'a> {
    /// None.
    None,
    /// `.data` with so many bytes that are elsewhere ([`InputBytes::content`]): by its header it
    /// begins where the object ends.
    ///
    /// [`InputBytes::content`]: skald_core::input::InputBytes::content
    Data(u64),
    /// `.comment` with these strings, each with its NUL.
    Comment(&'a [u8]),
}

/// An object with these symbols and this section.
pub fn make(target: &Target, section: MadeSection<'_>, made: &[MadeSymbol]) -> &'static [u8] {
    let mut strtab = vec![0u8];
    let mut symbols = vec![Sym::default()];
    for one in made {
        let mut symbol = Sym::default();
        symbol.st_name.set(strtab.len() as u32);
        symbol.st_info = one.bind << 4 | one.kind;
        symbol.st_shndx.set(one.shndx);
        symbol.st_value.set(one.value);
        symbol.st_size.set(one.size);
        symbols.push(symbol);
        strtab.extend_from_slice(&one.name);
        strtab.push(0);
    }
    let names = b"\0.data\0.symtab\0.strtab\0.shstrtab\0.comment\0";
    let mut image = vec![0u8; size_of::<Ehdr>()];
    let mut headers = vec![Shdr::default()];
    let mut add = |name: u32, sh_type: u32, flags: u32, content: &[u8], link: u32, entsize: u64| {
        image.resize(image.len().next_multiple_of(8), 0);
        let mut header = Shdr::default();
        header.sh_name.set(name);
        header.sh_type.set(sh_type);
        header.sh_flags.set(u64::from(flags));
        header.sh_offset.set(image.len() as u64);
        header.sh_size.set(content.len() as u64);
        header.sh_link.set(link);
        header.sh_info.set(u32::from(sh_type == SHT_SYMTAB));
        header.sh_addralign.set(1);
        header.sh_entsize.set(entsize);
        headers.push(header);
        image.extend_from_slice(content);
    };
    match section {
        MadeSection::Data(_) => add(1, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, &[], 0, 0),
        MadeSection::Comment(text) => add(33, SHT_PROGBITS, SHF_MERGE | SHF_STRINGS, text, 0, 1),
        MadeSection::None => add(1, SHT_NULL, 0, &[], 0, 0),
    }
    add(7, SHT_SYMTAB, 0, symbols.as_bytes(), 3, 24);
    add(15, SHT_STRTAB, 0, &strtab, 0, 0);
    add(23, SHT_STRTAB, 0, names, 0, 0);
    image.resize(image.len().next_multiple_of(8), 0);
    if let MadeSection::Data(size) = section {
        let end = image.len() + headers.len() * size_of::<Shdr>();
        headers[usize::from(DATA)].sh_offset.set(end as u64);
        headers[usize::from(DATA)].sh_size.set(size);
    }
    let mut header = target.file_header(ET_REL, ELFOSABI_NONE);
    header.e_shoff.set(image.len() as u64);
    header.e_shentsize.set(size_of::<Shdr>() as u16);
    header.e_shnum.set(headers.len() as u16);
    header.e_shstrndx.set(4);
    image[..size_of::<Ehdr>()].copy_from_slice(header.as_bytes());
    image.extend_from_slice(headers.as_bytes());
    Box::leak(image.into_boxed_slice())
}
