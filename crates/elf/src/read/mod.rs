//! Inputs: files, section records, names.
