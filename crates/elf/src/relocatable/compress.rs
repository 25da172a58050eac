//! `--compress-debug-sections` and `--compress-sections` with `-r`.
//!
//! Nothing depends on addresses here, so sections are built and compressed before the file is laid
//! out. Relocations go on to mean the uncompressed bytes.

use super::parts::{self, ObjectPart};
use super::sections::{ObjectContent, OutputSection, OutputSections};
use super::writer::Writer;
use crate::args::{Compression, Options};
use crate::relocatable::sections::Position;
use crate::write::compress::method_for;
use crate::write::compression_header::Method;
use object::elf::{SHF_ALLOC, SHF_COMPRESSED, SHT_NOBITS};
use skald_core::diag::Diag;
use skald_linking::glob::Glob;
use skald_linking::packed::{Packed, Unpacked, pack};
use std::borrow::Cow;

/// Compresses sections as the options ask: position, method and compressed form of each that gets
/// smaller.
pub fn compressed_sections(
    options: &Options,
    writer: &Writer<'_>,
    diag: &Diag,
) -> Vec<(Position, Method, Packed)> {
    if options.compress_debug_sections == Compression::None && options.compress_sections.is_empty()
    {
        return Vec::new();
    }
    let globs: Vec<Glob> =
        options.compress_sections.iter().map(|(glob, _)| Glob::new(glob.as_bytes())).collect();
    let outputs = writer.relocations.outputs;
    let unpacked = |position: Position, section: &OutputSection| {
        let is_loaded = section.sh_flags & u64::from(SHF_ALLOC) != 0;
        if is_loaded || section.sh_type == SHT_NOBITS || section.size == 0 {
            return None;
        }
        let ObjectContent::Inputs(_) = &section.content else { return None };
        let method = method_for(&section.name, options, &globs)?;
        let parts = parts::of_section(writer, position);
        let start = section.file_offset;
        let unpacked = method.unpacked(section.align, start, section.size, parts);
        Some(((position, method), unpacked))
    };
    let (positions, sections): (Vec<(Position, Method)>, Vec<Unpacked<ObjectPart>>) =
        outputs.list.with_ids().filter_map(|(at, section)| unpacked(at, section)).unzip();
    let packed = pack(&sections, diag, |part, out| writer.fill(part, out));
    let packed = positions.into_iter().zip(packed);
    packed.filter_map(|((at, method), packed)| Some((at, method, packed?))).collect()
}

/// Puts compressed sections in the place of the plain ones.
pub fn replace(outputs: &mut OutputSections, compressed: Vec<(Position, Method, Packed)>) {
    for (position, method, packed) in compressed {
        let section = &mut outputs.list[position];
        section.size = packed.size();
        section.compressed = Some(packed);
        if let Some(name) = method.renamed(&section.name) {
            let relocations = outputs.relocations[position];
            section.name = Cow::Owned(name);
            if let Some(relocations) = relocations.get() {
                let name = [b".rela", &*section.name].concat();
                outputs.at_mut(relocations).name = Cow::Owned(name);
            }
        } else {
            section.sh_flags |= u64::from(SHF_COMPRESSED);
            // Alignment of the Elf64_Chdr, which compressed bytes begin with.
            section.align = 8;
        }
    }
}
