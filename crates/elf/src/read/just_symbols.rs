//! `--just-symbols`: takes the addresses of a finished program's symbols, and none of its bytes.

use super::made_object::{MadeSection, MadeSymbol, make};
use super::section_table::section_table;
use crate::args::{Options, OutputKind};
use crate::format::elf::{self, Ehdr, Sym};
use crate::format::encoding::Encoding;
use crate::machine::Machine;
use object::elf::*;
use skald_core::diag::{Error, Result};

/// Whether the symbols of the ELF file `data` have addresses only once it is loaded.
pub fn is_moved_by_loader(machine: &Machine, data: &[u8]) -> bool {
    let header = Encoding::of(machine).read::<Ehdr>(data);
    header.is_some_and(|header| header.e_type() == ET_DYN)
}

/// Whether a symbol of this name says where the data of the program ends that defines it. Almost
/// all programs do, but `sbrk` and startup code of another one need their own, as GNU ld gives
/// them. Its other names for these places (`end`, `etext`) are only a proposal.
fn is_end_of_data(machine: &Machine, name: &[u8]) -> bool {
    let mut names = ["__bss_start", "_edata", "_end"]
        .iter()
        .chain(machine.bss_start_names)
        .chain(machine.end_names);
    names.any(|own| own.as_bytes() == name)
}

/// An object that defines the global symbols of the ELF file `data` as absolute ones. The message
/// of an error lacks the file name.
pub fn wrap(data: &'static [u8], options: &Options) -> Result<&'static [u8]> {
    let machine = options.machine;
    let is_fixed = options.kind == OutputKind::Executable;
    // The default layout says where the data ends.
    let has_own_ends = options.kind != OutputKind::Relocatable && options.scripts.is_empty();
    if !data.starts_with(&ELFMAG) {
        return Err(Error("is no ELF file, whose symbols --just-symbols could take".to_owned()));
    }
    let encoding = Encoding::of(machine);
    let (shdrs, _) = section_table(encoding, data)?;
    let table = |wanted: u32| shdrs.iter().find(|s| s.sh_type() == wanted);
    let Some(header) = table(SHT_SYMTAB).or_else(|| table(SHT_DYNSYM)) else {
        return Ok(make(machine, MadeSection::None, &[]));
    };
    let count = header.sh_size() / encoding.size::<Sym>() as u64;
    let outside = || Error("symbol table lies outside the file".to_owned());
    let symbols: &[Sym] = encoding.table(data, header.sh_offset(), count).ok_or_else(outside)?;
    let strings = shdrs
        .get(header.sh_link() as usize)
        .and_then(|s| elf::range(data, s.sh_offset(), s.sh_size()))
        .ok_or_else(outside)?;
    let mut made = Vec::new();
    for symbol in symbols {
        let name = elf::string(strings, symbol.st_name()).unwrap_or_default();
        let is_defined = symbol.st_shndx() != SHN_UNDEF && symbol.st_shndx() != SHN_COMMON;
        if symbol.bind() == STB_LOCAL || !is_defined || name.is_empty() {
            continue;
        }
        // The TLS offset of a variable is meaningless in another module. The address of an IFUNC's
        // resolver would be relocated by the loader as if it were in this output.
        if symbol.kind() == STT_TLS || symbol.kind() == STT_GNU_IFUNC && !is_fixed {
            continue;
        }
        if has_own_ends && is_end_of_data(machine, name) {
            continue;
        }
        made.push(MadeSymbol {
            name: name.to_vec(),
            shndx: SHN_ABS,
            value: symbol.st_value(),
            size: symbol.st_size(),
            kind: symbol.kind(),
            bind: symbol.bind(),
            visibility: symbol.visibility(),
        });
    }
    Ok(make(machine, MadeSection::None, &made))
}
