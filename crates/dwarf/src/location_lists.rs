//! The expressions of location lists (DWARF 5, section 7.7.3; DWARF 4, section 2.6.2).

use crate::abbreviations::Attribute;
use crate::entries::UnitView;
use crate::values::{Encoding, Value, byte, fixed, uleb};
use gimli::constants::*;
use std::ops::Range;

/// The offset of the location list that an attribute's value refers to, if it refers to one.
pub fn list(view: &UnitView<'_>, attribute: &Attribute, value: Value<'_>) -> Option<u64> {
    let is_location = is_location(attribute.name);
    let encoding = view.unit.encoding;
    match value {
        Value::ListIndex(index) if attribute.form == DW_FORM_loclistx => indexed(view, index),
        Value::SectionOffset(offset) if is_location => Some(offset),
        // Before DWARF 4, a number with the size of an offset is an offset of a list.
        Value::Number(offset)
            if is_location
                && encoding.version < 4
                && matches!(attribute.form, DW_FORM_data4 | DW_FORM_data8) =>
        {
            Some(offset)
        }
        _ => None,
    }
}

/// The offset of the list with an index.
pub fn indexed(view: &UnitView<'_>, index: u64) -> Option<u64> {
    let (base, size) = (view.root.location_lists, view.unit.encoding.offset_size);
    let at = index.checked_mul(size.into())?.checked_add(base)?;
    let mut at = usize::try_from(at).ok()?;
    fixed(view.sections.location_lists, &mut at, size.into(), view.unit.encoding.order)?
        .checked_add(base)
}

/// Whether values of an attribute may be location lists.
pub fn is_location(name: DwAt) -> bool {
    matches!(
        name,
        DW_AT_location
            | DW_AT_string_length
            | DW_AT_return_addr
            | DW_AT_data_member_location
            | DW_AT_frame_base
            | DW_AT_segment
            | DW_AT_static_link
            | DW_AT_use_location
            | DW_AT_vtable_elem_location
    )
}

/// The section with the location lists of a unit.
pub fn section<'a>(view: &UnitView<'a>) -> &'a [u8] {
    if view.unit.encoding.version < 5 {
        view.sections.locations
    } else {
        view.sections.location_lists
    }
}

/// Calls `found` with the range of each expression of the list at `offset` of [`section`].
///
/// # Errors
/// If the list is broken, or `found` returns `None`.
pub fn expressions(
    view: &UnitView<'_>,
    offset: u64,
    found: &mut dyn FnMut(Range<usize>) -> Option<()>,
) -> Option<()> {
    let mut at = usize::try_from(offset).ok()?;
    let bytes = section(view);
    let address = usize::from(view.unit.encoding.address_size);
    if view.unit.encoding.version < 5 {
        return old_expressions(bytes, &mut at, view.unit.encoding, found);
    }
    loop {
        let kind = DwLle(byte(bytes, &mut at)? as u8);
        // The number of LEB128 numbers and addresses before the expression, and whether there is
        // one.
        let (numbers, addresses, has_location) = match kind {
            DW_LLE_end_of_list => return Some(()),
            DW_LLE_base_addressx => (1, 0, false),
            DW_LLE_startx_endx | DW_LLE_startx_length | DW_LLE_offset_pair => (2, 0, true),
            DW_LLE_default_location => (0, 0, true),
            DW_LLE_base_address => (0, 1, false),
            DW_LLE_start_end => (0, 2, true),
            DW_LLE_start_length => (1, 1, true),
            DW_LLE_GNU_view_pair => (2, 0, false),
            _ => return None,
        };
        at = at.checked_add(addresses * address)?;
        for _ in 0..numbers {
            uleb(bytes, &mut at)?;
        }
        if has_location {
            let size = usize::try_from(uleb(bytes, &mut at)?).ok()?;
            let end = at.checked_add(size).filter(|&end| end <= bytes.len())?;
            found(at..end)?;
            at = end;
        }
    }
}

fn old_expressions(
    bytes: &[u8],
    at: &mut usize,
    encoding: Encoding,
    found: &mut dyn FnMut(Range<usize>) -> Option<()>,
) -> Option<()> {
    let (address, order) = (usize::from(encoding.address_size), encoding.order);
    let base = u64::MAX >> (64 - 8 * address as u32).min(63);
    loop {
        let low = fixed(bytes, at, address, order)?;
        let high = fixed(bytes, at, address, order)?;
        if (low, high) == (0, 0) {
            return Some(());
        }
        if low == base {
            continue;
        }
        let size = fixed(bytes, at, 2, order)? as usize;
        let end = at.checked_add(size).filter(|&end| end <= bytes.len())?;
        found(*at..end)?;
        *at = end;
    }
}
