//! Finds the units of a program, and reads them one after the other.

use super::abbreviations::Abbreviations;
use super::entries::UnitView;
use super::sections::{Contribution, Sections};
use super::units::{Unit, UnitKind};
use super::values::{Encoding, uleb};
use skald_core::par;
use skald_core::par::prelude::*;
use skald_linking::cursor::Malformed;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A unit, and its contribution.
pub struct FoundUnit {
    /// The unit's header.
    pub unit: Unit,
    /// Position of the contribution that it stands in.
    pub contribution: usize,
    /// Whether the unit stands in `.debug_types`.
    pub is_types: bool,
}

impl FoundUnit {
    /// Whether it is one type.
    pub fn is_type_unit(&self) -> bool {
        matches!(self.unit.kind, UnitKind::Type { .. })
    }
}

/// The units of all contributions, type units behind all others, in the order in which indices
/// number them; and the faults, by the position of the contribution.
pub fn find_units(
    sections: &Sections<'_>,
    contributions: &[Contribution],
) -> (Vec<FoundUnit>, Vec<(usize, Malformed)>) {
    let of_contribution: Vec<_> = contributions
        .par_iter()
        .enumerate()
        .map(|(contribution, &at)| {
            let (units, fault) = sections.units(at);
            let is_types = at.is_types;
            let found =
                units.into_iter().map(move |unit| FoundUnit { unit, contribution, is_types });
            (found, fault.map(|fault| (contribution, fault)))
        })
        .collect();
    let mut all = Vec::new();
    let mut faults = Vec::new();
    for (units, fault) in of_contribution {
        all.extend(units);
        faults.extend(fault);
    }
    all.sort_by_key(FoundUnit::is_type_unit);
    (all, faults)
}

/// Lets threads take units one after the other, each thread with a state that `start` makes;
/// returns the states of all threads. The assignment of units to threads is random, but each thread
/// takes units in ascending order.
pub fn in_turn<T: Send>(
    units: &[FoundUnit],
    start: impl Fn() -> T + Sync,
    take: impl Fn(&mut T, &mut UnitReader, usize) + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let threads = par::threads().min(units.len()).max(1);
    let run = |_| {
        let (mut own, mut reader) = (start(), UnitReader::default());
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= units.len() {
                return own;
            }
            take(&mut own, &mut reader, at);
        }
    };
    (0..threads).into_par_iter().with_max_len(1).map(run).collect()
}

/// Reads units, one after the other.
#[derive(Default)]
pub struct UnitReader {
    /// Bytes of the unit.
    bytes: Vec<u8>,
    /// The table of the previous unit, identified by its offset and encoding and the code up to
    /// which it was read, 0 for all.
    abbreviations: Option<((u64, Encoding, u64), Abbreviations)>,
}

impl UnitReader {
    /// A view of a unit that reads at most `most` bytes; a larger unit is readable up to its first
    /// entry only.
    ///
    /// # Errors
    /// If the unit, its table or its first entry cannot be read, with the offset in the section.
    pub fn view<'a>(
        &'a mut self,
        sections: &'a Sections<'a>,
        found: &'a FoundUnit,
        most: u64,
    ) -> Result<UnitView<'a>, Malformed> {
        let FoundUnit { unit, is_types, .. } = found;
        let len = usize::try_from(unit.len.min(most)).unwrap_or(usize::MAX);
        if self.bytes.len() < len {
            self.bytes.resize(len, 0);
        }
        let bytes = &mut self.bytes[..len];
        if !sections.content(*is_types).read(unit.start, bytes) {
            return Err(Malformed::new("cannot be read", unit.start as usize));
        }
        // To read one entry, one abbreviation is needed.
        let code = uleb(bytes, &mut usize::from(unit.header_size)).unwrap_or(0);
        let last = if (len as u64) < unit.len { code } else { 0 };
        let key = (unit.abbreviations, unit.encoding, last);
        if self.abbreviations.as_ref().is_none_or(|(other, _)| *other != key) {
            let (offset, encoding, last) = key;
            let table = Abbreviations::parse_until(sections.abbreviations, offset, encoding, last);
            let table = table.map_err(|fault| Malformed::new(fault.what, unit.start as usize))?;
            self.abbreviations = Some((key, table));
        }
        let Some((_, abbreviations)) = &self.abbreviations else {
            return Err(Malformed::new("cannot be read", unit.start as usize));
        };
        UnitView::new(unit, bytes, abbreviations, sections)
    }
}
