//! Procedure linkage tables (psABI, "Procedure Linkage Table"), in GNU's form for each core.
//!
//! An entry jumps through its GOT word, by its distance from the code. Before the function is bound
//! that leads to the entry's second half, which pushes the offset of the relocation and jumps to
//! the header. The header pushes the loader's handle and jumps to its resolver.

use crate::args::ZOptions;
use crate::machine::m68k::{Core, core};
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach, Promises, Unwinding};
use skald_linking::byte_order::ByteOrder;

/// Bytes of a relocation, Elf32_Rela.
const RELA_SIZE: u32 = 12;
/// Distance from the relocation's offset that an entry pushes to the distance of the header.
const INDEX_BEFORE: usize = 6;

/// GNU ld describes none of it.
const NO_UNWINDING: Unwinding = Unwinding { instructions: None, rows: &[] };

/// The code of a core, with zeros in fields.
struct Code {
    header: &'static [u8],
    /// Offsets in the header of the distances of the second and of the third word of the GOT.
    header_fields: [usize; 2],
    entry: &'static [u8],
    /// Offset in the entry of the distance of its word of the GOT.
    word_field: usize,
    /// Offset in the entry of the distance of the header.
    header_field: usize,
    /// Offset in the entry of where unbound calls go on.
    resume: u64,
    /// An entry that never binds lazily, with its distance at the same offset.
    direct: &'static [u8],
    /// How far before the field of a distance of the GOT it counts from.
    bias: u64,
}

const M68020: Code = Code {
    header: &[
        0x2f, 0x3b, 0x01, 0x70, 0, 0, 0, 0, // 0: move.l (GOT[1], %pc), -(%sp)
        0x4e, 0xfb, 0x01, 0x71, 0, 0, 0, 0, // 8: jmp ([GOT[2], %pc])
        0, 0, 0, 0,
    ],
    header_fields: [4, 12],
    entry: &[
        0x4e, 0xfb, 0x01, 0x71, 0, 0, 0, 0, // 0: jmp ([word, %pc])
        0x2f, 0x3c, 0, 0, 0, 0, // 8: move.l #offset, -(%sp)
        0x60, 0xff, 0, 0, 0, 0, // 14: bra.l header
    ],
    word_field: 4,
    header_field: 16,
    resume: 8,
    direct: &[0x4e, 0xfb, 0x01, 0x71, 0, 0, 0, 0],
    bias: 2,
};

const CPU32: Code = Code {
    header: &[
        0x2f, 0x3b, 0x01, 0x70, 0, 0, 0, 0, // 0: move.l (GOT[1], %pc), -(%sp)
        0x22, 0x7b, 0x01, 0x70, 0, 0, 0, 0, // 8: movea.l (GOT[2], %pc), %a1
        0x4e, 0xd1, // 16: jmp (%a1)
        0, 0, 0, 0, 0, 0,
    ],
    header_fields: [4, 12],
    entry: &[
        0x22, 0x7b, 0x01, 0x70, 0, 0, 0, 0, // 0: movea.l (word, %pc), %a1
        0x4e, 0xd1, // 8: jmp (%a1)
        0x2f, 0x3c, 0, 0, 0, 0, // 10: move.l #offset, -(%sp)
        0x60, 0xff, 0, 0, 0, 0, // 16: bra.l header
        0, 0,
    ],
    word_field: 4,
    header_field: 18,
    resume: 10,
    direct: &[0x22, 0x7b, 0x01, 0x70, 0, 0, 0, 0, 0x4e, 0xd1, 0, 0],
    bias: 2,
};

const COLD_FIRE_B: Code = Code {
    header: &[
        0x20, 0x3c, 0, 0, 0, 0, // 0: move.l #distance, %d0
        0x2f, 0x3b, 0x08, 0xfa, // 6: move.l (-6, %pc, %d0), -(%sp)
        0x20, 0x3c, 0, 0, 0, 0, // 10: move.l #distance, %d0
        0x20, 0x7b, 0x08, 0xfa, // 16: movea.l (-6, %pc, %d0), %a0
        0x4e, 0xd0, // 20: jmp (%a0)
        0x4e, 0x71, // 22: nop
    ],
    header_fields: [2, 12],
    entry: &[
        0x20, 0x3c, 0, 0, 0, 0, // 0: move.l #distance, %d0
        0x20, 0x7b, 0x08, 0xfa, // 6: movea.l (-6, %pc, %d0), %a0
        0x4e, 0xd0, // 10: jmp (%a0)
        0x2f, 0x3c, 0, 0, 0, 0, // 12: move.l #offset, -(%sp)
        0x60, 0xff, 0, 0, 0, 0, // 18: bra.l header
    ],
    word_field: 2,
    header_field: 20,
    resume: 12,
    direct: &[0x20, 0x3c, 0, 0, 0, 0, 0x20, 0x7b, 0x08, 0xfa, 0x4e, 0xd0],
    bias: 0,
};

/// Version C has no `bra.l`: an entry calls the header, which replaces the return address.
const COLD_FIRE_C: Code = Code {
    header: &[
        0x20, 0x3c, 0, 0, 0, 0, // 0: move.l #distance, %d0
        0x2e, 0xbb, 0x08, 0xfa, // 6: move.l (-6, %pc, %d0), (%sp)
        0x20, 0x3c, 0, 0, 0, 0, // 10: move.l #distance, %d0
        0x20, 0x7b, 0x08, 0xfa, // 16: movea.l (-6, %pc, %d0), %a0
        0x4e, 0xd0, // 20: jmp (%a0)
        0x4e, 0x71, // 22: nop
    ],
    entry: &[
        0x20, 0x3c, 0, 0, 0, 0, // 0: move.l #distance, %d0
        0x20, 0x7b, 0x08, 0xfa, // 6: movea.l (-6, %pc, %d0), %a0
        0x4e, 0xd0, // 10: jmp (%a0)
        0x2f, 0x3c, 0, 0, 0, 0, // 12: move.l #offset, -(%sp)
        0x61, 0xff, 0, 0, 0, 0, // 18: bsr.l header
    ],
    ..COLD_FIRE_B
};

macro_rules! table {
    ($code:ident) => {
        Plt {
            align: 4,
            entsize: [$code.entry.len() as u64, $code.direct.len() as u64],
            header_size: $code.header.len(),
            entry_size: $code.entry.len(),
            direct_entry_size: $code.direct.len(),
            direct_entry_needs_header: false,
            initial_got_entry: |_, entry| entry.wrapping_add($code.resume),
            write_header: |out, plt, got_plt| $code.write_header(out, plt, got_plt),
            write_entry: |out, entry| $code.write_entry(out, entry),
            write_direct_entry: |out, entry| $code.write_direct_entry(out, entry),
            tags: &[],
            cie: &[],
            sframe: None,
            unwinding: [NO_UNWINDING; 2],
        }
    };
}

/// The PLT's code for the core that the output's flags say.
pub fn table(_: &ZOptions, _: OutputShape, promises: Promises) -> &'static Plt {
    static TABLES: [Plt; 4] =
        [table!(M68020), table!(CPU32), table!(COLD_FIRE_B), table!(COLD_FIRE_C)];
    let [m68020, cpu32, cold_fire_b, cold_fire_c] = &TABLES;
    match core(promises.header_flags) {
        Core::M68020 => m68020,
        Core::Cpu32 => cpu32,
        Core::ColdFireB => cold_fire_b,
        Core::ColdFireC => cold_fire_c,
    }
}

impl Code {
    fn write_header(&self, out: &mut [u8], plt: u64, got_plt: u64) -> Result<(), PltOutOfReach> {
        out.copy_from_slice(self.header);
        for (field, word) in self.header_fields.into_iter().zip([4, 8]) {
            put(out, field, got_plt.wrapping_add(word + self.bias), plt);
        }
        Ok(())
    }

    fn write_entry(&self, out: &mut [u8], entry: &PltEntry) -> Result<(), PltOutOfReach> {
        out.copy_from_slice(self.entry);
        self.put_word(out, entry);
        put(out, self.header_field, entry.plt_address, entry.entry_address);
        let offset = entry.index.wrapping_mul(RELA_SIZE);
        ByteOrder::Big.put_low(&mut out[self.header_field - INDEX_BEFORE..][..4], offset.into());
        Ok(())
    }

    fn write_direct_entry(&self, out: &mut [u8], entry: &PltEntry) -> Result<(), PltOutOfReach> {
        out.copy_from_slice(self.direct);
        self.put_word(out, entry);
        Ok(())
    }

    fn put_word(&self, out: &mut [u8], entry: &PltEntry) {
        let word = entry.got_entry_address.wrapping_add(self.bias);
        put(out, self.word_field, word, entry.entry_address);
    }
}

/// Sets a field of code at `start` to the distance of an address from the field.
fn put(out: &mut [u8], field: usize, address: u64, start: u64) {
    let distance = address.wrapping_sub(start.wrapping_add(field as u64));
    ByteOrder::Big.put_low(&mut out[field..][..4], distance);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves(bytes: &[u8]) -> Vec<u16> {
        bytes.chunks(2).map(|half| u16::from_be_bytes(half.try_into().unwrap())).collect()
    }

    fn code(flags: u32) -> [Vec<u16>; 3] {
        let shape =
            OutputShape { is_pic: false, is_shared: false, is_dynamic: true, has_loader: true };
        let promises = Promises { header_flags: flags, ..Promises::default() };
        let plt = table(&ZOptions::default(), shape, promises);
        let start = 0x8000_01c4;
        let entry = PltEntry {
            plt_address: start,
            entry_address: start + plt.header_size as u64,
            got_entry_address: 0x8000_400c,
            got_base: 0,
            index: 1,
        };
        let mut parts =
            [plt.header_size, plt.entry_size, plt.direct_entry_size].map(|n| vec![0; n]);
        (plt.write_header)(&mut parts[0], start, 0x8000_4000).unwrap();
        (plt.write_entry)(&mut parts[1], &entry).unwrap();
        (plt.write_direct_entry)(&mut parts[2], &entry).unwrap();
        parts.map(|part| halves(&part))
    }

    // As GNU ld writes them.
    #[test]
    fn code_is_that_of_the_core() {
        let [header, entry, direct] = code(0);
        assert_eq!(header, [0x2f3b, 0x170, 0, 0x3e3e, 0x4efb, 0x171, 0, 0x3e3a, 0, 0]);
        let expected = [0x4efb, 0x171, 0, 0x3e32, 0x2f3c, 0, 12, 0x60ff, 0xffff, 0xffdc];
        assert_eq!((entry, direct), (expected.to_vec(), expected[..4].to_vec()));
        let [header, entry, direct] = code(0x81_0000);
        let expected = [0x2f3b, 0x170, 0, 0x3e3e, 0x227b, 0x170, 0, 0x3e3a, 0x4ed1, 0, 0, 0];
        assert_eq!(header, expected);
        let expected = [0x227b, 0x170, 0, 0x3e2e, 0x4ed1, 0x2f3c, 0, 12, 0x60ff, 0xffff, 0xffd6, 0];
        assert_eq!((entry, &direct[..5]), (expected.to_vec(), &expected[..5]));
        for (flags, push, branch) in [(0x8065, 0x2f3b, 0x60ff), (0x26, 0x2ebb, 0x61ff)] {
            let [header, entry, direct] = code(flags);
            let expected =
                [0x203c, 0, 0x3e3e, push, 0x8fa, 0x203c, 0, 0x3e38, 0x207b, 0x8fa, 0x4ed0, 0x4e71];
            assert_eq!(header, expected);
            let expected =
                [0x203c, 0, 0x3e2e, 0x207b, 0x8fa, 0x4ed0, 0x2f3c, 0, 12, branch, 0xffff, 0xffd4];
            assert_eq!((entry, direct), (expected.to_vec(), expected[..6].to_vec()));
        }
    }
}
