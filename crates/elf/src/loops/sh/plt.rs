//! Procedure linkage tables, as GNU ld writes them: half-words of code, then words.
//!
//! In a program at fixed addresses an entry jumps to what its word of the GOT says, with the
//! address of the header in r0. Before the function is bound that is the rest of the entry, which
//! puts the offset of the relocation into r1 and jumps to the header. Position-independent code has
//! the address of the GOT in r12, by which entries find their words, and the loader's resolver.

use crate::args::ZOptions;
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach, Promises, Unwinding};
use skald_linking::byte_order::ByteOrder;

/// Bytes of a relocation, Elf32_Rela.
const RELA_SIZE: u32 = 12;
const SIZE: usize = 28;
const DIRECT_SIZE: usize = 12;
const NOP: u16 = 0x0009;

/// GNU ld describes none of it: nothing is on the stack.
const NO_UNWINDING: Unwinding = Unwinding { instructions: None, rows: &[] };

macro_rules! table {
    ($order:expr, $is_pic:literal) => {{
        const TABLE: Table = Table { order: $order, is_pic: $is_pic };
        Plt {
            align: 4,
            entsize: [4, DIRECT_SIZE as u64],
            header_size: SIZE,
            entry_size: SIZE,
            direct_entry_size: DIRECT_SIZE,
            direct_entry_needs_header: false,
            initial_got_entry: |_, entry| entry.wrapping_add(if $is_pic { 8 } else { 10 }),
            write_header: |out, _, got_plt| {
                TABLE.write_header(out, got_plt);
                Ok::<(), PltOutOfReach>(())
            },
            write_entry: |out, entry| {
                TABLE.write_entry(out, entry);
                Ok(())
            },
            write_direct_entry: |out, entry| {
                TABLE.write_direct_entry(out, entry);
                Ok(())
            },
            tags: &[],
            cie: &[],
            sframe: None,
            unwinding: [NO_UNWINDING; 2],
        }
    }};
}

/// The PLT's code, chosen by the kind of output.
pub fn table(_: &ZOptions, shape: OutputShape, _: Promises) -> &'static Plt {
    static TABLES: [Plt; 2] = [table!(ByteOrder::Little, false), table!(ByteOrder::Little, true)];
    &TABLES[usize::from(shape.is_pic)]
}

/// The same, big-endian.
pub fn big_endian_table(_: &ZOptions, shape: OutputShape, _: Promises) -> &'static Plt {
    static TABLES: [Plt; 2] = [table!(ByteOrder::Big, false), table!(ByteOrder::Big, true)];
    &TABLES[usize::from(shape.is_pic)]
}

#[derive(Clone, Copy)]
struct Table {
    order: ByteOrder,
    /// r12 has the address of the GOT.
    is_pic: bool,
}

impl Table {
    /// Writes the header. Position-independent entries do not need it.
    fn write_header(self, out: &mut [u8], got_plt: u64) {
        let code = [
            0xd005, // mov.l 2f, r0
            0x6002, // mov.l @r0, r0: the loader's handle
            0x2f06, // mov.l r0, @-r15
            0xd003, // mov.l 1f, r0
            0x6002, // mov.l @r0, r0: its resolver
            0x402b, // jmp @r0
            0x60f6, // mov.l @r15+, r0
            NOP, NOP, NOP,
        ];
        let words = if self.is_pic { [0, 0] } else { [8, 4].map(|at| got_plt.wrapping_add(at)) };
        self.put(out, &code, &words);
    }

    fn write_entry(self, out: &mut [u8], entry: &PltEntry) {
        let offset = u64::from(entry.index.wrapping_mul(RELA_SIZE));
        let word = self.operand(entry);
        if self.is_pic {
            let code = [
                0xd004, // mov.l 1f, r0
                0x00ce, // mov.l @(r0, r12), r0
                0x402b, // jmp @r0
                NOP, 0x50c2, // mov.l @(8, r12), r0: the resolver
                0xd103, // mov.l 2f, r1
                0x402b, // jmp @r0
                0x50c1, // mov.l @(4, r12), r0: the loader's handle
                NOP, NOP,
            ];
            return self.put(out, &code, &[word, offset]);
        }
        let code = [
            0xd004, // mov.l 2f, r0
            0x6002, // mov.l @r0, r0
            0xd102, // mov.l 1f, r1
            0x402b, // jmp @r0
            0x6013, // mov r1, r0
            0xd103, // mov.l 3f, r1
            0x402b, // jmp @r0
            NOP,
        ];
        self.put(out, &code, &[entry.plt_address, word, offset]);
    }

    /// Writes an entry that never binds lazily.
    fn write_direct_entry(self, out: &mut [u8], entry: &PltEntry) {
        // mov.l @(r0, r12), r0, or mov.l @r0, r0
        let load = if self.is_pic { 0x00ce } else { 0x6002 };
        // mov.l 1f, r0; the load; jmp @r0; nop
        self.put(out, &[0xd001, load, 0x402b, NOP], &[self.operand(entry)]);
    }

    /// What leads to the word of the GOT: its address, or the offset from r12.
    fn operand(self, entry: &PltEntry) -> u64 {
        let base = if self.is_pic { entry.got_base } else { 0 };
        entry.got_entry_address.wrapping_sub(base)
    }

    fn put(self, out: &mut [u8], code: &[u16], words: &[u64]) {
        let (halves, rest) = out.split_at_mut(2 * code.len());
        for (place, &half) in halves.chunks_exact_mut(2).zip(code) {
            self.order.put_low(place, half.into());
        }
        for (place, &word) in rest.chunks_exact_mut(4).zip(words) {
            self.order.put_low(place, word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves(bytes: &[u8]) -> Vec<u16> {
        bytes.chunks(2).map(|half| u16::from_le_bytes(half.try_into().unwrap())).collect()
    }

    // As GNU ld writes them.
    #[test]
    fn code_is_that_of_gnu_ld() {
        let entry = PltEntry {
            plt_address: 0x40_03cc,
            entry_address: 0x40_0404,
            got_entry_address: 0x42_0040,
            got_base: 0x42_0030,
            index: 1,
        };
        let fixed = Table { order: ByteOrder::Little, is_pic: false };
        let mut out = [0; SIZE];
        fixed.write_header(&mut out, 0x42_0030);
        let expected = [0xd005, 0x6002, 0x2f06, 0xd003, 0x6002, 0x402b, 0x60f6, 9, 9, 9];
        assert_eq!(halves(&out)[..10], expected);
        assert_eq!(halves(&out)[10..], [0x38, 0x42, 0x34, 0x42]);
        fixed.write_entry(&mut out, &entry);
        let expected = [0xd004, 0x6002, 0xd102, 0x402b, 0x6013, 0xd103, 0x402b, 9];
        assert_eq!(halves(&out)[..8], expected);
        assert_eq!(halves(&out)[8..], [0x3cc, 0x40, 0x40, 0x42, 12, 0]);
        let pic = Table { order: ByteOrder::Little, is_pic: true };
        pic.write_entry(&mut out, &entry);
        let expected = [0xd004, 0xce, 0x402b, 9, 0x50c2, 0xd103, 0x402b, 0x50c1, 9, 9];
        assert_eq!(halves(&out)[..10], expected);
        assert_eq!(halves(&out)[10..], [0x10, 0, 12, 0]);
        let big = Table { order: ByteOrder::Big, is_pic: false };
        let mut out = [0; DIRECT_SIZE];
        big.write_direct_entry(&mut out, &entry);
        assert_eq!(out, [0xd0, 1, 0x60, 2, 0x40, 0x2b, 0, 9, 0, 0x42, 0, 0x40]);
    }
}
