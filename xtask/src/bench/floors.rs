//! What no linker can go below, measured beside them: copying the finished output to a new file,
//! and touching every page of the inputs.
//!
//! The output is copied by `cp`, which leaves the copying to the kernel where it can. The inputs
//! are mapped read-only and private, and one byte of each page is read, by as many threads as a
//! linker has; a page that is in the page cache costs a share of a fault and nothing else. A linker
//! that takes few members of large archives may stay below the second.

use crate::corpus::tools;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of a page.
const PAGE: usize = 4096;

/// A floor.
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

/// The command that touches `inputs`, whose paths are written to `list`.
///
/// # Errors
/// When the list cannot be written.
pub fn touch_command(
    inputs: &[PathBuf],
    list: &Path,
    threads: usize,
) -> Result<Vec<String>, String> {
    let lines: String = inputs.iter().map(|path| format!("{}\n", path.display())).collect();
    fs::write(list, lines).map_err(|e| format!("{}: {e}", list.display()))?;
    let own = std::env::current_exe().map_err(|e| format!("own path: {e}"))?;
    let (own, list) = (own.display().to_string(), list.display().to_string());
    Ok(vec![own, "bench".into(), "touched".into(), threads.to_string(), list])
}

/// The other side: `xtask bench touched THREADS LIST`.
///
/// # Errors
/// When an input cannot be opened.
pub fn touched(arguments: &[String]) -> Result<(), String> {
    let [threads, list] = arguments else {
        return Err("touched: expects a number of threads and a list of files".into());
    };
    let threads: usize = threads.parse().map_err(|e| format!("{threads}: {e}"))?;
    let list = fs::read_to_string(list).map_err(|e| format!("{list}: {e}"))?;
    let paths: Vec<_> = list.lines().map(Path::new).collect();
    let next = AtomicUsize::new(0);
    let worker = || -> Result<(), String> {
        while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            let input = skald_core::input::open(path).map_err(|e| e.to_string())?;
            black_box(touch(input.data));
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
        let own = worker();
        others.into_iter().map(|w| w.join().expect("no worker panics")).chain([own]).collect()
    })
}

/// Reads the first byte of each page; returns their sum.
fn touch(bytes: &[u8]) -> u64 {
    bytes.chunks(PAGE).map(|page| u64::from(page[0])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_byte_of_each_page_is_touched() {
        assert_eq!(touch(&[1; 2 * PAGE + 1]), 3);
        assert_eq!(touch(&[]), 0);
    }

    #[test]
    fn listed_files_are_touched() {
        let scratch = tempfile::tempdir().unwrap();
        let (input, list) = (scratch.path().join("a b.o"), scratch.path().join("list"));
        fs::write(&input, [7; 5 * PAGE]).unwrap();
        let line = touch_command(&[input, "/dev/null".into()], &list, 2).unwrap();
        assert_eq!(touched(&line[3..]), Ok(()));
        fs::write(&list, "/nowhere/x.o\n").unwrap();
        assert!(touched(&line[3..]).unwrap_err().contains("/nowhere/x.o"));
    }
}
