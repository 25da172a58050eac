//! The link, from options to the output file, told from top to bottom.
//!
//! Each `let` is a table; a stage borrows what exists and returns something new.

use crate::args::{Icf, Options, OutputKind};
use crate::check::{reports, warned_symbols, warnings, written_files};
use crate::layout::segments::AddressRules;
use crate::read::mri;
use crate::relocatable;
use crate::resolve::definitions::Definitions;
use crate::select::eh_frame::EhFrames;
use crate::select::fold::Folds;
use crate::select::fold::by_options::{self, Asked};
use crate::select::merge::MergedSections;
use crate::select::scan_columns::ScanRules;
use crate::select::{eh_frame, merge};
use crate::tell::{identical_sections, removed, reproduction, timing};
use crate::write::image_file;
use skald_core::diag::{Diag, Failed};
use skald_core::output::Output;
use skald_core::time::Timer;
use skald_core::{input, memory_limit};

mod beginnings;
mod emit;
mod marking;
mod memory;
pub(crate) mod place;
pub(crate) mod plan;
mod resolving;

use beginnings::Beginnings;
use resolving::Resolved;

pub use plan::Link;

/// Links what `options` ask for; messages go to `diag`.
pub fn link(options: &Options, diag: &Diag) -> Result<(), Failed> {
    input::expect(options.inputs.len());
    memory::start(options, diag);
    let timer = timing::start(options);
    let reproduction = reproduction::Reproduction::start(options, diag)?;
    let with_scripts = mri::options(options, diag)?;
    let options = with_scripts.as_ref().unwrap_or(options);
    let outputs = link_to_outputs(options, diag, &timer);
    // What is written beside the output is there before it has its name, and if there is none.
    if let Some(reproduction) = reproduction {
        reproduction.finish(diag);
    }
    let told = diag.checkpoint();
    let outcome =
        outputs.and_then(|outputs| told.and_then(|()| commit(outputs, options, diag, &timer)));
    timing::print(options, &timer);
    outcome
}

/// Links; what is written lacks its names only.
fn link_to_outputs(options: &Options, diag: &Diag, timer: &Timer) -> Result<Vec<Output>, Failed> {
    written_files::check(options, diag)?;
    let trace = timing::open_trace(options, diag)?;
    let outputs = match options.kind {
        OutputKind::Relocatable => relocatable::link(options, diag, timer),
        _ => link_image(options, diag, timer),
    };
    written_files::changed_inputs(diag);
    timing::write_trace(options, timer, trace, diag);
    outputs
}

/// Gives outputs their names.
fn commit(
    outputs: Vec<Output>,
    options: &Options,
    diag: &Diag,
    timer: &Timer,
) -> Result<(), Failed> {
    let _phase = timer.phase("commit");
    // Nothing ends the process between the first name and the last one.
    memory_limit::end();
    // What is beside the program comes before it; scripts may have named it.
    let program = outputs.last().map(|output| output.path().to_owned());
    for output in outputs {
        output.commit().unwrap_or_else(|error| diag.error((0, 0), error.0));
        diag.checkpoint()?;
    }
    if let Some(program) = program {
        let copied = image_file::write_exe(options, &program);
        copied.unwrap_or_else(|error| diag.error((0, 0), error.0));
    }
    diag.checkpoint()
}

/// Folds equal sections if options ask for it.
fn fold(
    sources: &reports::Sources<'_>,
    definitions: &mut Definitions,
    (frames, merged): (&EhFrames, &MergedSections),
    found: by_options::MarkingResult<'_>,
    timer: &Timer,
) -> Folds {
    let &reports::Sources { options, candidates, extraction, objects, diag } = sources;
    if options.icf == Icf::None {
        return Folds::default();
    }
    let _phase = timer.phase("fold");
    let asked = Asked { options, candidates, extraction, diag };
    let folds = by_options::fold(&asked, (objects, definitions), frames, merged, found);
    identical_sections::print(sources, definitions, &folds);
    folds
}

/// Links an image; returns what is written and lacks its name only, in the order to give it.
fn link_image(options: &Options, diag: &Diag, timer: &Timer) -> Result<Vec<Output>, Failed> {
    let resolved = resolving::resolve(options, diag, timer)?;
    let Resolved { candidates, extraction, objects, mut definitions, names, .. } = resolved;
    let mut claimed = resolved.claimed;
    let (options, shape, versions) = (&*resolved.options, resolved.shape, resolved.versions);
    let sources = reports::Sources {
        options,
        candidates: &candidates,
        extraction: &extraction,
        objects: &objects,
        diag,
    };

    // Select: what is alive, and what its relocations need.
    let phase = timer.phase("split .eh_frame");
    let frames = eh_frame::split(&objects, &mut definitions);
    if !frames.faults.is_empty() {
        sources.with(&definitions).section_faults(&frames.faults);
        diag.checkpoint()?;
    }
    let found = Beginnings::find(&sources, &frames, &mut definitions, &mut claimed, shape);
    drop(phase);
    let phase = timer.phase("mark and scan");
    let rules = ScanRules::new(options, shape, &definitions);
    let marked = marking::run(&sources, &mut definitions, found, &frames, &rules);
    let (mut live, mut scan, mut scan_columns) = (marked.live, marked.scan, marked.columns);
    sources.with(&definitions).problems(&live, &scan);
    warned_symbols::warn(&sources.with(&definitions), &live);
    removed::print(&sources, &definitions, &live);
    diag.checkpoint()?;
    drop(phase);
    let phase = timer.phase("merge");
    let merged = merge::merge(&objects, &definitions, &live, options.into());
    sources.with(&definitions).section_faults(&merged.faults);
    diag.checkpoint()?;
    drop(phase);
    let found =
        by_options::MarkingResult { live: &mut live, scan: &mut scan, columns: &mut scan_columns };
    let folds = fold(&sources, &mut definitions, (&frames, &merged), found, timer);

    // Synth and layout: sizes of what the linker adds, then every address.
    let phase = timer.phase("plan");
    let mut link = Link {
        options,
        candidates: &candidates,
        extraction: &extraction,
        objects: &objects,
        definitions,
        versions: &versions,
        claimed: &claimed,
        frames: &frames,
        merged: &merged,
        folds: &folds,
        scan: &scan,
        columns: &scan_columns,
        rules,
        shape,
        diag,
    };
    let mut planned = link.plan(&mut live, names)?;
    drop(phase);
    let phase = timer.phase("lay out");
    let address_rules = AddressRules::new(options, link.wants_exec_stack());
    warnings::executable_stacks(&sources);
    let mut placed = link.place(&mut planned, &live, &address_rules)?;
    link.check_addresses(&planned, &placed, &live);
    diag.checkpoint()?;
    drop(phase);
    let phase = timer.phase("compress");
    link.compress(&mut planned, &mut placed, &live)?;
    drop(phase);

    // Write. What is freed from here on waits for the end.
    skald_core::leave::prepare();
    let phase = timer.phase("write");
    let outcome = link.write(&planned, &placed, &live, timer);
    drop(phase);
    let outputs = outcome?;
    let phase = timer.phase("map");
    link.write_map(&planned, &placed, &live)?;
    drop(phase);
    let reasons = (&marked.kept, (&marked.start_stop, &marked.rings));
    link.write_report(&planned, &placed, &live, reasons, timer)?;
    // The process is about to end, and the kernel would free its memory with one thread: what is
    // dropped here all threads give back. Objects and files have many small parts, which are left
    // to the kernel.
    let definitions = link.definitions;
    std::mem::forget((objects, candidates));
    let of_output = (planned, placed);
    let of_selection = (live, scan, scan_columns, frames);
    skald_core::par::join(
        || merged.release(),
        || drop((extraction, definitions, of_selection, of_output)),
    );
    Ok(outputs)
}
