//! Reads the inputs: files, section records, names.
//!
//! Ids follow the command line, never the order in which files happened to be read.

pub mod binary_file;
pub mod candidates;
pub mod claimed_files;
mod compressed_sections;
pub mod dependent_libraries;
pub mod descriptors;
pub mod identify;
pub mod implicit_addends;
pub mod just_symbols;
pub mod lending;
mod line_units;
mod link_size;
pub mod made_object;
pub mod mapped_object;
pub(crate) mod mri;
pub mod mri_layout;
pub mod mri_script;
mod numbering;
pub mod object_file;
pub mod open;
pub mod rel_in_place;
pub mod relocation_sections;
pub mod script_directories;
pub mod script_options;
pub mod section_records;
pub mod section_table;
pub mod shared_file;
mod statement_files;
pub mod symbol_checks;
#[cfg(test)]
mod tests;

use crate::args::{Options, Strip};
use crate::format::elf::{Sym, SymbolId};
use skald_core::id;
use skald_core::ids::IdSlice;
use skald_core::input::InputFile;

pub use skald_linking::ids::{ArchiveId, FileId, LibraryId, ObjectId};

pub use object_file::{InputSection, ObjectFile, SectionFlags};
pub use shared_file::SharedFile;

id! {
    /// A section record by its index among the records of its object.
    RecordId
}

id! {
    /// A frame description entry (DWARF 5, 6.4.1), in the order of the inputs.
    FrameId
}

/// The symbol table of a file.
pub type Symbols = IdSlice<SymbolId, Sym>;

/// All linked objects, by id.
pub type Objects = IdSlice<ObjectId, ObjectFile>;

/// All shared objects of the link, by id.
pub type Libraries = IdSlice<LibraryId, SharedFile>;

/// Whether the system should read `file` ahead.
fn is_read_ahead(options: &Options, file: &InputFile) -> bool {
    // If debug information is stripped, most bytes of objects may never be read.
    let may_choose = options.strip == Strip::None;
    options.prefetch.unwrap_or(may_choose && file.is_cold())
}
