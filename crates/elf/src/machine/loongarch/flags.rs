//! `e_flags` ("ELF for the LoongArch Architecture", "e_flags").

use crate::machine::description::FlagConflict;
use object::elf::*;

/// How arguments are passed.
const ABI: u32 = EF_LARCH_ABI_MODIFIER_MASK;

/// Joins the flags of two objects, which must agree on how arguments are passed. Objects with
/// relocations for a stack machine go with those of today, which is what the output is then.
pub fn join(before: u32, other: u32) -> Result<u32, FlagConflict> {
    let abi = |flags: u32| match flags & ABI {
        EF_LARCH_ABI_SOFT_FLOAT => "the soft-float ABI",
        EF_LARCH_ABI_SINGLE_FLOAT => "the single-float ABI",
        EF_LARCH_ABI_DOUBLE_FLOAT => "the double-float ABI",
        _ => "an unknown ABI",
    };
    if (before ^ other) & ABI != 0 {
        return Err(FlagConflict { before: abi(before), other: abi(other) });
    }
    Ok(before | other & EF_LARCH_OBJABI_V1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_agree_on_calls() {
        assert_eq!(join(0x43, 0x43), Ok(0x43));
        assert_eq!(join(3, 0x43), Ok(0x43));
        assert_eq!(join(0x43, 3), Ok(0x43));
        let conflict = join(0x43, 0x41).unwrap_err();
        assert_eq!(
            [conflict.before, conflict.other],
            ["the double-float ABI", "the soft-float ABI"]
        );
    }
}
