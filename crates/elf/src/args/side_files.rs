//! The files that a link writes beside its output, each with the option that names it.

use super::Options;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// An option whose value is the name of a file that is written.
pub struct SideFile {
    /// The spelling that messages use.
    pub option: &'static str,
    value: fn(&Options) -> Option<&Path>,
}

macro_rules! side_files {
    ($($option:literal => $first:ident $(. $rest:ident)*,)*) => {
        [$(SideFile {
            option: $option,
            value: |options| options.$first $(.$rest)*.as_deref(),
        }),*]
    };
}

/// All options that name a file to be written, except the output.
pub const SIDE_FILES: [SideFile; 13] = side_files! {
    "--separate-debug-file" => separate_debug_file,
    "--out-implib" => out_implib,
    "--dwp" => dwp,
    "-Map" => map,
    "--dependency-file" => dependency_file,
    "--print-gc-sections" => reports.gc_sections_file,
    "--print-icf-sections" => reports.icf_sections_file,
    "--why-extract" => reports.why_extract,
    "--print-archive-stats" => reports.archive_stats,
    "--print-symbol-order" => reports.symbol_order,
    "--time-trace" => reports.time_trace,
    "--reproduce" => reports.reproduce,
    "--report" => reports.report,
};

/// The files to be written, with the options that name them.
pub fn side_files(options: &Options) -> Vec<(&'static str, &Path)> {
    SIDE_FILES.iter().filter_map(|file| Some((file.option, (file.value)(options)?))).collect()
}

/// The name of the output with `suffix` behind it.
pub fn beside_output(options: &Options, suffix: &str) -> PathBuf {
    let mut name: OsString = options.output.clone().into();
    name.push(suffix);
    name.into()
}

impl Options {
    /// Sets the output's name from a script, and that of the debug file if it is named after the
    /// output.
    pub fn name_output(&mut self, output: PathBuf) {
        self.output = output;
        self.name_debug_file();
    }

    /// Sets the name of the debug file if it is named after the output.
    pub(super) fn name_debug_file(&mut self) {
        if self.debug_file_beside_output {
            self.separate_debug_file = Some(beside_output(self, ".dbg"));
        }
    }

    /// An option that requires ELF output, if one is given and the output has another format.
    pub fn needs_elf(&self) -> Option<&'static str> {
        let needs = [
            (self.kind == super::OutputKind::Relocatable, "-r"),
            (self.separate_debug_file.is_some(), "--separate-debug-file"),
        ];
        needs.into_iter().find(|(is_asked, _)| *is_asked).map(|(_, option)| option)
    }
}
