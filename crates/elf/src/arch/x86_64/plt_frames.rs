//! Unwind information for PLTs: records of `.eh_frame` (LSB core, "Exception Frames") that say
//! where the return address is while a PLT's code runs, so that profilers and debuggers that stop
//! there see the callers.
//!
//! The plain table's entries push an index before they jump to the header. One expression says it
//! for all of them: within an entry of 16 bytes, from byte 11 on, the stack is a word deeper.
//! Retpolines have no description: the store in their header is reached at two depths.

use super::plt::PltStyle;

/// Version 1, augmentation `zR` (PC-relative 4-byte addresses), code alignment 1, data alignment
/// -8, return address in column 16; the caller's stack starts 8 bytes above `%rsp`.
pub const CIE: [u8; 24] =
    [0x14, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0];

/// Length, CIE pointer, start, number of bytes, and no augmentation data.
const FDE_HEADER_SIZE: usize = 17;

const PLAIN: [u8; 19] = [
    0x0e, 16, // The stack starts 16 bytes above.
    0x46, 0x0e, 24,   // 6 bytes on, 24 bytes above.
    0x4a, // 10 bytes on, the first entry:
    0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24,
    0x22, // %rsp + 8 + ((%rip & 15) >= 11) << 3
];

const IBT: [u8; 9] = [
    0x46, 0x0e, 16, // Behind the push of %r11,
    0x46, 0x0e, 24, // behind that of the handle,
    0x54, 0x0e, 8, // and in the entries, which push nothing.
];

/// Instructions for the table with the header; `None` for one that cannot be described.
const fn instructions(style: PltStyle, is_direct: bool) -> Option<&'static [u8]> {
    match (style, is_direct) {
        (PltStyle::Plain, false) => Some(&PLAIN),
        (PltStyle::Ibt, false) => Some(&IBT),
        (PltStyle::Plain | PltStyle::Ibt, true) => Some(&[]),
        (PltStyle::Retpoline | PltStyle::RetpolineNow, _) => None,
    }
}

/// Code of a table as `.sframe` describes it.
#[derive(Debug, Clone, Copy)]
pub struct StackRows {
    /// Where it begins in the table.
    pub start: u64,
    /// Bytes; `None` for the rest of the table.
    pub size: Option<u64>,
    /// Bytes after which the rows hold again; 0 if they count from the start alone.
    pub repeat: u8,
    /// Rows.
    pub count: u32,
    /// Each the first byte of its code, 3 (one 8-bit offset, from `%rsp`), and that to the CFA.
    pub rows: &'static [u8],
}

/// What is in [`PLAIN`] and [`IBT`], as rows.
pub const fn stack_rows(style: PltStyle, is_direct: bool) -> &'static [StackRows] {
    const fn part(start: u64, size: Option<u64>, repeat: u8, rows: &'static [u8]) -> StackRows {
        StackRows { start, size, repeat, count: rows.len() as u32 / 3, rows }
    }
    const PLAIN: [StackRows; 2] =
        [part(0, Some(16), 0, &[0, 3, 16, 6, 3, 24]), part(16, None, 16, &[0, 3, 8, 11, 3, 16])];
    const IBT: [StackRows; 2] =
        [part(0, Some(32), 0, &[0, 3, 8, 6, 3, 16, 12, 3, 24]), part(32, None, 0, &[0, 3, 8])];
    const DIRECT: [StackRows; 1] = [part(0, None, 0, &[0, 3, 8])];
    match (style, is_direct) {
        (PltStyle::Plain, false) => &PLAIN,
        (PltStyle::Ibt, false) => &IBT,
        (PltStyle::Plain | PltStyle::Ibt, true) => &DIRECT,
        (PltStyle::Retpoline | PltStyle::RetpolineNow, _) => &[],
    }
}

/// Bytes of the FDE of a table; 0 for none. `is_direct` for `.plt.got`.
pub const fn fde_size(style: PltStyle, is_direct: bool) -> usize {
    match instructions(style, is_direct) {
        Some(code) => (FDE_HEADER_SIZE + code.len()).next_multiple_of(8),
        None => 0,
    }
}

/// Where an FDE is, what it describes, and its CIE.
#[derive(Debug, Clone, Copy)]
pub struct FdePlace {
    /// Address of the FDE.
    pub address: u64,
    /// Address of the CIE.
    pub cie: u64,
    /// Address of the table.
    pub table: u64,
    /// Bytes of the table.
    pub table_size: u64,
}

/// Writes the FDE of a table; `None`, with nothing written, if the table is too far away.
///
/// # Panics
/// If `out` is not of [`fde_size`], or that is 0.
pub fn write_fde(style: PltStyle, is_direct: bool, place: FdePlace, out: &mut [u8]) -> Option<()> {
    let code = instructions(style, is_direct).expect("only what can be described has an FDE");
    assert_eq!(out.len(), fde_size(style, is_direct));
    let start = place.table.wrapping_sub(place.address.wrapping_add(8)) as i64;
    let start = i32::try_from(start).ok()?;
    let size = u32::try_from(place.table_size).ok()?;
    let cie = u32::try_from(place.address.wrapping_add(4).wrapping_sub(place.cie)).ok()?;
    out.fill(0);
    let length = out.len() as u32 - 4;
    out[..4].copy_from_slice(&length.to_le_bytes());
    out[4..8].copy_from_slice(&cie.to_le_bytes());
    out[8..12].copy_from_slice(&start.to_le_bytes());
    out[12..16].copy_from_slice(&size.to_le_bytes());
    out[FDE_HEADER_SIZE..FDE_HEADER_SIZE + code.len()].copy_from_slice(code);
    Some(())
}
