//! `e_flags`: the family of devices that code is for, and whether it may be made shorter.

use crate::machine::description::FlagConflict;

/// Bits with the number of the family.
const FAMILY: u32 = 0x7f;
/// The assembler has left all distances to the linker.
pub const LINK_RELAX: u32 = 0x80;

/// Families, their names, and those whose code they run beside their own, as GNU ld has it. A
/// family runs what those run that it lists.
const FAMILIES: [(u32, &str, &[u32]); 18] = [
    (1, "code of avr1", &[]),
    (2, "code of avr2", &[1]),
    (25, "code of avr25", &[2]),
    (3, "code of avr3", &[2]),
    (31, "code of avr31", &[3]),
    (35, "code of avr35", &[3]),
    (4, "code of avr4", &[2]),
    (5, "code of avr5", &[3, 4]),
    (51, "code of avr51", &[5]),
    (6, "code of avr6", &[]),
    (101, "code of avrxmega1", &[]),
    (102, "code of avrxmega2", &[]),
    (103, "code of avrxmega3", &[]),
    (104, "code of avrxmega4", &[]),
    (105, "code of avrxmega5", &[]),
    (106, "code of avrxmega6", &[]),
    (107, "code of avrxmega7", &[]),
    (100, "code of avrtiny", &[]),
];

fn row(family: u32) -> Option<&'static (u32, &'static str, &'static [u32])> {
    FAMILIES.iter().find(|row| row.0 == family)
}

fn name(flags: u32) -> &'static str {
    row(flags & FAMILY).map_or("code of an unknown family of AVR", |row| row.1)
}

/// Whether devices of a family run the code of another one.
fn runs(family: u32, other: u32) -> bool {
    let others = row(family).map_or(&[][..], |row| row.2);
    family == other || others.iter().any(|&before| runs(before, other))
}

/// Joins the flags of two objects: the output is for the family that runs the code of both. It can
/// be made shorter if both can.
pub fn join(before: u32, other: u32) -> Result<u32, FlagConflict> {
    let [first, second] = [before & FAMILY, other & FAMILY];
    let family = if runs(first, second) {
        first
    } else if runs(second, first) {
        second
    } else {
        return Err(FlagConflict { before: name(before), other: name(other) });
    };
    Ok(family | before & other & LINK_RELAX)
}

/// Whether 12 bits of a branch reach all of the memory of a family's devices, because the program
/// counter wraps around: they have 8 KiB.
pub fn wraps_around(flags: u32) -> bool {
    matches!(flags & FAMILY, 2 | 25 | 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_runs_the_code_of_older_ones() {
        assert_eq!(join(5, 2), Ok(5));
        assert_eq!(join(4, 5), Ok(5));
        assert_eq!(join(0x85, 0x85), Ok(0x85));
        assert_eq!(join(0x85, 5), Ok(5));
        assert_eq!(join(0x102, 51), Ok(51));
        for (before, other, texts) in [
            (25, 5, ["code of avr25", "code of avr5"]),
            (6, 5, ["code of avr6", "code of avr5"]),
            (3, 4, ["code of avr3", "code of avr4"]),
            (100, 2, ["code of avrtiny", "code of avr2"]),
            (99, 2, ["code of an unknown family of AVR", "code of avr2"]),
        ] {
            let conflict = join(before, other).unwrap_err();
            assert_eq!([conflict.before, conflict.other], texts);
        }
    }
}
