//! Indexes of debug information, `.gdb_index` and `.debug_names`: made from the debug sections of
//! the output, and appended to the file in this order.
//!
//! Debug sections of the output are relocated: names are offsets in the merged `.debug_str`, and
//! addresses are final. Reading them back costs a copy of `.debug_info` out of the page cache.
//! Reading the inputs instead would cost a look-up for each field
//! (docs/decisions/0031-debug-index.md).

mod gdb;
mod input_tables;
mod names;
pub(super) mod source;
mod split_files;

use super::dedup;
use crate::args::Options;
use crate::format::elf::Shdr;
use crate::format::encoding::{Encoding, Word};
use crate::layout::segments::FileEnd;
use crate::layout::{OutputSections, Synthetic};
use crate::resolve::tables::Tables;
use crate::synth::image::Image;
use crate::write::debug_file::FilePlan;
use skald_core::diag::Result;
use skald_core::digest::span_digest;
use skald_core::ids::IndexRange;
use skald_core::output::{Output, Written};
use skald_core::par::prelude::*;
use skald_dwarf::gdb_index::GdbIndex;
use source::Source;
use std::sync::Arc;

/// Bytes that are written at once.
const RUN: u64 = 1 << 20;

/// Whether an output section of this name is only used to make an index that is asked for, or would
/// be wrong because units are rewritten.
pub fn is_replaced(name: &[u8], options: &Options) -> bool {
    options.gdb_index && gdb::is_list(name)
        || options.debug_names && name == names::NAME
        || options.dedup_debug_types.is_some() && dedup::is_list(name)
}

/// Where indexes go: to the end of the file, with a section header for each.
#[derive(Clone)]
pub struct Place {
    /// Where the file ends without indexes.
    end: u64,
    /// `e_shoff`.
    section_headers: u64,
    /// File offset of each section, by header index, if the layout's offsets do not hold.
    moved: Option<Vec<u64>>,
    /// File offset of the section header of each index; `None` if the index is not made.
    gdb_header: Option<u64>,
    names_header: Option<u64>,
}

impl Place {
    /// For a file that would end at `end`; `None` if it gets no index.
    pub fn new(outputs: &OutputSections, end: FileEnd) -> Option<Place> {
        let header = |which| {
            outputs.synthetic(which)?;
            let index = u64::from(outputs.index_of(which));
            Some(end.section_headers + index * outputs.encoding().size::<Shdr>() as u64)
        };
        let gdb_header = header(Synthetic::GdbIndex);
        let names_header = header(Synthetic::DebugNames);
        gdb_header.or(names_header)?;
        let section_headers = end.section_headers;
        Some(Place { end: end.size, section_headers, moved: None, gdb_header, names_header })
    }

    /// The same for a file that has sections at other offsets, with the same indexes.
    pub fn moved(self, encoding: Encoding, file: &FilePlan) -> Place {
        let header = |offset: u64| offset - self.section_headers + file.section_headers;
        Place {
            end: file.size,
            section_headers: file.section_headers,
            moved: Some(file.section_offsets(encoding)),
            gdb_header: self.gdb_header.map(header),
            names_header: self.names_header.map(header),
        }
    }
}

/// An index: its bytes, and texts that are generated while writing.
struct Index<'s> {
    /// File offset of its section header.
    header: u64,
    head: Vec<u8>,
    rest: Option<GdbIndex<'s>>,
    /// `sh_offset`.
    file_offset: u64,
}

impl Index<'_> {
    fn size(&self) -> u64 {
        self.head.len() as u64 + self.rest.as_ref().map_or(0, |index| index.symbols.text_size())
    }

    /// File offset of the fields `sh_offset` and `sh_size`, and their values.
    fn fields(&self, encoding: Encoding) -> (u64, Vec<u8>) {
        let words = [self.file_offset, self.size()].map(Word::new);
        // These fields follow `sh_name`, `sh_type`, `sh_flags` and `sh_addr`.
        let place = self.header + 8 + 2 * encoding.word_size() as u64;
        (place, encoding.bytes(&words).into_owned())
    }
}

/// Everything that is appended.
struct Indexes<'s> {
    all: Vec<Index<'s>>,
    /// Where the file ends.
    end: u64,
}

impl<'s> Indexes<'s> {
    /// Makes the indexes; warns of debug information that cannot be read.
    fn new(
        source: &'s Source,
        tables: &Tables<'_>,
        image: &Image<'_>,
        place: &Place,
    ) -> Result<Indexes<'s>> {
        let mut indexes = Indexes { all: Vec::new(), end: place.end };
        if let Some(header) = place.gdb_header {
            let mut index = gdb::index(source, tables, image)?;
            let head = std::mem::take(&mut index.head);
            indexes.add(header, head, Some(index));
        }
        if let Some(header) = place.names_header {
            indexes.add(header, names::index(source, tables, image)?, None);
        }
        Ok(indexes)
    }

    fn add(&mut self, header: u64, head: Vec<u8>, rest: Option<GdbIndex<'s>>) {
        let file_offset = self.end.next_multiple_of(4);
        let index = Index { header, head, rest, file_offset };
        self.end = file_offset + index.size();
        self.all.push(index);
    }
}

/// Appends the indexes to an output that is otherwise written; returns their digest.
pub fn append(
    tables: &Tables<'_>,
    image: &Image<'_>,
    place: &Place,
    output: &mut Output,
) -> Result<u128> {
    let Some(written) = output.written()? else { return Ok(0) };
    let source = Source::new(image, place.moved.as_deref(), written);
    let indexes = Indexes::new(&source, tables, image, place)?;
    output.extend(indexes.end - place.end)?;
    let mut end = place.end;
    let mut digest = 0u128;
    for index in &indexes.all {
        output.leave_zeros(end, index.file_offset - end)?;
        digest = write(index, output)?.into_iter().fold(digest, joined);
        let (offset, fields) = index.fields(image.encoding());
        output.write_at(offset, &fields)?;
        end = index.file_offset + index.size();
    }
    Ok(digest)
}

/// Writes an index; returns a digest of each run.
fn write(index: &Index<'_>, output: &Output) -> Result<Vec<u128>> {
    let of_runs = index.head.par_chunks(RUN as usize).enumerate().map(|(at, run)| {
        let start = index.file_offset + at as u64 * RUN;
        output.write_span(start, run.len(), |out| out.copy_from_slice(run))?;
        Ok(span_digest(run))
    });
    let mut digests = of_runs.collect::<Result<Vec<u128>>>()?;
    let Some(GdbIndex { symbols, .. }) = &index.rest else { return Ok(digests) };
    let texts = index.file_offset + index.head.len() as u64;
    let of_runs = symbols.runs(RUN).into_par_iter().with_max_len(1).map(|(names, bytes)| {
        let len = (bytes.end - bytes.start) as usize;
        let mut digest = 0;
        output.write_span(texts + bytes.start, len, |out| {
            symbols.write_texts(names, out);
            digest = span_digest(out);
        })?;
        Ok(digest)
    });
    digests.extend(of_runs.collect::<Result<Vec<u128>>>()?);
    Ok(digests)
}

fn joined(all: u128, one: u128) -> u128 {
    all.rotate_left(1) ^ one
}

/// Appends the indexes to an ELF file in memory; returns their digest.
pub fn append_in_memory(
    tables: &Tables<'_>,
    image: &Image<'_>,
    place: &Place,
    file: &mut Vec<u8>,
) -> Result<u128> {
    let written = Arc::new(std::mem::take(file));
    let source = Source::new(image, None, Written::Memory(written.clone()));
    let indexes = Indexes::new(&source, tables, image, place)?;
    let mut digest = 0u128;
    let mut appended = Vec::new();
    let mut all_fields = Vec::new();
    for index in &indexes.all {
        appended.resize((index.file_offset - place.end) as usize, 0);
        appended.extend_from_slice(&index.head);
        digest = index.head.chunks(RUN as usize).map(span_digest).fold(digest, joined);
        let texts = appended.len();
        appended.resize((index.file_offset - place.end + index.size()) as usize, 0);
        if let Some(GdbIndex { symbols, .. }) = &index.rest {
            for (names, range) in symbols.runs(RUN) {
                let out = &mut appended[texts..][range.wide()];
                symbols.write_texts(names, out);
                digest = joined(digest, span_digest(out));
            }
        }
        all_fields.push(index.fields(image.encoding()));
    }
    drop(indexes);
    drop(source);
    *file = Arc::try_unwrap(written).unwrap_or_else(|shared| shared.to_vec());
    file.resize(place.end as usize, 0);
    file.append(&mut appended);
    for (offset, fields) in all_fields {
        file[offset as usize..][..fields.len()].copy_from_slice(&fields);
    }
    Ok(digest)
}
