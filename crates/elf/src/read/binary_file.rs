//! `-b binary`: a file of any bytes as an object with one data section.
//!
//! The symbols are GNU ld's: `_binary_NAME_start`, `_end` and `_size`, where NAME is the path with
//! every character that is not alphanumeric replaced by `_`.

use crate::format::elf::{Ehdr, Shdr, Sym};
use object::elf::*;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use zerocopy::IntoBytes;

/// An object file whose `.data` holds `bytes`.
pub fn wrap(path: &Path, bytes: &[u8]) -> &'static [u8] {
    let stem: String = path
        .as_os_str()
        .as_bytes()
        .iter()
        .map(|b| if b.is_ascii_alphanumeric() { *b as char } else { '_' })
        .collect();
    let mut strtab = vec![0u8];
    let mut symbols = vec![Sym::default()];
    let size = bytes.len() as u64;
    for (suffix, shndx, value) in [("start", 1, 0), ("end", 1, size), ("size", SHN_ABS, size)] {
        let mut symbol = Sym::default();
        symbol.st_name.set(strtab.len() as u32);
        symbol.st_info = STB_GLOBAL << 4;
        symbol.st_shndx.set(shndx);
        symbol.st_value.set(value);
        symbols.push(symbol);
        strtab.extend_from_slice(format!("_binary_{stem}_{suffix}\0").as_bytes());
    }
    let names = b"\0.data\0.symtab\0.strtab\0.shstrtab\0";
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
    add(1, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, bytes, 0, 0);
    add(7, SHT_SYMTAB, 0, symbols.as_bytes(), 3, 24);
    add(15, SHT_STRTAB, 0, &strtab, 0, 0);
    add(23, SHT_STRTAB, 0, names, 0, 0);
    image.resize(image.len().next_multiple_of(8), 0);
    let mut header = Ehdr::default();
    header.e_ident[..8].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1, 1, 0]);
    header.e_type.set(ET_REL);
    header.e_machine.set(EM_X86_64);
    header.e_version.set(1);
    header.e_shoff.set(image.len() as u64);
    header.e_ehsize.set(size_of::<Ehdr>() as u16);
    header.e_shentsize.set(size_of::<Shdr>() as u16);
    header.e_shnum.set(headers.len() as u16);
    header.e_shstrndx.set(4);
    image[..size_of::<Ehdr>()].copy_from_slice(header.as_bytes());
    image.extend_from_slice(headers.as_bytes());
    Box::leak(image.into_boxed_slice())
}
