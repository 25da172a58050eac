//! Machines: one folder each. There is one so far, and stages call it by its name.

pub mod x86_64;
