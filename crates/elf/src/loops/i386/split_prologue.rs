//! What GCC's and LLVM's `-fsplit-stack` puts before a function: a comparison of the stack pointer
//! with the end of the stack, and for large frames the address that it compares.

use super::branch::BRANCHES;
use crate::loops::code::SplitStack;

/// Functions compiled with `-fsplit-stack`.
pub const SPLIT_STACK: SplitStack = SplitStack { branches: &BRANCHES, larger_prologue: enlarged };

/// Bytes of a prologue that are looked at and replaced.
const SIZE: usize = 7;

/// `cmp %gs:0x30, %esp` without its last four bytes, the offset.
const COMPARE: [u8; 3] = [0x65, 0x3b, 0x25];
/// `lea disp32(%esp), %ecx` and `%edx` without the displacement.
const ADDRESS: [[u8; 3]; 2] = [[0x8d, 0x8c, 0x24], [0x8d, 0x94, 0x24]];
/// `stc` and a nop: the stack is too small whatever its size.
const TOO_SMALL: [u8; SIZE] = [0xf9, 0x66, 0x0f, 0x1f, 0x44, 0, 0];

/// The bytes of a prologue that asks for `more` bytes than `code` does, or for another stack in any
/// case; `None` for code that begins in another way.
fn enlarged(code: &[u8], more: u32) -> Option<Vec<u8>> {
    let mut bytes: [u8; SIZE] = code.get(..SIZE)?.try_into().ok()?;
    if bytes.starts_with(&COMPARE) {
        return Some(TOO_SMALL.into());
    }
    if !ADDRESS.iter().any(|start| bytes.starts_with(start)) {
        return None;
    }
    let displacement = i32::from_le_bytes([bytes[3], bytes[4], bytes[5], bytes[6]]);
    let lower = displacement.checked_sub_unsigned(more)?;
    bytes[3..].copy_from_slice(&lower.to_le_bytes());
    Some(bytes.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prologues_ask_for_more() {
        let compare = [0x65, 0x3b, 0x25, 0x30, 0, 0, 0, 0x72];
        assert_eq!(enlarged(&compare, 0x4000), Some(TOO_SMALL.into()));
        let address = [0x8d, 0x8c, 0x24, 0x00, 0xf0, 0xff, 0xff, 0x65];
        let lower = [0x8d, 0x8c, 0x24, 0x00, 0xb0, 0xff, 0xff];
        assert_eq!(enlarged(&address, 0x4000), Some(lower.into()));
        assert_eq!(enlarged(&[0x8d, 0x94, 0x24, 0, 0, 0, 0x80, 0x65], 1), None);
        assert_eq!(enlarged(&[0x55; 9], 1), None);
        assert_eq!(enlarged(&compare[..6], 1), None);
    }
}
