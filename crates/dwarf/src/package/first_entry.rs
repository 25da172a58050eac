//! The attributes of a unit's first entry about the `.dwo` file that has the rest of the unit, or
//! that the unit is in. Objects that are not linked have relocations for offsets, so each value
//! comes with its place.

use super::super::abbreviations::Abbreviations;
use super::super::units::Unit;
use super::super::values::{self, Value, uleb};
use gimli::constants::*;
use skald_linking::cursor::Malformed;

/// A value, and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// The value, not relocated.
    pub value: Value<'a>,
    /// Its offset in the section.
    pub offset: u64,
}

/// Attributes of a unit's first entry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FirstEntry<'a> {
    /// DW_AT_dwo_name or DW_AT_GNU_dwo_name: the `.dwo` file, if the unit is a skeleton.
    pub dwo_name: Option<Field<'a>>,
    /// DW_AT_comp_dir: the directory that the name is relative to.
    pub directory: Option<Field<'a>>,
    /// DW_AT_str_offsets_base: the base of string indices.
    pub string_offsets: Option<Field<'a>>,
    /// DW_AT_GNU_dwo_id: the id of the unit in both files, up to DWARF 4.
    pub dwo_id: Option<u64>,
}

/// Reads the first entry of `unit`, whose bytes from the header on are `bytes`.
///
/// # Errors
/// If it is broken, with the offset in the section.
pub fn read<'a>(
    unit: &Unit,
    bytes: &'a [u8],
    abbreviations: &Abbreviations,
) -> Result<FirstEntry<'a>, Malformed> {
    let mut at = usize::from(unit.header_size);
    let mut first = FirstEntry::default();
    let found = fields(unit, bytes, abbreviations, &mut at, &mut first);
    found.ok_or(Malformed::new("broken first entry", unit.start as usize + at))?;
    Ok(first)
}

fn fields<'a>(
    unit: &Unit,
    bytes: &'a [u8],
    abbreviations: &Abbreviations,
    at: &mut usize,
    first: &mut FirstEntry<'a>,
) -> Option<()> {
    if *at == bytes.len() {
        return Some(());
    }
    let code = uleb(bytes, at)?;
    if code == 0 {
        return Some(());
    }
    let abbreviation = abbreviations.get(code)?;
    for attribute in abbreviations.attributes(abbreviation) {
        let offset = unit.start + *at as u64;
        let constant = attribute.constant as u64;
        let value = values::read(bytes, at, attribute.form, constant, unit.encoding)?;
        let field = Some(Field { value, offset });
        match (attribute.name, value) {
            (DW_AT_dwo_name | DW_AT_GNU_dwo_name, _) => first.dwo_name = field,
            (DW_AT_comp_dir, _) => first.directory = field,
            (DW_AT_str_offsets_base, _) => first.string_offsets = field,
            (DW_AT_GNU_dwo_id, Value::Number(id)) => first.dwo_id = Some(id),
            _ => {}
        }
    }
    Some(())
}
