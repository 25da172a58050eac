//! Program headers of a layout by a script, and the places in the file.

pub mod segments;
