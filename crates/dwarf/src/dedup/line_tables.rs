//! Line tables that several units can share, because they are the same bytes.

use crate::values::fixed;
use skald_core::unordered::UnorderedMap;
use skald_linking::byte_order::ByteOrder;

/// Where the tables of a smaller `.debug_line` stand.
pub struct LineTables {
    /// The section.
    pub bytes: Vec<u8>,
    /// Offset before and after, ascending.
    places: Vec<(u64, u64)>,
}

impl LineTables {
    /// The tables of `.debug_line`; `None` if none is there twice, or the section is broken.
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

    /// Whether a table was at this offset.
    pub fn has(&self, offset: u64) -> bool {
        self.place(offset).is_some()
    }

    /// Where the table is that was at this offset.
    pub fn place(&self, offset: u64) -> Option<u64> {
        let found = self.places.binary_search_by_key(&offset, |&(before, _)| before).ok()?;
        Some(self.places[found].1)
    }
}
