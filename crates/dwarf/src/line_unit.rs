//! Units reduced to what line numbers need (`--strip-debug-non-line`). Each keeps only its first
//! entry, with the attributes for line table, addresses, producer and source file (DWARF 5, section
//! 3.1.1). Strings are inline, so that no string table is needed.
//!
//! Objects that are not linked have relocations for addresses and offsets, so the result tells the
//! old and new place of each copied field.

use super::abbreviations::{Abbreviations, Attribute};
use super::units::{Unit, UnitKind};
use super::values::{self, Value, uleb};
use gimli::constants::*;
use skald_linking::cursor::Malformed;
use skald_linking::leb128::push_uleb128;
use std::ops::Range;

/// A unit that has been reduced.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LineUnit {
    /// The unit, with its header.
    pub info: Vec<u8>,
    /// Its table of abbreviations.
    pub abbreviations: Vec<u8>,
    /// Place of the field with the table's offset in the unit.
    pub abbreviations_at: u64,
    /// Fields that may have relocations.
    pub fields: Vec<MovedField>,
}

/// A field that was copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedField {
    /// Its old range in the section.
    pub from: Range<u64>,
    /// Its place in the reduced unit.
    pub to: u64,
    /// The field is an address or an offset into a section.
    pub is_reference: bool,
}

/// A string: its value, the place of the value, and the place of the base of string indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextField<'a> {
    /// The value, not relocated.
    pub value: Value<'a>,
    /// Its offset in the section.
    pub offset: u64,
    /// The offset in the section of DW_AT_str_offsets_base.
    pub string_offsets: Option<u64>,
}

/// Whether line numbers need this attribute of a unit.
fn is_kept(name: DwAt) -> bool {
    matches!(
        name,
        DW_AT_producer
            | DW_AT_language
            | DW_AT_name
            | DW_AT_comp_dir
            | DW_AT_stmt_list
            | DW_AT_low_pc
            | DW_AT_high_pc
            | DW_AT_ranges
            | DW_AT_addr_base
            | DW_AT_rnglists_base
            | DW_AT_GNU_addr_base
            | DW_AT_GNU_ranges_base
    )
}

/// Reduces `unit`, whose bytes from the header on are `bytes`. `None` for a unit without line
/// numbers of its own, which is a type unit or partial unit. `text` finds a string.
///
/// # Errors
/// If its first entry is broken, with the offset in the section.
pub fn reduce(
    unit: &Unit,
    bytes: &[u8],
    table: &Abbreviations,
    text: &dyn Fn(TextField<'_>) -> Option<Vec<u8>>,
) -> Result<Option<LineUnit>, Malformed> {
    if !matches!(unit.kind, UnitKind::Compile | UnitKind::Skeleton { .. }) {
        return Ok(None);
    }
    let mut at = usize::from(unit.header_size);
    let found = Entry::read(unit, bytes, table, &mut at);
    let broken = Malformed::new("broken first entry", unit.start as usize + at);
    Ok(found.ok_or(broken)?.map(|entry| entry.reduced(unit, bytes, text)))
}

/// The first entry of a unit.
struct Entry<'a> {
    values: Vec<(Attribute, Range<usize>, Value<'a>)>,
}

impl<'a> Entry<'a> {
    /// `None` in `Some` for a unit without entries.
    fn read(
        unit: &Unit,
        bytes: &'a [u8],
        table: &Abbreviations,
        at: &mut usize,
    ) -> Option<Option<Entry<'a>>> {
        if *at == bytes.len() {
            return Some(None);
        }
        let code = uleb(bytes, at)?;
        if code == 0 {
            return Some(None);
        }
        let abbreviation = table.get(code)?;
        let mut values = Vec::new();
        for attribute in table.attributes(abbreviation) {
            let start = *at;
            let constant = attribute.constant as u64;
            let value = values::read(bytes, at, attribute.form, constant, unit.encoding)?;
            values.push((*attribute, start..*at, value));
        }
        Some(Some(Entry { values }))
    }

    fn reduced(
        &self,
        unit: &Unit,
        bytes: &[u8],
        text: &dyn Fn(TextField<'_>) -> Option<Vec<u8>>,
    ) -> LineUnit {
        let at = |range: &Range<usize>| unit.start + range.start as u64;
        let base = self.values.iter().find(|(a, ..)| a.name == DW_AT_str_offsets_base);
        let string_offsets = base.map(|(_, range, _)| at(range));
        let mut reduced = LineUnit {
            info: header(unit),
            abbreviations_at: unit.abbreviations_at() - unit.start,
            ..LineUnit::default()
        };
        let LineUnit { info, abbreviations, fields, .. } = &mut reduced;
        info.push(1);
        push_uleb128(abbreviations, 1);
        // A reduced skeleton is a complete unit.
        push_uleb128(abbreviations, DW_TAG_compile_unit.0.into());
        abbreviations.push(0);
        for (attribute, range, value) in self.values.iter().filter(|(a, ..)| is_kept(a.name)) {
            let form = match value {
                Value::String(_)
                | Value::LineString(_)
                | Value::StringIndex(_)
                | Value::Text(_) => {
                    let field = TextField { value: *value, offset: at(range), string_offsets };
                    let found = match value {
                        Value::Text(text) => Some(text.to_vec()),
                        _ => text(field),
                    };
                    let Some(found) = found else { continue };
                    info.extend(found.into_iter().take_while(|&byte| byte != 0));
                    info.push(0);
                    DW_FORM_string
                }
                Value::Elsewhere => continue,
                _ => {
                    let is_reference = is_reference(attribute.name, value);
                    let from = at(range)..unit.start + range.end as u64;
                    fields.push(MovedField { from, to: info.len() as u64, is_reference });
                    info.extend_from_slice(&bytes[range.clone()]);
                    attribute.form
                }
            };
            push_uleb128(abbreviations, attribute.name.0.into());
            push_uleb128(abbreviations, form.0.into());
            if form == DW_FORM_implicit_const {
                push_sleb(abbreviations, attribute.constant);
            }
        }
        // The end of the abbreviation, and of the table.
        abbreviations.extend([0; 3]);
        enter_length(unit, info);
        reduced
    }
}

/// Whether a value is an address or an offset into a section. In DWARF 2 and 3, offsets look like
/// other numbers.
fn is_reference(name: DwAt, value: &Value<'_>) -> bool {
    let is_number = matches!(value, Value::Number(_));
    matches!(value, Value::Address(_) | Value::SectionOffset(_))
        || is_number && matches!(name, DW_AT_stmt_list | DW_AT_ranges)
}

/// The header of the reduced unit, with neither its length nor the offset of its abbreviations.
fn header(unit: &Unit) -> Vec<u8> {
    let encoding = unit.encoding;
    let offset = usize::from(encoding.offset_size);
    let mut header = Vec::new();
    if offset == 8 {
        header.extend([0xff; 4]);
    }
    header.resize(header.len() + offset, 0);
    header.extend(encoding.order.bytes(encoding.version));
    if encoding.version >= 5 {
        header.extend([DW_UT_compile.0, encoding.address_size]);
    }
    header.resize(header.len() + offset, 0);
    if encoding.version < 5 {
        header.push(encoding.address_size);
    }
    header
}

fn enter_length(unit: &Unit, info: &mut [u8]) {
    let offset = usize::from(unit.encoding.offset_size);
    let at = if offset == 8 { 4 } else { 0 };
    let len = (info.len() - at - offset) as u64;
    unit.encoding.order.put_low(&mut info[at..at + offset], len);
}

fn push_sleb(out: &mut Vec<u8>, mut value: i64) {
    loop {
        let byte = value as u8 & 0x7f;
        value >>= 7;
        if value == 0 && byte & 0x40 == 0 || value == -1 && byte & 0x40 != 0 {
            return out.push(byte);
        }
        out.push(byte | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skald_linking::byte_order::ByteOrder;

    /// DW_TAG_compile_unit with a name, a DW_AT_stmt_list, and a DW_AT_macro_info.
    const TABLE: [u8; 12] = [1, 0x11, 1, 0x03, 0x0e, 0x10, 0x17, 0x43, 0x17, 0, 0, 0];
    const UNIT: [u8; 25] =
        [21, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 1, 7, 0, 0, 0, 9, 0, 0, 0, 5, 0, 0, 0, 0];

    fn reduced(bytes: &[u8]) -> Result<Option<LineUnit>, Malformed> {
        let unit = Unit::parse(bytes, 0, bytes.len() as u64, false, ByteOrder::Little)?;
        let table = Abbreviations::parse(&TABLE, 0, unit.encoding)?;
        reduce(&unit, bytes, &table, &|field| {
            assert_eq!((field.value, field.offset), (Value::String(7), 12));
            Some(b"a.c\0b".to_vec())
        })
    }

    #[test]
    fn a_unit_is_its_first_entry() {
        let unit = reduced(&UNIT).expect("it is whole").expect("it has lines");
        let info = [16, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 1, b'a', b'.', b'c', 0, 9, 0, 0, 0];
        assert_eq!(unit.info, info);
        assert_eq!(unit.abbreviations, [1, 0x11, 0, 0x03, 0x08, 0x10, 0x17, 0, 0, 0]);
        assert_eq!(unit.abbreviations_at, 6);
        assert_eq!(unit.fields, [MovedField { from: 16..20, to: 16, is_reference: true }]);
    }

    #[test]
    fn what_is_cut_is_broken() {
        for len in 13..UNIT.len() - 1 {
            let mut bytes = UNIT[..len].to_vec();
            bytes[0] = len as u8 - 4;
            assert_eq!(reduced(&bytes).expect_err("cut").what, "broken first entry");
        }
        let mut empty = UNIT[..11].to_vec();
        empty[0] = 7;
        assert_eq!(reduced(&empty), Ok(None));
    }
}
