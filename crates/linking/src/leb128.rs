//! Writes LEB128 numbers (DWARF 5, 7.6); [`Cursor`](crate::cursor::Cursor) reads them.

/// Adds a number without sign, in as few bytes as it needs.
pub fn push_uleb128(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cursor::Cursor;

    #[test]
    fn numbers_are_read_back() {
        for value in [0, 1, 127, 128, 16383, 16384, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            push_uleb128(&mut bytes, value);
            assert_eq!(Cursor::new(&bytes).uleb128("").ok(), Some(value));
        }
    }
}
