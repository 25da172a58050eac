//! Procedure linkage tables, the secure ones ("Power Architecture 32-bit Application Binary
//! Interface Supplement", "Procedure Linkage Table").
//!
//! Calls go through thunks, which load the address in a word of `.got.plt` to `r11` and jump there.
//! Before the function is bound, that is an entry of `.plt`: a branch to the header, which finds
//! the function's relocation from `r11` and calls the loader's resolver. An entry of `.plt.got` is
//! the address of an imported function, for programs that want one that is known.

use crate::args::ZOptions;
use crate::loops::ppc64::instruction::{self, ADDI, ADDIS, LWZ, LWZU};
use crate::loops::ppc64::plt::{NO_UNWINDING, put};
use crate::machine::ppc64::howto::{Field, Part};
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach, Promises};
use skald_linking::byte_order::ByteOrder;

const FIXED_HEADER_SIZE: usize = 36;
const PIC_HEADER_SIZE: usize = 56;
const ENTRY_SIZE: usize = 4;

/// `mflr r12; bcl 20, 31, .+4; mflr r11; mtlr r12`: the address of the third instruction.
pub const HERE: [u32; 4] = [0x7d88_02a6, 0x429f_0005, 0x7d68_02a6, 0x7d88_03a6];
/// `mtctr r11; bctr`
pub const JUMP: [u32; 2] = [0x7d69_03a6, 0x4e80_0420];

macro_rules! table {
    ($order:expr, $is_pic:expr) => {
        Plt {
            align: 16,
            entsize: [0, 0],
            header_size: if $is_pic { PIC_HEADER_SIZE } else { FIXED_HEADER_SIZE },
            entry_size: ENTRY_SIZE,
            direct_entry_size: if $is_pic { 32 } else { 16 },
            direct_entry_needs_header: false,
            initial_got_entry: |_, entry| entry,
            write_header: |out, plt, got| {
                put($order, out, &header($is_pic, plt, got));
                Ok(())
            },
            write_entry: |out, entry| write_entry($order, out, entry),
            write_direct_entry: |out, entry| {
                put(
                    $order,
                    out,
                    &through_word($is_pic, entry.entry_address, entry.got_entry_address),
                );
                Ok(())
            },
            tags: &[],
            cie: &[],
            sframe: None,
            unwinding: [NO_UNWINDING; 2],
        }
    };
}

/// The PLT's code, big-endian.
pub fn table(_: &ZOptions, shape: OutputShape, _: Promises) -> &'static Plt {
    static TABLES: [Plt; 2] = [table!(ByteOrder::Big, false), table!(ByteOrder::Big, true)];
    &TABLES[usize::from(shape.is_pic)]
}

/// The PLT's code, little-endian.
pub fn little_endian(_: &ZOptions, shape: OutputShape, _: Promises) -> &'static Plt {
    static TABLES: [Plt; 2] = [table!(ByteOrder::Little, false), table!(ByteOrder::Little, true)];
    &TABLES[usize::from(shape.is_pic)]
}

/// An upper half, rounded for what is added, and the instruction that adds it.
fn upper(target: u32, base: u32, value: u64) -> u32 {
    instruction::with_half(ADDIS, target, base, Part::HighAdjusted.of(value))
}

/// The header: the resolver is given the offset of the function's relocation in `r11` and the link
/// map in `r12`. Both are in the GOT, behind the first word.
fn header(is_pic: bool, plt: u64, got: u64) -> Vec<u32> {
    // What `bcl` leaves in the link register.
    const HERE: u64 = 12;
    // `add r0, r11, r11; add r11, r0, r11`: an entry has 4 bytes, and a relocation 12.
    const THREE: [u32; 2] = [0x7c0b_5a14, 0x7d60_5a14];
    // `mtctr r0`
    const TO_COUNTER: u32 = 0x7c09_03a6;
    const BCTR: u32 = 0x4e80_0420;
    if !is_pic {
        let back = plt.wrapping_add(FIXED_HEADER_SIZE as u64).wrapping_neg();
        let resolver = got.wrapping_add(4);
        return vec![
            upper(12, 0, resolver),
            upper(11, 11, back),
            instruction::with_half(LWZU, 0, 12, resolver),
            instruction::with_half(ADDI, 11, 11, back),
            TO_COUNTER,
            instruction::with_half(LWZ, 12, 12, 4),
            THREE[0],
            THREE[1],
            BCTR,
        ];
    }
    let here = plt.wrapping_add(HERE);
    let back = here.wrapping_sub(plt.wrapping_add(PIC_HEADER_SIZE as u64));
    let resolver = got.wrapping_add(4).wrapping_sub(here);
    vec![
        upper(11, 11, back),
        // mflr r0; bcl 20, 31, .+4
        0x7c08_02a6,
        0x429f_0005,
        instruction::with_half(ADDI, 11, 11, back),
        // mflr r12; mtlr r0; subf r11, r12, r11
        0x7d88_02a6,
        0x7c08_03a6,
        0x7d6c_5850,
        upper(12, 12, resolver),
        instruction::with_half(LWZU, 0, 12, resolver),
        instruction::with_half(LWZ, 12, 12, 4),
        TO_COUNTER,
        THREE[0],
        THREE[1],
        BCTR,
    ]
}

/// `b header`
fn write_entry(order: ByteOrder, out: &mut [u8], entry: &PltEntry) -> Result<(), PltOutOfReach> {
    let (from, to) = (entry.entry_address, entry.plt_address);
    let distance = to.wrapping_sub(from);
    if (distance as i64) < -(1 << 25) {
        return Err(PltOutOfReach { from, to });
    }
    put(order, out, &[instruction::with_value(0x4800_0000, Field::Branch, distance)]);
    Ok(())
}

/// Code at an address that jumps to the address in a word, and knows nothing else.
pub fn through_word(is_pic: bool, address: u64, word: u64) -> Vec<u32> {
    let (start, base, from) =
        if is_pic { (&HERE[..], 11, word.wrapping_sub(address + 8)) } else { (&[][..], 0, word) };
    let load = [upper(11, base, from), instruction::with_half(LWZ, 11, 11, from)];
    [start, &load, &JUMP].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: PltEntry = PltEntry {
        plt_address: 0x1000_0000,
        entry_address: 0x1000_0028,
        got_entry_address: 0x1002_9010,
        got_base: 0,
        index: 1,
    };

    #[test]
    fn the_header_finds_the_relocation() {
        // lis r12, 0x1003; addis r11, r11, -0x1000; lwzu r0, -0x7ffc(r12); addi r11, r11, -36
        let fixed = header(false, 0x1000_0000, 0x1002_8000);
        assert_eq!(fixed[..4], [0x3d80_1003, 0x3d6b_f000, 0x840c_8004, 0x396b_ffdc]);
        assert_eq!(fixed.len() * 4, FIXED_HEADER_SIZE);
        // addis r11, r11, 0; addi r11, r11, -44
        let pic = header(true, 0x1000_0000, 0x1002_8000);
        assert_eq!((pic[0], pic[3]), (0x3d6b_0000, 0x396b_ffd4));
        // addis r12, r12, 3; lwzu r0, -0x8008(r12)
        assert_eq!(pic[7..9], [0x3d8c_0002, 0x840c_7ff8]);
        assert_eq!(pic.len() * 4, PIC_HEADER_SIZE);
    }

    #[test]
    fn entries_branch_to_the_header_or_to_the_function() {
        let mut out = [0xff; 4];
        write_entry(ByteOrder::Big, &mut out, &ENTRY).unwrap();
        assert_eq!(u32::from_be_bytes(out), 0x4bff_ffd8);
        // lis r11, 0x1003; lwz r11, -0x6ff0(r11)
        let fixed = through_word(false, 0x1000_0000, 0x1002_9010);
        assert_eq!(fixed, [0x3d60_1003, 0x816b_9010, 0x7d69_03a6, 0x4e80_0420]);
        let pic = through_word(true, 0x1000_0000, 0x1002_9010);
        assert_eq!(pic[..4], HERE);
        assert_eq!(pic[4..], [0x3d6b_0003, 0x816b_9008, 0x7d69_03a6, 0x4e80_0420]);
    }
}
