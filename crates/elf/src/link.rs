//! The link, from options to the output file, told from top to bottom.
//!
//! Each `let` is a table; a stage borrows what exists and returns something new.

use crate::args::{Options, OutputKind};
use crate::check::written_files;
use crate::read::mri;
use crate::relocatable;
use crate::select::fall_through::{FallThroughInput, drop_last_jumps};
use crate::select::selected::Selected;
use crate::tell::{reproduction, timing};
use crate::write::image_file;
use frozen::Frozen;
use resolving::Resolved;
use skald_core::diag::{Diag, Failed};
use skald_core::output::Output;
use skald_core::time::Timer;
use skald_core::{input, memory_limit};

mod beginnings;
mod emit;
mod frozen;
mod marking;
mod memory;
mod place;

mod plan;
mod resizing;
mod resolving;
mod selecting;
mod telling;

/// Links what `options` ask for; messages go to `diag`.
pub fn link(options: &Options, diag: &Diag) -> Result<(), Failed> {
    input::expect(options.inputs.len());
    memory::start(options, diag);
    let timer = timing::start(options);
    let reproduction = reproduction::Reproduction::start(options, diag)?;
    let with_scripts = mri::options(options, diag)?;
    let options = with_scripts.as_ref().unwrap_or(options);
    let outputs = link_to_outputs(options, diag, &timer);
    // The reproduction archive is complete before the output gets its name, and exists even without
    // output.
    if let Some(reproduction) = reproduction {
        reproduction.finish(diag);
    }
    let told = diag.checkpoint();
    let outcome =
        outputs.and_then(|outputs| told.and_then(|()| commit(outputs, options, diag, &timer)));
    timing::print(options, &timer);
    outcome
}

/// Links; the returned files are complete, but still have temporary names.
fn link_to_outputs(options: &Options, diag: &Diag, timer: &Timer) -> Result<Vec<Output>, Failed> {
    written_files::check(options, diag)?;
    let trace = timing::open_trace(options, diag)?;
    let outputs = match options.kind {
        OutputKind::Relocatable => resolving::join(options, diag, timer)
            .and_then(|mut joining| relocatable::link(&mut joining, diag, timer)),
        _ => link_image(options, diag, timer),
    };
    written_files::changed_inputs(diag);
    timing::write_trace(options, timer, trace, diag);
    outputs
}

/// Gives the files the names that they were asked for.
fn commit(
    outputs: Vec<Output>,
    options: &Options,
    diag: &Diag,
    timer: &Timer,
) -> Result<(), Failed> {
    let _phase = timer.phase("commit");
    // Nothing ends the process between the first name and the last one.
    memory_limit::end();
    // Files beside the program get their names before it; scripts may have named the program.
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

/// Links an image; returns the files in the order in which they are to get their names.
fn link_image(options: &Options, diag: &Diag, timer: &Timer) -> Result<Vec<Output>, Failed> {
    // Read and resolve: the files that take part, and who defines what.
    let mut resolved = resolving::resolve(options, diag, timer)?;

    // Select: what is alive, and what its relocations need.
    let (selected, followed) = selecting::select(&mut resolved, diag, timer)?;

    // Synth: what the linker adds, and which output sections there are.
    let phase = timer.phase("plan");
    let names = std::mem::take(&mut resolved.names);
    let arranged = plan::arrange(&Frozen::new(&resolved, &selected, diag), names);
    // Selection ends where jumps are needless in this order.
    if resolved.options.optimize_bb_jumps {
        let target = resolved.options.target;
        let input = FallThroughInput::new(target, &selected, &resolved.claimed);
        let (objects, definitions) = (&mut resolved.objects, &mut resolved.definitions);
        drop_last_jumps(&input, objects, definitions, &arranged.outputs.code_order());
    }
    let frozen = Frozen::new(&resolved, &selected, diag);
    let mut planned = plan::plan(&frozen, arranged)?;
    drop(phase);

    // Lay out: every address.
    let phase = timer.phase("lay out");
    let mut placed = place::place(&frozen, &mut planned)?;
    drop(phase);
    let phase = timer.phase("compress");
    let compressed = place::compress(&frozen, &mut planned, &mut placed)?;
    drop(phase);

    // Write. Memory that is freed from here on keeps its pages until the process ends.
    skald_core::leave::prepare();
    let phase = timer.phase("write");
    let outcome = emit::write(&frozen, (&planned, &placed), &compressed, timer);
    drop(phase);
    let outputs = outcome?;
    telling::write(&frozen, &planned, &placed, &followed, timer)?;
    release(resolved, selected, (planned, placed, compressed));
    Ok(outputs)
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
