//! Options that are passed to a compiler plugin. Part of [`Options`].
//!
//! [`Options`]: super::Options

use std::path::PathBuf;

/// The compiler plugin and its options. Every `--lto-…`, `--thinlto-…` and `--opt-remarks-…` is
/// entered as the `-plugin-opt` that LLVM's plugin takes for it, so that there is one list.
#[derive(Debug, Clone, Default)]
pub struct Lto {
    /// `-plugin`: path of the plugin; the last one given.
    pub plugin: Option<PathBuf>,
    /// `-plugin-opt`: options of the plugin, in order.
    pub plugin_options: Vec<String>,
    /// `-mllvm`: options of LLVM, in order.
    pub llvm_options: Vec<String>,
    /// `--fat-lto-objects`: use the bitcode of objects that hold both.
    pub fat_objects: bool,
}
