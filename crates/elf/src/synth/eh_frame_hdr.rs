//! `.eh_frame_hdr`: a table, sorted by address, that unwinders search for an FDE.
//!
//! A version, three encodings, the address of `.eh_frame` relative to its own field, the number of
//! entries, and pairs of initial location and FDE address, both relative to the start of the
//! section; all numbers are 4 bytes wide. Of several FDEs for one address the first in
//! `.eh_frame` stays, as in lld: a binary search would find any of them. The section keeps the size
//! for all of them, the rest is zero. Source: LSB 5.0 core, 10.6.2 "The
//! .eh_frame_hdr section".

use std::fmt;

use crate::format::eh_frame::encoding::{DATAREL, PCREL, SDATA4, UDATA4};

const HEADER_SIZE: usize = 12;
const ENTRY_SIZE: usize = 8;
const VERSION: u8 = 1;

/// A distance that 32 bits cannot hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutOfRange {
    /// From the section to the start of a function.
    InitialLocation(u64),
    /// From the section to an FDE.
    Fde(u64),
    /// From the section to `.eh_frame`.
    EhFrame(u64),
    /// More entries than 32 bits can count.
    Count(usize),
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, address) = match self {
            OutOfRange::InitialLocation(address) => ("the function", address),
            OutOfRange::Fde(address) => ("the FDE", address),
            OutOfRange::EhFrame(address) => (".eh_frame", address),
            OutOfRange::Count(count) => {
                return write!(f, ".eh_frame_hdr: {count} FDEs are too many");
            }
        };
        write!(f, ".eh_frame_hdr: {what} at {address:#x} is more than 2 GiB away")
    }
}

impl std::error::Error for OutOfRange {}

/// Where one FDE and what it describes ended up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct HdrEntry {
    /// Address of the first instruction that the FDE describes.
    pub initial_location: u64,
    /// Address of the FDE.
    pub fde_address: u64,
}

/// The section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EhFrameHdr {
    fde_count: usize,
}

impl EhFrameHdr {
    /// A table with room for `fde_count` entries.
    pub const fn new(fde_count: usize) -> EhFrameHdr {
        EhFrameHdr { fde_count }
    }

    /// Bytes of the section; it is aligned to 4.
    pub const fn size(&self) -> u64 {
        (HEADER_SIZE + ENTRY_SIZE * self.fde_count) as u64
    }

    /// Fills `out`, which is [`EhFrameHdr::size`] bytes long and will be at `address`, for all FDEs
    /// of the `.eh_frame` at `eh_frame_address`, in any order. Fails on the lowest address that is
    /// out of range.
    pub fn write(
        &self,
        out: &mut [u8],
        address: u64,
        eh_frame_address: u64,
        entries: Vec<HdrEntry>,
    ) -> Result<(), OutOfRange> {
        assert_eq!(out.len() as u64, self.size());
        assert!(entries.len() <= self.fde_count, "size() has room for every FDE");
        let Some(mut rows) = entries.iter().map(|entry| row(entry, address)).collect() else {
            return Err(out_of_range(entries, address));
        };
        sort_by_location(&mut rows);
        rows.dedup_by(|later, first| {
            let is_same = *later >> 32 == *first >> 32;
            if is_same {
                *first = (*first).min(*later);
            }
            is_same
        });
        let (header, table) = out.split_at_mut(HEADER_SIZE);
        let count = u32::try_from(rows.len()).map_err(|_| OutOfRange::Count(rows.len()))?;
        let eh_frame = distance(eh_frame_address, address.wrapping_add(4))
            .ok_or(OutOfRange::EhFrame(eh_frame_address))?;
        header[..4].copy_from_slice(&[VERSION, PCREL | SDATA4, UDATA4, DATAREL | SDATA4]);
        header[4..8].copy_from_slice(&eh_frame.to_le_bytes());
        header[8..].copy_from_slice(&count.to_le_bytes());
        let (table, rest) = table.split_at_mut(ENTRY_SIZE * rows.len());
        for (field, row) in table.as_chunks_mut::<ENTRY_SIZE>().0.iter_mut().zip(&rows) {
            field[..4].copy_from_slice(&unbiased((row >> 32) as u32).to_le_bytes());
            field[4..].copy_from_slice(&unbiased(*row as u32).to_le_bytes());
        }
        rest.fill(0);
        Ok(())
    }
}

/// `to - from`, if it fits 4 bytes.
fn distance(to: u64, from: u64) -> Option<i32> {
    i32::try_from(to.wrapping_sub(from) as i64).ok()
}

/// An entry of the table at `address` as one number that sorts like it: both distances, the
/// location's above.
fn row(entry: &HdrEntry, address: u64) -> Option<u64> {
    let location = biased(distance(entry.initial_location, address)?);
    let fde = biased(distance(entry.fde_address, address)?);
    Some(u64::from(location) << 32 | u64::from(fde))
}

fn biased(distance: i32) -> u32 {
    distance as u32 ^ 1 << 31
}

fn unbiased(word: u32) -> i32 {
    (word ^ 1 << 31) as i32
}

/// Sorts by the upper halves: by digits from the lowest on. Inputs are many and their numbers spread
/// over few digits, which is where comparing loses.
fn sort_by_location(rows: &mut Vec<u64>) {
    const DIGIT_BITS: u32 = 11;
    if rows.is_sorted_by_key(|row| row >> 32) {
        return;
    }
    let mut sorted = vec![0; rows.len()];
    for shift in [32, 32 + DIGIT_BITS, 32 + 2 * DIGIT_BITS] {
        let digit = |row: u64| (row >> shift) as usize & ((1 << DIGIT_BITS) - 1);
        let mut places = [0usize; 1 << DIGIT_BITS];
        rows.iter().for_each(|&row| places[digit(row)] += 1);
        let mut start = 0;
        for place in &mut places {
            start += std::mem::replace(place, start);
        }
        for &row in rows.iter() {
            let place = &mut places[digit(row)];
            sorted[*place] = row;
            *place += 1;
        }
        std::mem::swap(rows, &mut sorted);
    }
}

/// The lowest address that is out of range.
#[cold]
fn out_of_range(mut entries: Vec<HdrEntry>, address: u64) -> OutOfRange {
    entries.sort_unstable();
    let outside = entries.iter().find_map(|entry| {
        if distance(entry.initial_location, address).is_none() {
            return Some(OutOfRange::InitialLocation(entry.initial_location));
        }
        distance(entry.fde_address, address).is_none().then_some(OutOfRange::Fde(entry.fde_address))
    });
    outside.expect("an entry did not fit")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(initial_location: u64, fde_address: u64) -> HdrEntry {
        HdrEntry { initial_location, fde_address }
    }

    fn words(entries: &[HdrEntry]) -> Result<Vec<i32>, OutOfRange> {
        let hdr = EhFrameHdr::new(entries.len());
        let mut out = vec![0xaa; hdr.size() as usize];
        hdr.write(&mut out, 0x2000, 0x2100, entries.to_vec())?;
        Ok(out.as_chunks::<4>().0.iter().map(|&word| i32::from_le_bytes(word)).collect())
    }

    #[test]
    fn write_fills_exactly_size() {
        assert_eq!(words(&[]), Ok(vec![0x3b031b01, 0xfc, 0]));
        let entries = [entry(0x3000, 0x2140), entry(0x1000, 0x2160), entry(0x2ff0, 0x2120)];
        let table = [-0x1000, 0x160, 0xff0, 0x120, 0x1000, 0x140];
        assert_eq!(words(&entries).unwrap()[2..], [&[3], &table[..]].concat());
    }

    #[test]
    fn the_first_fde_for_an_address_stays() {
        let entries = [entry(0x3000, 0x2160), entry(0x3000, 0x2140), entry(0x4000, 0x2180)];
        let expected = [2, 0x1000, 0x140, 0x2000, 0x180, 0, 0];
        assert_eq!(words(&entries).unwrap()[2..], expected);
    }

    #[test]
    fn sorts_like_comparing() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            state
        };
        let mut rows: Vec<u64> = (0..5000).map(|_| next()).collect();
        let mut expected = rows.clone();
        sort_by_location(&mut rows);
        expected.sort_by_key(|row| row >> 32);
        assert_eq!(rows, expected);
    }

    #[test]
    fn distances_have_32_bits() {
        assert!(words(&[entry(0x2000 + 0x7fff_ffff, 0x2140)]).is_ok());
        let far = 0x2000 + 0x8000_0000;
        let error = words(&[entry(far, 0x2140), entry(u64::MAX, 0x2140)]).unwrap_err();
        assert_eq!(error, OutOfRange::InitialLocation(far));
        assert!(error.to_string().contains("0x80002000 is more than 2 GiB away"));
        assert_eq!(words(&[entry(0x3000, far)]), Err(OutOfRange::Fde(far)));
        let far = EhFrameHdr::new(0).write(&mut [0; 12], 0, 1 << 40, Vec::new());
        assert_eq!(far, Err(OutOfRange::EhFrame(1 << 40)));
    }
}
