//! `e_flags` (MIPS supplement of the System V ABI, "ELF Header"; binutils `elf/mips.h`).

use crate::machine::description::FlagConflict;
use object::elf::*;

const EF_MIPS_32BITMODE: u32 = 0x100;
const EF_MIPS_MACH: u32 = 0x00ff_0000;
const EF_MIPS_MICROMIPS: u32 = 0x0200_0000;
const EF_MIPS_ARCH_ASE_M16: u32 = 0x0400_0000;
const EF_MIPS_ARCH_ASE_MDMX: u32 = 0x0800_0000;

/// Bits that the output has if any object has them.
const ANY: u32 = EF_MIPS_NOREORDER
    | EF_MIPS_XGOT
    | EF_MIPS_32BITMODE
    | EF_MIPS_FP64
    | EF_MIPS_MICROMIPS
    | EF_MIPS_ARCH_ASE_M16
    | EF_MIPS_ARCH_ASE_MDMX;

/// An instruction set: its name, its bits, and the sets that it extends.
struct Architecture(&'static str, u32, &'static [u32]);

const fn of(architecture: u32, processor: u32) -> u32 {
    architecture | processor << 16
}

const R4100: u32 = of(EF_MIPS_ARCH_3, 0x83);
const R5400: u32 = of(EF_MIPS_ARCH_4, 0x91);
const OCTEON: u32 = of(EF_MIPS_ARCH_64R2, 0x8b);
const OCTEON2: u32 = of(EF_MIPS_ARCH_64R2, 0x8d);
const GS464: u32 = of(EF_MIPS_ARCH_64R2, 0xa2);
const GS464E: u32 = of(EF_MIPS_ARCH_64R2, 0xa3);

const ARCHITECTURES: &[Architecture] = &[
    Architecture("MIPS I", EF_MIPS_ARCH_1, &[]),
    Architecture("R3900", of(EF_MIPS_ARCH_1, 0x81), &[EF_MIPS_ARCH_1]),
    Architecture("MIPS II", EF_MIPS_ARCH_2, &[EF_MIPS_ARCH_1]),
    Architecture("MIPS III", EF_MIPS_ARCH_3, &[EF_MIPS_ARCH_2]),
    Architecture("R4010", of(EF_MIPS_ARCH_3, 0x82), &[EF_MIPS_ARCH_3]),
    Architecture("VR4100", R4100, &[EF_MIPS_ARCH_3]),
    Architecture("R4650", of(EF_MIPS_ARCH_3, 0x85), &[EF_MIPS_ARCH_3]),
    Architecture("VR4120", of(EF_MIPS_ARCH_3, 0x87), &[R4100]),
    Architecture("VR4111", of(EF_MIPS_ARCH_3, 0x88), &[R4100]),
    Architecture("R5900", of(EF_MIPS_ARCH_3, 0x92), &[EF_MIPS_ARCH_3]),
    Architecture("Loongson 2E", of(EF_MIPS_ARCH_3, 0xa0), &[EF_MIPS_ARCH_3]),
    Architecture("Loongson 2F", of(EF_MIPS_ARCH_3, 0xa1), &[EF_MIPS_ARCH_3]),
    Architecture("MIPS IV", EF_MIPS_ARCH_4, &[EF_MIPS_ARCH_3]),
    Architecture("VR5400", R5400, &[EF_MIPS_ARCH_4]),
    Architecture("VR5500", of(EF_MIPS_ARCH_4, 0x98), &[R5400]),
    Architecture("RM9000", of(EF_MIPS_ARCH_4, 0x99), &[EF_MIPS_ARCH_4]),
    Architecture("MIPS V", EF_MIPS_ARCH_5, &[EF_MIPS_ARCH_4]),
    Architecture("MIPS32", EF_MIPS_ARCH_32, &[EF_MIPS_ARCH_2]),
    Architecture("MIPS32 release 2", EF_MIPS_ARCH_32R2, &[EF_MIPS_ARCH_32]),
    Architecture("interAptiv MR2", of(EF_MIPS_ARCH_32R2, 0x93), &[EF_MIPS_ARCH_32R2]),
    Architecture("MIPS64", EF_MIPS_ARCH_64, &[EF_MIPS_ARCH_5, EF_MIPS_ARCH_32]),
    Architecture("SB-1", of(EF_MIPS_ARCH_64, 0x8a), &[EF_MIPS_ARCH_64]),
    Architecture("XLR", of(EF_MIPS_ARCH_64, 0x8c), &[EF_MIPS_ARCH_64]),
    Architecture("MIPS64 release 2", EF_MIPS_ARCH_64R2, &[EF_MIPS_ARCH_64, EF_MIPS_ARCH_32R2]),
    Architecture("Octeon", OCTEON, &[EF_MIPS_ARCH_64R2]),
    Architecture("Octeon 2", OCTEON2, &[OCTEON]),
    Architecture("Octeon 3", of(EF_MIPS_ARCH_64R2, 0x8e), &[OCTEON2]),
    Architecture("Loongson GS464", GS464, &[EF_MIPS_ARCH_64R2]),
    Architecture("Loongson GS464E", GS464E, &[GS464]),
    Architecture("Loongson GS264E", of(EF_MIPS_ARCH_64R2, 0xa4), &[GS464E]),
    Architecture("MIPS32 release 6", EF_MIPS_ARCH_32R6, &[]),
    Architecture("MIPS64 release 6", EF_MIPS_ARCH_64R6, &[EF_MIPS_ARCH_32R6]),
];

fn architecture(flags: u32) -> Option<&'static Architecture> {
    let bits = flags & (EF_MIPS_ARCH | EF_MIPS_MACH);
    ARCHITECTURES.iter().find(|architecture| architecture.1 == bits)
}

/// Whether a processor for `flags` executes all instructions of one for `other`.
fn extends(flags: u32, other: u32) -> bool {
    let bits = EF_MIPS_ARCH | EF_MIPS_MACH;
    flags & bits == other & bits
        || architecture(flags).is_some_and(|own| own.2.iter().any(|&base| extends(base, other)))
}

/// Joins the flags of two objects. They must agree on how arguments are passed and on what a NaN
/// is, and some processor must execute the instructions of both.
pub fn join(before: u32, other: u32) -> Result<u32, FlagConflict> {
    let abi = |flags: u32| match (flags & EF_MIPS_ABI2, flags & EF_MIPS_ABI) {
        (0, 0 | EF_MIPS_ABI_O32) => "the o32 ABI, or that of 64 bits",
        (0, EF_MIPS_ABI_O64) => "the o64 ABI",
        (0, EF_MIPS_ABI_EABI32) => "the EABI of 32 bits",
        (0, EF_MIPS_ABI_EABI64) => "the EABI of 64 bits",
        (0, _) => "an unknown ABI",
        _ => "the n32 ABI",
    };
    let nan = |flags: u32| match flags & EF_MIPS_NAN2008 {
        0 => "NaNs as before 2008",
        _ => "NaNs of IEEE 754-2008",
    };
    for of in [abi as fn(u32) -> &'static str, nan] {
        let conflict = FlagConflict { before: of(before), other: of(other) };
        if conflict.before != conflict.other {
            return Err(conflict);
        }
    }
    let bits = EF_MIPS_ARCH | EF_MIPS_MACH;
    let set = if extends(before, other) {
        before & bits
    } else if extends(other, before) {
        other & bits
    } else {
        let name = |flags: u32| architecture(flags).map_or("unknown code", |known| known.0);
        return Err(FlagConflict { before: name(before), other: name(other) });
    };
    // Code that finds addresses by itself can be called by such code; the output is that only if
    // all of it is.
    let called = EF_MIPS_PIC | EF_MIPS_CPIC;
    let is_called = if (before | other) & called != 0 { EF_MIPS_CPIC } else { 0 };
    let rest = before & !(bits | called);
    Ok(rest | set | is_called | before & other & EF_MIPS_PIC | other & ANY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_larger_instruction_set_is_that_of_both() {
        assert_eq!(
            join(EF_MIPS_ARCH_32R2, EF_MIPS_ARCH_64),
            Err(FlagConflict { before: "MIPS32 release 2", other: "MIPS64" })
        );
        assert_eq!(join(EF_MIPS_ARCH_2, EF_MIPS_ARCH_64R2), Ok(EF_MIPS_ARCH_64R2));
        assert_eq!(join(OCTEON2, EF_MIPS_ARCH_3), Ok(OCTEON2));
        assert!(join(EF_MIPS_ARCH_64R6, EF_MIPS_ARCH_64R2).is_err());
    }

    #[test]
    fn position_independence_is_that_of_all() {
        assert_eq!(join(0x8000_0006, 0x8000_0007), Ok(0x8000_0007));
        assert_eq!(join(0x8000_0006, 0x8000_0000), Ok(0x8000_0004));
        assert_eq!(join(0x8000_0000, 0x8000_0006), Ok(0x8000_0004));
    }

    #[test]
    fn conflicts_are_named() {
        let conflict = join(EF_MIPS_ABI_O32, EF_MIPS_ABI2).unwrap_err();
        assert_eq!(conflict.other, "the n32 ABI");
        assert_eq!(join(0, EF_MIPS_NAN2008).unwrap_err().other, "NaNs of IEEE 754-2008");
    }
}
