//! `--compress-debug-sections` and `--compress-sections`: between layout and writing.
//!
//! What a debug section holds depends on addresses, and where the sections behind it are depends
//! on its compressed size. So the sections are built and compressed once everything in memory has
//! its address, and then what is not loaded gets its place in the file again.

use crate::args::{Compression, Options};
use crate::layout::output_sections::CompressedId;
use crate::layout::segments::place_unloaded;
use crate::layout::{Content, OutputSection, OutputSections, Synthetic};
use crate::resolve::tables::Tables;
use crate::synth::image::Image;
use crate::synth::placed::PlacedOutput;
use crate::synth::planned::Planned;
use crate::synth::sections::Plan;
use crate::write::compression_header::Method;
use crate::write::inputs::InputWriter;
use crate::write::parts::{self, PartContent};
use object::elf::{SHF_COMPRESSED, SHT_NOBITS};
use skald_core::ids::{Column, IdSlice};
use skald_linking::glob::Glob;
use skald_linking::packed::{Packed, Unpacked, pack};
use skald_linking::spans::Part;

/// Bytes of a part of a section that was rewritten.
const RUN: usize = 1 << 18;

/// The level of zstd if the option names none; measured in docs/decisions/0020-compression.md.
const ZSTD_LEVEL: u8 = 2;

fn method(compression: Compression) -> Option<Method> {
    match compression {
        Compression::None => None,
        Compression::Zlib(level) => Some(Method::Zlib(level.unwrap_or(1))),
        Compression::Zstd(level) => Some(Method::Zstd(level.unwrap_or(ZSTD_LEVEL))),
        Compression::Zdebug => Some(Method::Zdebug(1)),
    }
}

/// How the output section is to be compressed, by the last pattern that matches its name.
fn wanted(section: &OutputSection, options: &Options, globs: &[Glob]) -> Option<Method> {
    let has_bytes = section.sh_type != SHT_NOBITS && section.size != 0;
    if section.is_loaded() || !has_bytes || !matches!(section.content, Content::Inputs { .. }) {
        return None;
    }
    method_for(&section.name, options, globs)
}

/// How the output section called `name`, which is not loaded, is to be compressed.
pub fn method_for(name: &[u8], options: &Options, globs: &[Glob]) -> Option<Method> {
    let named = globs.iter().zip(&options.compress_sections).rev();
    for (glob, (_, compression)) in named {
        if glob.matches(name) {
            return method(*compression);
        }
    }
    let is_debug = name.starts_with(b".debug_");
    if is_debug { method(options.compress_debug_sections) } else { None }
}

/// With `--emit-relocs` relocation sections are named after output sections, which have new names.
fn rename_relocs(outputs: &mut OutputSections) {
    for at in 0..outputs.sections.len() {
        if let Content::Synthetic(Synthetic::EmitRelocs(out)) = outputs.sections[at].content {
            let of = outputs.of(out).expect("its relocations are emitted");
            outputs.sections[at].name = [b".rela", &of.name[..]].concat();
        }
    }
}

/// Whether an option asks for compressed sections.
pub fn is_asked(options: &Options) -> bool {
    options.compress_debug_sections != Compression::None || !options.compress_sections.is_empty()
}

/// Puts `packed` sections in place and moves what is behind them.
pub fn replace(
    packed: Vec<(usize, Option<Method>, Packed)>,
    planned: &mut Planned,
    placed: &mut PlacedOutput,
    with_headers: bool,
) -> Column<CompressedId, Packed> {
    let mut compressed = Column::new();
    let mut first = u64::MAX;
    let mut is_renamed = false;
    for (at, method, packed) in packed {
        let section = &mut planned.outputs.sections[at];
        first = first.min(section.file_offset);
        section.size = packed.size();
        if let Some(name) = method.and_then(|method| method.renamed(&section.name)) {
            section.name = name;
            is_renamed = true;
        } else if method.is_some() {
            section.sh_flags |= u64::from(SHF_COMPRESSED);
            // Alignment of the Elf64_Chdr, which the content begins with.
            section.align = 8;
        }
        section.content = Content::Synthetic(Synthetic::Compressed(compressed.end()));
        compressed.push(packed);
    }
    if is_renamed {
        rename_relocs(&mut planned.outputs);
        placed.name_sections(&mut planned.outputs);
    }
    if first != u64::MAX {
        let start = placed.end.loaded;
        planned.outputs.measure_single_heads();
        placed.end = place_unloaded(&mut planned.outputs, start, with_headers);
    }
    compressed
}

/// Compresses sections as the options ask: position, method and compressed form of each that gets
/// smaller; and those that were `rewritten`, compressed or not.
pub fn packed_sections(
    tables: &Tables<'_>,
    image: &Image<'_>,
    plan: &Plan,
    rewritten: Vec<(usize, Vec<u8>)>,
) -> Vec<(usize, Option<Method>, Packed)> {
    let options = tables.options;
    let globs: Vec<Glob> =
        options.compress_sections.iter().map(|(glob, _)| Glob::new(glob.as_bytes())).collect();
    let inputs = InputWriter::new(image, None);
    let (positions, sections): (Vec<(usize, Method)>, Vec<Unpacked<PartContent>>) = image
        .outputs
        .sections
        .iter()
        .enumerate()
        .filter_map(|(at, section)| {
            let method = wanted(section, options, &globs)?;
            let is_built = rewritten.iter().any(|&(position, _)| position == at);
            if is_built || !image.outputs.is_whole(at) {
                return None;
            }
            let parts = parts::of_section(image, plan, IdSlice::new(&[]), at);
            let start = section.file_offset;
            Some(((at, method), method.unpacked(section.align, start, section.size, parts)))
        })
        .unzip();
    let packed = pack(&sections, tables.diag, |part, out| inputs.build(part, out));
    inputs.report(tables);
    let packed = positions.into_iter().zip(packed);
    let mut all: Vec<(usize, Option<Method>, Packed)> =
        packed.filter_map(|((at, method), packed)| Some((at, Some(method), packed?))).collect();
    for (at, bytes) in rewritten {
        let section = &image.outputs.sections[at];
        let method = method_for(&section.name, options, &globs);
        let packed = method.and_then(|method| packed_bytes(&bytes, method, section.align, tables));
        let method = method.filter(|_| packed.is_some());
        all.push((at, method, packed.unwrap_or_else(|| Packed::plain(&bytes))));
    }
    all
}

/// The compressed form of bytes, if it is smaller.
fn packed_bytes(bytes: &[u8], method: Method, align: u64, tables: &Tables<'_>) -> Option<Packed> {
    let part = |(at, run): (usize, &[u8])| Part {
        file_offset: (at * RUN) as u64,
        size: run.len() as u64,
        what: at * RUN,
        continues: false,
    };
    let parts: Vec<Part<usize>> = bytes.chunks(RUN).enumerate().map(part).collect();
    let section = method.unpacked(align, 0, bytes.len() as u64, parts);
    let fill = |part: &Part<usize>, out: &mut [u8]| {
        out.copy_from_slice(&bytes[part.what..][..out.len()]);
    };
    pack(&[section], tables.diag, fill).pop().flatten()
}
