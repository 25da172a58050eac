//! Functions that save and restore registers, which compilers call where code shall be small
//! ("64-Bit ELF V2 ABI Specification", "Register Save and Restore Functions").
//!
//! A function of a register handles it and all that follow: it falls through into the next one.

use crate::machine::description::OwnFunctions;
use skald_linking::byte_order::ByteOrder;

const BLR: u32 = 0x4e80_0020;
/// `std r0, 16(r1)`: the return address.
const SAVE_RETURN: u32 = 0xf801_0010;
/// `ld r0, 16(r1); mtlr r0`
const RESTORE_RETURN: [u32; 2] = [0xe801_0010, 0x7c08_03a6];

/// The functions of one prefix.
struct Family {
    prefix: &'static str,
    /// The lowest register.
    first: u32,
    /// The instructions for a register.
    each: fn(u32) -> Vec<u32>,
    /// What follows after the last register.
    end: &'static [u32],
}

const STD: u32 = 62;
const LD: u32 = 58;
const STFD: u32 = 54;
const LFD: u32 = 50;
/// `stvx v0, r12, r0` and `lvx`.
const STVX: u32 = 0x7c0c_01ce;
const LVX: u32 = 0x7c0c_00ce;

/// An access to the place of a register below what another register points to.
fn below(opcode: u32, base: u32, register: u32) -> Vec<u32> {
    let distance = (-8 * (32 - register as i32)) as u32 & 0xffff;
    vec![opcode << 26 | register << 21 | base << 16 | distance]
}

/// The same for a register of 16 bytes: `li r12, distance`, then the access.
fn vector(access: u32, register: u32) -> Vec<u32> {
    let distance = (-16 * (32 - register as i32)) as u32 & 0xffff;
    vec![0x3980_0000 | distance, access | register << 21]
}

const FAMILIES: [Family; 8] = [
    Family {
        prefix: "_savegpr0_",
        first: 14,
        each: |register| below(STD, 1, register),
        end: &[SAVE_RETURN, BLR],
    },
    Family {
        prefix: "_restgpr0_",
        first: 14,
        each: |register| below(LD, 1, register),
        end: &[RESTORE_RETURN[0], RESTORE_RETURN[1], BLR],
    },
    Family {
        prefix: "_savegpr1_",
        first: 14,
        each: |register| below(STD, 12, register),
        end: &[BLR],
    },
    Family {
        prefix: "_restgpr1_",
        first: 14,
        each: |register| below(LD, 12, register),
        end: &[BLR],
    },
    Family {
        prefix: "_savefpr_",
        first: 14,
        each: |register| below(STFD, 1, register),
        end: &[SAVE_RETURN, BLR],
    },
    Family {
        prefix: "_restfpr_",
        first: 14,
        each: |register| below(LFD, 1, register),
        end: &[RESTORE_RETURN[0], RESTORE_RETURN[1], BLR],
    },
    Family { prefix: "_savevr_", first: 20, each: |register| vector(STVX, register), end: &[BLR] },
    Family { prefix: "_restvr_", first: 20, each: |register| vector(LVX, register), end: &[BLR] },
];

/// All of them.
pub fn functions(order: ByteOrder) -> OwnFunctions {
    let mut words: Vec<u32> = Vec::new();
    let mut entries = Vec::new();
    for Family { prefix, first, each, end } in FAMILIES {
        for register in first..32 {
            entries.push((format!("{prefix}{register}"), 4 * words.len() as u64));
            words.extend(each(register));
        }
        words.extend(end);
    }
    OwnFunctions { code: words.iter().flat_map(|&word| order.bytes(word)).collect(), entries }
}

#[cfg(test)]
mod tests {
    use super::*;

    // As GNU ld writes them.
    #[test]
    fn functions_fall_through() {
        let made = functions(ByteOrder::Big);
        let at = |name: &str| {
            let entry = made.entries.iter().find(|entry| entry.0 == name).unwrap();
            let words = made.code[entry.1 as usize..].chunks(4);
            words.map(|word| u32::from_be_bytes(word.try_into().unwrap())).collect::<Vec<_>>()
        };
        assert_eq!(at("_savegpr0_30")[..4], [0xfbc1_fff0, 0xfbe1_fff8, 0xf801_0010, BLR]);
        assert_eq!(at("_restgpr0_31")[..4], [0xebe1_fff8, 0xe801_0010, 0x7c08_03a6, BLR]);
        assert_eq!(at("_savegpr1_14")[0], 0xf9cc_ff70);
        assert_eq!(at("_restgpr1_31")[..2], [0xebec_fff8, BLR]);
        assert_eq!(at("_savefpr_14")[0], 0xd9c1_ff70);
        assert_eq!(at("_restfpr_31")[0], 0xcbe1_fff8);
        assert_eq!(at("_savevr_20")[..2], [0x3980_ff40, 0x7e8c_01ce]);
        assert_eq!(at("_restvr_31")[..3], [0x3980_fff0, 0x7fec_00ce, BLR]);
        assert_eq!(made.entries.len(), 6 * 18 + 2 * 12);
    }
}
