//! The link, from options to the output file, told from top to bottom.
//!
//! Each `let` is a table; a stage borrows what exists and returns something new.

use crate::args::{Options, OutputKind};
use crate::check::written_files;
use crate::lto::plugins::Plugins;
use crate::read::mri;
use crate::relocatable;
use crate::resolve::outputs::spills::SpillRules;
use crate::select::fall_through::{FallThroughInput, drop_last_jumps};
use crate::select::selected::Selected;
use crate::tell::reproduction::Reproduction;
use crate::tell::timing;
use crate::write::image_file;
use frozen::Frozen;
use resolving::Resolved;
use skald_core::diag::{Diag, Failed};
use skald_core::memory_limit;
use skald_core::output::Output;
use skald_core::time::Timer;
use std::sync::Mutex;

mod beginnings;
mod compiling;
mod compressing;
mod emit;
mod first_machine;
mod frozen;
mod laying_out;
mod marking;
mod memory;
mod outer_symbols;
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
    let for_first = first_machine::options(options, diag)?;
    let options = for_first.as_ref().unwrap_or(options);
    let mut naming = Naming { options, diag, timer: &timer, reproduction, is_program_named: false };
    let outputs = link_to_outputs(options, &mut naming);
    let told = naming.reproduce();
    let outcome = outputs.and_then(|outputs| told.and_then(|()| naming.name_last(outputs)));
    timing::print(options, &timer);
    match outcome {
        Err(Failed) if diag.is_done() => Ok(()),
        outcome => outcome,
    }
}

/// Gives the files that are written their names.
struct Naming<'a> {
    options: &'a Options,
    diag: &'a Diag,
    timer: &'a Timer,
    reproduction: Option<Reproduction>,
    is_program_named: bool,
}

impl Naming<'_> {
    /// Completes the reproduction archive, before the output gets its name; it exists even without
    /// output.
    fn reproduce(&mut self) -> Result<(), Failed> {
        if let Some(reproduction) = self.reproduction.take() {
            reproduction.finish(self.diag);
        }
        self.diag.checkpoint()
    }

    /// Names all files up to the program, before others are written.
    fn name_program(&mut self, outputs: Vec<Output>) -> Result<(), Failed> {
        if written_files::has_changed_inputs() {
            // They are reported when the link ends.
            return Err(Failed);
        }
        self.reproduce()?;
        self.is_program_named = true;
        self.name(outputs, true)
    }

    /// Names the files that have no name yet.
    fn name_last(&mut self, outputs: Vec<Output>) -> Result<(), Failed> {
        // Nothing ends the process between the first name and the last one.
        memory_limit::end();
        self.name(outputs, !self.is_program_named)
    }

    fn name(&self, outputs: Vec<Output>, with_program: bool) -> Result<(), Failed> {
        let Naming { options, diag, timer, .. } = self;
        let _phase = timer.phase("commit");
        // Files beside the program get their names before it; scripts may have named the program.
        let program = outputs.last().map(|output| output.path().to_owned());
        for output in outputs {
            output.commit().unwrap_or_else(|error| diag.error((0, 0), error.0));
            diag.checkpoint()?;
        }
        if let Some(program) = program.filter(|_| with_program) {
            let copied = image_file::write_exe(options, &program);
            copied.unwrap_or_else(|error| diag.error((0, 0), error.0));
        }
        diag.checkpoint()
    }
}

/// Links; the returned files are complete, but still have temporary names.
fn link_to_outputs(options: &Options, naming: &mut Naming<'_>) -> Result<Vec<Output>, Failed> {
    let &mut Naming { diag, timer, .. } = naming;
    written_files::check(options, diag)?;
    let trace = timing::open_trace(options, diag)?;
    let plugins = Mutex::new(Plugins::new(options));
    let outputs = match options.kind {
        OutputKind::Relocatable => resolving::join(options, &plugins, diag, timer)
            .and_then(|mut joining| relocatable::link(&mut joining, diag, timer)),
        _ => link_image(options, &plugins, naming),
    };
    written_files::changed_inputs(diag);
    timing::write_trace(options, timer, trace, diag);
    outputs
}

/// Links an image; returns the files in the order in which they are to get their names, but for
/// those that have them already because others are written after them.
fn link_image(
    options: &Options,
    plugins: &Mutex<Plugins>,
    naming: &mut Naming<'_>,
) -> Result<Vec<Output>, Failed> {
    let &mut Naming { diag, timer, .. } = naming;
    // Read and resolve: the files that take part, and who defines what.
    let mut resolved = resolving::resolve(options, plugins, diag, timer)?;

    // Select: what is alive, and what its relocations need.
    let (mut selected, followed) = selecting::select(&mut resolved, diag, timer)?;
    if SpillRules::are_asked(&resolved.scripted, &resolved.options.arrangement) {
        spilling::spill(&mut resolved, &mut selected, diag);
    }

    // Synth: what the linker adds, and which output sections there are.
    let phase = timer.phase("plan");
    let names = std::mem::take(&mut resolved.names);
    let arranged = plan::arrange(&Frozen::new(&resolved, &selected, diag), names);
    // Selection ends where jumps are needless in this order.
    if let (true, Some(jumps)) = (resolved.options.optimize_bb_jumps, resolved.loops.last_jumps) {
        let input = FallThroughInput::new(jumps, &selected, &resolved.claimed);
        let (objects, definitions) = (&mut resolved.objects, &mut resolved.definitions);
        drop_last_jumps(&input, objects, definitions, &arranged.outputs.code_order());
    }
    let frozen = Frozen::new(&resolved, &selected, diag);
    let (mut planned, outputs) = plan::plan(&frozen, arranged)?;
    drop(phase);

    // Lay out: every address.
    let phase = timer.phase("lay out");
    let mut placed = laying_out::lay_out(&frozen, &mut planned, outputs)?;
    drop(phase);
    let phase = timer.phase("compress");
    let compressed = compressing::compress(&frozen, &mut planned, &mut placed)?;
    drop(phase);

    // Write. Memory that is freed from here on keeps its pages until the process ends.
    skald_core::leave::prepare();
    let phase = timer.phase("write");
    let mut is_told = false;
    let mut name_program = |outputs| {
        is_told = true;
        telling::write(&frozen, &planned, &placed, &followed, timer)?;
        naming.name_program(outputs)
    };
    let timed = (timer, &mut name_program as &mut emit::Naming<'_>);
    let outcome = emit::write(&frozen, (&planned, &placed), &compressed, timed);
    drop(phase);
    let outputs = outcome?;
    if !is_told {
        telling::write(&frozen, &planned, &placed, &followed, timer)?;
    }
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
