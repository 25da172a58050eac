//! Selects the input bytes that reach the output: liveness, what relocations need, exception
//! frames, merged pieces, and equal sections.

pub mod copies;
pub mod debug_strings;
pub mod eh_frame;
pub mod fall_through;
pub mod fault;
pub mod fold;
pub mod group_rings;
pub mod liveness;
pub mod marker;
pub mod merge;
pub mod references;
pub mod release;
pub mod roots;
pub mod scan;
pub mod scan_columns;
pub mod selected;
pub mod shrinkable;
pub mod tagged_globals;
pub mod tail_merge;
pub mod undefined_weak;
pub mod used_symbols;
