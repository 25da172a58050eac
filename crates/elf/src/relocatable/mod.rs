//! `-r`: objects joined into one that can be linked again.
//!
//! Files are taken and definitions chosen as in any link; then there are no addresses, only
//! offsets in sections. Sections of one name, type and flags are joined, groups stay groups, and
//! every relocation is rewritten for the joined symbol table instead of applied.

mod assigned;
mod compress;
mod frames;
mod groups;
mod headers;
mod map;
mod marking;
mod notes;
mod parts;
mod relocations;
mod sections;
mod splitting;
mod symbol_list;
mod symbols;
mod writer;

use crate::args::assignments::Assignment;
use crate::args::{Options, assignments};
use crate::check::reports::Sources;
use crate::check::{assertions, written_files};
use crate::layout::file_size;
use crate::layout::segments::FileEnd;
use crate::read::candidates::Candidates;
use crate::read::object_file::{InputSection, ReadRules, SectionFlags};
use crate::read::{Objects, open, script_options};
use crate::resolve::definitions::Definitions;
use crate::resolve::extract::Extraction;
use crate::resolve::wanted::{self, WantedNames};
use crate::resolve::{definitions, extract, versioned_names};
use crate::select::eh_frame::EhFrames;
use crate::select::group_rings::GroupRings;
use crate::select::liveness::Liveness;
use crate::select::used_symbols::UsedSymbols;
use crate::select::{eh_frame, used_symbols};
use crate::synth::build_id::{self, BuildIdNote};
use crate::synth::linker_symbols;
use crate::tell::{backrefs, removed, traces, usage_lists};
use crate::write::spans;
use crate::write::unpack::Unpacker;
use frames::Frames;
use relocations::Relocations;
use sections::{ObjectContent, OutputSections};
use skald_core::diag::{Diag, Error, Failed};
use skald_core::output::{Output, OutputPlan, permission_bits};
use skald_core::time::Timer;
use symbols::{SymbolInput, SymbolTable};
use writer::Writer;

/// Makes a relocatable output.
pub fn link(options: &Options, diag: &Diag, timer: &Timer) -> Result<Vec<Output>, Failed> {
    // Read and resolve, as any link.
    let phase = timer.phase("open inputs");
    let mut candidates = open::open_inputs(options, &options.inputs, timer, diag);
    let with_scripts = script_options::with_scripts(options, &candidates, diag);
    let options = written_files::check_renamed(options, &with_scripts, diag);
    let assigned = wanted::all_assignments(options, &candidates, diag);
    written_files::refuse_inputs(options, diag);
    diag.checkpoint()?;
    drop(phase);
    let phase = timer.phase("extract");
    let wanted = WantedNames::new(options, &assigned, &candidates, linker_symbols::known_names());
    let rules = wanted::read_rules(options);
    let mut extraction =
        extract::extract(&mut candidates, options, &wanted.as_wanted(options), rules, timer, diag);
    let mut objects = std::mem::take(&mut extraction.objects);
    diag.checkpoint()?;
    drop(phase);
    let phase = timer.phase("define");
    let mut definitions = define(&extraction, &mut objects, &candidates, rules, diag);
    diag.checkpoint()?;
    let sources = Sources {
        options,
        candidates: &candidates,
        extraction: &extraction,
        objects: &objects,
        diag,
    };
    backrefs::warn(&sources);
    sources.with(&definitions).contested_in_part();
    sources.with(&definitions).required(|name| assigned.iter().any(|a| *a.name == *name));
    traces::print(&sources, &definitions);
    usage_lists::write(&sources, &definitions);
    let notes = notes::take(options, &candidates, &objects, &mut definitions, diag);
    diag.checkpoint()?;
    drop(phase);

    // Select.
    let phase = timer.phase("mark");
    frames::claim(&objects, &mut definitions);
    let records = eh_frame::split(&objects, &mut definitions);
    sources.with(&definitions).section_faults(&records.faults);
    diag.checkpoint()?;
    let marking = marking::Marking {
        objects: &objects,
        definitions: &definitions,
        extraction: &extraction,
        frames: &records,
        rings: &GroupRings::new(&objects, &definitions, &extraction, options),
    };
    let live = marking.run(options, diag);
    removed::print(&sources, &definitions, &live);
    let used = used_symbols(&sources, &definitions, &live)?;
    drop(phase);

    join(&Selection {
        options,
        candidates: &candidates,
        extraction: &extraction,
        objects: &objects,
        definitions: &definitions,
        records: &records,
        live: &live,
        used: &used,
        assigned: &assigned,
        notes: &notes,
        diag,
        timer,
    })
}

/// What relocations refer to, which is to be in the output.
fn used_symbols(
    sources: &Sources<'_>,
    definitions: &Definitions,
    live: &Liveness,
) -> Result<UsedSymbols, Failed> {
    let Sources { objects, candidates, diag, .. } = *sources;
    let used = used_symbols::find(objects, definitions, live, candidates, diag);
    diag.checkpoint()?;
    sources.with(definitions).discarded_in_part(live, &used);
    Ok(used)
}

/// Every name's definition; all symbols keep their spelling.
fn define(
    extraction: &Extraction,
    objects: &mut Objects,
    candidates: &Candidates,
    rules: ReadRules<'_>,
    diag: &Diag,
) -> Definitions {
    let handles = versioned_names::unite(extraction, objects, true);
    let mut definitions = definitions::define(extraction, objects, candidates, rules, diag);
    handles.settle(&mut definitions, objects);
    definitions
}

/// What is joined.
struct Selection<'a> {
    options: &'a Options,
    candidates: &'a Candidates,
    extraction: &'a Extraction,
    objects: &'a Objects,
    definitions: &'a Definitions,
    records: &'a EhFrames,
    live: &'a Liveness,
    used: &'a UsedSymbols,
    assigned: &'a [Assignment],
    notes: &'a notes::Notes,
    diag: &'a Diag,
    timer: &'a Timer,
}

impl Selection<'_> {
    fn refuse_absurd_size(&self, size: u64) -> Result<(), Failed> {
        let Selection { objects, definitions, candidates, diag, .. } = *self;
        if !file_size::is_absurd(size, objects) {
            return Ok(());
        }
        let kept = |s: &&InputSection| !s.flags.has(SectionFlags::DISCARDED);
        let sections = definitions.sections.iter().filter(kept);
        diag.error((0, 0), file_size::complaint(size, 1, objects, candidates, sections));
        diag.checkpoint()
    }

    /// Fails if a section could not be decompressed.
    fn report_unpacking(&self, unpacker: &Unpacker) -> Result<(), Failed> {
        unpacker.report(self.objects, self.definitions, self.candidates, self.diag);
        self.diag.checkpoint()
    }
}

/// Lays the file out and writes it.
fn join(selection: &Selection<'_>) -> Result<Vec<Output>, Failed> {
    let Selection { options, extraction, objects, definitions, live, diag, .. } = *selection;
    let phase = selection.timer.phase("lay out");
    let frames = Frames::plan(options.target, objects, definitions, selection.records, live);
    let groups = groups::collect(options, extraction, objects, definitions, live);
    let build_id = BuildIdNote::asked(&options.build_id);
    let mut outputs = sections::collect(&sections::SectionInput {
        options,
        objects,
        definitions,
        live,
        frames: &frames,
        groups: &groups,
        notes: selection.notes,
        build_id,
    });
    let retain = assignments::retained_symbols(options, diag);
    let sources = Sources { options, candidates: selection.candidates, extraction, objects, diag };
    let symbols = SymbolTable::plan(&SymbolInput {
        options,
        extraction,
        objects,
        definitions,
        live,
        used: selection.used,
        outputs: &outputs,
        frames: &frames,
        groups: &groups,
        assigned: selection.assigned,
        assertions: &assertions::of_scripts(selection.candidates),
        retain: retain.as_ref(),
        bad_expression: &|expr, error| sources.with(definitions).bad_expression(expr, error),
        diag,
    });
    diag.checkpoint()?;
    let unpacker = Unpacker::default();
    let with_writer = |outputs: &OutputSections, end: FileEnd, run: &mut dyn FnMut(&Writer<'_>)| {
        let relocations =
            Relocations { objects, definitions, outputs, symbols: &symbols, frames: &frames };
        let notes = selection.notes;
        run(&Writer {
            target: options.target,
            relocations: &relocations,
            groups: &groups,
            notes,
            build_id,
            unpacker: &unpacker,
            end,
        });
    };
    let mut compressed = Vec::new();
    with_writer(&outputs, FileEnd::default(), &mut |writer| {
        compressed = compress::compressed_sections(options, writer, diag);
    });
    selection.report_unpacking(&unpacker)?;
    diag.checkpoint()?;
    compress::replace(&mut outputs, compressed);
    let end = outputs.finish(&symbols, &groups);
    selection.refuse_absurd_size(end.size)?;
    drop(phase);

    let _phase = selection.timer.phase("write");
    written_files::refuse_inputs(options, diag);
    diag.checkpoint()?;
    let mut written = Err(Failed);
    with_writer(&outputs, end, &mut |writer| written = write(selection, writer));
    let output = written?;
    map::write(selection, &outputs)?;
    Ok(vec![output])
}

/// Writes everything but the output's name.
fn write(selection: &Selection<'_>, writer: &Writer<'_>) -> Result<Output, Failed> {
    let Selection { options, diag, timer, .. } = *selection;
    let fail = |error: Error| {
        diag.error((0, 0), error.0);
        diag.checkpoint().err().unwrap_or(Failed)
    };
    let parts = parts::list(writer);
    let spans = spans::cut(&parts, writer.end.size, spans::SPAN_SIZE);
    let mut output = Output::create(&OutputPlan {
        path: options.output.clone(),
        size: writer.end.size,
        mode: permission_bits(false),
        is_executable_kind: false,
        atomic: options.atomic_output,
        mmap: options.mmap_output,
    })
    .map_err(fail)?;
    let style = &options.build_id;
    let hashed = build_id::needs_digest(style);
    let rules = spans::Rules { hashed, order: None, timer };
    let digests = spans::write_all(&output, &parts, &spans, rules, |part, out| {
        writer.fill(part, out);
    })
    .map_err(fail)?;
    selection.report_unpacking(writer.unpacker)?;
    if let (Some(note), Some(bytes)) = (writer.build_id, build_id::descriptor(style, &digests)) {
        let outputs = writer.relocations.outputs;
        let section = outputs.find(|content| *content == ObjectContent::BuildId).expect("planned");
        let at = section.file_offset + note.descriptor().start as u64;
        output.write_at(at, &bytes).map_err(fail)?;
    }
    traces::write_dependency_file(options, selection.candidates, diag);
    Ok(output)
}

/// Whether a section record stands for bytes of an input that reach the output as they are.
fn is_copied(section: &InputSection, options: &Options) -> bool {
    let is_common = section.flags.has(SectionFlags::COMMON);
    !section.flags.has(SectionFlags::DISCARDED | SectionFlags::EH_FRAME)
        && (!is_common || options.define_common)
}
