//! Procedure linkage tables (s390x psABI, "Procedure Linkage Table").
//!
//! An entry loads the address in its GOT word into `%r1` and jumps there. Before the function is
//! bound that is the second half of the entry, which has the offset of its relocation in the table
//! of the loader. The header passes that on, and calls the loader's resolver.

use crate::args::ZOptions;
use crate::format::elf::Rela;
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach, Promises, Unwinding};

const HEADER_SIZE: usize = 32;
const ENTRY_SIZE: usize = 32;
const DIRECT_ENTRY_SIZE: usize = 16;
/// Offset in an entry of what runs before the function is bound.
const UNBOUND: usize = 14;

/// The PLT's code.
pub fn table(_: &ZOptions, _: OutputShape, _: Promises) -> &'static Plt {
    static TABLE: Plt = Plt {
        align: 4,
        entsize: [ENTRY_SIZE as u64, DIRECT_ENTRY_SIZE as u64],
        header_size: HEADER_SIZE,
        entry_size: ENTRY_SIZE,
        direct_entry_size: DIRECT_ENTRY_SIZE,
        direct_entry_needs_header: false,
        initial_got_entry: |_, entry| entry + UNBOUND as u64,
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

/// GNU ld describes none of it: nothing is on the stack.
const NO_UNWINDING: Unwinding = Unwinding { instructions: None, rows: &[] };

/// The distance from an instruction in halfwords, which takes 32 bits.
fn halfwords(from: u64, to: u64) -> Result<[u8; 4], PltOutOfReach> {
    let distance = to.wrapping_sub(from) as i64;
    let half = i32::try_from(distance >> 1).map_err(|_| PltOutOfReach { from, to })?;
    Ok(half.to_be_bytes())
}

fn write_header(out: &mut [u8], plt: u64, got: u64) -> Result<(), PltOutOfReach> {
    out.copy_from_slice(&[
        0xe3, 0x10, 0xf0, 0x38, 0x00, 0x24, // stg %r1,56(%r15): the offset of the relocation
        0xc0, 0x10, 0, 0, 0, 0, // larl %r1,_GLOBAL_OFFSET_TABLE_
        0xd2, 0x07, 0xf0, 0x30, 0x10, 0x08, // mvc 48(8,%r15),8(%r1): the link map
        0xe3, 0x10, 0x10, 0x10, 0x00, 0x04, // lg %r1,16(%r1): the resolver
        0x07, 0xf1, // br %r1
        0x07, 0x00, 0x07, 0x00, 0x07, 0x00, // nopr
    ]);
    out[8..12].copy_from_slice(&halfwords(plt + 6, got)?);
    Ok(())
}

/// The instructions that jump to the address in a word of the GOT.
fn jump(entry: &PltEntry) -> Result<[u8; UNBOUND], PltOutOfReach> {
    let mut code = [
        0xc0, 0x10, 0, 0, 0, 0, // larl %r1,word
        0xe3, 0x10, 0x10, 0x00, 0x00, 0x04, // lg %r1,0(%r1)
        0x07, 0xf1, // br %r1
    ];
    code[2..6].copy_from_slice(&halfwords(entry.entry_address, entry.got_entry_address)?);
    Ok(code)
}

fn write_entry(out: &mut [u8], entry: &PltEntry) -> Result<(), PltOutOfReach> {
    let (first, rest) = out.split_at_mut(UNBOUND);
    first.copy_from_slice(&jump(entry)?);
    rest.copy_from_slice(&[
        0x0d, 0x10, // basr %r1,%r0
        0xe3, 0x10, 0x10, 0x0c, 0x00, 0x14, // lgf %r1,12(%r1)
        0xc0, 0xf4, 0, 0, 0, 0, // jg to the header
        0, 0, 0, 0,
    ]);
    rest[10..14].copy_from_slice(&halfwords(entry.entry_address + 22, entry.plt_address)?);
    let offset = entry.index.wrapping_mul(size_of::<Rela>() as u32);
    rest[14..].copy_from_slice(&offset.to_be_bytes());
    Ok(())
}

fn write_direct_entry(out: &mut [u8], entry: &PltEntry) -> Result<(), PltOutOfReach> {
    let (first, rest) = out.split_at_mut(UNBOUND);
    first.copy_from_slice(&jump(entry)?);
    // nopr
    rest.copy_from_slice(&[0x07, 0x00]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    // As GNU ld writes them.
    #[test]
    fn code_is_that_of_the_abi() {
        let entry = PltEntry {
            plt_address: 0x668,
            entry_address: 0x6a8,
            got_entry_address: 0x2008,
            got_base: 0x1fb8,
            index: 1,
        };
        let mut out = [0xff; ENTRY_SIZE];
        write_entry(&mut out, &entry).unwrap();
        let expected = [
            0xc0, 0x10, 0, 0, 0x0c, 0xb0, 0xe3, 0x10, 0x10, 0, 0, 0x04, 0x07, 0xf1, 0x0d, 0x10,
            0xe3, 0x10, 0x10, 0x0c, 0, 0x14, 0xc0, 0xf4, 0xff, 0xff, 0xff, 0xd5, 0, 0, 0, 0x18,
        ];
        assert_eq!(out, expected);
        let mut out = [0xff; HEADER_SIZE];
        write_header(&mut out, 0x668, 0x1fb8).unwrap();
        assert_eq!(out[6..12], [0xc0, 0x10, 0, 0, 0x0c, 0xa5]);
        let mut out = [0xff; DIRECT_ENTRY_SIZE];
        write_direct_entry(&mut out, &entry).unwrap();
        assert_eq!(out[..14], expected[..14]);
        let far = PltEntry { got_entry_address: 0x2_0000_0000, ..entry };
        assert!(write_entry(&mut [0; ENTRY_SIZE], &far).is_err());
    }
}
