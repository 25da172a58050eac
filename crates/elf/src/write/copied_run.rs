//! Sections that stand one after the other in the output and come from one object, read through its
//! descriptor with two calls.
//!
//! While memory has a limit, pages that were mapped have to be given back soon, and to map and to
//! forget a page costs more than to copy it; and a page fault maps fifteen of its neighbours as
//! well, of which the sections of other parts of the output are made at another time.

use crate::format::elf::Rela;
use crate::read::ObjectFile;
use crate::read::lending::{contents_of, relocs_of};
use crate::read::object_file::InputSection;
use skald_core::memory_limit;
use std::ops::Range;
use zerocopy::FromBytes;

/// As many bytes of an object are read at once at most.
const MOST: u64 = 256 << 10;
/// What stands between the sections is read as well if it is not more than so many times their
/// bytes, or less than what a page fault would map.
const SPREAD: u64 = 4;
const LITTLE: u64 = 16 << 10;

/// Contents and relocations of sections that were read.
#[derive(Debug, Default)]
pub struct CopiedRun {
    bytes: Stretch,
    relocs: Stretch,
    /// So many sections from the last one that was asked for are still to come.
    left: usize,
}

/// A part of an object.
#[derive(Debug, Default)]
struct Stretch {
    /// Offsets in the object; empty if it was not read.
    range: Range<u64>,
    bytes: Vec<u8>,
}

impl CopiedRun {
    /// `None` if mappings do.
    pub fn new() -> Option<CopiedRun> {
        memory_limit::is_held().then(CopiedRun::default)
    }

    /// The next of the sections in a part of the output is `section`, of `object`; `following`
    /// begins with it.
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

/// What covers some parts of an object.
#[derive(Debug, Default)]
struct Cover {
    range: Range<u64>,
    sum: u64,
}

impl Cover {
    /// Adds a part. Returns whether it is near enough.
    fn add(&mut self, part: Option<Range<u64>>) -> bool {
        let Some(part) = part.filter(|part| !part.is_empty()) else { return true };
        let range = match self.range.is_empty() {
            true => part.clone(),
            false => self.range.start.min(part.start)..self.range.end.max(part.end),
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
        self.range = match object.read(start as usize..end as usize, &mut self.bytes) {
            true => cover.range.clone(),
            false => 0..0,
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
