//! Whether a variable has an address that does not change while the program runs, or one of each
//! thread: what DW_AT_location says (DWARF 5, sections 2.6 and 6.1.1.1).

use crate::dwarf::entries::UnitView;
use crate::dwarf::values::{Value, fixed, uleb};
use gimli::constants::*;
use gimli::{EndianSlice, Expression, Format, LittleEndian, Operation};

/// Whether a location includes such an address.
pub fn has_address(view: &UnitView<'_>, location: Value<'_>) -> bool {
    match location {
        Value::Block(expression) => expression_has_address(view, expression),
        Value::SectionOffset(offset) | Value::Number(offset) => {
            list_has_address(view, offset).unwrap_or(false)
        }
        Value::ListIndex(index) => indexed_list(view, index)
            .and_then(|offset| list_has_address(view, offset))
            .unwrap_or(false),
        _ => false,
    }
}

/// Where the list with an index begins.
fn indexed_list(view: &UnitView<'_>, index: u64) -> Option<u64> {
    let (base, size) = (view.root.location_lists, view.unit.encoding.offset_size);
    let at = index.checked_mul(size.into())?.checked_add(base)?;
    let mut at = usize::try_from(at).ok()?;
    fixed(view.sections.location_lists, &mut at, size.into())?.checked_add(base)
}

/// Whether one of the locations of a list includes such an address; `None` if the list is broken
/// before one does.
fn list_has_address(view: &UnitView<'_>, offset: u64) -> Option<bool> {
    let mut at = usize::try_from(offset).ok()?;
    if view.unit.encoding.version < 5 {
        return old_list_has_address(view, &mut at);
    }
    let bytes = view.sections.location_lists;
    let address = usize::from(view.unit.encoding.address_size);
    loop {
        let kind = DwLle(fixed(bytes, &mut at, 1)? as u8);
        // How many numbers and addresses stand before the location, if there is one.
        let (numbers, addresses, has_location) = match kind {
            DW_LLE_end_of_list => return Some(false),
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
            let location = bytes.get(at..at.checked_add(size)?)?;
            if expression_has_address(view, location) {
                return Some(true);
            }
            at += size;
        }
    }
}

/// [`list_has_address`] for a list of DWARF 2 to 4 in `.debug_loc`.
fn old_list_has_address(view: &UnitView<'_>, at: &mut usize) -> Option<bool> {
    let bytes = view.sections.locations;
    let size = usize::from(view.unit.encoding.address_size);
    let base = u64::MAX >> (64 - 8 * size.clamp(1, 8));
    loop {
        let (start, end) = (fixed(bytes, at, size)?, fixed(bytes, at, size)?);
        if (start, end) == (0, 0) {
            return Some(false);
        }
        if start == base {
            continue;
        }
        let len = fixed(bytes, at, 2)? as usize;
        if expression_has_address(view, bytes.get(*at..*at + len)?) {
            return Some(true);
        }
        *at += len;
    }
}

/// Whether an expression pushes such an address.
fn expression_has_address(view: &UnitView<'_>, expression: &[u8]) -> bool {
    let encoding = view.unit.encoding;
    let encoding = gimli::Encoding {
        address_size: encoding.address_size,
        format: if encoding.offset_size == 8 { Format::Dwarf64 } else { Format::Dwarf32 },
        version: encoding.version,
    };
    let expression = Expression(EndianSlice::new(expression, LittleEndian));
    let mut operations = expression.operations(encoding);
    while let Ok(Some(operation)) = operations.next() {
        let is_address = matches!(
            operation,
            Operation::Address { .. } | Operation::AddressIndex { .. } | Operation::TLS
        );
        if is_address {
            return true;
        }
    }
    false
}
