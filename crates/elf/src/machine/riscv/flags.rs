//! `e_flags` ("RISC-V ABIs Specification", "File Header").

use crate::machine::description::FlagConflict;
use object::elf::*;

/// Bits that the output has if any object has them: instructions of two bytes, and a stronger order
/// of memory.
const ANY: u32 = EF_RISCV_RVC | EF_RISCV_TSO;

/// Joins the flags of two objects, which must agree on how arguments are passed and on how many
/// registers there are.
pub fn join(before: u32, other: u32) -> Result<u32, FlagConflict> {
    let float_abi = |flags: u32| match flags & EF_RISCV_FLOAT_ABI {
        EF_RISCV_FLOAT_ABI_SOFT => "the soft-float ABI",
        EF_RISCV_FLOAT_ABI_SINGLE => "the single-float ABI",
        EF_RISCV_FLOAT_ABI_DOUBLE => "the double-float ABI",
        _ => "the quad-float ABI",
    };
    let registers = |flags: u32| match flags & EF_RISCV_RVE {
        0 => "32 registers",
        _ => "16 registers (RVE)",
    };
    for of in [float_abi as fn(u32) -> &'static str, registers] {
        let conflict = FlagConflict { before: of(before), other: of(other) };
        if conflict.before != conflict.other {
            return Err(conflict);
        }
    }
    Ok(before | other & ANY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_agree_on_calls() {
        assert_eq!(join(4, 5), Ok(5));
        assert_eq!(join(0x15, 4), Ok(0x15));
        let conflict = join(0, 4).unwrap_err();
        assert_eq!(
            [conflict.before, conflict.other],
            ["the soft-float ABI", "the double-float ABI"]
        );
        assert_eq!(join(8, 0).unwrap_err().before, "16 registers (RVE)");
    }
}
