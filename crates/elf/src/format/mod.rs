//! On-disk structures, and what is checked when they are decoded.

pub mod elf;
