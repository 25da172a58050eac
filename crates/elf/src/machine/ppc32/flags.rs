//! `e_flags` ("PowerPC Embedded Application Binary Interface", "ELF Header").

use crate::machine::description::FlagConflict;

/// The code keeps to the embedded ABI.
const EMBEDDED: u32 = 0x8000_0000;
/// The code moves itself to where it runs (`-mrelocatable`).
const RELOCATABLE: u32 = 0x1_0000;
/// The code may be part of such a program or of any other one (`-mrelocatable-lib`).
const RELOCATABLE_LIBRARY: u32 = 0x8000;

/// Joins the flags of two objects.
pub fn join(before: u32, other: u32) -> Result<u32, FlagConflict> {
    const MOVES: &str = "code that moves itself (-mrelocatable)";
    const STAYS: &str = "code that does not";
    let (either, both) = (before | other, before & other);
    let moves = RELOCATABLE | RELOCATABLE_LIBRARY;
    let is_normal = |flags: u32| flags & moves == 0;
    if before & RELOCATABLE != 0 && is_normal(other) {
        return Err(FlagConflict { before: MOVES, other: STAYS });
    }
    if other & RELOCATABLE != 0 && is_normal(before) {
        return Err(FlagConflict { before: STAYS, other: MOVES });
    }
    if (before ^ other) & !(moves | EMBEDDED) != 0 {
        const UNKNOWN: &str = "flags of another processor";
        return Err(FlagConflict { before: UNKNOWN, other: UNKNOWN });
    }
    let kind = if both & RELOCATABLE_LIBRARY != 0 {
        // It is at most as particular as the other one.
        RELOCATABLE_LIBRARY | both & RELOCATABLE
    } else if is_normal(before) || is_normal(other) {
        0
    } else {
        RELOCATABLE
    };
    Ok(either & !moves | kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_agree_on_moving() {
        assert_eq!(join(0, EMBEDDED), Ok(EMBEDDED));
        assert_eq!(join(RELOCATABLE, RELOCATABLE_LIBRARY), Ok(RELOCATABLE));
        assert_eq!(join(RELOCATABLE_LIBRARY, RELOCATABLE_LIBRARY), Ok(RELOCATABLE_LIBRARY));
        assert_eq!(join(RELOCATABLE_LIBRARY, 0), Ok(0));
        assert!(join(RELOCATABLE, 0).is_err() && join(0, RELOCATABLE).is_err());
        assert!(join(1, 0).is_err());
    }
}
