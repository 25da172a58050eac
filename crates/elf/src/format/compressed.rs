//! Compressed sections: SHF_COMPRESSED (zlib, zstd) and the older `.zdebug_*`.
//!
//! The declared size comes from the file, so it is never trusted with an allocation. Sizes above
//! the caller's limit, and sizes that the compressed bytes provably cannot reach, are refused
//! first. A failed allocation is an error like any other. The decompressed size must be exactly the
//! declared one. [`Reader`] decompresses in pieces, so a caller that only copies needs no memory
//! for the whole.
//!
//! Sources: generic ABI, "Section Compression" (Elf64_Chdr); the `.zdebug` form, "ZLIB" and a
//! big-endian 64-bit size, is that of GNU as `--compress-debug-sections=zlib-gnu`. Ratios: deflate
//! codes at most 258 bytes in 2 bits, so 1032 to 1; a zstd block holds at most 128 KiB and takes at
//! least 4 bytes (RFC 8878, 3.1.1.2).

use std::fmt;

use flate2::{Decompress, FlushDecompress, Status};
use object::elf::{ELFCOMPRESS_ZLIB, ELFCOMPRESS_ZSTD};

use super::encoding::Encoding;
use super::fields::FieldWriter;
use crate::machine::Class;
use skald_core::alloc;
use skald_linking::cursor::{Cursor, Malformed};
use zstd::stream::raw::{Decoder, Operation};
use zstd::zstd_safe::DParameter;

/// The compression format of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// A zlib stream (RFC 1950).
    Zlib,
    /// zstd frames (RFC 8878).
    Zstd,
}

/// A compressed section whose header has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompressedSection<'a> {
    /// The compression format.
    pub compression: Compression,
    /// `ch_size`: bytes after decompression, not checked yet.
    pub size: u64,
    /// `ch_addralign`: alignment after decompression in bytes, a power of two; `None` for
    /// `.zdebug`, where `sh_addralign` holds.
    pub alignment: Option<u64>,
    payload: &'a [u8],
}

/// Why a section could not be decompressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecompressError {
    /// The declared size, in bytes, exceeds the limit or what the compressed bytes can hold.
    AbsurdSize(u64),
    /// The system cannot allocate this many bytes of memory.
    OutOfMemory(u64),
    /// The stream is damaged or truncated.
    Corrupt(Compression),
    /// The stream holds more or less than the declared size, in bytes.
    WrongSize(u64),
}

impl fmt::Display for DecompressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecompressError::AbsurdSize(size) => {
                write!(f, "uncompressed size {size:#x} is more than the section can hold")
            }
            DecompressError::OutOfMemory(size) => {
                write!(f, "no memory for the uncompressed size {size:#x}")
            }
            DecompressError::Corrupt(Compression::Zlib) => f.write_str("corrupt zlib data"),
            DecompressError::Corrupt(Compression::Zstd) => f.write_str("corrupt zstd data"),
            DecompressError::WrongSize(size) => {
                write!(f, "uncompressed data does not have the declared size {size:#x}")
            }
        }
    }
}

impl std::error::Error for DecompressError {}

/// An Elf64_Chdr or Elf32_Chdr.
pub fn header(encoding: Encoding, ch_type: u32, size: u64, alignment: u64) -> Vec<u8> {
    let is_long = encoding.class == Class::Elf64;
    let mut out = vec![0; if is_long { 24 } else { 12 }];
    let mut fields = FieldWriter::new(encoding, &mut out);
    fields.u32(ch_type);
    if is_long {
        fields.u32(0); // ch_reserved
    }
    fields.word(size);
    fields.word(alignment);
    fields.finish();
    out
}

impl<'a> CompressedSection<'a> {
    /// Reads the Elf64_Chdr or Elf32_Chdr of a section with SHF_COMPRESSED. Fails if it is
    /// truncated, if the type is neither zlib nor zstd, or if the alignment is not a power of two
    /// (0 counts as 1).
    pub fn parse(
        encoding: Encoding,
        section: &'a [u8],
    ) -> Result<CompressedSection<'a>, Malformed> {
        const TRUNCATED: &str = "truncated compression header";
        let mut cursor = Cursor::new(section);
        let compression = match cursor.u32(encoding.order, TRUNCATED)? {
            ELFCOMPRESS_ZLIB => Compression::Zlib,
            ELFCOMPRESS_ZSTD => Compression::Zstd,
            _ => return Err(Malformed::new("unsupported compression type", 0)),
        };
        if encoding.class == Class::Elf64 {
            cursor.take(4, TRUNCATED)?; // ch_reserved
        }
        let size = encoding.next_word(&mut cursor, TRUNCATED)?;
        let at = cursor.position();
        let alignment = encoding.next_word(&mut cursor, TRUNCATED)?.max(1);
        if !alignment.is_power_of_two() {
            return Err(Malformed::new("ch_addralign is not a power of two", at));
        }
        let payload = &section[cursor.position()..];
        Ok(CompressedSection { compression, size, alignment: Some(alignment), payload })
    }

    /// Reads the header of a `.zdebug_*` section: "ZLIB" and the size. `None` if it has no such
    /// header: then the section is not compressed, whatever its name.
    pub fn parse_zdebug(section: &'a [u8]) -> Option<CompressedSection<'a>> {
        let (size, payload) = section.strip_prefix(b"ZLIB")?.split_first_chunk::<8>()?;
        Some(CompressedSection {
            compression: Compression::Zlib,
            size: u64::from_be_bytes(*size),
            alignment: None,
            payload,
        })
    }

    /// The compressed bytes, without a header.
    pub fn stream(&self) -> &'a [u8] {
        self.payload
    }

    /// The most bytes that this many compressed bytes can decompress to.
    fn bound(&self) -> u64 {
        let len = self.payload.len() as u64;
        match self.compression {
            Compression::Zlib => len.saturating_mul(1032),
            Compression::Zstd => (len / 4).saturating_mul(128 << 10),
        }
    }

    /// Refuses a declared size above `limit`, and one that the compressed bytes cannot decompress
    /// to.
    pub fn check(&self, limit: u64) -> Result<(), DecompressError> {
        if self.size > limit.min(self.bound()) {
            return Err(DecompressError::AbsurdSize(self.size));
        }
        // A zstd frame may state the size of its content, which is a better bound.
        let said = match self.compression {
            Compression::Zstd => zstd::zstd_safe::get_frame_content_size(self.payload),
            Compression::Zlib => Ok(None),
        };
        match said {
            Ok(Some(content)) if content > self.size => Err(DecompressError::WrongSize(self.size)),
            _ => Ok(()),
        }
    }

    /// The decompressed bytes: exactly `size` of them, at most `limit`.
    pub fn decompress(&self, limit: u64) -> Result<Vec<u8>, DecompressError> {
        self.check(limit)?;
        let size =
            usize::try_from(self.size).map_err(|_| DecompressError::AbsurdSize(self.size))?;
        let mut out = Vec::new();
        let has_memory = alloc::or_error(|| out.try_reserve_exact(size));
        has_memory.map_err(|_| DecompressError::OutOfMemory(self.size))?;
        out.resize(size, 0);
        self.reader()?.fill(&mut out)?;
        Ok(out)
    }

    /// Decompresses piece by piece, from the first byte on.
    pub fn reader(&self) -> Result<Reader<'a>, DecompressError> {
        let stream = match self.compression {
            Compression::Zlib => Stream::Zlib { state: Box::new(Decompress::new(true)), behind: 0 },
            Compression::Zstd => {
                let no_memory = |_| DecompressError::OutOfMemory(self.size);
                let mut decoder = Decoder::new().map_err(no_memory)?;
                // Any window is accepted: it takes no more memory than the content.
                decoder.set_parameter(DParameter::WindowLogMax(31)).map_err(no_memory)?;
                Stream::Zstd { decoder: Box::new(decoder), taken: 0, is_open: true }
            }
        };
        Ok(Reader { section: *self, stream, position: 0 })
    }
}

/// Decompresses a section piece by piece, in order, so that it is never in memory as a whole.
pub struct Reader<'a> {
    section: CompressedSection<'a>,
    stream: Stream,
    position: u64,
}

enum Stream {
    Zlib {
        state: Box<Decompress>,
        /// How many compressed bytes belong to finished streams. GNU tools write one stream, and
        /// read several, one behind the other.
        behind: usize,
    },
    Zstd {
        decoder: Box<Decoder<'static>>,
        /// Compressed bytes that were read.
        taken: usize,
        /// The current zstd frame is not finished, or none has begun yet.
        is_open: bool,
    },
}

impl Reader<'_> {
    /// How many bytes have been decompressed so far.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Fills `out` with the next bytes, which the declared size must cover. The last bytes are
    /// returned only if the stream ends there.
    pub fn fill(&mut self, out: &mut [u8]) -> Result<(), DecompressError> {
        let mut filled = 0;
        while filled < out.len() {
            match self.step(&mut out[filled..], true)? {
                0 => return Err(DecompressError::WrongSize(self.section.size)),
                count => filled += count,
            }
        }
        self.position += filled as u64;
        if self.position == self.section.size && self.step(&mut [0], false)? != 0 {
            return Err(DecompressError::WrongSize(self.section.size));
        }
        Ok(())
    }

    /// Decompresses until there are some bytes, and returns how many; 0 at the end. If `goes_on`,
    /// that is the end of the last zlib stream, otherwise of this stream: anything may follow it.
    fn step(&mut self, out: &mut [u8], goes_on: bool) -> Result<usize, DecompressError> {
        let corrupt = DecompressError::Corrupt(self.section.compression);
        let payload = self.section.payload;
        match &mut self.stream {
            Stream::Zlib { state, behind } => loop {
                // A call reads and writes less than 4 GiB, because zlib's counters have 32 bits.
                let (taken, given) = (state.total_in(), state.total_out());
                let rest = payload.get(*behind + taken as usize..).ok_or(corrupt)?;
                let status = state.decompress(rest, out, FlushDecompress::None);
                let is_end = status.map_err(|_| corrupt)? == Status::StreamEnd;
                match (state.total_out() - given) as usize {
                    0 if is_end => {
                        let end = *behind + state.total_in() as usize;
                        if !goes_on || end == payload.len() {
                            return Ok(0);
                        }
                        *behind = end;
                        state.reset(true);
                    }
                    0 if taken == state.total_in() => return Err(corrupt),
                    0 => {}
                    count => return Ok(count),
                }
            },
            Stream::Zstd { decoder, taken, is_open } => loop {
                let rest = &payload[*taken..];
                if rest.is_empty() && !*is_open {
                    return Ok(0);
                }
                let status = decoder.run_on_buffers(rest, out).map_err(|error| {
                    if error.to_string().starts_with("Allocation error") {
                        DecompressError::OutOfMemory(self.section.size)
                    } else {
                        corrupt
                    }
                })?;
                *taken += status.bytes_read;
                *is_open = status.remaining != 0;
                match status.bytes_written {
                    0 if status.bytes_read == 0 && *is_open => return Err(corrupt),
                    0 => {}
                    count => return Ok(count),
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::encoding::ALL;
    use proptest::prelude::*;
    use std::io::Write;

    const LIMIT: u64 = 1 << 30;

    fn zlib(data: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    const NATIVE: Encoding = Encoding::NATIVE;

    fn section(kind: u32, size: u64, alignment: u64, payload: &[u8]) -> Vec<u8> {
        [&header(NATIVE, kind, size, alignment), payload].concat()
    }

    fn decompress(kind: u32, size: u64, payload: &[u8]) -> Result<Vec<u8>, DecompressError> {
        CompressedSection::parse(NATIVE, &section(kind, size, 1, payload))
            .unwrap()
            .decompress(LIMIT)
    }

    #[test]
    fn headers() {
        let bytes = section(ELFCOMPRESS_ZSTD, 77, 0, b"rest");
        let parsed = CompressedSection::parse(NATIVE, &bytes).unwrap();
        assert_eq!((parsed.compression, parsed.size), (Compression::Zstd, 77));
        assert_eq!((parsed.alignment, parsed.payload), (Some(1), &b"rest"[..]));
        let what = |bytes: &[u8]| CompressedSection::parse(NATIVE, bytes).unwrap_err().what;
        assert_eq!(what(&bytes[..23]), "truncated compression header");
        assert_eq!(what(&section(3, 77, 1, b"")), "unsupported compression type");
        assert_eq!(what(&section(1, 77, 12, b"")), "ch_addralign is not a power of two");
        assert_eq!(CompressedSection::parse_zdebug(b"ZLIB\0\0\0\0\0\0\0"), None);
        assert_eq!(CompressedSection::parse_zdebug(b"not compressed at all"), None);
    }

    #[test]
    fn headers_in_every_encoding() {
        for encoding in ALL {
            let bytes = [&header(encoding, ELFCOMPRESS_ZLIB, 77, 16)[..], b"rest"].concat();
            let parsed = CompressedSection::parse(encoding, &bytes).unwrap();
            assert_eq!(
                (parsed.size, parsed.alignment, parsed.payload),
                (77, Some(16), &b"rest"[..])
            );
        }
        assert_eq!(header(ALL[1], 1, 2, 4), [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 4]);
    }

    #[test]
    fn streams_may_follow_each_other() {
        let two = [zlib(b"first "), zlib(b"second")].concat();
        assert_eq!(decompress(ELFCOMPRESS_ZLIB, 12, &two).unwrap(), b"first second");
        // Bytes behind the end of the content are ignored.
        let padded = [&zlib(b"all")[..], b"padding"].concat();
        assert_eq!(decompress(ELFCOMPRESS_ZLIB, 3, &padded).unwrap(), b"all");
        let short = [zlib(b"first"), b"no stream".to_vec()].concat();
        assert!(decompress(ELFCOMPRESS_ZLIB, 9, &short).is_err());
    }

    #[test]
    fn zeros_at_the_best_ratio_are_not_absurd() {
        let zeros = vec![0; 64 << 20];
        assert_eq!(decompress(ELFCOMPRESS_ZLIB, 64 << 20, &zlib(&zeros)).unwrap(), zeros);
        let packed = zstd::bulk::compress(&zeros, 19).unwrap();
        assert_eq!(decompress(ELFCOMPRESS_ZSTD, 64 << 20, &packed).unwrap(), zeros);
    }

    #[test]
    fn absurd_sizes_are_refused_before_memory_is_asked_for() {
        for kind in [ELFCOMPRESS_ZLIB, ELFCOMPRESS_ZSTD] {
            for size in [u64::MAX, u64::MAX / 2, 1 << 40] {
                let payload = [0; 100];
                let parsed = section(kind, size, 1, &payload);
                let parsed = CompressedSection::parse(NATIVE, &parsed).unwrap();
                let error = DecompressError::AbsurdSize(size);
                assert_eq!(parsed.decompress(u64::MAX), Err(error));
            }
        }
        let parsed = section(ELFCOMPRESS_ZLIB, 5, 1, &zlib(b"hello"));
        let parsed = CompressedSection::parse(NATIVE, &parsed).unwrap();
        assert_eq!(parsed.decompress(4), Err(DecompressError::AbsurdSize(5)));
        assert_eq!(parsed.decompress(5).unwrap(), b"hello");
    }

    #[test]
    fn sizes_that_do_not_hold_are_refused() {
        let zstd = zstd::bulk::compress(b"hello", 3).unwrap();
        for (kind, payload) in [(ELFCOMPRESS_ZLIB, zlib(b"hello")), (ELFCOMPRESS_ZSTD, zstd)] {
            assert_eq!(decompress(kind, 5, &payload).unwrap(), b"hello");
            assert_eq!(decompress(kind, 6, &payload), Err(DecompressError::WrongSize(6)));
            assert!(decompress(kind, 4, &payload).is_err());
            assert!(decompress(kind, 5, &payload[..payload.len() - 1]).is_err());
            assert!(decompress(kind, 5, &[]).is_err());
        }
    }

    #[test]
    fn zstd_payloads_may_hold_several_frames() {
        let mut payload = zstd::bulk::compress(b"one ", 3).unwrap();
        payload.extend(zstd::bulk::compress(b"two", 3).unwrap());
        assert_eq!(decompress(ELFCOMPRESS_ZSTD, 7, &payload).unwrap(), b"one two");
    }

    #[test]
    fn a_frame_with_more_than_the_declared_size_is_refused_at_once() {
        let bytes = section(ELFCOMPRESS_ZSTD, 70, 1, &zstd::bulk::compress(&[7; 71], 3).unwrap());
        let parsed = CompressedSection::parse(NATIVE, &bytes).unwrap();
        assert_eq!(parsed.check(LIMIT), Err(DecompressError::WrongSize(70)));
    }

    #[test]
    fn pieces_of_any_size_are_those_of_the_whole() {
        let data: Vec<u8> =
            (0..300_000u32).flat_map(|n| (n.wrapping_mul(n) / 7).to_le_bytes()).collect();
        let mut frames = zstd::bulk::compress(&data[..700_000], 3).unwrap();
        frames.extend(zstd::bulk::compress(&data[700_000..], 3).unwrap());
        for (kind, payload) in [(ELFCOMPRESS_ZLIB, zlib(&data)), (ELFCOMPRESS_ZSTD, frames)] {
            let bytes = section(kind, data.len() as u64, 1, &payload);
            let parsed = CompressedSection::parse(NATIVE, &bytes).unwrap();
            for step in [1_000, 65_537, 699_999, 700_000, data.len()] {
                let mut reader = parsed.reader().unwrap();
                let mut out = vec![0; data.len()];
                out.chunks_mut(step).for_each(|piece| reader.fill(piece).unwrap());
                assert!(out == data, "{kind} by {step}");
                assert_eq!(reader.position(), data.len() as u64);
            }
        }
    }

    #[test]
    fn zdebug() {
        let mut bytes = b"ZLIB\0\0\0\0\0\0\0\x05".to_vec();
        bytes.extend(zlib(b"hello"));
        let parsed = CompressedSection::parse_zdebug(&bytes).unwrap();
        assert_eq!((parsed.size, parsed.alignment), (5, None));
        assert_eq!(parsed.decompress(LIMIT).unwrap(), b"hello");
    }

    proptest! {
        #[test]
        fn any_bytes_are_decompressed_or_refused(
            kind in 1u32..3, size in 0u64..5000, payload: Vec<u8>,
        ) {
            let _ = decompress(kind, size, &payload);
        }

        #[test]
        fn damaged_streams_are_refused_or_have_the_size(at in 0usize..40, bit in 0u8..8) {
            let data = b"a line of text, and again a line of text, and a line";
            for (kind, mut payload) in [
                (ELFCOMPRESS_ZLIB, zlib(data)),
                (ELFCOMPRESS_ZSTD, zstd::bulk::compress(data, 3).unwrap()),
            ] {
                let at = at % payload.len();
                payload[at] ^= 1 << bit;
                if let Ok(out) = decompress(kind, data.len() as u64, &payload) {
                    prop_assert_eq!(out.len(), data.len());
                }
            }
        }
    }
}
