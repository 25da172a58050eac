//! x86-64: relocations, relaxations and PLTs (x86-64 psABI).

pub mod howto;
pub mod names;
