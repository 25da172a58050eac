//! Thunks for calls ("64-Bit ELF V2 ABI Specification", "Procedure Linkage Table" and "Linkage
//! Optimizations"). They load an address from a word that the loader fills, or reach what a branch
//! does not, or set the registers that a function counts on.
//!
//! - A caller with the TOC's address in `r2` that calls through a word has it saved by the thunk,
//!   and restores it with the instruction behind the call, which was a no-op.
//! - A caller without it may have anything in `r2`. The thunk finds the word or the function by its
//!   own address, and leaves the function's in `r12`, from which the function's global entry
//!   computes `r2`.
//! - A function that changes `r2` without having a local entry is called in the first way.
//!
//! What begins with long instructions is for programs whose code has such instructions anyway.

use super::instruction::{
    self, ADDI, ADDIS, LD, Long, RESTORE_TOC, RESTORE_TOC_V1, SAVE_TOC, SAVE_TOC_V1, TOC,
};
use super::target::{Callee, callee};
use super::{has_descriptors, tls};
use crate::format::elf::Rela;
use crate::layout::islands::{Thunk, ThunkKind};
use crate::loops::operands::Operands;
use crate::loops::thunks::{Branch, FarBranch, Reach, Thunks};
use crate::machine::Machine;
use crate::machine::ppc64::howto::{self, Base, Field, Part, types};
use crate::read::ObjectId;
use crate::synth::image::Image;
use crate::synth::patch::Patch;
use skald_linking::byte_order::ByteOrder;

/// Thunks for calls. The program needs some wherever they are.
pub static THUNKS: Thunks = Thunks {
    kinds: &[
        ThunkKind { size: 20, align: 4 },
        ThunkKind { size: 16, align: 16 },
        ThunkKind { size: 32, align: 4 },
        ThunkKind { size: 16, align: 4 },
        ThunkKind { size: 16, align: 16 },
        ThunkKind { size: 32, align: 4 },
        ThunkKind { size: 32, align: 16 },
        ThunkKind { size: 36, align: 4 },
        ThunkKind { size: 40, align: 4 },
        ThunkKind { size: 40, align: 4 },
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

/// Saves `r2`, and jumps to the address in a word, which is found from `r2`.
const WORD: u8 = 0;
/// Jumps to the address in a word, which is found by a long instruction.
const WORD_LONG: u8 = 1;
/// The same without long instructions.
const WORD_HERE: u8 = 2;
/// Jumps to an address, which is found from `r2`.
const FAR: u8 = 3;
/// Jumps to an address, which is found by a long instruction.
const FAR_LONG: u8 = 4;
/// The same without long instructions.
const FAR_HERE: u8 = 5;
/// [`FAR_LONG`], and saves `r2`.
const SAVE_LONG: u8 = 6;
/// [`FAR_HERE`], and saves `r2`.
const SAVE_HERE: u8 = 7;
/// Saves `r2`, and calls the function of a descriptor, which is found from `r2`.
const DESCRIPTOR: u8 = 8;
/// The same for the descriptor whose address is in a word.
const DESCRIPTOR_AT: u8 = 9;

/// Branches, and conditional ones.
static REACH: Reach = Reach { backward: 1 << 25, forward: (1 << 25) - 4, origin: 0 };
static SHORT_REACH: Reach = Reach { backward: 1 << 15, forward: (1 << 15) - 4, origin: 0 };

/// `mtctr r12; bctr`
const JUMP: [u32; 2] = [0x7d89_03a6, 0x4e80_0420];
/// `mflr r12; bcl 20, 31, .+4; mflr r11; mtlr r12`: the address of the third instruction.
const HERE: [u32; 4] = [0x7d88_02a6, 0x429f_0005, 0x7d68_02a6, 0x7d88_03a6];

/// `ld r12, 0(r11); xor r2, r12, r12; add r11, r11, r2; mtctr r12; ld r2, 8(r11); ld r11, 16(r11);
/// bctr`. What the other words hold is only known to fit the first if they are loaded after it: the
/// loader may be writing them.
const THROUGH_DESCRIPTOR: [u32; 7] =
    [0xe98b_0000, 0x7d82_6278, 0x7d6b_1214, 0x7d89_03a6, 0xe84b_0008, 0xe96b_0010, 0x4e80_0420];

/// How a call gets to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Not at all: nothing defines the weak symbol.
    Nowhere,
    /// To this address.
    Direct(u64),
    /// Through a thunk, which has saved `r2` for the instruction behind the call (`restores`).
    Through { thunk: Thunk, restores: bool },
}

/// How a call with a relocation, at `place`, gets to its target; `None` if that is not in the
/// output.
pub fn way(image: &Image<'_>, object: ObjectId, reloc: &Rela, place: u64) -> Option<Way> {
    let r_type = reloc.r_type();
    let base = howto::of(r_type)?.base;
    let has_toc = base == Base::Call || r_type == types::PLTCALL;
    let through = |kind, destination, restores| Way::Through {
        thunk: Thunk::to(kind, destination),
        restores,
    };
    let is_new = image.has_new_instructions;
    let choose = |long: u8, here: u8| if is_new { long } else { here };
    let covers = |to: u64| reach(r_type).covers(place, to);
    let far = choose(FAR_LONG, FAR_HERE);
    Some(match callee(image, object, reloc)? {
        Callee::Nothing => Way::Nowhere,
        Callee::Word(word) if has_toc => through(WORD, word, true),
        Callee::Descriptor(at) => through(DESCRIPTOR, at, true),
        Callee::DescriptorAt(word) => through(DESCRIPTOR_AT, word, true),
        Callee::Word(word) => through(choose(WORD_LONG, WORD_HERE), word, false),
        Callee::Global(address) => through(far, address, false),
        Callee::Code(entries) if has_toc && entries.changes_toc() => {
            through(choose(SAVE_LONG, SAVE_HERE), entries.global, true)
        }
        Callee::Code(entries) if has_toc => match entries.local() {
            local if covers(local) => Way::Direct(local),
            // Without a GOT there is no TOC.
            local if image.bases.got == 0 => through(far, local, false),
            local => through(FAR, local, false),
        },
        Callee::Code(entries) if entries.needs_toc() || !covers(entries.global) => {
            through(far, entries.global, false)
        }
        Callee::Code(entries) => Way::Direct(entries.global),
    })
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
    let r_type = reloc.r_type();
    let is_call =
        howto::of(r_type).is_some_and(|row| matches!(row.base, Base::Call | Base::CallWithoutToc));
    let is_written_out = matches!(r_type, types::PLTCALL | types::PLTCALL_NOTOC);
    if !is_call && !is_written_out {
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
        if let Some(Way::Through { thunk, .. }) = way(image, object, reloc, place) {
            let branch = Branch { object, reloc: *reloc, place, reach: reach(reloc.r_type()) };
            found.push(FarBranch { branch, destination: thunk.destination });
        }
    }
}

fn thunk_for(image: &Image<'_>, _: u32, branch: &Branch, destination: u64) -> Thunk {
    match way(image, branch.object, &branch.reloc, branch.place) {
        Some(Way::Through { thunk, .. }) => thunk,
        _ => Thunk::to(FAR, destination),
    }
}

fn write(image: &Image<'_>, thunk: Thunk, address: u64, out: &mut [u8]) {
    let toc = thunk.destination.wrapping_sub(image.got_base);
    let code = code(thunk, address, toc);
    fill(image.machine.byte_order, &code, out);
}

/// Writes instructions, and no-ops behind them.
fn fill(order: ByteOrder, code: &[u32], out: &mut [u8]) {
    let rest = std::iter::repeat(instruction::NOP);
    for (place, word) in out.chunks_exact_mut(4).zip(code.iter().copied().chain(rest)) {
        order.put_low(place, word.into());
    }
}

/// The code of a thunk at an address; `toc` is the distance of its destination from `r2`.
fn code(thunk: Thunk, address: u64, toc: u64) -> Vec<u32> {
    let sum = |base: u32, opcode: u32, distance: u64| {
        [
            instruction::with_half(ADDIS, 12, base, Part::HighAdjusted.of(distance)),
            instruction::with_half(opcode, 12, 12, distance),
        ]
    };
    let sum11 = |opcode: u32| {
        [
            instruction::with_half(ADDIS, 11, TOC, Part::HighAdjusted.of(toc)),
            instruction::with_half(opcode, 11, 11, toc),
        ]
    };
    let away = |behind: u64| thunk.destination.wrapping_sub(address.wrapping_add(behind));
    let long = |long: Long, behind: u64| {
        let long = long.with34(away(behind));
        [long.prefix, long.suffix]
    };
    // The address that [`HERE`] finds is that of its third instruction.
    let here = |opcode: u32, behind: u64| [&HERE[..], &sum(11, opcode, away(behind + 8))].concat();
    let code = match thunk.kind {
        WORD => [&[SAVE_TOC][..], &sum(TOC, LD, toc)].concat(),
        WORD_LONG => long(Long::load(12), 0).to_vec(),
        WORD_HERE => here(LD, 0),
        FAR => sum(TOC, ADDI, toc).to_vec(),
        FAR_LONG => long(Long::address(12), 0).to_vec(),
        FAR_HERE => here(ADDI, 0),
        DESCRIPTOR => return [&[SAVE_TOC_V1][..], &sum11(ADDI), &THROUGH_DESCRIPTOR].concat(),
        DESCRIPTOR_AT => return [&[SAVE_TOC_V1][..], &sum11(LD), &THROUGH_DESCRIPTOR].concat(),
        SAVE_LONG => [&[SAVE_TOC][..], &long(Long::address(12), 4)].concat(),
        _ => [&[SAVE_TOC][..], &here(ADDI, 4)].concat(),
    };
    [&code[..], &JUMP].concat()
}

/// The instruction behind a call through a thunk that has saved `r2`; `None` if the one that is
/// there has to stay.
pub fn restored(restore: u32, word: u32) -> Option<u32> {
    (instruction::is_nop(word) || word == restore).then_some(restore)
}

/// The instruction that restores `r2`.
pub fn restore_of(machine: &Machine) -> u32 {
    if has_descriptors(machine) { RESTORE_TOC_V1 } else { RESTORE_TOC }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: u8) -> Vec<u32> {
        let code = code(Thunk::to(kind, 0x1003_8ff0), 0x1000_0000, 0x9ff0);
        assert!(4 * code.len() as u64 <= THUNKS.kinds[usize::from(kind)].size);
        code
    }

    #[test]
    fn words_are_found_from_the_toc_or_from_here() {
        // std r2, 24(r1); addis r12, r2, 1; ld r12, -0x6010(r12); mtctr r12; bctr
        assert_eq!(of(WORD), [0xf841_0018, 0x3d82_0001, 0xe98c_9ff0, 0x7d89_03a6, 0x4e80_0420]);
        // pld r12, 0x38ff0
        assert_eq!(of(WORD_LONG), [0x0410_0003, 0xe580_8ff0, 0x7d89_03a6, 0x4e80_0420]);
        let here = of(WORD_HERE);
        assert_eq!(here[..4], HERE);
        assert_eq!(here[4..6], [0x3d8b_0004, 0xe98c_8fe8]);
    }

    #[test]
    fn far_functions() {
        assert_eq!(of(FAR), [0x3d82_0001, 0x398c_9ff0, 0x7d89_03a6, 0x4e80_0420]);
        assert_eq!(of(FAR_LONG)[..2], [0x0610_0003, 0x3980_8ff0]);
        assert_eq!(of(FAR_HERE)[4..6], [0x3d8b_0004, 0x398c_8fe8]);
        assert_eq!(of(SAVE_LONG)[..3], [0xf841_0018, 0x0610_0003, 0x3980_8fec]);
        assert_eq!(of(SAVE_HERE)[5..7], [0x3d8b_0004, 0x398c_8fe4]);
    }

    #[test]
    fn calls_are_followed_by_a_nop() {
        let restored = |word| restored(RESTORE_TOC, word);
        assert_eq!(restored(0x6000_0000), Some(0xe841_0018));
        assert_eq!(restored(0xe841_0018), Some(0xe841_0018));
        assert_eq!(restored(0x3821_0020), None);
    }
}
