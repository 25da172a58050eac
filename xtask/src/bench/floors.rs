//! Lower bounds for all linkers, measured beside them: copying the finished output to a new file,
//! and touching every page of the inputs.
//!
//! The output is copied by `cp`, which leaves the copying to the kernel where it can. The inputs
//! are mapped read-only and private, and one byte of each page is read, by as many threads as a
//! linker has; a page that is in the page cache costs a share of a fault and nothing else. A linker
//! that extracts few members of large archives may take less time than the second one.

use crate::corpus::tools;
use crate::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Something that no linker can be faster than.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Floor {
    /// Copying an output to a new file beside it.
    CopyOutput,
    /// Mapping the inputs and reading a byte of each page.
    TouchInputs,
}

impl Floor {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::CopyOutput, Self::TouchInputs];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::CopyOutput => "cp output",
            Self::TouchInputs => "touch inputs",
        }
    }
}

/// The command that copies `output` to `copy`, byte by byte even where blocks could be shared.
///
/// # Errors
/// When there is no `cp`.
pub fn copy_command(output: &Path, copy: &Path) -> Result<Vec<String>, String> {
    let cp = tools::first_of(&["cp"])?;
    let words = [&cp, Path::new("--reflink=never"), output, copy];
    Ok(words.map(|word| word.display().to_string()).into())
}

/// The command of `checks` that touches inputs.
pub const TOUCH: &str = "touch";

/// The command that touches `inputs`, whose paths are written to `list`.
///
/// # Errors
/// When the list cannot be written, or the program that touches them cannot be built.
pub fn touch_command(
    inputs: &[PathBuf],
    list: &Path,
    threads: usize,
) -> Result<Vec<String>, String> {
    let lines: String = inputs.iter().map(|path| format!("{}\n", path.display())).collect();
    fs::write(list, lines).map_err(|e| format!("{}: {e}", list.display()))?;
    static CHECKS: LazyLock<Result<PathBuf, String>> = LazyLock::new(root::checks);
    let program = CHECKS.clone()?.display().to_string();
    Ok(vec![program, TOUCH.into(), threads.to_string(), list.display().to_string()])
}
