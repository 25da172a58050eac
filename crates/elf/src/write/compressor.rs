//! Compression of whole sections: an Elf64_Chdr and a zlib stream or a zstd frame (generic ABI,
//! "Section Compression"); or, for tools of before that, the `.zdebug` form of GNU binutils:
//! "ZLIB", the size as a big-endian word of 64 bits, and a zlib stream.
//!
//! A section is compressed in shards ([`super::packed`]), so that the bytes depend on where the
//! shards begin and not on threads. Deflate blocks may simply follow each other if each shard ends
//! on a byte boundary (RFC 1951, 3.2.4), with one checksum over all; how blocks of zstd do is told
//! in [`skald_core::zstd_frame`].

use flate2::{Compress, FlushCompress, Status};
use object::elf::{ELFCOMPRESS_ZLIB, ELFCOMPRESS_ZSTD};
use skald_core::zstd_frame;

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

/// The modulus of Adler-32 (RFC 1950).
const ADLER: u32 = 65521;

impl Method {
    /// What stands before the first shard of a section of `size` bytes and alignment `align`.
    pub fn header(self, size: u64, align: u64) -> Vec<u8> {
        let chdr = |ch_type: u32| {
            [&ch_type.to_le_bytes()[..], &[0; 4], &size.to_le_bytes(), &align.to_le_bytes()]
                .concat()
        };
        // CMF: deflate with a 32 KiB window; FLG: no dictionary, and a multiple of 31 together.
        const ZLIB: [u8; 2] = [0x78, 0x01];
        match self {
            Method::Zlib(_) => [&chdr(ELFCOMPRESS_ZLIB)[..], &ZLIB].concat(),
            Method::Zstd(_) => [chdr(ELFCOMPRESS_ZSTD), zstd_frame::header(size)].concat(),
            Method::Zdebug(_) => [b"ZLIB", &size.to_be_bytes()[..], &ZLIB].concat(),
        }
    }

    /// What stands behind the last shard, given the checksums of all and how long they are.
    pub fn trailer(self, shards: impl Iterator<Item = (u32, u64)>) -> Vec<u8> {
        match self {
            Method::Zstd(_) => Vec::new(),
            Method::Zlib(_) | Method::Zdebug(_) => {
                let join = |sum, (own, len)| join_adler32(sum, own, len);
                shards.fold(1, join).to_be_bytes().to_vec()
            }
        }
    }
}

/// What a worker compresses shards with, one after the other.
#[derive(Default)]
pub struct Compressor {
    zstd: Option<zstd_frame::Compressor>,
    deflate: Option<(u8, Compress)>,
}

impl Compressor {
    /// Makes `out` the compressed form of a shard; returns its checksum, if the method has one.
    ///
    /// # Errors
    /// When libzstd fails. To leave the section as it is would make an output that depends on the
    /// state of the system.
    pub fn compress(
        &mut self,
        method: Method,
        shard: &[u8],
        is_last: bool,
        out: &mut Vec<u8>,
    ) -> Result<u32, zstd_frame::Failure> {
        match method {
            Method::Zstd(level) => {
                let zstd = match &mut self.zstd {
                    Some(zstd) => zstd,
                    none => none.insert(zstd_frame::Compressor::new()?),
                };
                zstd.compress(i32::from(level), shard, is_last, out)?;
                Ok(0)
            }
            Method::Zlib(level) | Method::Zdebug(level) => {
                let (_, state) = match &mut self.deflate {
                    Some(own) if own.0 == level => own,
                    other => other.insert((level, deflater(level))),
                };
                deflate(state, shard, is_last, out);
                Ok(adler32(shard))
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
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
        assert_eq!(join_adler32(adler32(b"Wiki"), adler32(b"pedia"), 5), 0x11e6_0398);
    }
}
