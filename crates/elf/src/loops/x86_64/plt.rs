//! Procedure linkage tables: psABI 5.2, and its supplement on Intel CET for indirect branch
//! tracking.
//!
//! A PLT has a header, which calls the loader's resolver, and an entry for each function, which
//! jumps to the address in the function's GOT entry. With lazy binding the GOT entry first points
//! back into the PLT ([`PltStyle::initial_got_entry`]). Entries that never bind lazily (`.plt.got`,
//! whose function also has an ordinary GOT entry, and `.iplt`, whose GOT entry an `IRELATIVE`
//! relocation fills at startup) need only the jump: they are written by [`write_direct_entry`].
//!
//! Four styles:
//!
//! - **Plain**: the psABI's, with a 16-byte header and 16-byte entries.
//! - **Ibt**: every target of an indirect branch starts with `endbr64`. GNU ld and lld split the
//!   table in two for this, `.plt` and `.plt.sec`, 32 bytes for each function. This split is
//!   unnecessary if the entry loads its index into `%r11` *before* it jumps through the GOT: the
//!   GOT can then initially point at the header, which pushes `%r11`. One `.plt`, a 32-byte header,
//!   16-byte entries, half the code, and lazy binding works. `%r11` is the register that the psABI
//!   leaves to PLTs, and the loader's resolver does not keep it either. Each entry starts with
//!   `endbr64`, since its address may be the function's canonical address.
//! - **Retpoline**, **RetpolineNow** (`-z retpolineplt`, without and with `-z now`): lld's layout.
//!   The jump is a return to an address written over the return address of a call, and what follows
//!   the call is a loop that speculation cannot leave. The loop and the store are in the header,
//!   which must therefore exist whenever there is an entry of any kind.
//!
//! Writers take slices of exactly the size of the header or entry, addresses in memory, and write
//! every byte. Distances of 2 GiB or more are errors.

use super::plt_frames::{self, unwinding};
use crate::args::ZOptions;
use crate::loops::plt_style::PltStyle;
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach, Promises};

macro_rules! table {
    ($style:expr) => {
        Plt {
            align: 16,
            // The same for every style, as GNU ld's.
            entsize: [16, 8],
            header_size: $style.header_size(),
            entry_size: $style.entry_size(),
            direct_entry_size: $style.direct_entry_size(),
            direct_entry_needs_header: $style.direct_entry_needs_header(),
            initial_got_entry: |plt, entry| $style.initial_got_entry(plt, entry),
            write_header: |out, plt, got_plt| write_plt_header($style, out, plt, got_plt),
            write_entry: |out, entry| write_plt_entry($style, out, entry),
            write_direct_entry: |out, entry| write_direct_entry($style, out, entry),
            tags: &[],
            cie: plt_frames::CIE,
            // SFrame's ABI of AMD64, little-endian; the return address is at CFA-8.
            sframe: Some((3, 0xf8)),
            unwinding: [unwinding($style, false), unwinding($style, true)],
        }
    };
}

/// The PLT's code, chosen by options and by what the output promises.
pub fn table(z: &ZOptions, _: OutputShape, promises: Promises) -> &'static Plt {
    static TABLES: [Plt; 4] = [
        table!(PltStyle::Plain),
        table!(PltStyle::Ibt),
        table!(PltStyle::Retpoline),
        table!(PltStyle::RetpolineNow),
    ];
    &TABLES[PltStyle::chosen(z, promises.features) as usize]
}

impl PltStyle {
    /// Bytes of the header of the `.plt`.
    const fn header_size(self) -> usize {
        match self {
            PltStyle::Plain => PLAIN_HEADER.len(),
            PltStyle::Ibt => IBT_HEADER.len(),
            PltStyle::Retpoline => RETPOLINE_HEADER.len(),
            PltStyle::RetpolineNow => RETPOLINE_NOW_HEADER.len(),
        }
    }

    /// Bytes of an entry of the `.plt`.
    const fn entry_size(self) -> usize {
        match self {
            PltStyle::Plain => PLAIN_ENTRY.len(),
            PltStyle::Ibt => IBT_ENTRY.len(),
            PltStyle::Retpoline => RETPOLINE_ENTRY.len(),
            PltStyle::RetpolineNow => RETPOLINE_NOW_ENTRY.len(),
        }
    }

    /// Bytes of an entry that never binds lazily (`.plt.got`, `.iplt`).
    const fn direct_entry_size(self) -> usize {
        match self {
            PltStyle::Plain => PLAIN_DIRECT_ENTRY.len(),
            PltStyle::Ibt => IBT_DIRECT_ENTRY.len(),
            PltStyle::Retpoline => RETPOLINE_DIRECT_ENTRY.len(),
            PltStyle::RetpolineNow => RETPOLINE_NOW_ENTRY.len(),
        }
    }

    /// Whether a direct entry jumps into the header, which must then exist even if `.plt` has no
    /// entry.
    const fn direct_entry_needs_header(self) -> bool {
        matches!(self, PltStyle::Retpoline | PltStyle::RetpolineNow)
    }

    /// The initial value of a word of `.got.plt`: the address where the PLT entry continues towards
    /// the resolver. 0 if there is no lazy binding.
    const fn initial_got_entry(self, plt_address: u64, entry_address: u64) -> u64 {
        match self {
            PltStyle::Plain => entry_address.wrapping_add(PLAIN_RESUME),
            PltStyle::Ibt => plt_address,
            PltStyle::Retpoline => entry_address.wrapping_add(RETPOLINE_RESUME),
            PltStyle::RetpolineNow => 0,
        }
    }
}

/// Offset of the `push` in [`PLAIN_ENTRY`].
const PLAIN_RESUME: u64 = 6;
/// Offset of the `push` in [`RETPOLINE_ENTRY`].
const RETPOLINE_RESUME: u64 = 0x11;
/// Offset of the loop that holds speculation in [`RETPOLINE_HEADER`].
const RETPOLINE_LOOP: u64 = 0x12;
/// Offset of the store and return in [`RETPOLINE_HEADER`].
const RETPOLINE_NEXT: u64 = 0x20;

const PLAIN_HEADER: [u8; 16] = [
    0xff, 0x35, 0, 0, 0, 0, // 0: push GOTPLT+8(%rip)
    0xff, 0x25, 0, 0, 0, 0, // 6: jmp *GOTPLT+16(%rip)
    0x0f, 0x1f, 0x40, 0x00, // c: nopl 0(%rax)
];

const PLAIN_ENTRY: [u8; 16] = [
    0xff, 0x25, 0, 0, 0, 0, // 0: jmp *foo@GOTPLT(%rip)
    0x68, 0, 0, 0, 0, // 6: push $index
    0xe9, 0, 0, 0, 0, // b: jmp header
];

const PLAIN_DIRECT_ENTRY: [u8; 8] = [
    0xff, 0x25, 0, 0, 0, 0, // 0: jmp *foo@GOT(%rip)
    0x66, 0x90, // 6: xchg %ax, %ax
];

const IBT_HEADER: [u8; 32] = [
    0xf3, 0x0f, 0x1e, 0xfa, // 0: endbr64
    0x41, 0x53, // 4: push %r11
    0xff, 0x35, 0, 0, 0, 0, // 6: push GOTPLT+8(%rip)
    0xff, 0x25, 0, 0, 0, 0, // c: jmp *GOTPLT+16(%rip)
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, // 12: int3
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, // 19: int3
];

const IBT_ENTRY: [u8; 16] = [
    0xf3, 0x0f, 0x1e, 0xfa, // 0: endbr64
    0x41, 0xbb, 0, 0, 0, 0, // 4: mov $index, %r11d
    0xff, 0x25, 0, 0, 0, 0, // a: jmp *foo@GOTPLT(%rip)
];

const IBT_DIRECT_ENTRY: [u8; 16] = [
    0xf3, 0x0f, 0x1e, 0xfa, // 0: endbr64
    0xff, 0x25, 0, 0, 0, 0, // 4: jmp *foo@GOT(%rip)
    0x66, 0x0f, 0x1f, 0x44, 0, 0, // a: nopw 0(%rax,%rax)
];

const RETPOLINE_HEADER: [u8; 48] = [
    0xff, 0x35, 0, 0, 0, 0, // 0: push GOTPLT+8(%rip)
    0x4c, 0x8b, 0x1d, 0, 0, 0, 0, // 6: mov GOTPLT+16(%rip), %r11
    0xe8, 0x0e, 0, 0, 0, // d: call next
    0xf3, 0x90, // 12: loop: pause
    0x0f, 0xae, 0xe8, // 14: lfence
    0xeb, 0xf9, // 17: jmp loop
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, // 19: int3
    0x4c, 0x89, 0x1c, 0x24, // 20: next: mov %r11, (%rsp)
    0xc3, // 24: ret
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, // 25: int3
];

const RETPOLINE_ENTRY: [u8; 32] = [
    0x4c, 0x8b, 0x1d, 0, 0, 0, 0, // 0: mov foo@GOTPLT(%rip), %r11
    0xe8, 0, 0, 0, 0, // 7: call next
    0xe9, 0, 0, 0, 0, // c: jmp loop
    0x68, 0, 0, 0, 0, // 11: push $index
    0xe9, 0, 0, 0, 0, // 16: jmp header
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, // 1b: int3
];

const RETPOLINE_DIRECT_ENTRY: [u8; 32] = [
    0x4c, 0x8b, 0x1d, 0, 0, 0, 0, // 0: mov foo@GOT(%rip), %r11
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
    0x4c, 0x89, 0x1c, 0x24, // 10: next: mov %r11, (%rsp)
    0xc3, // 14: ret
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, // 15: int3
];

const RETPOLINE_NOW_ENTRY: [u8; 16] = [
    0x4c, 0x8b, 0x1d, 0, 0, 0, 0, // 0: mov foo@GOTPLT(%rip), %r11
    0xe9, 0, 0, 0, 0, // 7: jmp header
    0xcc, 0xcc, 0xcc, 0xcc, // c: int3
];

/// Writes the header of the `.plt` at `plt_address`; `got_plt_address` is the start of `.got.plt`,
/// whose second and third words the loader fills with its handle and its resolver.
///
/// # Errors
/// If `.got.plt` is out of reach.
///
/// # Panics
/// If `buf` is not of [`PltStyle::header_size`].
fn write_plt_header(
    style: PltStyle,
    buf: &mut [u8],
    plt_address: u64,
    got_plt_address: u64,
) -> Result<(), PltOutOfReach> {
    let handle = got_plt_address.wrapping_add(8);
    let resolver = got_plt_address.wrapping_add(16);
    let mut code = match style {
        PltStyle::Plain => Code::new(buf, plt_address, &PLAIN_HEADER),
        PltStyle::Ibt => Code::new(buf, plt_address, &IBT_HEADER),
        PltStyle::Retpoline => Code::new(buf, plt_address, &RETPOLINE_HEADER),
        PltStyle::RetpolineNow => Code::new(buf, plt_address, &RETPOLINE_NOW_HEADER),
    };
    match style {
        PltStyle::Plain => {
            code.put_distance(2, handle)?;
            code.put_distance(8, resolver)
        }
        PltStyle::Ibt => {
            code.put_distance(8, handle)?;
            code.put_distance(14, resolver)
        }
        PltStyle::Retpoline => {
            code.put_distance(2, handle)?;
            code.put_distance(9, resolver)
        }
        PltStyle::RetpolineNow => Ok(()),
    }
}

/// Writes an entry of the `.plt`.
///
/// # Errors
/// If the GOT entry or the header is out of reach.
///
/// # Panics
/// If `buf` is not of [`PltStyle::entry_size`].
fn write_plt_entry(style: PltStyle, buf: &mut [u8], entry: &PltEntry) -> Result<(), PltOutOfReach> {
    let at = entry.entry_address;
    match style {
        PltStyle::Plain => {
            let mut code = Code::new(buf, at, &PLAIN_ENTRY);
            code.put_distance(2, entry.got_entry_address)?;
            code.put_word(7, entry.index);
            code.put_distance(12, entry.plt_address)
        }
        PltStyle::Ibt => {
            let mut code = Code::new(buf, at, &IBT_ENTRY);
            code.put_word(6, entry.index);
            code.put_distance(12, entry.got_entry_address)
        }
        PltStyle::Retpoline => {
            let mut code = Code::new(buf, at, &RETPOLINE_ENTRY);
            put_retpoline(&mut code, entry)?;
            code.put_word(18, entry.index);
            code.put_distance(23, entry.plt_address)
        }
        PltStyle::RetpolineNow => write_retpoline_now_entry(buf, entry),
    }
}

/// Writes an entry that never binds lazily: of `.plt.got` or `.iplt`. Its index is not used.
///
/// # Errors
/// If the GOT entry or the header is out of reach.
///
/// # Panics
/// If `buf` is not of [`PltStyle::direct_entry_size`].
fn write_direct_entry(
    style: PltStyle,
    buf: &mut [u8],
    entry: &PltEntry,
) -> Result<(), PltOutOfReach> {
    let at = entry.entry_address;
    match style {
        PltStyle::Plain => {
            Code::new(buf, at, &PLAIN_DIRECT_ENTRY).put_distance(2, entry.got_entry_address)
        }
        PltStyle::Ibt => {
            Code::new(buf, at, &IBT_DIRECT_ENTRY).put_distance(6, entry.got_entry_address)
        }
        PltStyle::Retpoline => {
            put_retpoline(&mut Code::new(buf, at, &RETPOLINE_DIRECT_ENTRY), entry)
        }
        PltStyle::RetpolineNow => write_retpoline_now_entry(buf, entry),
    }
}

/// Writes the load, call and jump with which a lazy and a direct retpoline entry start.
fn put_retpoline(code: &mut Code, entry: &PltEntry) -> Result<(), PltOutOfReach> {
    code.put_distance(3, entry.got_entry_address)?;
    code.put_distance(8, entry.plt_address.wrapping_add(RETPOLINE_NEXT))?;
    code.put_distance(13, entry.plt_address.wrapping_add(RETPOLINE_LOOP))
}

fn write_retpoline_now_entry(buf: &mut [u8], entry: &PltEntry) -> Result<(), PltOutOfReach> {
    let mut code = Code::new(buf, entry.entry_address, &RETPOLINE_NOW_ENTRY);
    code.put_distance(3, entry.got_entry_address)?;
    code.put_distance(8, entry.plt_address)
}

/// Machine code in a buffer.
struct Code<'a> {
    bytes: &'a mut [u8],
    address: u64,
}

impl<'a> Code<'a> {
    /// Copies `template` to `buf`, which is of the same size.
    fn new(buf: &'a mut [u8], address: u64, template: &[u8]) -> Code<'a> {
        buf.copy_from_slice(template);
        Code { bytes: buf, address }
    }

    /// Sets the 32-bit word at `offset`.
    fn put_word(&mut self, offset: usize, word: u32) {
        self.bytes[offset..offset + 4].copy_from_slice(&word.to_le_bytes());
    }

    /// Sets the word at `offset`, which ends its instruction, to the distance of `to`.
    fn put_distance(&mut self, offset: usize, to: u64) -> Result<(), PltOutOfReach> {
        let next = self.address.wrapping_add(offset as u64 + 4);
        let distance = i32::try_from(to.wrapping_sub(next) as i64)
            .map_err(|_| PltOutOfReach { from: self.address, to })?;
        self.put_word(offset, distance as u32);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
