//! Pairs of instructions that are rewritten to shorter ways ("ELF for the Arm 64-bit Architecture",
//! "Relocation optimization").
//!
//! | before                                         | page in reach                   | 1 MiB             |
//! |------------------------------------------------|---------------------------------|-------------------|
//! | `adrp xn, :got:s`; `ldr xn, [xn, :got_lo12:s]` | `adrp xn, s`; `add xn, xn, ...` | `nop`; `adr xn, s`|
//! | `adrp xn, s`; `add xn, xn, :lo12:s`            |                                 | `nop`; `adr xn, s`|
//!
//! The two must follow each other and have one register, so that nothing sees what the first
//! leaves. Each is treated at its own relocation, which asks the same of both. Loads from the GOT
//! of one symbol in one section are rewritten all or not at all, as the ABI asks.

use super::instruction::{self, Form, rd, rn};
use crate::format::elf::Rela;
use crate::machine::aarch64::howto::*;
use crate::select::scan::SymbolView;

/// Whether the instruction of the relocation at `index` is one of such a pair, by its neighbour and
/// the bytes of the section.
#[inline]
pub fn is_of_pair(section: &[u8], relocs: &[Rela], index: usize) -> bool {
    let is_first =
        matches!(relocs[index].r_type(), R_AARCH64_ADR_GOT_PAGE | R_AARCH64_ADR_PREL_PG_HI21);
    let first = if is_first { Some(index) } else { index.checked_sub(1) };
    let pair = first.and_then(|first| relocs.get(first..));
    matches!(pair, Some([first, second, ..]) if is_pair(section, first, second))
}

/// Whether two relocations that follow each other are those of such a pair.
pub fn is_pair(section: &[u8], first: &Rela, second: &Rela) -> bool {
    let form = match (first.r_type(), second.r_type()) {
        (R_AARCH64_ADR_GOT_PAGE, R_AARCH64_LD64_GOT_LO12_NC) if first.r_addend() == 0 => Form::LDR,
        (R_AARCH64_ADR_PREL_PG_HI21, R_AARCH64_ADD_ABS_LO12_NC) => Form::ADD,
        _ => return false,
    };
    let (at, next) = (first.r_offset(), second.r_offset());
    let follows = next == at.wrapping_add(4)
        && (second.symbol(), second.r_addend()) == (first.symbol(), first.r_addend());
    let word = |at: u64| instruction::read(section, usize::try_from(at).ok()?);
    let (true, Some(page), Some(other)) = (follows, word(at), word(next)) else { return false };
    let base = rd(page);
    Form::ADRP.is(page) && form.is(other) && (rd(other), rn(other)) == (base, base)
}

/// Whether a GOT load of `view` can do without the GOT: the symbol is here, and moves as the code
/// does.
#[inline]
pub fn is_bound_here(relax: bool, view: SymbolView) -> bool {
    relax && !view.is_imported() && !view.is_local_ifunc() && !view.is_constant()
}

/// Whether ADR reaches `target` from the second instruction of a pair, at `place`.
#[inline(always)]
pub const fn is_near(target: u64, place: u64) -> bool {
    target.wrapping_sub(place).wrapping_add(1 << 20) < 1 << 21
}
