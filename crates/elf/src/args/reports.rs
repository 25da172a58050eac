//! The reports, traces and warnings that options ask for. Part of [`Options`].
//!
//! [`Options`]: super::Options

use std::ffi::OsString;
use std::path::PathBuf;

/// Reports that the link writes, and warnings that options turn on or off.
#[derive(Debug, Clone, Default)]
pub struct Reports {
    /// `--cref`: the cross reference table, in the map if there is one.
    pub cref: bool,
    /// `--no-print-map-discarded`: leave discarded sections out of the map.
    pub no_map_discarded: bool,
    /// `--verbose`: prints the steps of the link.
    pub verbose: bool,
    /// `--stats`: counts and memory after the link.
    pub stats: bool,
    /// `--print-memory-usage`: the used part of each region of a script's MEMORY.
    pub memory_usage: bool,
    /// `--print-dependencies`: which file uses which.
    pub dependencies: bool,
    /// `--print-gc-sections=FILE`; `None` for standard error.
    pub gc_sections_file: Option<PathBuf>,
    /// `--print-icf-sections`: sections that are folded, and into which.
    pub icf_sections: bool,
    /// `--print-icf-sections=FILE`; `None` for standard output.
    pub icf_sections_file: Option<PathBuf>,
    /// `--why-live` patterns: symbols for which the chain from a root is printed.
    pub why_live: Vec<String>,
    /// `--why-extract`: why archive members were taken; `-` for standard output.
    pub why_extract: Option<PathBuf>,
    /// `--print-archive-stats`: how many members of each archive were taken; `-` for standard
    /// output.
    pub archive_stats: Option<PathBuf>,
    /// `--print-symbol-order`: the order of functions that a call graph gives.
    pub symbol_order: Option<PathBuf>,
    /// `--time-trace`: a Chrome trace of the stages.
    pub time_trace: Option<PathBuf>,
    /// `--time-trace-granularity`, in microseconds.
    pub time_trace_granularity: Option<u64>,
    /// `--report`: a picture of the link, as a page (`.html`) or as data (`.json`).
    pub report: Option<PathBuf>,
    /// `--reproduce`: a tar file of the inputs and the command line.
    pub reproduce: Option<PathBuf>,
    /// The words of the command line, program name excluded and response files expanded, if
    /// `--reproduce` is given.
    pub words: Vec<OsString>,
    /// `--error-handling-script`: a command that is run for each missing symbol and library.
    pub error_handling_script: Option<PathBuf>,
    /// `--vs-diagnostics`: `FILE(LINE): error:` messages.
    pub visual_studio: bool,

    /// `--warn-backrefs`: references to an archive that stands before the referring file.
    pub warn_backrefs: bool,
    /// `--warn-backrefs-exclude`: patterns of archives for which that is not reported.
    pub warn_backrefs_exclude: Vec<String>,
    /// `--[no-]warn-symbol-ordering` (default on): names of an ordering file that are not found.
    pub no_warn_symbol_ordering: bool,
    /// `--warn-ifunc-textrel`: IFUNCs in an output with text relocations.
    pub warn_ifunc_textrel: bool,
    /// `--warn-textrel`: relocations that the loader applies to read-only sections.
    pub warn_textrel: bool,
    /// `--warn-shared-textrel`: as `--warn-textrel`, for shared libraries only.
    pub warn_shared_textrel: bool,
    /// `--[no-]warn-execstack`; `None` when not given.
    pub warn_execstack: Option<bool>,
    /// `--error-execstack`: the warning of [`Reports::warn_execstack`] is an error.
    pub error_execstack: bool,
    /// `--[no-]warn-rwx-segments`; `None` when not given.
    pub warn_rwx_segments: Option<bool>,
    /// `--error-rwx-segments`: the warning of [`Reports::warn_rwx_segments`] is an error.
    pub error_rwx_segments: bool,
    /// `--warn-section-align`: sections whose start is moved by their alignment.
    pub warn_section_align: bool,
    /// `--no-warn-search-mismatch`: `-l` skips files for another machine silently.
    pub no_warn_search_mismatch: bool,
    /// `--no-check-sections`: overlapping sections are no error.
    pub no_check_sections: bool,
    /// `--detect-odr-violations`: C++ functions of one name from different source lines.
    pub odr_violations: bool,
}
