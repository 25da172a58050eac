//! `--just-symbols`: the addresses of a finished program's symbols and none of its bytes.

use super::made_object::{MadeSection, MadeSymbol, make};
use super::section_table::section_table;
use crate::arch::Target;
use crate::format::elf::{self, Sym};
use object::elf::*;
use skald_core::diag::{Error, Result};

/// An object that defines the global symbols of the ELF file `data` as absolute ones. The message
/// of an error lacks the file name.
pub fn wrap(target: &Target, data: &'static [u8]) -> Result<&'static [u8]> {
    if !data.starts_with(&ELFMAG) {
        return Err(Error("is no ELF file, whose symbols --just-symbols could take".to_owned()));
    }
    let (shdrs, _) = section_table(data)?;
    let table = |wanted: u32| shdrs.iter().find(|s| s.sh_type() == wanted);
    let Some(header) = table(SHT_SYMTAB).or_else(|| table(SHT_DYNSYM)) else {
        return Ok(make(target, MadeSection::None, &[]));
    };
    let count = header.sh_size() / size_of::<Sym>() as u64;
    let outside = || Error("symbol table lies outside the file".to_owned());
    let symbols: &[Sym] = elf::table(data, header.sh_offset(), count).ok_or_else(outside)?;
    let strings = shdrs
        .get(header.sh_link() as usize)
        .and_then(|s| elf::range(data, s.sh_offset(), s.sh_size()))
        .ok_or_else(outside)?;
    let mut made = Vec::new();
    for symbol in symbols {
        let name = elf::string(strings, symbol.st_name()).unwrap_or_default();
        let is_hidden = matches!(symbol.visibility(), STV_HIDDEN | STV_INTERNAL);
        let is_defined = symbol.st_shndx() != SHN_UNDEF && symbol.st_shndx() != SHN_COMMON;
        if symbol.bind() == STB_LOCAL || !is_defined || is_hidden || name.is_empty() {
            continue;
        }
        // The address of a thread-local variable or of a resolver is of no use to others.
        let kind = match symbol.kind() {
            STT_TLS | STT_GNU_IFUNC => continue,
            kind => kind,
        };
        made.push(MadeSymbol {
            name: name.to_vec(),
            shndx: SHN_ABS,
            value: symbol.st_value(),
            size: symbol.st_size(),
            kind,
            bind: symbol.bind(),
        });
    }
    Ok(make(target, MadeSection::None, &made))
}
