//! Writing the file.

use super::plan::Link;
use crate::args::{BuildId, OutputKind};
use crate::check::{reports, written_files};
use crate::layout::Synthetic;
use crate::resolve::definitions::attr;
use crate::resolve::wanted::entry_name;
use crate::rewrite::split_stack::{self, SplitStackInput};
use crate::rewrite::words::Word;
use crate::rewrite::{branches, landing_pads};
use crate::select::liveness::Liveness;
use crate::synth::build_id::random_uuid;
use crate::synth::emitted_relocs::SymbolIndices;
use crate::synth::image::Image;
use crate::synth::planned::Planned;
use crate::synth::sections::{Plan, build_id_len};
use crate::synth::values::{self, Value};
use crate::tell::{relative_relocs, traces};
use crate::write::content::Writer;
use crate::write::headers::file_type;
use crate::write::image_file::{self, Unwritten};
use crate::write::input_order::InputOrder;
use crate::write::parts::Part;
use crate::write::placed::PlacedOutput;
use crate::write::spans::Span;
use crate::write::unpack::Unpacker;
use crate::write::{compress, parts, reloc_table, spans};
use skald_core::diag::{Error, Failed};
use skald_core::output::{Output, OutputPlan, permission_bits};
use skald_core::perturb::shuffled;
use skald_core::time::Timer;
use skald_core::{digest, memory_limit};
use std::sync::Mutex;

/// Outputs from this size on are written over the old one, which saves the kernel 0.2 ms for each
/// MiB but loses the old output if a relocation overflows. Below it there is nothing to save.
const REUSED_FROM: u64 = 1 << 20;

impl Link<'_> {
    /// Compresses what is asked for and moves what is behind it.
    pub fn compress(
        &self,
        planned: &mut Planned,
        placed: &mut PlacedOutput,
        live: &Liveness,
    ) -> Result<(), Failed> {
        if !compress::is_asked(self.options) {
            return Ok(());
        }
        let image = self.image(planned, placed, live);
        let packed = compress::packed_sections(&self.tables(), &image, &planned.plan, placed);
        drop(image);
        self.diag.checkpoint()?;
        compress::replace(packed, planned, placed, !self.options.z.no_section_header);
        Ok(())
    }

    /// Writes everything; returns the files, in the order in which they are to get their names.
    pub fn write(
        &self,
        planned: &Planned,
        placed: &PlacedOutput,
        live: &Liveness,
        timer: &Timer,
    ) -> Result<Vec<Output>, Failed> {
        let phase = timer.phase("symbol values");
        let image = self.image(planned, placed, live);
        written_files::refuse_inputs(self.options, self.diag);
        self.diag.checkpoint()?;
        let dynamic = self.dynamic_words(planned, &image);
        let (other_relocs, parts) = skald_core::par::join(
            || self.other_relocs(planned, &image),
            || parts::list(&image, &planned.plan, &placed.compressed, placed.end),
        );
        let symbol_indices = self.symbol_indices(planned);
        let reloc_table = reloc_table::encoded(&planned.plan, &placed.packed_table, &image);
        let words = self.words_on_top(planned, &image);
        relative_relocs::print(&self.sources(), &planned.plan, &self.columns.relative, &image);
        let failures = Mutex::new(Vec::new());
        let writer = Writer {
            image: &image,
            plan: &planned.plan,
            file_type: file_type(self.options),
            entry: self.entry(&image),
            section_headers: placed.end.section_headers,
            section_names: &placed.section_names,
            shstrtab: &placed.shstrtab,
            dynamic: &dynamic,
            other_relocs: &other_relocs,
            marks_plt: self.options.z.mark_plt,
            packed: &placed.packed,
            compressed: &placed.compressed,
            unpacker: &Unpacker::default(),
            symbol_indices: &symbol_indices,
            failures: &failures,
            reloc_table: &reloc_table,
            words: &words,
            diag: self.diag,
        };
        let spans = spans::cut(&parts, placed.end.size, spans::SPAN_SIZE);
        drop(phase);
        self.diag.checkpoint()?;

        let phase = timer.phase("spans");
        if image_file::is_made_of_another(self.options) {
            let elf = Unwritten { parts: &parts, spans: &spans, size: placed.end.size };
            let bytes = self.built(planned, &elf, &writer);
            self.check_failures(&image, &writer)?;
            let mut files = self.write_side_files(planned, &image)?;
            files.extend(self.told(image_file::write_made(self.options, &bytes))?);
            return Ok(files);
        }
        let mut output = self.told(Output::create(&self.output_plan(placed.end.size, &spans)))?;
        let hashed = needs_digest(&self.options.build_id);
        let fill = |part: &Part, out: &mut [u8]| writer.fill(part, out);
        let window = memory_limit::input_window();
        let order = window.map(|window| InputOrder::new(&image, &planned.plan, &parts, window));
        let rules = spans::Rules { hashed, order: order.as_ref(), timer };
        let digests = self.told(spans::write_all(&output, &parts, &spans, rules, fill))?;
        drop(phase);
        self.check_failures(&image, &writer)?;
        if let Some((file_offset, bytes)) = self.build_id(planned, &digests) {
            self.told(output.write_at(file_offset, &bytes))?;
        }
        let mut files = self.write_side_files(planned, &image)?;
        files.push(output);
        Ok(files)
    }

    /// The bytes of `elf`, with the build id that the file itself would have.
    fn built(&self, planned: &Planned, elf: &Unwritten<'_>, writer: &Writer<'_>) -> Vec<u8> {
        let hashed = needs_digest(&self.options.build_id);
        let (mut bytes, digests) = image_file::build(elf, writer, hashed);
        if let Some((offset, id)) = self.build_id(planned, &digests) {
            bytes[offset as usize..][..id.len()].copy_from_slice(&id);
        }
        bytes
    }

    /// What ends the link although all inputs are right is told.
    fn told<T>(&self, result: Result<T, Error>) -> Result<T, Failed> {
        result.map_err(|error| {
            self.diag.error((0, 0), error.0);
            self.diag.checkpoint().err().unwrap_or(Failed)
        })
    }

    /// Writes what stands beside the output; returns what is to get its name with it.
    fn write_side_files(
        &self,
        planned: &Planned,
        image: &Image<'_>,
    ) -> Result<Vec<Output>, Failed> {
        let library = image_file::write_import_library(self.options, image, &planned.plan);
        traces::write_dependency_file(self.options, self.candidates, self.diag);
        self.told(library.map(Vec::from_iter))
    }

    /// The relocations of `.rela.dyn` that are not relative.
    fn other_relocs(&self, planned: &Planned, image: &Image<'_>) -> Vec<[u8; 24]> {
        let Plan { relocs, symbols, eh_frame, .. } = &planned.plan;
        relocs.rest(image, symbols, eh_frame)
    }

    /// What is written over the content of sections, in order.
    fn words_on_top(&self, planned: &Planned, image: &Image<'_>) -> Vec<Word> {
        let mut words = reloc_table::words(self.options, &planned.plan, image);
        let Link { options, candidates, extraction, claimed, diag, .. } = *self;
        if options.z.rewrite_endbr {
            let exported = &planned.plan.symbols.names;
            let called = landing_pads::called_by_loader(options, candidates, extraction, exported);
            words.extend(landing_pads::rewritten(image, &called));
        }
        if options.branch_to_branch {
            words.extend(branches::shortened(image));
        }
        let input = SplitStackInput { options, candidates, extraction, claimed, diag };
        words.extend(split_stack::words(&input, image));
        shuffled(&mut words).sort_unstable();
        words
    }

    /// Reports what could not be written; fails if that ends the link.
    fn check_failures(&self, image: &Image<'_>, writer: &Writer<'_>) -> Result<(), Failed> {
        let failures = &mut *writer.failures.lock().unwrap_or_else(|e| e.into_inner());
        let failures = std::mem::take(failures);
        writer.unpacker.report(self.objects, &self.definitions, self.candidates, self.diag);
        reports::report_failures(&self.tables(), image, failures);
        if self.options.noinhibit_exec { Ok(()) } else { self.diag.checkpoint() }
    }

    /// The entries of `.dynamic` as they are written.
    fn dynamic_words(&self, planned: &Planned, image: &Image<'_>) -> Vec<(u64, u64)> {
        if !self.shape.is_dynamic {
            return Vec::new();
        }
        let address_of = |text: &str| {
            let name = self.extraction.own_name(text.as_bytes())?;
            plain(image.values.of_name[name])
        };
        let init = address_of(&self.options.init);
        let fini = address_of(&self.options.fini);
        self.dynamic_entries(planned, init, fini).list(&planned.outputs)
    }

    fn symbol_indices(&self, planned: &Planned) -> SymbolIndices {
        match &planned.plan.symtab {
            Some(symtab) if self.options.emit_relocs => {
                SymbolIndices::new(symtab, self.objects, &self.definitions)
            }
            _ => SymbolIndices::default(),
        }
    }

    fn output_plan(&self, size: u64, spans: &[Span]) -> OutputPlan {
        let is_reusable = size >= REUSED_FROM && !spans::have_gaps(spans);
        OutputPlan {
            path: self.options.output.clone(),
            size,
            mode: permission_bits(true),
            is_executable_kind: self.options.kind != OutputKind::Shared && is_reusable,
            atomic: self.options.atomic_output,
            mmap: self.options.mmap_output,
        }
    }

    fn entry(&self, image: &Image<'_>) -> u64 {
        // A library need not have a start, but one that is also a program does.
        let text = entry_name(self.options, self.candidates)
            .unwrap_or_else(|| self.options.target.entry.into());
        if let Some(name) = self.extraction.own_name(&text)
            && self.definitions.globals[name].has(attr::DEFINED | attr::SHARED)
        {
            return plain(image.values.of_name[name]).unwrap_or(0);
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        let digits = text
            .strip_prefix("0x")
            .map_or_else(|| text.parse().ok(), |hex| u64::from_str_radix(hex, 16).ok());
        if let Some(address) = digits {
            return address;
        }
        if self.options.kind != OutputKind::Shared || self.options.entry.is_some() {
            let start = match self.options.kind {
                OutputKind::Shared => None,
                _ => image.outputs.named(b".text").map(|s| s.address),
            };
            let instead = match start {
                Some(address) => format!("the program starts at {address:#x}"),
                None => "not setting start address".to_owned(),
            };
            let hint = self.tables().meant(text.as_bytes());
            self.diag.warn((0, 0), format!("cannot find entry symbol {text}; {instead}{hint}"));
            return start.unwrap_or(0);
        }
        0
    }

    /// The build id and where it is in the file.
    fn build_id(&self, planned: &Planned, digests: &[u128]) -> Option<(u64, Vec<u8>)> {
        let note = planned.plan.build_id.as_ref()?;
        let len = build_id_len(&self.options.build_id)?;
        let bytes = match &self.options.build_id {
            BuildId::Hex(bytes) => bytes.clone(),
            BuildId::Uuid => random_uuid(),
            _ => digest::tree_digest(digests, len),
        };
        let section = planned.outputs.synthetic(Synthetic::BuildId).expect("planned");
        Some((section.file_offset + note.descriptor().start as u64, bytes))
    }
}

fn plain(value: u64) -> Option<u64> {
    match values::decode(value) {
        Value::Plain(value) => Some(value),
        _ => None,
    }
}

fn needs_digest(style: &BuildId) -> bool {
    !matches!(style, BuildId::None | BuildId::Hex(_) | BuildId::Uuid)
}
