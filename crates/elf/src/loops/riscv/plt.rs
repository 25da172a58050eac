//! Procedure linkage tables ("RISC-V ABIs Specification", "Procedure Linkage Table").
//!
//! An entry loads the address in its GOT word into `t3`, and jumps there with its own address in
//! `t1`. Before the function is bound that is the header, which finds the index from `t1` and calls
//! the loader's resolver. Entries that never bind lazily are the same code. Where indirect branches
//! are checked, header and entries begin with a landing pad.

use super::instruction::{NOP, with_low_load, with_upper};
use crate::args::ZOptions;
use crate::machine::riscv::property::UNLABELED;
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach, Promises, Unwinding};

const ENTRY_SIZE: usize = 16;

macro_rules! table {
    ($is_32:literal, $lands:literal) => {
        Plt {
            align: 16,
            entsize: [ENTRY_SIZE as u64; 2],
            header_size: header_size($lands),
            entry_size: ENTRY_SIZE,
            direct_entry_size: ENTRY_SIZE,
            direct_entry_needs_header: false,
            initial_got_entry: |plt, _| plt,
            write_header: |out, plt, got_plt| write_header($is_32, $lands, out, plt, got_plt),
            write_entry: |out, entry| write_entry($is_32, $lands, out, entry),
            write_direct_entry: |out, entry| write_entry($is_32, $lands, out, entry),
            tags: &[],
            cie: &[],
            sframe: None,
            unwinding: [NO_UNWINDING; 2],
        }
    };
}

/// GNU ld describes none of it: nothing is on the stack.
const NO_UNWINDING: Unwinding = Unwinding { instructions: None, rows: &[] };

/// `lpad 0`: indirect branches may land here.
const LANDING_PAD: u32 = 0x0000_0017;

/// The PLT's code for 64 bits.
pub fn table(_: &ZOptions, _: OutputShape, promises: Promises) -> &'static Plt {
    static TABLES: [Plt; 2] = [table!(false, false), table!(false, true)];
    &TABLES[usize::from(has_pads(promises))]
}

/// The PLT's code for 32 bits.
pub fn table_32(_: &ZOptions, _: OutputShape, promises: Promises) -> &'static Plt {
    static TABLES: [Plt; 2] = [table!(true, false), table!(true, true)];
    &TABLES[usize::from(has_pads(promises))]
}

/// Whether the output promises that indirect branches land on pads without labels.
fn has_pads(promises: Promises) -> bool {
    promises.features & u64::from(UNLABELED) != 0
}

/// With a landing pad, the header has four words more.
const fn header_size(lands: bool) -> usize {
    if lands { 48 } else { 32 }
}

/// The distance, if AUIPC and an addition reach it.
fn distance(is_32: bool, from: u64, to: u64) -> Result<u64, PltOutOfReach> {
    let distance = to.wrapping_sub(from);
    let rounded = distance.wrapping_add(0x800) as i64;
    if !is_32 && i32::try_from(rounded).is_err() {
        return Err(PltOutOfReach { from, to });
    }
    Ok(distance)
}

fn write_header(
    is_32: bool,
    lands: bool,
    out: &mut [u8],
    plt: u64,
    got_plt: u64,
) -> Result<(), PltOutOfReach> {
    let (pad, skipped) = pad(lands);
    let distance = distance(is_32, plt + skipped, got_plt)?;
    // The entry's return address is behind its jump; two bits of the offset give that of the words,
    // whose size they have.
    let from_header = (-(header_size(lands) as i64) - 12 - skipped as i64) as u64;
    let (load, shift, word) = if is_32 { (0x2000, 2, 4) } else { (0x3000, 1, 8) };
    let code = [
        // auipc t2, %pcrel_hi(.got.plt)
        with_upper(0x0000_0397, distance),
        // sub t1, t1, t3
        0x41c3_0333,
        // ld t3, %pcrel_lo(1b)(t2): the resolver
        with_low_load(0x0003_8e03 | load, distance),
        // addi t1, t1, -(header + 12)
        with_low_load(0x0003_0313, from_header),
        // addi t0, t2, %pcrel_lo(1b)
        with_low_load(0x0003_8293, distance),
        // srli t1, t1, log2(16 / word)
        with_low_load(0x0003_5313, shift),
        // ld t0, word(t0): the link map
        with_low_load(0x0002_8283 | load, word),
        // jr t3
        0x000e_0067,
    ];
    put(out, pad.iter().chain(&code).chain(&[NOP; 3]));
    Ok(())
}

fn write_entry(
    is_32: bool,
    lands: bool,
    out: &mut [u8],
    entry: &PltEntry,
) -> Result<(), PltOutOfReach> {
    let (pad, skipped) = pad(lands);
    let distance = distance(is_32, entry.entry_address + skipped, entry.got_entry_address)?;
    let load = if is_32 { 0x2000 } else { 0x3000 };
    let code = [
        // auipc t3, %pcrel_hi(word)
        with_upper(0x0000_0e17, distance),
        // ld t3, %pcrel_lo(1b)(t3)
        with_low_load(0x000e_0e03 | load, distance),
        // jalr t1, t3
        0x000e_0367,
        NOP,
    ];
    put(out, pad.iter().chain(&code));
    Ok(())
}

/// The landing pad before code, if there is one, and its bytes.
fn pad(lands: bool) -> (&'static [u32], u64) {
    if lands { (&[LANDING_PAD], 4) } else { (&[], 0) }
}

/// Writes words until `out` is full.
fn put<'a>(out: &mut [u8], words: impl Iterator<Item = &'a u32>) {
    for (place, word) in out.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(bytes: &[u8]) -> Vec<u32> {
        bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    }

    // As GNU ld writes them.
    #[test]
    fn code_is_that_of_the_abi() {
        let entry = PltEntry {
            plt_address: 0x1_0000,
            entry_address: 0x1_0020,
            got_entry_address: 0x1_2ff8,
            got_base: 0,
            index: 0,
        };
        let mut out = [0xff; ENTRY_SIZE];
        write_entry(false, false, &mut out, &entry).unwrap();
        assert_eq!(words(&out), [0x0000_3e17, 0xfd8e_3e03, 0x000e_0367, NOP]);
        let mut out = [0xff; 32];
        write_header(false, false, &mut out, 0x1_0000, 0x1_2fe8).unwrap();
        let expected = [
            0x0000_3397,
            0x41c3_0333,
            0xfe83_be03,
            0xfd43_0313,
            0xfe83_8293,
            0x0013_5313,
            0x0082_b283,
            0x000e_0067,
        ];
        assert_eq!(words(&out), expected);
        let far = PltEntry { got_entry_address: 0x1_0000_0000, ..entry };
        assert!(write_entry(false, false, &mut out[..16], &far).is_err());
        write_entry(true, false, &mut out[..16], &entry).unwrap();
        assert_eq!(words(&out)[1], 0xfd8e_2e03);
        // With pads, AUIPC is four bytes behind the start.
        write_entry(false, true, &mut out[..16], &entry).unwrap();
        assert_eq!(words(&out[..16]), [LANDING_PAD, 0x0000_3e17, 0xfd4e_3e03, 0x000e_0367]);
        let mut out = [0xff; header_size(true)];
        write_header(false, true, &mut out, 0x1_0000, 0x1_2fe8).unwrap();
        let expected = [
            LANDING_PAD,
            0x0000_3397,
            0x41c3_0333,
            0xfe43_be03,
            0xfc03_0313,
            0xfe43_8293,
            0x0013_5313,
            0x0082_b283,
            0x000e_0067,
            NOP,
            NOP,
            NOP,
        ];
        assert_eq!(words(&out), expected);
    }
}
