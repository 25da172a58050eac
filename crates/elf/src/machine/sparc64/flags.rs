//! `e_flags` (SPARC Compliance Definition 2.4, "File Header").

use crate::machine::description::FlagConflict;
use object::elf::*;

/// Instructions that only some processors have.
const EXTENSIONS: u32 = EF_SPARC_SUN_US1 | EF_SPARC_SUN_US3 | EF_SPARC_HAL_R1;

/// Joins the flags of two objects: the output needs the extensions of both, and the stronger of two
/// orders of memory.
pub fn join(before: u32, other: u32) -> Result<u32, FlagConflict> {
    let of_sun = |flags: u32| flags & (EF_SPARC_SUN_US1 | EF_SPARC_SUN_US3) != 0;
    let of_hal = |flags: u32| flags & EF_SPARC_HAL_R1 != 0;
    let maker = |flags| if of_hal(flags) { "code for HAL" } else { "code for UltraSPARC" };
    if of_sun(before) && of_hal(other) || of_hal(before) && of_sun(other) {
        return Err(FlagConflict { before: maker(before), other: maker(other) });
    }
    let order = |flags: u32| match flags & EF_SPARC_LEDATA {
        0 => "big-endian data",
        _ => "little-endian data",
    };
    if (before ^ other) & EF_SPARC_LEDATA != 0 {
        return Err(FlagConflict { before: order(before), other: order(other) });
    }
    // Total order is 0, partial order 1, relaxed order 2.
    let memory = (before & EF_SPARCV9_MM).min(other & EF_SPARCV9_MM);
    Ok(before & !EF_SPARCV9_MM | other & EXTENSIONS | memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_add_up_and_the_stronger_order_counts() {
        assert_eq!(join(EF_SPARCV9_RMO, EF_SPARCV9_RMO), Ok(2));
        assert_eq!(join(EF_SPARCV9_RMO, EF_SPARCV9_TSO), Ok(0));
        assert_eq!(join(EF_SPARCV9_PSO, EF_SPARCV9_RMO | EF_SPARC_SUN_US1), Ok(0x201));
        let conflict = join(EF_SPARC_SUN_US3, EF_SPARC_HAL_R1).unwrap_err();
        assert_eq!([conflict.before, conflict.other], ["code for UltraSPARC", "code for HAL"]);
        assert_eq!(join(0, EF_SPARC_LEDATA).unwrap_err().other, "little-endian data");
    }
}
