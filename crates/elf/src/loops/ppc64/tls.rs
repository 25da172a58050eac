//! Thread-local sequences, and what they become in programs ("64-Bit ELF V2 ABI Specification",
//! "TLS Link Editor Optimizations").
//!
//! A call of `__tls_get_addr` has two relocations: a mark that names the variable, then that of the
//! call. Code with a TOC and code without one (instructions of eight bytes) have other sequences.

use super::instruction::{self, ADDI, ADDIS, LD, Long, NOP, THREAD};
use crate::format::elf::Rela;
use crate::loops::tls_model::TlsModel;
use crate::machine::ppc64::howto::{self, Part, types};
use crate::synth::patch::Fault;
use skald_linking::byte_order::ByteOrder;

/// What is written instead of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum New {
    /// An instruction of four bytes.
    Word(u32),
    /// One of eight bytes.
    Long(Long),
}

/// The register in which `__tls_get_addr` takes and returns an address.
const RESULT: u32 = 3;
/// `add r3, r3, r13`
const ADD_THREAD: u32 = 0x7c63_6a14;
/// What code for this module's block adds to the thread pointer: the block's start, as far behind
/// it as offsets are counted less.
const BLOCK: u64 = 0x1000;

/// Whether a type is the mark of a call of `__tls_get_addr`.
pub const fn is_mark(r_type: u32) -> bool {
    matches!(r_type, types::TLSGD | types::TLSLD)
}

/// Whether the relocation with an index is for a call, or a part of one, of `__tls_get_addr`: the
/// relocation before it marks the same place.
pub fn mark_of(relocs: &[Rela], index: usize) -> Option<&Rela> {
    let before = relocs.get(index.checked_sub(1)?)?;
    let is_same = before.r_offset() & !3 == relocs[index].r_offset() & !3;
    (is_same && is_mark(before.r_type())).then_some(before)
}

/// Whether a call with the mark for this relocation is there. `index` is that of the relocation.
/// It mostly follows soon.
pub fn is_marked(relocs: &[Rela], index: usize) -> bool {
    let reloc = &relocs[index];
    let is_own = is_own_module(reloc.r_type());
    let is_mark = |other: &Rela| match other.r_type() {
        types::TLSLD => is_own,
        types::TLSGD => !is_own && other.symbol() == reloc.symbol(),
        _ => false,
    };
    relocs[index..].iter().any(is_mark) || relocs[..index].iter().any(is_mark)
}

/// Whether a type is for this module's block.
fn is_own_module(r_type: u32) -> bool {
    use howto::{Base, ThreadWord};
    let base = howto::of(r_type).map(|row| row.base);
    matches!(
        base,
        Some(Base::Thread(ThreadWord::OwnModule) | Base::ThreadDistance(ThreadWord::OwnModule))
    )
}

/// The call with a mark, or a part of it; `next` is the type of the relocation behind the mark.
pub fn call(mark: u32, next: u32, model: TlsModel, offset: u64) -> Result<u32, Fault> {
    let is_long = matches!(next, 116 | 124 | types::PLTCALL_NOTOC);
    let is_branch = is_long || next == 10 || next == types::PLTCALL;
    if !is_branch {
        // The address of `__tls_get_addr` is loaded for nothing.
        return Ok(NOP);
    }
    let to_low = |value: u64| instruction::with_half(ADDI, RESULT, RESULT, value);
    Ok(match (mark, model, is_long) {
        (types::TLSGD, TlsModel::InitialExec, _) => ADD_THREAD,
        (types::TLSGD, TlsModel::LocalExec, false) => {
            check_two(offset)?;
            to_low(offset)
        }
        (types::TLSLD, _, false) => to_low(BLOCK),
        _ => NOP,
    })
}

/// Checks that an offset is the sum of an upper and a signed lower half.
fn check_two(offset: u64) -> Result<(), Fault> {
    let rounded = offset.wrapping_add(0x8000) as i64;
    i32::try_from(rounded).map(drop).map_err(|_| Fault::OutOfRange(offset as i64))
}

/// The first instructions of a general-dynamic sequence. `word` is the distance from the TOC's
/// address of the word with the variable's offset, and `offset` is that offset.
pub fn dynamic(
    old: u32,
    part: Part,
    model: TlsModel,
    word: u64,
    offset: u64,
) -> Result<New, Fault> {
    let (to, from) = (instruction::target(old), instruction::base(old));
    Ok(New::Word(match (model, part) {
        (TlsModel::InitialExec, Part::HighAdjusted) => {
            instruction::with_half(ADDIS, to, from, part.of(word))
        }
        (TlsModel::InitialExec, Part::Low) => instruction::with_half(LD, to, from, word & !3),
        (TlsModel::InitialExec, Part::All) => {
            let fits = i16::try_from(word as i64).is_ok();
            if !fits {
                return Err(Fault::OutOfRange(word as i64));
            }
            instruction::with_half(LD, to, from, word & !3)
        }
        (_, Part::HighAdjusted) => NOP,
        (_, Part::Low | Part::All) => {
            instruction::with_half(ADDIS, to, THREAD, Part::HighAdjusted.of(offset))
        }
        _ => return Err(Fault::Unsupported),
    }))
}

/// The first instructions of a sequence for this module's block, in a program.
pub fn own_block(old: u32, part: Part) -> Result<New, Fault> {
    Ok(New::Word(match part {
        Part::HighAdjusted => NOP,
        Part::Low | Part::All => instruction::with_half(ADDIS, instruction::target(old), THREAD, 0),
        _ => return Err(Fault::Unsupported),
    }))
}

/// The load of an offset from the GOT, where it is known.
pub fn initial(old: u32, part: Part, offset: u64) -> Result<New, Fault> {
    Ok(New::Word(match part {
        Part::HighAdjusted => NOP,
        Part::Low | Part::All => {
            let upper = Part::HighAdjusted.of(offset);
            instruction::with_half(ADDIS, instruction::target(old), THREAD, upper)
        }
        _ => return Err(Fault::Unsupported),
    }))
}

/// The same for sequences of long instructions: `distance` is that of the word with the offset.
pub fn long_dynamic(old: Long, model: TlsModel, distance: u64, offset: u64) -> New {
    let to = instruction::target(old.suffix);
    New::Long(match model {
        TlsModel::InitialExec => Long::load(to).with34(distance),
        _ => Long::add(to, THREAD).with34(offset),
    })
}

/// The first instruction for this module's block, in a program.
pub fn long_own_block(old: Long) -> New {
    New::Long(Long::add(instruction::target(old.suffix), THREAD).with34(BLOCK))
}

/// The instruction that uses the loaded offset with the thread pointer, where the offset is known:
/// its lower half goes here, unless the sequence is of long instructions (`is_long`), which have
/// added all of it.
pub fn access(old: u32, is_long: bool, offset: u64) -> Result<u32, Fault> {
    let with = instruction::with_displacement(old).ok_or(Fault::Unsupported)?;
    let (a, b) = (instruction::base(old), old >> 11 & 31);
    let from = match (a, b) {
        (from, THREAD) | (THREAD, from) => from,
        _ => return Err(Fault::Unsupported),
    };
    let to = instruction::target(old);
    let code = with | to << 21 | from << 16;
    if is_long {
        let copies_itself = instruction::opcode(code) == ADDI && to == from;
        return Ok(if copies_itself { NOP } else { code });
    }
    let counts_words = matches!(instruction::opcode(code), LD | 62);
    if counts_words && offset & 3 != 0 {
        return Err(Fault::Misaligned(offset));
    }
    check_two(offset)?;
    Ok(code | offset as u32 & 0xffff)
}

/// Writes an instruction; `None` if there is no room.
pub fn write(order: ByteOrder, out: &mut [u8], at: usize, new: New) -> Option<()> {
    match new {
        New::Word(word) => instruction::write(order, out, at, word),
        New::Long(long) => long.write(order, out, at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // addis r3, r2, 0; addi r3, r3, 0
    const UPPER: u32 = 0x3c62_0000;
    const LOWER: u32 = 0x3863_0000;

    #[test]
    fn general_dynamic_sequences() {
        use TlsModel::{InitialExec, LocalExec};
        let to = |old, part, model| dynamic(old, part, model, 0x1_8010, 0x2_9004).unwrap();
        assert_eq!(to(UPPER, Part::HighAdjusted, InitialExec), New::Word(0x3c62_0002));
        // ld r3, -0x7ff0(r3)
        assert_eq!(to(LOWER, Part::Low, InitialExec), New::Word(0xe863_8010));
        assert_eq!(to(UPPER, Part::HighAdjusted, LocalExec), New::Word(NOP));
        // addis r3, r13, 3; addi r3, r3, -0x6ffc
        assert_eq!(to(LOWER, Part::Low, LocalExec), New::Word(0x3c6d_0003));
        let of = |model| call(types::TLSGD, 10, model, 0x2_9004).unwrap();
        assert_eq!(of(LocalExec), 0x3863_9004);
        assert_eq!(of(InitialExec), 0x7c63_6a14);
        assert_eq!(call(types::TLSLD, 10, LocalExec, 0), Ok(0x3863_1000));
        assert_eq!(call(types::TLSGD, 116, LocalExec, 4), Ok(NOP));
        assert_eq!(call(types::TLSGD, types::PLTSEQ, InitialExec, 4), Ok(NOP));
        assert!(call(types::TLSGD, 10, LocalExec, 1 << 31).is_err());
    }

    #[test]
    fn accesses_take_the_lower_half() {
        // lwzx r3, r9, r13; ldx r3, r9, r13; add r3, r9, r13; add r9, r9, r13
        assert_eq!(access(0x7c69_682e, false, 0x1_8006), Ok(0x8069_8006));
        assert_eq!(access(0x7c69_682a, false, 0x1_8006), Err(Fault::Misaligned(0x1_8006)));
        assert_eq!(access(0x7c69_682a, false, 0x1_8008), Ok(0xe869_8008));
        assert_eq!(access(0x7c69_6a14, true, 8), Ok(0x3869_0000));
        assert_eq!(access(0x7d29_6a14, true, 8), Ok(NOP));
        assert_eq!(access(0x7d29_5a14, true, 8), Err(Fault::Unsupported));
    }
}
