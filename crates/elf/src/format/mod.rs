//! Structures of files, with the checks that are made when they are decoded.

pub mod compressed;
pub mod crel;
pub mod eh_frame;
pub mod elf;
pub mod encoding;
pub mod fields;
pub mod gnu_hash;
pub mod profile;
pub mod sframe;
