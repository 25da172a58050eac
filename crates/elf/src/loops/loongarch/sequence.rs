//! Which relocations belong to the instructions of one sequence. An assembler writes the
//! instructions of an address one behind the other, each with its relocation, and marks those that
//! the linker may change by another one (`R_LARCH_RELAX`).

use super::instruction::{self, Form, rd, rj};
use crate::format::elf::Rela;
use crate::loops::operands::Operands;
use crate::machine::loongarch::howto::{R_LARCH_TLS_DESC_PCADD_HI20, higher_part};
use crate::read::object_file::SectionFlags;
use object::elf::*;

/// How many relocations before another one of a sequence its first is searched.
const NEARBY: usize = 16;

/// The bytes of a section and its relocations.
#[derive(Clone, Copy)]
pub struct Code<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// All of its relocations.
    pub relocs: &'a [Rela],
}

impl<'a> Code<'a> {
    /// The code of a patch, and the index in it of the patch's relocation `index`.
    pub fn of(operands: Operands<'a>, index: usize) -> (Code<'a>, usize) {
        let patch = operands.patch;
        // Sections that lose bytes are applied as a whole, and their relocations have moved.
        if patch.section.flags.has(SectionFlags::SHRINKS) {
            return (Code { bytes: patch.original, relocs: patch.relocs }, index);
        }
        let relocs = operands.image.objects[patch.section.object].relocs(patch.section);
        (Code { bytes: patch.original, relocs }, patch.first as usize + index)
    }

    /// The instruction of a relocation.
    pub fn word(self, index: usize) -> Option<u32> {
        let at = self.relocs.get(index)?.r_offset();
        instruction::read(self.bytes, usize::try_from(at).ok()?)
    }

    /// The instruction `distance` bytes behind that of a relocation.
    pub fn word_behind(self, index: usize, distance: u64) -> Option<u32> {
        let at = self.relocs.get(index)?.r_offset().checked_add(distance)?;
        instruction::read(self.bytes, usize::try_from(at).ok()?)
    }

    /// Whether the instruction of a relocation may be relaxed: another relocation of its place says
    /// so.
    #[inline(always)]
    pub fn is_relaxable(self, index: usize) -> bool {
        let [reloc, next, ..] = self.relocs.get(index..).unwrap_or_default() else { return false };
        next.r_type() == R_LARCH_RELAX && next.r_offset() == reloc.r_offset()
    }

    /// The relocation of the instruction behind that of `first`.
    pub fn second(self, first: usize) -> Option<usize> {
        let second = first + 1 + usize::from(self.is_relaxable(first));
        let place = |index: usize| self.relocs.get(index).map(Rela::r_offset);
        (place(second)? == place(first)?.checked_add(4)?).then_some(second)
    }

    /// The relocation of the instruction before that of `second`.
    pub fn first(self, second: usize) -> Option<usize> {
        let before = second.checked_sub(1)?;
        let is_mark = self.relocs.get(before)?.r_type() == R_LARCH_RELAX;
        let first = if is_mark { before.checked_sub(1)? } else { before };
        (self.second(first) == Some(second)).then_some(first)
    }

    /// Whether the two instructions that follow each other from relocation `first` on compute or
    /// load an address in one register, so that nothing sees what the first leaves. The second has
    /// a relocation of `low` for the same symbol, and this form.
    pub fn is_pair(self, first: usize, low: u32, form: Form) -> bool {
        let Some(second) = self.second(first) else { return false };
        let [one, other] = [&self.relocs[first], &self.relocs[second]];
        let is_same = (one.symbol(), one.r_addend()) == (other.symbol(), other.r_addend());
        let (Some(upper), Some(word)) = (self.word(first), self.word(second)) else { return false };
        other.r_type() == low
            && is_same
            && Form::PCALAU12I.is(upper)
            && form.is(word)
            && (rd(word), rj(word)) == (rd(upper), rd(upper))
    }

    /// Likewise, if both are marked as relaxable.
    pub fn is_relaxable_pair(self, first: usize, low: u32, form: Form) -> bool {
        let second = self.second(first);
        self.is_pair(first, low, form)
            && self.is_relaxable(first)
            && second.is_some_and(|second| self.is_relaxable(second))
    }

    /// Whether the instruction of a relocation is one of a load from the GOT, by this form.
    pub fn is_got_load(self, index: usize, form: Form) -> bool {
        let is_first = self.relocs[index].r_type() == R_LARCH_GOT_PC_HI20;
        let first = if is_first { Some(index) } else { self.first(index) };
        first.is_some_and(|first| {
            let reloc = &self.relocs[first];
            reloc.r_type() == R_LARCH_GOT_PC_HI20
                && reloc.r_addend() == 0
                && self.is_pair(first, R_LARCH_GOT_PC_LO12, form)
        })
    }

    /// Whether the upper part of an address has parts above it: the address has 64 bits.
    pub fn is_far(self, index: usize) -> bool {
        let higher = self.relocs.get(index).and_then(|reloc| higher_part(reloc.r_type()));
        higher.is_some_and(|higher| self.has(index, 8, higher))
    }

    /// Whether the instruction `distance` bytes behind that of a relocation has a relocation of
    /// this type and for the same symbol.
    pub fn has(self, index: usize, distance: u64, r_type: u32) -> bool {
        let reloc = &self.relocs[index];
        let place = reloc.r_offset().wrapping_add(distance);
        let is_it = |other: &Rela| {
            (other.r_offset(), other.r_type(), other.symbol()) == (place, r_type, reloc.symbol())
        };
        let behind = self.relocs[index + 1..].iter().take(NEARBY);
        behind.take_while(|other| other.r_offset() <= place).any(is_it)
    }

    /// Whether the sequence with a TLS descriptor to which a relocation belongs is one that can be
    /// rewritten: not that with an address of 64 bits, nor those of other code models.
    pub fn is_plain_descriptor(self, index: usize) -> bool {
        let symbol = self.relocs[index].symbol();
        let before = (0..=index).rev().take(NEARBY);
        let mut of_symbol = before.filter(|&index| self.relocs[index].symbol() == symbol);
        let first = of_symbol.find_map(|index| match self.relocs[index].r_type() {
            R_LARCH_TLS_DESC_PC_HI20 => Some(!self.is_far(index)),
            R_LARCH_TLS_DESC_PCREL20_S2 => Some(true),
            R_LARCH_TLS_DESC_HI20 | R_LARCH_TLS_DESC_PCADD_HI20 => Some(false),
            _ => None,
        });
        first.unwrap_or(true)
    }

    /// Whether the two instructions from relocation `first` on are `lu12i.w rd; ori rd, rd` with
    /// the offset of a variable, both marked as relaxable.
    pub fn is_offset_pair(self, first: usize) -> bool {
        let Some(second) = self.second(first) else { return false };
        let [one, other] = [&self.relocs[first], &self.relocs[second]];
        let (Some(upper), Some(word)) = (self.word(first), self.word(second)) else { return false };
        other.r_type() == R_LARCH_TLS_LE_LO12
            && (one.symbol(), one.r_addend()) == (other.symbol(), other.r_addend())
            && self.is_relaxable(first)
            && self.is_relaxable(second)
            && Form::LU12I_W.is(upper)
            && Form::ORI.is(word)
            && (rd(word), rj(word)) == (rd(upper), rd(upper))
    }
}
