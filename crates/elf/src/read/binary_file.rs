//! `-b binary`: a file of any bytes as an object with one data section.
//!
//! The symbols are GNU ld's: `_binary_NAME_start`, `_end` and `_size`, where NAME is the path with
//! every character that is not alphanumeric replaced by `_`.

use super::made_object::{DATA, MadeSection, MadeSymbol, make};
use crate::machine::Machine;
use object::elf::{SHN_ABS, STB_GLOBAL, STT_NOTYPE, STV_DEFAULT};
use skald_host::paths::OsStrBytes;
use std::path::Path;

/// An object whose `.data` has the `size` bytes of the file at `path`; the bytes are not copied.
pub fn wrap(machine: &Machine, path: &Path, size: u64) -> &'static [u8] {
    let stem: String = path
        .as_os_str()
        .as_bytes()
        .iter()
        .map(|b| if b.is_ascii_alphanumeric() { *b as char } else { '_' })
        .collect();
    let places = [("start", DATA, 0), ("end", DATA, size), ("size", SHN_ABS, size)];
    let symbols = places.map(|(suffix, shndx, value)| MadeSymbol {
        name: format!("_binary_{stem}_{suffix}").into_bytes(),
        shndx,
        value,
        size: 0,
        kind: STT_NOTYPE,
        bind: STB_GLOBAL,
        visibility: STV_DEFAULT,
    });
    make(machine, MadeSection::Data(size), &symbols)
}
