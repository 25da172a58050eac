//! `.debug_cu_index` and `.debug_tu_index` (DWARF 5, section 7.3.5.3): a hash table from the ids of
//! units to rows, and in each row the places of the unit's contributions.

use super::{Form, Kind};
use skald_linking::byte_order::ByteOrder;

/// Maximum offset and size of a contribution: the tables have 32 bits for each.
pub const MAX: u64 = u32::MAX as u64;

/// A place: offset and size.
pub type Place = (u64, u64);

/// The table of `units`, with rows in this order and with columns for sections of the kinds
/// `columns`. `place` returns the place of a section's contribution to the `n`th unit.
pub fn table(
    form: Form,
    order: ByteOrder,
    units: &[u64],
    columns: &[Kind],
    place: impl Fn(usize, Kind) -> Place,
) -> Vec<u8> {
    let columns: Vec<(Kind, u32)> =
        columns.iter().filter_map(|&kind| Some((kind, kind.column(form)?))).collect();
    let slots = slots(units);
    let (count, width) = (units.len(), columns.len());
    let mut out = Vec::with_capacity(16 + 12 * slots.len() + 4 * width * (1 + 2 * count));
    match form {
        Form::Gnu => out.extend(order.bytes(2_u32)),
        Form::Dwarf5 => {
            out.extend(order.bytes(5_u16));
            out.extend([0; 2]);
        }
    }
    let mut words = |numbers: &mut dyn Iterator<Item = u64>| {
        numbers.for_each(|number| out.extend(order.bytes(number as u32)));
    };
    let header = [width as u64, count as u64, slots.len() as u64];
    words(&mut header.into_iter());
    words(&mut slots.iter().flat_map(|slot| order.halves(slot.signature).map(u64::from)));
    words(&mut slots.iter().map(|slot| u64::from(slot.row)));
    words(&mut columns.iter().map(|&(_, number)| u64::from(number)));
    let places = || (0..count).flat_map(|row| columns.iter().map(move |&(kind, _)| (row, kind)));
    words(&mut places().map(|(row, kind)| place(row, kind).0));
    words(&mut places().map(|(row, kind)| place(row, kind).1));
    out
}

/// A slot of the hash table; row 0 is an empty slot.
#[derive(Clone, Copy, Default)]
struct Slot {
    signature: u64,
    row: u32,
}

/// The hash table; no two units have the same signature.
fn slots(units: &[u64]) -> Vec<Slot> {
    let mut slots = vec![Slot::default(); (units.len() * 3 / 2 + 1).next_power_of_two()];
    let mask = slots.len() as u64 - 1;
    for (&signature, row) in units.iter().zip(1..) {
        let step = signature >> 32 & mask | 1;
        let mut at = signature & mask;
        // The step is odd, so the probe visits every slot.
        while let Some(slot) = slots.get_mut(at as usize) {
            if slot.row == 0 {
                *slot = Slot { signature, row };
                break;
            }
            at = (at + step) & mask;
        }
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_found() {
        let units: Vec<u64> = (0..100u64).map(|n| n * 0x1_0000_0100 + (n & 3)).collect();
        let slots = slots(&units);
        assert_eq!(slots.len(), 256);
        for (&unit, row) in units.iter().zip(1..) {
            let probes = (0..).map(|n: u64| unit + n * (unit >> 32 | 1));
            let mut probed = probes.map(|at| slots[usize::from(at as u8)]);
            let found = probed.find(|slot| slot.row == 0 || slot.signature == unit);
            assert_eq!(found.map(|slot| slot.row), Some(row));
        }
    }

    #[test]
    fn bytes_of_a_small_table() {
        let columns = [Kind::Info, Kind::Types, Kind::RangeLists];
        let place = |row, kind| match kind {
            Kind::Info => (10 * row as u64, 10),
            _ => (0, 7),
        };
        let table =
            table(Form::Dwarf5, ByteOrder::Little, &[0x0000_0002_0000_0003], &columns, place);
        let words: Vec<u32> =
            table.chunks(4).map(|w| u32::from_le_bytes(w.try_into().expect("four"))).collect();
        assert_eq!(words, [5, 2, 1, 2, 0, 0, 3, 2, 0, 1, 1, 8, 0, 0, 10, 7]);
    }
}
