//! Addresses that options give: to segments, which are the values of `SEGMENT_START` in scripts,
//! and to sections.

use super::{Options, OutputKind};

/// The addresses that options give to segments.
#[derive(Debug, Clone, Copy, Default)]
pub struct SegmentStarts<'a> {
    /// Output section names and addresses: `-Ttext` is for the segment `text`.
    sections: &'a [(String, u64)],
    /// `-Ttext-segment` and its like.
    named: [(&'static str, Option<u64>); 3],
}

impl SegmentStarts<'_> {
    /// The address of a segment; `None` if no option gives it one. If there are several, the last
    /// option holds.
    pub fn get(&self, segment: &[u8]) -> Option<u64> {
        let named = self.named.iter().find(|(name, _)| name.as_bytes() == segment);
        let is_it = |section: &str| section.as_bytes().strip_prefix(b".") == Some(segment);
        named.and_then(|(_, address)| *address).or_else(|| {
            let mut sections = self.sections.iter().rev();
            sections.find(|(section, _)| is_it(section)).map(|&(_, address)| address)
        })
    }
}

impl Options {
    /// Where a program begins that the loader does not move: on the start of the largest page, as
    /// in GNU ld, but never on the first page, which no program can have. Others begin at 0.
    pub fn usual_base(&self) -> u64 {
        if self.kind != OutputKind::Executable {
            return 0;
        }
        let page = self.max_page_size().max(1);
        (self.machine.image_base / page * page).max(page)
    }

    /// All addresses that options give to parts of the output.
    pub fn fixed_addresses(&self) -> impl Iterator<Item = u64> {
        let segments = [self.arrangement.rodata_segment, self.arrangement.ldata_segment];
        let sections = self.section_start.iter().map(|section| section.1);
        sections.chain(self.image_base).chain(segments.into_iter().flatten())
    }

    /// The values of `SEGMENT_START` in scripts.
    pub fn segment_starts(&self) -> SegmentStarts<'_> {
        SegmentStarts {
            sections: &self.section_start,
            named: [
                ("text-segment", self.image_base),
                ("rodata-segment", self.arrangement.rodata_segment),
                ("ldata-segment", self.arrangement.ldata_segment),
            ],
        }
    }
}
