//! CFI of the PLT, so that profilers and debuggers that stop there see the callers.
//!
//! Entries push an offset before they jump to the header. One expression says it for all of them:
//! within an entry, from so many bytes on, the stack is a word deeper.

use crate::loops::plt_style::PltStyle;
use crate::synth::plt::Unwinding;

/// Version 1, augmentation `zR` (PC-relative 4-byte addresses), code alignment 1, data alignment
/// -4, return address in column 8; the caller's stack starts 4 bytes above `%esp`.
pub const CIE: &[u8] =
    &[0x14, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x7c, 8, 1, 0x1b, 0x0c, 4, 4, 0x88, 1, 0, 0];

const PLAIN: [u8; 19] = [
    0x0e, 8, // The stack starts 8 bytes above.
    0x46, 0x0e, 12,   // 6 bytes on, 12 bytes above.
    0x4a, // 10 bytes on, the first entry:
    0x0f, 11, 0x74, 4, 0x78, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x32, 0x24,
    0x22, // %esp + 4 + ((%eip & 15) >= 11) << 2
];

const IBT: [u8; 19] = [
    0x0e, 8, // The stack starts 8 bytes above.
    0x46, 0x0e, 12,   // 6 bytes on, 12 bytes above.
    0x5a, // 26 bytes on, the first entry:
    0x0f, 11, 0x74, 4, 0x78, 0, 0x4f, 0x1a, 0x49, 0x2a, 0x32, 0x24,
    0x22, // %esp + 4 + ((%eip & 31) >= 25) << 2
];

/// How `.plt` and `.plt.got` are unwound.
pub const fn unwinding(style: PltStyle) -> [Unwinding; 2] {
    let instructions: [Option<&'static [u8]>; 2] = match style {
        PltStyle::Plain => [Some(&PLAIN), Some(&[])],
        PltStyle::Ibt => [Some(&IBT), Some(&[])],
        // Code of the header is reached with two depths of the stack.
        PltStyle::Retpoline | PltStyle::RetpolineNow => [None, None],
    };
    [
        Unwinding { instructions: instructions[0], rows: &[] },
        Unwinding { instructions: instructions[1], rows: &[] },
    ]
}
