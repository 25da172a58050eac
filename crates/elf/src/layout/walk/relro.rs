//! Finds where memory that is read-only after relocation has to begin in order to end at a page
//! boundary (`lang_size_relro_segment` in GNU ld's `ldlang.c`).

use super::{Place, Walk, align_up, is_tbss};
use crate::layout::items::Layout;
use crate::layout::output_sections::OutputSections;
use std::cell::Cell;

/// Memory that is read-only after relocation, between `DATA_SEGMENT_ALIGN` and
/// `DATA_SEGMENT_RELRO_END`.
#[derive(Debug, Default)]
pub struct Relro {
    /// Address at which RELRO begins.
    start: Cell<Option<u64>>,
    /// Address at which RELRO ends.
    end: Cell<Option<u64>>,
    /// Where RELRO would begin if its end did not matter.
    plain: Cell<u64>,
    /// The page that `DATA_SEGMENT_ALIGN` names, in bytes; 0 without it.
    page: Cell<u64>,
    /// This many bytes of the section behind `DATA_SEGMENT_RELRO_END` are in RELRO.
    offset: Cell<u64>,
    /// Address where RELRO has to begin in order to end at a page boundary.
    wanted: Option<u64>,
    /// The start (`plain`) for which an end was sought, and that end.
    target: Option<(u64, u64)>,
    /// The offset for which the end was sought, and how often the offset has changed: it may be the
    /// size of a section that was not known yet.
    last_offset: (u64, u32),
    /// The end cannot be met: RELRO begins at `plain`, and the rest of the last page is padding.
    is_padded: bool,
}

impl Relro {
    /// First address, and the address behind the last; `None` if nothing determines them.
    pub fn range(&self) -> Option<(u64, u64)> {
        self.start.get().zip(self.end.get())
    }

    /// The address that `DATA_SEGMENT_ALIGN` yields for a page of this size; without RELRO it would
    /// be `plain`.
    pub(super) fn begin(&self, plain: u64, page: u64) -> u64 {
        self.page.set(page);
        let wanted = self.wanted.filter(|_| !self.is_padded);
        let address = wanted.map_or(plain, |wanted| wanted.max(plain));
        self.plain.set(plain);
        self.start.set(Some(address));
        address
    }

    /// The address that `DATA_SEGMENT_RELRO_END` yields.
    pub(super) fn end_at(&self, offset: u64, address: u64, page: u64) -> u64 {
        let page = self.page_or(page);
        let end = address.wrapping_add(offset);
        self.end.set(Some(end));
        self.offset.set(offset);
        match self.wanted {
            None => address,
            Some(_) => align_up(end, page).wrapping_sub(offset),
        }
    }

    /// The page size for read-only memory: the one that the script names, or else `page`.
    fn page_or(&self, page: u64) -> u64 {
        match self.page.get() {
            0 => page,
            named => named,
        }
    }

    /// Whether the offset has changed: then the end found for the old one does not count.
    fn starts_over(&mut self, offset: u64) -> bool {
        const OFTEN: u32 = 8;
        let (last, changes) = self.last_offset;
        if last == offset || changes == OFTEN {
            return false;
        }
        self.last_offset = (offset, changes + 1);
        self.target = None;
        self.wanted.take().is_some()
    }

    /// Notes an end; returns whether it is the one sought, so that sections may be moved to it.
    /// Assignments to the location counter can add more than was saved before.
    fn is_met(&mut self, end: u64) -> bool {
        let plain = self.plain.get();
        match self.target {
            Some((of, target)) if of == plain && self.wanted.is_some() => target >= end,
            _ => {
                self.target = Some((plain, end));
                true
            }
        }
    }
}

impl Walk {
    /// Finds where RELRO has to begin in order to end at a page boundary without padding; returns
    /// whether that start has changed.
    pub(super) fn adjust_relro(
        &mut self,
        layout: &Layout,
        outputs: &OutputSections,
        page: u64,
    ) -> bool {
        let Some((start, end)) = self.relro.range() else { return false };
        let offset = self.relro.offset.get();
        let limit = end.wrapping_sub(offset);
        let end = align_up(end, self.relro.page_or(page));
        self.relro.end.set(Some(end));
        if self.relro.is_padded {
            return false;
        }
        if self.relro.starts_over(offset) {
            return true;
        }
        if !self.relro.is_met(end) {
            self.relro.is_padded = true;
            return true;
        }
        let mut wanted = end.wrapping_sub(offset);
        let order: Vec<usize> = layout.order().collect();
        for &at in order.iter().rev() {
            let Some(head) = layout.headings[at].head else { continue };
            let part = &outputs.sections[outputs.heads[head].parts.start];
            let Place { address, size, align, .. } = self.places[at];
            if !part.is_loaded() || address < start || address >= limit {
                continue;
            }
            let size = if is_tbss(part.sh_type, part.sh_flags) { 0 } else { size };
            wanted = wanted.saturating_sub(size) & !(align.max(1) - 1);
        }
        let wanted = wanted.max(start);
        self.relro.wanted.replace(wanted) != Some(wanted)
    }
}
