//! What relaxation deletes ("ELF for the LoongArch Architecture", "Relaxation"): padding for
//! alignment, the second instruction of calls and addresses that one can do, and instructions of a
//! thread-local variable's address that are not needed.
//!
//! | before                                          | after                                  |
//! |-------------------------------------------------|----------------------------------------|
//! | `pcaddu18i`; `jirl`                             | `bl` or `b`                            |
//! | `pcalau12i`; `addi.d`, or `ld.d` from the GOT   | `pcaddi`                               |
//! | `lu12i.w`; `add.d` with `$tp`; a lower part     | the lower part, with `$tp` for a base  |
//! | `lu12i.w`; `ori`                                | `ori` from `$zero`                     |
//!
//! Only instructions that `R_LARCH_RELAX` marks change, and padding. The lower part of an offset
//! decides by itself whether the instructions before it may be gone.

use super::decide;
use super::instruction::{Form, RA, ZERO, change, rd, rj, with_rj};
use super::sequence::Code;
use super::tls::{self, Rewritten, TlsRewrite};
use crate::format::elf::Rela;
use crate::layout::deletions::{Deleted, Deletion};
use crate::loops::tls_model::{TlsModel, tls_model};
use crate::machine::Class;
use crate::machine::loongarch::howto::R_LARCH_CALL30;
use crate::resolve::definitions::SectionId;
use crate::select::scan::SymbolView;
use crate::synth::image::Image;
use crate::synth::shrinking::{ShrinkSite, Shrinking};
use crate::synth::values::{self, Value};
use object::elf::*;

/// How its code shrinks.
pub static SHRINKING: Shrinking = Shrinking { most_lost, find, shorten };

/// Reach of a branch, and of PCADDI.
const BRANCH: u64 = (1 << 27) - 4;
const NEAR: u64 = (1 << 21) - 4;

fn most_lost(relocs: &[Rela]) -> u64 {
    let code = Code { bytes: &[], relocs };
    let mut sum = 0u64;
    for (index, reloc) in relocs.iter().enumerate() {
        let lost = match reloc.r_type() {
            R_LARCH_ALIGN => Padding::of(reloc).size,
            R_LARCH_CALL36
            | R_LARCH_CALL30
            | R_LARCH_PCALA_HI20
            | R_LARCH_GOT_PC_HI20
            | R_LARCH_TLS_LD_PC_HI20
            | R_LARCH_TLS_GD_PC_HI20
            | R_LARCH_TLS_DESC_PC_HI20
            | R_LARCH_TLS_DESC_PC_LO12
            | R_LARCH_TLS_DESC_PCREL20_S2
            | R_LARCH_TLS_DESC_LD
            | R_LARCH_TLS_IE_PC_HI20
            | R_LARCH_TLS_LE_HI20
            | R_LARCH_TLS_LE64_LO20
            | R_LARCH_TLS_LE64_HI12
            | R_LARCH_TLS_LE_HI20_R
            | R_LARCH_TLS_LE_ADD_R
                if code.is_relaxable(index) =>
            {
                4
            }
            _ => 0,
        };
        sum = sum.saturating_add(lost);
    }
    sum
}

/// Padding for alignment, as an object has it.
pub struct Padding {
    /// Bytes that are there.
    pub size: u64,
    align: u64,
    /// If it takes more than this, nothing is aligned.
    most: u64,
}

impl Padding {
    /// Without a symbol the addend is the size. With one it has the alignment, as a power of two,
    /// and above that how much may be spent; 0 is no limit.
    pub fn of(reloc: &Rela) -> Padding {
        let addend = reloc.r_addend() as u64;
        let (align, most) = match reloc.r_sym() {
            0 if addend < 1 << 32 => ((addend + 4).next_power_of_two(), u64::MAX),
            0 => (1, u64::MAX),
            _ => {
                let most = if addend >> 8 == 0 { u64::MAX } else { addend >> 8 };
                (if addend & 0xff < 32 { 1 << (addend & 0xff) } else { 1 }, most)
            }
        };
        Padding { size: align.saturating_sub(4), align, most }
    }

    /// How many bytes are needed at a place, which may be more than there are.
    pub fn needed(&self, place: u64) -> u64 {
        let needed = place.wrapping_neg() % self.align;
        if needed > self.most { 0 } else { needed }
    }
}

/// Whether all of a value fits a lower part with a sign.
#[inline(always)]
pub const fn fits_low(value: u64, is_32: bool) -> bool {
    let value = if is_32 { value as i32 as i64 } else { value as i64 };
    -0x800 <= value && value < 0x800
}

fn find(image: &Image<'_>, site: &ShrinkSite<'_>) -> Deleted {
    let object = image.definitions.sections[site.section].object;
    let bytes = image.objects[object].bytes(&image.definitions.sections[site.section]);
    let search = Search { image, site, code: Code { bytes, relocs: site.relocs } };
    let mut found = Deleted::default();
    for (number, reloc) in (0..).zip(site.relocs) {
        let index = number as usize;
        let start = reloc.r_offset();
        if reloc.r_type() == R_LARCH_ALIGN {
            let padding = Padding::of(reloc);
            let place = start.saturating_sub(found.total());
            let needed = padding.needed(place).min(padding.size);
            let offset = start.saturating_add(needed);
            found
                .push(bytes.len(), Deletion { offset, size: padding.size - needed, reloc: number });
        } else if search.code.is_relaxable(index) {
            let before = site.deleted.of_relocation(number).map(|deletion| deletion.offset);
            let now = || if site.may_shorten { search.deleted(index, reloc) } else { None };
            if let Some(offset) = before.or_else(now) {
                found.push(bytes.len(), Deletion { offset, size: 4, reloc: number });
            }
        }
    }
    found
}

struct Search<'a> {
    image: &'a Image<'a>,
    site: &'a ShrinkSite<'a>,
    code: Code<'a>,
}

impl Search<'_> {
    /// The offset of the instruction that a relocation can do without: its own, or the next.
    fn deleted(&self, index: usize, reloc: &Rela) -> Option<u64> {
        let own = reloc.r_offset();
        let next = own.saturating_add(4);
        let (is_gone, offset) = match reloc.r_type() {
            R_LARCH_CALL36 | R_LARCH_CALL30 => (self.is_near_call(index, reloc), next),
            R_LARCH_PCALA_HI20 => (self.is_near_address(index, reloc), next),
            R_LARCH_GOT_PC_HI20 => (self.is_near_load(index, reloc), next),
            R_LARCH_TLS_LD_PC_HI20 | R_LARCH_TLS_GD_PC_HI20 => {
                (self.is_near_word(index, R_LARCH_GOT_PC_LO12), next)
            }
            R_LARCH_TLS_DESC_PC_HI20 if self.is_descriptor(reloc) => {
                (self.is_near_word(index, R_LARCH_TLS_DESC_PC_LO12), next)
            }
            R_LARCH_TLS_DESC_PC_HI20
            | R_LARCH_TLS_DESC_PC_LO12
            | R_LARCH_TLS_DESC_PCREL20_S2
            | R_LARCH_TLS_DESC_LD
            | R_LARCH_TLS_IE_PC_HI20 => (self.is_nothing(index, reloc), own),
            R_LARCH_TLS_LE_HI20_R | R_LARCH_TLS_LE_ADD_R => {
                let offset = self.thread_offset(reloc);
                (offset.is_some_and(|offset| fits_low(offset, self.is_32())), own)
            }
            R_LARCH_TLS_LE_HI20 => (self.is_short(reloc) && self.code.is_offset_pair(index), own),
            // What the first two instructions make has no upper bits then.
            R_LARCH_TLS_LE64_LO20 => (self.is_short(reloc), own),
            R_LARCH_TLS_LE64_HI12 => {
                let word = self.code.word(index);
                let has_form =
                    word.is_some_and(|word| Form::LU52I_D.is(word) && rd(word) == rj(word));
                (has_form && self.is_short(reloc), own)
            }
            _ => return None,
        };
        is_gone.then_some(offset)
    }

    fn is_32(&self) -> bool {
        self.image.machine.class == Class::Elf32
    }

    fn view(&self, reloc: &Rela) -> SymbolView {
        let object = self.image.definitions.sections[self.site.section].object;
        self.image.view(object, reloc.symbol())
    }

    /// The section of the symbol's address; `None` if that is in none, or in the PLT.
    fn home(&self, reloc: &Rela) -> Option<SectionId> {
        let view = self.view(reloc);
        view.value_base.section().filter(|_| !view.is_local_ifunc())
    }

    /// The address of the symbol with the addend, if it is known; for a function that is called
    /// through the PLT, of the entry if `is_call`.
    fn target(&self, reloc: &Rela, is_call: bool) -> Option<u64> {
        let image = self.image;
        let object = image.definitions.sections[self.site.section].object;
        match values::decode(image.value(object, reloc.symbol())) {
            Value::Plain(0) => None,
            Value::Plain(s) => Some(s.wrapping_add_signed(reloc.r_addend())),
            Value::Merged(section) => image.place_in(section, reloc.r_addend() as u64),
            Value::Called(distance) if is_call => {
                Some(image.bases.plt.wrapping_add_signed(distance.into()))
            }
            _ => None,
        }
    }

    /// Whether a field of words that reaches `most` bytes will reach a target from the place of a
    /// relocation, whatever else shrinks. `home` is the target's section.
    fn reaches(&self, reloc: &Rela, target: u64, home: Option<SectionId>, most: u64) -> bool {
        let (image, site) = (self.image, self.site);
        let place = image.address(site.section) + site.deleted.moved(reloc.r_offset());
        let distance = target.wrapping_sub(place) as i64;
        distance & 3 == 0 && site.farthest(image, home, distance) <= most
    }

    /// The two instructions of a call become one branch where that reaches.
    fn is_near_call(&self, index: usize, reloc: &Rela) -> bool {
        let Some(target) = self.target(reloc, true) else { return false };
        let Some(jump) = self.code.word_behind(index, 4) else { return false };
        let has_form = Form::JIRL.is(jump) && matches!(rd(jump), ZERO | RA);
        has_form && self.reaches(reloc, target, self.home(reloc), BRANCH)
    }

    fn is_near_address(&self, index: usize, reloc: &Rela) -> bool {
        let Some(target) = self.target(reloc, false) else { return false };
        let form = Form::add(self.is_32());
        self.code.is_relaxable_pair(index, R_LARCH_PCALA_LO12, form)
            && self.reaches(reloc, target, self.home(reloc), NEAR)
    }

    /// A load from the GOT of an address that is near.
    fn is_near_load(&self, index: usize, reloc: &Rela) -> bool {
        let Some(target) = self.target(reloc, false) else { return false };
        let form = Form::load(self.is_32());
        let view = self.view(reloc);
        decide::rewrites_loads(self.image, self.site.section, view, reloc)
            && self.code.is_got_load(index, form)
            && self.code.is_relaxable_pair(index, R_LARCH_GOT_PC_LO12, form)
            && self.reaches(reloc, target, self.home(reloc), NEAR)
    }

    /// The address of a variable's words in the GOT, with a lower part of type `low`.
    fn is_near_word(&self, index: usize, low: u32) -> bool {
        let reloc = &self.code.relocs[index];
        let image = self.image;
        let object = image.definitions.sections[self.site.section].object;
        let Some(slots) = image.slots_of(object, reloc.symbol()) else { return false };
        let is_descriptor = low == R_LARCH_TLS_DESC_PC_LO12;
        let word = image.got_word(if is_descriptor { slots.tlsdesc } else { slots.tlsgd });
        word != 0
            && reloc.r_addend() == 0
            && self.code.is_relaxable_pair(index, low, Form::add(self.is_32()))
            && self.reaches(reloc, word, None, NEAR)
    }

    /// The offset of a variable from the thread pointer, if this output has it.
    fn thread_offset(&self, reloc: &Rela) -> Option<u64> {
        let s = self.target(reloc, false)?;
        (!self.image.shape.is_shared).then(|| s.wrapping_sub(self.image.thread_pointer))
    }

    fn is_short(&self, reloc: &Rela) -> bool {
        self.thread_offset(reloc).is_some_and(tls::is_short)
    }

    fn model(&self, reloc: &Rela) -> TlsModel {
        let relaxes = self.image.relax || !self.image.shape.is_dynamic;
        tls_model(self.image.shape, relaxes, self.view(reloc))
    }

    /// Whether a reference to a variable stays one by a descriptor.
    fn is_descriptor(&self, reloc: &Rela) -> bool {
        self.model(reloc) == TlsModel::Dynamic
    }

    /// Whether nothing is needed in the place of an instruction that reaches a variable.
    fn is_nothing(&self, index: usize, reloc: &Rela) -> bool {
        let offset = self.thread_offset(reloc);
        let new = tls::rewritten(self.code, index, self.model(reloc), offset, self.is_32());
        matches!(new, TlsRewrite::By(Rewritten { r_type: R_LARCH_NONE, .. }))
    }
}

/// What is left of two instructions becomes the one that does the same, and its relocation that
/// one's type.
fn shorten(bytes: &mut [u8], relocs: &mut [Rela], deletion: Deletion) {
    let index = deletion.reloc as usize;
    let Some(reloc) = relocs.get(index) else { return };
    let code = Code { bytes, relocs };
    let start = reloc.r_offset();
    let is_second = deletion.offset != start;
    let r_type = match reloc.r_type() {
        R_LARCH_ALIGN => return,
        R_LARCH_CALL36 | R_LARCH_CALL30 => {
            let register = code.word_behind(index, 4).map_or(ZERO, rd);
            let branch = if register == ZERO { Form::B } else { Form::BL };
            change(bytes, start as usize, |_| branch.with(0, 0));
            R_LARCH_B26
        }
        r_type if is_second => {
            let second = code.second(index);
            change(bytes, start as usize, |word| Form::PCADDI.with(rd(word), 0));
            if let Some(second) = second.and_then(|second| relocs.get_mut(second)) {
                second.set_r_type(R_LARCH_NONE);
            }
            match r_type {
                R_LARCH_TLS_LD_PC_HI20 => R_LARCH_TLS_LD_PCREL20_S2,
                R_LARCH_TLS_GD_PC_HI20 => R_LARCH_TLS_GD_PCREL20_S2,
                R_LARCH_TLS_DESC_PC_HI20 => R_LARCH_TLS_DESC_PCREL20_S2,
                _ => R_LARCH_PCREL20_S2,
            }
        }
        R_LARCH_TLS_LE_HI20 => {
            // The lower part is all of the offset.
            change(bytes, start as usize + 4, |word| with_rj(word, ZERO));
            R_LARCH_NONE
        }
        _ => R_LARCH_NONE,
    };
    relocs[index].set_r_type(r_type);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn align(symbol: u32, addend: i64) -> Padding {
        let mut reloc = Rela::default();
        reloc.set_r_sym(symbol);
        reloc.set_r_addend(addend);
        Padding::of(&reloc)
    }

    #[test]
    fn padding_has_two_forms() {
        let plain = align(0, 12);
        assert_eq!([plain.size, plain.needed(4), plain.needed(16)], [12, 12, 0]);
        let same = align(1, 4);
        assert_eq!([same.size, same.needed(4), same.needed(16)], [12, 12, 0]);
        let limited = align(1, 8 << 8 | 5);
        assert_eq!([limited.size, limited.needed(4), limited.needed(24)], [28, 0, 8]);
        assert_eq!([align(0, -4).size, align(1, 255).size], [0, 0]);
    }
}
