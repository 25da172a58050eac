//! What is meant for a compiler plugin. Part of [`Options`].
//!
//! [`Options`]: super::Options

use std::path::PathBuf;

/// The plugin and what it is told. Everything that is spelled `--lto-…`, `--thinlto-…` or
/// `--opt-remarks-…` is the `-plugin-opt` that LLVM's plugin takes for it, so that there is one
/// list.
#[derive(Debug, Clone, Default)]
pub struct Lto {
    /// `-plugin`: the last one given.
    pub plugin: Option<PathBuf>,
    /// `-plugin-opt` texts in order.
    pub plugin_options: Vec<String>,
    /// `-mllvm` texts in order.
    pub llvm_options: Vec<String>,
    /// `--fat-lto-objects`: use the bitcode of objects that hold both.
    pub fat_objects: bool,
}
