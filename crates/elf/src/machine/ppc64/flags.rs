//! `e_flags` ("64-Bit ELF V2 ABI Specification", "ELF Header").

use crate::machine::description::FlagConflict;
use object::elf::EF_PPC64_ABI;

/// Joins the flags of two objects. One that says nothing fits any.
pub fn join(before: u32, other: u32) -> Result<u32, FlagConflict> {
    let name = |flags: u32| match flags & EF_PPC64_ABI {
        1 => "the ELFv1 ABI",
        2 => "the ELFv2 ABI",
        _ => "an unknown ABI",
    };
    match (before & EF_PPC64_ABI, other & EF_PPC64_ABI) {
        (0, _) | (_, 0) => Ok(before | other),
        (a, b) if a == b => Ok(before | other),
        _ => Err(FlagConflict { before: name(before), other: name(other) }),
    }
}

/// The same for outputs with function descriptors, which code of the other ABI cannot use.
pub fn join_v1(before: u32, other: u32) -> Result<u32, FlagConflict> {
    match (before & EF_PPC64_ABI, other & EF_PPC64_ABI) {
        (2, 2) => Err(FlagConflict {
            before: "the ELFv2 ABI",
            other: "big-endian programs are linked with the ELFv1 ABI",
        }),
        _ => join(before, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_agree_on_the_abi() {
        assert_eq!([join(0, 2), join(2, 0), join(2, 2)], [Ok(2); 3]);
        let conflict = join(1, 2).unwrap_err();
        assert_eq!([conflict.before, conflict.other], ["the ELFv1 ABI", "the ELFv2 ABI"]);
        assert_eq!([join_v1(0, 1), join_v1(1, 1)], [Ok(1); 2]);
        assert!(join_v1(2, 2).is_err() && join_v1(1, 2).is_err());
    }
}
