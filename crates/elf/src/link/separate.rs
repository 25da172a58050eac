//! Writes a program and its debug file (`--separate-debug-file`), or the debug file alone.
//!
//! The program is complete, and has its name, before the debug file is begun, so that it can be
//! used meanwhile. The CRC of the debug file, which the program contains, is chosen beforehand.
//! Four bytes at the end of the debug file then make it true (docs/decisions/0032-debug-file.md).

use super::emit::{self, Ready};
use crate::args::Options;
use crate::resolve::tables::Tables;
use crate::synth::build_id;
use crate::write::content::Writer;
use crate::write::debug_file::{Whole, build_range};
use crate::write::elf_file::{build_id_at, told, write_spans};
use crate::write::parts::Part;
use crate::write::{debug_index, debug_inputs};
use skald_core::diag::{Error, Failed};
use skald_core::digest::{span_digest, tree_digest};
use skald_core::ids::IndexRange;
use skald_core::output::{Output, OutputPlan};
use skald_core::par::prelude::*;
use skald_host::output::permission_bits;
use skald_host::paths::OsStrBytes;
use skald_linking::crc32;
use skald_linking::spans::{self, Span, Sum};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Bytes that are read back at a time, for the CRC.
const RUN: u64 = 1 << 20;
/// Bytes at the end of a debug file that give it its CRC.
const ENDING: u64 = 4;

/// Whether the output is a program and a debug file, or the debug file alone.
pub(super) fn is_asked(options: &Options) -> bool {
    options.separate_debug_file.is_some() || options.only_keep_debug
}

/// How the program refers to the debug file: by CRC and build id.
pub(super) struct DebugLink {
    crc: u32,
    /// The build id and its file offset in the program.
    build_id: Option<(u64, Vec<u8>)>,
}

/// A program and its debug file.
pub(super) struct Separate<'a> {
    ready: &'a Ready<'a>,
    whole: Whole<'a>,
}

impl<'a> Separate<'a> {
    /// Divides the parts between the two files.
    pub(super) fn new(ready: &'a Ready<'a>) -> Separate<'a> {
        Separate { ready, whole: Whole::new(ready.writer, ready.parts) }
    }

    /// Writes the program and the side files except the debug file. The program is the last of the
    /// files returned; with `--only-keep-debug` it is not among them.
    pub(super) fn write_program(&self) -> Result<(Vec<Output>, DebugLink), Failed> {
        let &Ready { tables, writer, package, timer, .. } = self.ready;
        let phase = timer.phase("program");
        let (program, link) = write_program(self.ready, &self.whole)?;
        drop(phase);
        let mut files = emit::write_side_files(tables, writer.plan, writer.image, package)?;
        if !tables.options.only_keep_debug {
            files.push(program);
        }
        Ok((files, link))
    }

    /// Writes the debug file.
    pub(super) fn write_debug(&self, link: &DebugLink) -> Result<Output, Failed> {
        let _phase = self.ready.timer.phase("debug file");
        write_debug(self.ready, &self.whole, link)
    }
}

/// Writes the program. With `--only-keep-debug` no file is written: only what the debug file needs
/// to know of it is computed.
fn write_program(ready: &Ready<'_>, whole: &Whole<'_>) -> Result<(Output, DebugLink), Failed> {
    let &Ready { tables: &Tables { options, diag, .. }, writer, timer, .. } = ready;
    let program = whole.program();
    let debug_file = debug_file(options);
    let debug_name = debug_file.file_name().unwrap_or_default().as_bytes();
    let start = program.file.section_headers;
    let spans = spans::cut(&program.file.parts, start, spans::SPAN_SIZE);
    let size = start + program.end_size(debug_name);
    let mut plan = emit::output_plan(options, size, &spans);
    if options.only_keep_debug {
        plan.path = PathBuf::from("/dev/null");
    }
    let parts = &program.file.parts;
    let (mut output, mut digests) =
        write_spans(writer, parts, &spans, Sum::Digest, &plan, timer, diag)?;
    emit::check_failures(ready.tables, writer.inputs)?;
    digests.push(span_digest(&program.headers()));
    if build_id::needs_digest(&options.build_id) {
        let _phase = timer.phase("digests of debug sections");
        digests.extend(debug_inputs::digests(writer, ready.parts));
    }
    let build_id = build_id_at(&options.build_id, writer.plan, writer.image.outputs, &digests);
    if let Some((file_offset, bytes)) = &build_id {
        told(output.write_at(*file_offset, bytes), diag)?;
        digests.push(span_digest(bytes));
    }
    let crc = tree_digest(&digests, 4).iter().fold(0, |crc, &byte| crc << 8 | u32::from(byte));
    let end = program.end(debug_name, crc);
    let written = output.write_span(start, end.len(), |out| out.copy_from_slice(&end));
    told(written, diag)?;
    Ok((output, DebugLink { crc, build_id }))
}

fn write_debug(ready: &Ready<'_>, whole: &Whole<'_>, link: &DebugLink) -> Result<Output, Failed> {
    let &Ready { tables, writer, timer, .. } = ready;
    let &Tables { options, diag, .. } = tables;
    let bytes_of = |range: Range<u64>, parts: &[Part]| {
        let mut bytes = build_range(writer, range.clone(), parts);
        if let Some((offset, id)) = &link.build_id
            && range.contains(offset)
        {
            let at = (offset - range.start) as usize;
            bytes[at..][..id.len()].copy_from_slice(id);
        }
        bytes
    };
    let file = whole.debug(&bytes_of);
    let place = ready.index_place.clone().map(|place| place.moved(writer.image.encoding(), &file));
    let spans = spans::cut(&file.parts, file.size, spans::SPAN_SIZE);
    let plan = OutputPlan {
        path: debug_file(options).to_owned(),
        size: file.size + if place.is_none() { ENDING } else { 0 },
        mode: permission_bits(false),
        is_executable_kind: false,
        atomic: options.atomic_output,
        mmap: options.mmap_output,
    };
    // Words are written over loaded content, which is not in this file.
    let writer = &Writer { words: &[], ..*writer };
    let (mut output, sums) =
        write_spans(writer, &file.parts, &spans, Sum::Crc32, &plan, timer, tables.diag)?;
    emit::check_failures(tables, writer.inputs)?;
    let (crc, size) = match place {
        None => (joined(&spans, &sums), file.size),
        Some(place) => {
            let size = append_indexes(ready, place, &mut output)?;
            let before = joined(&spans[..spans.len() - 1], &sums);
            let last = spans.last().map_or(0, |span| span.bytes.start);
            let crc = told(read_again(&mut output, last..size), diag)?;
            told(output.extend(ENDING), diag)?;
            (crc32::joined(before, crc, size - last), size)
        }
    };
    let ending = crc32::ending(crc, link.crc);
    told(output.write_span(size, ending.len(), |out| out.copy_from_slice(&ending)), diag)?;
    Ok(output)
}

/// Appends the indexes for debuggers; returns where the file ends then.
fn append_indexes(
    ready: &Ready<'_>,
    place: debug_index::Place,
    output: &mut Output,
) -> Result<u64, Failed> {
    let _phase = ready.timer.phase("index for debuggers");
    let image = ready.writer.image;
    told(debug_index::append(ready.tables, image, &place, output), ready.tables.diag)?;
    Ok(output.size())
}

/// The path of the debug file.
fn debug_file(options: &Options) -> &Path {
    options.separate_debug_file.as_deref().unwrap_or(&options.output)
}

/// The CRC of spans that follow each other from the start of the file.
fn joined(spans: &[Span], sums: &[u128]) -> u32 {
    let len = |span: &Span| span.bytes.end - span.bytes.start;
    let each = spans.iter().zip(sums).map(|(span, &sum)| (len(span), sum as u32));
    each.fold(0, |crc, (len, of_span)| crc32::joined(crc, of_span, len))
}

/// The CRC of a range of the output that was changed after it was written: the range is read back.
fn read_again(output: &mut Output, range: Range<u64>) -> Result<u32, Error> {
    let path = output.path().display().to_string();
    let Some(written) = output.written()? else { return Ok(0) };
    let starts: Vec<u64> = range.clone().step_by(RUN as usize).collect();
    let of_run = |&start: &u64| {
        let run = start..range.end.min(start + RUN);
        let mut bytes = vec![0; run.wide().len()];
        let is_read = written.read_at(start, &mut bytes);
        is_read.then(|| (crc32::of(&bytes), bytes.len() as u64))
    };
    let runs: Option<Vec<(u32, u64)>> = starts.par_iter().with_max_len(1).map(of_run).collect();
    let runs = runs.ok_or_else(|| Error(format!("cannot read {path} again")))?;
    Ok(runs.into_iter().fold(0, |crc, (of_run, len)| crc32::joined(crc, of_run, len)))
}
