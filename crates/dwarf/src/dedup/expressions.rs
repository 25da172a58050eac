//! Operands of expressions that refer to entries (DWARF 5, section 2.5). GNU's extensions have the
//! same operands as the operations of DWARF 5 that replaced them.

use crate::values::{Encoding, byte, fixed, reference_size, uleb};
use gimli::constants::*;
use skald_linking::byte_order::ByteOrder;
use std::ops::Range;

/// What an operand refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// An entry of the same unit, by its distance from the header as a LEB128 number.
    UnitLeb(u64),
    /// An entry of the same unit, by its distance from the header as a number of fixed size.
    Unit(u64),
    /// An entry by its offset in `.debug_info`.
    Section(u64),
    /// A place in another section, by an index relative to a base of the unit.
    Index,
}

/// Operands of operations, classified by their length and by what they refer to.
#[derive(Clone, Copy)]
enum Operand {
    Fixed(usize),
    Address,
    Leb,
    Block(usize),
    LebBlock,
    Expression,
    UnitLeb,
    Unit(usize),
    Section,
    Index,
}

/// The operands of an operation; `None` if the operation is not known.
fn operands(operation: DwOp) -> Option<&'static [Operand]> {
    use Operand::*;
    Some(match operation {
        DW_OP_addr => &[Address],
        DW_OP_const1u | DW_OP_const1s | DW_OP_pick | DW_OP_deref_size | DW_OP_xderef_size => {
            &[Fixed(1)]
        }
        DW_OP_const2u | DW_OP_const2s | DW_OP_bra | DW_OP_skip => &[Fixed(2)],
        DW_OP_const4u | DW_OP_const4s => &[Fixed(4)],
        DW_OP_const8u | DW_OP_const8s => &[Fixed(8)],
        DW_OP_constu | DW_OP_consts | DW_OP_plus_uconst | DW_OP_regx | DW_OP_fbreg
        | DW_OP_piece => &[Leb],
        DW_OP_bregx | DW_OP_bit_piece => &[Leb, Leb],
        DW_OP_implicit_value => &[LebBlock],
        DW_OP_call2 => &[Unit(2)],
        DW_OP_call4 | DW_OP_GNU_parameter_ref => &[Unit(4)],
        // The second is DW_OP_GNU_variable_value.
        DW_OP_call_ref | DwOp(0xfd) => &[Section],
        DW_OP_implicit_pointer | DW_OP_GNU_implicit_pointer => &[Section, Leb],
        DW_OP_addrx | DW_OP_constx | DW_OP_GNU_addr_index | DW_OP_GNU_const_index => &[Index],
        DW_OP_entry_value | DW_OP_GNU_entry_value => &[Expression],
        DW_OP_const_type | DW_OP_GNU_const_type => &[UnitLeb, Block(1)],
        DW_OP_regval_type | DW_OP_GNU_regval_type => &[Leb, UnitLeb],
        DW_OP_deref_type | DW_OP_GNU_deref_type | DW_OP_xderef_type => &[Fixed(1), UnitLeb],
        DW_OP_convert | DW_OP_GNU_convert | DW_OP_reinterpret | DW_OP_GNU_reinterpret => &[UnitLeb],
        // The second is DW_OP_GNU_uninit.
        DW_OP_GNU_push_tls_address | DwOp(0xf0) => &[],
        DwOp(0x70..=0x8f) => &[Leb],
        DW_OP_deref | DwOp(0x12..=0x14 | 0x16..=0x22 | 0x24..=0x27 | 0x29..=0x2e) => &[],
        DwOp(0x30..=0x6f) | DwOp(0x96 | 0x97 | 0x9b | 0x9c | 0x9f) => &[],
        _ => return None,
    })
}

/// Maximum nesting of expressions (DW_OP_entry_value).
const MAX_DEPTH: usize = 4;

/// Calls `found` with each reference of the expression at `range` of `bytes`, and the place of the
/// operand.
///
/// # Errors
/// If the expression is broken or has an operation that is not known, or `found` returns `None`.
pub fn references(
    bytes: &[u8],
    range: Range<usize>,
    encoding: Encoding,
    found: &mut dyn FnMut(Target, Range<usize>) -> Option<()>,
) -> Option<()> {
    nested(bytes, range, encoding, MAX_DEPTH, found)
}

fn nested(
    bytes: &[u8],
    range: Range<usize>,
    encoding: Encoding,
    depth: usize,
    found: &mut dyn FnMut(Target, Range<usize>) -> Option<()>,
) -> Option<()> {
    let bytes = bytes.get(..range.end)?;
    let mut at = range.start;
    while at < range.end {
        let operation = DwOp(byte(bytes, &mut at)? as u8);
        for operand in operands(operation)? {
            let start = at;
            let target = match *operand {
                Operand::Fixed(size) => {
                    at += size;
                    None
                }
                Operand::Address => {
                    at += usize::from(encoding.address_size);
                    None
                }
                Operand::Leb => uleb(bytes, &mut at).map(|_| None)?,
                Operand::Block(size) => {
                    let len = fixed(bytes, &mut at, size, encoding.order)? as usize;
                    at = at.checked_add(len)?;
                    None
                }
                Operand::LebBlock | Operand::Expression => {
                    let len = usize::try_from(uleb(bytes, &mut at)?).ok()?;
                    let end = at.checked_add(len).filter(|&end| end <= bytes.len())?;
                    if matches!(operand, Operand::Expression) {
                        nested(bytes, at..end, encoding, depth.checked_sub(1)?, found)?;
                    }
                    at = end;
                    None
                }
                // Zero is not an entry, but means the generic type.
                Operand::UnitLeb => {
                    Some(uleb(bytes, &mut at)?).filter(|&to| to != 0).map(Target::UnitLeb)
                }
                Operand::Unit(size) => {
                    Some(Target::Unit(fixed(bytes, &mut at, size, encoding.order)?))
                }
                Operand::Section => {
                    let size = reference_size(encoding);
                    Some(Target::Section(fixed(bytes, &mut at, size, encoding.order)?))
                }
                Operand::Index => uleb(bytes, &mut at).map(|_| Some(Target::Index))?,
            };
            if let Some(target) = target {
                found(target, start..at)?;
            }
        }
    }
    (at == range.end).then_some(())
}

/// Writes `value` as a LEB128 number of exactly `out.len()` bytes; `None` if it does not fit.
pub fn write_padded(mut value: u64, out: &mut [u8]) -> Option<()> {
    let (last, others) = out.split_last_mut()?;
    for byte in others {
        *byte = value as u8 & 0x7f | 0x80;
        value >>= 7;
    }
    *last = u8::try_from(value).ok().filter(|&byte| byte < 0x80)?;
    Some(())
}

/// Writes `value` in the first bytes of `out`, 8 at most; `None` if it does not fit.
pub fn write_fixed(value: u64, out: &mut [u8], order: ByteOrder) -> Option<()> {
    let len = out.len().min(8);
    let field = &mut out[..len];
    order.put_low(field, value);
    (order.unsigned(field) == value).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENCODING: Encoding =
        Encoding { version: 5, offset_size: 4, address_size: 8, order: ByteOrder::Little };

    fn all(bytes: &[u8]) -> Option<Vec<(Target, Range<usize>)>> {
        let mut all = Vec::new();
        references(bytes, 0..bytes.len(), ENCODING, &mut |target, range| {
            all.push((target, range));
            Some(())
        })?;
        Some(all)
    }

    #[test]
    fn references_are_found() {
        // DW_OP_entry_value (DW_OP_regval_type 1, 0x85), DW_OP_convert 0, DW_OP_stack_value.
        let bytes = [0xa3, 4, 0xa5, 1, 0x85, 0x01, 0xa8, 0, 0x9f];
        assert_eq!(all(&bytes), Some(vec![(Target::UnitLeb(0x85), 4..6)]));
        let bytes = [0xa0, 0x10, 0x20, 0, 0, 0x7f];
        assert_eq!(all(&bytes), Some(vec![(Target::Section(0x2010), 1..5)]));
        assert_eq!(all(&[0x91, 0x80]), None);
        assert_eq!(all(&[0xff]), None);
        assert_eq!(all(&[0xa3, 9, 0x30]), None);
    }

    #[test]
    fn numbers_keep_their_length() {
        let mut out = [0; 3];
        write_padded(5, &mut out).expect("it fits");
        assert_eq!(uleb(&out, &mut 0), Some(5));
        assert_eq!(write_padded(1 << 21, &mut out), None);
        assert_eq!(write_fixed(0x1_0000, &mut out[..2], ByteOrder::Little), None);
    }
}
