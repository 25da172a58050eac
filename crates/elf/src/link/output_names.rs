//! Gives the files that are written their names: until then they have temporary ones.
//!
//! A link has one moment for that, at its end, when all of its files are whole. A program that has
//! a debug file beside it gets its name before: it can be used while that is written.

use crate::args::Options;
use crate::check::written_files;
use crate::tell::reproduction::Reproduction;
use crate::write::image_file;
use skald_core::diag::{Diag, Failed, WHOLE_LINK};
use skald_core::memory_limit;
use skald_core::output::Output;
use skald_core::time::Timer;

/// Gives the files that are written their names.
pub(super) struct OutputNames<'a> {
    options: &'a Options,
    diag: &'a Diag,
    timer: &'a Timer,
    reproduction: Option<Reproduction>,
    is_program_named: bool,
}

impl<'a> OutputNames<'a> {
    /// Nothing has its name yet; `reproduction` is the archive of `--reproduce`.
    pub(super) fn new(
        options: &'a Options,
        reproduction: Option<Reproduction>,
        diag: &'a Diag,
        timer: &'a Timer,
    ) -> OutputNames<'a> {
        OutputNames { options, diag, timer, reproduction, is_program_named: false }
    }

    /// Completes the reproduction archive, before the output gets its name; it exists even without
    /// output.
    pub(super) fn reproduce(&mut self) -> Result<(), Failed> {
        if let Some(reproduction) = self.reproduction.take() {
            reproduction.finish(self.diag);
        }
        self.diag.checkpoint()
    }

    /// Names all files up to the program, before others are written.
    pub(super) fn name_program(&mut self, outputs: Vec<Output>) -> Result<(), Failed> {
        if written_files::has_changed_inputs() {
            // They are reported when the link ends.
            return Err(Failed);
        }
        self.reproduce()?;
        self.is_program_named = true;
        self.name(outputs, true)
    }

    /// Names the files that have no name yet.
    pub(super) fn name_last(&mut self, outputs: Vec<Output>) -> Result<(), Failed> {
        // Nothing ends the process between the first name and the last one.
        memory_limit::end();
        self.name(outputs, !self.is_program_named)
    }

    fn name(&self, outputs: Vec<Output>, with_program: bool) -> Result<(), Failed> {
        let OutputNames { options, diag, timer, .. } = self;
        let _phase = timer.phase("commit");
        // Files beside the program get their names before it; scripts may have named the program.
        let program = outputs.last().map(|output| output.path().to_owned());
        for output in outputs {
            output.commit().unwrap_or_else(|error| diag.error(WHOLE_LINK, error.0));
            diag.checkpoint()?;
        }
        if let Some(program) = program.filter(|_| with_program) {
            let copied = image_file::write_exe(options, &program);
            copied.unwrap_or_else(|error| diag.error(WHOLE_LINK, error.0));
        }
        diag.checkpoint()
    }
}
