//! Writes the output: it is cut into spans, which are written front to back.
//!
//! [`parts`] lists the parts of the file in order of file offset. [`skald_linking::spans`] groups
//! parts into spans of 256 KiB, which workers build in their own buffers. [`content`] fills one
//! part.

pub mod compress;
pub mod compression_header;
pub mod content;
mod copied_run;
pub mod debug_file;
pub mod debug_index;
pub mod debug_inputs;
pub mod dedup;
pub mod elf_file;
pub mod entry;
pub mod headers;
pub mod image_content;
pub mod image_file;
pub mod image_format;
pub mod import_library;
pub mod input_order;
pub mod inputs;
pub mod package;
pub mod parts;
pub mod reloc_table;
pub mod unpack;
