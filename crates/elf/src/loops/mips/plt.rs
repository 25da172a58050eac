//! Procedure linkage tables of programs at fixed addresses, as in GNU ld: an entry loads the
//! address in its word of `.got.plt` to `$25` and jumps there, with the address of the word in
//! `$24`. Before the function is bound that is the header, which finds the index from `$24` and
//! calls the loader's resolver. Code that can be anywhere has no PLT: it calls through the GOT.

use crate::args::ZOptions;
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach, Promises, Unwinding};
use skald_linking::byte_order::ByteOrder::{self, Big, Little};

const HEADER_SIZE: usize = 32;
const ENTRY_SIZE: usize = 16;

/// Which registers and loads the code has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Abi {
    O32,
    N32,
    N64,
}

macro_rules! table {
    ($abi:expr, $order:expr) => {{
        static TABLE: Plt = Plt {
            align: 16,
            entsize: [0; 2],
            header_size: HEADER_SIZE,
            entry_size: ENTRY_SIZE,
            direct_entry_size: ENTRY_SIZE,
            direct_entry_needs_header: false,
            initial_got_entry: |plt, _| plt,
            write_header: |out, plt, got_plt| write_header($abi, $order, out, plt, got_plt),
            write_entry: |out, entry| write_entry($abi, $order, out, entry),
            write_direct_entry: |out, entry| write_entry($abi, $order, out, entry),
            tags: &[],
            cie: &[],
            sframe: None,
            unwinding: [NO_UNWINDING; 2],
        };
        &TABLE
    }};
}

/// GNU ld describes none of it: nothing is on the stack.
const NO_UNWINDING: Unwinding = Unwinding { instructions: None, rows: &[] };

/// The PLT's code for the n64 ABI.
pub fn table_64(_: &ZOptions, _: OutputShape, _: Promises) -> &'static Plt {
    table!(Abi::N64, Little)
}

/// The same, big-endian.
pub fn big_table_64(_: &ZOptions, _: OutputShape, _: Promises) -> &'static Plt {
    table!(Abi::N64, Big)
}

/// The PLT's code for the n32 ABI.
pub fn table_n32(_: &ZOptions, _: OutputShape, _: Promises) -> &'static Plt {
    table!(Abi::N32, Little)
}

/// The same, big-endian.
pub fn big_table_n32(_: &ZOptions, _: OutputShape, _: Promises) -> &'static Plt {
    table!(Abi::N32, Big)
}

/// The PLT's code for the o32 ABI.
pub fn table_32(_: &ZOptions, _: OutputShape, _: Promises) -> &'static Plt {
    table!(Abi::O32, Little)
}

/// The same, big-endian.
pub fn big_table_32(_: &ZOptions, _: OutputShape, _: Promises) -> &'static Plt {
    table!(Abi::O32, Big)
}

fn put(order: ByteOrder, out: &mut [u8], words: &[u32]) {
    for (place, &word) in out.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&order.bytes(word));
    }
}

/// The two halves of an address; an error if it does not fit a register that LUI has set.
fn halves(abi: Abi, from: u64, to: u64) -> Result<[u32; 2], PltOutOfReach> {
    let rounded = to.wrapping_add(0x8000);
    if abi == Abi::N64 && i32::try_from(rounded as i64).is_err() {
        return Err(PltOutOfReach { from, to });
    }
    Ok([(rounded >> 16) as u32 & 0xffff, to as u32 & 0xffff])
}

fn write_header(
    abi: Abi,
    order: ByteOrder,
    out: &mut [u8],
    plt: u64,
    got_plt: u64,
) -> Result<(), PltOutOfReach> {
    let [high, low] = halves(abi, plt, got_plt)?;
    let words = match abi {
        Abi::O32 => [
            0x3c1c_0000 | high, // lui   $28, %hi(.got.plt)
            0x8f99_0000 | low,  // lw    $25, %lo(.got.plt)($28)
            0x279c_0000 | low,  // addiu $28, $28, %lo(.got.plt)
            0x031c_c023,        // subu  $24, $24, $28
            0x03e0_7825,        // move  $15, $31
            0x0018_c082,        // srl   $24, $24, 2
            0x0320_f809,        // jalr  $25
            0x2718_fffe,        // addiu $24, $24, -2
        ],
        Abi::N32 => [
            0x3c0e_0000 | high, // lui   $14, %hi(.got.plt)
            0x8dd9_0000 | low,  // lw    $25, %lo(.got.plt)($14)
            0x25ce_0000 | low,  // addiu $14, $14, %lo(.got.plt)
            0x030e_c023,        // subu  $24, $24, $14
            0x03e0_7825,        // move  $15, $31
            0x0018_c082,        // srl   $24, $24, 2
            0x0320_f809,        // jalr  $25
            0x2718_fffe,        // addiu $24, $24, -2
        ],
        Abi::N64 => [
            0x3c0e_0000 | high, // lui    $14, %hi(.got.plt)
            0xddd9_0000 | low,  // ld     $25, %lo(.got.plt)($14)
            0x65ce_0000 | low,  // daddiu $14, $14, %lo(.got.plt)
            0x030e_c02f,        // dsubu  $24, $24, $14
            0x03e0_7825,        // move   $15, $31
            0x0018_c0fa,        // dsrl   $24, $24, 3
            0x0320_f809,        // jalr   $25
            0x2718_fffe,        // addiu  $24, $24, -2
        ],
    };
    put(order, out, &words);
    Ok(())
}

fn write_entry(
    abi: Abi,
    order: ByteOrder,
    out: &mut [u8],
    entry: &PltEntry,
) -> Result<(), PltOutOfReach> {
    let [high, low] = halves(abi, entry.entry_address, entry.got_entry_address)?;
    let (load, add) =
        if abi == Abi::N64 { (0xddf9_0000, 0x65f8_0000) } else { (0x8df9_0000, 0x25f8_0000) };
    let words = [
        0x3c0f_0000 | high, // lui $15, %hi(word)
        load | low,         // l[wd] $25, %lo(word)($15)
        0x0320_0008,        // jr $25
        add | low,          // [d]addiu $24, $15, %lo(word)
    ];
    put(order, out, &words);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    // As GNU ld writes them.
    #[test]
    fn code_is_that_of_the_abi() {
        let entry = PltEntry {
            plt_address: 0x40_0000,
            entry_address: 0x40_0020,
            got_entry_address: 0x41_8008,
            got_base: 0,
            index: 0,
        };
        let mut out = [0xff; ENTRY_SIZE];
        write_entry(Abi::O32, Big, &mut out, &entry).unwrap();
        assert_eq!(out[..8], [0x3c, 0x0f, 0, 0x42, 0x8d, 0xf9, 0x80, 8]);
        let mut out = [0xff; HEADER_SIZE];
        write_header(Abi::N64, Little, &mut out, 0x40_0000, 0x41_0000).unwrap();
        assert_eq!(out[..8], [0x41, 0, 0x0e, 0x3c, 0, 0, 0xd9, 0xdd]);
        let far = PltEntry { got_entry_address: 0x1_2000_0000, ..entry };
        assert!(write_entry(Abi::N64, Little, &mut out[..16], &far).is_err());
        write_entry(Abi::N32, Little, &mut out[..16], &entry).unwrap();
    }
}
