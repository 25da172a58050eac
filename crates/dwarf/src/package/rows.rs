//! The tables of a package that is an input of another package: its units, and the places of their
//! contributions in its sections (the reverse of [`super::index`]).

use super::super::values::fixed;
use super::{Form, Kind, Sizes};
use skald_core::unordered::UnorderedMap;
use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::Malformed;

/// Offsets and sizes of the contributions to a unit in the sections of a package.
pub type Contributions = (Sizes, Sizes);

/// The rows of both tables of a package.
#[derive(Debug, Default)]
pub struct Rows {
    rows: Vec<Row>,
    /// The row of each unit. The key is whether the unit is in `.debug_types.dwo`, and its offset
    /// in its section.
    by_place: UnorderedMap<(bool, u64), u32>,
}

/// A unit of a package.
#[derive(Debug, Clone, Copy)]
struct Row {
    signature: u64,
    is_type: bool,
    contributions: Contributions,
}

impl Rows {
    /// Adds the rows of a table: `.debug_tu_index` if `are_types`, else `.debug_cu_index`.
    ///
    /// # Errors
    /// With the offset in the table of what is broken.
    pub fn add(
        &mut self,
        table: &[u8],
        are_types: bool,
        order: ByteOrder,
    ) -> Result<(), Malformed> {
        let mut at = 0;
        let truncated = Malformed::new("truncated table of units", 0);
        let word = |at: &mut usize| fixed(table, at, 4, order).ok_or(truncated);
        // GNU's form has a version of 4 bytes, DWARF 5 one of 2 bytes and 2 zero bytes.
        let version = word(&mut at)?;
        let form = match (version, fixed(table, &mut 0, 2, order)) {
            (2, _) => Form::Gnu,
            (_, Some(5)) if table[2..4] == [0; 2] => Form::Dwarf5,
            _ => return Err(Malformed::new("unknown version of a table of units", 0)),
        };
        let [width, count, slots] = [word(&mut at)?, word(&mut at)?, word(&mut at)?];
        let cells = u128::from(width) * (1 + 2 * u128::from(count));
        if 16 + 12 * u128::from(slots) + 4 * cells > table.len() as u128 {
            return Err(truncated);
        }
        let (signatures, numbers) = (16, 16 + 8 * slots as usize);
        let columns = numbers + 4 * slots as usize;
        let kinds = (0..width as usize).map(|column| {
            let place = columns + 4 * column;
            let number = word(&mut place.clone())?;
            let kind = Kind::ALL
                .into_iter()
                .find(|kind| kind.column(form).is_some_and(|own| u64::from(own) == number));
            kind.ok_or(Malformed::new("unknown column of a table of units", place))
        });
        let kinds = kinds.collect::<Result<Vec<Kind>, Malformed>>()?;
        let starts = columns + 4 * kinds.len();
        let sizes = starts + 4 * kinds.len() * count as usize;
        for slot in 0..slots as usize {
            let number = word(&mut (numbers + 4 * slot))?;
            let Some(row) = number.checked_sub(1) else { continue };
            if row >= count {
                return Err(Malformed::new("no such row in a table of units", numbers + 4 * slot));
            }
            let signature = fixed(table, &mut (signatures + 8 * slot), 8, order);
            let signature = signature.ok_or(truncated)?;
            let mut contributions = Contributions::default();
            for (column, &kind) in kinds.iter().enumerate() {
                let cell = 4 * (row as usize * kinds.len() + column);
                *contributions.0.get_mut(kind) = word(&mut (starts + cell))?;
                *contributions.1.get_mut(kind) = word(&mut (sizes + cell))?;
            }
            self.push(Row { signature, is_type: are_types, contributions });
        }
        Ok(())
    }

    fn push(&mut self, row: Row) {
        let (starts, sizes) = row.contributions;
        let is_in_types = sizes.get(Kind::Types) != 0;
        let kind = if is_in_types { Kind::Types } else { Kind::Info };
        self.by_place.insert((is_in_types, starts.get(kind)), self.rows.len() as u32);
        self.rows.push(row);
    }

    /// For the unit at `start` of a section: its row, its signature, and whether it is a type unit.
    pub fn find(&self, is_in_types: bool, start: u64) -> Option<(u32, u64, bool)> {
        let number = *self.by_place.get(&(is_in_types, start))?;
        let row = self.rows.get(number as usize)?;
        Some((number, row.signature, row.is_type))
    }

    /// The contributions of all rows.
    pub fn contributions(&self) -> Vec<Contributions> {
        self.rows.iter().map(|row| row.contributions).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::index;
    use super::*;

    #[test]
    fn tables_are_read_back() {
        let units: Vec<u64> = (1..=5u64).map(|n| n * 0x1_0000_0100).collect();
        let columns = [Kind::Info, Kind::Abbreviations];
        let place = |row: usize, kind| match kind {
            Kind::Info => (10 * row as u64, 10),
            _ => (3 * row as u64, 3),
        };
        let (little, big) = (ByteOrder::Little, ByteOrder::Big);
        let gnu = [(Form::Gnu, little), (Form::Gnu, big)];
        for (form, order) in gnu.into_iter().chain([(Form::Dwarf5, little), (Form::Dwarf5, big)]) {
            let table = index::table(form, order, &units, &columns, place);
            let mut rows = Rows::default();
            rows.add(&table, false, order).expect("a whole table");
            for (at, &unit) in units.iter().enumerate() {
                let (row, signature, is_type) = rows.find(false, 10 * at as u64).expect("a row");
                let (starts, sizes) = *rows.contributions().get(row as usize).expect("a row");
                let abbreviations = Kind::Abbreviations;
                assert_eq!((signature, is_type), (unit, false));
                assert_eq!(starts.get(abbreviations), 3 * at as u64);
                assert_eq!(sizes.get(abbreviations), 3);
            }
            assert_eq!(rows.find(true, 0), None);
            for end in 0..table.len() {
                assert!(Rows::default().add(&table[..end], false, order).is_err());
            }
        }
    }
}
