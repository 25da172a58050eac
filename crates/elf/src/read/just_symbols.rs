//! `--just-symbols`: takes the addresses of a finished program's symbols, and none of its bytes.

use super::made_object::{MadeSection, MadeSymbol, make};
use super::section_table::section_table;
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

/// An object that defines the global symbols of the ELF file `data` as absolute ones. The message
/// of an error lacks the file name. `is_fixed`: the output is loaded at the address for which it is
/// linked.
pub fn wrap(machine: &Machine, data: &'static [u8], is_fixed: bool) -> Result<&'static [u8]> {
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
