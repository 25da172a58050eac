//! Thread-local sequences, and what they become in programs (U. Drepper, "ELF Handling For
//! Thread-Local Storage", 4 and 5; the names of types are those of the psABI).
//!
//! A call of `__tls_get_addr` has two relocations: a mark that names the variable, then that of the
//! call. Compilers write `addi r3, GOT, x@got@tlsgd; bl __tls_get_addr(x@tlsgd)` and `lwz r9,
//! x@got@tprel(GOT); add r9, r9, x@tls`.

use crate::format::elf::Rela;
use crate::loops::ppc64::instruction::{self, ADDI, ADDIS, LWZ, NOP};
use crate::loops::tls_model::TlsModel;
use crate::machine::ppc32::howto::{self, Base, ThreadWord, types};
use crate::machine::ppc64::howto::{Field, Part};
use crate::synth::patch::Fault;

/// The thread pointer.
pub const THREAD: u32 = 2;
/// The register in which `__tls_get_addr` takes and returns an address.
const RESULT: u32 = 3;
/// `add r3, r3, r2`
const ADD_THREAD: u32 = 0x7c63_1214;
/// What code for this module's block adds to the thread pointer: the block's start, as far behind
/// it as offsets are counted less.
const BLOCK: u64 = 0x1000;

/// Whether a type is the mark of a call of `__tls_get_addr`.
pub const fn is_mark(r_type: u32) -> bool {
    matches!(r_type, types::TLSGD | types::TLSLD)
}

/// Whether the relocation with an index is for a call, or a part of one, of `__tls_get_addr`: the
/// relocation before it marks the same instruction.
pub fn mark_of(relocs: &[Rela], index: usize) -> Option<&Rela> {
    let before = relocs.get(index.checked_sub(1)?)?;
    let is_same = before.r_offset() & !3 == relocs[index].r_offset() & !3;
    (is_same && is_mark(before.r_type())).then_some(before)
}

/// Whether a call with the mark for this relocation is there. `index` is that of the relocation.
/// It mostly follows soon.
pub fn is_marked(relocs: &[Rela], index: usize) -> bool {
    let reloc = &relocs[index];
    let row = howto::of(reloc.r_type());
    let is_own = row.is_some_and(|row| row.base == Base::Thread(ThreadWord::OwnModule));
    let is_mark = |other: &Rela| match other.r_type() {
        types::TLSLD => is_own,
        types::TLSGD => !is_own && other.symbol() == reloc.symbol(),
        _ => false,
    };
    relocs[index..].iter().any(is_mark) || relocs[..index].iter().any(is_mark)
}

/// The call with a mark, or a part of it; `next` is the type of the relocation behind the mark.
pub fn call(mark: u32, next: u32, model: TlsModel, offset: u64) -> u32 {
    let is_branch = next == types::PLTCALL
        || howto::of(next).is_some_and(|row| matches!(row.field, Field::Branch));
    let to_low = |value: u64| instruction::with_half(ADDI, RESULT, RESULT, value);
    match (mark, model) {
        // The address of `__tls_get_addr` is loaded for nothing.
        _ if !is_branch => NOP,
        (types::TLSLD, _) => to_low(BLOCK),
        (_, TlsModel::InitialExec) => ADD_THREAD,
        _ => to_low(offset),
    }
}

/// The instructions of a general-dynamic sequence. `word` is the distance from the GOT's address of
/// the word with the variable's offset, and `offset` is that offset.
pub fn dynamic(
    old: u32,
    part: Part,
    model: TlsModel,
    word: u64,
    offset: u64,
) -> Result<u32, Fault> {
    let (to, from) = (instruction::target(old), instruction::base(old));
    match (model, part) {
        (TlsModel::InitialExec, Part::High | Part::HighAdjusted) => {
            Ok(instruction::with_half(ADDIS, to, from, part.of(word)))
        }
        (TlsModel::InitialExec, Part::All) if i16::try_from(word as i32).is_err() => {
            Err(Fault::OutOfRange((word as i32).into()))
        }
        (TlsModel::InitialExec, _) => Ok(instruction::with_half(LWZ, to, from, word)),
        _ => Ok(initial(old, part, offset)),
    }
}

/// The load of an offset from the GOT, where it is known.
pub fn initial(old: u32, part: Part, offset: u64) -> u32 {
    match part {
        Part::High | Part::HighAdjusted => NOP,
        _ => {
            let upper = Part::HighAdjusted.of(offset);
            instruction::with_half(ADDIS, instruction::target(old), THREAD, upper)
        }
    }
}

/// The instructions of a sequence for this module's block, in a program.
pub fn own_block(old: u32, part: Part) -> u32 {
    initial(old, part, 0)
}

/// The instruction that uses the loaded offset with the thread pointer, where the offset is known:
/// its lower half goes here.
pub fn access(old: u32, offset: u64) -> Result<u32, Fault> {
    let with = instruction::with_displacement(old).ok_or(Fault::Unsupported)?;
    let from = match (instruction::base(old), old >> 11 & 31) {
        (from, THREAD) | (THREAD, from) => from,
        _ => return Err(Fault::Unsupported),
    };
    Ok(with | instruction::target(old) << 21 | from << 16 | offset as u32 & 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    // addi r3, r30, 0; lwz r9, 0(r30)
    const ADDRESS: u32 = 0x387e_0000;
    const LOAD: u32 = 0x813e_0000;

    #[test]
    fn general_dynamic_sequences() {
        use TlsModel::{InitialExec, LocalExec};
        let to = |part, model| dynamic(ADDRESS, part, model, 0x1234, 0x2_9004);
        // lwz r3, 0x1234(r30)
        assert_eq!(to(Part::All, InitialExec), Ok(0x807e_1234));
        assert!(dynamic(ADDRESS, Part::All, InitialExec, 0x8000, 0).is_err());
        // addis r3, r2, 3; addi r3, r3, -0x6ffc
        assert_eq!(to(Part::All, LocalExec), Ok(0x3c62_0003));
        assert_eq!(to(Part::HighAdjusted, LocalExec), Ok(NOP));
        let of = |next, model| call(types::TLSGD, next, model, 0x2_9004);
        assert_eq!(of(types::PLTREL24, LocalExec), 0x3863_9004);
        assert_eq!(of(types::REL24, InitialExec), ADD_THREAD);
        assert_eq!(of(types::PLTSEQ, LocalExec), NOP);
        assert_eq!(call(types::TLSLD, types::PLTCALL, LocalExec, 0), 0x3863_1000);
        assert_eq!(own_block(ADDRESS, Part::All), 0x3c62_0000);
    }

    #[test]
    fn accesses_take_the_lower_half() {
        assert_eq!(initial(LOAD, Part::All, 0x1_8006), 0x3d22_0002);
        // add r9, r9, r2; lwzx r3, r9, r2; add r9, r9, r10
        assert_eq!(access(0x7d29_1214, 0x1_8006), Ok(0x3929_8006));
        assert_eq!(access(0x7c69_102e, 0x1_8006), Ok(0x8069_8006));
        assert_eq!(access(0x7d29_5214, 0), Err(Fault::Unsupported));
    }
}
