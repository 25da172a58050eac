//! Compression of whole sections: an Elf64_Chdr and a zlib stream or a zstd frame (generic ABI,
//! "Section Compression"); or, for tools of before that, the `.zdebug` form of GNU binutils: "ZLIB",
//! the size as a big-endian word of 64 bits, and a zlib stream.
//!
//! A section is cut into shards that are compressed in parallel, so that the bytes depend on the
//! shard size and not on threads. Deflate blocks may simply follow each other if each shard ends on
//! a byte boundary (RFC 1951, 3.2.4), with one checksum over all. zstd frames might too, but readers
//! of debug information that are not libzstd (libbacktrace, for one) read one frame, which has to
//! say how large its content is and to be a single segment (RFC 8878, 3.1.1.1); so libzstd itself
//! cuts into jobs, whose blocks make one frame.

use flate2::{Compress, FlushCompress, Status};
use object::elf::{ELFCOMPRESS_ZLIB, ELFCOMPRESS_ZSTD};
use rayon::prelude::*;
use skald_core::diag::Diag;
use zstd::zstd_safe::CParameter;

/// How a section is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// zlib at this level.
    Zlib(u8),
    /// zstd at this level.
    Zstd(u8),
    /// zlib at this level in the `.zdebug` form.
    Zdebug(u8),
}

impl Method {
    /// The name of a section that is compressed so, if it is not that of the section.
    pub fn renamed(self, name: &[u8]) -> Option<Vec<u8>> {
        let tail = name.strip_prefix(b".debug_").filter(|_| matches!(self, Method::Zdebug(_)))?;
        Some([b".zdebug_", tail].concat())
    }
}

/// Bytes that one task compresses.
const SHARD: usize = 1 << 20;
/// Up to here the window that libzstd chooses by itself holds all.
const DEFAULT_WINDOW: usize = 1 << 19;
/// The largest window that libzstd's readers take without being told (`ZSTD_WINDOWLOG_LIMIT_DEFAULT`).
const MAX_WINDOW_LOG2: u32 = 27;
/// sizeof(Elf64_Chdr).
const HEADER: usize = 24;
/// "ZLIB" and a size.
const OLD_HEADER: usize = 12;
/// The modulus of Adler-32 (RFC 1950).
const ADLER: u32 = 65521;

/// The compressed form of `bytes`, of alignment `align`; `None` if it is not smaller, or if libzstd
/// cannot do it, which `diag` is told: to leave the section as it is would make an output that
/// depends on the state of the system.
pub fn compress(bytes: &[u8], align: u64, method: Method, diag: &Diag) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let (ch_type, payload) = match method {
        Method::Zlib(level) => (Some(ELFCOMPRESS_ZLIB), zlib(bytes, level)),
        Method::Zstd(level) => (
            Some(ELFCOMPRESS_ZSTD),
            vec![zstd_frame(bytes, level).map_err(|error| failed(&error, diag)).ok()?],
        ),
        Method::Zdebug(level) => (None, zlib(bytes, level)),
    };
    let header = if ch_type.is_some() { HEADER } else { OLD_HEADER };
    let size: usize = header + payload.iter().map(Vec::len).sum::<usize>();
    if size >= bytes.len() {
        return None;
    }
    out.reserve_exact(size);
    let len = bytes.len() as u64;
    if let Some(ch_type) = ch_type {
        out.extend_from_slice(&ch_type.to_le_bytes());
        out.extend_from_slice(&[0; 4]);
        out.extend_from_slice(&len.to_le_bytes());
        out.extend_from_slice(&align.to_le_bytes());
    } else {
        out.extend_from_slice(b"ZLIB");
        out.extend_from_slice(&len.to_be_bytes());
    }
    for part in payload {
        out.extend_from_slice(&part);
    }
    Some(out)
}

fn failed(error: &std::io::Error, diag: &Diag) {
    diag.error((u64::MAX, 0), format!("cannot compress with zstd: {error}"));
}

/// One frame, the same for any number of threads, as long as it is not zero.
fn zstd_frame(bytes: &[u8], level: u8) -> std::io::Result<Vec<u8>> {
    let mut state = zstd::bulk::Compressor::new(i32::from(level))?;
    state.set_parameter(CParameter::NbWorkers(rayon::current_num_threads() as u32))?;
    state.set_parameter(CParameter::JobSize(SHARD as u32))?;
    // No job looks at what is before it: that would be compressed twice.
    state.set_parameter(CParameter::OverlapSizeLog(1))?;
    if bytes.len() > DEFAULT_WINDOW {
        // A window of all there is makes a single segment. Jobs are smaller, so it costs nothing.
        let log2 = bytes.len().next_power_of_two().ilog2();
        state.set_parameter(CParameter::WindowLog(log2.min(MAX_WINDOW_LOG2)))?;
    }
    state.compress(bytes)
}

fn zlib(bytes: &[u8], level: u8) -> Vec<Vec<u8>> {
    let count = bytes.len().div_ceil(SHARD);
    let shards: Vec<(Vec<u8>, u32)> = bytes
        .par_chunks(SHARD)
        .enumerate()
        .map_init(Vec::new, |out, (at, shard)| {
            deflate(shard, level, at + 1 == count, out);
            // As much memory as it needs: the buffer has room for what does not get smaller.
            (out.as_slice().to_vec(), adler32(shard))
        })
        .collect();
    let mut checksum = 1;
    for (shard, (_, own)) in bytes.chunks(SHARD).zip(&shards) {
        checksum = join_adler32(checksum, *own, shard.len());
    }
    // CMF: deflate with a 32 KiB window; FLG: no dictionary, and a multiple of 31 together.
    let mut parts = vec![vec![0x78, 0x01]];
    parts.extend(shards.into_iter().map(|shard| shard.0));
    parts.push(checksum.to_be_bytes().to_vec());
    parts
}

/// Makes `out` deflate blocks that end on a byte boundary; the last shard ends the stream.
fn deflate(shard: &[u8], level: u8, is_last: bool, out: &mut Vec<u8>) {
    let mut state = Compress::new(flate2::Compression::new(u32::from(level)), false);
    let flush = if is_last { FlushCompress::Finish } else { FlushCompress::Sync };
    out.clear();
    out.reserve(shard.len() / 2 + 64);
    loop {
        let rest = &shard[state.total_in() as usize..];
        let status = state.compress_vec(rest, out, flush).expect("no dictionary is set");
        let has_room = out.len() < out.capacity();
        match status {
            Status::StreamEnd => return,
            // Room left over means that everything was flushed.
            _ if has_room && !is_last && state.total_in() as usize == shard.len() => return,
            _ => out.reserve(out.capacity().max(64)),
        }
    }
}

fn adler32(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (1u32, 0u32);
    // As many sums as fit 32 bits (zlib's NMAX).
    for run in bytes.chunks(5552) {
        for &byte in run {
            a += u32::from(byte);
            b += a;
        }
        a %= ADLER;
        b %= ADLER;
    }
    b << 16 | a
}

/// The checksum of two runs of bytes, of which the second is `len` long.
fn join_adler32(first: u32, second: u32, len: usize) -> u32 {
    let modulus = u64::from(ADLER);
    let (a1, b1) = (u64::from(first & 0xffff), u64::from(first >> 16));
    let (a2, b2) = (u64::from(second & 0xffff), u64::from(second >> 16));
    let len = len as u64 % modulus;
    let a = (a1 + a2 + modulus - 1) % modulus;
    let b = (b1 + b2 + len * (a1 + modulus - 1)) % modulus;
    (b << 16 | a) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diag() -> Diag {
        Diag::default()
    }

    use crate::format::compressed::CompressedSection;

    /// Words in an order without a pattern: every method finds something to save.
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
            for method in [Method::Zlib(1), Method::Zlib(9), Method::Zstd(3)] {
                let packed = compress(&bytes, 16, method, &diag()).expect("words repeat");
                let section = CompressedSection::parse(&packed).unwrap();
                assert_eq!(section.alignment, Some(16));
                assert!(section.decompress(1 << 30).unwrap() == bytes, "{len} {method:?}");
            }
            let packed = compress(&bytes, 16, Method::Zdebug(6), &diag()).expect("words repeat");
            let section = CompressedSection::parse_zdebug(&packed).unwrap();
            assert!(section.decompress(1 << 30).unwrap() == bytes, "{len}");
        }
    }

    #[test]
    fn zstd_makes_one_frame_of_one_segment_that_knows_its_size() {
        for len in [1000, 70_000, SHARD, 4 * SHARD + 12345] {
            let packed = compress(&sample(len), 1, Method::Zstd(3), &diag()).expect("words repeat");
            let frame = &packed[HEADER..];
            assert_eq!(frame[..4], 0xfd2f_b528u32.to_le_bytes());
            assert_ne!(frame[4] & 1 << 5, 0, "{len}: single segment");
            let size = zstd::zstd_safe::find_frame_compressed_size(frame);
            assert_eq!(size, Ok(frame.len()), "{len}: nothing behind the frame");
            let content = zstd::zstd_safe::get_frame_content_size(frame);
            assert_eq!(content.ok().flatten(), Some(len as u64));
        }
    }

    #[test]
    fn what_does_not_shrink_stays() {
        assert_eq!(compress(&[1, 2, 3], 1, Method::Zlib(6), &diag()), None);
        assert_eq!(compress(&[], 1, Method::Zstd(3), &diag()), None);
    }

    #[test]
    fn checksums_join() {
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
        assert_eq!(join_adler32(adler32(b"Wiki"), adler32(b"pedia"), 5), 0x11e6_0398);
    }
}
