//! Unwind information for PLTs: records of `.eh_frame` (LSB core, "Exception Frames") that give the
//! place of the return address while a PLT's code runs, so that profilers and debuggers that stop
//! there see the callers.
//!
//! The plain table's entries push an index before they jump to the header. One expression describes
//! all of them: within an entry of 16 bytes, from byte 11 on, the stack is a word deeper.
//! Retpolines have no description, because the store in their header is reached with two stack
//! depths.

use crate::loops::plt_style::PltStyle;
use crate::synth::plt::{StackRows, Unwinding};

/// Version 1, augmentation `zR` (PC-relative 4-byte addresses), code alignment 1, data alignment
/// -8, return address in column 16; the caller's stack starts 8 bytes above `%rsp`.
pub const CIE: &[u8] =
    &[0x14, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0];

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

/// How a table is unwound; `is_direct` for `.plt.got`.
pub const fn unwinding(style: PltStyle, is_direct: bool) -> Unwinding {
    let instructions = instructions(style, is_direct);
    Unwinding { instructions, rows: stack_rows(style, is_direct) }
}

/// Instructions for the table with the header; `None` for one that cannot be described.
const fn instructions(style: PltStyle, is_direct: bool) -> Option<&'static [u8]> {
    match (style, is_direct) {
        (PltStyle::Plain, false) => Some(&PLAIN),
        (PltStyle::Ibt, false) => Some(&IBT),
        (PltStyle::Plain | PltStyle::Ibt, true) => Some(&[]),
        (PltStyle::Retpoline | PltStyle::RetpolineNow, _) => None,
    }
}

/// [`PLAIN`] and [`IBT`] as rows of `.sframe`.
const fn stack_rows(style: PltStyle, is_direct: bool) -> &'static [StackRows] {
    /// Each row is the first byte of its code, 3 (one 8-bit offset, from `%rsp`), and the offset of
    /// the CFA.
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
