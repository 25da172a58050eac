//! The input sections that are not in the output: dead sections, dropped copies of groups, folded
//! functions.

use super::Inputs;
use crate::read::ObjectId;
use crate::read::object_file::{ReadRules, SectionFlags, has_content};
use skald_core::ids::IdRange;
use skald_core::par::prelude::*;
use std::ops::Range;

/// Section headers in a part of the list, or a few more.
const CHUNK: usize = 1 << 11;

impl Inputs<'_> {
    /// Cuts the objects into ranges of about the same number of headers; none if nothing was
    /// removed.
    pub fn discarded_parts(&self) -> Vec<Range<ObjectId>> {
        let objects = self.sources.objects;
        let is_asked = !self.sources.options.reports.no_map_discarded;
        if !is_asked || !objects.par_ids().any(|at| self.lost(at).next().is_some()) {
            return Vec::new();
        }
        let mut parts = Vec::new();
        let (mut start, mut headers) = (ObjectId::default(), 0);
        for (at, object) in objects.with_ids() {
            headers += object.mapped.shdrs.len();
            if headers >= CHUNK || at + 1 == objects.end() {
                parts.push(start..at + 1);
                (start, headers) = (at + 1, 0);
            }
        }
        parts
    }

    /// Appends the lines of some objects.
    pub fn write_discarded(&self, objects: Range<ObjectId>, out: &mut Vec<u8>) {
        for at in objects.ids() {
            let object = &self.sources.objects[at];
            for shndx in self.lost(at) {
                let size = object.header(shndx).sh_size();
                self.columns.input_section(out, object.section_name(shndx), 0, size, self.file(at));
            }
        }
    }

    /// Section header indices of an object's sections that the output lacks. `.eh_frame` is not
    /// listed, because it is kept or dropped record by record.
    fn lost(&self, at: ObjectId) -> impl Iterator<Item = u32> {
        let object = &self.sources.objects[at];
        let base = self.definitions.section_base[at];
        let is_lost = move |shndx: u32| match object.record_index(shndx) {
            None => object.is_killed(shndx),
            Some(index) => {
                let id = base + index;
                let flags = self.definitions.sections[id].flags;
                flags.has(SectionFlags::DISCARDED)
                    || !(self.live.is_live(id) || flags.has(SectionFlags::EH_FRAME))
            }
        };
        (1..object.mapped.shdrs.len() as u32).filter(move |&shndx| {
            let header = object.header(shndx);
            is_lost(shndx)
                && header.sh_size() != 0
                && has_content(header.sh_type(), ReadRules::default())
        })
    }
}
