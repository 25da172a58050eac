//! Procedure linkage tables ("ELF for the Arm 64-bit Architecture", "Procedure Linkage Table").
//!
//! An entry leaves the address of its GOT word in `x16` and jumps to the address in the word.
//! Before the function is bound that is the header, which saves `x16` and `x30` and calls the
//! loader's resolver. Entries that never bind lazily are the same code.
//!
//! - **BTI**: the header and every entry start with `bti c`. An entry's address may be the
//!   function's canonical address, and thunks branch to entries by a register.
//! - **PAC** (`-z pac-plt`): entries check the signature of the address, with the word's address as
//!   the modifier; the loader signs those of DT_JMPREL alone, so direct entries do not. The
//!   instruction is a hint, which older processors ignore, unless the objects say that pointers are
//!   signed: then they run on no older one.

use super::instruction::{NOP, page, with_adr, with_field, with_imm12};
use crate::args::ZOptions;
use crate::machine::aarch64::howto::Field;
use crate::machine::aarch64::property::BTI;
use crate::resolve::dynamic::OutputShape;
use crate::synth::plt::{Plt, PltEntry, PltOutOfReach, Promises, Unwinding};
use skald_linking::byte_order::ByteOrder;

const BTI_C: u32 = 0xd503_245f;
/// `stp x16, x30, [sp, #-16]!`
const SAVE: u32 = 0xa9bf_7bf0;
/// `adrp x16, page`
const ADRP_X16: u32 = 0x9000_0010;
/// `ldr x17, [x16, #0]`
const LDR_X17: u32 = 0xf940_0211;
/// `add x16, x16, #0`
const ADD_X16: u32 = 0x9100_0210;
const AUTIA1716: u32 = 0xd503_219f;
/// `br x17`
const BR_X17: u32 = 0xd61f_0220;
/// `braa x17, x16`
const BRAA_X17: u32 = 0xd71f_0a30;

/// What the code does besides jumping.
#[derive(Clone, Copy)]
struct Style {
    has_bti: bool,
    has_pac: bool,
    /// With PAC: processors without it need not run the code.
    needs_pac: bool,
}

impl Style {
    /// DT_AARCH64_BTI_PLT and DT_AARCH64_PAC_PLT.
    const fn tags(self) -> &'static [u32] {
        match (self.has_bti, self.has_pac) {
            (false, false) => &[],
            (true, false) => &[0x7000_0001],
            (false, true) => &[0x7000_0003],
            (true, true) => &[0x7000_0001, 0x7000_0003],
        }
    }

    const fn entry_size(self, is_direct: bool) -> usize {
        if self.has_bti || (self.has_pac && !is_direct) { 24 } else { 16 }
    }
}

const HEADER_SIZE: usize = 32;

macro_rules! table {
    ($bti:literal, $pac:literal, $needed:literal, $order:expr) => {{
        const STYLE: Style = Style { has_bti: $bti, has_pac: $pac, needs_pac: $needed };
        Plt {
            align: 16,
            entsize: [STYLE.entry_size(false) as u64, STYLE.entry_size(true) as u64],
            header_size: HEADER_SIZE,
            entry_size: STYLE.entry_size(false),
            direct_entry_size: STYLE.entry_size(true),
            direct_entry_needs_header: false,
            initial_got_entry: |plt, _| plt,
            write_header: |out, plt, got_plt| write_header(STYLE, out, plt, got_plt),
            write_entry: |out, entry| write_entry(STYLE, false, out, entry),
            write_direct_entry: |out, entry| write_entry(STYLE, true, out, entry),
            tags: STYLE.tags(),
            cie: cie($order),
            sframe: None,
            unwinding: [unwinding(STYLE), DIRECT_UNWINDING],
        }
    }};
}

macro_rules! tables {
    ($order:expr) => {
        [
            table!(false, false, false, $order),
            table!(true, false, false, $order),
            table!(false, true, false, $order),
            table!(true, true, false, $order),
            table!(false, true, true, $order),
            table!(true, true, true, $order),
        ]
    };
}

/// The PLT's code, chosen by options and by what the output promises.
pub fn table(z: &ZOptions, _: OutputShape, promises: Promises) -> &'static Plt {
    static TABLES: [Plt; 6] = tables!(ByteOrder::Little);
    &TABLES[chosen(z, promises)]
}

/// The same, with unwind tables for big-endian files.
pub fn big_endian(z: &ZOptions, _: OutputShape, promises: Promises) -> &'static Plt {
    static TABLES: [Plt; 6] = tables!(ByteOrder::Big);
    &TABLES[chosen(z, promises)]
}

fn chosen(z: &ZOptions, promises: Promises) -> usize {
    let has_bti = promises.features & u64::from(BTI) != 0 || z.features.has("force-bti");
    let pac = match (z.pac_plt, promises.signs_pointers) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 2,
    };
    usize::from(has_bti) + 2 * pac
}

/// Code that is written instruction by instruction, from the start of a slice on.
struct Code<'a> {
    rest: &'a mut [u8],
    address: u64,
}

impl Code<'_> {
    fn put(&mut self, word: u32) {
        let rest = std::mem::take(&mut self.rest);
        let (place, rest) = rest.split_at_mut(4);
        place.copy_from_slice(&word.to_le_bytes());
        self.rest = rest;
        self.address += 4;
    }

    /// Loads the word at `to` into `x17`, and its address into `x16`.
    fn load(&mut self, to: u64) -> Result<(), PltOutOfReach> {
        let distance = page(to).wrapping_sub(page(self.address));
        if distance.wrapping_add(1 << 32) >= 1 << 33 {
            return Err(PltOutOfReach { from: self.address, to });
        }
        self.put(with_adr(ADRP_X16, distance >> 12));
        self.put(with_field(LDR_X17, Field::Scaled(3), to));
        self.put(with_imm12(ADD_X16, to));
        Ok(())
    }

    /// Fills the rest.
    fn pad(&mut self) {
        while !self.rest.is_empty() {
            self.put(NOP);
        }
    }
}

fn write_header(style: Style, out: &mut [u8], plt: u64, got_plt: u64) -> Result<(), PltOutOfReach> {
    let mut code = Code { rest: out, address: plt };
    if style.has_bti {
        code.put(BTI_C);
    }
    code.put(SAVE);
    // The third word is the resolver's.
    code.load(got_plt.wrapping_add(16))?;
    code.put(BR_X17);
    code.pad();
    Ok(())
}

fn write_entry(
    style: Style,
    is_direct: bool,
    out: &mut [u8],
    entry: &PltEntry,
) -> Result<(), PltOutOfReach> {
    let mut code = Code { rest: out, address: entry.entry_address };
    if style.has_bti {
        code.put(BTI_C);
    }
    code.load(entry.got_entry_address)?;
    match (style.has_pac && !is_direct, style.needs_pac) {
        (false, _) => code.put(BR_X17),
        (true, false) => {
            code.put(AUTIA1716);
            code.put(BR_X17);
        }
        (true, true) => code.put(BRAA_X17),
    }
    code.pad();
    Ok(())
}

/// Version 1, augmentation `zR` (PC-relative 4-byte addresses), code alignment 4, data alignment
/// -8, return address in column 30; the caller's stack starts at `sp`.
const fn cie(order: ByteOrder) -> &'static [u8] {
    macro_rules! of {
        ($($length:literal),*) => {
            &[
                $($length,)* 0, 0, 0, 0, 1, b'z', b'R', 0, 4, 0x78, 30, 1, 0x1b, 0x0c, 31, 0, 0, 0,
                0, 0,
            ]
        };
    }
    match order {
        ByteOrder::Little => of!(0x14, 0, 0, 0),
        ByteOrder::Big => of!(0, 0, 0, 0x14),
    }
}

/// The header's: two words deeper behind the first instruction, with `x30` in the upper one, until
/// the entries begin.
const fn unwinding(style: Style) -> Unwinding {
    const PLAIN: &[u8] = &[0x41, 0x0e, 16, 0x9e, 1, 0x47, 0x0e, 0, 0xde];
    const WITH_BTI: &[u8] = &[0x42, 0x0e, 16, 0x9e, 1, 0x46, 0x0e, 0, 0xde];
    Unwinding { instructions: Some(if style.has_bti { WITH_BTI } else { PLAIN }), rows: &[] }
}

const DIRECT_UNWINDING: Unwinding = Unwinding { instructions: Some(&[]), rows: &[] };

#[cfg(test)]
mod tests {
    use super::*;

    fn words(bytes: &[u8]) -> Vec<u32> {
        bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    }

    fn entry(style: Style, is_direct: bool) -> Vec<u32> {
        let mut out = vec![0xff; style.entry_size(is_direct)];
        let entry = PltEntry {
            plt_address: 0x1_0000,
            entry_address: 0x1_0020,
            got_entry_address: 0x2_0ff8,
            got_base: 0,
            index: 0,
        };
        write_entry(style, is_direct, &mut out, &entry).unwrap();
        words(&out)
    }

    // As GNU ld writes them, with `adrp x16, 0x20000; ldr x17, [x16, #0xff8]`.
    const LOAD: [u32; 3] = [0x9000_0090, 0xf947_fe11, 0x913f_e210];

    #[test]
    fn entries_are_those_of_the_abi() {
        let [adrp, ldr, add] = LOAD;
        let plain = Style { has_bti: false, has_pac: false, needs_pac: false };
        assert_eq!(entry(plain, false), [adrp, ldr, add, 0xd61f_0220]);
        assert_eq!(entry(plain, true), entry(plain, false));
        let bti = Style { has_bti: true, has_pac: false, needs_pac: false };
        assert_eq!(entry(bti, false), [BTI_C, adrp, ldr, add, BR_X17, NOP]);
        let pac = Style { has_bti: false, has_pac: true, needs_pac: false };
        assert_eq!(entry(pac, false), [adrp, ldr, add, AUTIA1716, BR_X17, NOP]);
        assert_eq!(entry(pac, true), [adrp, ldr, add, BR_X17]);
        let both = Style { has_bti: true, has_pac: true, needs_pac: false };
        assert_eq!(entry(both, false), [BTI_C, adrp, ldr, add, AUTIA1716, BR_X17]);
        let needed = Style { needs_pac: true, ..pac };
        assert_eq!(entry(needed, false), [adrp, ldr, add, BRAA_X17, NOP, NOP]);
        assert_eq!(entry(needed, true), [adrp, ldr, add, BR_X17]);
    }

    #[test]
    fn the_header_calls_the_resolver_in_the_third_word() {
        let mut out = [0xff; HEADER_SIZE];
        let plain = Style { has_bti: false, has_pac: false, needs_pac: false };
        write_header(plain, &mut out, 0x1_0000, 0x2_0fe8).unwrap();
        let [adrp, ldr, add] = LOAD;
        assert_eq!(words(&out), [SAVE, adrp, ldr, add, BR_X17, NOP, NOP, NOP]);
        let bti = Style { has_bti: true, has_pac: false, needs_pac: false };
        write_header(bti, &mut out, 0x1_0000, 0x2_0fe8).unwrap();
        assert_eq!(words(&out), [BTI_C, SAVE, adrp, ldr, add, BR_X17, NOP, NOP]);
        assert!(write_header(bti, &mut out, 0x1_0000, 0x2_0000_0000).is_err());
    }
}
