//! The header of a compressed section: an Elf64_Chdr or Elf32_Chdr (generic ABI, "Section
//! Compression"); or, for older tools, the `.zdebug` form of GNU binutils: "ZLIB" and the size as a
//! big-endian word of 64 bits.

use crate::format::compressed;
use crate::format::encoding::Encoding;
use object::elf::{ELFCOMPRESS_ZLIB, ELFCOMPRESS_ZSTD};
use skald_linking::compressor::Codec;
use skald_linking::packed::Unpacked;
use skald_linking::spans::Part;

/// How a section is compressed, and the format of its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Elf64_Chdr or Elf32_Chdr, and zlib, at this level.
    Zlib(u8),
    /// Elf64_Chdr or Elf32_Chdr, and zstd, at this level.
    Zstd(u8),
    /// `.zdebug` header and zlib, at this level.
    Zdebug(u8),
}

impl Method {
    /// A section to be compressed by this method: `size` bytes at offset `start` of the file,
    /// aligned to `align`; `parts` fill it, in order.
    pub fn unpacked<W>(
        self,
        encoding: Encoding,
        align: u64,
        start: u64,
        size: u64,
        parts: Vec<Part<W>>,
    ) -> Unpacked<W> {
        Unpacked::new(self.codec(), self.header(encoding, size, align), start, size, parts)
    }

    /// The name of a section compressed by this method; `None` if it keeps its name.
    pub fn renamed(self, name: &[u8]) -> Option<Vec<u8>> {
        let tail = name.strip_prefix(b".debug_").filter(|_| matches!(self, Method::Zdebug(_)))?;
        Some([b".zdebug_", tail].concat())
    }

    /// The compressor of the stream.
    fn codec(self) -> Codec {
        match self {
            Method::Zlib(level) | Method::Zdebug(level) => Codec::Zlib(level),
            Method::Zstd(level) => Codec::Zstd(level),
        }
    }

    /// The header of a section of `size` bytes and alignment `align`.
    fn header(self, encoding: Encoding, size: u64, align: u64) -> Vec<u8> {
        let chdr = |ch_type: u32| compressed::header(encoding, ch_type, size, align);
        match self {
            Method::Zlib(_) => chdr(ELFCOMPRESS_ZLIB),
            Method::Zstd(_) => chdr(ELFCOMPRESS_ZSTD),
            Method::Zdebug(_) => [b"ZLIB", &size.to_be_bytes()[..]].concat(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::compressed::CompressedSection;
    use skald_core::diag::Diag;
    use skald_linking::packed::pack;

    /// `bytes` compressed, as a section of alignment 16.
    fn packed(method: Method, bytes: &[u8]) -> Vec<u8> {
        let size = bytes.len() as u64;
        let part = Part { file_offset: 64, size, what: (), continues: false };
        let section = method.unpacked(Encoding::NATIVE, 16, 64, size, vec![part]);
        let fill = |_: &Part<()>, out: &mut [u8]| out.copy_from_slice(bytes);
        let packed = pack(&[section], &Diag::default(), fill).remove(0).expect("zeros repeat");
        packed.pieces().flat_map(|(at, _)| packed.piece(at)).copied().collect()
    }

    #[test]
    fn headers_are_read_back() {
        let bytes = vec![0; 5000];
        for method in [Method::Zlib(1), Method::Zlib(9), Method::Zstd(3)] {
            let packed = packed(method, &bytes);
            let section = CompressedSection::parse(Encoding::NATIVE, &packed).unwrap();
            assert_eq!(section.alignment, Some(16));
            assert!(section.decompress(1 << 30).unwrap() == bytes, "{method:?}");
        }
        let packed = packed(Method::Zdebug(6), &bytes);
        let section = CompressedSection::parse_zdebug(&packed).unwrap();
        assert!(section.decompress(1 << 30).unwrap() == bytes);
    }
}
