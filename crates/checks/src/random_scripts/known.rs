//! The seeds of the scripts that differ although they should not.

use super::widen;
use std::ops::Range;

/// The version of GNU ld that the scripts were compared with; other versions place some sections
/// elsewhere.
pub const GNU_VERSION: &str = "2.40";
/// The seeds that `cargo xtask test` links: plain scripts, and widened ones ([`widen`]).
pub const SEEDS: [Range<u64>; 2] = [0..400, widen::FIRST..widen::FIRST + 400];
/// Those that differ, on every machine: a section with `:NONE` between the sections of a segment
/// (364), and a thread-local section that takes other data, too.
pub const DIFFERENT: &[u64] = &[364, widen::FIRST + 112];
