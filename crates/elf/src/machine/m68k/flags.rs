//! `e_flags`: which members of the family an object's code is for. The psABI has none; the numbers
//! are GNU's.

use crate::machine::description::FlagConflict;

/// Which family of cores: one of the next three, or none of them for the 68020 and its successors.
const FAMILY: u32 = 0x0381_8000;
const M68000: u32 = 0x0100_0000;
const CPU32: u32 = 0x0081_0000;
const FIDO: u32 = 0x0200_0000;
/// Version of ColdFire's instructions; 0 for no ColdFire.
const ISA: u32 = 0x0f;
/// ColdFire's multiplier.
const MULTIPLIER: u32 = 0x30;

/// How a core reaches memory, by which its PLT is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Core {
    /// By addresses in memory that are relative to the code: the 68020 and its successors.
    M68020,
    /// Without those: CPU32 and Fido.
    Cpu32,
    /// Without long distances: ColdFire, versions A+ and B.
    ColdFireB,
    /// The same with other rules for returning: ColdFire, version C.
    ColdFireC,
}

/// The core that the output's flags say.
pub fn core(flags: u32) -> Core {
    match (flags & FAMILY, flags & ISA) {
        (CPU32 | FIDO, _) => Core::Cpu32,
        (_, 4 | 5) => Core::ColdFireB,
        (_, 6 | 7) => Core::ColdFireC,
        _ => Core::M68020,
    }
}

/// Joins the flags of two objects. Code of the 68000 runs on its successors, and nearly all code of
/// one ColdFire on the next one.
pub fn join(before: u32, other: u32) -> Result<u32, FlagConflict> {
    let conflict =
        |of: fn(u32) -> &'static str| FlagConflict { before: of(before), other: of(other) };
    let (both, is_generic) = ([before, other], before == 0 || other == 0);
    let has = |family: u32| both.iter().any(|flags| flags & FAMILY == family);
    let versions = both.map(|flags| flags & ISA);
    let is_newer = |flags: u32| flags & ISA != 0 || matches!(flags & FAMILY, CPU32 | FIDO);
    let is_old = |flags: u32| !is_newer(flags);
    let mixes =
        both.iter().any(|&flags| is_newer(flags)) && both.iter().any(|&flags| is_old(flags));
    let has_cold_fire = versions.iter().any(|&isa| isa != 0);
    if !is_generic && (mixes || has_cold_fire && (has(CPU32) || has(FIDO))) {
        return Err(conflict(family));
    }
    let has_version = |wanted: [u32; 2]| versions.iter().any(|isa| wanted.contains(isa));
    // Instructions of A+ and C are not all of B's.
    if has_version([4, 5]) && (has_version([3, 3]) || has_version([6, 7])) {
        return Err(conflict(version));
    }
    let multipliers = both.map(|flags| flags & MULTIPLIER);
    if multipliers.contains(&0x10) && multipliers.iter().any(|&kind| kind > 0x10) {
        return Err(conflict(multiplier));
    }
    if has(CPU32) && has(FIDO) {
        return Ok(FIDO);
    }
    let rest = (before | other) & !ISA;
    Ok(rest | versions[0].max(versions[1]))
}

fn family(flags: u32) -> &'static str {
    match (flags & FAMILY, flags & ISA) {
        (M68000, _) => "code of the 68000",
        (CPU32, _) => "code of CPU32",
        (FIDO, _) => "code of Fido",
        (_, 0) => "code of the 68020",
        _ => "code of ColdFire",
    }
}

fn version(flags: u32) -> &'static str {
    match flags & ISA {
        3 => "ColdFire's instructions of version A+",
        4 | 5 => "ColdFire's instructions of version B",
        _ => "ColdFire's instructions of version C",
    }
}

fn multiplier(flags: u32) -> &'static str {
    match flags & MULTIPLIER {
        0x10 => "ColdFire's multiplier MAC",
        _ => "ColdFire's multiplier EMAC",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_agree_on_a_core() {
        assert_eq!(join(0, M68000), Ok(M68000));
        assert_eq!(join(M68000, M68000), Ok(M68000));
        assert_eq!(join(0, 0x45), Ok(0x45));
        assert_eq!(join(0x62, 0x45), Ok(0x65));
        assert_eq!(join(CPU32, FIDO), Ok(FIDO));
        for (before, other, texts) in [
            (M68000, 2, ["code of the 68000", "code of ColdFire"]),
            (CPU32, 2, ["code of CPU32", "code of ColdFire"]),
            (M68000, FIDO, ["code of the 68000", "code of Fido"]),
            (
                3,
                5,
                ["ColdFire's instructions of version A+", "ColdFire's instructions of version B"],
            ),
            (0x12, 0x22, ["ColdFire's multiplier MAC", "ColdFire's multiplier EMAC"]),
        ] {
            let conflict = join(before, other).unwrap_err();
            assert_eq!([conflict.before, conflict.other], texts);
        }
    }

    #[test]
    fn cores_have_their_own_plts() {
        let cores = [0, M68000, CPU32, FIDO, 2, 5, 0x66].map(core);
        use Core::*;
        assert_eq!(cores, [M68020, M68020, Cpu32, Cpu32, M68020, ColdFireB, ColdFireC]);
    }
}
