//! Which scripts differ, though they should not.

/// The version of GNU ld that the scripts were compared with; others place some sections elsewhere.
pub const GNU_VERSION: &str = "2.40";
/// So many scripts are part of `cargo xtask test`.
pub const SEEDS: u64 = 400;
/// Those that differ: what stands in a region behind others or overlays it, thread-local storage
/// in several memory regions, SIZEOF_HEADERS that only a symbol asks for which nothing needs,
/// patterns that match what an earlier statement took (relro), sections whose constraint does not
/// hold and of which an expression asks for the address.
pub const DIFFERENT: &[u64] = &[18, 22, 130, 191, 218, 240, 282, 289, 324, 364, 370];
