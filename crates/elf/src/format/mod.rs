//! On-disk structures, and what is checked when they are decoded.

pub mod archive;
pub mod archive_index;
pub mod compressed;
pub mod crel;
pub mod cursor;
pub mod eh_frame;
pub mod elf;
pub mod gnu_hash;
pub mod profile;
pub mod sframe;
