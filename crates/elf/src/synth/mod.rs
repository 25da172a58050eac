//! What the linker adds: one file per synthetic section.

pub mod gnu_hash;
pub mod relr;
pub mod string_table;
pub mod sysv_hash;
