//! `--out-implib`: an object that has nothing but the output's global symbols, all absolute, by
//! which another link finds the addresses of this one.
//!
//! As with GNU ld (manual, "--out-implib"), symbols that the linker and the command line define are
//! left out. The symbols are those of `.symtab`, in its order; for an image that can be loaded at
//! any address they are relative to its start.

use crate::format::elf::{Ehdr, Shdr, Sym};
use crate::format::encoding::Encoding;
use crate::machine::Machine;
use crate::synth::image::Image;
use crate::synth::symtab::SymTab;
use object::elf::*;

/// Content of `.shstrtab`.
const SECTION_NAMES: &[u8] = b"\0.symtab\0.strtab\0.shstrtab\0";

/// The object for `--out-implib`; `None` if no symbol would be in it.
pub fn make(image: &Image<'_>, symtab: &SymTab) -> Option<Vec<u8>> {
    let encoding = image.encoding();
    let mut symbols = vec![Sym::default()];
    let mut strings = vec![0];
    let mut os_abi = ELFOSABI_NONE;
    for (at, own) in symtab.objects.with_ids() {
        let mut entries = vec![0; encoding.size::<Sym>() * own.globals.len()];
        symtab.write_globals(image, at, &mut entries);
        let entries = encoding.records::<Sym>(&entries).expect("written as such");
        let mut names = vec![0; own.string_size as usize];
        symtab.write_strings(image, at, &mut names);
        let own_names = own.strings + own.local_string_size;
        for &(mut symbol) in &*entries {
            symbol.set_st_name(symbol.st_name() - own_names + strings.len() as u32);
            symbol.set_st_shndx(SHN_ABS);
            if symbol.kind() == STT_GNU_IFUNC || symbol.bind() == STB_GNU_UNIQUE {
                os_abi = ELFOSABI_GNU;
            }
            symbols.push(symbol);
        }
        strings.extend_from_slice(&names[own.local_string_size as usize..]);
    }
    (symbols.len() > 1)
        .then(|| file(image.machine, &symbols, &strings, image.os_abi.unwrap_or(os_abi)))
}

fn file(machine: &Machine, symbols: &[Sym], strings: &[u8], os_abi: u8) -> Vec<u8> {
    let encoding = Encoding::of(machine);
    let symbols = encoding.bytes(symbols);
    // The symbols follow the file header.
    let start = encoding.size::<Ehdr>();
    let names_offset = start + symbols.len() + strings.len();
    let headers_offset =
        (names_offset + SECTION_NAMES.len()).next_multiple_of(encoding.word_size());
    let mut out =
        encoding.bytes(&[file_header(machine, headers_offset as u64, os_abi)]).into_owned();
    out.extend_from_slice(&symbols);
    out.extend_from_slice(strings);
    out.extend_from_slice(SECTION_NAMES);
    out.resize(headers_offset, 0);
    let mut table = section_header(1, SHT_SYMTAB, start, symbols.len());
    table.set_sh_link(2);
    // `sh_info`: all but the null symbol are global.
    table.set_sh_info(1);
    table.set_sh_addralign(encoding.word_size() as u64);
    table.set_sh_entsize(encoding.size::<Sym>() as u64);
    let headers = [
        Shdr::default(),
        table,
        section_header(9, SHT_STRTAB, start + symbols.len(), strings.len()),
        section_header(17, SHT_STRTAB, names_offset, SECTION_NAMES.len()),
    ];
    out.extend_from_slice(&encoding.bytes(&headers));
    out
}

fn file_header(machine: &Machine, section_headers: u64, os_abi: u8) -> Ehdr {
    let mut header = Ehdr::of_machine(machine, ET_REL, os_abi);
    header.set_e_shoff(section_headers);
    header.set_e_shentsize(Encoding::of(machine).size::<Shdr>() as u16);
    header.set_e_shnum(4);
    header.set_e_shstrndx(3);
    header
}

fn section_header(name: u32, sh_type: u32, offset: usize, size: usize) -> Shdr {
    let mut header = Shdr::default();
    header.set_sh_name(name);
    header.set_sh_type(sh_type);
    header.set_sh_offset(offset as u64);
    header.set_sh_size(size as u64);
    header.set_sh_addralign(1);
    header
}
