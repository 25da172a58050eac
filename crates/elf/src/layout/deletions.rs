//! Bytes of input sections that are deleted from the output. On some machines branches have a long
//! and a short form; compilers that cannot know the distance write the long one, and the linker
//! shortens it.
//!
//! Each section has a sorted list of deletions. Most sections cannot have any
//! ([`SectionFlags::SHRINKS`] is set for those that can). The list is computed while the layout
//! converges, and maps offsets in the input section to offsets in the output. Once the layout has
//! converged, section records have the sizes that sections have in the output.
//!
//! [`SectionFlags::SHRINKS`]: crate::read::object_file::SectionFlags::SHRINKS

use crate::resolve::definitions::SectionId;
use crate::select::fold::Folds;
use crate::select::shrinkable::Shrinkable;
use skald_core::ids::{Column, OptionalId};

skald_core::id! {
    /// A section that may lose bytes, counted in the order of sections.
    ShrinkId
}

/// Bytes of a section that the output does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deletion {
    /// Offset of the first byte in the input section.
    pub offset: u64,
    /// How many bytes.
    pub size: u64,
    /// Index, among the section's relocations, of the one that allows the deletion.
    pub reloc: u32,
}

/// The bytes that a section loses, ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deleted {
    /// Each deletion with the number of bytes that are deleted before it.
    places: Vec<(Deletion, u64)>,
}

impl Deleted {
    /// Adds a deletion of a section that has `bytes`. Does nothing if it is empty, not behind all
    /// others, or not within the section: relocations without an order, or of one place, delete
    /// nothing.
    pub fn push(&mut self, bytes: usize, deletion: Deletion) {
        let gone = self.total();
        let end = self.places.last().map_or(0, |(last, _)| last.offset + last.size);
        let behind = deletion.offset.saturating_add(deletion.size);
        if deletion.size != 0 && deletion.offset >= end && behind <= bytes as u64 {
            self.places.push((deletion, gone));
        }
    }

    /// The deletions, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Deletion> + '_ {
        self.places.iter().map(|&(deletion, _)| deletion)
    }

    /// How many bytes are deleted.
    pub fn total(&self) -> u64 {
        self.places.last().map_or(0, |(last, gone)| gone + last.size)
    }

    /// The deletion that relocation `index` allows.
    pub fn of_relocation(&self, index: u32) -> Option<Deletion> {
        let at = self.places.binary_search_by_key(&index, |(deletion, _)| deletion.reloc).ok()?;
        Some(self.places[at].0)
    }

    /// Offset in the output's copy of the byte at `offset` of the input section. A deleted byte is
    /// mapped to the byte behind the deletion.
    pub fn moved(&self, offset: u64) -> u64 {
        let before = self.places.partition_point(|(deletion, _)| deletion.offset < offset);
        match self.places[..before].last() {
            None => offset,
            Some((last, gone)) => offset - gone - last.size.min(offset - last.offset),
        }
    }

    /// How many of the `size` bytes from `start` on are in the output.
    pub fn size_of(&self, start: u64, size: u64) -> u64 {
        self.moved(start.saturating_add(size)) - self.moved(start)
    }

    /// Removes the bytes from a copy of the section.
    pub fn remove_from(&self, bytes: &mut Vec<u8>) {
        let mut to = 0;
        let mut from = 0;
        for Deletion { offset, size, .. } in self.iter() {
            bytes.copy_within(from..offset as usize, to);
            to += offset as usize - from;
            from = (offset + size) as usize;
        }
        bytes.copy_within(from.., to);
        bytes.truncate(bytes.len() - self.total() as usize);
    }
}

/// The bytes that all sections lose.
#[derive(Debug, Default)]
pub struct Deletions {
    /// Empty if no section may lose bytes. A folded section has its leader's list.
    of_section: Column<SectionId, OptionalId<ShrinkId>>,
    lists: Column<ShrinkId, Deleted>,
}

impl Deletions {
    /// The state before any byte is deleted.
    pub fn new(sections: usize, shrinkable: &Shrinkable, folds: &Folds) -> Deletions {
        let mut deletions = Deletions::default();
        deletions.of_section.resize(sections, OptionalId::NONE);
        for &(section, _) in &shrinkable.sections {
            let list = deletions.lists.push(Deleted::default());
            deletions.of_section[section] = list.into();
        }
        for folded in &folds.folded {
            deletions.of_section[folded.section] = deletions.of_section[folded.leader];
        }
        deletions
    }

    /// Whether no section may lose bytes.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.of_section.is_empty()
    }

    /// The deletions of a section; `None` if it can lose no bytes.
    #[inline]
    pub fn of(&self, section: SectionId) -> Option<&Deleted> {
        // Called for each symbol, so links without deletions do not read the column.
        if self.is_empty() {
            return None;
        }
        self.of_list(section)
    }

    #[cold]
    fn of_list(&self, section: SectionId) -> Option<&Deleted> {
        let list = self.of_section.get(section)?.get()?;
        Some(&self.lists[list])
    }

    /// Size in the output of a section that has `size` bytes in the input, as long as its record
    /// has the input size.
    #[inline]
    pub fn size(&self, section: SectionId, size: u64) -> u64 {
        self.of(section).map_or(size, |deleted| size - deleted.total())
    }

    /// How many bytes all sections lose.
    pub fn total(&self) -> u64 {
        self.lists.iter().map(Deleted::total).sum()
    }

    /// Replaces the sections' lists, given in order; returns whether any has changed.
    pub fn replace(&mut self, lists: Vec<Deleted>) -> bool {
        let has_changed = lists != self.lists.items();
        self.lists = lists.into_iter().collect();
        has_changed
    }

    /// How many bytes each section has lost. After records have their new sizes, nothing calls
    /// [`Deletions::size`] any more.
    pub fn lost(&self) -> impl Iterator<Item = (SectionId, u64)> + '_ {
        let lists = self.of_section.with_ids();
        lists.filter_map(|(section, list)| Some((section, self.lists[list.get()?].total())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deleted(places: &[(u64, u64)]) -> Deleted {
        let mut deleted = Deleted::default();
        for (reloc, &(offset, size)) in (0..).zip(places) {
            deleted.push(usize::MAX, Deletion { offset, size, reloc });
        }
        deleted
    }

    #[test]
    fn offsets_move_by_what_is_gone_before_them() {
        let deleted = deleted(&[(4, 2), (6, 2), (20, 0), (30, 4)]);
        let moved = [(0, 0), (4, 4), (5, 4), (6, 4), (7, 4), (8, 4), (9, 5), (30, 26), (31, 26)];
        for (offset, expected) in moved {
            assert_eq!(deleted.moved(offset), expected, "{offset}");
        }
        assert_eq!((deleted.moved(34), deleted.moved(40), deleted.total()), (26, 32, 8));
        assert_eq!(deleted.size_of(0, 34), 26);
        assert_eq!(deleted.size_of(2, 3), 2);
    }

    #[test]
    fn deletions_without_an_order_or_outside_are_none() {
        let places: Vec<u64> =
            deleted(&[(8, 4), (4, 4), (10, 4), (12, 2)]).iter().map(|place| place.offset).collect();
        assert_eq!(places, [8, 12]);
        let mut outside = Deleted::default();
        outside.push(8, Deletion { offset: 6, size: 4, reloc: 0 });
        assert_eq!(outside.total(), 0);
    }

    #[test]
    fn bytes_are_removed() {
        let mut bytes: Vec<u8> = (0..12).collect();
        deleted(&[(0, 1), (4, 3), (10, 2)]).remove_from(&mut bytes);
        assert_eq!(bytes, [1, 2, 3, 7, 8, 9]);
        Deleted::default().remove_from(&mut bytes);
        assert_eq!(bytes.len(), 6);
    }
}
