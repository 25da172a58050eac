//! Values of attributes: their forms (DWARF 5, section 7.5.6) and sizes.

use gimli::constants::*;
use skald_linking::byte_order::ByteOrder;

/// The properties that the encoding of a value depends on, besides its form: those in the header of
/// its unit, and the byte order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Encoding {
    /// DWARF version: 2 to 5.
    pub version: u16,
    /// Bytes of an offset into a section: 4, or 8 in the 64-bit format.
    pub offset_size: u8,
    /// Bytes of an address: 1 to 8.
    pub address_size: u8,
    /// The byte order, which is a property of the file and not of the unit.
    pub order: ByteOrder,
}

/// How the end of a value is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The value has this many bytes.
    Fixed(u32),
    /// A LEB128 number.
    Leb,
    /// A string with its NUL.
    Text,
    /// A block behind its length, which is a number of this many bytes.
    Block(u8),
    /// A block behind its length, a LEB128 number.
    LebBlock,
    /// DW_FORM_indirect: the actual form as a LEB128 number, and a value of that form.
    Indirect,
}

/// How the end of a value of `form` is found; `None` for a form that no standard has.
pub fn extent(form: DwForm, encoding: Encoding) -> Option<Extent> {
    let offset = Extent::Fixed(u32::from(encoding.offset_size));
    Some(match form {
        DW_FORM_flag_present | DW_FORM_implicit_const => Extent::Fixed(0),
        DW_FORM_data1 | DW_FORM_ref1 | DW_FORM_flag | DW_FORM_strx1 | DW_FORM_addrx1 => {
            Extent::Fixed(1)
        }
        DW_FORM_data2 | DW_FORM_ref2 | DW_FORM_strx2 | DW_FORM_addrx2 => Extent::Fixed(2),
        DW_FORM_strx3 | DW_FORM_addrx3 => Extent::Fixed(3),
        DW_FORM_data4 | DW_FORM_ref4 | DW_FORM_strx4 | DW_FORM_addrx4 | DW_FORM_ref_sup4 => {
            Extent::Fixed(4)
        }
        DW_FORM_data8 | DW_FORM_ref8 | DW_FORM_ref_sig8 | DW_FORM_ref_sup8 => Extent::Fixed(8),
        DW_FORM_data16 => Extent::Fixed(16),
        DW_FORM_addr => Extent::Fixed(u32::from(encoding.address_size)),
        DW_FORM_ref_addr => Extent::Fixed(reference_size(encoding) as u32),
        DW_FORM_sec_offset | DW_FORM_strp | DW_FORM_line_strp | DW_FORM_strp_sup
        | DW_FORM_GNU_ref_alt | DW_FORM_GNU_strp_alt => offset,
        DW_FORM_sdata
        | DW_FORM_udata
        | DW_FORM_ref_udata
        | DW_FORM_strx
        | DW_FORM_addrx
        | DW_FORM_loclistx
        | DW_FORM_rnglistx
        | DW_FORM_GNU_addr_index
        | DW_FORM_GNU_str_index => Extent::Leb,
        DW_FORM_string => Extent::Text,
        DW_FORM_block1 => Extent::Block(1),
        DW_FORM_block2 => Extent::Block(2),
        DW_FORM_block4 => Extent::Block(4),
        DW_FORM_block | DW_FORM_exprloc => Extent::LebBlock,
        DW_FORM_indirect => Extent::Indirect,
        _ => return None,
    })
}

/// Bytes of a reference to another unit (DW_FORM_ref_addr).
pub fn reference_size(encoding: Encoding) -> usize {
    let Encoding { version, offset_size, address_size, .. } = encoding;
    usize::from(if version <= 2 { address_size } else { offset_size })
}

/// A value, by what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// An address of the program.
    Address(u64),
    /// Index of an address, relative to the unit's base in `.debug_addr`.
    AddressIndex(u64),
    /// A number, or in DWARF 2 and 3 an offset into a section.
    Number(u64),
    /// An offset into the section that the attribute refers to.
    SectionOffset(u64),
    /// An entry of the same unit, by its distance from the unit's header.
    UnitEntry(u64),
    /// An entry by its offset in `.debug_info`.
    Entry(u64),
    /// The type of a type unit, by its signature.
    Signature(u64),
    /// A string by its offset in `.debug_str`.
    String(u64),
    /// A string by its offset in `.debug_line_str`.
    LineString(u64),
    /// A string by its index, relative to the unit's base in `.debug_str_offsets`.
    StringIndex(u64),
    /// An inline string, without its NUL.
    Text(&'a [u8]),
    /// A flag (DW_FORM_flag and DW_FORM_flag_present).
    Flag(bool),
    /// A location, or bytes.
    Block(&'a [u8]),
    /// Index of a range list or location list, relative to the unit's base.
    ListIndex(u64),
    /// A reference into a supplementary file.
    Elsewhere,
}

/// Reads an unsigned LEB128 number and moves `at` behind it. Bits beyond 64 are dropped.
#[inline(always)]
pub fn uleb(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let first = *bytes.get(*at)?;
    *at += 1;
    if first < 0x80 {
        return Some(u64::from(first));
    }
    long_uleb(bytes, at, u64::from(first & 0x7f))
}

#[inline(never)]
fn long_uleb(bytes: &[u8], at: &mut usize, mut value: u64) -> Option<u64> {
    let mut shift = 7;
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        if shift < 64 {
            value |= u64::from(byte & 0x7f) << shift;
        }
        shift = (shift + 7).min(64);
        if byte < 0x80 {
            return Some(value);
        }
    }
}

/// Reads the byte at `at` and moves `at` behind it.
#[inline(always)]
pub fn byte(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let byte = *bytes.get(*at)?;
    *at += 1;
    Some(byte.into())
}

/// Reads a number of `size` bytes, at most 8, and moves `at` behind it.
#[inline(always)]
pub fn fixed(bytes: &[u8], at: &mut usize, size: usize, order: ByteOrder) -> Option<u64> {
    // This branch, which always goes the same way, is the only cost of byte orders in the loop over
    // entries.
    if order == ByteOrder::Big {
        return any_fixed(bytes, at, size, order);
    }
    let rest = bytes.get(*at..)?;
    // Each size has its own case: a copy of variable length would be a call.
    let value = match size {
        4 => u64::from(u32::from_le_bytes(*rest.first_chunk()?)),
        8 => u64::from_le_bytes(*rest.first_chunk()?),
        1 => u64::from(*rest.first()?),
        2 => u64::from(u16::from_le_bytes(*rest.first_chunk()?)),
        _ => return any_fixed(bytes, at, size, order),
    };
    *at += size;
    Some(value)
}

/// [`fixed`] for all sizes and both orders.
#[cold]
fn any_fixed(bytes: &[u8], at: &mut usize, size: usize, order: ByteOrder) -> Option<u64> {
    let field = bytes.get(*at..)?.get(..size).filter(|field| field.len() <= 8)?;
    *at += size;
    Some(order.unsigned(field))
}

/// Moves `at` behind a value.
#[inline(always)]
pub fn skip(bytes: &[u8], at: &mut usize, extent: Extent, encoding: Encoding) -> Option<()> {
    match extent {
        Extent::Fixed(size) => *at += size as usize,
        Extent::Leb => {
            while *bytes.get(*at)? >= 0x80 {
                *at += 1;
            }
            *at += 1;
        }
        Extent::LebBlock => {
            let len = uleb(bytes, at)?;
            *at = at.checked_add(usize::try_from(len).ok()?)?;
        }
        Extent::Text => *at += text(bytes, *at)?.len() + 1,
        Extent::Block(size) => {
            let len = fixed(bytes, at, usize::from(size), encoding.order)?;
            *at = at.checked_add(len as usize)?;
        }
        Extent::Indirect => {
            let form = indirect(bytes, at)?;
            return skip_direct(bytes, at, self::extent(form, encoding)?, encoding);
        }
    }
    Some(())
}

/// [`skip`] for the form of a DW_FORM_indirect value, which is not indirect again.
#[cold]
fn skip_direct(bytes: &[u8], at: &mut usize, extent: Extent, encoding: Encoding) -> Option<()> {
    if extent == Extent::Indirect { None } else { skip(bytes, at, extent, encoding) }
}

/// The form that stands before a value of DW_FORM_indirect.
#[cold]
fn indirect(bytes: &[u8], at: &mut usize) -> Option<DwForm> {
    let form = DwForm(u16::try_from(uleb(bytes, at)?).ok()?);
    // DW_FORM_implicit_const has its value in the abbreviation, so it cannot be indirect.
    (form != DW_FORM_indirect && form != DW_FORM_implicit_const).then_some(form)
}

/// The string at `at`, without its NUL.
fn text(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let rest = bytes.get(at..)?;
    Some(&rest[..memchr::memchr(0, rest)?])
}

/// Reads the value of `form` at `at` and moves `at` behind it. `constant` is the value of
/// DW_FORM_implicit_const.
#[inline]
pub fn read<'a>(
    bytes: &'a [u8],
    at: &mut usize,
    form: DwForm,
    constant: u64,
    encoding: Encoding,
) -> Option<Value<'a>> {
    let (offset, order) = (usize::from(encoding.offset_size), encoding.order);
    Some(match form {
        DW_FORM_strp => Value::String(fixed(bytes, at, offset, order)?),
        DW_FORM_line_strp => Value::LineString(fixed(bytes, at, offset, order)?),
        DW_FORM_string => {
            let text = text(bytes, *at)?;
            *at += text.len() + 1;
            Value::Text(text)
        }
        DW_FORM_ref4 => Value::UnitEntry(fixed(bytes, at, 4, order)?),
        DW_FORM_flag_present => Value::Flag(true),
        DW_FORM_flag => Value::Flag(byte(bytes, at)? != 0),
        DW_FORM_implicit_const => Value::Number(constant),
        DW_FORM_addr => {
            Value::Address(fixed(bytes, at, usize::from(encoding.address_size), order)?)
        }
        DW_FORM_sec_offset => Value::SectionOffset(fixed(bytes, at, offset, order)?),
        DW_FORM_ref1 => Value::UnitEntry(byte(bytes, at)?),
        DW_FORM_ref2 => Value::UnitEntry(fixed(bytes, at, 2, order)?),
        DW_FORM_ref8 => Value::UnitEntry(fixed(bytes, at, 8, order)?),
        DW_FORM_ref_udata => Value::UnitEntry(uleb(bytes, at)?),
        DW_FORM_ref_sig8 => Value::Signature(fixed(bytes, at, 8, order)?),
        DW_FORM_strx | DW_FORM_GNU_str_index => Value::StringIndex(uleb(bytes, at)?),
        DW_FORM_strx1 => Value::StringIndex(byte(bytes, at)?),
        DW_FORM_strx2 => Value::StringIndex(fixed(bytes, at, 2, order)?),
        DW_FORM_strx3 => Value::StringIndex(fixed(bytes, at, 3, order)?),
        DW_FORM_strx4 => Value::StringIndex(fixed(bytes, at, 4, order)?),
        DW_FORM_addrx | DW_FORM_GNU_addr_index => Value::AddressIndex(uleb(bytes, at)?),
        DW_FORM_addrx1 => Value::AddressIndex(byte(bytes, at)?),
        DW_FORM_addrx2 => Value::AddressIndex(fixed(bytes, at, 2, order)?),
        DW_FORM_addrx3 => Value::AddressIndex(fixed(bytes, at, 3, order)?),
        DW_FORM_addrx4 => Value::AddressIndex(fixed(bytes, at, 4, order)?),
        DW_FORM_rnglistx | DW_FORM_loclistx => Value::ListIndex(uleb(bytes, at)?),
        DW_FORM_udata | DW_FORM_sdata => Value::Number(uleb(bytes, at)?),
        DW_FORM_indirect => {
            let form = indirect(bytes, at)?;
            return read(bytes, at, form, 0, encoding);
        }
        _ => return read_other(bytes, at, form, encoding),
    })
}

/// Values of the forms that names and addresses do not have.
fn read_other<'a>(
    bytes: &'a [u8],
    at: &mut usize,
    form: DwForm,
    encoding: Encoding,
) -> Option<Value<'a>> {
    let extent = extent(form, encoding)?;
    let start = *at;
    skip(bytes, at, extent, encoding)?;
    let whole = bytes.get(start..*at)?;
    Some(match (form, extent) {
        (DW_FORM_ref_addr, _) => Value::Entry(encoding.order.unsigned(whole)),
        (DW_FORM_data16, _) => Value::Block(whole),
        (DW_FORM_data1 | DW_FORM_data2 | DW_FORM_data4 | DW_FORM_data8, _) => {
            Value::Number(encoding.order.unsigned(whole))
        }
        (_, Extent::Block(size)) => Value::Block(&whole[usize::from(size)..]),
        (_, Extent::LebBlock) => {
            let mut content = 0;
            uleb(whole, &mut content)?;
            Value::Block(&whole[content..])
        }
        _ => Value::Elsewhere,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENCODING: Encoding =
        Encoding { version: 5, offset_size: 4, address_size: 8, order: ByteOrder::Little };

    #[test]
    fn a_value_ends_where_skipping_it_ends() {
        let bytes: Vec<u8> = (0..64u8).map(|at| if at % 5 == 4 { 0 } else { at % 9 }).collect();
        for form in (0..0x2d).map(DwForm).filter(|&form| form != DW_FORM_indirect) {
            let Some(extent) = extent(form, ENCODING) else { continue };
            let (mut read_end, mut skip_end) = (0, 0);
            let value = read(&bytes, &mut read_end, form, 7, ENCODING);
            let skipped = skip(&bytes, &mut skip_end, extent, ENCODING);
            // A block's length may exceed the remaining bytes.
            if value.is_none() && (skipped.is_none() || skip_end > bytes.len()) {
                continue;
            }
            assert_eq!(read_end, skip_end, "{form}");
        }
    }

    #[test]
    fn truncated_values_are_none() {
        let none = |form| assert_eq!(read(&[0x80], &mut 0, form, 0, ENCODING), None, "{form}");
        [DW_FORM_udata, DW_FORM_strp, DW_FORM_string, DW_FORM_exprloc, DW_FORM_block4]
            .into_iter()
            .for_each(none);
        assert_eq!(read(&[0x16, 0x16, 1], &mut 0, DW_FORM_indirect, 0, ENCODING), None);
    }

    #[test]
    fn numbers_of_both_orders() {
        let bytes = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        for order in [ByteOrder::Little, ByteOrder::Big] {
            for size in 1..=8 {
                let mut at = 1;
                let number = order.unsigned(&bytes[1..=size]);
                assert_eq!(fixed(&bytes, &mut at, size, order), Some(number));
                assert_eq!(at, size + 1);
                assert_eq!(fixed(&bytes[..size], &mut 1, size, order), None);
            }
            assert_eq!(fixed(&bytes, &mut 0, 9, order), None);
        }
        assert_eq!(fixed(&bytes, &mut 1, 3, ByteOrder::Big), Some(0x01_0203));
    }

    #[test]
    fn numbers_beyond_64_bits_keep_their_low_bits() {
        let bytes = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        let mut at = 0;
        assert_eq!(uleb(&bytes, &mut at), Some(u64::MAX));
        assert_eq!(at, bytes.len());
    }
}
