//! The addresses that a unit covers: DW_AT_low_pc and DW_AT_high_pc, `.debug_ranges` (DWARF 4,
//! section 2.17), `.debug_rnglists` (DWARF 5, section 2.17.3) and `.debug_aranges`.

use super::sections::Sections;
use super::values::{Encoding, Value, byte, fixed, uleb};
use gimli::constants::*;
use skald_linking::byte_order::ByteOrder;
use std::ops::Range;

/// The attributes of a unit's first entry that addresses depend on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bases {
    /// DW_AT_low_pc: the base of ranges.
    pub low: Option<u64>,
    /// DW_AT_addr_base: offset of the unit's addresses in `.debug_addr`.
    pub addresses: u64,
    /// DW_AT_rnglists_base: offset of the unit's table of lists in `.debug_rnglists`.
    pub range_lists: u64,
    /// DW_AT_GNU_ranges_base: added to offsets into `.debug_ranges`, in units of a `.dwo` file.
    pub ranges: u64,
}

impl Bases {
    /// The address with this index in `.debug_addr`.
    pub fn indexed(&self, sections: &Sections<'_>, index: u64, encoding: Encoding) -> Option<u64> {
        let size = u64::from(encoding.address_size);
        let at = index.checked_mul(size)?.checked_add(self.addresses)?;
        let at = &mut usize::try_from(at).ok()?;
        fixed(sections.addresses, at, size as usize, encoding.order)
    }

    /// The address that a value is, or refers to by an index.
    pub fn address(
        &self,
        sections: &Sections<'_>,
        value: Value<'_>,
        encoding: Encoding,
    ) -> Option<u64> {
        match value {
            Value::Address(address) => Some(address),
            Value::AddressIndex(index) => self.indexed(sections, index, encoding),
            _ => None,
        }
    }

    /// The ranges that a DW_AT_ranges with this value refers to; `None` if they are broken.
    pub fn list(
        &self,
        sections: &Sections<'_>,
        value: Value<'_>,
        encoding: Encoding,
    ) -> Option<Vec<Range<u64>>> {
        match (value, encoding.version) {
            (Value::ListIndex(index), _) => {
                let size = u64::from(encoding.offset_size);
                let entry = index.checked_mul(size)?.checked_add(self.range_lists)?;
                let entry = &mut usize::try_from(entry).ok()?;
                let offset = fixed(sections.range_lists, entry, size as usize, encoding.order)?;
                self.range_list(sections, offset.checked_add(self.range_lists)?, encoding)
            }
            (Value::SectionOffset(offset) | Value::Number(offset), 5..) => {
                self.range_list(sections, offset, encoding)
            }
            (Value::SectionOffset(offset) | Value::Number(offset), _) => {
                self.old_ranges(sections.ranges, offset, encoding)
            }
            _ => None,
        }
    }

    /// The list at `offset` of `.debug_ranges`.
    fn old_ranges(&self, bytes: &[u8], offset: u64, encoding: Encoding) -> Option<Vec<Range<u64>>> {
        let (size, order) = (usize::from(encoding.address_size), encoding.order);
        let largest = u64::MAX >> (64 - 8 * size as u32);
        let mut at = usize::try_from(offset.checked_add(self.ranges)?).ok()?;
        let mut base = self.low.unwrap_or(0);
        let mut found = Vec::new();
        loop {
            let start = fixed(bytes, &mut at, size, order)?;
            let end = fixed(bytes, &mut at, size, order)?;
            if start == largest {
                base = end;
            } else if (start, end) == (0, 0) {
                return Some(found);
            } else {
                push(&mut found, base.wrapping_add(start), base.wrapping_add(end));
            }
        }
    }

    /// The list at `offset` of `.debug_rnglists`.
    fn range_list(
        &self,
        sections: &Sections<'_>,
        offset: u64,
        encoding: Encoding,
    ) -> Option<Vec<Range<u64>>> {
        let bytes = sections.range_lists;
        let (size, order) = (usize::from(encoding.address_size), encoding.order);
        let mut at = usize::try_from(offset).ok()?;
        let mut base = self.low.unwrap_or(0);
        let mut found = Vec::new();
        loop {
            let kind = DwRle(byte(bytes, &mut at)? as u8);
            let indexed = |at: &mut usize| self.indexed(sections, uleb(bytes, at)?, encoding);
            let (start, end) = match kind {
                DW_RLE_end_of_list => return Some(found),
                DW_RLE_base_addressx => {
                    base = indexed(&mut at)?;
                    continue;
                }
                DW_RLE_base_address => {
                    base = fixed(bytes, &mut at, size, order)?;
                    continue;
                }
                DW_RLE_startx_endx => (indexed(&mut at)?, indexed(&mut at)?),
                DW_RLE_startx_length => {
                    let start = indexed(&mut at)?;
                    (start, start.wrapping_add(uleb(bytes, &mut at)?))
                }
                DW_RLE_offset_pair => {
                    let start = base.wrapping_add(uleb(bytes, &mut at)?);
                    (start, base.wrapping_add(uleb(bytes, &mut at)?))
                }
                DW_RLE_start_end => {
                    (fixed(bytes, &mut at, size, order)?, fixed(bytes, &mut at, size, order)?)
                }
                DW_RLE_start_length => {
                    let start = fixed(bytes, &mut at, size, order)?;
                    (start, start.wrapping_add(uleb(bytes, &mut at)?))
                }
                _ => return None,
            };
            push(&mut found, start, end);
        }
    }
}

/// Adds the range `start..end` unless it is empty.
fn push(found: &mut Vec<Range<u64>>, start: u64, end: u64) {
    if start < end {
        found.push(start..end);
    }
}

/// The ranges of `.debug_aranges`, each with the offset of its unit in `.debug_info`. Reading ends
/// at the first broken set.
pub fn address_ranges(bytes: &[u8], order: ByteOrder) -> Vec<(u64, Range<u64>)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let Some(next) = address_range_set(bytes, at, order, &mut found) else { break };
        at = next;
    }
    found
}

/// Reads the set at `start`; returns where the next one begins.
fn address_range_set(
    bytes: &[u8],
    start: usize,
    order: ByteOrder,
    found: &mut Vec<(u64, Range<u64>)>,
) -> Option<usize> {
    let mut at = start;
    let (offset_size, length) = match fixed(bytes, &mut at, 4, order)? {
        0xffff_ffff => (8, fixed(bytes, &mut at, 8, order)?),
        length => (4, length),
    };
    let next = at.checked_add(usize::try_from(length).ok()?)?;
    let set = bytes.get(..next)?;
    let _version = fixed(set, &mut at, 2, order)?;
    let unit = fixed(set, &mut at, offset_size, order)?;
    let size = byte(set, &mut at)? as usize;
    let segment_size = byte(set, &mut at)? as usize;
    if !(1..=8).contains(&size) {
        return None;
    }
    // Entries are aligned to twice the size of an address, relative to the start of the set.
    at = start + (at - start).next_multiple_of(2 * size);
    loop {
        at = at.checked_add(segment_size)?;
        let Some(address) = fixed(set, &mut at, size, order) else { return Some(next) };
        let Some(len) = fixed(set, &mut at, size, order) else { return Some(next) };
        if (address, len) == (0, 0) {
            return Some(next);
        }
        if len != 0 {
            found.push((unit, address..address.wrapping_add(len)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_sections::{self, Numbers};

    const ENCODING: Encoding =
        Encoding { version: 4, offset_size: 4, address_size: 8, order: ByteOrder::Little };

    fn sections<'a>(lists: &'a [u8], old: &'a [u8], addresses: &'a [u8]) -> Sections<'a> {
        Sections { addresses, ranges: old, range_lists: lists, ..Sections::default() }
    }

    fn words(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn old_ranges_count_from_the_base() {
        let bytes = words(&[1, 1, 0x10, 0x20, u64::MAX, 0x1000, 4, 8, 0, 0, 9, 10]);
        let bases = Bases { low: Some(0x100), ..Bases::default() };
        let found = bases.list(&sections(&[], &bytes, &[]), Value::SectionOffset(0), ENCODING);
        assert_eq!(found, Some(vec![0x110..0x120, 0x1004..0x1008]));
        let found =
            bases.list(&sections(&[], &bytes[..40], &[]), Value::SectionOffset(0), ENCODING);
        assert_eq!(found, None);
    }

    #[test]
    fn range_lists_have_addresses_and_indices() {
        let encoding = Encoding { version: 5, ..ENCODING };
        let mut bytes = vec![4, 0, 0, 0, 7];
        bytes.splice(4..5, [DW_RLE_startx_length.0, 1, 0x10, DW_RLE_start_end.0]);
        bytes.extend(words(&[0x40, 0x50]));
        bytes.extend([DW_RLE_base_addressx.0, 0, DW_RLE_offset_pair.0, 2, 2, DW_RLE_offset_pair.0]);
        bytes.extend([2, 3, DW_RLE_end_of_list.0]);
        let addresses = words(&[0x9000, 0x1000]);
        let found = Bases::default().list(
            &sections(&bytes, &[], &addresses),
            Value::ListIndex(0),
            encoding,
        );
        assert_eq!(found, Some(vec![0x1000..0x1010, 0x40..0x50, 0x9002..0x9003]));
    }

    #[test]
    fn sets_of_address_ranges() {
        for numbers in test_sections::ALL {
            let size = numbers.address_size;
            let ranges = [0x1000, 0x20, 0x2000, 0, 0, 0].map(|word| numbers.address(word));
            let content = [
                &numbers.number(2_u16)[..],
                &numbers.number(0x44_u32),
                &[size, 0, 0, 0, 0, 0],
                &ranges.concat(),
            ]
            .concat();
            let bytes = [numbers.number(content.len() as u32), content].concat();
            let found = |bytes: &[u8]| address_ranges(bytes, numbers.order);
            assert_eq!(found(&bytes), [(0x44, 0x1000..0x1020)]);
            assert_eq!(found(&bytes[..bytes.len() - 1]), []);
        }
    }

    #[test]
    fn old_ranges_of_all_programs() {
        for numbers in test_sections::ALL {
            let Numbers { order, address_size } = numbers;
            let encoding = Encoding { order, address_size, ..ENCODING };
            let words = [0x10, 0x20, u64::MAX, 0x1000, 4, 8, 0, 0];
            let bytes = words.map(|word| numbers.address(word)).concat();
            let sections = sections(&[], &bytes, &[]);
            let found = Bases::default().list(&sections, Value::SectionOffset(0), encoding);
            assert_eq!(found, Some(vec![0x10..0x20, 0x1004..0x1008]));
        }
    }
}
