//! Finds all references of a unit to entries, and whether the unit can be rewritten.

use super::expressions::{self, Target};
use super::identity::is_expression;
use super::owners::OwnedId;
use super::rewrite::{Field, FieldValue, NewUnit};
use super::shapes::MAX_ATTRIBUTES;
use super::tree::{EntryId, Tree, is_sibling};
use crate::location_lists;
use crate::values::{Value, reference_size};
use gimli::constants::*;
use skald_linking::cursor::Malformed;
use std::ops::Range;

/// The fault of a unit that refers to entries in an unknown way.
pub const UNKNOWN_REFERENCE: &str = "entry with a location of an unknown kind";

/// What a unit refers to.
#[derive(Debug, Default)]
pub struct UnitReferences {
    /// Offsets in `.debug_info` of the entries that the unit refers to by such an offset,
    /// unordered.
    pub offsets: Vec<u64>,
    /// The unit has references that stay valid only if none of its entries moves.
    pub is_rigid: bool,
}

/// Finds the references of a unit.
///
/// # Errors
/// If there may be references that cannot be found, with the offset in the section.
pub fn outward(tree: &Tree<'_>) -> Result<UnitReferences, Malformed> {
    let mut outward = UnitReferences { offsets: Vec::new(), is_rigid: is_strange(tree) };
    walk(tree, &mut |target, place| match target {
        Target::Section(offset) => {
            outward.offsets.push(offset);
            outward.is_rigid |= matches!(place, Place::Sibling(_));
        }
        Target::UnitLeb(distance) | Target::Unit(distance) => {
            outward.is_rigid |= tree.at(distance).is_none();
        }
        Target::Index => {}
    })?;
    Ok(outward)
}

/// The unchanged unit, with all fields that have to be filled when it moves, and the types `owned`
/// that it keeps for others.
pub fn moved(tree: &Tree<'_>, owned: &[(EntryId, OwnedId)]) -> Result<NewUnit, Malformed> {
    let table = tree.unit().abbreviations as usize..tree.abbreviations().end();
    let table = tree.view.sections.abbreviations.get(table).unwrap_or_default().to_vec();
    let line_table = line_table(tree);
    let mut new =
        NewUnit { bytes: tree.view.bytes.to_vec(), table, line_table, ..NewUnit::default() };
    for &(entry, id) in owned {
        let starts = tree.within(entry).map(|inside| tree.entries[inside].start);
        new.owned.push((id, starts.collect()));
    }
    walk(tree, &mut |target, place| {
        let Target::Section(offset) = target else { return };
        let (Place::Unit(at) | Place::Sibling(at) | Place::List(at)) = &place;
        let field =
            Field { at: at.start as u64, size: at.len() as u8, to: FieldValue::Old(offset) };
        match place {
            Place::List(_) => new.list_fields.push(field),
            _ => new.fields.push(field),
        }
    })?;
    Ok(new)
}

/// DW_AT_stmt_list of the first entry: its place and value.
fn line_table(tree: &Tree<'_>) -> Option<(Range<usize>, u64)> {
    let mut found = None;
    tree.attributes(EntryId::ROOT, |attribute, value, at| {
        if let Value::SectionOffset(offset) | Value::Number(offset) = value
            && attribute.name == DW_AT_stmt_list
        {
            found = Some((at, offset));
        }
        Some(())
    })?;
    found
}

/// The place of a reference.
enum Place {
    /// An attribute of the unit.
    Unit(Range<usize>),
    /// DW_AT_sibling of an entry of the unit.
    Sibling(Range<usize>),
    /// A list in the section of location lists.
    List(Range<usize>),
}

/// Whether an abbreviation has something that a rewritten one cannot have.
fn is_strange(tree: &Tree<'_>) -> bool {
    tree.abbreviations().all().iter().any(|shape| {
        let attributes = tree.abbreviations().attributes(shape);
        // Numbers above 16 bits are not supported.
        attributes.len() > MAX_ATTRIBUTES
            || shape.tag.0 == u16::MAX
            || attributes
                .iter()
                .any(|attribute| attribute.name.0 == u16::MAX || attribute.form == DW_FORM_indirect)
    })
}

/// Calls `found` with all references of a unit.
fn walk(tree: &Tree<'_>, found: &mut dyn FnMut(Target, Place)) -> Result<(), Malformed> {
    let (view, encoding) = (&tree.view, tree.unit().encoding);
    for id in tree.entries.ids() {
        let walked = tree.attributes(id, |attribute, value, at| {
            match value {
                Value::UnitEntry(_) if is_sibling(attribute) => {}
                Value::UnitEntry(distance) => found(Target::Unit(distance), Place::Unit(at)),
                Value::Entry(offset) => {
                    let at = at.end - reference_size(encoding)..at.end;
                    if is_sibling(attribute) {
                        found(Target::Section(offset), Place::Sibling(at))
                    } else {
                        found(Target::Section(offset), Place::Unit(at))
                    }
                }
                Value::Block(block) if is_expression(attribute, encoding) => {
                    let range = at.end - block.len()..at.end;
                    expressions::references(view.bytes, range, encoding, &mut |target, at| {
                        found(target, Place::Unit(at));
                        Some(())
                    })?;
                }
                _ => {}
            }
            let Some(list) = location_lists::list(view, attribute, value) else { return Some(()) };
            let bytes = location_lists::section(view);
            location_lists::expressions(view, list, &mut |range| {
                expressions::references(bytes, range, encoding, &mut |target, at| {
                    found(target, Place::List(at));
                    Some(())
                })
            })
        });
        if walked.is_none() {
            return Err(view.fault(UNKNOWN_REFERENCE, tree.entries[id].start as usize));
        }
    }
    Ok(())
}
