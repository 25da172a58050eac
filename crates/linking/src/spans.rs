//! Spans of the output: runs of parts that a worker builds in its own buffer and writes with one
//! call. A digest of each span for the build id, or its CRC, is computed while the span is in
//! cache.

use crate::crc32;
use skald_core::diag::Result;
use skald_core::digest::span_digest;
use skald_core::output::Output;
use skald_core::par::prelude::*;
use skald_core::time::Timer;
use std::ops::Range;

/// A range of the file, and what fills it.
#[derive(Debug, Clone)]
pub struct Part<W> {
    /// Offset of its first byte in the file.
    pub file_offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// What fills it.
    pub what: W,
    /// The part continues the one before it and must be built after that, because the bytes of both
    /// come from the same stream.
    pub continues: bool,
}

/// An order in which to build parts, other than the file's.
pub trait BuildOrder: Sync {
    /// The rank of the part at this index.
    fn rank(&self, part: usize) -> u32;
    /// The band of a rank: parts of one band are built at the same time.
    fn band(&self, rank: u32) -> usize;
    /// Called when all parts of a band are built.
    fn leave(&self, band: usize);
}

/// Least size of a span in bytes, except in a smaller file. Small buffers have few pages, and
/// threads that build the last spans are done sooner.
pub const SPAN_SIZE: u64 = 1 << 18;
/// Gaps of this size in bytes and more are spans of their own.
const GAP_SIZE: u64 = 1 << 20;

/// A span: a byte range of the file, and the parts in it.
#[derive(Debug, Clone)]
pub struct Span {
    /// Byte range in the file.
    pub bytes: Range<u64>,
    /// Indices of the parts.
    pub parts: Range<usize>,
}

impl Span {
    /// Whether it has no parts; a gap may be as large as an alignment.
    fn is_gap(&self) -> bool {
        self.parts.is_empty()
    }
}

/// Whether a file of these spans should be a new one, in which gaps need not be filled with zeros.
pub fn have_gaps(spans: &[Span]) -> bool {
    spans.iter().any(Span::is_gap)
}

/// Cuts a file of `size` bytes into spans, each of which ends at the first end of a part behind
/// `least` bytes. Gaps between parts belong to the part before, except for large gaps that great
/// alignments leave: those are spans without parts.
pub fn cut<W>(parts: &[Part<W>], size: u64, least: u64) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut first = 0;
    let mut start = 0;
    for (at, _) in parts.iter().enumerate() {
        let end = parts.get(at + 1).map_or(size, |next| next.file_offset);
        let filled = parts[at].file_offset + parts[at].size;
        if end - start >= least || at + 1 == parts.len() {
            let is_gap_large = end.saturating_sub(filled) > GAP_SIZE;
            let own_end = if is_gap_large { filled } else { end };
            spans.push(Span { bytes: start..own_end, parts: first..at + 1 });
            first = at + 1;
            start = own_end;
            if is_gap_large {
                spans.push(Span { bytes: own_end..end, parts: first..first });
                start = end;
            }
        }
    }
    spans
}

/// Builds the `parts` of one span, with zeros between them.
pub fn build<W>(
    parts: &[Part<W>],
    span: &Span,
    out: &mut [u8],
    fill: &impl Fn(&Part<W>, &mut [u8]),
) {
    let mut cursor = span.bytes.start;
    for part in &parts[span.parts.clone()] {
        let start = (part.file_offset - span.bytes.start) as usize;
        let end = start + part.size as usize;
        out[(cursor - span.bytes.start) as usize..start].fill(0);
        fill(part, &mut out[start..end]);
        cursor = part.file_offset + part.size;
    }
    out[(cursor - span.bytes.start) as usize..].fill(0);
}

/// Builds `parts`, in order, in memory of `size` bytes, with zeros between them.
pub fn in_memory<W: Sync>(
    parts: &[Part<W>],
    size: u64,
    fill: impl Fn(&Part<W>, &mut [u8]) + Sync,
) -> Vec<u8> {
    let mut bytes = vec![0; size as usize];
    let mut places = Vec::with_capacity(parts.len());
    let (mut rest, mut at) = (&mut bytes[..], 0);
    for part in parts {
        let (_, tail) = std::mem::take(&mut rest).split_at_mut((part.file_offset - at) as usize);
        let (own, tail) = tail.split_at_mut(part.size as usize);
        places.push((part, own));
        at = part.file_offset + part.size;
        rest = tail;
    }
    places.par_chunk_by_mut(|_, (next, _)| next.continues).for_each(|run| {
        run.iter_mut().for_each(|(part, out)| fill(part, out));
    });
    bytes
}

/// The checksum that is computed of each span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// No digest: 0.
    None,
    /// The digest, for the build id.
    Digest,
    /// The CRC-32.
    Crc32,
}

impl Sum {
    fn of(self, bytes: &[u8]) -> u128 {
        match self {
            Sum::None => 0,
            Sum::Digest => span_digest(bytes),
            Sum::Crc32 => crc32::of(bytes).into(),
        }
    }

    /// That of a gap. All its bytes are zero: for the digest, its length stands for them.
    fn of_gap(self, len: u64) -> u128 {
        match self {
            Sum::None => 0,
            Sum::Digest => span_digest(&len.to_le_bytes()),
            Sum::Crc32 => crc32::of_zeros(len).into(),
        }
    }
}

/// How spans are built and written.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// What is wanted of the bytes of each span.
    pub sum: Sum,
    /// The order in which they are built; `None` for the file's.
    pub order: Option<&'a dyn BuildOrder>,
    /// Records the time of each span.
    pub timer: &'a Timer,
}

/// Builds and writes all spans in parallel; returns their sums, in order.
pub fn write_all<W: Sync>(
    output: &Output,
    parts: &[Part<W>],
    spans: &[Span],
    rules: Rules<'_>,
    fill: impl Fn(&Part<W>, &mut [u8]) + Sync,
) -> Result<Vec<u128>> {
    let Rules { sum, order, timer } = rules;
    let write = |span: &Span| {
        let _event = timer.event("write span", || format!("{:#x?}", span.bytes));
        if span.is_gap() {
            let len = span.bytes.end - span.bytes.start;
            return output.leave_zeros(span.bytes.start, len).map(|()| sum.of_gap(len));
        }
        let mut of_span = 0;
        output.write_span(
            span.bytes.start,
            (span.bytes.end - span.bytes.start) as usize,
            |out| {
                build(parts, span, out, &fill);
                of_span = sum.of(out);
            },
        )?;
        Ok(of_span)
    };
    let runs = runs_in_order(parts, spans);
    let in_order = |run: &Range<usize>| spans[run.clone()].iter().map(write).collect();
    if let Some(order) = order {
        return write_in_order(order, spans, &runs, in_order);
    }
    let sums: Result<Vec<Vec<u128>>> = runs.par_iter().with_max_len(1).map(in_order).collect();
    Ok(sums?.concat())
}

/// Writes `runs` of spans in another order; returns their sums in the order of the file.
fn write_in_order(
    order: &dyn BuildOrder,
    spans: &[Span],
    runs: &[Range<usize>],
    write: impl Fn(&Range<usize>) -> Result<Vec<u128>> + Sync,
) -> Result<Vec<u128>> {
    let first = |at: usize| order.rank(spans[runs[at].start].parts.start);
    let mut sequence: Vec<usize> = (0..runs.len()).collect();
    sequence.sort_by_key(|&at| first(at));
    let mut sums = vec![Vec::new(); runs.len()];
    for band in sequence.chunk_by(|&a, &b| order.band(first(a)) == order.band(first(b))) {
        let write = |&at: &usize| -> Result<(usize, Vec<u128>)> { Ok((at, write(&runs[at])?)) };
        let written = band.par_iter().with_max_len(1).map(write);
        for (at, of_run) in written.collect::<Result<Vec<_>>>()? {
            sums[at] = of_run;
        }
        order.leave(order.band(first(band[0])));
    }
    Ok(sums.concat())
}

/// Runs of spans, in each of which every span but the first continues the one before it.
pub fn runs_in_order<W>(parts: &[Part<W>], spans: &[Span]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::with_capacity(spans.len());
    for (at, span) in spans.iter().enumerate() {
        let continues = parts[span.parts.clone()].first().is_some_and(|part| part.continues);
        match runs.last_mut() {
            Some(run) if continues => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}
