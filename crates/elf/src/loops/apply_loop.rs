//! The apply loop of machines whose own part of it is the formulas of their psABI: it writes
//! relocated values into the output's copy of a section. The letters are those of psABIs: S symbol,
//! A addend, P place, G word of the GOT.
//!
//! Machines that people link large programs for have loops of their own (`x86_64`, `aarch64`,
//! `i386`). A machine is a type argument, so its part is compiled into the loop.

use super::operands::{self, Operands, hides_folded, tombstone};
use crate::format::elf::{Rela, SymbolId};
use crate::machine::Class;
use crate::machine::howto::{Howto, Range};
use crate::read::object_file::SectionFlags;
use crate::read::rel_in_place::InPlace;
use crate::synth::image::Image;
use crate::synth::patch::{Failure, Fault, Patch};
use crate::synth::values::{self, Value};
use skald_core::ids::IdSlice;

/// What the loop asks a machine.
pub trait ApplyTypes: 'static {
    /// Whether a type has no field and nothing to do.
    fn is_mark(r_type: u32) -> bool;

    /// Writes the field of a frequent type; `sum` is S + A of a plain symbol that is not at zero.
    /// `false`, with nothing written, for any other type, and for what may be wrong.
    fn plain(site: &mut Site<'_>, reloc: &Rela, r_type: u32, sum: u64) -> bool;

    /// Applies a relocation of any type. `index` is that among the relocations of the patch.
    fn any(site: &mut Site<'_>, reloc: &Rela, index: usize, target: Target) -> Result<(), Fault>;

    /// Handles a reference to a section that is not in the output: the field is just the addend in
    /// loaded sections (only exception tables get here), and a tombstone in debug information.
    fn gone(site: &mut Site<'_>, reloc: &Rela);

    /// Whether relocations of a type are looked at with those beside them, where the file's own
    /// entries are read.
    fn is_grouped(_r_type: u32) -> bool {
        false
    }
}

/// A symbol's value.
#[derive(Clone, Copy)]
pub struct Target {
    /// S.
    pub s: u64,
    /// S + A.
    pub sum: u64,
    /// Only the loader knows S.
    pub is_indirect: bool,
}

/// A section that is relocated: the output's copy of it, and what its symbols are.
pub struct Site<'a> {
    /// What the letters of formulas stand for.
    pub operands: Operands<'a>,
    /// The output's copy of the part.
    pub out: &'a mut [u8],
    values: &'a IdSlice<SymbolId, u64>,
    failures: &'a mut Vec<Failure>,
}

/// Applies all relocations of `patch` to `out`, the output's copy of the part.
pub fn apply<T: ApplyTypes>(
    image: &Image<'_>,
    patch: &Patch<'_>,
    out: &mut [u8],
    failures: &mut Vec<Failure>,
) {
    let is_loaded = patch.section.flags.has(SectionFlags::ALLOC);
    if !is_loaded && image.liveness.has_folded && hides_folded(image, patch.section) {
        return operands::without_folded(image, patch, |range, is_folded| {
            let first = patch.first + range.start as u32;
            let patch = &Patch { relocs: &patch.relocs[range], first, ..*patch };
            let mut site = Site::new(image, patch, out, failures);
            if is_folded {
                patch.relocs.iter().for_each(|reloc| T::gone(&mut site, reloc));
            } else {
                site.all::<T>();
            }
        });
    }
    Site::new(image, patch, out, failures).all::<T>();
}

/// The same for `relocs` as the file has them; `patch` has none.
pub fn apply_in_place<T: ApplyTypes>(
    image: &Image<'_>,
    patch: &Patch<'_>,
    relocs: InPlace<'_>,
    out: &mut [u8],
    failures: &mut Vec<Failure>,
) {
    if image.liveness.has_folded && !patch.section.flags.has(SectionFlags::ALLOC) {
        let records = relocs.records();
        return apply::<T>(image, &Patch { relocs: &records, ..*patch }, out, failures);
    }
    for index in 0..relocs.entries.len() {
        let mut buffer = Default::default();
        let (relocs, at) = relocs.around(index, T::is_grouped, &mut buffer);
        let patch = &Patch { relocs, first: patch.first + (index - at) as u32, ..*patch };
        Site::new(image, patch, out, failures).one::<T>(&relocs[at], at);
    }
}

impl<'a> Site<'a> {
    #[inline(always)]
    fn new(
        image: &'a Image<'a>,
        patch: &'a Patch<'a>,
        out: &'a mut [u8],
        failures: &'a mut Vec<Failure>,
    ) -> Site<'a> {
        let values = image.values_of(patch.section.object);
        Site { operands: Operands { image, patch }, out, values, failures }
    }

    fn all<T: ApplyTypes>(&mut self) {
        for (index, reloc) in self.operands.patch.relocs.iter().enumerate() {
            self.one::<T>(reloc, index);
        }
    }

    #[inline(always)]
    fn one<T: ApplyTypes>(&mut self, reloc: &Rela, index: usize) {
        let r_type = reloc.r_type();
        if T::is_mark(r_type) {
            return;
        }
        let Some(&value) = self.values.get(reloc.symbol()) else {
            return self.fail(index, Fault::BadSymbol);
        };
        let is_done = values::is_plain(value) && value != 0 && {
            let sum = value.wrapping_add_signed(reloc.r_addend());
            T::plain(self, reloc, r_type, sum)
        };
        if !is_done {
            self.other::<T>(reloc, index, value);
        }
    }

    #[inline(never)]
    fn other<T: ApplyTypes>(&mut self, reloc: &Rela, index: usize, value: u64) {
        if matches!(values::decode(value), Value::Dead) {
            return T::gone(self, reloc);
        }
        // A piece of a merged section that is not in the output is one that nothing reads.
        let Some(target) = self.target(reloc, value) else { return };
        if let Err(what) = T::any(self, reloc, index, target) {
            self.fail(index, what);
        }
    }

    #[cold]
    fn fail(&mut self, index: usize, what: Fault) {
        let reloc = self.operands.patch.first + index as u32;
        self.failures.push(Failure { section: self.operands.patch.id, reloc, what });
    }

    /// The target of another relocation than the one that is applied; `None` if it is not in the
    /// output.
    pub fn target_of(&self, reloc: &Rela) -> Result<Option<Target>, Fault> {
        let value = *self.values.get(reloc.symbol()).ok_or(Fault::BadSymbol)?;
        Ok(self.target(reloc, value))
    }

    fn target(&self, reloc: &Rela, value: u64) -> Option<Target> {
        let plain =
            |s: u64| Target { s, sum: s.wrapping_add_signed(reloc.r_addend()), is_indirect: false };
        match values::decode(value) {
            Value::Plain(s) => Some(plain(s)),
            // The addend selects the place.
            Value::Merged(section) => {
                let sum = self.operands.image.place_in(section, reloc.r_addend() as u64)?;
                Some(Target { s: sum, sum, is_indirect: false })
            }
            Value::Dead => None,
            Value::Indirect | Value::Called(_) => Some(match self.operands.own_address(reloc) {
                Some(s) => plain(s),
                None => Target { is_indirect: true, ..plain(0) },
            }),
        }
    }

    /// Whether addresses have 32 bits.
    #[inline(always)]
    pub fn is_32(&self) -> bool {
        self.operands.image.machine.class == Class::Elf32
    }

    /// Offset of the field in the output's copy of the part.
    #[inline(always)]
    pub fn at(&self, reloc: &Rela) -> usize {
        self.operands.out_offset(reloc)
    }

    /// P: address of the field.
    #[inline(always)]
    pub fn place(&self, reloc: &Rela) -> u64 {
        self.operands.place(reloc)
    }

    /// S + A for code at this place. For a symbol bound at run time, S is its PLT entry.
    pub fn address(&self, reloc: &Rela, target: Target) -> u64 {
        if !target.is_indirect {
            return target.sum;
        }
        self.operands.fixed_address(reloc).wrapping_add_signed(reloc.r_addend())
    }

    /// Where a branch leads: S + A, where S may be a PLT entry.
    pub fn called(&self, reloc: &Rela, target: Target) -> u64 {
        if !target.is_indirect {
            return target.sum;
        }
        self.operands.function_address(reloc).wrapping_add_signed(reloc.r_addend())
    }

    /// A result of 64-bit arithmetic as a number: where addresses have 32 bits, it wraps at those.
    pub fn number(&self, value: u64) -> i64 {
        if self.is_32() { value as i32 as i64 } else { value as i64 }
    }

    /// Checks that a field holds a value, and that the value is a multiple of what its type needs.
    pub fn check(&self, reloc: &Rela, howto: &Howto, value: u64) -> Result<(), Fault> {
        let number = self.number(value);
        let is_whole =
            matches!(howto.range, Range::Signed(32) | Range::Unsigned(32) | Range::Either(32));
        let fits = is_whole && self.is_32() || howto.range.contains(number);
        if !fits {
            return Err(Fault::OutOfRange(number));
        }
        let align = (self.operands.image.machine.field_align)(reloc.r_type());
        if value & (align - 1) != 0 { Err(Fault::Misaligned(value)) } else { Ok(()) }
    }

    /// Writes the lowest `size` bytes of a value in the order of data; `false`, with nothing
    /// written, if they are not all there.
    #[inline(always)]
    pub fn put_data(&mut self, at: usize, size: usize, value: u64) -> bool {
        let place = at.checked_add(size).and_then(|end| self.out.get_mut(at..end));
        place.map(|place| self.operands.image.machine.byte_order.put_low(place, value)).is_some()
    }

    /// What a field of data gets for a section that is not in the output.
    pub fn put_gone(&mut self, reloc: &Rela, size: usize) {
        let section = self.operands.patch.section;
        let value = if section.flags.has(SectionFlags::ALLOC) {
            reloc.r_addend() as u64
        } else {
            tombstone(self.operands.image, section)
        };
        self.put_data(self.at(reloc), size, value);
    }
}
