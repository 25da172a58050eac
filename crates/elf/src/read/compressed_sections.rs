//! Compressed sections of objects, when their records are made.
//!
//! A section that is only copied stays compressed until it is written, and is then decompressed
//! straight into the output (`write/unpack`). Decompressed debug information would take many times
//! the memory of the rest of a link. Sections that the linker itself reads are decompressed here.

use super::object_file::{InputSection, SectionFlags, bad};
use super::section_records::Decoder;
use super::symbol_checks::MAX_ALIGN;
use crate::format::compressed::CompressedSection;
use crate::script::section_names::{NameClass, known};
use object::elf::{SHF_COMPRESSED, SHT_PROGBITS};
use skald_core::diag::{Error, Result};

/// A section that claims to be larger than this when decompressed is refused, in bytes.
const MAX_DECOMPRESSED: u64 = 16 << 30;

impl Decoder<'_> {
    /// Notes that `bytes` of the file are the compressed form of a section.
    pub(super) fn note_compressed(
        &mut self,
        section: &mut InputSection,
        name: &'static [u8],
        bytes: &'static [u8],
    ) -> Result<()> {
        let header = self.object.header(section.shndx);
        let is_standard = header.sh_flags() & u64::from(SHF_COMPRESSED) != 0;
        let is_legacy = name.starts_with(b".zdebug_");
        if !is_standard && !is_legacy {
            return Ok(());
        }
        let compressed = if is_standard {
            CompressedSection::parse(self.object.mapped.encoding, bytes)
                .map_err(|e| wrong(name, &e))?
        } else {
            section.class = self.class_of_debug(&name[b".zdebug_".len()..]);
            // Without the magic number the section is not compressed, whatever its name.
            let Some(compressed) = CompressedSection::parse_zdebug(bytes) else { return Ok(()) };
            compressed
        };
        if let Some(align) = compressed.alignment {
            if align > MAX_ALIGN {
                return Err(wrong(name, &"ch_addralign is too great"));
            }
            section.align_log2 = align.trailing_zeros() as u8;
        }
        compressed.check(MAX_DECOMPRESSED).map_err(|e| wrong(name, &e))?;
        section.size = compressed.size;
        section.flags.set(SectionFlags::COMPRESSED | SectionFlags::DECODED_DATA);
        section.data_offset = self.object.mapped.decoded_data.len() as u64;
        self.object.mapped.decoded_data.push(&[]);
        self.object.mapped.compressed.push((section.shndx, compressed));
        Ok(())
    }

    /// Decompresses a section that the linker reads: loaded, merged, a note, unwind information.
    pub(super) fn decompress_what_is_read(
        &mut self,
        section: &mut InputSection,
        name: &[u8],
    ) -> Result<()> {
        if !section.flags.has(SectionFlags::COMPRESSED) {
            return Ok(());
        }
        let sh_type = self.object.header(section.shndx).sh_type();
        let is_read = section.flags.has(SectionFlags::ALLOC | SectionFlags::MERGE)
            || sh_type != SHT_PROGBITS
            || section.class.is(known::EH_FRAME)
            || name == b".eh_frame";
        if is_read { self.decompress(section) } else { Ok(()) }
    }

    /// Decompresses a section that has [`SectionFlags::COMPRESSED`].
    pub(super) fn decompress(&mut self, section: &mut InputSection) -> Result<()> {
        let Some(compressed) = self.object.compressed(section) else { return Ok(()) };
        let name = self.object.section_name(section.shndx);
        let bytes = compressed.decompress(MAX_DECOMPRESSED).map_err(|e| wrong(name, &e))?;
        section.flags.0 &= !SectionFlags::COMPRESSED;
        self.object.mapped.decoded_data[section.data_offset as usize] =
            Box::leak(bytes.into_boxed_slice());
        Ok(())
    }

    /// The class of the name `.debug_TAIL`.
    fn class_of_debug(&self, tail: &[u8]) -> NameClass {
        let name = [b".debug_", tail].concat();
        self.rules.names.map_or(NameClass::CUSTOM, |names| names.of(&name))
    }
}

fn wrong(name: &[u8], what: &dyn std::fmt::Display) -> Error {
    bad(format!("section {}: {what}", String::from_utf8_lossy(name)))
}
