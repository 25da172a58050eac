//! The parts of a linker that know no object format: the files that may be linked, archives and
//! their indexes, references and definitions by name. Also pieces of merged sections, spans of an
//! output, and the patterns, expressions and tokens of scripts and options.
//!
//! Files and names are bytes here; the crate of each object format defines sections and symbols.

pub mod archive;
pub mod archive_index;
pub mod byte_order;
pub mod candidates;
pub mod compressor;
pub mod crc32;
pub mod cursor;
mod deflate;
pub mod expr;
pub mod first_bytes;
pub mod glob;
pub mod glob_index;
pub mod ids;
pub mod indexed_names;
pub mod leb128;
pub mod lexer;
pub mod library_search;
pub mod name_pools;
pub mod name_references;
pub mod near_names;
pub mod numbering;
pub mod opened_archive;
pub mod option_row;
pub mod order;
pub mod packed;
pub mod pattern_set;
pub mod piece_owners;
pub mod pieces;
pub mod prefix_trie;
pub mod read_ahead;
pub mod refinement;
pub mod remap;
pub mod response;
pub mod root_directories;
pub mod sequence;
pub mod spans;
pub mod spelling;
pub mod string_table;
pub mod zero_runs;
