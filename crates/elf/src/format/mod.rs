//! On-disk structures.

pub mod crel;
pub mod cursor;
pub mod eh_frame;
