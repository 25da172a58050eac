//! The apply loops: they write relocated values into the output's copy of a section.
//!
//! Addresses, distances and offsets from the GOT with a plain value take the short way: one load of
//! the value, an addition and a store; no field of 32 bits is out of range. Calls of imports and
//! strings in merged sections have a way of their own; `apply_any.rs` does all others.

use super::apply_any::Apply;
use crate::format::elf::SymbolId;
use crate::loops::operands::{self, Operands, hides_folded, tombstone};
use crate::machine::i386::howto::is_thread_local;
use crate::read::object_file::SectionFlags;
use crate::read::rel_in_place::{Entry, InPlace};
use crate::select::merge::Member;
use crate::synth::image::Image;
use crate::synth::patch::{Failure, Patch};
use crate::synth::values::{self, Value};
use object::elf::*;
use skald_core::field;
use skald_core::ids::IdSlice;

/// Applies all relocations of `patch` to `out`, the output's copy of the part.
pub fn apply(image: &Image<'_>, patch: &Patch<'_>, out: &mut [u8], failures: &mut Vec<Failure>) {
    let any = |index, out: &mut [u8], failures: &mut Vec<Failure>| {
        Apply { operands: Operands { image, patch }, out, failures }.relocation(index)
    };
    let is_loaded = patch.section.flags.has(SectionFlags::ALLOC);
    if !is_loaded && image.liveness.has_folded && hides_folded(image, patch.section) {
        return without_folded(image, patch, out, failures);
    }
    entries(image, patch, patch.relocs, out, failures, any);
}

/// The same for `relocs` as the file has them; `patch` has none.
pub fn apply_in_place(
    image: &Image<'_>,
    patch: &Patch<'_>,
    relocs: InPlace<'_>,
    out: &mut [u8],
    failures: &mut Vec<Failure>,
) {
    if image.liveness.has_folded && !patch.section.flags.has(SectionFlags::ALLOC) {
        let records = relocs.records();
        return apply(image, &Patch { relocs: &records, ..*patch }, out, failures);
    }
    let any = |index, out: &mut [u8], failures: &mut Vec<Failure>| {
        let mut buffer = Default::default();
        let (relocs, at) = relocs.around(index, is_thread_local, &mut buffer);
        let patch = &Patch { relocs, first: patch.first + (index - at) as u32, ..*patch };
        Apply { operands: Operands { image, patch }, out, failures }.relocation(at)
    };
    entries(image, patch, relocs.entries, out, failures, any);
}

/// Applies relocations of either form. `any` applies any relocation, by its index, reports what is
/// wrong with it, and returns how many it has handled.
#[inline(always)]
fn entries<E: Entry>(
    image: &Image<'_>,
    patch: &Patch<'_>,
    relocs: &[E],
    out: &mut [u8],
    failures: &mut Vec<Failure>,
    any: impl Fn(usize, &mut [u8], &mut Vec<Failure>) -> usize,
) {
    let values = image.values_of(patch.section.object);
    let start = patch.address.wrapping_sub(patch.section_offset);
    let site = Site { image, patch, relocs, values, start, got: image.got_base };
    if patch.section.flags.has(SectionFlags::ALLOC) {
        let rest = site.plain(relocs, out);
        if !rest.is_empty() {
            site.loaded(rest, out, failures, any);
        }
    } else {
        site.unloaded(out, failures, any);
    }
}

struct Site<'a, E> {
    image: &'a Image<'a>,
    patch: &'a Patch<'a>,
    relocs: &'a [E],
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

impl<'a, E: Entry> Site<'a, E> {
    /// Applies relocations up to the first that is not plain; returns those from it on.
    #[inline(always)]
    fn plain<'r>(&self, mut relocs: &'r [E], out: &mut [u8]) -> &'r [E] {
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
    fn loaded(
        &self,
        mut rest: &[E],
        out: &mut [u8],
        failures: &mut Vec<Failure>,
        any: impl Fn(usize, &mut [u8], &mut Vec<Failure>) -> usize,
    ) {
        while let [reloc, tail @ ..] = rest {
            let mut next = tail;
            if !self.loaded_other(out, reloc) {
                let handled = any(self.relocs.len() - rest.len(), out, failures);
                next = rest.get(handled..).unwrap_or_default();
            }
            rest = self.plain(next, out);
        }
    }

    /// Writes the field of a frequent type; `false`, with nothing written, for any other type and a
    /// place outside.
    #[inline(always)]
    fn store(&self, out: &mut [u8], reloc: &E, value: u64) -> bool {
        let r_offset = reloc.r_offset();
        let value = match reloc.r_type() {
            R_386_32 => value,
            R_386_PC32 | R_386_PLT32 => value.wrapping_sub(self.start.wrapping_add(r_offset)),
            R_386_GOTOFF => value.wrapping_sub(self.got),
            R_386_GOTPC => self.got.wrapping_sub(self.start.wrapping_add(r_offset)),
            _ => return false,
        };
        reloc.put_sum(out, self.at(reloc), value as u32)
    }

    /// Where the field is in the output's copy of the part.
    #[inline(always)]
    fn at(&self, reloc: &E) -> usize {
        reloc.r_offset().wrapping_sub(self.patch.section_offset) as usize
    }

    /// Applies a relocation that is frequent in loaded sections, though its symbol is not plain.
    #[inline(always)]
    fn loaded_other(&self, out: &mut [u8], reloc: &E) -> bool {
        let Some(&value) = self.values.get(reloc.symbol()) else { return false };
        match values::decode(value) {
            Value::Called(distance) => {
                let entry = self.image.bases.plt.wrapping_add_signed(distance.into());
                matches!(reloc.r_type(), R_386_PC32 | R_386_PLT32) && self.store(out, reloc, entry)
            }
            Value::Merged(section) => match self.image.merged.member(section) {
                Some(member) => {
                    // The addend chooses the piece, so it is no longer added.
                    let addend = reloc.addend(out, self.at(reloc)) as u64;
                    let s = self.image.address(section).wrapping_add(member.output_offset(addend));
                    self.store(out, reloc, s.wrapping_sub(addend))
                }
                None => false,
            },
            Value::Plain(_) | Value::Dead | Value::Indirect => false,
        }
    }

    /// Applies the relocations of a section that is not loaded: debug information, mostly.
    #[inline(never)]
    fn unloaded(
        &self,
        out: &mut [u8],
        failures: &mut Vec<Failure>,
        any: impl Fn(usize, &mut [u8], &mut Vec<Failure>) -> usize,
    ) {
        let none = Member::default();
        let mut strings = Strings { symbol: u64::MAX, address: 0, member: &none };
        let tombstone = tombstone(self.image, self.patch.section);
        let mut rest = self.relocs;
        loop {
            rest = self.unloaded_run(rest, out, &strings, tombstone);
            let Some(reloc) = rest.first() else { return };
            match self.strings(reloc).filter(|found| found.symbol != strings.symbol) {
                Some(found) => strings = found,
                None => {
                    let handled = any(self.relocs.len() - rest.len(), out, failures);
                    rest = rest.get(handled..).unwrap_or_default();
                }
            }
        }
    }

    /// Applies relocations to plain symbols, to `strings`, and to what is not in the output, up to
    /// the first that is none of these; returns those from it on.
    #[inline(always)]
    fn unloaded_run<'r>(
        &self,
        mut relocs: &'r [E],
        out: &mut [u8],
        strings: &Strings<'_>,
        tombstone: u64,
    ) -> &'r [E] {
        while let [reloc, rest @ ..] = relocs {
            let symbol = reloc.symbol();
            let addend = reloc.addend(out, self.at(reloc)) as u64;
            let s = if u64::from(symbol) == strings.symbol {
                strings.address.wrapping_add(strings.member.output_offset(addend))
            } else {
                match self.values.get(symbol) {
                    Some(&value) if values::is_plain(value) => value.wrapping_add(addend),
                    Some(&values::DEAD) => tombstone,
                    _ => break,
                }
            };
            let at = self.at(reloc);
            if reloc.r_type() != R_386_32 || !field::store(out, at, (s as u32).to_le_bytes()) {
                break;
            }
            relocs = rest;
        }
        relocs
    }

    /// The merged section whose STT_SECTION symbol `reloc` refers to.
    fn strings(&self, reloc: &E) -> Option<Strings<'a>> {
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
}

/// Debug information of a program with folded sections: it describes them as if they were gone,
/// since of two functions at one address debuggers would find any.
#[cold]
fn without_folded(
    image: &Image<'_>,
    patch: &Patch<'_>,
    out: &mut [u8],
    failures: &mut Vec<Failure>,
) {
    operands::without_folded(image, patch, |range, is_folded| {
        let first = patch.first + range.start as u32;
        let patch = &Patch { relocs: &patch.relocs[range], first, ..*patch };
        let operands = Operands { image, patch };
        if is_folded {
            let mut apply = Apply { operands, out, failures };
            return patch.relocs.iter().for_each(|reloc| apply.gone(reloc));
        }
        entries(image, patch, patch.relocs, out, failures, |index, out, failures| {
            Apply { operands, out, failures }.relocation(index)
        });
    });
}
