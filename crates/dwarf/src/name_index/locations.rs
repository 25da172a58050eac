//! Whether DW_AT_location gives a variable a static or thread-local address (DWARF 5, sections 2.6
//! and 6.1.1.1).

use crate::entries::UnitView;
use crate::location_lists;
use crate::values::Value;
use gimli::{EndianSlice, Expression, Format, Operation, RunTimeEndian};
use skald_linking::byte_order::ByteOrder;

/// Whether a location includes a static or thread-local address.
pub fn has_address(view: &UnitView<'_>, location: Value<'_>) -> bool {
    match location {
        Value::Block(expression) => expression_has_address(view, expression),
        Value::SectionOffset(offset) | Value::Number(offset) => list_has_address(view, offset),
        Value::ListIndex(index) => location_lists::indexed(view, index)
            .is_some_and(|offset| list_has_address(view, offset)),
        _ => false,
    }
}

/// Whether one of the locations of a list includes such an address; a broken list counts up to the
/// fault.
fn list_has_address(view: &UnitView<'_>, offset: u64) -> bool {
    let bytes = location_lists::section(view);
    let mut has_address = false;
    let _ = location_lists::expressions(view, offset, &mut |range| {
        has_address = expression_has_address(view, &bytes[range]);
        (!has_address).then_some(())
    });
    has_address
}

/// Whether an expression pushes such an address.
fn expression_has_address(view: &UnitView<'_>, expression: &[u8]) -> bool {
    let encoding = view.unit.encoding;
    let endian = match encoding.order {
        ByteOrder::Little => RunTimeEndian::Little,
        ByteOrder::Big => RunTimeEndian::Big,
    };
    let encoding = gimli::Encoding {
        address_size: encoding.address_size,
        format: if encoding.offset_size == 8 { Format::Dwarf64 } else { Format::Dwarf32 },
        version: encoding.version,
    };
    let expression = Expression(EndianSlice::new(expression, endian));
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
