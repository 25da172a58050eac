//! The field of each relocation type: name, width, and range of values.

use skald_linking::byte_order::ByteOrder;
use std::fmt;

/// The values that a relocation's field can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Any value: the field has the size of an address, which wraps around, or there is none.
    Any,
    /// Sign-extended when it is read: `-2^(n-1) ..= 2^(n-1) - 1`.
    Signed(u8),
    /// Zero-extended when it is read: `0 ..= 2^n - 1`.
    Unsigned(u8),
    /// Read either way: `-2^(n-1) ..= 2^n - 1`.
    Either(u8),
}

impl Range {
    /// The lowest and highest value that fits, for "out of range" messages.
    pub const fn bounds(self) -> (i64, i64) {
        match self {
            Range::Any => (i64::MIN, i64::MAX),
            Range::Signed(bits) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            Range::Unsigned(bits) => (0, (1 << bits) - 1),
            Range::Either(bits) => (-(1 << (bits - 1)), (1 << bits) - 1),
        }
    }

    /// Whether `value` fits. 64-bit arithmetic that wrapped is read as signed: a sum such as
    /// `S + A - P` is exact modulo 2^64, which is what a 64-bit address space needs.
    pub const fn contains(self, value: i64) -> bool {
        let (low, high) = self.bounds();
        low <= value && value <= high
    }
}

/// One relocation type's name and field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Howto {
    /// The psABI's name.
    pub name: &'static str,
    /// Bytes the relocation writes at `r_offset`: 0, 1, 2, 4, 8, or 16 for the two words of
    /// a TLS descriptor (only the loader writes those).
    pub size: u8,
    /// The values the field can hold.
    pub range: Range,
}

impl Howto {
    /// The row of a number between others that the psABI does not define.
    pub const UNDEFINED: Howto = Howto { name: "", size: 0, range: Range::Any };

    /// Whether the psABI defines the number of the row.
    pub const fn is_defined(&self) -> bool {
        !self.name.is_empty()
    }

    /// Writes the low `size` bytes of `value` at `offset` of `section`; the caller checks the
    /// range. `None`, with nothing written, if the field is not within the section or the type
    /// has no field of its own (`size` 0 or 16).
    #[inline]
    pub fn write(
        &self,
        order: ByteOrder,
        section: &mut [u8],
        offset: usize,
        value: i64,
    ) -> Option<()> {
        let size = Some(usize::from(self.size)).filter(|size| (1..=8).contains(size))?;
        let field = section.get_mut(offset..offset.checked_add(size)?)?;
        order.put_low(field, value as u64);
        Some(())
    }
}

/// A type without a field.
pub const fn none(name: &'static str) -> Howto {
    Howto { name, size: 0, range: Range::Any }
}

/// A type whose field holds any value.
pub const fn data(name: &'static str, size: u8) -> Howto {
    Howto { name, size, range: Range::Any }
}

/// A type whose field holds a range of values.
pub const fn narrow(name: &'static str, size: u8, range: Range) -> Howto {
    Howto { name, size, range }
}

/// The name of a relocation type as the psABI spells it, or `unknown (N)`. It implements `Display`
/// and is not a `String`, so that a message can be built around it without allocating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelocationName {
    /// The number of the type.
    pub r_type: u32,
    /// `None` for a number that the psABI does not define.
    pub howto: Option<&'static Howto>,
}

impl fmt::Display for RelocationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.howto {
            Some(howto) => f.pad(howto.name),
            None => write!(f, "unknown ({})", self.r_type),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_the_order_of_the_file() {
        use ByteOrder::{Big, Little};
        let howto = |size| Howto { name: "", size, range: Range::Any };
        let written = |order, size: u8| {
            let mut section = [0xee; 9];
            howto(size).write(order, &mut section, 1, 0x1122_3344_5566_7788)?;
            Some(section)
        };
        let with = |field: &[u8]| {
            let mut section = [0xee; 9];
            section[1..=field.len()].copy_from_slice(field);
            Some(section)
        };
        assert_eq!(written(Little, 2), with(&[0x88, 0x77]));
        assert_eq!(written(Big, 2), with(&[0x77, 0x88]));
        assert_eq!(written(Little, 4), with(&[0x88, 0x77, 0x66, 0x55]));
        assert_eq!(written(Big, 4), with(&[0x55, 0x66, 0x77, 0x88]));
        assert_eq!(written(Big, 8), with(&[0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]));
        assert_eq!([written(Big, 0), written(Little, 16)], [None, None]);
        assert_eq!(howto(4).write(Big, &mut [0; 4], 1, 0), None);
    }
}
