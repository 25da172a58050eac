//! The records of `.eh_frame` that describe the linker's own code (`--ld-generated-unwind-info`):
//! a CIE and an FDE for `.plt` and one for `.plt.got`, behind those of objects. The bytes are the
//! machine's: [`crate::arch::x86_64::plt_frames`].

use super::eh_frame_hdr::HdrEntry;
use super::image::Image;
use crate::arch::x86_64::plt::PltStyle;
use crate::arch::x86_64::plt_frames::{CIE, FdePlace, fde_size, write_fde};
use crate::layout::Synthetic;

/// Which tables are described.
#[derive(Debug, Clone, Default)]
pub struct PltFrames {
    /// The table, and whether its entries are direct, with the size of its FDE.
    tables: Vec<(Synthetic, bool, usize)>,
}

impl PltFrames {
    /// For tables with so many entries.
    pub fn new(style: PltStyle, entries: usize, direct_entries: usize) -> PltFrames {
        let described = |count: usize, table: Synthetic, is_direct: bool| {
            let size = fde_size(style, is_direct);
            (count != 0 && size != 0).then_some((table, is_direct, size))
        };
        let lazy = described(entries, Synthetic::Plt, false);
        let direct = described(direct_entries, Synthetic::PltGot, true);
        PltFrames { tables: lazy.into_iter().chain(direct).collect() }
    }

    /// FDEs.
    pub fn count(&self) -> u32 {
        self.tables.len() as u32
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        let fdes: usize = self.tables.iter().map(|table| table.2).sum();
        if self.tables.is_empty() { 0 } else { (CIE.len() + fdes) as u64 }
    }

    /// The FDEs and where they are, if the records start at `address`.
    fn places(&self, image: &Image<'_>, address: u64) -> Vec<FdePlace> {
        let mut next = address + CIE.len() as u64;
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

    /// Entries of `.eh_frame_hdr`.
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
        let (cie, mut rest) = out.split_at_mut(CIE.len());
        cie.copy_from_slice(&CIE);
        for (&(_, is_direct, size), place) in self.tables.iter().zip(self.places(image, address)) {
            let (fde, after) = rest.split_at_mut(size);
            write_fde(image.plt_style, is_direct, place, fde).ok_or_else(|| {
                let (from, to) = (place.address, place.table);
                format!(".eh_frame at {from:#x} is more than 2 GiB away from the PLT at {to:#x}")
            })?;
            rest = after;
        }
        Ok(())
    }
}
