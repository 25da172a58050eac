//! `cargo xtask touch THREADS LIST`: touches every page of the files in a list, mapped as the
//! linker maps them. This is the benchmark's floor, the time that no linker can go below.

use crate::Result;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of a page.
const PAGE: usize = 4096;

/// Runs the task.
///
/// # Errors
/// When an input cannot be opened.
pub fn run(words: &[String]) -> Result<()> {
    let [threads, list] = words else {
        return Err("expects a number of threads and a list of files".into());
    };
    let threads: usize = threads.parse().map_err(|e| format!("{threads}: {e}"))?;
    let list = fs::read_to_string(list).map_err(|e| format!("{list}: {e}"))?;
    let paths: Vec<_> = list.lines().map(Path::new).collect();
    let next = AtomicUsize::new(0);
    let worker = || -> Result<()> {
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
        let words = ["2".to_owned(), list.display().to_string()];
        fs::write(&list, format!("{}\n/dev/null\n", input.display())).unwrap();
        assert_eq!(run(&words), Ok(()));
        fs::write(&list, "/nowhere/x.o\n").unwrap();
        assert!(run(&words).unwrap_err().contains("/nowhere/x.o"));
    }
}
