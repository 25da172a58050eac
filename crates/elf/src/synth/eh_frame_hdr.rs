//! `.eh_frame_hdr`: a table, sorted by address, that unwinders search for an FDE.
//!
//! A version, three encodings, the address of `.eh_frame` relative to its own field, the number of
//! entries, and pairs of initial location and FDE address, both relative to the start of the
//! section; all numbers are 4 bytes wide. Of several FDEs for one address the first in
//! `.eh_frame` stays, as in lld: a binary search would find any of them. The section keeps the size
//! for all of them, the rest is zero. Sorting is parallel. Source: LSB 5.0 core, 10.6.2 "The
//! .eh_frame_hdr section".

use std::fmt;

use rayon::slice::ParallelSliceMut;

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
        mut entries: Vec<HdrEntry>,
    ) -> Result<(), OutOfRange> {
        assert_eq!(out.len() as u64, self.size());
        assert!(entries.len() <= self.fde_count, "size() has room for every FDE");
        // Entries that are equal in both are the same bytes, so that an unstable sort has one
        // result.
        entries.par_sort_unstable();
        entries.dedup_by_key(|entry| entry.initial_location);
        let (header, table) = out.split_at_mut(HEADER_SIZE);
        let count = u32::try_from(entries.len()).map_err(|_| OutOfRange::Count(entries.len()))?;
        let eh_frame = distance(eh_frame_address, address.wrapping_add(4))
            .ok_or(OutOfRange::EhFrame(eh_frame_address))?;
        header[..4].copy_from_slice(&[VERSION, PCREL | SDATA4, UDATA4, DATAREL | SDATA4]);
        header[4..8].copy_from_slice(&eh_frame);
        header[8..].copy_from_slice(&count.to_le_bytes());
        let (table, rest) = table.split_at_mut(ENTRY_SIZE * entries.len());
        for (field, entry) in table.as_chunks_mut::<ENTRY_SIZE>().0.iter_mut().zip(&entries) {
            let location = distance(entry.initial_location, address)
                .ok_or(OutOfRange::InitialLocation(entry.initial_location))?;
            let fde =
                distance(entry.fde_address, address).ok_or(OutOfRange::Fde(entry.fde_address))?;
            field[..4].copy_from_slice(&location);
            field[4..].copy_from_slice(&fde);
        }
        rest.fill(0);
        Ok(())
    }
}

/// `to - from` in 4 bytes, if it fits.
fn distance(to: u64, from: u64) -> Option<[u8; 4]> {
    i32::try_from(to.wrapping_sub(from) as i64).ok().map(i32::to_le_bytes)
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
