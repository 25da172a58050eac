//! Procedure linkage tables ("ELF for the Arm Architecture", "Program loading and dynamic
//! linking"), as GNU ld has them.
//!
//! An entry adds the distance of its word of the GOT to the program counter in three instructions,
//! and leaves the word's address in `ip`. Before the function is bound the word leads to the
//! header, which calls the loader's resolver. The short form reaches words that are less than
//! 256 MiB behind; with `--long-plt` one more instruction reaches all of them. Entries are A32, and
//! Thumb gets there by BLX or through a thunk.

use crate::args::ZOptions;
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach, Promises, Unwinding};
use skald_linking::byte_order::ByteOrder;

const HEADER_SIZE: usize = 20;
const SHORT: usize = 12;
const LONG: usize = 16;

/// The first four words of the header; the fifth is the distance of the GOT.
const HEADER: [u32; 4] = [
    0xe52d_e004, // str lr, [sp, #-4]!
    0xe59f_e004, // ldr lr, [pc, #4]
    0xe08f_e00e, // add lr, pc, lr
    0xe5be_f008, // ldr pc, [lr, #8]!
];

/// GNU ld describes none of it.
const NO_UNWINDING: Unwinding = Unwinding { instructions: None, rows: &[] };

/// The order of code, and that of data.
type Orders = [ByteOrder; 2];

const LITTLE: Orders = [ByteOrder::Little; 2];
const BIG: Orders = [ByteOrder::Big; 2];
const MIXED: Orders = [ByteOrder::Little, ByteOrder::Big];

macro_rules! table {
    ($orders:expr, $size:expr) => {
        Plt {
            align: 4,
            entsize: [4, $size as u64],
            header_size: HEADER_SIZE,
            entry_size: $size,
            direct_entry_size: $size,
            direct_entry_needs_header: false,
            initial_got_entry: |plt, _| plt,
            write_header: |out, plt, got_plt| {
                write_header($orders, out, plt, got_plt);
                Ok(())
            },
            write_entry: |out, entry| write_entry($orders[0], out, entry),
            write_direct_entry: |out, entry| write_entry($orders[0], out, entry),
            tags: &[],
            cie: &[],
            sframe: None,
            unwinding: [NO_UNWINDING; 2],
        }
    };
}

/// The PLT's code.
pub fn table(z: &ZOptions, _: OutputShape, _: Promises) -> &'static Plt {
    static TABLES: [Plt; 2] = [table!(LITTLE, SHORT), table!(LITTLE, LONG)];
    &TABLES[usize::from(z.long_plt)]
}

/// The same for big-endian data.
pub fn big_endian(z: &ZOptions, _: OutputShape, _: Promises) -> &'static Plt {
    static TABLES: [[Plt; 2]; 2] =
        [[table!(BIG, SHORT), table!(BIG, LONG)], [table!(MIXED, SHORT), table!(MIXED, LONG)]];
    &TABLES[usize::from(z.little_code)][usize::from(z.long_plt)]
}

fn put(order: ByteOrder, out: &mut [u8], words: &[u32]) {
    for (place, &word) in out.chunks_exact_mut(4).zip(words) {
        order.put_low(place, word.into());
    }
}

fn write_header([code, data]: Orders, out: &mut [u8], plt: u64, got_plt: u64) {
    // What the program counter is for the addition.
    let distance = got_plt.wrapping_sub(plt.wrapping_add(16)) as u32;
    let (instructions, word) = out.split_at_mut(4 * HEADER.len());
    put(code, instructions, &HEADER);
    put(data, word, &[distance]);
}

fn write_entry(order: ByteOrder, out: &mut [u8], entry: &PltEntry) -> Result<(), PltOutOfReach> {
    let PltEntry { entry_address: from, got_entry_address: to, .. } = *entry;
    let distance = to.wrapping_sub(from.wrapping_add(8)) as u32;
    // add ip, pc, ...; add ip, ip, ...; ldr pc, [ip, ...]!
    let short = [
        0xe28f_c600 | distance >> 20 & 0xff,
        0xe28c_ca00 | distance >> 12 & 0xff,
        0xe5bc_f000 | distance & 0xfff,
    ];
    if out.len() == LONG {
        let [first, second, load] = short;
        let [top, first] = [0xe28f_c200 | distance >> 28, first & !0xf_0000 | 0xc_0000];
        put(order, out, &[top, first, second, load]);
        return Ok(());
    }
    if distance >> 28 != 0 {
        return Err(PltOutOfReach { from, to });
    }
    put(order, out, &short);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(bytes: &[u8]) -> Vec<u32> {
        bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    }

    const ENTRY: PltEntry = PltEntry {
        plt_address: 0x398,
        entry_address: 0x3ac,
        got_entry_address: 0x200c,
        got_base: 0,
        index: 0,
    };

    // As GNU ld writes them.
    #[test]
    fn code_is_that_of_gnu_ld() {
        let mut out = [0xff; HEADER_SIZE];
        write_header(LITTLE, &mut out, 0x398, 0x2000);
        assert_eq!(words(&out), [0xe52d_e004, 0xe59f_e004, 0xe08f_e00e, 0xe5be_f008, 0x1c58]);
        write_header(MIXED, &mut out, 0x398, 0x2000);
        assert_eq!((&out[..2], &out[18..]), (&[0x04, 0xe0][..], &[0x1c, 0x58][..]));
        let mut out = [0xff; SHORT];
        write_entry(ByteOrder::Little, &mut out, &ENTRY).unwrap();
        assert_eq!(words(&out), [0xe28f_c600, 0xe28c_ca01, 0xe5bc_fc58]);
        write_entry(ByteOrder::Big, &mut out, &ENTRY).unwrap();
        assert_eq!(out[..4], [0xe2, 0x8f, 0xc6, 0x00]);
    }

    #[test]
    fn only_long_entries_reach_everything() {
        let far = PltEntry { got_entry_address: 0x9876_5432, ..ENTRY };
        assert!(write_entry(ByteOrder::Little, &mut [0; SHORT], &far).is_err());
        let before = PltEntry { got_entry_address: 0x100, ..ENTRY };
        assert!(write_entry(ByteOrder::Little, &mut [0; SHORT], &before).is_err());
        let mut out = [0xff; LONG];
        write_entry(ByteOrder::Little, &mut out, &far).unwrap();
        // 0x98765432 - 0x3b4 is 0x9876507e.
        assert_eq!(words(&out), [0xe28f_c209, 0xe28c_c687, 0xe28c_ca65, 0xe5bc_f07e]);
    }
}
