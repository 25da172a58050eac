//! `.gdb_index`: made of the debug sections as they are in the output, and appended behind all
//! else.
//!
//! What is written is relocated: names are offsets in the merged `.debug_str`, addresses are final.
//! Reading it again costs a copy of `.debug_info` out of the page cache; to read the inputs instead
//! would cost a look-up for each field (docs/decisions/0031-debug-index.md).

use crate::check::reports::Tables;
use crate::format::compressed::CompressedSection;
use crate::format::elf::{Rela, Shdr};
use crate::layout::output_sections::Head;
use crate::layout::segments::FileEnd;
use crate::layout::{OutputSection, OutputSections, Synthetic};
use crate::read::object_file::InputSection;
use crate::resolve::definitions::SectionId;
use crate::script::section_names::OutputId;
use crate::select::fault::SectionFault;
use crate::synth::image::Image;
use crate::synth::values::{self, Value};
use object::elf::{SHF_COMPRESSED, SHT_NOBITS};
use skald_base::cursor::Malformed;
use skald_base::dwarf::gdb_index::{GdbIndex, IndexInput, ListedNames};
use skald_base::dwarf::sections::{Content, Contribution, Sections};
use skald_base::dwarf::values::fixed;
use skald_core::diag::{Error, Result};
use skald_core::digest::span_digest;
use skald_core::ids::{Column, IndexRange};
use skald_core::output::{Output, View, Written};
use skald_core::par;
use skald_core::par::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of names that are written at once.
const RUN: u64 = 1 << 20;
/// The most bytes that a decompressed section may have.
const LIMIT: u64 = 1 << 40;

/// Names of the sections that compilers list names in. They are in no output that has an index.
const LISTS: [&[u8]; 2] = [b".debug_gnu_pubnames", b".debug_gnu_pubtypes"];

/// Whether an output section of this name serves only to make an index.
pub fn is_list(name: &[u8]) -> bool {
    LISTS.contains(&name)
}

/// Where an index goes: the end of the file, and a section header.
#[derive(Clone, Copy)]
pub struct Place {
    /// `sh_offset`.
    pub file_offset: u64,
    /// File offset of the section header.
    header: u64,
}

impl Place {
    /// For a file that ends so without an index; `None` if it gets none.
    pub fn new(outputs: &OutputSections, end: FileEnd) -> Option<Place> {
        let FileEnd { section_headers, size, .. } = end;
        outputs.synthetic(Synthetic::GdbIndex)?;
        let index = u64::from(outputs.index_of(Synthetic::GdbIndex));
        let header = section_headers + index * size_of::<Shdr>() as u64;
        Some(Place { file_offset: size.next_multiple_of(4), header })
    }

    /// File offset of the fields `sh_offset` and `sh_size`, and their bytes.
    fn fields(&self, size: u64) -> (u64, [u8; 16]) {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.file_offset.to_le_bytes());
        bytes[8..].copy_from_slice(&size.to_le_bytes());
        (self.header + 24, bytes)
    }
}

/// Appends the index to an output of `size` bytes that is written otherwise; returns its digest.
pub fn append(
    tables: &Tables<'_>,
    image: &Image<'_>,
    place: Place,
    (output, size): (&mut Output, u64),
) -> Result<u128> {
    let Some(written) = output.written() else { return Ok(0) };
    let source = Source::new(image, written);
    let index = source.index(tables, image)?;
    let padding = place.file_offset - size;
    output.extend(padding + index.size())?;
    output.leave_zeros(size, padding)?;
    let (texts, head) = (place.file_offset + index.head.len() as u64, &index.head);
    output.write_span(place.file_offset, head.len(), |out| out.copy_from_slice(head))?;
    let digests: Result<Vec<u128>> = index
        .symbols
        .runs(RUN)
        .into_par_iter()
        .with_max_len(1)
        .map(|(names, bytes)| {
            let len = (bytes.end - bytes.start) as usize;
            let mut digest = 0;
            output.write_span(texts + bytes.start, len, |out| {
                index.symbols.write_texts(names, out);
                digest = span_digest(out);
            })?;
            Ok(digest)
        })
        .collect();
    let (offset, fields) = place.fields(index.size());
    output.write_at(offset, &fields)?;
    let of_head = span_digest(head);
    Ok(digests?.into_iter().fold(of_head, |all, one| all.rotate_left(1) ^ one))
}

/// Appends the index to an ELF file in memory; returns its digest.
pub fn append_in_memory(
    tables: &Tables<'_>,
    image: &Image<'_>,
    place: Place,
    file: &mut Vec<u8>,
) -> Result<u128> {
    let written = Arc::new(std::mem::take(file));
    let source = Source::new(image, Written::Memory(written.clone()));
    let index = source.index(tables, image)?;
    let mut bytes = index.head.clone();
    let head = bytes.len();
    bytes.resize(index.size() as usize, 0);
    let mut digest = span_digest(&index.head);
    for (names, range) in index.symbols.runs(RUN) {
        let out = &mut bytes[head..][range.wide()];
        index.symbols.write_texts(names, out);
        digest = digest.rotate_left(1) ^ span_digest(out);
    }
    let (offset, fields) = place.fields(index.size());
    drop(index);
    drop(source);
    *file = Arc::try_unwrap(written).unwrap_or_else(|shared| shared.to_vec());
    file.resize(place.file_offset as usize, 0);
    file.append(&mut bytes);
    file[offset as usize..][..fields.len()].copy_from_slice(&fields);
    Ok(digest)
}

/// A section of units: read piece by piece, or decompressed.
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
struct Source {
    info: Units,
    types: Units,
    /// In the order of [`MAPPED`].
    mapped: [View; MAPPED.len()],
    contributions: Vec<Contribution>,
    /// The input section of each contribution.
    inputs: Vec<SectionId>,
}

/// Sections that are mapped as a whole.
const MAPPED: [&str; 8] =
    ["abbrev", "str", "line_str", "str_offsets", "addr", "ranges", "rnglists", "aranges"];

impl Source {
    fn new(image: &Image<'_>, written: Written) -> Source {
        let written = Arc::new(written);
        let units = |name| match find(image.outputs, name) {
            None => Units::Memory(Vec::new()),
            Some((head, true)) => Units::Memory(decompressed(&written, head)),
            Some((head, false)) => {
                let written = written.clone();
                Units::File { written, start: head.file_offset, size: head.size }
            }
        };
        let mapped = MAPPED.map(|name| {
            let found = find(image.outputs, name).filter(|(head, _)| head.size != 0);
            let view = found.and_then(|(head, is_compressed)| match is_compressed {
                true => Some(View::Copied(decompressed(&written, head))),
                false => written.view(head.file_offset..head.file_offset + head.size),
            });
            view.unwrap_or(View::Copied(Vec::new()))
        });
        let (contributions, inputs) = contributions(image);
        Source { info: units("info"), types: units("types"), mapped, contributions, inputs }
    }

    fn sections(&self) -> Sections<'_> {
        let [
            abbreviations,
            strings,
            line_strings,
            string_offsets,
            addresses,
            ranges,
            lists,
            aranges,
        ] = std::array::from_fn(|at| &self.mapped[at][..]);
        Sections {
            info: &self.info,
            types: &self.types,
            abbreviations,
            strings,
            line_strings,
            string_offsets,
            addresses,
            ranges,
            range_lists: lists,
            address_ranges: aranges,
        }
    }

    /// Makes the index; warns of what cannot be read.
    fn index(&self, tables: &Tables<'_>, image: &Image<'_>) -> Result<GdbIndex<'_>> {
        let listed = listed_names(image);
        let index = GdbIndex::new(&IndexInput {
            sections: self.sections(),
            contributions: &self.contributions,
            listed: &listed,
            addresses: loaded_addresses(image),
            version: tables.options.gdb_index_version,
        });
        let fault = |&(at, Malformed { what, offset }): &(usize, Malformed)| {
            let record = &image.definitions.sections[self.inputs[at]];
            let section_offset = (offset as u64).saturating_sub(self.contributions[at].start);
            SectionFault { object: record.object, shndx: record.shndx, section_offset, what }
        };
        let faults: Vec<SectionFault> = index.faults.iter().map(fault).collect();
        tables.unread_units(&faults);
        match index.symbols.fits() {
            true => Ok(index),
            false => Err(Error("the names of .gdb_index take more than 4 GiB".to_owned())),
        }
    }
}

/// The header of `.debug_NAME`, and whether the section is compressed.
fn find<'o>(outputs: &'o OutputSections, name: &str) -> Option<(&'o Head, bool)> {
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

/// The content of a compressed section; empty if it cannot be read.
fn decompressed(written: &Written, head: &Head) -> Vec<u8> {
    let Some(view) = written.view(head.file_offset..head.file_offset + head.size) else {
        return Vec::new();
    };
    let compressed = match view.starts_with(b"ZLIB") {
        true => CompressedSection::parse_zdebug(&view),
        false => CompressedSection::parse(&view).ok(),
    };
    compressed.and_then(|section| section.decompress(LIMIT).ok()).unwrap_or_default()
}

/// What each input brings to `.debug_info` and `.debug_types`, in order.
fn contributions(image: &Image<'_>) -> (Vec<Contribution>, Vec<SectionId>) {
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
fn live_sections(image: &Image<'_>, is_wanted: impl Fn(OutputId) -> bool) -> Vec<SectionId> {
    let ids = image.outputs.names.ids();
    let wanted: Column<OutputId, bool> = ids.map(is_wanted).collect();
    let sections = &image.definitions.sections;
    let is_live = |id: SectionId| image.liveness.is_live(id);
    par::select(sections.len(), |id: SectionId| wanted[sections[id].output()] && is_live(id))
}

/// The addresses from the first to the last byte that is loaded.
fn loaded_addresses(image: &Image<'_>) -> Range<u64> {
    let loaded = image.outputs.sections.iter().filter(|section| section.is_loaded());
    let ranges = loaded.map(|section| section.address..section.address + section.size);
    let both = |a: Range<u64>, b: Range<u64>| a.start.min(b.start)..a.end.max(b.end);
    ranges.filter(|range| !range.is_empty()).reduce(both).unwrap_or(0..0)
}

/// What compilers listed (`-ggnu-pubnames`), by the unit that it is of.
fn listed_names<'a>(image: &Image<'a>) -> Vec<ListedNames<'a>> {
    let names = &image.outputs.names;
    let sections = live_sections(image, |out| is_list(&names[out]));
    let lists = sections.par_iter().map(|&id| lists_of(image, id));
    let mut lists: Vec<ListedNames<'a>> = lists.collect::<Vec<_>>().concat();
    lists.sort_by_key(|list| list.unit);
    lists
}

/// The lists of one input section. One that is broken ends them.
fn lists_of<'a>(image: &Image<'a>, id: SectionId) -> Vec<ListedNames<'a>> {
    let section = &image.definitions.sections[id];
    let object = &image.objects[section.object];
    let bytes: &'static [u8] = match object.compressed(section) {
        // Few have them, and what is decompressed is read until the end of the link.
        Some(compressed) => compressed.decompress(LIMIT).unwrap_or_default().leak(),
        None => object.bytes(section),
    };
    let relocs = object.relocs(section);
    let mut lists = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let Some(list) = list_at(image, section, relocs, bytes, &mut at) else { break };
        lists.extend(list);
    }
    lists
}

/// The list at `at`, which moves behind it: `None` if it is broken, `Some(None)` if its unit is not
/// in the output. (LLVM's and gcc's `.debug_gnu_pubnames` have the header of DWARF 4, section
/// 6.1.1.)
fn list_at<'a>(
    image: &Image<'_>,
    section: &InputSection,
    relocs: &[Rela],
    bytes: &'a [u8],
    at: &mut usize,
) -> Option<Option<ListedNames<'a>>> {
    let (offset_size, length) = match fixed(bytes, at, 4)? {
        0xffff_ffff => (8, fixed(bytes, at, 8)?),
        length => (4, length),
    };
    let end = at.checked_add(usize::try_from(length).ok()?)?;
    let list = bytes.get(..end)?;
    let _version = fixed(list, at, 2)?;
    let field = *at as u64;
    let written = fixed(list, at, offset_size)?;
    let _unit_size = fixed(list, at, offset_size)?;
    let entries = list.get(*at..)?;
    *at = end;
    let found = relocs.partition_point(|reloc| reloc.r_offset() < field);
    let unit = match relocs.get(found).filter(|reloc| reloc.r_offset() == field) {
        None => Some(written),
        Some(reloc) => match values::decode(image.value(section.object, reloc.symbol())) {
            Value::Plain(value) => Some(value.wrapping_add(reloc.r_addend() as u64)),
            _ => None,
        },
    };
    Some(unit.map(|unit| ListedNames { unit, entries, offset_size: offset_size as u8 }))
}
