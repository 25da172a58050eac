//! Procedure linkage tables: i386 psABI, "Procedure Linkage Table", and Intel CET for indirect
//! branch tracking.
//!
//! A program at fixed addresses jumps through the GOT by address. Position-independent code calls
//! the PLT with the address of the GOT in %ebx, and entries add to that. What is pushed for the
//! loader is the offset of the relocation in its table, not its number.
//!
//! Every target of an indirect branch starts with `endbr32` where that is asked for (**Ibt**). No
//! register is left for an entry to tell the header its number: arguments may be in %eax, %ecx
//! and %edx. So an entry has two halves of 16 bytes. One jumps through the GOT. An unbound word of
//! the GOT points at the other, which pushes the offset and jumps to the header. GNU ld has the
//! same halves in two tables.

use super::plt_frames;
use crate::args::ZOptions;
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach};
use object::elf::GNU_PROPERTY_X86_FEATURE_1_IBT;

/// A way to write the PLT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Style {
    /// Entries add to %ebx.
    is_pic: bool,
    /// For processors that enforce indirect branch tracking.
    has_pads: bool,
}

macro_rules! table {
    ($is_pic:literal, $has_pads:literal) => {{
        const STYLE: Style = Style { is_pic: $is_pic, has_pads: $has_pads };
        Plt {
            // That of entries, by whose bytes the stack is unwound.
            align: if $has_pads { 32 } else { 16 },
            // That of `.plt` is the one of SVR4, as GNU ld's.
            entsize: [4, if $has_pads { 16 } else { 8 }],
            header_size: if $has_pads { 2 * HEADER_SIZE } else { HEADER_SIZE },
            entry_size: if $has_pads { IBT_ENTRY.len() } else { ENTRY.len() },
            direct_entry_size: if $has_pads { HALF } else { 8 },
            direct_entry_needs_header: false,
            initial_got_entry: |_, entry| {
                entry.wrapping_add(if $has_pads { IBT_RESUME } else { RESUME })
            },
            write_header: |out, _, got_plt| {
                STYLE.write_header(out, got_plt);
                Ok(())
            },
            write_entry: |out, entry| {
                STYLE.write_entry(out, entry);
                Ok::<(), PltOutOfReach>(())
            },
            write_direct_entry: |out, entry| {
                STYLE.write_direct_entry(out, entry);
                Ok(())
            },
            tags: &[],
            cie: plt_frames::CIE,
            // The format does not have the machine.
            sframe: None,
            unwinding: plt_frames::unwinding($has_pads),
        }
    }};
}

/// The PLT's code, chosen by options, by the kind of output and by the feature bits of the output's
/// `.note.gnu.property`.
pub fn table(z: &ZOptions, shape: OutputShape, features: u64) -> &'static Plt {
    static TABLES: [[Plt; 2]; 2] =
        [[table!(false, false), table!(false, true)], [table!(true, false), table!(true, true)]];
    let ibt = features & u64::from(GNU_PROPERTY_X86_FEATURE_1_IBT) != 0;
    let has_pads = z.ibtplt || z.features.has("ibt") || ibt;
    &TABLES[usize::from(shape.is_pic)][usize::from(has_pads)]
}

/// Bytes of the header's instructions.
const HEADER_SIZE: usize = 16;
/// Offset of the `push` in [`ENTRY`].
const RESUME: u64 = 6;
/// Offset of the second half of [`IBT_ENTRY`].
const IBT_RESUME: u64 = HALF as u64;
/// Bytes of a half of [`IBT_ENTRY`].
const HALF: usize = 16;
/// Bytes of a relocation without addend, Elf32_Rel.
const REL_SIZE: u32 = 8;

const ENTRY: [u8; 16] = [
    0xff, 0x25, 0, 0, 0, 0, // 0: jmp *foo@GOT
    0x68, 0, 0, 0, 0, // 6: push $offset
    0xe9, 0, 0, 0, 0, // b: jmp header
];

const IBT_ENTRY: [u8; 32] = [
    0xf3, 0x0f, 0x1e, 0xfb, // 0: endbr32
    0xff, 0x25, 0, 0, 0, 0, // 4: jmp *foo@GOT
    0x66, 0x0f, 0x1f, 0x44, 0, 0, // a: nopw 0(%eax,%eax)
    0xf3, 0x0f, 0x1e, 0xfb, // 10: endbr32
    0x68, 0, 0, 0, 0, // 14: push $offset
    0xe9, 0, 0, 0, 0, // 19: jmp header
    0x66, 0x90, // 1e: xchg %ax, %ax
];

impl Style {
    /// Writes the header; `got_plt` is the address of `.got.plt`, whose second and third words the
    /// loader fills with its handle and its resolver.
    fn write_header(self, out: &mut [u8], got_plt: u64) {
        let (register, base) =
            if self.is_pic { ([0xb3, 0xa3], 0) } else { ([0x35, 0x25], got_plt) };
        // push GOT[1]; jmp *GOT[2]; nopl 0(%eax)
        out[..2].copy_from_slice(&[0xff, register[0]]);
        put(out, 2, base.wrapping_add(4));
        out[6..8].copy_from_slice(&[0xff, register[1]]);
        put(out, 8, base.wrapping_add(8));
        out[12..HEADER_SIZE].copy_from_slice(&[0x0f, 0x1f, 0x40, 0]);
        out[HEADER_SIZE..].fill(0xcc);
    }

    fn write_entry(self, out: &mut [u8], entry: &PltEntry) {
        let (jump, resume) = if self.has_pads {
            out.copy_from_slice(&IBT_ENTRY);
            (4, 20)
        } else {
            out.copy_from_slice(&ENTRY);
            (0, RESUME as usize)
        };
        self.put_jump(out, jump, entry);
        put(out, resume + 1, u64::from(entry.index.wrapping_mul(REL_SIZE)));
        let next = entry.entry_address.wrapping_add(resume as u64 + 10);
        put(out, resume + 6, entry.plt_address.wrapping_sub(next));
    }

    /// Writes an entry that never binds lazily: of `.plt.got`. Its index is not used.
    fn write_direct_entry(self, out: &mut [u8], entry: &PltEntry) {
        if self.has_pads {
            out.copy_from_slice(&IBT_ENTRY[..HALF]);
            self.put_jump(out, 4, entry);
        } else {
            out.copy_from_slice(&[&ENTRY[..6], &[0x66, 0x90][..]].concat());
            self.put_jump(out, 0, entry);
        }
    }

    /// Sets the `jmp` at `at`: through a word at an address, or at a distance from %ebx.
    fn put_jump(self, out: &mut [u8], at: usize, entry: &PltEntry) {
        let (modrm, base) = if self.is_pic { (0xa3, entry.got_base) } else { (0x25, 0) };
        out[at + 1] = modrm;
        put(out, at + 2, entry.got_entry_address.wrapping_sub(base));
    }
}

/// Sets the 32-bit word at `at`. Addresses wrap around, so every place is in reach.
fn put(out: &mut [u8], at: usize, word: u64) {
    out[at..at + 4].copy_from_slice(&(word as u32).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
    }

    /// The header, the second entry, and that entry in `.plt.got`, at the addresses of a link by
    /// GNU ld.
    fn tables(is_pic: bool, has_pads: bool) -> [Vec<u8>; 3] {
        let style = Style { is_pic, has_pads };
        let entry_size: u8 = if has_pads { 32 } else { 16 };
        let entry = PltEntry {
            plt_address: 0x1020,
            entry_address: 0x1030 + u64::from(entry_size),
            got_entry_address: 0x4010,
            got_base: 0x4000,
            index: 1,
        };
        let mut header = vec![0xee; HEADER_SIZE];
        style.write_header(&mut header, 0x4000);
        let mut lazy = vec![0xee; entry_size.into()];
        style.write_entry(&mut lazy, &entry);
        let mut direct = vec![0xee; usize::from(entry_size) / 2];
        style.write_direct_entry(&mut direct, &entry);
        [header, lazy, direct]
    }

    #[test]
    fn plain() {
        let [header, lazy, direct] = tables(false, false);
        assert_eq!(header, bytes("ff 35 04 40 00 00 ff 25 08 40 00 00 0f 1f 40 00"));
        assert_eq!(lazy, bytes("ff 25 10 40 00 00 68 08 00 00 00 e9 d0 ff ff ff"));
        assert_eq!(direct, bytes("ff 25 10 40 00 00 66 90"));
        let [header, lazy, direct] = tables(true, false);
        assert_eq!(header, bytes("ff b3 04 00 00 00 ff a3 08 00 00 00 0f 1f 40 00"));
        assert_eq!(lazy, bytes("ff a3 10 00 00 00 68 08 00 00 00 e9 d0 ff ff ff"));
        assert_eq!(direct, bytes("ff a3 10 00 00 00 66 90"));
    }

    #[test]
    fn with_landing_pads() {
        let [_, lazy, direct] = tables(false, true);
        let half = "f3 0f 1e fb ff 25 10 40 00 00 66 0f 1f 44 00 00";
        let rest = "f3 0f 1e fb 68 08 00 00 00 e9 b2 ff ff ff 66 90";
        assert_eq!(lazy, bytes(&format!("{half} {rest}")));
        assert_eq!(direct, bytes(half));
        let [_, lazy, direct] = tables(true, true);
        let half = "f3 0f 1e fb ff a3 10 00 00 00 66 0f 1f 44 00 00";
        assert_eq!(lazy, bytes(&format!("{half} {rest}")));
        assert_eq!(direct, bytes(half));
    }

    #[test]
    fn unbound_words_lead_to_the_push() {
        for (has_pads, at) in [(false, RESUME), (true, IBT_RESUME + 4)] {
            let [_, lazy, _] = tables(true, has_pads);
            assert_eq!(lazy.get(at as usize), Some(&0x68));
        }
        assert_eq!(IBT_ENTRY[HALF..][..4], IBT_ENTRY[..4]);
    }
}
