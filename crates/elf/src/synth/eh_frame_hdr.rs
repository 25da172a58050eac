//! `.eh_frame_hdr`: a table, sorted by address, that unwinders search for an FDE.
//!
//! A version, three encodings, the address of `.eh_frame` relative to its own field, the number of
//! entries, and pairs of initial location and FDE address, both relative to the start of the
//! section; all numbers are 4 bytes wide. Of several FDEs for one address only the first in
//! `.eh_frame` is listed, as in lld, because a binary search would find any of them. In an address
//! space of 32 bits any distance wraps around to one that fits. The section keeps the size for all
//! FDEs; the rest is zero. Source: LSB 5.0 core, 10.6.2 "The .eh_frame_hdr section".

use crate::format::eh_frame::encoding::{DATAREL, PCREL, SDATA4, UDATA4};
use crate::machine::Class;
use skald_linking::byte_order::ByteOrder;
use std::fmt;
use std::sync::{Mutex, PoisonError};

const HEADER_SIZE: usize = 12;
const ENTRY_SIZE: usize = 8;
const VERSION: u8 = 1;

/// Numbers that do not fit the 32 bits of a field of `.eh_frame_hdr`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutOfRange {
    /// Distance to the start of a function at this address.
    InitialLocation(u64),
    /// Distance to the FDE at this address.
    Fde(u64),
    /// Distance to `.eh_frame`, which is at this address.
    EhFrame(u64),
    /// The number of entries.
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

/// An FDE and the function that it describes, by address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct HdrEntry {
    /// Address of the first instruction that the FDE describes.
    pub initial_location: u64,
    /// Address of the FDE.
    pub fde_address: u64,
}

/// An entry of the search table, as bytes that sort like the entry when read as one little-endian
/// number. The upper half stands for the function, the lower half for the FDE: the distance from
/// the section, made unsigned by `Rows`. [`NO_ROW`] cannot be an entry: an FDE does not
/// describe itself.
pub type Row = [u8; ENTRY_SIZE];

/// Marks a row without an entry.
pub const NO_ROW: Row = [0; ENTRY_SIZE];

/// Makes rows for an `.eh_frame_hdr` at a given address.
#[derive(Debug)]
pub struct Rows {
    address: u64,
    class: Class,
    /// What is added to distances, so that entries are in the order of addresses. Unwinders compare
    /// these.
    bias: u32,
    /// The lowest entry whose distances do not fit 32 bits, if there is one.
    outside: Mutex<Option<HdrEntry>>,
}

impl Rows {
    /// Rows for the `.eh_frame_hdr` at `address` of a file of this class.
    pub const fn new(address: u64, class: Class) -> Rows {
        let bias = match class {
            Class::Elf32 => address as u32,
            Class::Elf64 => 1 << 31,
        };
        Rows { address, class, bias, outside: Mutex::new(None) }
    }

    /// The distance of `to` from the section, if it fits 4 bytes.
    fn distance(&self, to: u64) -> Option<i32> {
        self.distance_from(to, self.address)
    }

    fn distance_from(&self, to: u64, from: u64) -> Option<i32> {
        let distance = to.wrapping_sub(from);
        match self.class {
            Class::Elf32 => Some(distance as i32),
            Class::Elf64 => i32::try_from(distance as i64).ok(),
        }
    }

    /// The row of an entry. An entry that is out of range is kept for [`EhFrameHdr::write`] to
    /// report.
    pub fn row(&self, entry: HdrEntry) -> Row {
        let location = self.distance(entry.initial_location);
        let fde = self.distance(entry.fde_address);
        let (Some(location), Some(fde)) = (location, fde) else {
            self.keep_lowest(entry);
            return NO_ROW;
        };
        let biased = |distance: i32| u64::from((distance as u32).wrapping_add(self.bias));
        (biased(location) << 32 | biased(fde)).to_le_bytes()
    }

    #[cold]
    fn keep_lowest(&self, entry: HdrEntry) {
        let mut outside = self.outside.lock().unwrap_or_else(PoisonError::into_inner);
        *outside = Some(outside.map_or(entry, |lowest| lowest.min(entry)));
    }

    fn check(&self) -> Result<(), OutOfRange> {
        let outside = *self.outside.lock().unwrap_or_else(PoisonError::into_inner);
        outside.map_or(Ok(()), |entry| {
            Err(match self.distance(entry.initial_location) {
                None => OutOfRange::InitialLocation(entry.initial_location),
                Some(_) => OutOfRange::Fde(entry.fde_address),
            })
        })
    }
}

/// The plan of `.eh_frame_hdr` (LSB, "Exception Frames").
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

    /// Fills `out`, which is [`EhFrameHdr::size`] bytes long, for all FDEs of the `.eh_frame` at
    /// `eh_frame_address`: `entries`, made by `rows` in any order. Fails on
    /// the lowest address that is out of range.
    pub fn write(
        &self,
        out: &mut [u8],
        eh_frame_address: u64,
        rows: &Rows,
        entries: &mut [Row],
        order: ByteOrder,
    ) -> Result<(), OutOfRange> {
        assert_eq!(out.len() as u64, self.size());
        assert_eq!(entries.len(), self.fde_count);
        rows.check()?;
        let (header, table) = out.split_at_mut(HEADER_SIZE);
        let table = table.as_chunks_mut::<ENTRY_SIZE>().0;
        sort_by_location(entries, table);
        let count = keep_first_of_each_location(table);
        let bias = rows.bias;
        let unbiased = |word: u32| word.wrapping_sub(bias);
        for field in &mut table[..count] {
            let row = u64::from_le_bytes(*field);
            field[..4].copy_from_slice(&order.bytes(unbiased((row >> 32) as u32)));
            field[4..].copy_from_slice(&order.bytes(unbiased(row as u32)));
        }
        table[count..].fill(NO_ROW);
        let count = u32::try_from(count).map_err(|_| OutOfRange::Count(count))?;
        let eh_frame = rows
            .distance_from(eh_frame_address, rows.address.wrapping_add(4))
            .ok_or(OutOfRange::EhFrame(eh_frame_address))?;
        header[..4].copy_from_slice(&[VERSION, PCREL | SDATA4, UDATA4, DATAREL | SDATA4]);
        order.put(header, 4, eh_frame);
        order.put(header, 8, count);
        Ok(())
    }
}

/// Sorts `rows` by function into `table`: a radix sort from the lowest digit on, back and forth
/// between the two. There are many rows and few distinct digits, so comparison sorts are slower.
fn sort_by_location(rows: &mut [Row], table: &mut [Row]) {
    if rows.is_sorted_by_key(location) {
        return table.copy_from_slice(rows);
    }
    sort_by_digit(rows, table, 0);
    sort_by_digit(table, rows, DIGIT_BITS);
    sort_by_digit(rows, table, 2 * DIGIT_BITS);
}

const DIGIT_BITS: u32 = 11;

/// Distributes the rows of `from` over `to`, by the digit of the function's distance that starts at
/// bit `shift`.
fn sort_by_digit(from: &[Row], to: &mut [Row], shift: u32) {
    let digit = |row: &Row| (location(row) >> shift) as usize & ((1 << DIGIT_BITS) - 1);
    let mut places = [0usize; 1 << DIGIT_BITS];
    from.iter().for_each(|row| places[digit(row)] += 1);
    let mut start = 0;
    for place in &mut places {
        start += std::mem::replace(place, start);
    }
    for row in from {
        let place = &mut places[digit(row)];
        to[*place] = *row;
        *place += 1;
    }
}

/// Moves the first row of each function to the front of sorted rows and drops [`NO_ROW`]; returns
/// how many rows are left.
fn keep_first_of_each_location(table: &mut [Row]) -> usize {
    let mut count = 0;
    for at in 0..table.len() {
        let row = table[at];
        if row == NO_ROW {
            continue;
        }
        match table[..count].last_mut() {
            Some(last) if location(last) == location(&row) => {
                let lower = u64::from_le_bytes(*last).min(u64::from_le_bytes(row));
                *last = lower.to_le_bytes();
            }
            _ => {
                table[count] = row;
                count += 1;
            }
        }
    }
    count
}

fn location(row: &Row) -> u32 {
    (u64::from_le_bytes(*row) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::blank;

    fn entry(initial_location: u64, fde_address: u64) -> HdrEntry {
        HdrEntry { initial_location, fde_address }
    }

    fn words(entries: &[HdrEntry]) -> Result<Vec<i32>, OutOfRange> {
        let hdr = EhFrameHdr::new(entries.len());
        let mut out = blank(hdr.size());
        let rows = Rows::new(0x2000, Class::Elf64);
        let mut entries: Vec<Row> = entries.iter().map(|&entry| rows.row(entry)).collect();
        hdr.write(&mut out, 0x2100, &rows, &mut entries.clone(), ByteOrder::Big)?;
        let big: Vec<i32> =
            out.as_chunks::<4>().0.iter().map(|&word| i32::from_be_bytes(word)).collect();
        hdr.write(&mut out, 0x2100, &rows, &mut entries, ByteOrder::Little)?;
        let little: Vec<i32> =
            out.as_chunks::<4>().0.iter().map(|&word| i32::from_le_bytes(word)).collect();
        assert_eq!(little[1..], big[1..]);
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
        let mut rows: Vec<Row> = (0..5000).map(|_| next().to_le_bytes()).collect();
        let mut expected = rows.clone();
        let mut table = vec![NO_ROW; rows.len()];
        sort_by_location(&mut rows, &mut table);
        expected.sort_by_key(location);
        assert_eq!(table, expected);
    }

    #[test]
    fn distances_wrap_around_in_32_bits() {
        let rows = Rows::new(0xc000_2000, Class::Elf32);
        let entries = [entry(0xc000_1000, 0xc000_2140), entry(0x1000, 0xc000_2120)];
        let mut entries = entries.map(|entry| rows.row(entry));
        let mut out = [0; 28];
        let hdr = EhFrameHdr::new(2);
        hdr.write(&mut out, 0xc000_2100, &rows, &mut entries, ByteOrder::Little).unwrap();
        // The function at the lower address comes first, though its distance is greater.
        let table = [0x3fff_f000_u32, 0x120, (-0x1000_i32) as u32, 0x140];
        assert_eq!(out[12..], table.map(u32::to_le_bytes).concat());
    }

    #[test]
    fn distances_have_32_bits() {
        assert!(words(&[entry(0x2000 + 0x7fff_ffff, 0x2140)]).is_ok());
        let far = 0x2000 + 0x8000_0000;
        let error = words(&[entry(far, 0x2140), entry(u64::MAX, 0x2140)]).unwrap_err();
        assert_eq!(error, OutOfRange::InitialLocation(far));
        assert!(error.to_string().contains("0x80002000 is more than 2 GiB away"));
        assert_eq!(words(&[entry(0x3000, far)]), Err(OutOfRange::Fde(far)));
        let far = EhFrameHdr::new(0).write(
            &mut [0; 12],
            1 << 40,
            &Rows::new(0, Class::Elf64),
            &mut [],
            ByteOrder::Little,
        );
        assert_eq!(far, Err(OutOfRange::EhFrame(1 << 40)));
    }
}
