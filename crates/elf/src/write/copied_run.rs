//! Reads consecutive sections of the output that come from one object through the object's
//! descriptor, with two calls.
//!
//! Under a memory limit mapped pages have to be given back soon, and mapping and unmapping a page
//! costs more than copying it. Also, a page fault maps fifteen neighbours of the page, whose
//! sections belong to parts of the output that are built at another time.

use crate::format::elf::Rela;
use crate::read::ObjectFile;
use crate::read::lending::{contents_of, relocs_of};
use crate::read::object_file::InputSection;
use skald_core::memory_limit;
use std::ops::Range;
use zerocopy::FromBytes;

/// At most this many bytes of an object are read at once.
const MOST: u64 = 256 << 10;
/// Bytes between the wanted sections are read as well if they are at most this many times the
/// wanted bytes, or fewer than a page fault would map ([`LITTLE`]).
const SPREAD: u64 = 4;
const LITTLE: u64 = 16 << 10;

/// Contents and relocations of consecutive input sections of one object, read by `pread`.
#[derive(Debug, Default)]
pub struct CopiedRun {
    bytes: Stretch,
    relocs: Stretch,
    /// How many of the sections that were read are still to be used.
    left: usize,
}

/// A range of an object's bytes.
#[derive(Debug, Default)]
struct Stretch {
    /// File offsets in the object; empty if nothing was read.
    range: Range<u64>,
    bytes: Vec<u8>,
}

impl CopiedRun {
    /// `None` without a limit on memory: then mappings are used.
    pub fn new() -> Option<CopiedRun> {
        memory_limit::is_held().then(CopiedRun::default)
    }

    /// Announces `section` of `object` as the next one and reads it, with the following ones that
    /// can be read at once. `following` is the rest of the part's sections, from this one on.
    pub fn advance<'s>(
        &mut self,
        object: &ObjectFile,
        section: &InputSection,
        following: impl Iterator<Item = &'s InputSection>,
    ) {
        if self.left > 0 {
            self.left -= 1;
            return;
        }
        let (mut contents, mut relocs) = (Cover::default(), Cover::default());
        let of_object = following.take_while(|other| other.object == section.object);
        let mut count = 0;
        for section in of_object {
            if !contents.add(contents_of(section)) || !relocs.add(relocs_of(section)) {
                break;
            }
            count += 1;
        }
        self.bytes.read(object, &contents);
        self.relocs.read(object, &relocs);
        self.left = usize::saturating_sub(count, 1);
    }

    /// The bytes of a section, if they were read.
    pub fn bytes(&self, section: &InputSection) -> Option<&[u8]> {
        self.bytes.part(contents_of(section)?)
    }

    /// The relocations of a section, if they were read.
    pub fn relocs(&self, section: &InputSection) -> Option<&[Rela]> {
        <[Rela]>::ref_from_bytes(self.relocs.part(relocs_of(section)?)?).ok()
    }
}

/// The smallest range that covers some ranges of an object.
#[derive(Debug, Default)]
struct Cover {
    range: Range<u64>,
    sum: u64,
}

impl Cover {
    /// Adds a range; returns `false` and adds nothing if it is too far away.
    fn add(&mut self, part: Option<Range<u64>>) -> bool {
        let Some(part) = part.filter(|part| !part.is_empty()) else { return true };
        let range = if self.range.is_empty() {
            part.clone()
        } else {
            self.range.start.min(part.start)..self.range.end.max(part.end)
        };
        let len = range.end - range.start;
        let sum = self.sum + (part.end - part.start);
        if len > MOST || (len > LITTLE && len > SPREAD * sum) {
            return false;
        }
        *self = Cover { range, sum };
        true
    }
}

impl Stretch {
    fn read(&mut self, object: &ObjectFile, cover: &Cover) {
        let Range { start, end } = cover.range;
        self.bytes.resize((end - start) as usize, 0);
        self.range = if object.read(start as usize..end as usize, &mut self.bytes) {
            cover.range.clone()
        } else {
            0..0
        };
    }

    fn part(&self, part: Range<u64>) -> Option<&[u8]> {
        if part.is_empty() {
            return Some(&[]);
        }
        let is_within = part.start >= self.range.start && part.end <= self.range.end;
        is_within
            .then(|| {
                (part.start - self.range.start) as usize..(part.end - self.range.start) as usize
            })
            .and_then(|range| self.bytes.get(range))
    }
}
