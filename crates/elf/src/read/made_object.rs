//! Makes object files in memory, so that inputs in other formats are linked as objects.

use crate::format::elf::{Ehdr, Shdr, Sym};
use crate::format::encoding::Encoding;
use crate::machine::Machine;
use object::elf::*;

/// A global symbol of such an object.
#[derive(Debug, Clone)]
pub struct MadeSymbol {
    /// The symbol's name.
    pub name: Vec<u8>,
    /// `st_shndx`: [`DATA`], [`CODE`] or SHN_ABS.
    pub shndx: u16,
    /// `st_value`: offset in `.data`, or absolute value.
    pub value: u64,
    /// `st_size`.
    pub size: u64,
    /// `st_info` type: STT_*.
    pub kind: u8,
    /// `st_info` binding: STB_*.
    pub bind: u8,
    /// `st_other`: the visibility, STV_*.
    pub visibility: u8,
}

/// Section header index of `.data`.
pub const DATA: u16 = 1;

/// Section header index of `.text`.
pub const CODE: u16 = 1;

/// The section that such an object has.
#[derive(Debug, Clone, Copy)]
pub enum MadeSection<'a> {
    /// None.
    None,
    /// `.data` with this many bytes that are elsewhere ([`InputBytes::content`]): by its header it
    /// begins where the object ends.
    ///
    /// [`InputBytes::content`]: skald_core::input::InputBytes::content
    Data(u64),
    /// `.text` with this code, whose instructions have four bytes.
    Code(&'a [u8]),
    /// `.comment` with these strings, each with its NUL.
    Comment(&'a [u8]),
}

/// The bytes of an object with this section and these global symbols.
pub fn make(machine: &Machine, section: MadeSection<'_>, made: &[MadeSymbol]) -> &'static [u8] {
    let mut strtab = vec![0u8];
    let mut symbols = vec![Sym::default()];
    for one in made {
        let mut symbol = Sym::default();
        symbol.set_st_name(strtab.len() as u32);
        symbol.set_st_info(one.bind << 4 | one.kind);
        symbol.set_st_other(one.visibility);
        symbol.set_st_shndx(one.shndx);
        symbol.set_st_value(one.value);
        symbol.set_st_size(one.size);
        symbols.push(symbol);
        strtab.extend_from_slice(&one.name);
        strtab.push(0);
    }
    let names = b"\0.data\0.symtab\0.strtab\0.shstrtab\0.comment\0.text\0";
    let encoding = Encoding::of(machine);
    let (header_size, entry_size) = (encoding.size::<Ehdr>(), encoding.size::<Shdr>());
    let mut image = vec![0u8; header_size];
    let mut headers = vec![Shdr::default()];
    let mut add = |name: u32, sh_type: u32, flags: u32, content: &[u8], link: u32, entsize: u64| {
        image.resize(image.len().next_multiple_of(8), 0);
        let mut header = Shdr::default();
        header.set_sh_name(name);
        header.set_sh_type(sh_type);
        header.set_sh_flags(u64::from(flags));
        header.set_sh_offset(image.len() as u64);
        header.set_sh_size(content.len() as u64);
        header.set_sh_link(link);
        header.set_sh_info(u32::from(sh_type == SHT_SYMTAB));
        header.set_sh_addralign(if flags & SHF_EXECINSTR != 0 { 4 } else { 1 });
        header.set_sh_entsize(entsize);
        headers.push(header);
        image.extend_from_slice(content);
    };
    match section {
        MadeSection::Data(_) => add(1, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, &[], 0, 0),
        MadeSection::Code(code) => add(42, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, 0, 0),
        MadeSection::Comment(text) => add(33, SHT_PROGBITS, SHF_MERGE | SHF_STRINGS, text, 0, 1),
        MadeSection::None => add(1, SHT_NULL, 0, &[], 0, 0),
    }
    let symbol_size = encoding.size::<Sym>() as u64;
    add(7, SHT_SYMTAB, 0, &encoding.bytes(&symbols), 3, symbol_size);
    add(15, SHT_STRTAB, 0, &strtab, 0, 0);
    add(23, SHT_STRTAB, 0, names, 0, 0);
    image.resize(image.len().next_multiple_of(8), 0);
    if let MadeSection::Data(size) = section {
        let end = image.len() + headers.len() * entry_size;
        headers[usize::from(DATA)].set_sh_offset(end as u64);
        headers[usize::from(DATA)].set_sh_size(size);
    }
    let mut header = Ehdr::of_machine(machine, ET_REL, ELFOSABI_NONE);
    header.set_e_shoff(image.len() as u64);
    header.set_e_shentsize(entry_size as u16);
    header.set_e_shnum(headers.len() as u16);
    header.set_e_shstrndx(4);
    encoding.write(&header, &mut image[..header_size]);
    image.extend_from_slice(&encoding.bytes(&headers));
    Box::leak(image.into_boxed_slice())
}
