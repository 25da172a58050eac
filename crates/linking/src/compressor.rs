//! Compressed streams of sections: a zlib stream (RFC 1950) or a zstd frame, made in shards.
//!
//! Bytes are compressed in shards ([`super::packed`]), so that the stream depends on the bounds of
//! the shards and not on the number of threads. Deflate blocks may follow each other if each shard
//! ends on a byte boundary (RFC 1951, 3.2.4), with one checksum over all; blocks of zstd are
//! described in [`skald_core::zstd_frame`]. The header before the stream is made by the crate of
//! the object format.

use crate::deflate::Encoder;
use flate2::{Compress, FlushCompress, Status};
use simd_adler32::adler32;
use skald_core::zstd_frame;

/// The format of a compressed stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// zlib at this level.
    Zlib(u8),
    /// zstd at this level.
    Zstd(u8),
}

/// The modulus of Adler-32 (RFC 1950).
const ADLER: u32 = 65521;

impl Codec {
    /// The bytes before the first shard of a stream that expands to `size` bytes.
    pub fn header(self, size: u64) -> Vec<u8> {
        match self {
            // CMF: deflate with a 32 KiB window; FLG: no dictionary, and a multiple of 31 together.
            Codec::Zlib(_) => vec![0x78, 0x01],
            Codec::Zstd(_) => zstd_frame::header(size),
        }
    }

    /// The bytes behind the last shard, from checksum and length of every shard.
    pub fn trailer(self, shards: impl Iterator<Item = (u32, u64)>) -> Vec<u8> {
        match self {
            Codec::Zstd(_) => Vec::new(),
            Codec::Zlib(_) => {
                let join = |sum, (own, len)| join_adler32(sum, own, len);
                shards.fold(1, join).to_be_bytes().to_vec()
            }
        }
    }
}

/// Compression state of a worker, which it reuses for one shard after the other.
#[derive(Default)]
pub struct Compressor {
    zstd: Option<zstd_frame::Compressor>,
    fast_deflate: Option<Encoder>,
    deflate: Option<(u8, Compress)>,
}

impl Compressor {
    /// Makes `out` the compressed form of a shard; returns its checksum, if the codec has one.
    ///
    /// # Errors
    /// When libzstd fails. To store the bytes uncompressed instead would make an output that
    /// depends on the state of the system.
    pub fn compress(
        &mut self,
        codec: Codec,
        shard: &[u8],
        is_last: bool,
        out: &mut Vec<u8>,
    ) -> Result<u32, zstd_frame::Failure> {
        match codec {
            Codec::Zstd(level) => {
                let zstd = match &mut self.zstd {
                    Some(zstd) => zstd,
                    none => none.insert(zstd_frame::Compressor::new()?),
                };
                zstd.compress(i32::from(level), shard, is_last, out)?;
                Ok(0)
            }
            Codec::Zlib(1) => {
                self.fast_deflate.get_or_insert_default().encode(shard, is_last, out);
                Ok(adler32(&shard))
            }
            Codec::Zlib(level) => {
                let (_, state) = match &mut self.deflate {
                    Some(own) if own.0 == level => own,
                    other => other.insert((level, deflater(level))),
                };
                deflate(state, shard, is_last, out);
                Ok(adler32(&shard))
            }
        }
    }
}

fn deflater(level: u8) -> Compress {
    Compress::new(flate2::Compression::new(u32::from(level)), false)
}

/// Makes `out` deflate blocks that end on a byte boundary; the last shard ends the stream.
fn deflate(state: &mut Compress, shard: &[u8], is_last: bool, out: &mut Vec<u8>) {
    state.reset();
    let flush = if is_last { FlushCompress::Finish } else { FlushCompress::Sync };
    out.clear();
    out.reserve(shard.len() / 2 + 64);
    loop {
        let rest = &shard[state.total_in() as usize..];
        let status = state.compress_vec(rest, out, flush).expect("no dictionary is set");
        let has_room = out.len() < out.capacity();
        match status {
            Status::StreamEnd => return,
            // The output buffer is not full, so everything was flushed.
            _ if has_room && !is_last && state.total_in() as usize == shard.len() => return,
            _ => out.reserve(out.capacity().max(64)),
        }
    }
}

/// The checksum of two runs of bytes, of which the second is `len` long.
fn join_adler32(first: u32, second: u32, len: u64) -> u32 {
    let modulus = u64::from(ADLER);
    let (a1, b1) = (u64::from(first & 0xffff), u64::from(first >> 16));
    let (a2, b2) = (u64::from(second & 0xffff), u64::from(second >> 16));
    let len = len % modulus;
    let a = (a1 + a2 + modulus - 1) % modulus;
    let b = (b1 + b2 + len * (a1 + modulus - 1)) % modulus;
    (b << 16 | a) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_join() {
        assert_eq!(join_adler32(adler32(b"Wiki"), adler32(b"pedia"), 5), 0x11e6_0398);
    }
}
