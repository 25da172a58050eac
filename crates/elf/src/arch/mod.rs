//! Machines: one folder each behind a plain [`Target`].

pub mod x86_64;
