//! Procedure linkage tables, as GNU ld writes them.
//!
//! An entry loads the address in its GOT word into `$t3`, and jumps there with its own address in
//! `$t1`. Before the function is bound that is the header, which finds the index from `$t1` and
//! calls the loader's resolver. Entries that never bind lazily are the same code.

use super::instruction::{NOP, with_12, with_20};
use crate::args::ZOptions;
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach, Promises, Unwinding};

const HEADER_SIZE: usize = 32;
const ENTRY_SIZE: usize = 16;

macro_rules! table {
    ($is_32:literal) => {
        Plt {
            align: 16,
            entsize: [ENTRY_SIZE as u64; 2],
            header_size: HEADER_SIZE,
            entry_size: ENTRY_SIZE,
            direct_entry_size: ENTRY_SIZE,
            direct_entry_needs_header: false,
            initial_got_entry: |plt, _| plt,
            write_header: |out, plt, got_plt| write_header($is_32, out, plt, got_plt),
            write_entry: |out, entry| write_entry($is_32, out, entry),
            write_direct_entry: |out, entry| write_entry($is_32, out, entry),
            tags: &[],
            cie: &[],
            sframe: None,
            unwinding: [NO_UNWINDING; 2],
        }
    };
}

/// GNU ld describes none of it: nothing is on the stack.
const NO_UNWINDING: Unwinding = Unwinding { instructions: None, rows: &[] };

/// The PLT's code for 64 bits.
pub fn table(_: &ZOptions, _: OutputShape, _: Promises) -> &'static Plt {
    static TABLE: Plt = table!(false);
    &TABLE
}

/// The PLT's code for 32 bits.
pub fn table_32(_: &ZOptions, _: OutputShape, _: Promises) -> &'static Plt {
    static TABLE: Plt = table!(true);
    &TABLE
}

/// The distance, if PCADDU12I and an addition reach it.
fn distance(is_32: bool, from: u64, to: u64) -> Result<u64, PltOutOfReach> {
    let distance = to.wrapping_sub(from);
    let rounded = distance.wrapping_add(0x800) as i64;
    if !is_32 && i32::try_from(rounded).is_err() {
        return Err(PltOutOfReach { from, to });
    }
    Ok(distance)
}

/// An instruction with the upper part of a distance.
const fn with_upper(word: u32, distance: u64) -> u32 {
    with_20(word, distance.wrapping_add(0x800) >> 12)
}

fn put(out: &mut [u8], words: &[u32]) {
    for (place, word) in out.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
}

fn write_header(is_32: bool, out: &mut [u8], plt: u64, got_plt: u64) -> Result<(), PltOutOfReach> {
    let distance = distance(is_32, plt, got_plt)?;
    // The entry's return address is 12 behind its start; two bits of the offset give that of the
    // words, whose size they have.
    let from_header = (-(HEADER_SIZE as i64) - 12) as u64;
    let [sub, load, add, shift, word] = if is_32 {
        [0x0011_0000, 0x2880_0000, 0x0280_0000, 0x0044_8800, 4]
    } else {
        [0x0011_8000, 0x28c0_0000, 0x02c0_0000, 0x0045_0400, 8]
    };
    put(
        out,
        &[
            // pcaddu12i $t2, %pcrel_hi(.got.plt)
            with_upper(0x1c00_000e, distance),
            // sub.d $t1, $t1, $t3
            sub | 0x3dad,
            // ld.d $t3, $t2, %pcrel_lo(.got.plt): the resolver
            with_12(load | 0x01cf, distance),
            // addi.d $t1, $t1, -(header + 12)
            with_12(add | 0x01ad, from_header),
            // addi.d $t0, $t2, %pcrel_lo(.got.plt)
            with_12(add | 0x01cc, distance),
            // srli.d $t1, $t1, log2(16 / word)
            shift | 0x01ad,
            // ld.d $t0, $t0, word: the link map
            with_12(load | 0x018c, word.into()),
            // jr $t3
            0x4c00_01e0,
        ],
    );
    Ok(())
}

fn write_entry(is_32: bool, out: &mut [u8], entry: &PltEntry) -> Result<(), PltOutOfReach> {
    let distance = distance(is_32, entry.entry_address, entry.got_entry_address)?;
    let load = if is_32 { 0x2880_01ef } else { 0x28c0_01ef };
    put(
        out,
        &[
            // pcaddu12i $t3, %pcrel_hi(word)
            with_upper(0x1c00_000f, distance),
            // ld.d $t3, $t3, %pcrel_lo(word)
            with_12(load, distance),
            // jirl $t1, $t3, 0
            0x4c00_01ed,
            NOP,
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

    // As lld writes them.
    #[test]
    fn code_loads_the_word() {
        let entry = PltEntry {
            plt_address: 0x1_0000,
            entry_address: 0x1_0020,
            got_entry_address: 0x1_2ff8,
            got_base: 0,
            index: 0,
        };
        let mut out = [0xff; ENTRY_SIZE];
        write_entry(false, &mut out, &entry).unwrap();
        assert_eq!(words(&out), [0x1c00_006f, 0x28ff_61ef, 0x4c00_01ed, NOP]);
        let mut out = [0xff; HEADER_SIZE];
        write_header(false, &mut out, 0x1_0000, 0x1_2fe8).unwrap();
        let expected = [
            0x1c00_006e,
            0x0011_bdad,
            0x28ff_a1cf,
            0x02ff_51ad,
            0x02ff_a1cc,
            0x0045_05ad,
            0x28c0_218c,
            0x4c00_01e0,
        ];
        assert_eq!(words(&out), expected);
        write_header(true, &mut out, 0x1_0000, 0x1_2fe8).unwrap();
        let expected = [
            0x1c00_006e,
            0x0011_3dad,
            0x28bf_a1cf,
            0x02bf_51ad,
            0x02bf_a1cc,
            0x0044_89ad,
            0x2880_118c,
            0x4c00_01e0,
        ];
        assert_eq!(words(&out), expected);
        let far = PltEntry { got_entry_address: 0x1_0000_0000, ..entry };
        assert!(write_entry(false, &mut out[..16], &far).is_err());
        write_entry(true, &mut out[..16], &entry).unwrap();
        assert_eq!(words(&out)[1], 0x28bf_61ef);
    }
}
