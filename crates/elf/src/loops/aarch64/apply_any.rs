//! Applies a relocation of any type with a value of any kind ("ELF for the Arm 64-bit
//! Architecture", "Relocation"). The letters are those of the ABI: S symbol, A addend, P place,
//! Page(x) the page of an address, GDAT(S) the GOT word, GOT the GOT's address. The fast paths for
//! frequent types are in `apply.rs`.

use super::decide::{self, PairRewrite, TlsRewrite};
use super::instruction::{self, NOP, page, with_field};
use super::scan::is_null;
use super::sequence::{self, Step};
use super::thunk;
use super::tls::{Operand, Rewritten};
use crate::format::elf::Rela;
use crate::loops::operands::{Operands, tombstone};
use crate::loops::thunks::Branch;
use crate::machine::aarch64::howto::*;
use crate::machine::howto::Range;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::attr;
use crate::select::scan::SymbolView;
use crate::synth::dynamic_relocs::is_packed_signed;
use crate::synth::patch::{Failure, Fault};
use crate::synth::values::{self, Value};
use skald_linking::byte_order::ByteOrder;

/// What ADRP reaches.
const PAGE_RANGE: Range = Range::Signed(33);

/// Applies relocations of a section without assumptions about them.
pub(super) struct Apply<'a> {
    /// The section and its relocations, and where their symbols are.
    pub(super) operands: Operands<'a>,
    /// The part of the output that the section's bytes are copied to.
    pub(super) out: &'a mut [u8],
    pub(super) failures: &'a mut Vec<Failure>,
}

/// A symbol's value.
#[derive(Clone, Copy)]
struct Target {
    /// S.
    s: u64,
    /// S + A.
    sum: u64,
    /// Only the loader knows S.
    is_indirect: bool,
}

impl Apply<'_> {
    #[cold]
    fn fail(&mut self, index: usize, what: Fault) {
        let reloc = self.operands.patch.first + index as u32;
        self.failures.push(Failure { section: self.operands.patch.id, reloc, what });
    }

    /// Writes a value of `reloc`'s own type after checking its range and alignment.
    fn put(&mut self, reloc: &Rela, index: usize, value: u64) {
        let r_type = reloc.r_type();
        let (Some(howto), Some(field)) = (howto(r_type), field(r_type)) else {
            return self.fail(index, Fault::Unsupported);
        };
        if !howto.range.contains(value as i64) {
            return match self.through_thunk(reloc, value) {
                Some(value) => self.put(reloc, index, value),
                None => self.fail(index, Fault::OutOfRange(value as i64)),
            };
        }
        if value & (field.align() - 1) != 0 {
            return self.fail(index, Fault::Misaligned(value));
        }
        let at = self.operands.out_offset(reloc);
        let is_done = match field {
            Field::None => true,
            Field::Data => self.put_data(at, howto.size.into(), value),
            _ => match instruction::read(self.out, at) {
                Some(word) => instruction::write(self.out, at, with_field(word, field, value)),
                None => false,
            },
        };
        if !is_done {
            self.fail(index, Fault::BadPlace);
        }
    }

    /// The distance of the thunk for a branch over the distance `value`, if one is in reach.
    #[cold]
    fn through_thunk(&self, reloc: &Rela, value: u64) -> Option<u64> {
        if !thunk::is_branch(reloc.r_type()) {
            return None;
        }
        let Operands { image, patch } = self.operands;
        let position = image.outputs.position_of(patch.section.output())?;
        let place = self.operands.place(reloc);
        let object = patch.section.object;
        let branch = Branch { object, reloc: *reloc, place, reach: &thunk::REACH };
        let thunk = thunk::THUNKS.find(image, position, branch, place.wrapping_add(value))?;
        Some(thunk.wrapping_sub(place))
    }

    /// Writes the lowest `size` bytes of a value in the order of data.
    fn put_data(&mut self, at: usize, size: usize, value: u64) -> bool {
        let place = at.checked_add(size).and_then(|end| self.out.get_mut(at..end));
        place.map(|place| self.operands.image.machine.byte_order.put_low(place, value)).is_some()
    }

    /// Applies relocation `index` of the patch; returns how many were handled.
    pub(super) fn relocation(&mut self, index: usize) -> usize {
        let reloc = &self.operands.patch.relocs[index];
        match self.target(reloc) {
            Ok(target) => 1 + self.apply_to(reloc, index, target),
            Err(Some(what)) => {
                self.fail(index, what);
                1
            }
            Err(None) => 1,
        }
    }

    /// The symbol's value; an error if there is none, or nothing if the relocation is done.
    fn target(&mut self, reloc: &Rela) -> Result<Target, Option<Fault>> {
        let image = self.operands.image;
        let object = self.operands.patch.section.object;
        let Some(&value) = image.values_of(object).get(reloc.symbol()) else {
            return Err(Some(Fault::BadSymbol));
        };
        if matches!(reloc.r_type(), R_AARCH64_NONE | R_AARCH64_WITHDRAWN) {
            return Err(None);
        }
        let plain =
            |s: u64| Target { s, sum: s.wrapping_add_signed(reloc.r_addend()), is_indirect: false };
        Ok(match values::decode(value) {
            Value::Plain(s) => plain(s),
            // The addend selects the piece.
            Value::Merged(section) => match image.place_in(section, reloc.r_addend() as u64) {
                Some(sum) => Target { s: sum, sum, is_indirect: false },
                None => return Err(None),
            },
            Value::Dead => {
                self.gone(reloc);
                return Err(None);
            }
            Value::Indirect | Value::Called(_) => match self.operands.own_address(reloc) {
                Some(s) => plain(s),
                None => Target { is_indirect: true, ..plain(0) },
            },
        })
    }

    fn apply_to(&mut self, reloc: &Rela, index: usize, target: Target) -> usize {
        let image = self.operands.image;
        let a = reloc.r_addend() as u64;
        let p = self.operands.place(reloc);
        let got = image.got_base;
        match reloc.r_type() {
            R_AARCH64_AUTH_ABS64 => self.signed_word(reloc, index, target),
            // The loader writes the field.
            R_AARCH64_ABS64 if target.is_indirect => self.put(reloc, index, 0),
            R_AARCH64_ABS64
            | R_AARCH64_ABS32
            | R_AARCH64_ABS16
            | R_AARCH64_MOVW_UABS_G0..=R_AARCH64_MOVW_SABS_G2 => {
                self.put(reloc, index, target.sum);
            }
            R_AARCH64_LDST8_ABS_LO12_NC
            | R_AARCH64_LDST16_ABS_LO12_NC
            | R_AARCH64_LDST32_ABS_LO12_NC
            | R_AARCH64_LDST64_ABS_LO12_NC
            | R_AARCH64_LDST128_ABS_LO12_NC => {
                let sum = self.address(reloc, target);
                self.put(reloc, index, sum);
            }
            R_AARCH64_PREL64
            | R_AARCH64_PREL32
            | R_AARCH64_PREL16
            | R_AARCH64_LD_PREL_LO19
            | R_AARCH64_ADR_PREL_LO21
            | R_AARCH64_MOVW_PREL_G0..=R_AARCH64_MOVW_PREL_G3 => {
                let sum = self.address(reloc, target);
                self.put(reloc, index, sum.wrapping_sub(p));
            }
            R_AARCH64_ADR_PREL_PG_HI21
            | R_AARCH64_ADR_PREL_PG_HI21_NC
            | R_AARCH64_ADD_ABS_LO12_NC => self.page_or_low(reloc, index, target),
            R_AARCH64_TSTBR14 | R_AARCH64_CONDBR19 | R_AARCH64_JUMP26 | R_AARCH64_CALL26
            | R_AARCH64_PLT32 => self.branch(reloc, index, target),
            R_AARCH64_ADR_GOT_PAGE | R_AARCH64_LD64_GOT_LO12_NC => {
                self.got_load(reloc, index, target);
            }
            R_AARCH64_GOT_LD_PREL19 | R_AARCH64_GOTPCREL32 => {
                let word = self.operands.got_address(reloc).wrapping_add(a);
                self.put(reloc, index, word.wrapping_sub(p));
            }
            R_AARCH64_LD64_GOTOFF_LO15 | R_AARCH64_MOVW_GOTOFF_G0..=R_AARCH64_MOVW_GOTOFF_G3 => {
                let word = self.operands.got_address(reloc).wrapping_add(a);
                self.put(reloc, index, word.wrapping_sub(got));
            }
            R_AARCH64_LD64_GOTPAGE_LO15 => {
                let word = self.operands.got_address(reloc).wrapping_add(a);
                self.put(reloc, index, word.wrapping_sub(page(got)));
            }
            R_AARCH64_AUTH_MOVW_GOTOFF_G0..=R_AARCH64_AUTH_GOT_ADR_PREL_LO21 => {
                self.put_slot(reloc, index, self.operands.signed_got(reloc));
            }
            R_AARCH64_GOTREL64 | R_AARCH64_GOTREL32 => {
                let sum = self.address(reloc, target);
                self.put(reloc, index, sum.wrapping_sub(got));
            }
            _ => return self.thread_local(reloc, index, target),
        }
        0
    }

    /// The loader writes the field, unless the pointer is null; the signing schema in its upper
    /// half stays. A packed relocation has its addend in the lower half.
    fn signed_word(&mut self, reloc: &Rela, index: usize, target: Target) {
        let Operands { image, patch } = self.operands;
        let view = self.operands.view(reloc);
        if is_null(view) {
            // The schema goes, too.
            if !self.put_data(self.operands.out_offset(reloc), 8, 0) {
                self.fail(index, Fault::BadPlace);
            }
            return;
        }
        if !image.packs_signed || !is_packed_signed(patch.section, reloc, view) {
            return;
        }
        let value = target.sum as i64;
        if i32::try_from(value).is_err() {
            return self.fail(index, Fault::OutOfRange(value));
        }
        let lower = match image.machine.byte_order {
            ByteOrder::Little => 0,
            ByteOrder::Big => 4,
        };
        if !self.put_data(self.operands.out_offset(reloc).wrapping_add(lower), 4, target.sum) {
            self.fail(index, Fault::BadPlace);
        }
    }

    /// Handles a reference to a section that is not in the output: the field is just the addend in
    /// loaded sections (only exception tables get here), and a tombstone in debug information.
    pub(super) fn gone(&mut self, reloc: &Rela) {
        let section = self.operands.patch.section;
        let is_alloc = section.flags.has(SectionFlags::ALLOC);
        let value = if is_alloc {
            reloc.r_addend() as u64
        } else {
            tombstone(self.operands.image, section)
        };
        if field(reloc.r_type()) == Some(Field::Data)
            && let Some(howto) = howto(reloc.r_type())
            && matches!(howto.size, 4 | 8)
        {
            self.put_data(self.operands.out_offset(reloc), howto.size.into(), value);
        }
    }

    /// S + A for code at this place. For a symbol bound at run time, S is its PLT entry. Any
    /// distance to an undefined weak symbol is zero, as in the ABI.
    fn address(&self, reloc: &Rela, target: Target) -> u64 {
        if !self.is_nothing(reloc, target) {
            if !target.is_indirect {
                return target.sum;
            }
            return self.operands.fixed_address(reloc).wrapping_add_signed(reloc.r_addend());
        }
        let is_distance = matches!(
            reloc.r_type(),
            R_AARCH64_PREL64..=R_AARCH64_PREL16
                | R_AARCH64_LD_PREL_LO19..=R_AARCH64_ADR_PREL_PG_HI21_NC
                | R_AARCH64_MOVW_PREL_G0..=R_AARCH64_MOVW_PREL_G3
        );
        let near = if is_distance { self.operands.place(reloc) } else { 0 };
        near.wrapping_add_signed(reloc.r_addend())
    }

    /// Whether the symbol is a weak one without a definition.
    fn is_nothing(&self, reloc: &Rela, target: Target) -> bool {
        target.s == 0 && self.operands.view(reloc).attributes & attr::UNDEF_WEAK != 0
    }

    /// Page(S + A) - Page(P), or the lowest bits of S + A, or what a pair of both is rewritten to.
    fn page_or_low(&mut self, reloc: &Rela, index: usize, target: Target) {
        let sum = self.address(reloc, target);
        if !self.is_nothing(reloc, target) && self.put_pair(reloc, index, sum) {
            return;
        }
        let is_low = reloc.r_type() == R_AARCH64_ADD_ABS_LO12_NC;
        let p = self.operands.place(reloc);
        self.put(reloc, index, if is_low { sum } else { page(sum).wrapping_sub(page(p)) });
    }

    /// Rewrites the instruction as one of a pair, if it is one.
    fn put_pair(&mut self, reloc: &Rela, index: usize, sum: u64) -> bool {
        let Some(rewrite) = decide::pair(self.operands, index, sum) else { return false };
        match instruction::read(self.out, self.operands.out_offset(reloc)) {
            Some(word) => {
                let place = self.operands.place(reloc);
                let pages = page(sum).wrapping_sub(page(place));
                if rewrite == PairRewrite::Page && !PAGE_RANGE.contains(pages as i64) {
                    self.fail(index, Fault::OutOfRange(pages as i64));
                    return true;
                }
                self.put_word(reloc, index, decide::pair_word(rewrite, word, sum, place));
            }
            None => self.fail(index, Fault::BadPlace),
        }
        true
    }

    /// Replaces the instruction.
    fn put_word(&mut self, reloc: &Rela, index: usize, word: u32) {
        if !instruction::write(self.out, self.operands.out_offset(reloc), word) {
            self.fail(index, Fault::BadPlace);
        }
    }

    /// Replaces the instruction, and those behind it.
    fn put_words(&mut self, reloc: &Rela, index: usize, words: &[u32]) {
        let at = self.operands.out_offset(reloc);
        let places = (at..).step_by(4);
        let are_put = places.zip(words).all(|(at, &word)| instruction::write(self.out, at, word));
        if !are_put {
            self.fail(index, Fault::BadPlace);
        }
    }

    /// A branch. One to a weak symbol without a definition goes on behind itself.
    fn branch(&mut self, reloc: &Rela, index: usize, target: Target) {
        let p = self.operands.place(reloc);
        let s = if target.is_indirect { self.operands.function_address(reloc) } else { target.s };
        if s == 0 && self.operands.view(reloc).attributes & attr::UNDEF_WEAK != 0 {
            return match reloc.r_type() {
                R_AARCH64_CALL26 | R_AARCH64_JUMP26 => self.put_word(reloc, index, NOP),
                _ => self.put(reloc, index, 4),
            };
        }
        let sum =
            if target.is_indirect { s.wrapping_add_signed(reloc.r_addend()) } else { target.sum };
        self.put(reloc, index, sum.wrapping_sub(p));
    }

    /// An instruction of a load through the GOT, or what it is rewritten to.
    fn got_load(&mut self, reloc: &Rela, index: usize, target: Target) {
        if !self.put_pair(reloc, index, target.sum) {
            self.put_slot(reloc, index, self.operands.got_address(reloc));
        }
    }

    fn thread_local(&mut self, reloc: &Rela, index: usize, target: Target) -> usize {
        let image = self.operands.image;
        let view = self.operands.view(reloc);
        let a = reloc.r_addend() as u64;
        match reloc.r_type() {
            R_AARCH64_TLSGD_ADR_PREL21..=R_AARCH64_TLSLD_LD_PREL19
            | R_AARCH64_TLSIE_MOVW_GOTTPREL_G1..=R_AARCH64_TLSIE_LD_GOTTPREL_PREL19
            | R_AARCH64_TLSDESC_LD_PREL19..=R_AARCH64_TLSDESC_CALL => {
                return self.sequence(reloc, index, view, target.s);
            }
            R_AARCH64_TLSLD_MOVW_DTPREL_G2..=R_AARCH64_TLSLD_LDST64_DTPREL_LO12_NC
            | R_AARCH64_TLSLD_LDST128_DTPREL_LO12
            | R_AARCH64_TLSLD_LDST128_DTPREL_LO12_NC
            | R_AARCH64_TLS_DTPREL64 => {
                // This means this module's variable, even if it is exported.
                let s = view.name().map_or(target.s, |name| image.values.of_name[name]);
                let value = self.operands.dtpoff(view, s).wrapping_add(a);
                self.put(reloc, index, value);
            }
            R_AARCH64_TLSLE_MOVW_TPREL_G2..=R_AARCH64_TLSLE_LDST64_TPREL_LO12_NC
            | R_AARCH64_TLSLE_LDST128_TPREL_LO12
            | R_AARCH64_TLSLE_LDST128_TPREL_LO12_NC => {
                let value = self.operands.tpoff(view, target.s).wrapping_add(a);
                self.put(reloc, index, value);
            }
            R_AARCH64_TLS_TPREL64 => {
                let tpoff = self.operands.tpoff(view, target.s).wrapping_add(a);
                self.put(reloc, index, if image.shape.is_shared { 0 } else { tpoff });
            }
            R_AARCH64_AUTH_TLSDESC_ADR_PAGE21..=R_AARCH64_AUTH_TLSDESC_CALL => {
                match decide::null_descriptor(self.operands, reloc) {
                    Some(words) => self.put_words(reloc, index, words),
                    None => self.put_slot(reloc, index, self.operands.signed_tlsdesc(reloc)),
                }
            }
            _ => self.fail(index, Fault::Unsupported),
        }
        0
    }

    /// Writes the field of a reference to a word of the GOT, as its type wants it.
    fn put_slot(&mut self, reloc: &Rela, index: usize, word: u64) {
        let word = word.wrapping_add_signed(reloc.r_addend());
        let p = self.operands.place(reloc);
        let got = self.operands.image.got_base;
        let value = match field(reloc.r_type()) {
            Some(Field::Page) => page(word).wrapping_sub(page(p)),
            Some(Field::Slot15) if reloc.r_type() == R_AARCH64_AUTH_LD64_GOTPAGE_LO15 => {
                word.wrapping_sub(page(got))
            }
            Some(Field::Adr | Field::Imm19) => word.wrapping_sub(p),
            Some(Field::Movw(_) | Field::MovwSigned(_) | Field::Slot15) => word.wrapping_sub(got),
            _ => word,
        };
        self.put(reloc, index, value);
    }

    /// An instruction of a TLS sequence, or what it is rewritten to; returns how many of the
    /// following relocations belong to it.
    fn sequence(&mut self, reloc: &Rela, index: usize, view: SymbolView, s: u64) -> usize {
        let offset = self.operands.tpoff(view, s).wrapping_add_signed(reloc.r_addend());
        match decide::thread_local(self.operands, index, offset) {
            TlsRewrite::Keep => self.put_tls_slot(reloc, index),
            TlsRewrite::Fail => self.fail(index, Fault::OutOfRange(offset as i64)),
            TlsRewrite::By(rewritten) | TlsRewrite::Sequence(rewritten, Step::Page) => {
                self.put_rewritten(reloc, index, rewritten, offset);
            }
            TlsRewrite::Sequence(rewritten, Step::Low) => {
                self.put_rewritten(reloc, index, rewritten, offset);
                let at = self.operands.out_offset(reloc);
                let after = sequence::after_low(reloc.r_type());
                let are_put = instruction::write(self.out, at.wrapping_add(4), after[0])
                    && instruction::write(self.out, at.wrapping_add(8), after[1]);
                if !are_put {
                    self.fail(index, Fault::BadPlace);
                }
                return 1;
            }
        }
        0
    }

    /// The field of a sequence that is not rewritten.
    fn put_tls_slot(&mut self, reloc: &Rela, index: usize) {
        let image = self.operands.image;
        let word = match reloc.r_type() {
            R_AARCH64_TLSGD_ADR_PREL21..=R_AARCH64_TLSGD_MOVW_G0_NC => self.operands.tlsgd(reloc),
            // Any variable means the module.
            R_AARCH64_TLSLD_ADR_PREL21..=R_AARCH64_TLSLD_LD_PREL19 => {
                image.got_word(image.slots.own_module).wrapping_sub_signed(reloc.r_addend())
            }
            R_AARCH64_TLSIE_MOVW_GOTTPREL_G1..=R_AARCH64_TLSIE_LD_GOTTPREL_PREL19 => {
                self.operands.gottp(reloc)
            }
            _ => self.operands.tlsdesc(reloc),
        };
        self.put_slot(reloc, index, word);
    }

    /// Puts a rewritten instruction of a TLS sequence in its place, and fills its field.
    fn put_rewritten(&mut self, reloc: &Rela, index: usize, rewritten: Rewritten, offset: u64) {
        let mut made = *reloc;
        made.set_r_type(rewritten.r_type);
        made.set_r_addend(0);
        self.put_word(reloc, index, rewritten.word);
        match rewritten.operand {
            Operand::Nothing => {}
            Operand::ThreadOffset if offset > u64::from(u32::MAX) => {
                self.fail(index, Fault::OutOfRange(offset as i64));
            }
            Operand::ThreadOffset => self.put(&made, index, offset),
            Operand::Block => {
                let image = self.operands.image;
                let distance = image.tls_start.wrapping_sub(image.thread_pointer);
                match sequence::add_block(distance) {
                    Some(word) => self.put_word(reloc, index, word),
                    None => self.fail(index, Fault::OutOfRange(distance as i64)),
                }
            }
            Operand::Slot => self.put_slot(&made, index, self.operands.gottp(reloc)),
        }
    }
}
