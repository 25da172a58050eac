//! Access to the bytes of sections that are read once, under a memory limit.
//!
//! A page fault maps fifteen neighbours of the page, all of which have to be given back soon.
//! Copying a section's bytes through the file descriptor is cheaper.

use super::ObjectFile;
use super::object_file::{InputSection, SectionFlags};
use crate::format::elf::Rela;
use skald_core::ids::IndexRange;
use skald_core::memory_limit::Resident;
use std::ops::Range;
use zerocopy::FromBytes;

/// Buffers for the bytes of a section and of its relocations.
#[derive(Debug, Default)]
pub struct SectionBuffer {
    bytes: Vec<u8>,
    relocs: Vec<u8>,
}

impl ObjectFile {
    /// The bytes of a section and its relocations: mapped, or copied to `buffer` if there is a
    /// memory limit and the object's pages are not in memory.
    #[inline(never)]
    pub fn lend<'a>(
        &self,
        section: &InputSection,
        buffer: &'a mut SectionBuffer,
    ) -> (&'a [u8], &'a [Rela]) {
        if self.mapped.resident.is_some()
            && let Some(copies) = self.copies(section, buffer)
        {
            return copies;
        }
        self.at_work();
        (self.bytes(section), self.relocs(section))
    }

    #[cold]
    fn copies<'a>(
        &self,
        section: &InputSection,
        buffer: &'a mut SectionBuffer,
    ) -> Option<(&'a [u8], &'a [Rela])> {
        if self.mapped.resident.is_some_and(Resident::is_here) {
            return None;
        }
        let is_read = self.read_into(contents_of(section)?, &mut buffer.bytes)
            && self.read_into(relocs_of(section)?, &mut buffer.relocs);
        self.at_work_apart();
        // Relocations that need no decoding have the same bytes in the file and in memory.
        let relocs = <[Rela]>::ref_from_bytes(&buffer.relocs).ok()?;
        is_read.then_some((&buffer.bytes, relocs))
    }

    fn read_into(&self, range: Range<u64>, buffer: &mut Vec<u8>) -> bool {
        buffer.resize((range.end - range.start) as usize, 0);
        self.read(range.wide(), buffer)
    }
}

/// Byte range of a section in its object; `None` if its bytes were decoded or made.
pub fn contents_of(section: &InputSection) -> Option<Range<u64>> {
    let elsewhere = SectionFlags::NOBITS | SectionFlags::COMPRESSED | SectionFlags::DECODED_DATA;
    let start = section.data_offset;
    (!section.flags.has(elsewhere)).then(|| start..start + section.size)
}

/// Byte range of a section's relocations in its object; `None` if they are not records there.
pub fn relocs_of(section: &InputSection) -> Option<Range<u64>> {
    let start = section.rel_offset;
    let size = u64::from(section.rel_count) * size_of::<Rela>() as u64;
    let elsewhere = SectionFlags::DECODED_RELOCS | SectionFlags::REL_IN_PLACE;
    (!section.flags.has(elsewhere)).then(|| start..start + size)
}
