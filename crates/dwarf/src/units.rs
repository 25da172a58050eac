//! Headers of units (DWARF 5, section 7.5.1), in `.debug_info` and `.debug_types`.

use super::values::{Encoding, fixed};
use gimli::constants::*;
use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::Malformed;

/// Maximum size of a header: that of a type unit of 64-bit DWARF.
pub const MAX_HEADER: usize = 40;

/// The fault of a unit of an unknown version.
pub const UNKNOWN_VERSION: &str = "unknown DWARF version";

/// The fault of a unit of an unknown kind.
pub const UNKNOWN_KIND: &str = "unknown type of unit";

/// The kind of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitKind {
    /// A compilation unit.
    Compile,
    /// A partial unit, which others import (`dwz`, link-time optimisation).
    Partial,
    /// A type unit, which others refer to by its signature.
    Type {
        /// The id of the type.
        signature: u64,
        /// The type's entry, by its distance from the unit's header.
        type_offset: u64,
    },
    /// A skeleton: the part in the program of a unit of a `.dwo` file (DWARF 5).
    Skeleton {
        /// The id that the skeleton shares with the unit of the `.dwo` file.
        dwo_id: u64,
    },
    /// A compilation unit of a `.dwo` file (DWARF 5).
    SplitCompile {
        /// The id that the unit shares with the skeleton.
        dwo_id: u64,
    },
}

/// A unit, by its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    /// Offset of the header in the section.
    pub start: u64,
    /// Bytes of the unit, with its header.
    pub len: u64,
    /// Bytes of the header: the distance of the first entry from `start`.
    pub header_size: u8,
    /// How values are encoded in it.
    pub encoding: Encoding,
    /// Offset of its abbreviations in `.debug_abbrev`.
    pub abbreviations: u64,
    /// The kind of the unit.
    pub kind: UnitKind,
}

impl Unit {
    /// Offset in the section of the header's `debug_abbrev_offset` field.
    pub fn abbreviations_at(&self) -> u64 {
        let length = if self.encoding.offset_size == 8 { 12 } else { 4 };
        self.start + length + if self.encoding.version >= 5 { 4 } else { 2 }
    }

    /// The unit at `start` of a section. `header` are the bytes from there on, up to
    /// [`MAX_HEADER`]; `room` is the number of bytes up to the end of the section.
    ///
    /// # Errors
    /// With the offset in the section.
    pub fn parse(
        header: &[u8],
        start: u64,
        room: u64,
        is_types_section: bool,
        order: ByteOrder,
    ) -> Result<Unit, Malformed> {
        let truncated = Malformed::new("truncated unit header", start as usize);
        let wrong = |what| Malformed::new(what, start as usize);
        let mut at = 0;
        let mut next = |size| fixed(header, &mut at, size, order).ok_or(truncated);
        let (offset_size, length) = match next(4)? {
            0xffff_ffff => (8, next(8)?),
            length @ 0..0xffff_fff0 => (4, length),
            _ => return Err(wrong("reserved unit length")),
        };
        let initial = if offset_size == 8 { 12 } else { 4 };
        let fits = length.checked_add(initial).filter(|&len| len <= room);
        let len = fits.ok_or(wrong("unit is longer than its section"))?;
        let version = next(2)? as u16;
        if !(2..=5).contains(&version) {
            return Err(wrong(UNKNOWN_VERSION));
        }
        let offset = usize::from(offset_size);
        let mut unit_type = if is_types_section { DW_UT_type } else { DW_UT_compile };
        let (address_size, abbreviations);
        if version == 5 {
            unit_type = DwUt(next(1)? as u8);
            address_size = next(1)? as u8;
            abbreviations = next(offset)?;
        } else {
            abbreviations = next(offset)?;
            address_size = next(1)? as u8;
        }
        let kind = match unit_type {
            DW_UT_compile => UnitKind::Compile,
            DW_UT_partial => UnitKind::Partial,
            DW_UT_skeleton => UnitKind::Skeleton { dwo_id: next(8)? },
            DW_UT_split_compile => UnitKind::SplitCompile { dwo_id: next(8)? },
            DW_UT_type | DW_UT_split_type => {
                UnitKind::Type { signature: next(8)?, type_offset: next(offset)? }
            }
            _ => return Err(wrong(UNKNOWN_KIND)),
        };
        if !(1..=8).contains(&address_size) {
            return Err(wrong("absurd size of addresses"));
        }
        if (at as u64) > len {
            return Err(truncated);
        }
        let encoding = Encoding { version, offset_size, address_size, order };
        Ok(Unit { start, len, header_size: at as u8, encoding, abbreviations, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8]) -> Result<Unit, Malformed> {
        Unit::parse(bytes, 0x10, 100, false, ByteOrder::Little)
    }

    #[test]
    fn headers_of_all_versions() {
        let unit = parse(&[8, 0, 0, 0, 4, 0, 0x34, 0x12, 0, 0, 8, 0]).expect("version 4");
        assert_eq!((unit.len, unit.header_size, unit.abbreviations), (12, 11, 0x1234));
        assert_eq!(unit.kind, UnitKind::Compile);
        let unit = parse(&[9, 0, 0, 0, 5, 0, 3, 8, 0x34, 0x12, 0, 0, 0]).expect("version 5");
        assert_eq!((unit.len, unit.header_size, unit.kind), (13, 12, UnitKind::Partial));
        let long = [255, 255, 255, 255, 12, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4];
        let unit = parse(&long).expect("64 bits");
        assert_eq!((unit.encoding.offset_size, unit.header_size, unit.len), (8, 23, 24));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |bytes: &[u8]| parse(bytes).expect_err("it is wrong").what;
        assert_eq!(error(&[8, 0, 0]), "truncated unit header");
        assert_eq!(error(&[200, 0, 0, 0, 4, 0]), "unit is longer than its section");
        assert_eq!(error(&[8, 0, 0, 0, 9, 0]), "unknown DWARF version");
        assert_eq!(error(&[2, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8]), "truncated unit header");
        assert_eq!(error(&[8, 0, 0, 0, 4, 0, 0, 0, 0, 0, 200]), "absurd size of addresses");
    }
}
