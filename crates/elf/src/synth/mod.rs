//! What the linker adds: one file per synthetic section.

pub mod build_id;
pub mod eh_frame_hdr;
pub mod gnu_hash;
pub mod package_note;
pub mod property_note;
pub mod relr;
pub mod string_table;
pub mod sysv_hash;
pub mod versions;
