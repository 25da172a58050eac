//! The units of a `.dwo` file, and the id or signature of each.

use super::super::abbreviations::Abbreviations;
use super::super::units::{MAX_HEADER, Unit, UnitKind};
use super::first_entry;
use super::rows::Rows;
use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::Malformed;

/// A unit of a `.dwo` file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SplitUnit {
    /// Offset of its header in its section.
    pub start: u64,
    /// Length of the unit in bytes.
    pub len: u64,
    /// The id of a compilation unit, or the signature of a type.
    pub signature: u64,
    /// Which of the file's sections of this kind it is in.
    pub section: u32,
    /// Whether this is a type unit.
    pub is_type: bool,
    /// Whether the unit is in `.debug_types.dwo`.
    pub is_in_types: bool,
    /// DWARF version of the unit.
    pub version: u16,
    /// Bytes of an offset: 4 or 8.
    pub offset_size: u8,
    /// Its row in the tables of the file, if that is a package.
    pub row: Option<u32>,
}

/// The tables that are needed to read the units of a `.dwo` file.
#[derive(Clone, Copy)]
pub struct DwoTables<'a> {
    /// The order of bytes in numbers.
    pub order: ByteOrder,
    /// `.debug_abbrev.dwo`.
    pub abbreviations: &'a [u8],
    /// The rows of its units, if the file is a package.
    pub rows: Option<&'a Rows>,
}

/// The units of `bytes`, the file's `section`th section of its kind: `.debug_types.dwo` if
/// `is_in_types`, else `.debug_info.dwo`.
///
/// # Errors
/// With the offset in the section of what is broken.
pub fn read(
    bytes: &[u8],
    is_in_types: bool,
    section: u32,
    tables: DwoTables<'_>,
) -> Result<Vec<SplitUnit>, Malformed> {
    let DwoTables { order, abbreviations, rows } = tables;
    let mut units = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let start = (bytes.len() - rest.len()) as u64;
        let header = &rest[..rest.len().min(MAX_HEADER)];
        // Sections are padded with zeros where an assembler aligns them.
        if header.iter().all(|&byte| byte == 0) {
            rest = &rest[header.len()..];
            continue;
        }
        let unit = Unit::parse(header, start, rest.len() as u64, is_in_types, order)?;
        let (own, behind) = rest.split_at(unit.len as usize);
        let (row, (signature, is_type)) = match rows {
            None => (None, name(&unit, own, abbreviations)?),
            Some(rows) => {
                let unknown = Malformed::new("unit that the tables do not have", start as usize);
                let (row, signature, is_type) = rows.find(is_in_types, start).ok_or(unknown)?;
                (Some(row), (signature, is_type))
            }
        };
        units.push(SplitUnit {
            start,
            len: unit.len,
            signature,
            section,
            is_type,
            is_in_types,
            version: unit.encoding.version,
            offset_size: unit.encoding.offset_size,
            row,
        });
        rest = behind;
    }
    Ok(units)
}

/// The id or signature of a unit, and whether it is a type unit.
fn name(unit: &Unit, bytes: &[u8], abbreviations: &[u8]) -> Result<(u64, bool), Malformed> {
    let without = Malformed::new("unit without an id", unit.start as usize);
    match unit.kind {
        UnitKind::Type { signature, .. } => Ok((signature, true)),
        UnitKind::SplitCompile { dwo_id } => Ok((dwo_id, false)),
        UnitKind::Compile if unit.encoding.version < 5 => {
            let table = Abbreviations::parse(abbreviations, unit.abbreviations, unit.encoding)
                .map_err(|fault| Malformed::new(fault.what, unit.start as usize))?;
            let id = first_entry::read(unit, bytes, &table)?.dwo_id;
            Ok((id.ok_or(without)?, false))
        }
        _ => Err(without),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Abbreviation 1: DW_TAG_compile_unit with DW_AT_GNU_dwo_id of DW_FORM_data8.
    const ABBREVIATIONS: &[u8] = &[1, 0x11, 0, 0xb1, 0x42, 7, 0, 0, 0];

    fn old_unit() -> Vec<u8> {
        let mut unit = vec![16, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 1];
        unit.extend(0x1122_3344_5566_7788u64.to_le_bytes());
        unit
    }

    fn tables(abbreviations: &[u8]) -> DwoTables<'_> {
        DwoTables { order: ByteOrder::Little, abbreviations, rows: None }
    }

    #[test]
    fn ids_are_in_headers_or_in_the_first_entry() {
        let mut bytes = old_unit();
        // DW_UT_split_type with signature 9, and DW_UT_split_compile with id 7.
        bytes.extend([20, 0, 0, 0, 5, 0, 6, 8, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([17, 0, 0, 0, 5, 0, 5, 8, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([0; 3]);
        let units = read(&bytes, false, 2, tables(ABBREVIATIONS)).expect("whole units");
        let named: Vec<_> =
            units.iter().map(|u| (u.start, u.len, u.signature, u.is_type)).collect();
        let old = (0, 20, 0x1122_3344_5566_7788, false);
        assert_eq!(named, [old, (20, 24, 9, true), (44, 21, 7, false)]);
        assert!(units.iter().all(|unit| unit.section == 2 && !unit.is_in_types));
    }

    #[test]
    fn what_has_no_id_is_refused() {
        let what =
            |bytes: &[u8], table| read(bytes, false, 0, tables(table)).expect_err("no id").what;
        assert_eq!(what(&old_unit(), &[1, 0x11, 0, 0x10, 7, 0, 0, 0]), "unit without an id");
        assert_eq!(what(&old_unit(), &[]), "truncated abbreviations");
        assert_eq!(what(&old_unit()[..18], ABBREVIATIONS), "unit is longer than its section");
        // DW_UT_compile of DWARF 5.
        assert_eq!(what(&[8, 0, 0, 0, 5, 0, 1, 8, 0, 0, 0, 0], &[]), "unit without an id");
    }
}
