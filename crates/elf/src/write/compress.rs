//! `--compress-debug-sections` and `--compress-sections`, which run between layout and writing.
//!
//! The content of a debug section depends on addresses, and the places of the sections behind it
//! depend on its compressed size. So sections are built and compressed once everything in memory
//! has its address, and then sections that are not loaded get new file offsets.

use crate::args::{Compression, Options};
use crate::format::encoding::Encoding;
use crate::layout::output_sections::CompressedId;
use crate::layout::placed::PlacedOutput;
use crate::layout::segments::place_unloaded;
use crate::layout::{Content, OutputSection, OutputSections, Synthetic};
use crate::machine::Machine;
use crate::resolve::tables::Tables;
use crate::synth::image::Image;
use crate::synth::planned::Planned;
use crate::synth::section_names::SectionNames;
use crate::synth::sections::Plan;
use crate::write::compression_header::Method;
use crate::write::inputs::InputWriter;
use crate::write::parts;
use object::elf::{SHF_COMPRESSED, SHT_NOBITS};
use skald_core::diag::Diag;
use skald_core::ids::{Column, IdSlice};
use skald_linking::glob::Glob;
use skald_linking::packed::{Packed, Unpacked, pack};
use skald_linking::spans::Part;

/// Size in bytes of one part of a rewritten section.
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
fn method_for(name: &[u8], options: &Options, globs: &[Glob]) -> Option<Method> {
    let named = globs.iter().zip(&options.compress_sections).rev();
    for (glob, (_, compression)) in named {
        if glob.matches(name) {
            return method(*compression);
        }
    }
    let is_debug = name.starts_with(b".debug_");
    if is_debug { method(options.compress_debug_sections) } else { None }
}

/// With `--emit-relocs` relocation sections are named after output sections, and follow when these
/// are renamed (`.zdebug`).
fn rename_relocs(outputs: &mut OutputSections) {
    for at in 0..outputs.sections.len() {
        if let Content::Synthetic(Synthetic::EmitRelocs(out)) = outputs.sections[at].content {
            let of = outputs.of(out).expect("its relocations are emitted");
            let name = outputs.machine.reloc_kind.name_of(&of.name);
            outputs.sections[at].name = name;
        }
    }
}

/// Whether an option asks for compressed sections.
pub fn is_asked(options: &Options) -> bool {
    options.compress_debug_sections != Compression::None || !options.compress_sections.is_empty()
}

/// The form that an output section gets in the file.
pub struct PackedSection {
    /// Its position among the output sections.
    pub at: usize,
    /// How it is compressed; `None` for a section that was only rewritten.
    pub method: Option<Method>,
    /// Its bytes in the file.
    pub packed: Packed,
}

/// The results of [`put`].
pub struct Put {
    /// The bytes of sections that are compressed or rewritten.
    pub packed: Column<CompressedId, Packed>,
    /// Some section was renamed.
    pub is_renamed: bool,
    /// The least file offset of one of these sections; `None` if there is none.
    pub first: Option<u64>,
}

/// Replaces sections by their new forms. File offsets stay.
pub fn put(outputs: &mut OutputSections, sections: Vec<PackedSection>, machine: &Machine) -> Put {
    let mut put = Put { packed: Column::new(), is_renamed: false, first: None };
    for PackedSection { at, method, packed } in sections {
        let section = &mut outputs.sections[at];
        put.first = Some(put.first.unwrap_or(u64::MAX).min(section.file_offset));
        section.size = packed.size();
        if let Some(name) = method.and_then(|method| method.renamed(&section.name)) {
            section.name = name;
            put.is_renamed = true;
        } else if method.is_some() {
            section.sh_flags |= u64::from(SHF_COMPRESSED);
            // Alignment of the compression header at the start of the content.
            section.align = machine.class.word_size() as u64;
        }
        section.content = Content::Synthetic(Synthetic::Compressed(put.packed.end()));
        put.packed.push(packed);
    }
    if put.is_renamed {
        rename_relocs(outputs);
    }
    put
}

/// Replaces sections of an image and moves the sections behind them.
pub fn replace(
    sections: Vec<PackedSection>,
    planned: &mut Planned,
    placed: &mut PlacedOutput,
    options: &Options,
) -> Column<CompressedId, Packed> {
    let put = put(&mut placed.outputs, sections, options.machine);
    if put.is_renamed {
        planned.names = SectionNames::of(&mut placed.outputs);
    }
    if put.first.is_some() {
        let start = placed.end.loaded;
        placed.outputs.measure_single_heads();
        let with_headers = !options.z.no_section_header;
        placed.end = place_unloaded(&mut placed.outputs, start, with_headers);
    }
    put.packed
}

/// Compresses output sections made of inputs as the options ask, where that makes them smaller.
/// `parts_of` lists the parts of a section; `None` for a section that is to stay as it is.
pub fn pack_inputs<W: Sync + Send>(
    outputs: &OutputSections,
    options: &Options,
    diag: &Diag,
    parts_of: impl Fn(usize) -> Option<Vec<Part<W>>>,
    fill: impl Fn(&Part<W>, &mut [u8]) + Sync,
) -> Vec<PackedSection> {
    let globs: Vec<Glob> =
        options.compress_sections.iter().map(|(glob, _)| Glob::new(glob.as_bytes())).collect();
    let encoding = Encoding::of(options.machine);
    let all = outputs.sections.iter().enumerate();
    let (positions, sections): (Vec<(usize, Method)>, Vec<Unpacked<W>>) = all
        .filter_map(|(at, section)| {
            let method = wanted(section, options, &globs)?;
            let (parts, start) = (parts_of(at)?, section.file_offset);
            Some((
                (at, method),
                method.unpacked(encoding, section.align, start, section.size, parts),
            ))
        })
        .unzip();
    let packed = positions.into_iter().zip(pack(&sections, diag, fill));
    let smaller = packed.filter_map(|((at, method), packed)| {
        Some(PackedSection { at, method: Some(method), packed: packed? })
    });
    smaller.collect()
}

/// The sections of an image that get another form in the file: sections to be compressed, and
/// `rewritten` sections, compressed or not.
pub fn packed_sections(
    tables: &Tables<'_>,
    image: &Image<'_>,
    plan: &Plan,
    rewritten: Vec<(usize, Vec<u8>)>,
) -> Vec<PackedSection> {
    let options = tables.options;
    let globs: Vec<Glob> =
        options.compress_sections.iter().map(|(glob, _)| Glob::new(glob.as_bytes())).collect();
    let inputs = InputWriter::new(image, None);
    let parts = |at: usize| {
        let is_built = rewritten.iter().any(|&(position, _)| position == at);
        let is_whole = !is_built && image.outputs.is_whole(at);
        is_whole.then(|| parts::of_section(image, plan, IdSlice::new(&[]), at))
    };
    let fill = |part: &parts::Part, out: &mut [u8]| inputs.build(part, out);
    let mut all = pack_inputs(image.outputs, options, tables.diag, parts, fill);
    inputs.report(tables);
    for (at, bytes) in rewritten {
        let section = &image.outputs.sections[at];
        let method = method_for(&section.name, options, &globs);
        let packed = method.and_then(|method| packed_bytes(&bytes, method, section.align, tables));
        let method = method.filter(|_| packed.is_some());
        let packed = packed.unwrap_or_else(|| Packed::plain(&bytes));
        all.push(PackedSection { at, method, packed });
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
    let section =
        method.unpacked(Encoding::of(tables.options.machine), align, 0, bytes.len() as u64, parts);
    let fill = |part: &Part<usize>, out: &mut [u8]| {
        out.copy_from_slice(&bytes[part.what..][..out.len()]);
    };
    pack(&[section], tables.diag, fill).pop().flatten()
}
