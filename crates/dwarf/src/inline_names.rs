//! Names that stand in the entries of an input, and in no `.debug_str` (DW_FORM_string).
//!
//! Compilers use this form for names shorter than an offset. To read them from an input, only the
//! offset of a unit's abbreviations has to be relocated.

use super::abbreviations::{Abbreviation, Abbreviations, Attribute, may_be_listed};
use super::name_index::added_strings::ANONYMOUS;
use super::units::{MAX_HEADER, Unit};
use super::values::{self, Value, uleb};
use gimli::constants::*;
use skald_core::unordered::UnorderedSet;
use skald_linking::byte_order::ByteOrder;

/// Enters the inline names of entries that `.debug_names` may list, for the units of one input.
/// Reading ends at a broken unit, which is reported when the table is made.
pub fn inline_names(
    info: &[u8],
    abbreviations: &[u8],
    order: ByteOrder,
    table_of: impl Fn(&Unit) -> u64,
    names: &mut UnorderedSet<Box<[u8]>>,
) {
    let mut at = 0;
    let mut known: Option<(u64, Abbreviations, bool)> = None;
    while let Some(rest) = info.get(at..).filter(|rest| !rest.is_empty()) {
        let header = &rest[..rest.len().min(MAX_HEADER)];
        if header.iter().all(|&byte| byte == 0) {
            at += header.len();
            continue;
        }
        let unit = Unit::parse(header, at as u64, rest.len() as u64, false, order);
        let Ok(unit) = unit else { return };
        let start = table_of(&unit);
        if known.as_ref().is_none_or(|(other, ..)| *other != start) {
            let Ok(table) = Abbreviations::parse(abbreviations, start, unit.encoding) else {
                return;
            };
            let has_inline = table.all().iter().any(|shape| has_inline_name(&table, shape));
            let is_nameless = |shape| is_nameless_namespace(&table, shape);
            if table.all().iter().any(is_nameless) {
                names.insert(ANONYMOUS.into());
            }
            known = Some((start, table, has_inline));
        }
        let Some((_, table, has_inline)) = &known else { return };
        let Some(bytes) = rest.get(..unit.len as usize) else { return };
        if *has_inline {
            let _ = enter(bytes, &unit, table, names);
        }
        at += unit.len as usize;
    }
}

/// Whether an attribute is a name that may be inline.
fn is_inline_name(attribute: &Attribute) -> bool {
    matches!(attribute.name, DW_AT_name | DW_AT_linkage_name | DW_AT_MIPS_linkage_name)
        && matches!(attribute.form, DW_FORM_string | DW_FORM_indirect)
}

/// Whether entries of an abbreviation have inline names that the table may need: those of listed
/// entries, or of declarations that listed entries complete.
fn has_inline_name(table: &Abbreviations, shape: &Abbreviation) -> bool {
    let attributes = table.attributes(shape);
    let is_wanted = match shape.tag {
        // A static variable of a class, up to DWARF 4.
        DW_TAG_member => attributes.iter().any(|attribute| attribute.name == DW_AT_external),
        tag => may_be_listed(tag),
    };
    is_wanted && attributes.iter().any(is_inline_name)
}

fn is_nameless_namespace(table: &Abbreviations, shape: &Abbreviation) -> bool {
    let is_name = |attribute: &Attribute| attribute.name == DW_AT_name;
    shape.tag == DW_TAG_namespace && !table.attributes(shape).iter().any(is_name)
}

/// Enters the inline names of one unit.
fn enter(
    bytes: &[u8],
    unit: &Unit,
    table: &Abbreviations,
    names: &mut UnorderedSet<Box<[u8]>>,
) -> Option<()> {
    let mut at = usize::from(unit.header_size);
    while at < bytes.len() {
        let code = uleb(bytes, &mut at)?;
        if code == 0 {
            continue;
        }
        let abbreviation = table.get(code)?;
        if !has_inline_name(table, abbreviation) {
            table.skip(abbreviation, bytes, &mut at)?;
            continue;
        }
        for attribute in table.attributes(abbreviation) {
            if !is_inline_name(attribute) {
                table.skip_one(attribute, bytes, &mut at)?;
                continue;
            }
            let value = values::read(bytes, &mut at, attribute.form, 0, unit.encoding)?;
            if let Value::Text(text) = value
                && !names.contains(text)
            {
                names.insert(text.into());
            }
        }
    }
    Some(())
}
