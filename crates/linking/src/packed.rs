//! Sections that are compressed before the file is laid out.
//!
//! All sections are compressed at once, in shards: spans of a section's parts. A worker builds each
//! shard in a buffer of its own and compresses it while it is in cache.

use super::compressor::{Codec, Compressor};
use super::spans::{self, Part, Span};
use skald_core::diag::{AFTER_FILES, Diag};
use skald_core::par::prelude::*;
use skald_core::zstd_frame::Failure;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// A shard ends at the first end of a part behind this many bytes.
const SHARD_SIZE: u64 = 1 << 20;

/// A section that is to be compressed if that makes it smaller.
pub struct Unpacked<W> {
    codec: Codec,
    prefix: Vec<u8>,
    size: u64,
    parts: Vec<Part<W>>,
    shards: Vec<Span>,
}

impl<W> Unpacked<W> {
    /// A section of `size` bytes at offset `start` of the file, which `parts` fill, in order;
    /// `prefix` is written before the compressed stream.
    pub fn new(
        codec: Codec,
        prefix: Vec<u8>,
        start: u64,
        size: u64,
        mut parts: Vec<Part<W>>,
    ) -> Unpacked<W> {
        for part in &mut parts {
            part.file_offset -= start;
        }
        let shards = spans::cut(&parts, size, SHARD_SIZE);
        Unpacked { codec, prefix, size, parts, shards }
    }
}

/// The compressed form of a section.
#[derive(Debug, Clone, Default)]
pub struct Packed {
    /// Header, a piece for each shard, trailer; none is empty.
    pieces: Vec<Vec<u8>>,
}

impl Packed {
    /// A section that is not compressed.
    pub fn plain(bytes: &[u8]) -> Packed {
        Packed { pieces: bytes.chunks(SHARD_SIZE as usize).map(<[u8]>::to_vec).collect() }
    }

    /// Size of the compressed section in bytes.
    pub fn size(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.len() as u64).sum()
    }

    /// Index of each piece, and its byte range in the section. A piece is written to the file as a
    /// part.
    pub fn pieces(&self) -> impl Iterator<Item = (u32, Range<u64>)> {
        let mut end = 0;
        (0..).zip(&self.pieces).map(move |(at, piece)| {
            let start = end;
            end += piece.len() as u64;
            (at, start..end)
        })
    }

    /// The bytes of the piece with index `at`.
    pub fn piece(&self, at: u32) -> &[u8] {
        &self.pieces[at as usize]
    }
}

/// A compressed shard and its checksum.
type Shard = (Vec<u8>, u32);

/// Buffers and state that a worker keeps from one shard to the next.
#[derive(Default)]
struct Workspace {
    compressor: Compressor,
    shard: Vec<u8>,
    out: Vec<u8>,
}

/// Compresses sections; `fill` builds their parts. `None` for a section that does not get smaller,
/// or that cannot be compressed, which is an error in `diag`.
pub fn pack<W: Sync>(
    sections: &[Unpacked<W>],
    diag: &Diag,
    fill: impl Fn(&Part<W>, &mut [u8]) + Sync,
) -> Vec<Option<Packed>> {
    let workspaces = Mutex::new(Vec::<Workspace>::new());
    let lock = || workspaces.lock().unwrap_or_else(PoisonError::into_inner);
    let runs: Vec<(usize, Range<usize>)> = (0..)
        .zip(sections)
        .flat_map(|(at, section)| {
            let runs = spans::runs_in_order(&section.parts, &section.shards);
            runs.into_iter().map(move |run| (at, run))
        })
        .collect();
    let compress = |(at, run): &(usize, Range<usize>)| -> Result<Vec<Shard>, Failure> {
        let section = &sections[*at];
        // A compressor's state is large and there are more runs than workers, so states are reused.
        let mut workspace = lock().pop().unwrap_or_default();
        let shards = run.clone().map(|number| workspace.compress(section, number, &fill)).collect();
        lock().push(workspace);
        shards
    };
    let done: Result<Vec<Vec<Shard>>, Failure> =
        runs.par_iter().with_max_len(1).map(compress).collect();
    let mut shards = match done {
        Ok(shards) => shards.into_iter().flatten(),
        Err(failure) => {
            diag.error(AFTER_FILES, format!("cannot compress with zstd: {failure}"));
            return sections.iter().map(|_| None).collect();
        }
    };
    let mut own = |section: &Unpacked<W>| shards.by_ref().take(section.shards.len()).collect();
    sections.iter().map(|section| section.packed(own(section))).collect()
}

impl Workspace {
    fn compress<W>(
        &mut self,
        section: &Unpacked<W>,
        number: usize,
        fill: &impl Fn(&Part<W>, &mut [u8]),
    ) -> Result<Shard, Failure> {
        let span = &section.shards[number];
        self.shard.resize((span.bytes.end - span.bytes.start) as usize, 0);
        spans::build(&section.parts, span, &mut self.shard, fill);
        let is_last = number + 1 == section.shards.len();
        let Workspace { compressor, shard, out } = self;
        let checksum = compressor.compress(section.codec, shard, is_last, out)?;
        // Copied to its real size: `out` has room for a shard that does not get smaller.
        Ok((out.as_slice().to_vec(), checksum))
    }
}

impl<W> Unpacked<W> {
    fn packed(&self, shards: Vec<Shard>) -> Option<Packed> {
        let lengths = self.shards.iter().map(|span| span.bytes.end - span.bytes.start);
        let checksums = shards.iter().map(|shard| shard.1).zip(lengths);
        let trailer = self.codec.trailer(checksums);
        let mut pieces = vec![[&self.prefix[..], &self.codec.header(self.size)].concat()];
        pieces.extend(shards.into_iter().map(|shard| shard.0));
        pieces.push(trailer);
        pieces.retain(|piece| !piece.is_empty());
        let packed = Packed { pieces };
        (packed.size() < self.size).then_some(packed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    const SHARD: usize = 1 << 20;

    /// The bytes as one section, in parts of some hundred KiB.
    fn packed(bytes: &[u8], codec: Codec) -> Option<Vec<u8>> {
        const PART: usize = 300_000;
        let part = |at: usize| Part {
            file_offset: (64 + at * PART) as u64,
            size: PART.min(bytes.len() - at * PART) as u64,
            what: at * PART,
            continues: at % 5 == 4,
        };
        let parts = (0..bytes.len().div_ceil(PART)).map(part).collect();
        let section = Unpacked::new(codec, b"prefix".to_vec(), 64, bytes.len() as u64, parts);
        let fill = |part: &Part<usize>, out: &mut [u8]| {
            out.copy_from_slice(&bytes[part.what..][..out.len()]);
        };
        let packed = pack(&[section], &Diag::default(), fill).remove(0)?;
        let ranges = packed.pieces().map(|(_, range)| range);
        assert_eq!(ranges.last().map(|range| range.end), Some(packed.size()));
        let bytes = packed.pieces.concat();
        bytes.strip_prefix(b"prefix").map(<[u8]>::to_vec)
    }

    /// Words in an order without a pattern: every codec finds something to save.
    fn sample(len: usize) -> Vec<u8> {
        const WORDS: [&[u8]; 4] = [b"DW_TAG_member", b"DW_AT_name", b"unsigned int", b"_ZN4core"];
        let mut state = 1u32;
        let mut bytes = Vec::new();
        while bytes.len() < len {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            bytes.extend_from_slice(WORDS[(state >> 30) as usize]);
        }
        bytes.truncate(len);
        bytes
    }

    #[test]
    fn what_is_compressed_is_read_back() {
        for len in [1000, SHARD, 2 * SHARD + 12345] {
            let bytes = sample(len);
            for level in [1, 6, 9] {
                let packed = packed(&bytes, Codec::Zlib(level)).expect("words repeat");
                let mut read = Vec::new();
                flate2::read::ZlibDecoder::new(&packed[..]).read_to_end(&mut read).unwrap();
                assert!(read == bytes, "{len} {level}");
            }
            for level in [1, 3] {
                let packed = packed(&bytes, Codec::Zstd(level)).expect("words repeat");
                assert!(zstd::bulk::decompress(&packed, len).unwrap() == bytes, "{len} {level}");
            }
        }
    }

    #[test]
    fn zstd_makes_one_frame_of_one_segment_that_knows_its_size() {
        for len in [1000, 70_000, SHARD, 4 * SHARD + 12345] {
            let frame = packed(&sample(len), Codec::Zstd(3)).expect("words repeat");
            assert_eq!(frame[..4], 0xfd2f_b528u32.to_le_bytes());
            assert_ne!(frame[4] & 1 << 5, 0, "{len}: single segment");
            let size = zstd::zstd_safe::find_frame_compressed_size(&frame);
            assert_eq!(size, Ok(frame.len()), "{len}: nothing behind the frame");
            let content = zstd::zstd_safe::get_frame_content_size(&frame);
            assert_eq!(content.ok().flatten(), Some(len as u64));
        }
    }

    #[test]
    fn what_does_not_shrink_stays() {
        assert_eq!(packed(&[1, 2, 3], Codec::Zlib(6)), None);
    }
}
