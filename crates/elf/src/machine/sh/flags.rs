//! `e_flags`: which processors an object's code runs on.

use crate::machine::description::FlagConflict;

/// Bits with the number of the instruction set.
const SET: u32 = 0x1f;

// Processors, as bits of a set.
const SH1: u16 = 1;
const SH2: u16 = 1 << 1;
const SH2E: u16 = 1 << 2;
const SH_DSP: u16 = 1 << 3;
const SH2A_PLAIN: u16 = 1 << 4;
const SH2A: u16 = 1 << 5;
const SH3_NO_MMU: u16 = 1 << 6;
const SH3: u16 = 1 << 7;
const SH3E: u16 = 1 << 8;
const SH3_DSP: u16 = 1 << 9;
const SH4_NO_MMU: u16 = 1 << 10;
const SH4_PLAIN: u16 = 1 << 11;
const SH4: u16 = 1 << 12;
const SH4A_PLAIN: u16 = 1 << 13;
const SH4A: u16 = 1 << 14;
const SH4AL_DSP: u16 = 1 << 15;

// Processors that run the code of one; "plain" is one without a floating-point unit.
const FROM_SH4A_PLAIN: u16 = SH4A_PLAIN | SH4A | SH4AL_DSP;
const FROM_SH4: u16 = SH4 | SH4A;
const FROM_SH4_PLAIN: u16 = SH4_PLAIN | FROM_SH4 | FROM_SH4A_PLAIN;
const FROM_SH4_NO_MMU: u16 = SH4_NO_MMU | FROM_SH4_PLAIN;
const FROM_SH3E: u16 = SH3E | FROM_SH4;
const FROM_SH3_DSP: u16 = SH3_DSP | SH4AL_DSP;
const FROM_SH3: u16 = SH3 | FROM_SH3E | FROM_SH3_DSP | FROM_SH4_PLAIN;
const FROM_SH3_NO_MMU: u16 = SH3_NO_MMU | FROM_SH3 | FROM_SH4_NO_MMU;
const FROM_SH2A_PLAIN: u16 = SH2A_PLAIN | SH2A;
const FROM_SH2E: u16 = SH2E | SH2A | FROM_SH3E;
const FROM_SH_DSP: u16 = SH_DSP | FROM_SH3_DSP;
const FROM_SH2: u16 = SH2 | FROM_SH2E | FROM_SH_DSP | FROM_SH2A_PLAIN | FROM_SH3_NO_MMU;

/// Each number of an instruction set, its name, and the processors that run its code.
const SETS: [(u32, &str, u16); 22] = [
    (1, "SH1", SH1 | FROM_SH2),
    (2, "SH2", FROM_SH2),
    (3, "SH3", FROM_SH3),
    (4, "SH-DSP", FROM_SH_DSP),
    (5, "SH3-DSP", FROM_SH3_DSP),
    (6, "SH4AL-DSP", SH4AL_DSP),
    (8, "SH3E", FROM_SH3E),
    (9, "SH4", FROM_SH4),
    (0xb, "SH2E", FROM_SH2E),
    (0xc, "SH4A", SH4A),
    (0xd, "SH2A", SH2A),
    (0x10, "SH4 without FPU", FROM_SH4_PLAIN),
    (0x11, "SH4A without FPU", FROM_SH4A_PLAIN),
    (0x12, "SH4 without MMU and FPU", FROM_SH4_NO_MMU),
    (0x13, "SH2A without FPU", FROM_SH2A_PLAIN),
    (0x14, "SH3 without MMU", FROM_SH3_NO_MMU),
    (0x15, "SH2A or SH4 without FPU", FROM_SH2A_PLAIN | FROM_SH4_NO_MMU),
    (0x16, "SH2A or SH3 without FPU", FROM_SH2A_PLAIN | FROM_SH3_NO_MMU),
    (0x17, "SH2A or SH4", SH2A | FROM_SH4),
    (0x18, "SH2A or SH3E", SH2A | FROM_SH3E),
    // What no number says is for SH3.
    (0, "SH3", FROM_SH3),
    (7, "SH3", FROM_SH3),
];

fn set(flags: u32) -> (&'static str, u16) {
    let found = SETS.iter().find(|(number, ..)| *number == flags & SET);
    found.map_or(("SH3", FROM_SH3), |&(_, name, processors)| (name, processors))
}

/// Joins the flags of two objects: the output is for the largest set of processors that run the
/// code of both.
pub fn join(before: u32, other: u32) -> Result<u32, FlagConflict> {
    let [(name, of_before), (other_name, of_other)] = [before, other].map(set);
    let both = of_before & of_other;
    let within = SETS.iter().filter(|(.., processors)| processors & !both == 0);
    let conflict = FlagConflict { before: name, other: other_name };
    // The first of equal ones.
    let largest = within.rev().max_by_key(|(.., processors)| processors.count_ones());
    let (number, ..) = largest.ok_or(conflict)?;
    Ok(before & !SET | number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_runs_where_both_run() {
        assert_eq!(join(1, 2), Ok(2));
        assert_eq!(join(9, 2), Ok(9));
        assert_eq!(join(2, 9), Ok(9));
        assert_eq!(join(8, 0x10), Ok(9));
        assert_eq!(join(0xb, 0x13), Ok(0xd));
        assert_eq!(join(3, 5), Ok(5));
        assert_eq!(join(0x102, 9), Ok(0x109));
        assert_eq!(join(0x17, 9), Ok(9));
        let conflict = join(9, 4).unwrap_err();
        assert_eq!([conflict.before, conflict.other], ["SH4", "SH-DSP"]);
    }
}
