//! Writes the output file, and files beside it.

use super::frozen::Frozen;
use crate::args::{Options, OutputKind};
use crate::check::{tagged_memory, written_files};
use crate::format::elf::Rela;
use crate::layout::output_sections::CompressedId;
use crate::layout::placed::PlacedOutput;
use crate::resolve::tables::Tables;
use crate::rewrite::split_stack::{self, SplitStackInput};
use crate::rewrite::words::Word;
use crate::rewrite::{branches, errata, landing_pads};
use crate::synth::build_id;
use crate::synth::emitted_relocs::{Emitter, Repaired, SymbolIndices};
use crate::synth::image::Image;
use crate::synth::memtag;
use crate::synth::planned::Planned;
use crate::synth::sections::Plan;
use crate::synth::values;
use crate::tell::{relative_relocs, traces};
use crate::write::content::Writer;
use crate::write::debug_index;
use crate::write::elf_file::{build_id_at, told, write_spans};
use crate::write::headers::file_type;
use crate::write::image_content::ImageContent;
use crate::write::image_file::{self, Unwritten};
use crate::write::inputs::InputWriter;
use crate::write::package::Package;
use crate::write::parts::Part;
use crate::write::reloc_table::{self, Fields};
use crate::write::{entry, package, parts};
use skald_core::diag::Failed;
use skald_core::ids::IdSlice;
use skald_core::output::{Output, OutputPlan};
use skald_core::perturb::shuffled;
use skald_core::time::Timer;
use skald_host::output::permission_bits;
use skald_linking::packed::Packed;
use skald_linking::spans::{self, Span, Sum};
use std::path::Path;

/// Outputs from this size on are written over the old one, which saves the kernel 0.2 ms for each
/// MiB but loses the old output if a relocation overflows. Below it there is nothing to save.
const REUSED_FROM: u64 = 1 << 20;

/// The content of the output that is not copied from inputs, made before the file is written.
pub(super) struct Contents<'a> {
    frozen: &'a Frozen<'a>,
    planned: &'a Planned,
    placed: &'a PlacedOutput,
    compressed: &'a IdSlice<CompressedId, Packed>,
    image: &'a Image<'a>,
    inputs: InputWriter<'a>,
    /// The parts of the whole file.
    parts: Vec<Part>,
    dynamic: Vec<(u64, u64)>,
    other_relocs: Vec<Rela>,
    symbol_indices: SymbolIndices,
    /// Instructions that are repaired for errata, for `--emit-relocs`.
    repaired: Vec<Repaired>,
    words: Vec<Word>,
    entry: u64,
    package: Option<Package<'a>>,
}

impl<'a> Contents<'a> {
    /// Makes the content, once every address and value is known.
    pub(super) fn new(
        frozen: &'a Frozen<'a>,
        planned: &'a Planned,
        placed: &'a PlacedOutput,
        compressed: &'a IdSlice<CompressedId, Packed>,
        image: &'a Image<'a>,
        timer: &'a Timer,
    ) -> Result<Contents<'a>, Failed> {
        let Frozen { tables, selected, .. } = frozen;
        let &Tables { options, diag, .. } = tables;
        let plan = &planned.plan;
        let package = package::plan(tables, image, timer)?;
        written_files::refuse_inputs(options, diag);
        diag.checkpoint()?;
        let dynamic = dynamic_words(frozen, planned, image);
        let (other_relocs, parts) = skald_core::par::join(
            || plan.relocs.rest(image, &plan.symbols, &plan.eh_frame),
            || parts::list(image, plan, compressed, placed.end),
        );
        let symbol_indices = symbol_indices(tables, plan);
        let mut words = words_on_top(frozen, plan, image, &other_relocs);
        let mut repaired = Vec::new();
        if let (Some(errata), Some(thunks)) = (frozen.loops.errata, frozen.loops.thunks) {
            words.extend(errata::words(errata, thunks, image, &placed.repaired));
            if options.emit_relocs {
                repaired = errata::repaired(thunks, image.outputs, &placed.repaired);
            }
        }
        shuffled(&mut words).sort_unstable();
        relative_relocs::print(tables, plan, &selected.columns.relative, image);
        let inputs = InputWriter::new(image, frozen.loops.thunks);
        let entry = entry::address(tables, image);
        Ok(Contents {
            frozen,
            planned,
            placed,
            compressed,
            image,
            inputs,
            parts,
            dynamic,
            other_relocs,
            symbol_indices,
            repaired,
            words,
            entry,
            package,
        })
    }

    /// The content that images have and relocatable outputs do not.
    pub(super) fn own(&self) -> ImageContent<'_> {
        let &Contents { image, planned, placed, frozen, .. } = self;
        let Tables { options, diag, .. } = frozen.tables;
        let follow_rewrite = frozen.loops.follow_rewrite;
        ImageContent {
            image,
            plan: &planned.plan,
            dynamic: &self.dynamic,
            other_relocs: &self.other_relocs,
            marks_plt: options.z.mark_plt && image.machine.loader.plt_tags.is_some(),
            packed: &planned.packed,
            packed_signed: &planned.packed_signed,
            emitter: Emitter {
                image,
                indices: &self.symbol_indices,
                follow_rewrite,
                repaired: &self.repaired,
            },
            reloc_table: &planned.packed_table,
            tagged_table: &planned.tagged_table,
            stated: &placed.stated,
            diag,
        }
    }

    /// The writer of the whole output.
    pub(super) fn writer<'w>(&'w self, own: &'w ImageContent<'w>) -> Writer<'w> {
        let &Contents { image, planned, placed, frozen, .. } = self;
        let is_scripted = !frozen.scripted.script.is_automatic;
        Writer {
            image,
            inputs: &self.inputs,
            plan: &planned.plan,
            file_type: file_type(frozen.tables.options, is_scripted, &placed.segments),
            os_abi: own.os_abi(),
            entry: self.entry,
            section_headers: placed.end.section_headers,
            names: &planned.names,
            compressed: self.compressed,
            words: &self.words,
            own,
        }
    }
}

/// Everything that is needed to write the output: parts, their writer, and places in the file.
pub(super) struct Ready<'a> {
    pub tables: &'a Tables<'a>,
    /// The parts of the whole file.
    pub parts: &'a [Part],
    pub writer: &'a Writer<'a>,
    /// Where indexes for debuggers are in the whole file.
    pub index_place: Option<debug_index::Place>,
    pub package: Option<&'a Package<'a>>,
    pub timer: &'a Timer,
}

impl<'a> Ready<'a> {
    /// The output that `writer` writes.
    pub(super) fn new(
        contents: &'a Contents<'a>,
        writer: &'a Writer<'a>,
        timer: &'a Timer,
    ) -> Ready<'a> {
        let placed = contents.placed;
        Ready {
            tables: &contents.frozen.tables,
            parts: &contents.parts,
            writer,
            index_place: debug_index::Place::new(&placed.outputs, placed.end),
            package: contents.package.as_ref(),
            timer,
        }
    }
}

/// Writes a file of `size` bytes, or what is made of it.
pub(super) fn write_whole(ready: &Ready<'_>, size: u64) -> Result<Vec<Output>, Failed> {
    let &Ready { tables, parts, writer, package, timer, .. } = ready;
    let &Tables { options, diag, .. } = tables;
    let phase = timer.phase("spans");
    let spans = spans::cut(parts, size, spans::SPAN_SIZE);
    if image_file::is_made_of_another(options) {
        return write_made(ready, &Unwritten { parts, spans: &spans, size });
    }
    let output_plan = output_plan(options, size, &spans);
    let sum = if build_id::needs_digest(&options.build_id) { Sum::Digest } else { Sum::None };
    let (mut output, mut digests) =
        write_spans(writer, parts, &spans, sum, &output_plan, timer, diag)?;
    drop(phase);
    check_failures(tables, writer.inputs)?;
    if let Some(place) = &ready.index_place {
        let _phase = timer.phase("index for debuggers");
        let appended = debug_index::append(tables, writer.image, place, &mut output);
        digests.push(told(appended, diag)?);
    }
    if let Some((file_offset, bytes)) =
        build_id_at(&options.build_id, writer.plan, writer.image.outputs, &digests)
    {
        told(output.write_at(file_offset, &bytes), diag)?;
    }
    let mut files = write_side_files(tables, writer.plan, writer.image, package)?;
    files.push(output);
    Ok(files)
}

/// Writes a file that is converted from the ELF image `elf`, and has the build id that the ELF file
/// would have.
fn write_made(ready: &Ready<'_>, elf: &Unwritten<'_>) -> Result<Vec<Output>, Failed> {
    let &Ready { tables, writer, package, .. } = ready;
    let &Tables { options, diag, .. } = tables;
    let hashed = build_id::needs_digest(&options.build_id);
    let (mut bytes, mut digests) = image_file::build(elf, writer, hashed);
    if let Some(place) = &ready.index_place {
        let appended = debug_index::append_in_memory(tables, writer.image, place, &mut bytes);
        digests.push(told(appended, diag)?);
    }
    if let Some((offset, id)) =
        build_id_at(&options.build_id, writer.plan, writer.image.outputs, &digests)
    {
        bytes[offset as usize..][..id.len()].copy_from_slice(&id);
    }
    check_failures(tables, writer.inputs)?;
    let mut files = write_side_files(tables, writer.plan, writer.image, package)?;
    files.push(told(image_file::write_image(options, &bytes), diag)?);
    Ok(files)
}

/// Writes the files beside the output; returns those that are to get their names with it.
pub(super) fn write_side_files(
    tables: &Tables<'_>,
    plan: &Plan,
    image: &Image<'_>,
    package: Option<&Package<'_>>,
) -> Result<Vec<Output>, Failed> {
    let &Tables { options, candidates, diag, .. } = tables;
    let library = image_file::write_import_library(options, image, plan);
    let written = package.map(Package::write).transpose();
    let read: Vec<&Path> = package.iter().flat_map(|package| package.paths()).collect();
    traces::write_dependency_file(options, candidates, &read, diag);
    let library = told(library, diag)?;
    Ok(library.into_iter().chain(told(written, diag)?).collect())
}

/// Words that are written over the contents of sections, in order.
fn words_on_top(frozen: &Frozen<'_>, plan: &Plan, image: &Image<'_>, others: &[Rela]) -> Vec<Word> {
    let &Frozen { loops, tables, claimed, .. } = frozen;
    let Tables { options, candidates, extraction, diag, .. } = tables;
    let tagged = &frozen.selected.tagged;
    if !tagged.is_empty() {
        tagged_memory::check_variables(&frozen.tables, image, tagged);
        let signed = memtag::signed_distances(image, &plan.relocs, tagged);
        tagged_memory::check_signed(&frozen.tables, &signed);
    }
    let mut words = reloc_table::words(options, plan, image, &Fields { others, tagged });
    if let (true, Some(pads)) = (options.z.rewrite_endbr, loops.landing_pads) {
        let exported = &plan.symbols.names;
        let called = landing_pads::called_by_loader(options, candidates, extraction, exported);
        words.extend(landing_pads::rewritten(pads, image, &called));
    }
    if let (true, Some(branches)) = (options.branch_to_branch, loops.branches) {
        words.extend(branches::shortened(branches, image));
    }
    if let Some(code) = loops.split_stack {
        let input = SplitStackInput { code, options, candidates, extraction, claimed, diag };
        words.extend(split_stack::words(&input, image));
    }
    words
}

/// Reports sections that could not be written; fails if that ends the link.
pub(super) fn check_failures(tables: &Tables<'_>, inputs: &InputWriter<'_>) -> Result<(), Failed> {
    inputs.report(tables);
    if tables.options.noinhibit_exec { Ok(()) } else { tables.diag.checkpoint() }
}

/// The entries of `.dynamic` with their final values.
fn dynamic_words(frozen: &Frozen<'_>, planned: &Planned, image: &Image<'_>) -> Vec<(u64, u64)> {
    if !frozen.shape.is_dynamic {
        return Vec::new();
    }
    let Tables { options, extraction, .. } = frozen.tables;
    let address_of = |text: &str| {
        let name = extraction.own_name(text.as_bytes())?;
        values::plain(image.values.of_name[name])
    };
    let (init, fini) = (address_of(&options.init), address_of(&options.fini));
    frozen.dynamic_entries(planned, init, fini).list(image.outputs)
}

fn symbol_indices(tables: &Tables<'_>, plan: &Plan) -> SymbolIndices {
    match &plan.symtab {
        Some(symtab) if tables.options.emit_relocs => {
            SymbolIndices::new(symtab, tables.objects, tables.definitions)
        }
        _ => SymbolIndices::default(),
    }
}

pub(super) fn output_plan(options: &Options, size: u64, spans: &[Span]) -> OutputPlan {
    let is_reusable = size >= REUSED_FROM && !spans::have_gaps(spans);
    OutputPlan {
        path: options.output.clone(),
        size,
        mode: permission_bits(true),
        is_executable_kind: options.kind != OutputKind::Shared && is_reusable,
        atomic: options.atomic_output,
        mmap: options.mmap_output,
    }
}
