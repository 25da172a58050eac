//! Renames the output files from their temporary names to their own.
//!
//! That happens once, at the end of the link, when all files are complete. A program that has a
//! separate debug file is renamed before that file is written, so that it can be used meanwhile.

use crate::args::Options;
use crate::check::written_files;
use crate::tell::reproduction::Reproduction;
use crate::write::image_file;
use skald_core::diag::{Diag, Failed, WHOLE_LINK};
use skald_core::memory_limit;
use skald_core::output::Output;
use skald_core::time::Timer;

/// The files that are still to be renamed.
pub(super) struct OutputNames<'a> {
    options: &'a Options,
    diag: &'a Diag,
    timer: &'a Timer,
    reproduction: Option<Reproduction>,
    is_program_named: bool,
}

impl<'a> OutputNames<'a> {
    /// No file has its name yet; `reproduction` is the archive of `--reproduce`.
    pub(super) fn new(
        options: &'a Options,
        reproduction: Option<Reproduction>,
        diag: &'a Diag,
        timer: &'a Timer,
    ) -> OutputNames<'a> {
        OutputNames { options, diag, timer, reproduction, is_program_named: false }
    }

    /// Completes the reproduction archive, before the output gets its name; there is an archive
    /// even without an output.
    pub(super) fn reproduce(&mut self) -> Result<(), Failed> {
        if let Some(reproduction) = self.reproduction.take() {
            reproduction.finish(self.diag);
        }
        self.diag.checkpoint()
    }

    /// Names all files up to the program, before others are written.
    pub(super) fn name_program(&mut self, outputs: Vec<Output>) -> Result<(), Failed> {
        if written_files::has_changed_inputs() {
            // Errors of renaming are reported when the link ends.
            return Err(Failed);
        }
        self.reproduce()?;
        self.is_program_named = true;
        self.name(outputs, true)
    }

    /// Names the files that have no name yet.
    pub(super) fn name_last(&mut self, outputs: Vec<Output>) -> Result<(), Failed> {
        // A memory limit must not end the process between the first rename and the last.
        memory_limit::end();
        self.name(outputs, !self.is_program_named)
    }

    fn name(&self, outputs: Vec<Output>, with_program: bool) -> Result<(), Failed> {
        let OutputNames { options, diag, timer, .. } = self;
        let _phase = timer.phase("commit");
        // Side files are renamed before the program: scripts may wait for the program's name.
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
