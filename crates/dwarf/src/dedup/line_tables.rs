//! Line tables that several units can share, because their bytes are equal.

use crate::values::fixed;
use skald_core::unordered::UnorderedMap;
use skald_linking::byte_order::ByteOrder;

/// A smaller `.debug_line`, with the new places of its tables.
pub struct LineTables {
    /// The section.
    pub bytes: Vec<u8>,
    /// Offset before and after, ascending.
    places: Vec<(u64, u64)>,
}

impl LineTables {
    /// Reads the tables of `.debug_line`; `None` if all differ, or the section is broken.
    pub fn new(lines: &[u8], order: ByteOrder) -> Option<LineTables> {
        let mut tables = LineTables { bytes: Vec::new(), places: Vec::new() };
        let mut known: UnorderedMap<&[u8], u64> = UnorderedMap::new();
        let mut at = 0;
        while at < lines.len() {
            let start = at;
            let len = match fixed(lines, &mut at, 4, order)? {
                0xffff_ffff => fixed(lines, &mut at, 8, order)?,
                len => len,
            };
            let end = at.checked_add(usize::try_from(len).ok()?)?;
            let table = lines.get(start..end)?;
            let place = *known.entry(table).or_insert_with(|| {
                let place = tables.bytes.len() as u64;
                tables.bytes.extend_from_slice(table);
                place
            });
            tables.places.push((start as u64, place));
            at = end;
        }
        (tables.bytes.len() < lines.len()).then_some(tables)
    }

    /// Whether the old section has a table at this offset.
    pub fn has(&self, offset: u64) -> bool {
        self.place(offset).is_some()
    }

    /// The new offset of the table that was at this offset.
    pub fn place(&self, offset: u64) -> Option<u64> {
        let found = self.places.binary_search_by_key(&offset, |&(before, _)| before).ok()?;
        Some(self.places[found].1)
    }
}
