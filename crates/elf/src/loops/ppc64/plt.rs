//! Procedure linkage tables ("64-Bit ELF V2 ABI Specification", "Procedure Linkage Table").
//!
//! Calls go through thunks, which jump to the address in a word. Before the function is bound, that
//! is an entry of `.plt`: a branch to the header, which finds the function's index from the entry's
//! address, left in `r12` by the thunk, and calls the loader's resolver. An entry of `.plt.got` is
//! the address of an imported function, for programs that want one that is known.

use super::instruction::{self, ADDI, ADDIS, LD};
use crate::args::ZOptions;
use crate::machine::ppc64::howto::{Field, Part};
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach, Promises, Unwinding};
use skald_linking::byte_order::ByteOrder;

const HEADER_SIZE: usize = 52;
const ENTRY_SIZE: usize = 4;
const DIRECT_ENTRY_SIZE: usize = 16;

macro_rules! table {
    ($order:expr) => {
        Plt {
            align: 16,
            entsize: [0, 0],
            header_size: HEADER_SIZE,
            entry_size: ENTRY_SIZE,
            direct_entry_size: DIRECT_ENTRY_SIZE,
            direct_entry_needs_header: false,
            initial_got_entry: |_, entry| entry,
            write_header: |out, plt, got_plt| write_header($order, out, plt, got_plt),
            write_entry: |out, entry| write_entry($order, out, entry),
            write_direct_entry: |out, entry| write_direct_entry($order, out, entry),
            tags: &[],
            cie: &[],
            sframe: None,
            unwinding: [NO_UNWINDING; 2],
        }
    };
}

/// Nothing is on the stack.
pub const NO_UNWINDING: Unwinding = Unwinding { instructions: None, rows: &[] };

/// The PLT's code, little-endian.
pub fn table(_: &ZOptions, _: OutputShape, _: Promises) -> &'static Plt {
    static TABLE: Plt = table!(ByteOrder::Little);
    &TABLE
}

/// The distance, if two instructions add it.
pub fn distance(from: u64, to: u64) -> Result<u64, PltOutOfReach> {
    let distance = to.wrapping_sub(from);
    match i32::try_from(distance.wrapping_add(0x8000) as i64) {
        Ok(_) => Ok(distance),
        Err(_) => Err(PltOutOfReach { from, to }),
    }
}

/// Writes instructions.
pub fn put(order: ByteOrder, out: &mut [u8], words: &[u32]) {
    for (place, &word) in out.chunks_exact_mut(4).zip(words) {
        order.put_low(place, word.into());
    }
}

/// The resolver is given the index in `r0` and the link map in `r11`.
fn write_header(
    order: ByteOrder,
    out: &mut [u8],
    plt: u64,
    got_plt: u64,
) -> Result<(), PltOutOfReach> {
    // What `bcl` leaves in the link register.
    const HERE: usize = 8;
    let distance = distance(plt + HERE as u64, got_plt)?;
    let first = (HERE as u64).wrapping_sub(HEADER_SIZE as u64);
    put(
        order,
        out,
        &[
            // mflr r0; bcl 20, 31, .+4; mflr r11; mtlr r0
            0x7c08_02a6,
            0x429f_0005,
            0x7d68_02a6,
            0x7c08_03a6,
            // subf r12, r11, r12: the entry's distance from here
            0x7d8b_6050,
            // addi r0, r12, -distance of the first; srdi r0, r0, 2
            instruction::with_half(ADDI, 0, 12, first),
            0x7800_f082,
            // addis r11, r11, .got.plt; addi
            instruction::with_half(ADDIS, 11, 11, Part::HighAdjusted.of(distance)),
            instruction::with_half(ADDI, 11, 11, distance),
            // ld r12, 0(r11); mtctr r12; ld r11, 8(r11); bctr
            0xe98b_0000,
            0x7d89_03a6,
            0xe96b_0008,
            0x4e80_0420,
        ],
    );
    Ok(())
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

/// Callers of an address have it in `r12`.
fn write_direct_entry(
    order: ByteOrder,
    out: &mut [u8],
    entry: &PltEntry,
) -> Result<(), PltOutOfReach> {
    let distance = distance(entry.entry_address, entry.got_entry_address)?;
    put(
        order,
        out,
        &[
            instruction::with_half(ADDIS, 12, 12, Part::HighAdjusted.of(distance)),
            instruction::with_half(LD, 12, 12, distance),
            // mtctr r12; bctr
            0x7d89_03a6,
            0x4e80_0420,
        ],
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(bytes: &[u8]) -> Vec<u32> {
        bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    }

    const ENTRY: PltEntry = PltEntry {
        plt_address: 0x1_0000,
        entry_address: 0x1_0038,
        got_entry_address: 0x2_9010,
        got_base: 0,
        index: 1,
    };

    #[test]
    fn the_header_finds_the_index() {
        let mut out = [0xff; HEADER_SIZE];
        write_header(ByteOrder::Little, &mut out, 0x1_0000, 0x2_9000).unwrap();
        // The first entry is 44 bytes behind what bcl finds.
        assert_eq!(words(&out)[5..9], [0x380c_ffd4, 0x7800_f082, 0x3d6b_0002, 0x396b_8ff8]);
        assert!(write_header(ByteOrder::Little, &mut out, 0x1_0000, 1 << 40).is_err());
    }

    #[test]
    fn entries_branch_to_the_header_or_to_the_function() {
        let mut out = [0xff; 4];
        write_entry(ByteOrder::Little, &mut out, &ENTRY).unwrap();
        assert_eq!(words(&out), [0x4bff_ffc8]);
        let mut out = [0xff; 16];
        write_direct_entry(ByteOrder::Little, &mut out, &ENTRY).unwrap();
        assert_eq!(words(&out), [0x3d8c_0002, 0xe98c_8fd8, 0x7d89_03a6, 0x4e80_0420]);
    }
}
