//! `--compress-debug-sections` and `--compress-sections` with `-r`.
//!
//! Nothing depends on addresses here, so sections are built and compressed before the file is laid
//! out. Relocations go on to mean the uncompressed bytes.

use super::sections::{Content, NOWHERE, OutputSection, OutputSections};
use super::writer::Writer;
use crate::args::glob::Glob;
use crate::args::{Compression, Options};
use crate::link::compress::method_for;
use crate::write::compressor::{Method, compress};
use object::elf::{SHF_ALLOC, SHF_COMPRESSED, SHT_NOBITS};
use rayon::prelude::*;
use skald_core::diag::Diag;
use std::borrow::Cow;

/// Sections larger than this are compressed one after the other.
const LARGE: u64 = 16 << 20;

/// How sections that get smaller are compressed and their bytes, by position.
pub fn compressed_sections(
    options: &Options,
    writer: &Writer<'_>,
    diag: &Diag,
) -> Vec<(usize, Method, Vec<u8>)> {
    if options.compress_debug_sections == Compression::None && options.compress_sections.is_empty()
    {
        return Vec::new();
    }
    let globs: Vec<Glob> =
        options.compress_sections.iter().map(|(glob, _)| Glob::new(glob.as_bytes())).collect();
    let outputs = writer.relocations.outputs;
    let packed = |position: usize, section: &OutputSection| {
        let is_loaded = section.sh_flags & u64::from(SHF_ALLOC) != 0;
        if is_loaded || section.sh_type == SHT_NOBITS || section.size == 0 {
            return None;
        }
        let Content::Inputs(inputs) = &section.content else { return None };
        let method = method_for(&section.name, options, &globs)?;
        let mut bytes = vec![0; section.size as usize];
        writer.inputs(position as u32, 0..inputs.len() as u32, &mut bytes);
        compress(&bytes, section.align, method, diag).map(|bytes| (position, method, bytes))
    };
    // Of large ones there is one at a time in memory; its compression is parallel as well.
    let (large, small): (Vec<_>, Vec<_>) =
        outputs.list.iter().enumerate().partition(|(_, section)| section.size > LARGE);
    let small = small.par_iter().with_max_len(1);
    let mut all: Vec<_> = small.filter_map(|&(at, section)| packed(at, section)).collect();
    all.extend(large.into_iter().filter_map(|(at, section)| packed(at, section)));
    all.sort_by_key(|&(position, ..)| position);
    all
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
