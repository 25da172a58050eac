//! The apply loops: they write relocated values into the output's copy of a section.
//!
//! Addresses, distances and offsets from the GOT with a plain value take the short way: one load of
//! the value, an addition and a store; no field of 32 bits is out of range. Calls of imports and
//! strings in merged sections have a way of their own; `apply_any.rs` does all others.

use super::apply_any::Apply;
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
    let site = Site { image, patch, values, start, got: image.got_base };
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
    /// GOT.
    got: u64,
}

/// A merged section that many relocations of a debug section refer to (`.debug_str`).
struct Strings<'a> {
    /// The index of its STT_SECTION symbol.
    symbol: u64,
    address: u64,
    member: &'a Member,
}

impl<'a> Site<'a> {
    /// Applies relocations up to the first that is not plain; returns those from it on.
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

    /// The relocations of a section of the running program from the first on that is not plain.
    /// Apart, so that what is all plain has a small loop and nothing to set up for the rest.
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

    /// Writes the field of a frequent type; `false`, with nothing written, for any other type and a
    /// place outside.
    #[inline(always)]
    fn store(&self, out: &mut [u8], reloc: &Rela, value: u64) -> bool {
        let r_offset = reloc.r_offset();
        let base = match reloc.r_type() {
            R_386_32 => 0,
            R_386_PC32 | R_386_PLT32 => self.start.wrapping_add(r_offset),
            R_386_GOTOFF => self.got,
            _ => return false,
        };
        let value = value.wrapping_add_signed(reloc.r_addend()).wrapping_sub(base);
        let at = r_offset.wrapping_sub(self.patch.section_offset) as usize;
        field::store(out, at, (value as u32).to_le_bytes())
    }

    /// Applies a relocation that is frequent in loaded sections, though its symbol is not plain.
    #[inline(always)]
    fn loaded_other(&self, out: &mut [u8], reloc: &Rela) -> bool {
        let Some(&value) = self.values.get(reloc.symbol()) else { return false };
        match values::decode(value) {
            Value::Called(distance) => {
                let entry = self.image.bases.plt.wrapping_add_signed(distance.into());
                matches!(reloc.r_type(), R_386_PC32 | R_386_PLT32) && self.store(out, reloc, entry)
            }
            Value::Merged(section) => match self.image.merged.member(section) {
                Some(member) => {
                    // The addend chooses the piece, so it is no longer added.
                    let addend = reloc.r_addend() as u64;
                    let s = self.image.address(section).wrapping_add(member.output_offset(addend));
                    self.store(out, reloc, s.wrapping_sub(addend))
                }
                None => false,
            },
            Value::Plain(_) | Value::Dead | Value::Indirect => false,
        }
    }

    /// Applies `range` of the relocations of a section that is not loaded: debug information,
    /// mostly.
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

    /// Debug information of a program with folded sections: it describes them as if they were gone,
    /// since of two functions at one address debuggers would find any.
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

    /// Applies relocations to plain symbols, to `strings`, and to what is not in the output, up to
    /// the first that is none of these; returns those from it on.
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
            let at = reloc.r_offset().wrapping_sub(self.patch.section_offset) as usize;
            if reloc.r_type() != R_386_32 || !field::store(out, at, (s as u32).to_le_bytes()) {
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
