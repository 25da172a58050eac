//! Writes a relocatable output, as an image ([`crate::write`]) without applying relocations.
//!
//! The image has offsets of inputs in their output sections instead of addresses. Content that only
//! a relocatable output has is in [`super::content`].

use super::Selection;
use super::compress;
use super::content::JoinedContent;
use super::frames::Frames;
use super::groups::Groups;
use super::parts::{self, PartInput};
use super::relocations::Relocations;
use super::sections::JoinedSections;
use super::symbol_writer::SymbolWriter;
use super::symbols::SymbolTable;
use crate::layout::deletions::Deletions;
use crate::layout::islands::ThunkIndex;
use crate::layout::segments::FileEnd;
use crate::loops;
use crate::machine::attribute_section::Described;
use crate::resolve::dynamic::OutputShape;
use crate::resolve::linker_symbols::originals::Originals;
use crate::resolve::tables::Tables;
use crate::select::copies::Copies;
use crate::select::merge::MergedSections;
use crate::synth::address_index::AddressIndex;
use crate::synth::build_id;
use crate::synth::image::{Bases, Image};
use crate::synth::plt::Promises;
use crate::synth::sections::Plan;
use crate::synth::slots::Slots;
use crate::synth::symtab::SymTab;
use crate::synth::values::Values;
use crate::write::compress::PackedSection;
use crate::write::content::Writer;
use crate::write::elf_file::{build_id_at, told, write_spans};
use crate::write::inputs::InputWriter;
use object::elf::ET_REL;
use skald_core::diag::Failed;
use skald_core::output::{Output, OutputPlan};
use skald_core::unordered::UnorderedMap;
use skald_host::output::permission_bits;
use skald_linking::spans::{self, Sum};

/// The plan of the output, except for file offsets.
pub(super) struct Writing<'a> {
    /// What reaches the output.
    pub(super) selection: &'a Selection<'a>,
    /// The sections that the linker makes.
    pub(super) plan: &'a Plan,
    /// The symbol table of `plan`.
    pub(super) symtab: &'a SymTab,
    /// Symbols of no object, and the index of each symbol.
    pub(super) symbols: &'a SymbolTable,
    /// The place in the output of each record of `.eh_frame`.
    pub(super) frames: &'a Frames<'a>,
    /// Section groups, whose contents are lists of section header indices.
    pub(super) groups: &'a Groups,
    /// Bytes of `.llvm_addrsig`, if the output has one.
    pub(super) addresses: &'a [u8],
}

/// Tables of an image that stay empty: nothing is merged, and nothing goes through GOT or PLT.
#[derive(Default)]
struct Blank {
    merged: MergedSections,
    slots: Slots,
    copies: Copies,
    originals: Originals,
    deletions: Deletions,
}

impl Writing<'_> {
    /// Compresses sections as the options ask, before anything has a file offset.
    pub(super) fn compressed(&self, joined: &JoinedSections) -> Result<Vec<PackedSection>, Failed> {
        let Tables { options, diag, .. } = self.selection.tables;
        self.with_writer(joined, 0, |writer, list| {
            Ok(compress::compressed_sections(options, list, writer, diag))
        })
    }

    /// Writes the file; the caller gives it its name.
    pub(super) fn write(&self, joined: &JoinedSections, end: FileEnd) -> Result<Output, Failed> {
        let Tables { options, diag, .. } = self.selection.tables;
        let output_plan = OutputPlan {
            path: options.output.clone(),
            size: end.size,
            mode: permission_bits(false),
            is_executable_kind: false,
            atomic: options.atomic_output,
            mmap: options.mmap_output,
        };
        let sum = if build_id::needs_digest(&options.build_id) { Sum::Digest } else { Sum::None };
        let timer = self.selection.timer;
        let (mut output, digests) =
            self.with_writer(joined, end.section_headers, |writer, list| {
                let parts = parts::list(list, end);
                let spans = spans::cut(&parts, end.size, spans::SPAN_SIZE);
                write_spans(writer, &parts, &spans, sum, &output_plan, timer, diag)
            })?;
        let build_id = build_id_at(&options.build_id, self.plan, &joined.outputs, &digests);
        if let Some((file_offset, bytes)) = build_id {
            told(output.write_at(file_offset, &bytes), diag)?;
        }
        Ok(output)
    }

    /// Calls `run` with a writer and the tables from which its parts are listed; fails if an input
    /// could not be decompressed.
    fn with_writer<T>(
        &self,
        joined: &JoinedSections,
        section_headers: u64,
        run: impl FnOnce(&Writer<'_>, PartInput<'_>) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        let &Writing { selection, plan, symtab, symbols, frames, groups, addresses } = self;
        let Tables { options, objects, definitions, diag, .. } = selection.tables;
        let blank = Blank::default();
        let image = self.image(joined, &blank);
        let relocations = Relocations { objects, definitions, joined, symbols, frames };
        let machine = options.machine;
        let entries = selection.entries(joined, frames, groups);
        let symbols = SymbolWriter { symtab, symbols, entries };
        let relocations = &relocations;
        let image = &image;
        let own = JoinedContent { machine, image, plan, relocations, groups, symbols, addresses };
        let inputs = InputWriter::that_copies(image);
        let writer = Writer {
            image,
            inputs: &inputs,
            plan,
            file_type: ET_REL,
            os_abi: options.os_abi.unwrap_or_else(|| own.os_abi()),
            entry: 0,
            section_headers,
            names: &joined.names,
            compressed: &joined.compressed,
            words: &[],
            own: &own,
        };
        let result = run(&writer, PartInput { image, plan, joined })?;
        inputs.report(&selection.tables);
        diag.checkpoint()?;
        Ok(result)
    }

    /// The view of writers: inputs have offsets in their output sections instead of addresses.
    fn image<'b>(&'b self, joined: &'b JoinedSections, blank: &'b Blank) -> Image<'b> {
        let &Selection { tables, live, records, .. } = self.selection;
        let Tables { options, candidates, extraction, objects, definitions, .. } = tables;
        Image {
            machine: options.machine,
            apply: |_, _, _, _| {},
            apply_in_place: None,
            objects,
            definitions,
            liveness: live,
            merged: &blank.merged,
            frames: records,
            outputs: &joined.outputs,
            segments: &[],
            slots: &blank.slots,
            copies: &blank.copies,
            values: Values::default(),
            addresses: &joined.offsets,
            thunks: ThunkIndex::default(),
            deletions: &blank.deletions,
            shrinking: None,
            shape: OutputShape::default(),
            execute_only: false,
            relax: false,
            platform_types: options.platform_types(false),
            described: Described::default(),
            turn_code: None,
            replaces_bx: false,
            pic_thunks: false,
            keeps_unwind_entries: true,
            code_memory: Default::default(),
            packs_signed: false,
            kept_loads: &[],
            has_new_instructions: false,
            dead_values: Vec::new(),
            call_nop: options.z.call_nop,
            plt: (loops::of(options.machine).plt)(
                &options.z,
                OutputShape::default(),
                Promises::default(),
            ),
            bases: Bases::default(),
            got_base: 0,
            global_pointer: 0,
            relaxes_gp: false,
            got_pages: Vec::new(),
            thread_pointer: 0,
            tls_start: 0,
            no_unique: options.no_gnu_unique,
            os_abi: options.os_abi,
            shared: &candidates.shared,
            refs: &extraction.refs,
            address_index: AddressIndex::default(),
            originals: &blank.originals,
            assigned_in: UnorderedMap::new(),
            rewritten_units: None,
        }
    }
}
