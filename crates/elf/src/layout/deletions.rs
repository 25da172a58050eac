//! Bytes of input sections that the output leaves out: machines whose branches have a long and a
//! short form write the long one where compilers cannot know, and the linker shortens it.
//!
//! A section has a sorted list of them, most sections have none ([`SectionFlags::SHRINKS`] says
//! which may have some). The list is found while the layout settles. Whoever asks where an offset
//! of such a section went asks here; once the layout has settled, records have the sizes that the
//! sections have in the output.
//!
//! [`SectionFlags::SHRINKS`]: crate::read::object_file::SectionFlags::SHRINKS

use crate::resolve::definitions::SectionId;
use crate::select::fold::Folds;
use crate::select::shrinkable::Shrinkable;
use skald_core::ids::{Column, OptionalId};

skald_core::id! {
    /// A section that may lose bytes, in the order of sections.
    ShrinkId
}

/// Bytes of a section that the output does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deletion {
    /// Offset of the first in the input section.
    pub offset: u64,
    /// How many.
    pub size: u64,
    /// Index of the relocation, among the section's, that lets them go.
    pub reloc: u32,
}

/// The bytes that a section loses, ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deleted {
    /// Each with the number of bytes that are gone before it.
    places: Vec<(Deletion, u64)>,
}

impl Deleted {
    /// Adds a deletion behind all others; nothing if it deletes nothing.
    pub fn push(&mut self, deletion: Deletion) {
        let gone = self.total();
        if deletion.size != 0 {
            self.places.push((deletion, gone));
        }
    }

    /// The deletions, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Deletion> + '_ {
        self.places.iter().map(|&(deletion, _)| deletion)
    }

    /// Bytes that are gone.
    pub fn total(&self) -> u64 {
        self.places.last().map_or(0, |(last, gone)| gone + last.size)
    }

    /// What relocation `index` lets go.
    pub fn of_relocation(&self, index: u32) -> Option<Deletion> {
        let at = self.places.binary_search_by_key(&index, |(deletion, _)| deletion.reloc).ok()?;
        Some(self.places[at].0)
    }

    /// Offset in the output's section of what is at `offset` of the input section. Deleted bytes
    /// are where the byte behind them is.
    pub fn moved(&self, offset: u64) -> u64 {
        let before = self.places.partition_point(|(deletion, _)| deletion.offset < offset);
        match self.places[..before].last() {
            None => offset,
            Some((last, gone)) => offset - gone - last.size.min(offset - last.offset),
        }
    }

    /// Bytes that the output has of `size` bytes from `start` on.
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
    /// Empty where no section may lose any. A folded section has its leader's list.
    of_section: Column<SectionId, OptionalId<ShrinkId>>,
    lists: Column<ShrinkId, Deleted>,
}

impl Deletions {
    /// Nothing is deleted yet of the sections that may lose bytes.
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

    /// What a section loses; `None` if it never loses any.
    #[inline]
    pub fn of(&self, section: SectionId) -> Option<&Deleted> {
        // Asked of each symbol: links that delete nothing do not look at the section.
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

    /// Bytes of a section in the output, until records say so: of `size` in the input.
    #[inline]
    pub fn size(&self, section: SectionId, size: u64) -> u64 {
        self.of(section).map_or(size, |deleted| size - deleted.total())
    }

    /// Bytes that are gone, of all sections.
    pub fn total(&self) -> u64 {
        self.lists.iter().map(Deleted::total).sum()
    }

    /// Takes other lists for the sections, in their order; returns whether any is new.
    pub fn replace(&mut self, lists: Vec<Deleted>) -> bool {
        let has_changed = lists != self.lists.items();
        self.lists = lists.into_iter().collect();
        has_changed
    }

    /// Bytes that each section has lost. Once records have what is left as their size, nothing asks
    /// for [`Deletions::size`].
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
            deleted.push(Deletion { offset, size, reloc });
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
    fn bytes_are_removed() {
        let mut bytes: Vec<u8> = (0..12).collect();
        deleted(&[(0, 1), (4, 3), (10, 2)]).remove_from(&mut bytes);
        assert_eq!(bytes, [1, 2, 3, 7, 8, 9]);
        Deleted::default().remove_from(&mut bytes);
        assert_eq!(bytes.len(), 6);
    }
}
