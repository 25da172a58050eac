//! The field of each relocation type: name, width, and range of values.

use std::fmt;

/// The values that a relocation's field can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Any value: the field is 64 bits wide, or there is none.
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
    /// Writes the low `size` bytes of `value` at `offset` of `section`, little-endian. The caller
    /// checks the range. `None`, with nothing written, if the field is not within the section or
    /// the type has no field of its own (`size` 0 or 16).
    #[inline]
    pub fn write(&self, section: &mut [u8], offset: usize, value: i64) -> Option<()> {
        let size = self.size as usize;
        let bytes = value.to_le_bytes();
        let source = bytes.get(..size).filter(|source| !source.is_empty())?;
        section.get_mut(offset..offset.checked_add(size)?)?.copy_from_slice(source);
        Some(())
    }
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
