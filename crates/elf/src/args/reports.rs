//! What a link is asked to tell: reports, traces and warnings. Part of [`Options`].
//!
//! [`Options`]: super::Options

use std::ffi::OsString;
use std::path::PathBuf;

/// Reports written to files or standard output, and warnings that are off or on by choice.
#[derive(Debug, Clone, Default)]
pub struct Reports {
    /// `--cref`: the cross reference table, in the map if there is one.
    pub cref: bool,
    /// `--no-print-map-discarded`: leave discarded sections out of the map.
    pub no_map_discarded: bool,
    /// `--verbose`.
    pub verbose: bool,
    /// `--stats`: counts and memory after the link.
    pub stats: bool,
    /// `--print-memory-usage`.
    pub memory_usage: bool,
    /// `--print-dependencies`: which file uses which.
    pub dependencies: bool,
    /// `--print-gc-sections=FILE`; `None` for standard error.
    pub gc_sections_file: Option<PathBuf>,
    /// `--print-icf-sections`.
    pub icf_sections: bool,
    /// `--print-icf-sections=FILE`; `None` for standard output.
    pub icf_sections_file: Option<PathBuf>,
    /// `--why-live` patterns.
    pub why_live: Vec<String>,
    /// `--why-extract`; `-` for standard output.
    pub why_extract: Option<PathBuf>,
    /// `--print-archive-stats`; `-` for standard output.
    pub archive_stats: Option<PathBuf>,
    /// `--print-symbol-order`.
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
    /// `--reproduce` wants them.
    pub words: Vec<OsString>,
    /// `--error-handling-script`.
    pub error_handling_script: Option<PathBuf>,
    /// `--vs-diagnostics`: `FILE(LINE): error:` messages.
    pub visual_studio: bool,

    /// `--warn-backrefs`.
    pub warn_backrefs: bool,
    /// `--warn-backrefs-exclude` patterns.
    pub warn_backrefs_exclude: Vec<String>,
    /// `--[no-]warn-symbol-ordering` (default on): names of an ordering file that are not found.
    pub no_warn_symbol_ordering: bool,
    /// `--warn-ifunc-textrel`.
    pub warn_ifunc_textrel: bool,
    /// `--warn-textrel`.
    pub warn_textrel: bool,
    /// `--warn-shared-textrel`: as `--warn-textrel`, for shared libraries only.
    pub warn_shared_textrel: bool,
    /// `--[no-]warn-execstack`; `None` when not given.
    pub warn_execstack: Option<bool>,
    /// `--error-execstack`.
    pub error_execstack: bool,
    /// `--[no-]warn-rwx-segments`; `None` when not given.
    pub warn_rwx_segments: Option<bool>,
    /// `--error-rwx-segments`.
    pub error_rwx_segments: bool,
    /// `--warn-section-align`.
    pub warn_section_align: bool,
    /// `--no-warn-search-mismatch`: the same for libraries found by `-l`.
    pub no_warn_search_mismatch: bool,
    /// `--no-check-sections`: overlapping sections are no error.
    pub no_check_sections: bool,
    /// `--detect-odr-violations`.
    pub odr_violations: bool,
}
