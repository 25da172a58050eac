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
//!
//! **Retpoline** and **RetpolineNow** (`-z retpolineplt`, without and with `-z now`) have no
//! indirect jumps: as in lld, the header returns to an address that an entry put into %eax. The
//! header keeps the registers of arguments, and holds speculation in a loop.

use super::plt_frames;
use crate::args::ZOptions;
use crate::loops::plt_style::PltStyle;
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach, Promises};

/// A way to write the PLT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Table {
    /// Entries add to %ebx.
    is_pic: bool,
    style: PltStyle,
}

macro_rules! table {
    ($is_pic:literal, $style:expr) => {{
        const TABLE: Table = Table { is_pic: $is_pic, style: $style };
        const CODE: Code = Code::of($style);
        Plt {
            // That of entries, by whose bytes the stack is unwound.
            align: if matches!($style, PltStyle::Ibt) { 32 } else { 16 },
            // That of `.plt` is the one of SVR4, as GNU ld's.
            entsize: [4, CODE.direct_entry.len() as u64],
            header_size: CODE.header.len(),
            entry_size: CODE.entry.len(),
            direct_entry_size: CODE.direct_entry.len(),
            direct_entry_needs_header: CODE.uses_header,
            initial_got_entry: |_, entry| CODE.resume.map_or(0, |at| entry.wrapping_add(at)),
            write_header: |out, _, got_plt| {
                TABLE.write_header(out, got_plt);
                Ok(())
            },
            write_entry: |out, entry| {
                TABLE.write_entry(out, entry);
                Ok::<(), PltOutOfReach>(())
            },
            write_direct_entry: |out, entry| {
                TABLE.write_direct_entry(out, entry);
                Ok(())
            },
            tags: &[],
            cie: plt_frames::CIE,
            // The format does not have the machine.
            sframe: None,
            unwinding: plt_frames::unwinding($style),
        }
    }};
}

/// The PLT's code, chosen by options, by the kind of output and by what it promises.
pub fn table(z: &ZOptions, shape: OutputShape, promises: Promises) -> &'static Plt {
    static TABLES: [[Plt; 4]; 2] = [
        [
            table!(false, PltStyle::Plain),
            table!(false, PltStyle::Ibt),
            table!(false, PltStyle::Retpoline),
            table!(false, PltStyle::RetpolineNow),
        ],
        [
            table!(true, PltStyle::Plain),
            table!(true, PltStyle::Ibt),
            table!(true, PltStyle::Retpoline),
            table!(true, PltStyle::RetpolineNow),
        ],
    ];
    let [plain, ibt, retpoline, retpoline_now] = &TABLES[usize::from(shape.is_pic)];
    match PltStyle::chosen(z, promises.features) {
        PltStyle::Plain => plain,
        PltStyle::Ibt => ibt,
        PltStyle::Retpoline => retpoline,
        PltStyle::RetpolineNow => retpoline_now,
    }
}

/// The instructions of a style, with zeros in fields. Those that use the GOT are as for addresses.
struct Code {
    header: &'static [u8],
    entry: &'static [u8],
    direct_entry: &'static [u8],
    /// Offset in `entry` of where unbound calls go on, if calls are bound lazily.
    resume: Option<u64>,
    /// Entries of all kinds go on in the header.
    uses_header: bool,
}

impl Code {
    const fn of(style: PltStyle) -> Code {
        match style {
            PltStyle::Plain => Code {
                header: &HEADER,
                entry: &ENTRY,
                direct_entry: &DIRECT_ENTRY,
                resume: Some(6),
                uses_header: false,
            },
            PltStyle::Ibt => Code {
                header: &IBT_HEADER,
                entry: &IBT_ENTRY,
                direct_entry: &IBT_DIRECT_ENTRY,
                resume: Some(0x10),
                uses_header: false,
            },
            PltStyle::Retpoline => Code {
                header: &RETPOLINE_HEADER,
                entry: &RETPOLINE_ENTRY,
                direct_entry: &RETPOLINE_DIRECT_ENTRY,
                resume: Some(0x11),
                uses_header: true,
            },
            PltStyle::RetpolineNow => Code {
                header: &RETPOLINE_NOW_HEADER,
                entry: &RETPOLINE_NOW_ENTRY,
                direct_entry: &RETPOLINE_NOW_ENTRY,
                resume: None,
                uses_header: true,
            },
        }
    }
}

/// Bytes of a relocation without addend, Elf32_Rel.
const REL_SIZE: u32 = 8;
/// Offset of the loop that holds speculation in [`RETPOLINE_HEADER`].
const RETPOLINE_LOOP: u64 = 0x12;
/// Offset of the stores and the return in [`RETPOLINE_HEADER`].
const RETPOLINE_NEXT: u64 = 0x20;

const HEADER: [u8; 16] = [
    0xff, 0x35, 0, 0, 0, 0, // 0: push GOT[1]
    0xff, 0x25, 0, 0, 0, 0, // 6: jmp *GOT[2]
    0x0f, 0x1f, 0x40, 0, // c: nopl 0(%eax)
];

const ENTRY: [u8; 16] = [
    0xff, 0x25, 0, 0, 0, 0, // 0: jmp *foo@GOT
    0x68, 0, 0, 0, 0, // 6: push $offset
    0xe9, 0, 0, 0, 0, // b: jmp header
];

const DIRECT_ENTRY: [u8; 8] = [
    0xff, 0x25, 0, 0, 0, 0, // 0: jmp *foo@GOT
    0x66, 0x90, // 6: xchg %ax, %ax
];

const IBT_HEADER: [u8; 32] = [
    0xff, 0x35, 0, 0, 0, 0, // 0: push GOT[1]
    0xff, 0x25, 0, 0, 0, 0, // 6: jmp *GOT[2]
    0x0f, 0x1f, 0x40, 0, // c: nopl 0(%eax)
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, // 10: int3
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, // 18: int3
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

const IBT_DIRECT_ENTRY: [u8; 16] = [
    0xf3, 0x0f, 0x1e, 0xfb, // 0: endbr32
    0xff, 0x25, 0, 0, 0, 0, // 4: jmp *foo@GOT
    0x66, 0x0f, 0x1f, 0x44, 0, 0, // a: nopw 0(%eax,%eax)
];

const RETPOLINE_HEADER: [u8; 48] = [
    0xff, 0x35, 0, 0, 0, 0,    // 0: push GOT[1]
    0x50, // 6: push %eax
    0x8b, 0x05, 0, 0, 0, 0, // 7: mov GOT[2], %eax
    0xe8, 0x0e, 0, 0, 0, // d: call next
    0xf3, 0x90, // 12: loop: pause
    0x0f, 0xae, 0xe8, // 14: lfence
    0xeb, 0xf9, // 17: jmp loop
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, // 19: int3
    0x89, 0x0c, 0x24, // 20: next: mov %ecx, (%esp)
    0x8b, 0x4c, 0x24, 0x04, // 23: mov 4(%esp), %ecx
    0x89, 0x44, 0x24, 0x04, // 27: mov %eax, 4(%esp)
    0x89, 0xc8, // 2b: mov %ecx, %eax
    0x59, // 2d: pop %ecx
    0xc3, // 2e: ret
    0xcc, // 2f: int3
];

const RETPOLINE_ENTRY: [u8; 32] = [
    0x50, // 0: push %eax
    0x8b, 0x05, 0, 0, 0, 0, // 1: mov foo@GOT, %eax
    0xe8, 0, 0, 0, 0, // 7: call next
    0xe9, 0, 0, 0, 0, // c: jmp loop
    0x68, 0, 0, 0, 0, // 11: push $offset
    0xe9, 0, 0, 0, 0, // 16: jmp header
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, // 1b: int3
];

const RETPOLINE_DIRECT_ENTRY: [u8; 32] = [
    0x50, // 0: push %eax
    0x8b, 0x05, 0, 0, 0, 0, // 1: mov foo@GOT, %eax
    0xe8, 0, 0, 0, 0, // 7: call next
    0xe9, 0, 0, 0, 0, // c: jmp loop
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, // 11: int3
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, // 19: int3
];

const RETPOLINE_NOW_HEADER: [u8; 32] = [
    0xe8, 0x0b, 0, 0, 0, // 0: call next
    0xf3, 0x90, // 5: loop: pause
    0x0f, 0xae, 0xe8, // 7: lfence
    0xeb, 0xf9, // a: jmp loop
    0xcc, 0xcc, 0xcc, 0xcc, // c: int3
    0x89, 0x0c, 0x24, // 10: next: mov %ecx, (%esp)
    0x8b, 0x4c, 0x24, 0x04, // 13: mov 4(%esp), %ecx
    0x89, 0x44, 0x24, 0x04, // 17: mov %eax, 4(%esp)
    0x89, 0xc8, // 1b: mov %ecx, %eax
    0x59, // 1d: pop %ecx
    0xc3, // 1e: ret
    0xcc, // 1f: int3
];

const RETPOLINE_NOW_ENTRY: [u8; 16] = [
    0x50, // 0: push %eax
    0x8b, 0x05, 0, 0, 0, 0, // 1: mov foo@GOT, %eax
    0xe9, 0, 0, 0, 0, // 7: jmp header
    0xcc, 0xcc, 0xcc, 0xcc, // c: int3
];

impl Table {
    /// Writes the header; `got_plt` is the address of `.got.plt`, whose second and third words the
    /// loader fills with its handle and its resolver.
    fn write_header(self, out: &mut [u8], got_plt: u64) {
        out.copy_from_slice(Code::of(self.style).header);
        let [handle, resolver] = [4, 8].map(|at| got_plt.wrapping_add(at));
        match self.style {
            PltStyle::Plain | PltStyle::Ibt => {
                self.put_operand(out, 1, handle, got_plt);
                self.put_operand(out, 7, resolver, got_plt);
            }
            PltStyle::Retpoline => {
                self.put_operand(out, 1, handle, got_plt);
                self.put_operand(out, 8, resolver, got_plt);
            }
            PltStyle::RetpolineNow => {}
        }
    }

    fn write_entry(self, out: &mut [u8], entry: &PltEntry) {
        let code = Code::of(self.style);
        out.copy_from_slice(code.entry);
        self.put_jump(out, entry);
        let Some(resume) = code.resume else { return };
        let push = resume as usize + if self.style == PltStyle::Ibt { 4 } else { 0 };
        put(out, push + 1, u64::from(entry.index.wrapping_mul(REL_SIZE)));
        put_distance(out, push + 6, entry, entry.plt_address);
    }

    /// Writes an entry that never binds lazily: of `.plt.got`. Its index is not used.
    fn write_direct_entry(self, out: &mut [u8], entry: &PltEntry) {
        out.copy_from_slice(Code::of(self.style).direct_entry);
        self.put_jump(out, entry);
    }

    /// Sets the operands by which an entry jumps to where its word of the GOT leads.
    fn put_jump(self, out: &mut [u8], entry: &PltEntry) {
        let at = match self.style {
            PltStyle::Plain => 1,
            PltStyle::Ibt => 5,
            PltStyle::Retpoline | PltStyle::RetpolineNow => 2,
        };
        self.put_operand(out, at, entry.got_entry_address, entry.got_base);
        match self.style {
            PltStyle::Plain | PltStyle::Ibt => {}
            PltStyle::Retpoline => {
                put_distance(out, 8, entry, entry.plt_address.wrapping_add(RETPOLINE_NEXT));
                put_distance(out, 13, entry, entry.plt_address.wrapping_add(RETPOLINE_LOOP));
            }
            PltStyle::RetpolineNow => put_distance(out, 8, entry, entry.plt_address),
        }
    }

    /// Makes the operand whose ModRM byte is at `at` a word at an address, or at a distance from
    /// %ebx, which has `got_base`.
    fn put_operand(self, out: &mut [u8], at: usize, word: u64, got_base: u64) {
        if self.is_pic {
            // No register, and a 32-bit number: that becomes a number added to %ebx.
            out[at] = out[at] & !0o307 | 0o203;
            put(out, at + 1, word.wrapping_sub(got_base));
        } else {
            put(out, at + 1, word);
        }
    }
}

/// Sets the word at `at`, which ends its instruction, to the distance of `to`.
fn put_distance(out: &mut [u8], at: usize, entry: &PltEntry, to: u64) {
    put(out, at, to.wrapping_sub(entry.entry_address.wrapping_add(at as u64 + 4)));
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
    fn tables(is_pic: bool, style: PltStyle) -> [Vec<u8>; 3] {
        let table = Table { is_pic, style };
        let code = Code::of(style);
        let entry = PltEntry {
            plt_address: 0x1020,
            entry_address: 0x1030 + code.entry.len() as u64,
            got_entry_address: 0x4010,
            got_base: 0x4000,
            index: 1,
        };
        let [mut header, mut lazy, mut direct] =
            [code.header, code.entry, code.direct_entry].map(|code| vec![0xee; code.len()]);
        table.write_header(&mut header, 0x4000);
        table.write_entry(&mut lazy, &entry);
        table.write_direct_entry(&mut direct, &entry);
        [header, lazy, direct]
    }

    #[test]
    fn plain() {
        let [header, lazy, direct] = tables(false, PltStyle::Plain);
        assert_eq!(header, bytes("ff 35 04 40 00 00 ff 25 08 40 00 00 0f 1f 40 00"));
        assert_eq!(lazy, bytes("ff 25 10 40 00 00 68 08 00 00 00 e9 d0 ff ff ff"));
        assert_eq!(direct, bytes("ff 25 10 40 00 00 66 90"));
        let [header, lazy, direct] = tables(true, PltStyle::Plain);
        assert_eq!(header, bytes("ff b3 04 00 00 00 ff a3 08 00 00 00 0f 1f 40 00"));
        assert_eq!(lazy, bytes("ff a3 10 00 00 00 68 08 00 00 00 e9 d0 ff ff ff"));
        assert_eq!(direct, bytes("ff a3 10 00 00 00 66 90"));
    }

    #[test]
    fn with_landing_pads() {
        let [_, lazy, direct] = tables(false, PltStyle::Ibt);
        let half = "f3 0f 1e fb ff 25 10 40 00 00 66 0f 1f 44 00 00";
        let rest = "f3 0f 1e fb 68 08 00 00 00 e9 b2 ff ff ff 66 90";
        assert_eq!(lazy, bytes(&format!("{half} {rest}")));
        assert_eq!(direct, bytes(half));
        let [_, lazy, direct] = tables(true, PltStyle::Ibt);
        let half = "f3 0f 1e fb ff a3 10 00 00 00 66 0f 1f 44 00 00";
        assert_eq!(lazy, bytes(&format!("{half} {rest}")));
        assert_eq!(direct, bytes(half));
    }

    /// Keeps %ecx, puts the target in the place of the saved %eax, and returns to it.
    const NEXT: &str = "89 0c 24 8b 4c 24 04 89 44 24 04 89 c8 59 c3 cc";

    #[test]
    fn retpolines() {
        let hold = "f3 90 0f ae e8 eb f9";
        let filler = "cc cc cc cc cc cc cc";
        let [header, lazy, direct] = tables(true, PltStyle::Retpoline);
        let start = "ff b3 04 00 00 00 50 8b 83 08 00 00 00 e8 0e 00 00 00";
        assert_eq!(header, bytes(&format!("{start} {hold} {filler} {NEXT}")));
        let jump = "50 8b 83 10 00 00 00 e8 e4 ff ff ff e9 d1 ff ff ff";
        let rest = "68 08 00 00 00 e9 b5 ff ff ff cc cc cc cc cc";
        assert_eq!(lazy, bytes(&format!("{jump} {rest}")));
        assert_eq!(direct, bytes(&format!("{jump} {filler} {filler} cc")));
        let [header, lazy, _] = tables(false, PltStyle::Retpoline);
        let start = "ff 35 04 40 00 00 50 8b 05 08 40 00 00 e8 0e 00 00 00";
        assert_eq!(header, bytes(&format!("{start} {hold} {filler} {NEXT}")));
        let jump = "50 8b 05 10 40 00 00 e8 e4 ff ff ff e9 d1 ff ff ff";
        assert_eq!(lazy, bytes(&format!("{jump} {rest}")));
    }

    #[test]
    fn retpolines_that_are_bound_at_once() {
        let [header, lazy, direct] = tables(true, PltStyle::RetpolineNow);
        let start = "e8 0b 00 00 00 f3 90 0f ae e8 eb f9 cc cc cc cc";
        assert_eq!(header, bytes(&format!("{start} {NEXT}")));
        assert_eq!(lazy, bytes("50 8b 83 10 00 00 00 e9 d4 ff ff ff cc cc cc cc"));
        assert_eq!(direct, lazy);
        let [_, lazy, _] = tables(false, PltStyle::RetpolineNow);
        assert_eq!(lazy, bytes("50 8b 05 10 40 00 00 e9 d4 ff ff ff cc cc cc cc"));
    }

    #[test]
    fn unbound_words_lead_to_the_push() {
        for (style, pad) in [(PltStyle::Plain, 0), (PltStyle::Ibt, 4), (PltStyle::Retpoline, 0)] {
            let [_, lazy, _] = tables(true, style);
            let resume = Code::of(style).resume.expect("it binds lazily");
            assert_eq!(lazy.get(resume as usize + pad), Some(&0x68));
        }
        assert_eq!(IBT_ENTRY[16..][..4], IBT_ENTRY[..4]);
    }
}
