//! Thunks for calls ("Power Architecture 32-bit Application Binary Interface Supplement",
//! "Procedure Linkage Table"). They load an address from a word that the loader fills, or reach
//! what a branch does not.
//!
//! Position-independent code has in `r30` the GOT's address (`-fpic`), or an address in the
//! `.got2` of its object (`-fPIC`), and says how far behind its start by the addend of
//! R_PPC_PLTREL24. A thunk finds the word from there, so each word has as many thunks as there are
//! such addresses among its callers. Calls without that promise go through thunks that find the
//! word by their own address: those with other types, and those of `_mcount`, which come before
//! code sets the register.

use super::plt::{HERE, JUMP, through_word};
use super::tls;
use crate::format::elf::Rela;
use crate::layout::islands::{Thunk, ThunkKind};
use crate::loops::operands::Operands;
use crate::loops::ppc64::instruction::{self, ADDI, ADDIS, LWZ, NOP};
use crate::loops::ppc64::plt::put;
use crate::loops::ppc64::target::word_of_entry;
use crate::loops::thunks::{Branch, FarBranch, Reach, Thunks};
use crate::machine::ppc32::howto::{self, Base, Field, Part, types};
use crate::read::ObjectId;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{SectionId, attr};
use crate::script::section_names::known;
use crate::synth::image::Image;
use crate::synth::patch::Patch;
use crate::synth::values::{self, Value};
use skald_core::ids::IdRange;

/// Thunks for calls. The program needs some wherever they are.
pub static THUNKS: Thunks = Thunks {
    kinds: &[
        ThunkKind { size: 16, align: 16 },
        ThunkKind { size: 16, align: 16 },
        ThunkKind { size: 32, align: 16 },
        ThunkKind { size: 16, align: 16 },
        ThunkKind { size: 32, align: 16 },
    ],
    span: 0,
    leads_to_data: false,
    spacing: 4 << 20,
    find,
    thunk_for,
    second: |_| None,
    write,
    marks: None,
};

/// Jumps to the address in a word, whose address is known.
const WORD: u8 = 0;
/// The same for a word that is found from `r30`.
const WORD_FROM: u8 = 1;
/// The same for a word that is found by the thunk's own address.
const WORD_HERE: u8 = 2;
/// Jumps to an address that is known.
const FAR: u8 = 3;
/// The same for one that is found by the thunk's own address.
const FAR_HERE: u8 = 4;

/// The register of position-independent code.
const PIC: u32 = 30;

/// Branches, and conditional ones.
static REACH: Reach = Reach { backward: 1 << 25, forward: (1 << 25) - 4, origin: 0 };
static SHORT_REACH: Reach = Reach { backward: 1 << 15, forward: (1 << 15) - 4, origin: 0 };

/// Where a call leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// Nowhere: nothing defines the weak symbol.
    Nothing,
    /// To the address in a word.
    Word(u64),
    /// To a function of this output.
    Code(u64),
}

/// How a call gets to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Not at all.
    Nowhere,
    /// To this address.
    Direct(u64),
    /// Through a thunk.
    Through(Thunk),
}

/// The addend of a call as far as it is part of a sum.
pub fn addend(reloc: &Rela) -> i64 {
    match howto::of(reloc.r_type()).map(|row| row.base) {
        Some(Base::PicCall | Base::PltWord | Base::Nothing) => 0,
        _ => reloc.r_addend(),
    }
}

/// Where a call with a relocation leads; `None` if its target is not in the output.
pub fn callee(image: &Image<'_>, object: ObjectId, reloc: &Rela) -> Option<Callee> {
    let symbol = reloc.symbol();
    let view = image.view(object, symbol);
    if view.is_imported() || view.is_local_ifunc() {
        let set = view.name().and_then(|name| image.slots.set_of_name(name));
        return Some(
            set.and_then(|set| image.jump_word(set)).map_or(Callee::Nothing, Callee::Word),
        );
    }
    Some(match values::decode(image.value(object, symbol)) {
        Value::Plain(0) if view.attributes & attr::UNDEF_WEAK != 0 => Callee::Nothing,
        Value::Plain(s) => match word_of_entry(image, s) {
            // An alias of an IFUNC has the address of an entry of `.plt.got`.
            Some(word) => Callee::Word(word),
            None => Callee::Code(s.wrapping_add_signed(addend(reloc))),
        },
        Value::Merged(section) => Callee::Code(image.place_in(section, addend(reloc) as u64)?),
        Value::Indirect | Value::Called(_) => Callee::Nothing,
        Value::Dead => return None,
    })
}

/// How a call with a relocation, at `place`, gets to its target; `None` if that is not in the
/// output.
pub fn way(image: &Image<'_>, object: ObjectId, reloc: &Rela, place: u64) -> Option<Way> {
    let is_pic = image.shape.is_pic;
    Some(match callee(image, object, reloc)? {
        Callee::Nothing => Way::Nowhere,
        Callee::Word(word) if !is_pic => Way::Through(Thunk::to(WORD, word)),
        Callee::Word(word) => Way::Through(match promised(image, object, reloc) {
            Some(from) => Thunk { from, ..Thunk::to(WORD_FROM, word) },
            None => Thunk::to(WORD_HERE, word),
        }),
        Callee::Code(to) if reach(reloc.r_type()).covers(place, to) => Way::Direct(to),
        Callee::Code(to) => Way::Through(Thunk::to(if is_pic { FAR_HERE } else { FAR }, to)),
    })
}

/// What `r30` has at a call of position-independent code, if that is known.
fn promised(image: &Image<'_>, object: ObjectId, reloc: &Rela) -> Option<u64> {
    if reloc.r_type() != types::PLTREL24 {
        return None;
    }
    let of_got2 = got2(image, object);
    if howto::is_got2_offset(reloc.r_type(), reloc.r_addend()) {
        return Some(of_got2?.wrapping_add_signed(reloc.r_addend()));
    }
    let is_set =
        of_got2.is_none() && image.objects[object].symbol_name(reloc.symbol()) != b"_mcount";
    is_set.then_some(image.got_base)
}

/// The address of an object's `.got2`, if it has one in the output.
fn got2(image: &Image<'_>, object: ObjectId) -> Option<u64> {
    let is_it = |id: &SectionId| {
        let section = &image.definitions.sections[*id];
        section.class.is(known::GOT2) && !section.flags.has(SectionFlags::DISCARDED)
    };
    let id = image.definitions.sections_of(object).ids().find(is_it)?;
    Some(image.address(id))
}

/// What instructions of a call that was written out find the word from: nothing at fixed addresses.
pub fn written_base(image: &Image<'_>, object: ObjectId, reloc: &Rela) -> u64 {
    let is_of_got2 = howto::is_got2_offset(reloc.r_type(), reloc.r_addend());
    match (image.shape.is_pic, is_of_got2) {
        (false, _) => 0,
        (true, false) => image.got_base,
        (true, true) => got2(image, object).unwrap_or(0).wrapping_add_signed(reloc.r_addend()),
    }
}

/// The reach of a branch with a relocation.
pub fn reach(r_type: u32) -> &'static Reach {
    match howto::of(r_type).map(|row| row.field) {
        Some(Field::ShortBranch | Field::LikelyBranch | Field::UnlikelyBranch) => &SHORT_REACH,
        _ => &REACH,
    }
}

/// Whether the relocation with an index is that of a branch, after rewriting.
fn is_branch(image: &Image<'_>, patch: &Patch<'_>, index: usize) -> bool {
    let reloc = &patch.relocs[index];
    let base = howto::of(reloc.r_type()).map(|row| row.base);
    let is_call = matches!(base, Some(Base::Call | Base::PicCall));
    if !is_call && reloc.r_type() != types::PLTCALL {
        return false;
    }
    let operands = Operands { image, patch };
    let mark = tls::mark_of(patch.relocs, index);
    if mark.is_some_and(|mark| super::apply::is_relaxed_mark(operands, mark)) {
        return false;
    }
    is_call || super::apply::is_direct_call(operands, reloc)
}

fn find(image: &Image<'_>, patch: &Patch<'_>, _: &mut Vec<u8>, found: &mut Vec<FarBranch>) {
    let object = patch.section.object;
    for (index, reloc) in patch.relocs.iter().enumerate() {
        if !is_branch(image, patch, index) {
            continue;
        }
        let place = patch.address.wrapping_add(reloc.r_offset());
        if let Some(Way::Through(thunk)) = way(image, object, reloc, place) {
            let branch = Branch { object, reloc: *reloc, place, reach: reach(reloc.r_type()) };
            found.push(FarBranch { branch, destination: thunk.destination });
        }
    }
}

fn thunk_for(image: &Image<'_>, _: u32, branch: &Branch, destination: u64) -> Thunk {
    match way(image, branch.object, &branch.reloc, branch.place) {
        Some(Way::Through(thunk)) => thunk,
        _ => Thunk::to(FAR_HERE, destination),
    }
}

fn write(image: &Image<'_>, thunk: Thunk, address: u64, out: &mut [u8]) {
    let order = image.machine.byte_order;
    let mut code = code(thunk, address);
    code.resize(out.len() / 4, NOP);
    put(order, out, &code);
}

/// The code of a thunk at an address.
fn code(thunk: Thunk, address: u64) -> Vec<u32> {
    let to = thunk.destination;
    let upper = |target: u32, base: u32, value: u64| {
        instruction::with_half(ADDIS, target, base, Part::HighAdjusted.of(value))
    };
    let lower =
        |opcode: u32, base: u32, value: u64| instruction::with_half(opcode, 11, base, value);
    match thunk.kind {
        WORD => through_word(false, address, to),
        WORD_HERE => through_word(true, address, to),
        WORD_FROM => {
            let distance = to.wrapping_sub(thunk.from);
            let load = match i16::try_from(distance as i32) {
                Ok(_) => vec![lower(LWZ, PIC, distance)],
                Err(_) => vec![upper(11, PIC, distance), lower(LWZ, 11, distance)],
            };
            [&load[..], &JUMP].concat()
        }
        FAR => [&[upper(11, 0, to), lower(ADDI, 11, to)][..], &JUMP].concat(),
        _ => {
            let distance = to.wrapping_sub(address.wrapping_add(8));
            let sum = [upper(11, 11, distance), lower(ADDI, 11, distance)];
            [&HERE[..], &sum, &JUMP].concat()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: u8, from: u64) -> Vec<u32> {
        let code = code(Thunk { from, ..Thunk::to(kind, 0x1003_8ff0) }, 0x1000_0000);
        assert!(4 * code.len() as u64 <= THUNKS.kinds[usize::from(kind)].size);
        code
    }

    #[test]
    fn words_are_found_from_a_register_or_from_here() {
        // lis r11, 0x1004; lwz r11, -0x7010(r11); mtctr r11; bctr
        assert_eq!(of(WORD, 0), [0x3d60_1004, 0x816b_8ff0, 0x7d69_03a6, 0x4e80_0420]);
        // lwz r11, 0x7ff0(r30)
        assert_eq!(of(WORD_FROM, 0x1003_1000), [0x817e_7ff0, 0x7d69_03a6, 0x4e80_0420]);
        // addis r11, r30, 1; lwz r11, -0x7010(r11)
        let far = [0x3d7e_0001, 0x816b_8ff0, 0x7d69_03a6, 0x4e80_0420];
        assert_eq!(of(WORD_FROM, 0x1003_0000), far);
        assert_eq!(of(WORD_HERE, 0)[4..6], [0x3d6b_0004, 0x816b_8fe8]);
    }

    #[test]
    fn far_functions() {
        assert_eq!(of(FAR, 0), [0x3d60_1004, 0x396b_8ff0, 0x7d69_03a6, 0x4e80_0420]);
        assert_eq!(of(FAR_HERE, 0)[4..6], [0x3d6b_0004, 0x396b_8fe8]);
    }
}
