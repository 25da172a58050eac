//! Which scripts differ, though they should not.

/// The version of GNU ld that the scripts were compared with; others place some sections elsewhere.
pub const GNU_VERSION: &str = "2.40";
/// So many scripts are part of `cargo xtask test`.
pub const SEEDS: u64 = 400;
/// Those that differ: overlays behind others, sections of gaps and alignment alone, thread-local
/// storage in several memory regions, file names in patterns with common symbols, notes beside
/// statements that orphans join, empty sections in segments, sections without memory amid others.
pub const DIFFERENT: &[u64] = &[
    18, 20, 22, 31, 42, 77, 88, 97, 103, 104, 113, 116, 118, 130, 165, 187, 191, 210, 217, 218,
    238, 240, 264, 277, 282, 289, 290, 291, 306, 324, 326, 328, 333, 342, 354, 355, 357, 364, 370,
];
