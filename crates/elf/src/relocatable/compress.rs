//! `--compress-debug-sections` and `--compress-sections` with `-r`.
//!
//! Nothing depends on addresses here, so sections are built and compressed before the file is laid
//! out. Relocations go on to mean the uncompressed bytes.

use super::sections::{Content, NOWHERE, OutputSections};
use super::writer::Writer;
use crate::args::glob::Glob;
use crate::args::{Compression, Options};
use crate::link::compress::method_for;
use crate::write::compressor::{Method, compress};
use object::elf::{SHF_ALLOC, SHF_COMPRESSED, SHT_NOBITS};
use rayon::prelude::*;
use std::borrow::Cow;

/// How sections that get smaller are compressed and their bytes, by position.
pub fn compressed_sections(
    options: &Options,
    writer: &Writer<'_>,
) -> Vec<(usize, Method, Vec<u8>)> {
    if options.compress_debug_sections == Compression::None && options.compress_sections.is_empty()
    {
        return Vec::new();
    }
    let globs: Vec<Glob> =
        options.compress_sections.iter().map(|(glob, _)| Glob::new(glob.as_bytes())).collect();
    let outputs = writer.relocations.outputs;
    outputs
        .list
        .par_iter()
        .enumerate()
        .with_max_len(1)
        .filter_map(|(position, section)| {
            let Content::Inputs(inputs) = &section.content else { return None };
            let is_loaded = section.sh_flags & u64::from(SHF_ALLOC) != 0;
            if is_loaded || section.sh_type == SHT_NOBITS || section.size == 0 {
                return None;
            }
            let method = method_for(&section.name, options, &globs)?;
            let mut bytes = vec![0; section.size as usize];
            writer.inputs(position as u32, 0..inputs.len() as u32, &mut bytes);
            compress(&bytes, section.align, method).map(|bytes| (position, method, bytes))
        })
        .collect()
}

/// Puts them in place.
pub fn replace(outputs: &mut OutputSections, compressed: Vec<(usize, Method, Vec<u8>)>) {
    for (position, method, bytes) in compressed {
        let section = &mut outputs.list[position];
        section.size = bytes.len() as u64;
        section.compressed = Some(bytes);
        if let Some(name) = method.renamed(&section.name) {
            let relocations = outputs.relocations[position];
            section.name = Cow::Owned(name);
            if relocations != NOWHERE {
                let name = [b".rela", &*section.name].concat();
                outputs.list[relocations as usize].name = Cow::Owned(name);
            }
        } else {
            section.sh_flags |= u64::from(SHF_COMPRESSED);
            // The header of compressed bytes has words of 8 bytes.
            section.align = 8;
        }
    }
}
