//! What the value of each relocation type is computed from, for scanning and applying alike.

use crate::machine::mips::numbers::*;
use object::elf::*;

/// What a value is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// An address in data, or one of its two upper parts.
    Address,
    /// The second part of an address from below, or that of the distance to the global pointer.
    High,
    /// The lowest part of either.
    Low,
    /// An address in the region of the instruction.
    Jump,
    /// The distance from an instruction to where it branches.
    Branch,
    /// The distance from a place.
    Distance,
    /// The distance from the global pointer.
    FromPointer,
    /// The place of a word of the GOT.
    Word,
    /// The rest of an address whose page a word of the GOT has.
    Rest,
    /// None: it hints where a jump by register leads.
    Hint,
    /// The place of a thread-local variable, or no type of objects at all.
    Other,
}

/// The formula of a single type.
pub const fn formula(r_type: u32) -> Formula {
    match r_type {
        R_MIPS_16 | R_MIPS_32 | R_MIPS_64 | R_MIPS_HIGHER | R_MIPS_HIGHEST | R_MICROMIPS_HIGHER
        | R_MICROMIPS_HIGHEST => Formula::Address,
        R_MIPS_HI16 | R_MICROMIPS_HI16 => Formula::High,
        R_MIPS_LO16 | R_MICROMIPS_LO16 | R_MICROMIPS_HI0_LO16 => Formula::Low,
        R_MIPS_26 | R_MICROMIPS_26_S1 => Formula::Jump,
        R_MIPS_PC16 | R_MIPS_PC21_S2 | R_MIPS_PC26_S2 | R_MICROMIPS_PC7_S1
        | R_MICROMIPS_PC10_S1 | R_MICROMIPS_PC16_S1 | R_MICROMIPS_PC21_S1 | R_MICROMIPS_PC26_S1 => {
            Formula::Branch
        }
        R_MIPS_PC18_S3 | R_MIPS_PC19_S2 | R_MIPS_PCHI16 | R_MIPS_PCLO16 | R_MIPS_PC32
        | R_MICROMIPS_PC23_S2 | R_MICROMIPS_PC18_S3 | R_MICROMIPS_PC19_S2 => Formula::Distance,
        R_MIPS_GPREL16
        | R_MIPS_GPREL32
        | R_MIPS_LITERAL
        | R_MICROMIPS_GPREL16
        | R_MICROMIPS_LITERAL
        | R_MICROMIPS_GPREL7_S2 => Formula::FromPointer,
        R_MIPS_GOT16
        | R_MIPS_CALL16
        | R_MIPS_GOT_DISP
        | R_MIPS_GOT_PAGE
        | R_MIPS_GOT_HI16
        | R_MIPS_GOT_LO16
        | R_MIPS_CALL_HI16
        | R_MIPS_CALL_LO16
        | R_MIPS_EH
        | R_MICROMIPS_GOT16
        | R_MICROMIPS_CALL16
        | R_MICROMIPS_GOT_DISP..=R_MICROMIPS_GOT_PAGE
        | R_MICROMIPS_GOT_HI16
        | R_MICROMIPS_GOT_LO16
        | R_MICROMIPS_CALL_HI16
        | R_MICROMIPS_CALL_LO16 => Formula::Word,
        R_MIPS_GOT_OFST | R_MICROMIPS_GOT_OFST => Formula::Rest,
        R_MIPS_JALR | R_MICROMIPS_JALR => Formula::Hint,
        _ => Formula::Other,
    }
}
