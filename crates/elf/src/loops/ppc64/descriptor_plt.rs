//! Procedure linkage tables of functions with descriptors ("64-bit PowerPC ELF Application Binary
//! Interface Supplement", "Procedure Linkage Table").
//!
//! An entry of `.got.plt` is a descriptor, which thunks call through. Before the function is bound,
//! its code is an entry of `.plt`, which leaves the function's index in `r0` and branches to the
//! header; that calls the loader's resolver, by the descriptor at the start of `.got.plt`.

use super::instruction::{self, ADDI, ADDIS};
use super::plt::{NO_UNWINDING, distance, put};
use crate::args::ZOptions;
use crate::machine::ppc64::howto::{Field, Part};
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach, Promises};
use skald_linking::byte_order::ByteOrder;

const HEADER_SIZE: usize = 44;
const ENTRY_SIZE: usize = 8;
/// A descriptor, and code that goes on to the function whose descriptor's address is in a word.
const DIRECT_ENTRY_SIZE: usize = 56;

/// The PLT's code, big-endian.
pub fn table(_: &ZOptions, _: OutputShape, _: Promises) -> &'static Plt {
    static TABLE: Plt = Plt {
        align: 16,
        entsize: [0, 0],
        header_size: HEADER_SIZE,
        entry_size: ENTRY_SIZE,
        direct_entry_size: DIRECT_ENTRY_SIZE,
        direct_entry_needs_header: false,
        initial_got_entry: |_, entry| entry,
        write_header,
        write_entry,
        write_direct_entry,
        tags: &[],
        cie: &[],
        sframe: None,
        unwinding: [NO_UNWINDING; 2],
    };
    &TABLE
}

fn write_header(out: &mut [u8], plt: u64, got_plt: u64) -> Result<(), PltOutOfReach> {
    // What `bcl` leaves in the link register.
    const HERE: u64 = 8;
    let distance = distance(plt + HERE, got_plt)?;
    put(
        ByteOrder::Big,
        out,
        &[
            // mflr r12; bcl 20, 31, .+4; mflr r11; mtlr r12
            0x7d88_02a6,
            0x429f_0005,
            0x7d68_02a6,
            0x7d88_03a6,
            // addis r11, r11, .got.plt; addi
            instruction::with_half(ADDIS, 11, 11, Part::HighAdjusted.of(distance)),
            instruction::with_half(ADDI, 11, 11, distance),
            // ld r12, 0(r11); ld r2, 8(r11); mtctr r12; ld r11, 16(r11); bctr
            0xe98b_0000,
            0xe84b_0008,
            0x7d89_03a6,
            0xe96b_0010,
            0x4e80_0420,
        ],
    );
    Ok(())
}

/// `li r0, index; b header`
fn write_entry(out: &mut [u8], entry: &PltEntry) -> Result<(), PltOutOfReach> {
    let (from, to) = (entry.entry_address.wrapping_add(4), entry.plt_address);
    let distance = to.wrapping_sub(from);
    // The loader expects longer entries behind these.
    if entry.index >= 0x8000 {
        return Err(PltOutOfReach { from, to });
    }
    let branch = instruction::with_value(0x4800_0000, Field::Branch, distance);
    put(ByteOrder::Big, out, &[0x3800_0000 | entry.index, branch]);
    Ok(())
}

fn write_direct_entry(out: &mut [u8], entry: &PltEntry) -> Result<(), PltOutOfReach> {
    let code = entry.entry_address.wrapping_add(24);
    let distance = distance(entry.got_base, entry.got_entry_address)?;
    let [high, low] = ByteOrder::Big.halves(code);
    let [toc_high, toc_low] = ByteOrder::Big.halves(entry.got_base);
    put(
        ByteOrder::Big,
        out,
        &[
            high,
            low,
            toc_high,
            toc_low,
            0,
            0,
            // addis r11, r2, word; ld r11
            instruction::with_half(ADDIS, 11, instruction::TOC, Part::HighAdjusted.of(distance)),
            instruction::with_half(instruction::LD, 11, 11, distance),
            // ld r12, 0(r11); mtctr r12; ld r2, 8(r11); ld r11, 16(r11); bctr
            0xe98b_0000,
            0x7d89_03a6,
            0xe84b_0008,
            0xe96b_0010,
            0x4e80_0420,
            instruction::NOP,
        ],
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(bytes: &[u8]) -> Vec<u32> {
        bytes.chunks(4).map(|word| u32::from_be_bytes(word.try_into().unwrap())).collect()
    }

    const ENTRY: PltEntry = PltEntry {
        plt_address: 0x1_0000,
        entry_address: 0x1_0034,
        got_entry_address: 0x2_9010,
        got_base: 0x3_0000,
        index: 1,
    };

    #[test]
    fn entries_have_the_index() {
        let mut out = [0xff; 8];
        write_entry(&mut out, &ENTRY).unwrap();
        assert_eq!(words(&out), [0x3800_0001, 0x4bff_ffc8]);
        assert!(write_entry(&mut out, &PltEntry { index: 0x8000, ..ENTRY }).is_err());
    }

    #[test]
    fn a_direct_entry_is_a_descriptor() {
        let mut out = [0xff; DIRECT_ENTRY_SIZE];
        write_direct_entry(&mut out, &ENTRY).unwrap();
        assert_eq!(words(&out)[..8], [0, 0x1_004c, 0, 0x3_0000, 0, 0, 0x3d62_0000, 0xe96b_9010]);
    }
}
