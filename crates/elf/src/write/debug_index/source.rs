//! The debug sections of an output, as they were written.

use crate::format::compressed::CompressedSection;
use crate::format::encoding::Encoding;
use crate::layout::output_sections::Head;
use crate::layout::{OutputSection, OutputSections};
use crate::resolve::definitions::SectionId;
use crate::script::section_names::OutputId;
use crate::select::fault::SectionFault;
use crate::synth::image::Image;
use object::elf::{SHF_COMPRESSED, SHT_NOBITS};
use skald_core::ids::Column;
use skald_core::output::{View, Written};
use skald_core::par;
use skald_dwarf::sections::{Content, Contribution, Sections};
use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::Malformed;
use std::ops::Range;
use std::sync::Arc;

/// The most bytes that a decompressed section may have.
pub const LIMIT: u64 = 1 << 40;

/// A section of units, either read piece by piece or decompressed.
enum Units {
    File { written: Arc<Written>, start: u64, size: u64 },
    Memory(Vec<u8>),
}

impl Content for Units {
    fn read(&self, offset: u64, out: &mut [u8]) -> bool {
        match self {
            Units::Memory(bytes) => (&bytes[..]).read(offset, out),
            Units::File { written, start, size } => {
                let end = offset.checked_add(out.len() as u64);
                end.is_some_and(|end| end <= *size) && written.read_at(start + offset, out)
            }
        }
    }
}

/// The debug sections of an output.
pub struct Source {
    order: ByteOrder,
    info: Units,
    types: Units,
    /// In the order of [`MAPPED`].
    mapped: [View; MAPPED.len()],
    /// The parts of `.debug_info`, then those of `.debug_types`.
    pub contributions: Vec<Contribution>,
    /// The input section of each contribution.
    inputs: Vec<SectionId>,
}

/// Sections that are mapped as a whole.
const MAPPED: [&str; 10] = [
    "abbrev",
    "str",
    "line_str",
    "str_offsets",
    "addr",
    "ranges",
    "rnglists",
    "loc",
    "loclists",
    "aranges",
];

impl Source {
    /// The debug sections of an output that is written. Sections begin where they are laid out or,
    /// if given, at the file offsets `moved`, by header index.
    pub fn new(image: &Image<'_>, moved: Option<&[u64]>, written: Written) -> Source {
        let written = Arc::new(written);
        let encoding = image.encoding();
        let range = |head: &Head| {
            let header = image.outputs.header_index(head.parts.start) as usize;
            let start = moved.map_or(head.file_offset, |moved| moved[header]);
            start..start + head.size
        };
        let units = |name| match find(image.outputs, name) {
            None => Units::Memory(Vec::new()),
            Some((head, true)) => Units::Memory(decompressed(encoding, &written, range(head))),
            Some((head, false)) => {
                let written = written.clone();
                Units::File { written, start: range(head).start, size: head.size }
            }
        };
        let mapped = MAPPED.map(|name| {
            let found = find(image.outputs, name).filter(|(head, _)| head.size != 0);
            let view = found.and_then(|(head, is_compressed)| {
                if is_compressed {
                    Some(View::Copied(decompressed(encoding, &written, range(head))))
                } else {
                    written.view(range(head))
                }
            });
            view.unwrap_or(View::Copied(Vec::new()))
        });
        let (laid_out, inputs) = contributions(image);
        let contributions = match image.rewritten_units {
            Some(rewritten) => rewritten.contributions.clone(),
            None => laid_out,
        };
        let (order, info, types) = (encoding.order, units("info"), units("types"));
        Source { order, info, types, mapped, contributions, inputs }
    }

    /// The debug sections for a reader of DWARF.
    pub fn sections(&self) -> Sections<'_> {
        let [
            abbreviations,
            strings,
            line_strings,
            string_offsets,
            addresses,
            ranges,
            lists,
            locations,
            location_lists,
            aranges,
        ] = std::array::from_fn(|at| &self.mapped[at][..]);
        Sections {
            order: self.order,
            info: &self.info,
            types: &self.types,
            abbreviations,
            strings,
            line_strings,
            string_offsets,
            addresses,
            ranges,
            range_lists: lists,
            locations,
            location_lists,
            address_ranges: aranges,
        }
    }

    /// The input section of each contribution.
    pub fn inputs(&self) -> &[SectionId] {
        &self.inputs
    }

    /// For units that are in no index: the input and the offset of each fault.
    pub fn section_faults(
        &self,
        image: &Image<'_>,
        faults: &[(usize, Malformed)],
    ) -> Vec<SectionFault> {
        section_faults(image, &self.contributions, &self.inputs, faults)
    }
}

/// The input and the offset of each fault, by the positions of contributions.
pub fn section_faults(
    image: &Image<'_>,
    contributions: &[Contribution],
    inputs: &[SectionId],
    faults: &[(usize, Malformed)],
) -> Vec<SectionFault> {
    let fault = |&(at, Malformed { what, offset }): &(usize, Malformed)| {
        let record = &image.definitions.sections[inputs[at]];
        let section_offset = (offset as u64).saturating_sub(contributions[at].start);
        SectionFault { object: record.object, shndx: record.shndx, section_offset, what }
    };
    faults.iter().map(fault).collect()
}

/// The header of `.debug_NAME`, and whether the section is compressed.
pub fn find<'o>(outputs: &'o OutputSections, name: &str) -> Option<(&'o Head, bool)> {
    let is_named = |section: &OutputSection| {
        let rest = section.name.strip_prefix(b".z").or(section.name.strip_prefix(b"."));
        rest.and_then(|rest| rest.strip_prefix(b"debug_")) == Some(name.as_bytes())
    };
    let mut heads = outputs.heads.iter().map(|head| (head, &outputs.sections[head.parts.start]));
    let (head, section) = heads.find(|(_, section)| {
        is_named(section) && !section.is_loaded() && section.sh_type != SHT_NOBITS
    })?;
    let is_marked = section.sh_flags & u64::from(SHF_COMPRESSED) != 0;
    Some((head, is_marked || section.name.starts_with(b".z")))
}

/// The decompressed content of a section; empty if it cannot be read.
fn decompressed(encoding: Encoding, written: &Written, range: Range<u64>) -> Vec<u8> {
    let Some(view) = written.view(range) else {
        return Vec::new();
    };
    let compressed = if view.starts_with(b"ZLIB") {
        CompressedSection::parse_zdebug(&view)
    } else {
        CompressedSection::parse(encoding, &view).ok()
    };
    compressed.and_then(|section| section.decompress(LIMIT).ok()).unwrap_or_default()
}

/// The contribution of each input to `.debug_info` and `.debug_types`, in the order in which they
/// were laid out.
pub fn contributions(image: &Image<'_>) -> (Vec<Contribution>, Vec<SectionId>) {
    let mut found = Vec::new();
    for (is_types, name) in [(false, "info"), (true, "types")] {
        let Some((head, _)) = find(image.outputs, name) else { continue };
        let is_part = |out| {
            let position = image.outputs.position_of(out);
            position.is_some_and(|position| head.parts.contains(&position))
        };
        let contribution = |id: SectionId| {
            let start = image.address(id).wrapping_sub(head.address);
            let size = image.definitions.sections[id].size;
            (Contribution { is_types, start, size }, id)
        };
        let start = found.len();
        found.extend(live_sections(image, is_part).into_iter().map(contribution));
        found[start..].sort_by_key(|(contribution, _)| contribution.start);
    }
    found.into_iter().unzip()
}

/// The live input sections with an output id that `is_wanted`.
pub fn live_sections(image: &Image<'_>, is_wanted: impl Fn(OutputId) -> bool) -> Vec<SectionId> {
    let ids = image.outputs.names.ids();
    let wanted: Column<OutputId, bool> = ids.map(is_wanted).collect();
    let sections = &image.definitions.sections;
    let is_live = |id: SectionId| image.liveness.is_live(id);
    // Discarded sections, such as an `.sframe`, have no output.
    par::select(sections.len(), |id: SectionId| is_live(id) && wanted[sections[id].output()])
}
