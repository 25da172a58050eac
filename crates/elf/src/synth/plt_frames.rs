//! The records of `.eh_frame` that describe the linker's own code (`--ld-generated-unwind-info`):
//! a CIE and an FDE for `.plt` and one for `.plt.got`, behind those of objects. The bytes are the
//! machine's ([`super::plt::Unwinding`]).

use super::eh_frame_hdr::HdrEntry;
use super::image::Image;
use super::plt::{Plt, Unwinding};
use crate::layout::Synthetic;
use skald_linking::byte_order::ByteOrder;

/// FDEs for the PLT: one for each of its tables that has entries.
#[derive(Debug, Clone, Default)]
pub struct PltFrames {
    /// The CIE of these FDEs, as it is written.
    cie: &'static [u8],
    /// For each table: `.plt` or `.plt.got`, whether it is `.plt.got` (direct entries), and bytes
    /// of its FDE.
    tables: Vec<(Synthetic, bool, usize)>,
}

impl PltFrames {
    /// FDEs for tables with these numbers of entries; none for an empty table.
    pub fn new(plt: &Plt, entries: usize, direct_entries: usize) -> PltFrames {
        let described = |count: usize, table: Synthetic, is_direct: bool| {
            let size = fde_size(plt.unwinding(is_direct));
            (count != 0 && size != 0).then_some((table, is_direct, size))
        };
        let lazy = described(entries, Synthetic::Plt, false);
        let direct = described(direct_entries, Synthetic::PltGot, true);
        let tables = lazy.into_iter().chain(direct).collect();
        PltFrames { cie: plt.cie, tables }
    }

    /// How many FDEs there are.
    pub fn count(&self) -> u32 {
        self.tables.len() as u32
    }

    /// Bytes of the CIE and the FDEs.
    pub fn size(&self) -> u64 {
        let fdes: usize = self.tables.iter().map(|table| table.2).sum();
        if self.tables.is_empty() { 0 } else { (self.cie.len() + fdes) as u64 }
    }

    /// Each FDE with its addresses, if the records begin at `address`.
    fn places(&self, image: &Image<'_>, address: u64) -> Vec<FdePlace> {
        let mut next = address + self.cie.len() as u64;
        let place = |&(table, _, size): &(Synthetic, bool, usize)| {
            let section = image.outputs.synthetic(table);
            let place = FdePlace {
                address: next,
                cie: address,
                table: section.map_or(0, |s| s.address),
                table_size: section.map_or(0, |s| s.size),
            };
            next += size as u64;
            place
        };
        self.tables.iter().map(place).collect()
    }

    /// Entries of `.eh_frame_hdr` for these FDEs, if the records start at `address`.
    pub fn search_entries(&self, image: &Image<'_>, address: u64) -> Vec<HdrEntry> {
        let entry = |p: FdePlace| HdrEntry { initial_location: p.table, fde_address: p.address };
        self.places(image, address).into_iter().map(entry).collect()
    }

    /// Fills `out`, which is [`PltFrames::size`] bytes long and at `address`. Fails if a PLT is
    /// more than 2 GiB away.
    pub fn write(&self, image: &Image<'_>, address: u64, out: &mut [u8]) -> Result<(), String> {
        if self.tables.is_empty() {
            return Ok(());
        }
        let order = image.machine.byte_order;
        let (cie, mut rest) = out.split_at_mut(self.cie.len());
        cie.copy_from_slice(self.cie);
        for (&(_, is_direct, size), place) in self.tables.iter().zip(self.places(image, address)) {
            let (fde, after) = rest.split_at_mut(size);
            write_fde(order, image.plt.unwinding(is_direct), place, fde).ok_or_else(|| {
                let (from, to) = (place.address, place.table);
                format!(".eh_frame at {from:#x} is more than 2 GiB away from the PLT at {to:#x}")
            })?;
            rest = after;
        }
        Ok(())
    }
}

/// Length, CIE pointer, initial location, number of bytes, and no augmentation data.
const FDE_HEADER_SIZE: usize = 17;

/// Bytes of the FDE of a table; 0 if the machine has none for it.
fn fde_size(unwinding: &Unwinding) -> usize {
    match unwinding.instructions {
        Some(code) => (FDE_HEADER_SIZE + code.len()).next_multiple_of(8),
        None => 0,
    }
}

/// The addresses of an FDE and of what it describes.
#[derive(Debug, Clone, Copy)]
struct FdePlace {
    /// Address of the FDE.
    address: u64,
    /// Address of its CIE.
    cie: u64,
    /// Address of the table (`.plt` or `.plt.got`).
    table: u64,
    /// Bytes of the table.
    table_size: u64,
}

/// Writes the FDE of a table; `None`, with nothing written, if the table is too far away.
///
/// # Panics
/// If `out` is not of [`fde_size`], or that is 0.
fn write_fde(
    order: ByteOrder,
    unwinding: &Unwinding,
    place: FdePlace,
    out: &mut [u8],
) -> Option<()> {
    let code = unwinding.instructions.expect("only what can be described has an FDE");
    assert_eq!(out.len(), fde_size(unwinding));
    let start = place.table.wrapping_sub(place.address.wrapping_add(8)) as i64;
    let start = i32::try_from(start).ok()?;
    let size = u32::try_from(place.table_size).ok()?;
    let cie = u32::try_from(place.address.wrapping_add(4).wrapping_sub(place.cie)).ok()?;
    out.fill(0);
    let length = out.len() as u32 - 4;
    order.put(out, 0, length);
    order.put(out, 4, cie);
    order.put(out, 8, start);
    order.put(out, 12, size);
    out[FDE_HEADER_SIZE..FDE_HEADER_SIZE + code.len()].copy_from_slice(code);
    Some(())
}
