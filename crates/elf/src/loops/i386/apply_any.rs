//! Applying a relocation of any type to a value of any kind (i386 psABI, "Relocation Types"). The
//! short ways for the frequent ones are in `apply.rs`.
//!
//! Letters are those of the psABI: S symbol, A addend, P place, G slot's offset in the GOT, GOT the
//! GOT's address, L the PLT entry, Z a size.

use super::decide;
use super::tls;
use crate::format::elf::Rela;
use crate::loops::operands::{Operands, tombstone};
use crate::loops::tls_model::{TlsModel, tls_model};
use crate::machine::i386::howto::*;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::SectionId;
use crate::select::scan::SymbolView;
use crate::synth::patch::{Failure, Fault};
use crate::synth::values::{self, Value};
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// Applies relocations of a section of which nothing is known before.
pub(super) struct Apply<'a> {
    /// The section and its relocations, and where their symbols are.
    pub(super) operands: Operands<'a>,
    /// The part of the output that the section's bytes are copied to.
    pub(super) out: &'a mut [u8],
    pub(super) failures: &'a mut Vec<Failure>,
}

impl Apply<'_> {
    #[cold]
    fn fail(&mut self, index: usize, what: Fault) {
        let reloc = self.operands.patch.first + index as u32;
        self.failures.push(Failure { section: self.operands.patch.id, reloc, what });
    }

    /// Writes a value of `reloc`'s own type after checking its range. Addresses wrap around, so a
    /// value is a number of 32 bits with a sign.
    fn put(&mut self, reloc: &Rela, index: usize, value: u64) {
        let Some(howto) = howto(reloc.r_type()) else {
            return self.fail(index, Fault::Unsupported);
        };
        let value = i64::from(value as i32);
        if !howto.range.contains(value) {
            return self.fail(index, Fault::OutOfRange(value));
        }
        let at = self.operands.out_offset(reloc);
        if howto.size != 0 && howto.write(ByteOrder::Little, self.out, at, value).is_none() {
            self.fail(index, Fault::BadPlace);
        }
    }

    /// Reports a rewrite that scanning did not refuse, but whose instruction is not there.
    fn rewritten(&mut self, index: usize, done: Option<()>) {
        if done.is_none() {
            self.fail(index, Fault::Unsupported);
        }
    }

    /// Applies relocation `index` of the patch; returns how many were handled.
    pub(super) fn relocation(&mut self, index: usize) -> usize {
        let Operands { image, patch } = self.operands;
        let reloc = &patch.relocs[index];
        let Some(&value) = image.values_of(patch.section.object).get(reloc.symbol()) else {
            self.fail(index, Fault::BadSymbol);
            return 1;
        };
        1 + self.with_value(reloc, index, value)
    }

    fn with_value(&mut self, reloc: &Rela, index: usize, value: u64) -> usize {
        let r_type = reloc.r_type();
        if r_type == R_386_NONE {
            return 0;
        }
        let operands = self.operands;
        let (s, is_indirect) = match values::decode(value) {
            Value::Plain(s) => (s, false),
            Value::Merged(section) => return self.merged(reloc, index, section),
            Value::Dead => {
                self.gone(reloc);
                return 0;
            }
            Value::Indirect | Value::Called(_) => match operands.own_address(reloc) {
                Some(s) => (s, false),
                None => (0, true),
            },
        };
        let got = operands.image.got_base;
        let a = reloc.r_addend() as u64;
        let p = operands.place(reloc);
        let value = match r_type {
            // The loader writes the field.
            R_386_32 if is_indirect => 0,
            R_386_32 | R_386_16 | R_386_8 => s.wrapping_add(a),
            R_386_PC32 | R_386_PC16 | R_386_PC8 => {
                let s = if is_indirect { operands.fixed_address(reloc) } else { s };
                s.wrapping_add(a).wrapping_sub(p)
            }
            R_386_PLT32 => {
                let l = if is_indirect { operands.function_address(reloc) } else { s };
                l.wrapping_add(a).wrapping_sub(p)
            }
            R_386_GOT32 | R_386_GOT32X => {
                self.got_load(reloc, index, s);
                return 0;
            }
            R_386_GOTOFF => {
                let s = if is_indirect { operands.fixed_address(reloc) } else { s };
                s.wrapping_add(a).wrapping_sub(got)
            }
            R_386_GOTPC => got.wrapping_add(a).wrapping_sub(p),
            R_386_SIZE32 => operands.size(reloc).wrapping_add(a),
            R_386_GNU_VTINHERIT | R_386_GNU_VTENTRY => return 0,
            _ => return self.thread_local(reloc, index, s),
        };
        self.put(reloc, index, value);
        0
    }

    /// A reference to what is not in the output: just the addend in loaded sections (only
    /// exception tables get here), a tombstone in debug information.
    pub(super) fn gone(&mut self, reloc: &Rela) {
        let Operands { image, patch } = self.operands;
        let is_alloc = patch.section.flags.has(SectionFlags::ALLOC);
        let value =
            if is_alloc { reloc.r_addend() as u64 } else { tombstone(image, patch.section) };
        let at = self.operands.out_offset(reloc);
        if howto(reloc.r_type()).is_some_and(|howto| howto.size == 4)
            && let Some(field) = self.out.get_mut(at..at.wrapping_add(4))
        {
            field.copy_from_slice(&(value as u32).to_le_bytes());
        }
    }

    fn merged(&mut self, reloc: &Rela, index: usize, section: SectionId) -> usize {
        let Operands { image, .. } = self.operands;
        let Some(member) = image.merged.member(section) else { return 0 };
        // The addend chooses the piece; for a PC-relative field it is biased by the distance from
        // the field to the next instruction, which assemblers avoid for mergeable sections.
        let s = image.address(section).wrapping_add(member.output_offset(reloc.r_addend() as u64));
        let value = match reloc.r_type() {
            R_386_PC32 | R_386_PLT32 | R_386_PC16 | R_386_PC8 => {
                s.wrapping_sub(self.operands.place(reloc))
            }
            R_386_GOTOFF => s.wrapping_sub(image.got_base),
            R_386_32 | R_386_16 | R_386_8 => s,
            _ => {
                self.fail(index, Fault::Unsupported);
                return 0;
            }
        };
        self.put(reloc, index, value);
        0
    }

    fn got_load(&mut self, reloc: &Rela, index: usize, s: u64) {
        let Operands { image, patch } = self.operands;
        let view = self.operands.view(reloc);
        let original = patch.original;
        let found = decide::got_relaxation_of(image.relax, image.shape, view, original, reloc);
        if let Some(relaxation) = found {
            let relaxation = relaxation.filled(image.call_nop);
            let at = self.operands.out_offset(reloc);
            let done = relaxation.rewrite(self.out, at);
            self.rewritten(index, done);
            let field = relaxation.field(reloc.r_offset());
            let new = Rela::new(field.r_offset, field.r_type, reloc.r_sym(), field.addend);
            let base = match field.r_type {
                R_386_PC32 => self.operands.place(&new),
                R_386_GOTOFF => image.got_base,
                _ => 0,
            };
            let value = s.wrapping_add_signed(field.addend).wrapping_sub(base);
            return self.put(&new, index, value);
        }
        let word = self.operands.got_address(reloc);
        let is_address = decide::is_got_address(patch.section.flags, original, reloc);
        let base = if is_address { 0 } else { image.got_base };
        self.put(reloc, index, word.wrapping_add_signed(reloc.r_addend()).wrapping_sub(base));
    }

    /// G + A: the offset of a word from the GOT.
    fn put_got(&mut self, reloc: &Rela, index: usize, word_address: u64) {
        let value = word_address.wrapping_add_signed(reloc.r_addend());
        self.put(reloc, index, value.wrapping_sub(self.operands.image.got_base));
    }

    /// The offset from the thread pointer, as an immediate.
    fn ntpoff(&self, view: SymbolView, s: u64) -> u32 {
        self.operands.tpoff(view, s) as u32
    }

    /// The offset of the initial-exec word from the GOT.
    fn gotntpoff(&self, reloc: &Rela) -> u32 {
        self.operands.gottp(reloc).wrapping_sub(self.operands.image.got_base) as u32
    }

    fn model(&self, view: SymbolView) -> TlsModel {
        tls_model(self.operands.image.shape, self.operands.relaxes_tls(), view)
    }

    fn thread_local(&mut self, reloc: &Rela, index: usize, s: u64) -> usize {
        let operands = self.operands;
        let Operands { image, patch } = operands;
        let view = operands.view(reloc);
        let a = reloc.r_addend() as u64;
        match reloc.r_type() {
            R_386_TLS_GD => return self.general_dynamic(reloc, index, view, s),
            R_386_TLS_LDM => return self.local_dynamic(reloc, index),
            R_386_TLS_LDO_32 => {
                // After a rewrite from local dynamic to local exec, code adds to the thread
                // pointer; data and debug information want the offset in the module's block.
                let is_code = patch.section.flags.has(SectionFlags::EXEC);
                // Local-dynamic means this module's variable, even if it is exported.
                let s = view.name().map_or(s, |name| image.values.of_name[name]);
                let value = if is_code && !image.shape.is_shared && operands.relaxes_tls() {
                    operands.tpoff(view, s)
                } else {
                    operands.dtpoff(view, s)
                };
                self.put(reloc, index, value.wrapping_add(a));
            }
            R_386_TLS_IE | R_386_TLS_GOTIE | R_386_TLS_IE_32 => {
                self.initial_exec(reloc, index, view, s);
            }
            // In a library the loader writes the field.
            R_386_TLS_LE | R_386_TLS_LE_32 if image.shape.is_shared => self.put(reloc, index, 0),
            R_386_TLS_LE => self.put(reloc, index, operands.tpoff(view, s).wrapping_add(a)),
            R_386_TLS_LE_32 => {
                let value = operands.tpoff(view, s).wrapping_neg().wrapping_add(a);
                self.put(reloc, index, value);
            }
            R_386_TLS_GOTDESC => self.descriptor(reloc, index, view, s),
            R_386_TLS_DESC_CALL => {
                if self.model(view) != TlsModel::Dynamic
                    && tls::is_descriptor_call(patch.original, reloc.r_offset() as usize)
                {
                    let done = tls::without_descriptor_call(self.out, operands.out_offset(reloc));
                    self.rewritten(index, done);
                }
            }
            _ => self.fail(index, Fault::Unsupported),
        }
        0
    }

    fn initial_exec(&mut self, reloc: &Rela, index: usize, view: SymbolView, s: u64) {
        let operands = self.operands;
        let Operands { image, patch } = operands;
        let relax = operands.relaxes_tls();
        let is_negative = reloc.r_type() == R_386_TLS_IE_32;
        let found = decide::initial_exec(image.shape, relax, view, patch.original, reloc);
        if let Some(found) = found {
            let offset = self.ntpoff(view, s);
            let offset = if is_negative { offset.wrapping_neg() } else { offset };
            let done = found.to_local_exec(self.out, operands.out_offset(reloc), offset);
            return self.rewritten(index, done);
        }
        match reloc.r_type() {
            R_386_TLS_IE_32 => self.put_got(reloc, index, operands.negative_gottp(reloc)),
            R_386_TLS_GOTIE if self.is_composed(reloc, index) => {
                let word = operands.gottp(reloc);
                let value = word.wrapping_add_signed(reloc.r_addend());
                self.put(reloc, index, value.wrapping_sub(operands.place(reloc)));
            }
            R_386_TLS_GOTIE => self.put_got(reloc, index, operands.gottp(reloc)),
            // The address of the word.
            _ => {
                let word = operands.gottp(reloc);
                self.put(reloc, index, word.wrapping_add_signed(reloc.r_addend()));
            }
        }
    }

    /// Whether the relocation before is of the same place and adds the distance of the GOT: the two
    /// are composed (gABI, "Relocation"). Go finds its thread-local variable so.
    fn is_composed(&self, reloc: &Rela, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|before| self.operands.patch.relocs.get(before));
        before.is_some_and(|before| {
            before.r_type() == R_386_GOTPC && before.r_offset() == reloc.r_offset()
        })
    }

    fn general_dynamic(&mut self, reloc: &Rela, index: usize, view: SymbolView, s: u64) -> usize {
        let operands = self.operands;
        let model = self.model(view);
        if model == TlsModel::Dynamic {
            self.put_got(reloc, index, operands.tlsgd(reloc));
            return 0;
        }
        let next = operands.patch.relocs.get(index + 1);
        let Some(call) = tls::general_dynamic(operands.patch.original, reloc, next) else {
            self.fail(index, Fault::Unsupported);
            return 0;
        };
        let at = operands.out_offset(reloc);
        let done = if model == TlsModel::LocalExec {
            let offset = self.ntpoff(view, s).wrapping_neg();
            call.to_local_exec(self.out, at, offset)
        } else {
            let offset = self.gotntpoff(reloc);
            call.to_initial_exec(self.out, at, offset)
        };
        self.rewritten(index, done);
        tls::FOLLOWING
    }

    fn local_dynamic(&mut self, reloc: &Rela, index: usize) -> usize {
        let operands = self.operands;
        let image = operands.image;
        if image.shape.is_shared || !operands.relaxes_tls() {
            self.put_got(reloc, index, image.got_word(image.slots.own_module));
            return 0;
        }
        let next = operands.patch.relocs.get(index + 1);
        let Some(call) = tls::local_dynamic(operands.patch.original, reloc, next) else {
            self.fail(index, Fault::Unsupported);
            return 0;
        };
        let done = call.without_module(self.out, operands.out_offset(reloc));
        self.rewritten(index, done);
        tls::FOLLOWING
    }

    fn descriptor(&mut self, reloc: &Rela, index: usize, view: SymbolView, s: u64) {
        let operands = self.operands;
        let model = self.model(view);
        if model == TlsModel::Dynamic {
            return self.put_got(reloc, index, operands.tlsdesc(reloc));
        }
        if !tls::is_descriptor_lea(operands.patch.original, reloc) {
            return self.fail(index, Fault::Unsupported);
        }
        let at = operands.out_offset(reloc);
        let done = if model == TlsModel::LocalExec {
            let offset = self.ntpoff(view, s);
            tls::descriptor_to_local_exec(self.out, at, offset)
        } else {
            let offset = self.gotntpoff(reloc);
            tls::descriptor_to_initial_exec(self.out, at, offset)
        };
        self.rewritten(index, done);
    }
}
