//! Which scripts differ, though they should not.

use super::widen;
use std::ops::Range;

/// The version of GNU ld that the scripts were compared with; others place some sections elsewhere.
pub const GNU_VERSION: &str = "2.40";
/// The scripts that are part of `cargo xtask test`: of plain ones and of those that have more.
pub const SEEDS: [Range<u64>; 2] = [0..400, widen::FIRST..widen::FIRST + 400];
/// Those that differ: thread-local storage in two memory regions, which GNU ld takes for one block
/// with offsets that no program can use (240, 289); a section of `:NONE` between those of a segment
/// (364). The last is a section of thread-local storage that takes other data, too.
pub const DIFFERENT: &[u64] = &[240, 289, 364, widen::FIRST + 112];
