//! The apply loops: they write relocated values into the output's copy of a section.
//!
//! PC-relative and absolute fields with a plain value take a fast path: one load of the value, an
//! addition, a range check and a store. Calls of imports, GOT loads that are rewritten, and strings
//! in merged sections have fast paths of their own. `apply_any.rs` handles all other relocations,
//! and reports errors in those that the fast paths pass on.

use super::apply_any::Apply;
use super::relax::{self, ShortForm};
use crate::args::CallNop;
use crate::format::elf::{Rela, SymbolId};
use crate::loops::operands::{self, Operands, hides_folded, tombstone};
use crate::read::object_file::SectionFlags;
use crate::select::merge::Member;
use crate::synth::image::Image;
use crate::synth::patch::{Failure, Patch};
use crate::synth::values::{self, Value};
use object::elf::*;
use skald_core::field;
use skald_core::ids::IdSlice;
use std::ops::Range;

/// Applies all relocations of `patch` to `out`, the output's copy of the part.
pub fn apply(image: &Image<'_>, patch: &Patch<'_>, out: &mut [u8], failures: &mut Vec<Failure>) {
    let values = image.values_of(patch.section.object);
    let start = patch.address.wrapping_sub(patch.section_offset);
    let site = Site { image, patch, values, start };
    if patch.section.flags.has(SectionFlags::ALLOC) {
        let rest = site.plain(patch.relocs, out);
        if !rest.is_empty() {
            site.loaded(rest, out, failures);
        }
    } else if image.liveness.has_folded && hides_folded(image, patch.section) {
        site.without_folded(out, failures);
    } else {
        site.unloaded(0..patch.relocs.len(), out, failures);
    }
}

struct Site<'a> {
    image: &'a Image<'a>,
    patch: &'a Patch<'a>,
    values: &'a IdSlice<SymbolId, u64>,
    /// Address of the whole section.
    start: u64,
}

/// A merged section that many relocations of a debug section refer to (`.debug_str`).
struct Strings<'a> {
    /// The index of its STT_SECTION symbol.
    symbol: u64,
    address: u64,
    member: &'a Member,
}

/// Whether it is `R_X86_64_PC32` or `R_X86_64_PLT32`, by one comparison. Two comparisons, together
/// with those for other types, would become a jump table, which costs more than it saves.
#[inline(always)]
fn is_pc_relative(r_type: u32) -> bool {
    r_type.wrapping_sub(R_X86_64_PC32) & !(R_X86_64_PLT32 - R_X86_64_PC32) == 0
}

impl<'a> Site<'a> {
    /// Applies relocations up to the first that is not plain; returns the rest.
    #[inline(always)]
    fn plain<'r>(&self, mut relocs: &'r [Rela], out: &mut [u8]) -> &'r [Rela] {
        while let [reloc, rest @ ..] = relocs {
            match self.values.get(reloc.symbol()) {
                Some(&value) if values::is_plain(value) && self.store(out, reloc, value) => {}
                _ => break,
            }
            relocs = rest;
        }
        relocs
    }

    /// Applies the relocations of a loaded section from the first on that is not plain. This is a
    /// function of its own, so that a section with only plain relocations has a small loop without
    /// setup.
    #[inline(never)]
    fn loaded(&self, mut rest: &[Rela], out: &mut [u8], failures: &mut Vec<Failure>) {
        let relocs = self.patch.relocs;
        while let [reloc, tail @ ..] = rest {
            let mut next = tail;
            if !self.loaded_other(out, reloc) {
                let handled = self.any(out, failures, relocs.len() - rest.len());
                next = rest.get(handled..).unwrap_or_default();
            }
            rest = self.plain(next, out);
        }
    }

    /// Writes the field of a frequent type. Returns `false`, with nothing written, for any other
    /// type, a value out of range, or a field outside of the section.
    #[inline(always)]
    fn store(&self, out: &mut [u8], reloc: &Rela, value: u64) -> bool {
        let sum = value.wrapping_add_signed(reloc.r_addend());
        let r_type = reloc.r_type();
        if is_pc_relative(r_type) {
            self.store_distance(out, reloc.r_offset(), sum)
        } else {
            r_type == R_X86_64_64 && field::store(out, self.at(reloc), sum.to_le_bytes())
        }
    }

    /// Writes the distance of `target` from the field at `r_offset`, if 32 bits hold it.
    #[inline(always)]
    fn store_distance(&self, out: &mut [u8], r_offset: u64, target: u64) -> bool {
        let distance = target.wrapping_sub(self.start).wrapping_sub(r_offset);
        let at = r_offset.wrapping_sub(self.patch.section_offset) as usize;
        distance as i64 == i64::from(distance as i32)
            && field::store(out, at, (distance as i32).to_le_bytes())
    }

    /// Writes a 32-bit address, as code at fixed addresses uses.
    #[inline(always)]
    fn store_narrow(&self, out: &mut [u8], reloc: &Rela, value: u64) -> bool {
        let sum = value.wrapping_add_signed(reloc.r_addend());
        let fits = match reloc.r_type() {
            R_X86_64_32 => u32::try_from(sum).is_ok(),
            R_X86_64_32S => i32::try_from(sum as i64).is_ok(),
            _ => false,
        };
        fits && field::store(out, self.at(reloc), (sum as u32).to_le_bytes())
    }

    /// Offset of the field in the part.
    #[inline(always)]
    fn at(&self, reloc: &Rela) -> usize {
        reloc.r_offset().wrapping_sub(self.patch.section_offset) as usize
    }

    /// Applies a relocation of a kind that is frequent in loaded sections, although its symbol is
    /// not plain.
    #[inline(always)]
    fn loaded_other(&self, out: &mut [u8], reloc: &Rela) -> bool {
        let Some(&value) = self.values.get(reloc.symbol()) else { return false };
        match values::decode(value) {
            Value::Plain(value) => {
                self.store_narrow(out, reloc, value) || self.got_load(out, reloc, value)
            }
            Value::Called(distance) => {
                let entry = self.image.bases.plt.wrapping_add_signed(distance.into());
                is_pc_relative(reloc.r_type()) && self.store(out, reloc, entry)
            }
            Value::Merged(section) => match self.image.merged.member(section) {
                Some(member) => {
                    // The addend selects the piece, so it is not added again.
                    let addend = reloc.r_addend() as u64;
                    let s = self.image.address(section).wrapping_add(member.output_offset(addend));
                    self.store(out, reloc, s.wrapping_sub(addend))
                }
                None => false,
            },
            Value::Dead | Value::Indirect => false,
        }
    }

    /// Applies a GOT load in one of its most frequent forms.
    #[inline(never)]
    fn got_load(&self, out: &mut [u8], reloc: &Rela, value: u64) -> bool {
        let &Site { image, patch, .. } = self;
        let Some(form) = relax::short_form(patch.original, reloc) else { return false };
        let r_offset = reloc.r_offset();
        let target = image.definitions.target_of(self.patch.section.object, reloc.symbol());
        if form == ShortForm::Slot {
            return target.name().and_then(|name| image.slots.of_name(name)).is_some_and(|slots| {
                let word = image.got_word(slots.got);
                let word = word.wrapping_add_signed(reloc.r_addend());
                self.store_distance(out, r_offset, word)
            });
        }
        if !image.relax || !image.definitions.is_plain(target) {
            return false;
        }
        let before = self.at(reloc).wrapping_sub(2);
        let end = value.wrapping_sub(4);
        match form {
            ShortForm::Lea => {
                self.store_distance(out, r_offset, end) && field::store(out, before, [0x8d])
            }
            ShortForm::Call => match image.call_nop {
                CallNop::Prefix(nop) => {
                    self.store_distance(out, r_offset, end)
                        && field::store(out, before, [nop, 0xe8])
                }
                CallNop::Suffix(_) => false,
            },
            // The instruction is one byte shorter: the field is a byte earlier, and a nop follows.
            ShortForm::Jmp | ShortForm::Slot => {
                self.store_distance(out, r_offset.wrapping_sub(1), end)
                    && field::store(out, before, [0xe9])
                    && field::store(out, before.wrapping_add(5), [0x90])
            }
        }
    }

    /// Applies `range` of the relocations of a section that is not loaded, mostly of debug
    /// information.
    #[inline(never)]
    fn unloaded(&self, range: Range<usize>, out: &mut [u8], failures: &mut Vec<Failure>) {
        let end = range.end;
        let none = Member::default();
        let mut strings = Strings { symbol: u64::MAX, address: 0, member: &none };
        let tombstone = tombstone(self.image, self.patch.section);
        let mut rest = &self.patch.relocs[range];
        loop {
            rest = self.unloaded_run(rest, out, &strings, tombstone);
            let Some(reloc) = rest.first() else { return };
            match self.strings(reloc).filter(|found| found.symbol != strings.symbol) {
                Some(found) => strings = found,
                None => {
                    let handled = self.any(out, failures, end - rest.len());
                    rest = rest.get(handled..).unwrap_or_default();
                }
            }
        }
    }

    /// Debug information of a program with folded sections: references to folded sections are
    /// treated like those to dropped ones, because debuggers cannot choose between two functions at
    /// one address.
    #[cold]
    fn without_folded(&self, out: &mut [u8], failures: &mut Vec<Failure>) {
        let &Site { image, patch, .. } = self;
        operands::without_folded(image, patch, |range, is_folded| {
            if !is_folded {
                return self.unloaded(range, out, failures);
            }
            let operands = Operands { image, patch };
            let mut apply = Apply { operands, out, failures };
            patch.relocs[range].iter().for_each(|reloc| apply.gone(reloc));
        });
    }

    /// Applies relocations to plain symbols, to `strings`, and to sections that are not in the
    /// output. Stops at the first other relocation, and returns the rest.
    #[inline(always)]
    fn unloaded_run<'r>(
        &self,
        mut relocs: &'r [Rela],
        out: &mut [u8],
        strings: &Strings<'_>,
        tombstone: u64,
    ) -> &'r [Rela] {
        while let [reloc, rest @ ..] = relocs {
            let symbol = reloc.symbol();
            let addend = reloc.r_addend() as u64;
            let s = if u64::from(symbol) == strings.symbol {
                strings.address.wrapping_add(strings.member.output_offset(addend))
            } else {
                match self.values.get(symbol) {
                    Some(&value) if values::is_plain(value) => value.wrapping_add(addend),
                    Some(&values::DEAD) => tombstone,
                    _ => break,
                }
            };
            let r_type = reloc.r_type();
            let is_done = if r_type == R_X86_64_32 {
                s <= u64::from(u32::MAX)
                    && field::store(out, self.at(reloc), (s as u32).to_le_bytes())
            } else {
                r_type == R_X86_64_64 && field::store(out, self.at(reloc), s.to_le_bytes())
            };
            if !is_done {
                break;
            }
            relocs = rest;
        }
        relocs
    }

    /// The merged section whose STT_SECTION symbol `reloc` refers to.
    fn strings(&self, reloc: &Rela) -> Option<Strings<'a>> {
        let symbol = reloc.symbol();
        match values::decode(*self.values.get(symbol)?) {
            Value::Merged(section) => Some(Strings {
                symbol: symbol.into(),
                address: self.image.address(section),
                member: self.image.merged.member(section)?,
            }),
            _ => None,
        }
    }

    /// Applies any relocation, and reports what is wrong with it.
    #[inline(never)]
    fn any(&self, out: &mut [u8], failures: &mut Vec<Failure>, index: usize) -> usize {
        let &Site { image, patch, .. } = self;
        Apply { operands: Operands { image, patch }, out, failures }.relocation(index)
    }
}
