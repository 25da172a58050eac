//! `e_flags` ("ELF for the Arm Architecture", "ELF Header").

use crate::machine::description::FlagConflict;
use object::elf::EF_ARM_EABIMASK;

/// Joins the flags of two objects, which must be for one version of the ABI. Where arguments with
/// floating point are is said by attributes, and the order of code by options.
pub fn join(before: u32, other: u32) -> Result<u32, FlagConflict> {
    let version = |flags: u32| match (flags & EF_ARM_EABIMASK) >> 24 {
        0 => "no version of the EABI",
        4 | 5 => "the EABI of version 5",
        _ => "an EABI before version 4",
    };
    let conflict = FlagConflict { before: version(before), other: version(other) };
    if conflict.before != conflict.other {
        return Err(conflict);
    }
    Ok((before & EF_ARM_EABIMASK).max(other & EF_ARM_EABIMASK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_four_and_five_are_one_abi() {
        assert_eq!(join(0x0400_0000, 0x0500_0200), Ok(0x0500_0000));
        assert_eq!(join(0x0500_0400, 0x0500_0200), Ok(0x0500_0000));
        assert_eq!(join(0, 0x0500_0000).unwrap_err().before, "no version of the EABI");
    }
}
