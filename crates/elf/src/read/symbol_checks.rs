//! Checks symbol table entries (gABI, "Symbol Table") so that later stages can trust them: the name
//! is in the string table, the section exists, value and size are not absurd.
//!
//! The check runs while definitions are entered, which reads every entry anyway.

use super::ObjectFile;
use crate::format::elf::{Sym, SymbolId};
use object::elf::*;

/// Symbol offsets must be nearer to their section's start than this, on either side: user addresses
/// have 47 bits.
const MAX_OFFSET: u64 = 1 << 47;
/// The greatest alignment in bytes that a section or a common symbol can ask for.
pub const MAX_ALIGN: u64 = 1 << 31;
/// Greatest size in bytes of zero-filled sections and common symbols.
pub const MAX_MEMORY: u64 = 1 << 48;

impl ObjectFile {
    /// Whether a symbol of this object is a common symbol.
    #[inline(always)]
    pub fn is_common(&self, symbol: &Sym) -> bool {
        let shndx = symbol.st_shndx();
        shndx == SHN_COMMON || shndx == self.large_common
    }

    /// Whether `symbol`, with index `index`, passes all checks; a local symbol behind
    /// `first_global` is found elsewhere.
    #[inline(always)]
    pub fn is_sound(&self, index: SymbolId, symbol: &Sym) -> bool {
        let shndx = symbol.st_shndx();
        ((symbol.st_name() as usize) < self.mapped.strtab.len()
            && usize::from(shndx) < self.mapped.shdrs.len().min(usize::from(SHN_LORESERVE))
            && symbol.st_value() < MAX_OFFSET)
            || self.symbol_fault(index).is_none()
    }

    /// The fault of a symbol; `None` if it has none.
    #[cold]
    pub fn symbol_fault(&self, index: SymbolId) -> Option<String> {
        let symbol = &self.mapped.symbols[index];
        let (name, shndx) = (symbol.st_name(), symbol.st_shndx());
        if name as usize >= self.mapped.strtab.len().max(1) {
            return Some(format!(
                "symbol {index}: name at {name:#x} lies outside the string table"
            ));
        }
        let named = || {
            let name = self.symbol_name(index);
            format!("symbol {index} ({})", String::from_utf8_lossy(name))
        };
        if symbol.bind() == STB_LOCAL && index >= self.first_global {
            let first = self.first_global;
            return Some(format!("{}: local, but global ones begin at {first} (sh_info)", named()));
        }
        let (value, size) = (symbol.st_value(), symbol.st_size());
        match shndx {
            SHN_UNDEF => None,
            _ if self.is_common(symbol) => {
                if value > MAX_ALIGN || value != 0 && !value.is_power_of_two() {
                    return Some(format!("{}: invalid alignment of a common: {value:#x}", named()));
                }
                (size > MAX_MEMORY)
                    .then(|| format!("{}: invalid size of a common: {size:#x}", named()))
            }
            SHN_ABS => {
                // Such values would be tagged values in `synth::values`.
                (value >> 48 == 0x8001)
                    .then(|| format!("{}: absolute value {value:#x} is not supported", named()))
            }
            SHN_LORESERVE..=0xfffe => {
                Some(format!("{}: unknown section index {shndx:#x}", named()))
            }
            _ => {
                let section = self.symbol_section(index);
                if section.is_none_or(|s| s as usize >= self.mapped.shdrs.len()) {
                    return Some(format!("{}: section index lies outside the table", named()));
                }
                ((value as i64).unsigned_abs() >= MAX_OFFSET)
                    .then(|| format!("{}: invalid value {value:#x}", named()))
            }
        }
    }
}
