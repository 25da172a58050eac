//! Inputs: files, section records, names.

pub mod text_script;
