//! The apply loops: they write relocated values into the output's copy of a section.
//!
//! Branches, pages, low bits of addresses, and words take a fast path if the value is plain: one
//! load of the value, an addition, a range check and a store. Calls of imports and strings in
//! merged sections have fast paths of their own. `apply_any.rs` handles all other relocations, and
//! reports errors in those that the fast paths pass on.

use super::apply_any::Apply;
use super::decide::keeps_loads;
use super::instruction::{self, Form, NOP, page, with_adr, with_imm12, with_imm26};
use super::relax::{self, is_near};
use crate::format::elf::{Rela, SymbolId};
use crate::loops::operands::{self, Operands, hides_folded, tombstone};
use crate::machine::aarch64::howto::*;
use crate::read::object_file::SectionFlags;
use crate::select::merge::Member;
use crate::synth::image::Image;
use crate::synth::patch::{Failure, Patch};
use crate::synth::values::{self, Value};
use skald_core::field;
use skald_core::ids::IdSlice;
use skald_linking::byte_order::ByteOrder;
use std::ops::Range;

/// Applies all relocations of `patch` to `out`, the output's copy of the part.
pub fn apply(image: &Image<'_>, patch: &Patch<'_>, out: &mut [u8], failures: &mut Vec<Failure>) {
    let values = image.values_of(patch.section.object);
    let start = patch.address.wrapping_sub(patch.section_offset);
    let site =
        Site { image, patch, values, start, order: image.machine.byte_order, relax: image.relax };
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
    /// The order of data.
    order: ByteOrder,
    /// Pairs of instructions are rewritten.
    relax: bool,
}

/// A merged section that many relocations of a debug section refer to (`.debug_str`).
struct Strings<'a> {
    /// The index of its STT_SECTION symbol.
    symbol: u64,
    address: u64,
    member: &'a Member,
}

impl<'a> Site<'a> {
    /// Applies relocations up to the first that is not plain; returns the rest.
    #[inline(always)]
    fn plain<'r>(&self, mut relocs: &'r [Rela], out: &mut [u8]) -> &'r [Rela] {
        while let [reloc, rest @ ..] = relocs {
            match self.values.get(reloc.symbol()) {
                Some(&value)
                    if values::is_plain(value)
                        && value != 0
                        && self.store(out, reloc, value.wrapping_add_signed(reloc.r_addend())) => {}
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
            if self.got_load(out, rest) {
                next = tail.get(1..).unwrap_or_default();
            } else if !self.loaded_other(out, reloc) {
                let handled = self.any(out, failures, relocs.len() - rest.len());
                next = rest.get(handled..).unwrap_or_default();
            }
            rest = self.plain(next, out);
        }
    }

    /// Writes the field of a frequent type; `sum` is S + A. Returns `false`, with nothing written,
    /// for any other type, a value out of range or misaligned, or a field outside of the section.
    /// The same holds for a pair of instructions that may be rewritten.
    #[inline(always)]
    fn store(&self, out: &mut [u8], reloc: &Rela, sum: u64) -> bool {
        let at = self.at(reloc);
        let place = self.start.wrapping_add(reloc.r_offset());
        let r_type = reloc.r_type();
        match r_type {
            R_AARCH64_ABS64 => field::store(out, at, self.order.bytes(sum)),
            R_AARCH64_PREL32 => {
                let distance = sum.wrapping_sub(place);
                distance as i64 == i64::from(distance as i32)
                    && field::store(out, at, self.order.bytes(distance as u32))
            }
            R_AARCH64_CALL26 | R_AARCH64_JUMP26 => {
                let distance = sum.wrapping_sub(place);
                let fits = distance.wrapping_add(1 << 27) < 1 << 28 && distance & 3 == 0;
                fits && rewrite(out, at, |word| with_imm26(word, distance))
            }
            R_AARCH64_ADR_PREL_PG_HI21 => {
                let distance = page(sum).wrapping_sub(page(place));
                let fits = distance.wrapping_add(1 << 32) < 1 << 33;
                let is_pair = self.relax && is_near(sum, place.wrapping_add(4));
                fits && !is_pair && rewrite(out, at, |word| with_adr(word, distance >> 12))
            }
            R_AARCH64_ADD_ABS_LO12_NC => {
                let is_pair = self.relax && is_near(sum, place);
                !is_pair && rewrite(out, at, |word| with_imm12(word, sum))
            }
            R_AARCH64_LDST8_ABS_LO12_NC => rewrite(out, at, |word| with_imm12(word, sum)),
            R_AARCH64_LDST16_ABS_LO12_NC => scaled(out, at, sum, 1),
            R_AARCH64_LDST32_ABS_LO12_NC => scaled(out, at, sum, 2),
            R_AARCH64_LDST64_ABS_LO12_NC => scaled(out, at, sum, 3),
            R_AARCH64_LDST128_ABS_LO12_NC => scaled(out, at, sum, 4),
            _ => false,
        }
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
            Value::Called(distance) => {
                let entry = self.image.bases.plt.wrapping_add_signed(distance.into());
                matches!(reloc.r_type(), R_AARCH64_CALL26 | R_AARCH64_JUMP26)
                    && self.store(out, reloc, entry.wrapping_add_signed(reloc.r_addend()))
            }
            Value::Merged(section) => match self.image.merged.member(section) {
                Some(member) => {
                    // The addend selects the piece, so it is not added again.
                    let addend = reloc.r_addend() as u64;
                    let s = self.image.address(section).wrapping_add(member.output_offset(addend));
                    self.store(out, reloc, s)
                }
                None => false,
            },
            Value::Plain(_) | Value::Dead | Value::Indirect => false,
        }
    }

    /// Applies both relocations of a load from the GOT whose instructions follow each other.
    #[inline(always)]
    fn got_load(&self, out: &mut [u8], relocs: &[Rela]) -> bool {
        let [first, second, ..] = relocs else { return false };
        first.r_type() == R_AARCH64_ADR_GOT_PAGE && self.got_pair(out, first, second)
    }

    #[inline(never)]
    fn got_pair(&self, out: &mut [u8], first: &Rela, second: &Rela) -> bool {
        let &Site { image, patch, .. } = self;
        if !relax::is_pair(patch.original, first, second) {
            return false;
        }
        let target = image.definitions.target_of(patch.section.object, first.symbol());
        let place = self.start.wrapping_add(first.r_offset());
        let (at, next) = (self.at(first), self.at(second));
        let (Some(adrp), Some(load)) = (instruction::read(out, at), instruction::read(out, next))
        else {
            return false;
        };
        let is_rewritten = image.definitions.is_plain(target)
            && self.relax
            && !keeps_loads(image, patch.id, first);
        let word = || image.got_word(image.slots.of_name(target.name()?)?.got).into();
        let value = if is_rewritten { self.values.get(first.symbol()).copied() } else { word() };
        let Some(value) = value.filter(|&value| values::is_plain(value) && value != 0) else {
            return false;
        };
        let distance = page(value).wrapping_sub(page(place));
        if distance.wrapping_add(1 << 32) >= 1 << 33 {
            return false;
        }
        let adrp = with_adr(adrp, distance >> 12);
        let [adrp, load] = if !is_rewritten {
            [adrp, with_imm12(load, (value & 0xfff) >> 3)]
        } else if is_near(value, place.wrapping_add(4)) {
            let adr = Form::ADR.to(instruction::rd(load));
            [NOP, with_adr(adr, value.wrapping_sub(place.wrapping_add(4)))]
        } else {
            [adrp, with_imm12(Form::ADD.to(load & 0x3ff), value)]
        };
        instruction::write(out, at, adrp) && instruction::write(out, next, load)
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
                    self.any(out, failures, end - rest.len());
                    rest = &rest[1..];
                }
            }
        }
    }

    /// Debug information of a program with folded sections.
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
            let is_done = if r_type == R_AARCH64_ABS32 {
                s <= u64::from(u32::MAX)
                    && field::store(out, self.at(reloc), self.order.bytes(s as u32))
            } else {
                r_type == R_AARCH64_ABS64 && field::store(out, self.at(reloc), self.order.bytes(s))
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

/// Puts another instruction in the place of the one at `at`; `false` if there is none.
#[inline(always)]
fn rewrite(out: &mut [u8], at: usize, change: impl FnOnce(u32) -> u32) -> bool {
    match instruction::read(out, at) {
        Some(word) => instruction::write(out, at, change(word)),
        None => false,
    }
}

/// Writes the lowest bits of `sum` to a load or store of `1 << bits` bytes, if it is aligned.
#[inline(always)]
fn scaled(out: &mut [u8], at: usize, sum: u64, bits: u32) -> bool {
    sum & ((1 << bits) - 1) == 0 && rewrite(out, at, |word| with_imm12(word, (sum & 0xfff) >> bits))
}
