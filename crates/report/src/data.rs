//! The report as columns. `docs/report.md` explains each column under the same name.

use skald_core::time::Span;
use std::time::Duration;

/// A row number that stands for no row.
pub const NONE: u32 = u32::MAX;

/// All tables of a report. Names in backticks are keys of the JSON, explained in `docs/report.md`.
#[derive(Debug, Default)]
pub struct Report {
    /// `output`.
    pub output: Output,
    /// `output_sections`.
    pub output_sections: Vec<OutputRow>,
    /// `libraries`.
    pub libraries: Vec<Library>,
    /// `objects`.
    pub objects: Vec<Object>,
    /// `section_names`; a trailing NUL stands for the name of the section's first symbol.
    pub section_names: Vec<Vec<u8>>,
    /// `sections`.
    pub sections: Vec<Section>,
    /// `symbols`, in parts.
    pub symbols: Vec<Vec<Symbol>>,
    /// `references`, in parts.
    pub references: Vec<ReferenceLists>,
    /// `roots`: section and reason.
    pub roots: Vec<(u32, &'static str)>,
    /// `needed`.
    pub needed: Vec<Needed>,
    /// `imports`: name and row of `needed`, or [`NONE`].
    pub imports: Vec<(&'static [u8], u32)>,
    /// `removed`.
    pub removed: Vec<Removed>,
    /// `folded`, with the kept section for each.
    pub folded: Vec<(Removed, u32)>,
    /// `merged`: section and its bytes in the input.
    pub merged: Vec<(u32, u64)>,
    /// `timeline`.
    pub timeline: Vec<Span>,
    /// Time from the start until the report was made.
    pub elapsed: Duration,
}

/// The output as a whole.
#[derive(Debug, Default)]
pub struct Output {
    /// Path of the output.
    pub path: String,
    /// The kind of output, in words.
    pub kind: &'static str,
    /// Size of the file in bytes.
    pub file_size: u64,
    /// `--gc-sections`.
    pub collects_garbage: bool,
    /// `--icf`.
    pub folds: bool,
}

/// A section of the output.
#[derive(Debug)]
pub struct OutputRow {
    /// Name of the output section.
    pub name: Vec<u8>,
    /// Address; 0 if it is not loaded.
    pub address: u64,
    /// Bytes in memory, or in the file.
    pub size: u64,
    /// The section has bytes in the file.
    pub in_file: bool,
    /// The section is in memory when the program runs.
    pub is_loaded: bool,
    /// The linker creates the section.
    pub is_made: bool,
}

/// Where objects come from.
#[derive(Debug, PartialEq, Eq, Hash, Clone)]
pub struct Library {
    /// Path of the archive or directory.
    pub name: String,
    /// An archive, or a directory.
    pub is_archive: bool,
}

/// An object that takes part.
#[derive(Debug)]
pub struct Object {
    /// Name of the member, or of the file in its directory.
    pub name: String,
    /// Row of `libraries`.
    pub library: u32,
    /// Number of sections (of COMDAT groups) that are discarded because another object provides
    /// them, too.
    pub duplicate_sections: u32,
    /// Bytes of the duplicate sections.
    pub duplicate_bytes: u64,
}

/// A section of an object that is in the output.
#[derive(Debug)]
pub struct Section {
    /// Row of `section_names`.
    pub name: u32,
    /// Row of `objects`, or [`NONE`] for sections that the linker adds.
    pub object: u32,
    /// Row of `output_sections`.
    pub output: u32,
    /// Offset in that output section.
    pub output_offset: u64,
    /// Size in the output, in bytes.
    pub size: u64,
}

/// A symbol defined in a section.
#[derive(Debug)]
pub struct Symbol {
    /// Name in `.strtab`.
    pub name: &'static [u8],
    /// Row of `sections`.
    pub section: u32,
    /// Offset from the start of the section.
    pub section_offset: u64,
    /// `st_size`.
    pub size: u64,
    /// Kind of symbol: a letter that `docs/report.md` explains.
    pub kind: u8,
}

/// References of consecutive rows of `sections`, one section after the other.
#[derive(Debug, Default)]
pub struct ReferenceLists {
    /// Row of the first of these sections.
    pub first: u32,
    /// How many references each of the sections has.
    pub counts: Vec<u32>,
    /// Rows that are referred to: rows of `sections`, or numbers beyond its last row for rows of
    /// `imports`.
    pub targets: Vec<u32>,
}

/// A shared library of the command line.
#[derive(Debug)]
pub struct Needed {
    /// DT_SONAME.
    pub name: Vec<u8>,
    /// Path of the file.
    pub path: String,
    /// The output has a DT_NEEDED entry for it.
    pub is_needed: bool,
    /// `--as-needed`.
    pub as_needed: bool,
}

/// A section that is not in the output.
#[derive(Debug)]
pub struct Removed {
    /// Name of the section.
    pub name: &'static [u8],
    /// Row of `objects`.
    pub object: u32,
    /// Size in the input, in bytes.
    pub size: u64,
}
