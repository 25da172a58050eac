//! Checked reading of fields and LEB128 numbers from untrusted bytes.
//!
//! Parsers read through a [`Cursor`], so that truncation is detected in one place. Nothing here
//! allocates or panics. LEB128: DWARF 5, 7.6 and appendix C; numbers that do not fit 64 bits are
//! refused, redundant trailing bytes (which assemblers emit as padding) are not.

use crate::byte_order::ByteOrder;
use std::fmt;

/// Why bytes of an input could not be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed {
    /// What is wrong, without saying where.
    pub what: &'static str,
    /// Offset of the error in the slice that was parsed, in bytes.
    pub offset: usize,
}

impl Malformed {
    /// The error `what` at `offset`.
    pub const fn new(what: &'static str, offset: usize) -> Malformed {
        Malformed { what, offset }
    }

    /// The same error, for a slice that starts `base` bytes into what the caller parses.
    pub const fn moved_by(self, base: usize) -> Malformed {
        Malformed { what: self.what, offset: self.offset.saturating_add(base) }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {:#x}", self.what, self.offset)
    }
}

impl std::error::Error for Malformed {}

/// A position in a slice of bytes.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of `bytes`.
    pub const fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0 }
    }

    /// A cursor at byte `at` of `bytes`; reads past the end report truncation.
    pub fn starting_at(bytes: &'a [u8], at: usize) -> Cursor<'a> {
        Cursor { bytes, at: at.min(bytes.len()) }
    }

    /// Offset from the start of the slice, in bytes.
    pub const fn position(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub const fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Whether nothing is left.
    pub const fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    /// The next `count` bytes; `what` names the structure in the error.
    #[inline]
    pub fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], Malformed> {
        match self.bytes[self.at..].get(..count) {
            Some(taken) => {
                self.at += count;
                Ok(taken)
            }
            None => Err(Malformed::new(what, self.at)),
        }
    }

    /// The next `N` bytes.
    #[inline]
    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Malformed> {
        match self.bytes[self.at..].first_chunk::<N>() {
            Some(array) => {
                self.at += N;
                Ok(*array)
            }
            None => Err(Malformed::new(what, self.at)),
        }
    }

    /// The next byte.
    #[inline]
    pub fn u8(&mut self, what: &'static str) -> Result<u8, Malformed> {
        self.array::<1>(what).map(|[byte]| byte)
    }

    /// The next 4 bytes, as a number.
    #[inline]
    pub fn u32(&mut self, order: ByteOrder, what: &'static str) -> Result<u32, Malformed> {
        self.array(what).map(|bytes| order.number(bytes))
    }

    /// The next 8 bytes, as a number.
    #[inline]
    pub fn u64(&mut self, order: ByteOrder, what: &'static str) -> Result<u64, Malformed> {
        self.array(what).map(|bytes| order.number(bytes))
    }

    /// The bytes up to the next NUL, which is consumed and not returned.
    pub fn c_string(&mut self, what: &'static str) -> Result<&'a [u8], Malformed> {
        let rest = &self.bytes[self.at..];
        let len = memchr::memchr(0, rest).ok_or(Malformed::new(what, self.at))?;
        self.at += len + 1;
        Ok(&rest[..len])
    }

    /// An unsigned LEB128 number.
    #[inline]
    pub fn uleb128(&mut self, what: &'static str) -> Result<u64, Malformed> {
        let start = self.at;
        let mut value = 0u64;
        let mut shift = 0u32;
        loop {
            let byte = self.u8(what)?;
            let bits = u64::from(byte & 0x7f);
            if shift < 64 {
                if (bits << shift) >> shift != bits {
                    return Err(Malformed::new("LEB128 number exceeds 64 bits", start));
                }
                value |= bits << shift;
            } else if bits != 0 {
                return Err(Malformed::new("LEB128 number exceeds 64 bits", start));
            }
            if byte & 0x80 == 0 {
                return Ok(value);
            }
            shift = shift.saturating_add(7);
        }
    }

    /// A signed LEB128 number.
    #[inline]
    pub fn sleb128(&mut self, what: &'static str) -> Result<i64, Malformed> {
        let start = self.at;
        let mut value = 0i64;
        let mut shift = 0u32;
        loop {
            let byte = self.u8(what)?;
            let bits = i64::from(byte & 0x7f);
            if shift < 63 {
                value |= bits << shift;
            } else {
                // Only copies of the sign bit may follow: bit 63 at shift 63, padding after it.
                let sign = if shift == 63 { bits & 1 != 0 } else { value < 0 };
                if bits != if sign { 0x7f } else { 0 } {
                    return Err(Malformed::new("LEB128 number exceeds 64 bits", start));
                }
                if shift == 63 {
                    value |= bits << 63;
                }
            }
            shift = shift.saturating_add(7);
            if byte & 0x80 == 0 {
                if shift < 64 && byte & 0x40 != 0 {
                    value |= -1 << shift;
                }
                return Ok(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn uleb(bytes: &[u8]) -> Option<u64> {
        Cursor::new(bytes).uleb128("number").ok()
    }

    fn sleb(bytes: &[u8]) -> Option<i64> {
        Cursor::new(bytes).sleb128("number").ok()
    }

    #[test]
    fn leb128_of_the_dwarf_standard() {
        assert_eq!(uleb(&[2]), Some(2));
        assert_eq!(uleb(&[0x80, 1]), Some(128));
        assert_eq!(uleb(&[0xb9, 0x64]), Some(12857));
        assert_eq!(sleb(&[0x7e]), Some(-2));
        assert_eq!(sleb(&[0xff, 0]), Some(127));
        assert_eq!(sleb(&[0x80, 0x7f]), Some(-128));
        assert_eq!(sleb(&[0xff, 0x7e]), Some(-129));
    }

    #[test]
    fn leb128_limits() {
        let mut max = [0xff; 10];
        max[9] = 1;
        assert_eq!(uleb(&max), Some(u64::MAX));
        max[9] = 2;
        assert_eq!(uleb(&max), None, "65 bits");
        assert_eq!(uleb(&[0x80, 0x80]), None, "no last byte");
        assert_eq!(uleb(&[0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0]), Some(5));
        let mut min = [0x80; 10];
        min[9] = 0x7f;
        assert_eq!(sleb(&min), Some(i64::MIN));
        min[9] = 0x3f;
        assert_eq!(sleb(&min), None);
    }

    #[test]
    fn truncation_says_where() {
        let mut cursor = Cursor::new(&[1, 2, 3]);
        cursor.u8("byte").unwrap();
        assert_eq!(cursor.u32(ByteOrder::Big, "word"), Err(Malformed::new("word", 1)));
        assert_eq!(cursor.c_string("name"), Err(Malformed::new("name", 1)));
        assert_eq!(cursor.take(2, "rest"), Ok(&[2, 3][..]));
        assert!(cursor.is_empty());
    }

    proptest! {
        #[test]
        fn leb128_round_trips(value: u64) {
            let mut bytes = Vec::new();
            let mut rest = value;
            while rest >= 0x80 {
                bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8);
            prop_assert_eq!(uleb(&bytes), Some(value));
            let mut bytes = Vec::new();
            let mut rest = value as i64;
            while !(-0x40..0x40).contains(&rest) {
                bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8 & 0x7f);
            prop_assert_eq!(sleb(&bytes), Some(value as i64));
        }
    }
}
