//! Applies a relocation of any type with a value of any kind ("ELF for the Arm 64-bit
//! Architecture", "Relocation"). The letters are those of the ABI: S symbol, A addend, P place,
//! Page(x) the page of an address, GDAT(S) the GOT word, GOT the GOT's address. The fast paths for
//! frequent types are in `apply.rs`.

use super::instruction::{self, NOP, page, with_field};
use super::relax::{self, is_bound_here, is_near};
use super::tls::{self, Operand, Rewritten};
use crate::format::elf::Rela;
use crate::loops::operands::{Operands, tombstone};
use crate::loops::tls_model::{TlsModel, tls_model};
use crate::machine::aarch64::howto::*;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::attr;
use crate::select::scan::SymbolView;
use crate::synth::patch::{Failure, Fault};
use crate::synth::values::{self, Value};

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
            return self.fail(index, Fault::OutOfRange(value as i64));
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

    /// Writes the lowest `size` bytes of a value in the order of data.
    fn put_data(&mut self, at: usize, size: usize, value: u64) -> bool {
        let place = at.checked_add(size).and_then(|end| self.out.get_mut(at..end));
        place.map(|place| self.operands.image.machine.byte_order.put_low(place, value)).is_some()
    }

    /// Applies relocation `index` of the patch.
    pub(super) fn relocation(&mut self, index: usize) {
        let image = self.operands.image;
        let reloc = &self.operands.patch.relocs[index];
        let object = self.operands.patch.section.object;
        let Some(&value) = image.values_of(object).get(reloc.symbol()) else {
            return self.fail(index, Fault::BadSymbol);
        };
        if reloc.r_type() == R_AARCH64_NONE {
            return;
        }
        let plain =
            |s: u64| Target { s, sum: s.wrapping_add_signed(reloc.r_addend()), is_indirect: false };
        let target = match values::decode(value) {
            Value::Plain(s) => plain(s),
            // The addend chooses the piece.
            Value::Merged(section) => match image.place_in(section, reloc.r_addend() as u64) {
                Some(sum) => Target { s: sum, sum, is_indirect: false },
                None => return,
            },
            Value::Dead => return self.gone(reloc),
            Value::Indirect | Value::Called(_) => match self.operands.own_address(reloc) {
                Some(s) => plain(s),
                None => Target { is_indirect: true, ..plain(0) },
            },
        };
        self.to_target(reloc, index, target);
    }

    fn to_target(&mut self, reloc: &Rela, index: usize, target: Target) {
        let image = self.operands.image;
        let a = reloc.r_addend() as u64;
        let p = self.operands.place(reloc);
        let got = image.got_base;
        match reloc.r_type() {
            // The loader writes the field.
            R_AARCH64_ABS64 if target.is_indirect => self.put(reloc, index, 0),
            R_AARCH64_ABS64
            | R_AARCH64_ABS32
            | R_AARCH64_ABS16
            | R_AARCH64_MOVW_UABS_G0..=R_AARCH64_MOVW_SABS_G2 => {
                self.put(reloc, index, target.sum);
            }
            R_AARCH64_ADD_ABS_LO12_NC => self.low_bits(reloc, index, target),
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
            R_AARCH64_ADR_PREL_PG_HI21 | R_AARCH64_ADR_PREL_PG_HI21_NC => {
                self.page_distance(reloc, index, target);
            }
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
            R_AARCH64_GOTREL64 | R_AARCH64_GOTREL32 => {
                let sum = self.address(reloc, target);
                self.put(reloc, index, sum.wrapping_sub(got));
            }
            _ => self.thread_local(reloc, index, target),
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

    /// S + A as code at this place takes it. For a symbol bound at run time, S is its PLT entry. A
    /// weak symbol that nothing defines is at zero, but where nothing is known of the place: there
    /// it is at P, which is in reach.
    fn address(&self, reloc: &Rela, target: Target) -> u64 {
        let is_nothing = self.is_nothing(reloc, target);
        if target.is_indirect && !is_nothing {
            return self.operands.fixed_address(reloc).wrapping_add_signed(reloc.r_addend());
        }
        if is_nothing && self.operands.image.shape.is_pic {
            let is_distance = !matches!(
                reloc.r_type(),
                R_AARCH64_ADD_ABS_LO12_NC..=R_AARCH64_LDST8_ABS_LO12_NC
                    | R_AARCH64_LDST16_ABS_LO12_NC..=R_AARCH64_LDST64_ABS_LO12_NC
                    | R_AARCH64_LDST128_ABS_LO12_NC
            );
            let near = if is_distance { self.operands.place(reloc) } else { 0 };
            return near.wrapping_add_signed(reloc.r_addend());
        }
        target.sum
    }

    /// Whether the symbol is a weak one without a definition.
    fn is_nothing(&self, reloc: &Rela, target: Target) -> bool {
        target.s == 0 && self.operands.view(reloc).attributes & attr::UNDEF_WEAK != 0
    }

    /// Page(S + A) - Page(P), or `nop` as the first of a pair that ADR does alone.
    fn page_distance(&mut self, reloc: &Rela, index: usize, target: Target) {
        let sum = self.address(reloc, target);
        let p = self.operands.place(reloc);
        if self.is_short_pair(index, sum, p.wrapping_add(4)) {
            return self.put_word(reloc, index, NOP);
        }
        self.put(reloc, index, page(sum).wrapping_sub(page(p)));
    }

    /// The lowest bits of S + A, or ADR as the second of a pair.
    fn low_bits(&mut self, reloc: &Rela, index: usize, target: Target) {
        let sum = self.address(reloc, target);
        let p = self.operands.place(reloc);
        if self.is_short_pair(index, sum, p) {
            return self.put_adr(reloc, index, sum.wrapping_sub(p));
        }
        self.put(reloc, index, sum);
    }

    /// Whether the relocation is of a pair ADRP and ADD whose ADD, at `place`, can be ADR to `sum`.
    fn is_short_pair(&self, index: usize, sum: u64, place: u64) -> bool {
        let patch = self.operands.patch;
        let reloc = &patch.relocs[index];
        self.operands.image.relax
            && is_near(sum, place)
            && !self.is_nothing(reloc, Target { s: 0, sum, is_indirect: false })
            && relax::is_of_pair(patch.original, patch.relocs, index)
    }

    /// Replaces the instruction.
    fn put_word(&mut self, reloc: &Rela, index: usize, word: u32) {
        if !instruction::write(self.out, self.operands.out_offset(reloc), word) {
            self.fail(index, Fault::BadPlace);
        }
    }

    /// Replaces an instruction by ADR over a distance, with the same destination.
    fn put_adr(&mut self, reloc: &Rela, index: usize, distance: u64) {
        let at = self.operands.out_offset(reloc);
        match instruction::read(self.out, at) {
            Some(word) => {
                let adr = instruction::Form::ADR.to(instruction::rd(word));
                self.put_word(reloc, index, instruction::with_adr(adr, distance));
            }
            None => self.fail(index, Fault::BadPlace),
        }
    }

    /// A branch. One to a weak symbol without a definition goes on behind itself.
    fn branch(&mut self, reloc: &Rela, index: usize, target: Target) {
        let p = self.operands.place(reloc);
        let s = if target.is_indirect { self.operands.function_address(reloc) } else { target.s };
        if s == 0 && self.operands.view(reloc).attributes & attr::UNDEF_WEAK != 0 {
            return self.put(reloc, index, 4);
        }
        let sum =
            if target.is_indirect { s.wrapping_add_signed(reloc.r_addend()) } else { target.sum };
        self.put(reloc, index, sum.wrapping_sub(p));
    }

    /// An instruction of a load through the GOT, or what it is rewritten to.
    fn got_load(&mut self, reloc: &Rela, index: usize, target: Target) {
        let image = self.operands.image;
        let patch = self.operands.patch;
        let p = self.operands.place(reloc);
        let is_page = reloc.r_type() == R_AARCH64_ADR_GOT_PAGE;
        let is_relaxed = is_bound_here(image.relax, image.shape, self.operands.view(reloc))
            && relax::is_of_pair(patch.original, patch.relocs, index);
        if !is_relaxed {
            let word = self.operands.got_address(reloc).wrapping_add_signed(reloc.r_addend());
            let value = if is_page { page(word).wrapping_sub(page(p)) } else { word };
            return self.put(reloc, index, value);
        }
        let sum = target.sum;
        let second = if is_page { p.wrapping_add(4) } else { p };
        match (is_near(sum, second), is_page) {
            (true, true) => self.put_word(reloc, index, NOP),
            (true, false) => self.put_adr(reloc, index, sum.wrapping_sub(p)),
            (false, true) => self.put(reloc, index, page(sum).wrapping_sub(page(p))),
            (false, false) => {
                let at = self.operands.out_offset(reloc);
                let Some(word) = instruction::read(self.out, at) else {
                    return self.fail(index, Fault::BadPlace);
                };
                let add = instruction::Form::ADD.to(word & 0x3ff);
                self.put_word(reloc, index, instruction::with_imm12(add, sum));
            }
        }
    }

    fn thread_local(&mut self, reloc: &Rela, index: usize, target: Target) {
        let image = self.operands.image;
        let view = self.operands.view(reloc);
        let a = reloc.r_addend() as u64;
        match reloc.r_type() {
            R_AARCH64_TLSGD_ADR_PREL21..=R_AARCH64_TLSGD_MOVW_G0_NC => {
                self.put_slot(reloc, index, self.operands.tlsgd(reloc));
            }
            R_AARCH64_TLSLD_ADR_PREL21..=R_AARCH64_TLSLD_LD_PREL19 => {
                self.put_slot(reloc, index, image.got_word(image.slots.own_module));
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
            R_AARCH64_TLSIE_MOVW_GOTTPREL_G1..=R_AARCH64_TLSIE_LD_GOTTPREL_PREL19 => {
                self.initial_exec(reloc, index, view, target.s);
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
            R_AARCH64_TLSDESC_LD_PREL19..=R_AARCH64_TLSDESC_CALL => {
                self.descriptor(reloc, index, view, target.s);
            }
            _ => self.fail(index, Fault::Unsupported),
        }
    }

    /// Writes the field of a reference to a word of the GOT, as its type wants it.
    fn put_slot(&mut self, reloc: &Rela, index: usize, word: u64) {
        let word = word.wrapping_add_signed(reloc.r_addend());
        let p = self.operands.place(reloc);
        let value = match field(reloc.r_type()) {
            Some(Field::Page) => page(word).wrapping_sub(page(p)),
            Some(Field::Adr | Field::Imm19) => word.wrapping_sub(p),
            Some(Field::Movw(_) | Field::MovwSigned(_)) => {
                word.wrapping_sub(self.operands.image.got_base)
            }
            _ => word,
        };
        self.put(reloc, index, value);
    }

    fn initial_exec(&mut self, reloc: &Rela, index: usize, view: SymbolView, s: u64) {
        let (image, patch) = (self.operands.image, self.operands.patch);
        let model = tls_model(image.shape, self.operands.relaxes_tls(), view);
        let word = instruction::read(patch.original, reloc.r_offset() as usize);
        let r_type = reloc.r_type();
        let word =
            word.filter(|&word| model == TlsModel::LocalExec && tls::is_initial_exec(r_type, word));
        let Some(word) = word else {
            return self.put_slot(reloc, index, self.operands.gottp(reloc));
        };
        let offset = self.operands.tpoff(view, s).wrapping_add_signed(reloc.r_addend());
        match tls::initial_exec(r_type, word, offset) {
            Some(rewritten) => self.put_rewritten(reloc, index, rewritten, offset),
            None => self.fail(index, Fault::OutOfRange(offset as i64)),
        }
    }

    fn descriptor(&mut self, reloc: &Rela, index: usize, view: SymbolView, s: u64) {
        let (image, patch) = (self.operands.image, self.operands.patch);
        let model = tls_model(image.shape, self.operands.relaxes_tls(), view);
        if model == TlsModel::Dynamic {
            return self.put_slot(reloc, index, self.operands.tlsdesc(reloc));
        }
        let word = instruction::read(patch.original, reloc.r_offset() as usize);
        let found = word.and_then(|word| tls::descriptor(reloc.r_type(), word, model));
        let Some(rewritten) = found else {
            return self.fail(index, Fault::Unsupported);
        };
        let offset = self.operands.tpoff(view, s).wrapping_add_signed(reloc.r_addend());
        self.put_rewritten(reloc, index, rewritten, offset);
    }

    /// Puts a rewritten instruction of a TLS sequence in its place, and fills its field.
    fn put_rewritten(&mut self, reloc: &Rela, index: usize, rewritten: Rewritten, offset: u64) {
        self.put_word(reloc, index, rewritten.word);
        let mut made = *reloc;
        made.set_r_type(rewritten.r_type);
        made.set_r_addend(0);
        match rewritten.operand {
            Operand::Nothing => {}
            Operand::ThreadOffset if offset > u64::from(u32::MAX) => {
                self.fail(index, Fault::OutOfRange(offset as i64));
            }
            Operand::ThreadOffset => self.put(&made, index, offset),
            Operand::Slot => {
                self.put_slot(&made, index, self.operands.gottp(reloc));
            }
        }
    }
}
