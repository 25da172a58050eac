//! The link, from options to the output file, told from top to bottom.
//!
//! Each `let` is a table; a stage borrows what exists and returns something new. Milestones between
//! the stages say what does not change from there on.

use crate::args::{Options, OutputKind};
use crate::check::written_files;
use crate::layout::placed::PlacedOutput;
use crate::lto::plugins::Plugins;
use crate::read::mri;
use crate::relocatable;
use crate::resolve::outputs::spills::SpillRules;
use crate::select::fall_through::{FallThroughInput, drop_last_jumps};
use crate::select::selected::Selected;
use crate::synth::planned::Planned;
use crate::tell::reproduction::Reproduction;
use crate::tell::timing;
use compressing::Compressed;
use emit::{Contents, Ready};
use frozen::Frozen;
use output_names::OutputNames;
use resolving::Resolved;
use selecting::Followed;
use separate::Separate;
use skald_core::diag::{Diag, Failed, WHOLE_LINK};
use skald_core::output::Output;
use skald_core::time::Timer;
use std::sync::Mutex;

mod compiling;
mod compressing;
mod emit;
mod first_machine;
mod frozen;
mod laying_out;
mod mark_inputs;
mod marking;
mod memory;
mod outer_symbols;
mod output_names;
mod plan;
mod resizing;
mod resolving;
mod selecting;
mod separate;
mod spilling;
mod telling;
#[cfg(test)]
mod tests;

/// Links what `options` ask for; messages go to `diag`.
pub fn link(options: &Options, diag: &Diag) -> Result<(), Failed> {
    skald_host::input::expect(options.inputs.len());
    memory::start(options, diag);
    let timer = timing::start(options);
    let reproduction = Reproduction::start(options, diag)?;
    let with_scripts = mri::options(options, diag)?;
    let options = with_scripts.as_ref().unwrap_or(options);
    let for_first = first_machine::options(options, diag);
    let options = for_first.as_ref().ok().and_then(Option::as_ref).unwrap_or(options);
    let mut names = OutputNames::new(options, reproduction, diag, &timer);
    // Files that are written even if the link fails are written also if the first file cannot be
    // read.
    let outputs = match for_first {
        Ok(_) => link_to_outputs(options, &mut names, diag, &timer),
        Err(Failed) => Err(Failed),
    };
    let told = names.reproduce();
    let outcome = outputs.and_then(|outputs| told.and_then(|()| names.name_last(outputs)));
    timing::print(options, &timer);
    match outcome {
        Err(Failed) if diag.is_done() => Ok(()),
        outcome => outcome,
    }
}

/// Links; the returned files are complete, but still have temporary names.
fn link_to_outputs(
    options: &Options,
    output_names: &mut OutputNames<'_>,
    diag: &Diag,
    timer: &Timer,
) -> Result<Vec<Output>, Failed> {
    written_files::check(options, diag)?;
    refuse_unmade(options, diag)?;
    let trace = timing::open_trace(options, diag)?;
    let plugins = Mutex::new(Plugins::new(options));
    let outputs = match options.kind {
        OutputKind::Relocatable => resolving::join(options, &plugins, diag, timer)
            .and_then(|mut joining| relocatable::link(&mut joining, diag, timer)),
        _ => link_image(options, &plugins, output_names, diag, timer),
    };
    written_files::changed_inputs(diag);
    timing::write_trace(options, timer, trace, diag);
    outputs
}

/// Refuses options that would have an effect for the machine, which they do not have yet.
fn refuse_unmade(options: &Options, diag: &Diag) -> Result<(), Failed> {
    let given = options.machine_words.unmade.iter();
    for option in given.filter(|option| options.machine.unmade_options.contains(option)) {
        let machine = options.machine.emulation;
        diag.error(WHOLE_LINK, format!("{option} is not supported yet for {machine}"));
    }
    let is_loaded = matches!(options.kind, OutputKind::Shared | OutputKind::PieExecutable);
    if is_loaded && !options.machine.has_loader() {
        let what = "has no shared libraries and no position-independent programs";
        diag.error(WHOLE_LINK, format!("{} {what}", options.machine.emulation));
    }
    diag.checkpoint()
}

/// Links an image; returns the files in the order in which they are to be renamed, without those
/// that already have their names.
fn link_image(
    options: &Options,
    plugins: &Mutex<Plugins>,
    output_names: &mut OutputNames<'_>,
    diag: &Diag,
    timer: &Timer,
) -> Result<Vec<Output>, Failed> {
    // Read and resolve: the files that take part, and who defines what.
    let mut resolved = resolving::resolve(options, plugins, diag, timer)?;
    // Milestone: no name is added any more.

    // Select: what is alive, and what its relocations need.
    let (mut selected, followed) = selecting::select(&mut resolved, diag, timer)?;
    // Milestone: what is live, merged, folded and needed does not change any more.
    if SpillRules::are_asked(&resolved.scripted, &resolved.options.arrangement) {
        spilling::spill(&mut resolved, &mut selected, diag);
    }

    // Synth: the sections that the linker adds, and the set of output sections.
    let phase = timer.phase("plan");
    let names = std::mem::take(&mut resolved.names);
    let arranged = plan::arrange(&Frozen::new(&resolved, &selected, diag), names);
    // With the order of sections known, jumps to the next section can be removed: the end of
    // selection.
    if let (true, Some(jumps)) = (resolved.options.optimize_bb_jumps, resolved.loops.last_jumps) {
        let input = FallThroughInput::new(jumps, &selected, &resolved.claimed);
        let (objects, definitions) = (&mut resolved.objects, &mut resolved.definitions);
        drop_last_jumps(&input, objects, definitions, &arranged.outputs.code_order());
    }
    // Milestone: no table of the inputs changes any more.
    let frozen = Frozen::new(&resolved, &selected, diag);
    let (mut planned, outputs) = plan::plan(&frozen, arranged)?;
    drop(phase);
    // Milestone: no symbol, GOT word, PLT entry or dynamic relocation is added any more.

    // Lay out: every address.
    let phase = timer.phase("lay out");
    let mut placed = laying_out::lay_out(&frozen, &mut planned, outputs)?;
    // From here on section records have the sizes that sections have in the output.
    for (section, lost) in placed.deletions.lost() {
        resolved.definitions.sections[section].size -= lost;
    }
    let frozen = Frozen::new(&resolved, &selected, diag);
    drop(phase);
    // Milestone: no address changes any more.
    let phase = timer.phase("compress");
    let compressed = compressing::compress(&frozen, &mut planned, &mut placed)?;
    drop(phase);
    // Milestone: no file offset changes any more; indexes for debuggers are appended.

    // Write. Memory that is freed from here on keeps its pages until the process ends.
    skald_core::process_exit::prepare();
    let files =
        write_image(&frozen, &planned, &placed, &compressed, &followed, output_names, timer)?;
    release(resolved, selected, (planned, placed, compressed));
    Ok(files)
}

/// Writes an image and reports on the link; returns the files that are still to be renamed.
fn write_image(
    frozen: &Frozen<'_>,
    planned: &Planned,
    placed: &PlacedOutput,
    compressed: &Compressed,
    followed: &Followed,
    output_names: &mut OutputNames<'_>,
    timer: &Timer,
) -> Result<Vec<Output>, Failed> {
    let options = frozen.tables.options;
    let tell = || telling::write(frozen, planned, placed, followed, timer);
    let phase = timer.phase("write");
    let values = timer.phase("symbol values");
    let image = frozen.image(planned, placed, compressed.units.as_ref());
    let contents = Contents::new(frozen, planned, placed, &compressed.packed, &image, timer)?;
    drop(values);
    frozen.tables.diag.checkpoint()?;
    let own = contents.own();
    let writer = contents.writer(&own);
    let ready = Ready::new(&contents, &writer, timer);
    if !separate::is_asked(options) {
        let files = emit::write_whole(&ready, placed.end.size)?;
        drop(phase);
        tell()?;
        return Ok(files);
    }
    let separate = Separate::new(&ready);
    let (mut files, debug_link) = separate.write_program()?;
    if !options.only_keep_debug {
        // The program can be used while its debug file is written.
        tell()?;
        output_names.name_program(std::mem::take(&mut files))?;
    }
    files.push(separate.write_debug(&debug_link)?);
    drop(phase);
    if options.only_keep_debug {
        tell()?;
    }
    Ok(files)
}

/// Frees the large tables with all threads: at the end of the process the kernel would do it with
/// one. Objects, files and statements consist of many small parts, which are left to the kernel.
fn release(resolved: Resolved<'_>, selected: Selected, of_output: impl Send) {
    let Resolved { candidates, extraction, objects, definitions, scripted, .. } = resolved;
    std::mem::forget((objects, candidates, scripted));
    let Selected { merged, live, scan, columns, frames, .. } = selected;
    let of_selection = (live, scan, columns, frames);
    skald_core::par::join(
        || merged.release(),
        || drop((extraction, definitions, of_selection, of_output)),
    );
}
