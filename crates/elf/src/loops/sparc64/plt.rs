//! Procedure linkage tables ("System V ABI, SPARC Version 9 Processor Supplement", "Procedure
//! Linkage Table").
//!
//! The first four entries are reserved for the loader, which writes its code there. An entry says
//! which one it is and branches to the second of these. The loader binds a function by writing
//! instructions into its entry, so `.plt` is data that is executed. A branch does not reach from
//! entries behind the first 32,768: they jump by a distance in a word, which the loader writes.

use super::instruction::{NOP, with};
use crate::args::ZOptions;
use crate::machine::sparc64::howto::Field;
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach, Promises, Unwinding};

const HEADER_SIZE: usize = 128;
const ENTRY_SIZE: usize = 32;
/// `mov %o7,%g5` and back.
const SAVE_RETURN: u32 = 0x8a10_000f;
const RESTORE_RETURN: u32 = 0x9e10_0005;
/// `call .+8`.
const GET_PC: u32 = 0x4000_0002;
/// `sethi 0,%g1`
const SETHI_G1: u32 = 0x0300_0000;

/// The PLT's code.
pub fn table(_: &ZOptions, _: OutputShape, _: Promises) -> &'static Plt {
    static TABLE: Plt = Plt {
        // The loader writes whole cache lines.
        align: 256,
        entsize: [ENTRY_SIZE as u64; 2],
        header_size: HEADER_SIZE,
        entry_size: ENTRY_SIZE,
        direct_entry_size: ENTRY_SIZE,
        direct_entry_needs_header: false,
        // The word of a far entry: a distance from its second instruction to the first reserved
        // entry.
        initial_got_entry: |plt, entry| plt.wrapping_sub(entry.wrapping_add(4)),
        write_header: |out, _, _| {
            out.fill(0);
            Ok(())
        },
        write_entry,
        write_direct_entry,
        tags: &[],
        cie: &[],
        sframe: None,
        unwinding: [NO_UNWINDING; 2],
    };
    &TABLE
}

/// GNU ld describes none of it: nothing is on the stack.
const NO_UNWINDING: Unwinding = Unwinding { instructions: None, rows: &[] };

fn put(out: &mut [u8], words: &[u32]) {
    for (place, word) in out.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_be_bytes());
    }
}

fn write_entry(out: &mut [u8], entry: &PltEntry) -> Result<(), PltOutOfReach> {
    let &PltEntry { plt_address: plt, entry_address, got_entry_address: word, .. } = entry;
    if word != entry_address {
        // ldx [%o7+word],%g1
        let load = with(0xc25b_e000, Field::Bits(0, 13), word.wrapping_sub(entry_address + 4), 0);
        // jmpl %o7+%g1,%g1
        put(out, &[SAVE_RETURN, GET_PC, NOP, load, 0x83c3_c001, RESTORE_RETURN]);
        return Ok(());
    }
    // The second reserved entry.
    let second = plt + ENTRY_SIZE as u64;
    // sethi offset,%g1; ba,a,pt %xcc,second
    let offset = with(SETHI_G1, Field::Bits(0, 22), entry_address - plt, 0);
    let branch = with(0x3068_0000, Field::Bits(2, 19), second.wrapping_sub(entry_address + 4), 0);
    put(out, &[offset, branch, NOP, NOP, NOP, NOP, NOP, NOP]);
    Ok(())
}

fn write_direct_entry(out: &mut [u8], entry: &PltEntry) -> Result<(), PltOutOfReach> {
    let (from, to) = (entry.entry_address + 8, entry.got_entry_address);
    let distance = to.wrapping_sub(from);
    if !(-(1 << 32)..1 << 32).contains(&(distance as i64)) {
        return Err(PltOutOfReach { from, to });
    }
    // sethi %hix(distance),%g1 and xor %g1,%lox(distance),%g1, or the same of a positive one.
    let is_negative = (distance as i64) < 0;
    let (upper, lower) = if is_negative {
        (Field::Inverted(10, 22), Field::LowInverted)
    } else {
        (Field::Bits(10, 22), Field::Bits(0, 10))
    };
    put(
        out,
        &[
            SAVE_RETURN,
            with(SETHI_G1, upper, distance, 0),
            GET_PC,
            with(0x8218_6000, lower, distance, 0),
            // ldx [%o7+%g1],%g1; jmp %g1
            0xc25b_c001,
            0x81c0_4000,
            RESTORE_RETURN,
            NOP,
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

    // As GNU ld writes them.
    #[test]
    fn code_is_that_of_the_abi() {
        let entry = PltEntry {
            plt_address: 0x20_0100,
            entry_address: 0x20_01a0,
            got_entry_address: 0x20_01a0,
            got_base: 0x20_0000,
            index: 1,
        };
        let mut out = [0xff; ENTRY_SIZE];
        write_entry(&mut out, &entry).unwrap();
        assert_eq!(words(&out)[..3], [0x0300_00a0, 0x306f_ffdf, NOP]);
        let far = PltEntry { got_entry_address: 0x20_0a00, ..entry };
        write_entry(&mut out[..24], &far).unwrap();
        assert_eq!(words(&out)[3], 0xc25b_e85c);
    }

    #[test]
    fn direct_entries_load_from_either_side() {
        let entry = PltEntry {
            plt_address: 0,
            entry_address: 0x1000,
            got_entry_address: 0x20_0010,
            got_base: 0,
            index: 0,
        };
        let mut out = [0xff; ENTRY_SIZE];
        write_direct_entry(&mut out, &entry).unwrap();
        // 0x1ff008
        assert_eq!(words(&out)[1..4], [0x0300_07fc, GET_PC, 0x8218_6008]);
        let before = PltEntry { got_entry_address: 0x8, ..entry };
        write_direct_entry(&mut out, &before).unwrap();
        // -0x1000
        assert_eq!(words(&out)[1..4], [0x0300_0003, GET_PC, 0x8218_7c00]);
        let far = PltEntry { got_entry_address: 0x2_0000_0000, ..entry };
        assert!(write_direct_entry(&mut out, &far).is_err());
    }
}
