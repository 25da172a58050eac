//! The DWARF sections, as passed to a reader.

use super::units::{MAX_HEADER, Unit};
use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::Malformed;

/// A section of units: `.debug_info` or `.debug_types`. Such a section is as large as the rest of
/// the program and read once, so it need not be in memory as a whole.
pub trait Content: Sync {
    /// Fills `out` with the bytes at `offset`; returns whether they could be read.
    fn read(&self, offset: u64, out: &mut [u8]) -> bool;
}

impl Content for &[u8] {
    fn read(&self, offset: u64, out: &mut [u8]) -> bool {
        let Ok(start) = usize::try_from(offset) else { return false };
        let Some(bytes) = self.get(start..).and_then(|rest| rest.get(..out.len())) else {
            return false;
        };
        out.copy_from_slice(bytes);
        true
    }
}

/// A part of a section of units that comes from one input. Units do not cross parts, so a broken
/// unit does not affect other inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contribution {
    /// It belongs to `.debug_types` (DWARF 4), and not to `.debug_info`.
    pub is_types: bool,
    /// Offset of its first byte in the section.
    pub start: u64,
    /// Length of the unit in bytes.
    pub size: u64,
}

/// All sections that are needed to find names and addresses of units. Sections that a program lacks
/// are empty.
#[derive(Clone, Copy)]
pub struct Sections<'a> {
    /// The order of bytes in numbers.
    pub order: ByteOrder,
    /// `.debug_info`.
    pub info: &'a dyn Content,
    /// `.debug_types`.
    pub types: &'a dyn Content,
    /// `.debug_abbrev`.
    pub abbreviations: &'a [u8],
    /// `.debug_str`.
    pub strings: &'a [u8],
    /// `.debug_line_str`.
    pub line_strings: &'a [u8],
    /// `.debug_str_offsets`.
    pub string_offsets: &'a [u8],
    /// `.debug_addr`.
    pub addresses: &'a [u8],
    /// `.debug_ranges`.
    pub ranges: &'a [u8],
    /// `.debug_rnglists`.
    pub range_lists: &'a [u8],
    /// `.debug_loc`.
    pub locations: &'a [u8],
    /// `.debug_loclists`.
    pub location_lists: &'a [u8],
    /// `.debug_aranges`.
    pub address_ranges: &'a [u8],
}

impl Default for Sections<'_> {
    fn default() -> Self {
        const NOTHING: &[u8] = &[];
        Sections {
            order: ByteOrder::Little,
            info: &NOTHING,
            types: &NOTHING,
            abbreviations: NOTHING,
            strings: NOTHING,
            line_strings: NOTHING,
            string_offsets: NOTHING,
            addresses: NOTHING,
            ranges: NOTHING,
            range_lists: NOTHING,
            locations: NOTHING,
            location_lists: NOTHING,
            address_ranges: NOTHING,
        }
    }
}

impl Sections<'_> {
    /// The section that a contribution belongs to.
    pub fn content(&self, is_types: bool) -> &dyn Content {
        if is_types { self.types } else { self.info }
    }

    /// The headers of the units of a contribution, and the fault that ends reading before its end.
    pub fn units(&self, contribution: Contribution) -> (Vec<Unit>, Option<Malformed>) {
        let mut units = Vec::new();
        let Contribution { is_types, start, size } = contribution;
        let content = self.content(is_types);
        let end = start.saturating_add(size);
        let mut at = start;
        let mut buffer = [0; MAX_HEADER];
        while at < end {
            let room = end - at;
            let len = room.min(MAX_HEADER as u64) as usize;
            let header = &mut buffer[..len];
            if !content.read(at, header) {
                return (units, Some(Malformed::new("cannot be read", at as usize)));
            }
            // Assemblers pad sections with zeros to align them.
            if header.iter().all(|&byte| byte == 0) {
                at += header.len() as u64;
                continue;
            }
            match Unit::parse(header, at, room, is_types, self.order) {
                Ok(unit) => {
                    at += unit.len;
                    units.push(unit);
                }
                Err(fault) => return (units, Some(fault)),
            }
        }
        (units, None)
    }
}

/// The string at `offset` of a string section, without its NUL; empty if there is none.
pub fn string_at(section: &[u8], offset: u64) -> &[u8] {
    let rest = usize::try_from(offset).ok().and_then(|offset| section.get(offset..));
    let rest = rest.unwrap_or_default();
    memchr::memchr(0, rest).map_or(&[], |end| &rest[..end])
}
