//! The command line while it is being read: options so far, and input for those that are only known
//! at the end.
//!
//! Rows write to the [`Draft`]. [`super::settle`] turns it into [`Options`] once every word has
//! been seen, because some answers depend on words that come later (`-L=dir` on `--sysroot`, a
//! map's name on `-o`, what undefined symbols mean on `-shared`).

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::machine::Machine;
use skald_core::diag::{Error, Result};

use super::feature_words::Report;
use super::memory_limit::MemoryLimit;
use super::options::{GivenScript, Input, InputName, MriScript, Options};

/// The positional flags that apply to the inputs that follow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Position {
    /// `--as-needed`: DT_NEEDED only for libraries that are used.
    pub as_needed: bool,
    /// `--whole-archive`: all members of archives are taken.
    pub whole_archive: bool,
    /// `-Bstatic`: `-l` looks for archives only.
    pub search_static: bool,
    /// `--copy-dt-needed-entries`: libraries that a library needs resolve symbols, too.
    pub copies_needed: bool,
}

/// Questions about the linker that the command line asks.
#[derive(Debug, Clone, Default)]
pub struct Questions {
    /// `-v`: print the version, link on if there are inputs.
    pub version: bool,
    /// `-V`: `-v` with the emulations.
    pub emulations: bool,
    /// `--version`: print it and stop.
    pub version_only: bool,
    /// `--help`.
    pub help: bool,
    /// `--target-help`.
    pub target_help: bool,
    /// `--print-sysroot`.
    pub sysroot: bool,
    /// `--print-output-format`.
    pub output_format: bool,
    /// `--print-manual`.
    pub manual: bool,
    /// `--print-completion`, and for which shell.
    pub completion: Option<String>,
    /// `--print-setup`, and for which build.
    pub setup: Option<String>,
}

impl Questions {
    /// Whether a question ends the command line: only its answer is wanted.
    pub fn are_answered_at_once(&self) -> bool {
        let texts = self.help || self.target_help || self.manual || self.completion.is_some();
        let lines = self.setup.is_some();
        texts || lines || self.version_only || self.sysroot
    }
}

/// How undefined symbols are treated: one field for each group of options that matters.
#[derive(Debug, Clone, Copy, Default)]
pub struct UndefinedRules {
    /// Undefined symbols of objects are reported, or not; `None` if no option says.
    pub report_in_objects: Option<bool>,
    /// Undefined symbols of shared libraries are reported, or not; `None` if no option says.
    pub report_in_shared: Option<bool>,
    /// Unresolved symbols are reported as warnings.
    pub warn: bool,
}

/// The command line while it is being read.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// The options that words so far have set.
    pub options: Options,
    /// The flags that the next input gets.
    pub position: Position,
    /// The flags that `--push-state` saved, the latest last.
    pub saved_positions: Vec<Position>,
    /// How many `--start-group` have no `--end-group` so far.
    pub open_groups: u32,
    /// Between `--start-lib` and `--end-lib`.
    pub in_lib: bool,
    /// [`Input::group`] of the last input.
    pub group: u32,
    /// `-b binary` is in force.
    pub binary: bool,
    /// The machine whose format the last `--oformat` names, and that name.
    pub format_of: Option<(&'static Machine, String)>,
    /// `-shared` was the last of `-shared` and `-pie`.
    pub shared: bool,
    /// `-pie` was the last of `-shared`, `-pie` and `-no-pie`.
    pub pie: bool,
    /// `-r`.
    pub relocatable: bool,
    /// `-L` arguments as typed.
    pub library_paths: Vec<PathBuf>,
    /// `-Y`: directories that replace the built-in library directories.
    pub standard_paths: Option<PathBuf>,
    /// `-rpath` was given, perhaps empty: `LD_RUN_PATH` is ignored.
    pub rpath_given: bool,
    /// `--demangle` was given: `COLLECT_NO_DEMANGLE` is ignored.
    pub demangle_given: bool,
    /// `--relro` or `--no-relro`; `None` if neither is given.
    pub relro: Option<bool>,
    /// How options want undefined symbols treated.
    pub undefined: UndefinedRules,
    /// `-M`: a map on standard output.
    pub print_map: bool,
    /// `--memory-limit`; without it the environment counts.
    pub memory_limit: Option<MemoryLimit>,
    /// `--repro`: `--reproduce` with a name made from the output's.
    pub reproduce_beside_output: bool,
    /// `--time-trace` without a file name.
    pub time_trace_beside_output: bool,
    /// Why the last `--build-id` has no effect.
    pub unknown_build_id: Option<String>,
    /// `--android-memtag-mode` was given.
    pub android_mode_given: bool,
    /// Options for tagged memory that do nothing without [`Draft::android_mode_given`].
    pub android_memory: Vec<&'static str>,
    /// Questions to answer before the link.
    pub questions: Questions,
    /// Texts of warnings about the command line.
    pub warnings: Vec<String>,
}

impl Draft {
    /// An empty command line with the defaults of a native x86-64 Linux linker.
    pub fn new() -> Draft {
        let options = Options {
            output: PathBuf::from("a.out"),
            init: "_init".to_owned(),
            fini: "_fini".to_owned(),
            new_dtags: true,
            demangle: true,
            demangle_lists: false,
            error_limit: 20,
            optimize: 1,
            linker_version: true,
            gdb_index_version: 8,
            ..Options::default()
        };
        Draft { options, ..Draft::default() }
    }

    /// Adds an input with the flags in force.
    pub fn input(&mut self, what: InputName) {
        let input = self.describe(what);
        self.options.inputs.push(input);
    }

    /// Adds an input of which only the symbols are wanted.
    pub fn just_symbols(&mut self, path: PathBuf) {
        let input = self.describe(InputName::Path(path));
        self.options.inputs.push(Input { just_symbols: true, lazy: false, ..input });
    }

    /// Adds a script of `-c` whose inputs have the flags in force.
    pub fn mri_script(&mut self, path: PathBuf) {
        let input = self.describe(InputName::Path(path.clone()));
        let position = self.options.inputs.len();
        self.options.mri_scripts.push(MriScript { path, input, position });
    }

    /// Adds a script of `-T` whose inputs have the flags in force.
    pub fn script(&mut self, path: PathBuf) {
        let input = self.describe(InputName::Path(path.clone()));
        let position = self.options.inputs.len();
        self.options.scripts.push(GivenScript { path, input, position });
    }

    fn describe(&mut self, what: InputName) -> Input {
        let Position { as_needed, whole_archive, search_static, copies_needed } = self.position;
        let (lazy, binary) = (self.in_lib, self.binary);
        self.next_group();
        Input {
            what,
            as_needed,
            whole_archive,
            search_static,
            lazy,
            binary,
            just_symbols: false,
            group: self.group,
            copies_needed,
            needed_as: None,
        }
    }

    /// Begins another [`Input::group`], unless a group is open.
    fn next_group(&mut self) {
        self.group += u32::from(!self.in_lib && self.open_groups == 0);
    }

    /// `--start-lib`: the inputs that follow are taken like members of an archive.
    pub fn start_lib(&mut self) {
        self.next_group();
        self.in_lib = true;
    }

    /// `--start-group`: the archives that follow are searched together.
    pub fn start_group(&mut self) {
        self.next_group();
        self.open_groups = self.open_groups.saturating_add(1);
    }

    /// Adds an entry to DT_RUNPATH unless it is there already.
    pub fn rpath(&mut self, entry: &str) {
        self.rpath_given = true;
        append_path(&mut self.options.rpath, entry);
    }

    /// `--end-group`.
    pub fn end_group(&mut self, option: &str) -> Result<()> {
        let open = self.open_groups.checked_sub(1);
        self.open_groups = open.ok_or_else(|| Error(format!("{option} without --start-group")))?;
        Ok(())
    }

    /// `--end-lib`.
    pub fn end_lib(&mut self, option: &str) -> Result<()> {
        if !std::mem::take(&mut self.in_lib) {
            return Err(Error(format!("{option} without --start-lib")));
        }
        Ok(())
    }

    /// `--pop-state`.
    pub fn pop_state(&mut self, option: &str) -> Result<()> {
        let saved = self.saved_positions.pop();
        self.position = saved.ok_or_else(|| Error(format!("{option} without --push-state")))?;
        Ok(())
    }

    /// How a missing property is reported (`-z cet-report=WORD` and the like).
    pub fn report(word: &str) -> Report {
        match word {
            "warning" => Report::Warning,
            "error" => Report::Error,
            _ => Report::None,
        }
    }
}

/// Appends `entry` to a `:`-separated list unless it is there already, also as a part of a longer
/// entry, as GNU ld compares.
pub fn append_path(list: &mut String, entry: &str) {
    if format!(":{list}:").contains(&format!(":{entry}:")) {
        return;
    }
    if !list.is_empty() {
        list.push(':');
    }
    list.push_str(entry);
}

/// Splits a `:`-separated list of directories.
pub fn split_paths(list: &OsStr) -> impl Iterator<Item = PathBuf> {
    use skald_host::paths::{OsStrBytes, OsStringBytes};
    let entries = list.as_bytes().split(|&byte| byte == b':').filter(|entry| !entry.is_empty());
    entries
        .map(|entry| PathBuf::from(OsString::from_vec(entry.to_vec())))
        .collect::<Vec<_>>()
        .into_iter()
}

/// The warning about an unknown word of `-z`, as it was typed.
pub fn unknown_keyword(typed: &str) -> String {
    format!("unknown command line option: {typed}")
}
