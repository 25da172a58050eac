//! Applies a relocation of any type with a value of any kind (x86-64 psABI, "Relocation Types", in
//! its letters: S symbol, A addend, P place, G slot's offset in the GOT, GOT the GOT's address, L
//! the PLT entry). The fast paths for frequent ones are in `apply.rs`.

use super::decide;
use super::relax::{self, RelaxedField};
use super::{thunk, tls, tls_x32};
use crate::format::elf::Rela;
use crate::loops::operands::{Operands, tombstone};
use crate::loops::thunks::Branch;
use crate::loops::tls_model::{TlsModel, tls_model};
use crate::machine::Class;
use crate::machine::howto::{Howto, Range};
use crate::machine::x86_64::howto::*;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::SectionId;
use crate::select::scan::SymbolView;
use crate::synth::patch::{Failure, Fault};
use crate::synth::values::{self, Value};
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// Applies relocations of a section without assumptions about them.
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

    /// Writes a value of `reloc`'s own type after checking its range.
    fn put(&mut self, reloc: &Rela, index: usize, value: u64) {
        let Some(howto) = howto(reloc.r_type()) else {
            return self.fail(index, Fault::Unsupported);
        };
        if !self.fits(howto, value as i64) {
            return match self.through_thunk(reloc, value) {
                Some(value) => self.put(reloc, index, value),
                None => self.fail(index, Fault::OutOfRange(value as i64)),
            };
        }
        let at = self.operands.out_offset(reloc);
        if howto.size != 0 && howto.write(ByteOrder::Little, self.out, at, value as i64).is_none() {
            self.fail(index, Fault::BadPlace);
        }
    }

    /// Whether the field holds the value. In x32 a field of 32 bits has the size of an address,
    /// whose arithmetic wraps around: it may be negative, as in GNU ld.
    fn fits(&self, howto: &Howto, value: i64) -> bool {
        let is_address = howto.range == Range::Unsigned(32) && self.is_x32();
        howto.range.contains(value) || is_address && Range::Either(32).contains(value)
    }

    /// The field of a branch through a thunk, if the distance `value` is too great and a thunk is
    /// in reach.
    #[cold]
    fn through_thunk(&self, reloc: &Rela, value: u64) -> Option<u64> {
        if !thunk::is_branch(self.out, self.operands.out_offset(reloc)) {
            return None;
        }
        let position =
            self.operands.image.outputs.position_of(self.operands.patch.section.output())?;
        let (object, place) = (self.operands.patch.section.object, self.operands.place(reloc));
        let branch = Branch { object, reloc: *reloc, place, reach: &thunk::REACH };
        let next = branch.place.wrapping_add(branch.reach.origin);
        let thunk =
            thunk::THUNKS.find(self.operands.image, position, branch, next.wrapping_add(value))?;
        Some(thunk.wrapping_sub(next))
    }

    /// Applies relocation `index` of the patch; returns how many were handled.
    pub(super) fn relocation(&mut self, index: usize) -> usize {
        let reloc = &self.operands.patch.relocs[index];
        let Some(&value) =
            self.operands.image.values_of(self.operands.patch.section.object).get(reloc.symbol())
        else {
            self.fail(index, Fault::BadSymbol);
            return 1;
        };
        1 + self.with_value(reloc, index, value)
    }

    fn with_value(&mut self, reloc: &Rela, index: usize, value: u64) -> usize {
        let addend = reloc.r_addend();
        let r_type = reloc.r_type();
        if r_type == R_X86_64_NONE {
            return 0;
        }
        let (s, is_indirect) = match values::decode(value) {
            Value::Plain(s) => (s, false),
            Value::Merged(section) => return self.merged(reloc, index, section),
            Value::Dead => {
                self.gone(reloc);
                return 0;
            }
            Value::Indirect | Value::Called(_) => match self.operands.own_address(reloc) {
                Some(s) => (s, false),
                None => (0, true),
            },
        };
        let image = self.operands.image;
        let a = addend as u64;
        let p = self.operands.place(reloc);
        match r_type {
            R_X86_64_64 => {
                // The loader writes the field.
                self.put(reloc, index, if is_indirect { 0 } else { s.wrapping_add(a) });
            }
            R_X86_64_32 | R_X86_64_32S | R_X86_64_16 | R_X86_64_8 => {
                self.put(reloc, index, s.wrapping_add(a));
            }
            R_X86_64_PC32 | R_X86_64_PC16 | R_X86_64_PC8 | R_X86_64_PC64 | R_X86_64_PC32_BND => {
                let s = if is_indirect { self.operands.fixed_address(reloc) } else { s };
                self.put(reloc, index, s.wrapping_add(a).wrapping_sub(p));
            }
            R_X86_64_PLT32 | R_X86_64_PLT32_BND => {
                let l = if is_indirect { self.operands.function_address(reloc) } else { s };
                self.put(reloc, index, l.wrapping_add(a).wrapping_sub(p));
            }
            R_X86_64_PLTOFF64 => {
                let l = if is_indirect { self.operands.function_address(reloc) } else { s };
                self.put(reloc, index, l.wrapping_add(a).wrapping_sub(image.got_base));
            }
            R_X86_64_GOTPCREL
            | R_X86_64_GOTPCRELX
            | R_X86_64_REX_GOTPCRELX
            | R_X86_64_CODE_4_GOTPCRELX
            | R_X86_64_CODE_5_GOTPCRELX
            | R_X86_64_CODE_6_GOTPCRELX => self.got_load(reloc, index, s),
            R_X86_64_GOT32 | R_X86_64_GOT64 | R_X86_64_GOTPLT64 => {
                let g = self.operands.got_address(reloc);
                self.put(reloc, index, g.wrapping_add(a).wrapping_sub(image.got_base));
            }
            R_X86_64_GOTPCREL64 => {
                let g = self.operands.got_address(reloc);
                self.put(reloc, index, g.wrapping_add(a).wrapping_sub(p));
            }
            R_X86_64_GOTOFF64 => {
                let s = if is_indirect { self.operands.fixed_address(reloc) } else { s };
                self.put(reloc, index, s.wrapping_add(a).wrapping_sub(image.got_base));
            }
            R_X86_64_GOTPC32 | R_X86_64_GOTPC64 => {
                self.put(reloc, index, image.got_base.wrapping_add(a).wrapping_sub(p));
            }
            R_X86_64_SIZE32 | R_X86_64_SIZE64 => {
                self.put(reloc, index, self.operands.size(reloc).wrapping_add(a));
            }
            R_X86_64_GNU_VTINHERIT | R_X86_64_GNU_VTENTRY => {}
            _ => return self.thread_local(reloc, index, s),
        }
        0
    }

    /// Handles a reference to a section that is not in the output: the field is just the addend in
    /// loaded sections (only exception tables get here), and a tombstone in debug information.
    pub(super) fn gone(&mut self, reloc: &Rela) {
        let is_alloc = self.operands.patch.section.flags.has(SectionFlags::ALLOC);
        let value = if is_alloc {
            reloc.r_addend() as u64
        } else {
            tombstone(self.operands.image, self.operands.patch.section)
        };
        let size = howto(reloc.r_type()).map_or(0, |h| usize::from(h.size));
        let at = self.operands.out_offset(reloc);
        if matches!(size, 4 | 8)
            && let Some(field) = self.out.get_mut(at..at.wrapping_add(size))
        {
            field.copy_from_slice(&value.to_le_bytes()[..size]);
        }
    }

    fn merged(&mut self, reloc: &Rela, index: usize, section: SectionId) -> usize {
        let Some(member) = self.operands.image.merged.member(section) else { return 0 };
        let start = self.operands.image.address(section);
        // The addend selects the piece; for a PC-relative field it is biased by the distance from
        // the field to the next instruction, which assemblers avoid for mergeable sections.
        let s = start.wrapping_add(member.output_offset(reloc.r_addend() as u64));
        let value = match reloc.r_type() {
            R_X86_64_PC32 | R_X86_64_PLT32 | R_X86_64_PC64 | R_X86_64_PC16 | R_X86_64_PC8
            | R_X86_64_PC32_BND | R_X86_64_PLT32_BND => s.wrapping_sub(self.operands.place(reloc)),
            R_X86_64_GOTOFF64 => s.wrapping_sub(self.operands.image.got_base),
            R_X86_64_64 | R_X86_64_32 | R_X86_64_32S | R_X86_64_16 | R_X86_64_8 => s,
            _ => {
                self.fail(index, Fault::Unsupported);
                return 0;
            }
        };
        self.put(reloc, index, value);
        0
    }

    fn got_load(&mut self, reloc: &Rela, index: usize, s: u64) {
        let image = self.operands.image;
        let view = self.operands.view(reloc);
        let form =
            decide::got_form(image.relax, image.shape, view, self.operands.patch.original, reloc);
        if let Some((relaxation, form)) = form {
            let at = self.operands.out_offset(reloc);
            let relaxation = relaxation.filled(image.call_nop);
            match relax::apply_got_relaxation(self.out, at, &relaxation, form) {
                Some(field) => self.write_field(index, field, s),
                None => self.fail(index, Fault::Unsupported),
            }
            return;
        }
        let g = self.operands.got_address(reloc);
        let value =
            g.wrapping_add_signed(reloc.r_addend()).wrapping_sub(self.operands.place(reloc));
        self.put(reloc, index, value);
    }

    /// Writes the field of a rewritten instruction; `target` is as in [`RelaxedField::value`].
    fn write_field(&mut self, index: usize, field: RelaxedField, target: u64) {
        if let Err(value) = field.write(self.out, target, self.operands.patch.address) {
            self.fail(index, Fault::OutOfRange(value));
        }
    }

    /// G + GOT + A - P.
    fn put_got(&mut self, reloc: &Rela, index: usize, word_address: u64) {
        let value = word_address.wrapping_add_signed(reloc.r_addend());
        self.put(reloc, index, value.wrapping_sub(self.operands.place(reloc)));
    }

    /// Whether addresses have 32 bits.
    fn is_x32(&self) -> bool {
        self.operands.image.machine.class == Class::Elf32
    }

    fn thread_local(&mut self, reloc: &Rela, index: usize, s: u64) -> usize {
        let image = self.operands.image;
        let view = self.operands.view(reloc);
        let a = reloc.r_addend() as u64;
        match reloc.r_type() {
            R_X86_64_TLSGD => return self.general_dynamic(reloc, index, view, s),
            R_X86_64_TLSLD => return self.local_dynamic(reloc, index),
            R_X86_64_DTPOFF32 | R_X86_64_DTPOFF64 => {
                // After rewriting local dynamic to local exec, code adds the offset to the thread
                // pointer. Data and debug information need the offset in the module's TLS block.
                let is_code = self.operands.patch.section.flags.has(SectionFlags::EXEC);
                // Local-dynamic refers to this module's variable, even if it is exported.
                let s = view.name().map_or(s, |name| image.values.of_name[name]);
                let value = if is_code && !image.shape.is_shared && self.operands.relaxes_tls() {
                    self.operands.tpoff(view, s)
                } else {
                    self.operands.dtpoff(view, s)
                };
                self.put(reloc, index, value.wrapping_add(a));
            }
            R_X86_64_GOTTPOFF
            | R_X86_64_CODE_4_GOTTPOFF
            | R_X86_64_CODE_5_GOTTPOFF
            | R_X86_64_CODE_6_GOTTPOFF => {
                let original = self.operands.patch.original;
                let relax = self.operands.relaxes_tls();
                match decide::initial_exec(image.shape, relax, view, original, reloc, self.is_x32())
                {
                    Some(load) => {
                        let at = self.operands.out_offset(reloc);
                        let field = tls::relax_ie_to_le(self.out, at, &load);
                        self.write_field(index, field, self.operands.tpoff(view, s));
                    }
                    None => self.put_got(reloc, index, self.operands.gottp(reloc)),
                }
            }
            R_X86_64_TPOFF32 => {
                self.put(reloc, index, self.operands.tpoff(view, s).wrapping_add(a))
            }
            R_X86_64_TPOFF64 => {
                let value = if image.shape.is_shared {
                    0
                } else {
                    self.operands.tpoff(view, s).wrapping_add(a)
                };
                self.put(reloc, index, value);
            }
            R_X86_64_GOTPC32_TLSDESC
            | R_X86_64_CODE_4_GOTPC32_TLSDESC
            | R_X86_64_CODE_5_GOTPC32_TLSDESC
            | R_X86_64_CODE_6_GOTPC32_TLSDESC => self.descriptor(reloc, index, view, s),
            R_X86_64_TLSDESC_CALL => {
                let model = tls_model(image.shape, self.operands.relaxes_tls(), view);
                let r_offset = reloc.r_offset() as usize;
                if model != TlsModel::Dynamic
                    && let Some(call) = tls::descriptor_call(self.operands.patch.original, r_offset)
                {
                    let at = self.operands.out_offset(reloc);
                    tls::relax_descriptor_call(self.out, at, call);
                }
            }
            _ => self.fail(index, Fault::Unsupported),
        }
        0
    }

    fn general_dynamic(&mut self, reloc: &Rela, index: usize, view: SymbolView, s: u64) -> usize {
        let image = self.operands.image;
        let model = tls_model(image.shape, self.operands.relaxes_tls(), view);
        if model == TlsModel::Dynamic {
            let word = self.operands.tlsgd(reloc);
            self.put_got(reloc, index, word);
            return 0;
        }
        let next = self.operands.patch.relocs.get(index + 1);
        let original = self.operands.patch.original;
        let found = decide::general_dynamic(original, reloc, next, self.is_x32());
        let Some(call) = found else {
            self.fail(index, Fault::Unsupported);
            return 0;
        };
        let at = self.operands.out_offset(reloc);
        if model == TlsModel::LocalExec {
            let field = if self.is_x32() {
                tls_x32::relax_gd_to_le(self.out, at)
            } else {
                tls::relax_gd_to_le(self.out, at, call)
            };
            self.write_field(index, field, self.operands.tpoff(view, s));
        } else {
            let field = if self.is_x32() {
                tls_x32::relax_gd_to_ie(self.out, at)
            } else {
                tls::relax_gd_to_ie(self.out, at, call)
            };
            self.write_field(index, field, self.operands.gottp(reloc));
        }
        tls::FOLLOWING
    }

    fn local_dynamic(&mut self, reloc: &Rela, index: usize) -> usize {
        let image = self.operands.image;
        if image.shape.is_shared || !self.operands.relaxes_tls() {
            self.put_got(reloc, index, image.got_word(image.slots.own_module));
            return 0;
        }
        let next = self.operands.patch.relocs.get(index + 1).map(decide::next_relocation);
        let r_offset = reloc.r_offset() as usize;
        let original = self.operands.patch.original;
        let at = self.operands.out_offset(reloc);
        match tls::local_dynamic(original, r_offset, reloc.r_addend(), next) {
            Some(call) if self.is_x32() => tls_x32::relax_ld_to_le(self.out, at, call),
            Some(call) => tls::relax_ld_to_le(self.out, at, call),
            None => self.fail(index, Fault::Unsupported),
        }
        tls::FOLLOWING
    }

    fn descriptor(&mut self, reloc: &Rela, index: usize, view: SymbolView, s: u64) {
        let image = self.operands.image;
        let model = tls_model(image.shape, self.operands.relaxes_tls(), view);
        if model == TlsModel::Dynamic {
            let word = self.operands.tlsdesc(reloc);
            return self.put_got(reloc, index, word);
        }
        let original = self.operands.patch.original;
        let Some(lea) = decide::descriptor(original, reloc, self.is_x32()) else {
            return self.fail(index, Fault::Unsupported);
        };
        let at = self.operands.out_offset(reloc);
        if model == TlsModel::LocalExec {
            let field = tls::relax_descriptor_to_le(self.out, at, &lea);
            self.write_field(index, field, self.operands.tpoff(view, s));
        } else {
            let field = tls::relax_descriptor_to_ie(self.out, at, &lea);
            self.write_field(index, field, self.operands.gottp(reloc));
        }
    }
}
