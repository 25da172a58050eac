//! The promise that the output depends on inputs and options alone: our output for several
//! numbers of threads must be the same to the byte.

use super::linkers::Linker;
use super::measure::measure;
use super::options::Options;
use super::rounds::command;
use crate::corpus::Workload;
use crate::scratch::Scratch;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

const THREADS: [usize; 4] = [1, 2, 3, 8];

/// Links with each number of threads and compares with the output for one.
///
/// # Errors
/// The first number of threads whose output differs, and at which byte; or a link that failed.
pub fn check(workload: &Workload, linker: &Linker, options: &Options) -> Result<(), String> {
    let scratch = Scratch::within(&options.places[0], "skald-identity-")?;
    // The path of the output may be part of the output (`.gnu_debuglink`, say), so all links write
    // the same path, and the first output is renamed.
    let output = scratch.path().join("out");
    let reference = scratch.path().join("reference");
    for threads in THREADS {
        let line = command(linker, workload, threads, &output);
        let log = scratch.path().join("log");
        measure(&line, &workload.path(&options.cache), Some(&output), &log)
            .map_err(|e| format!("--threads={threads}: {e}"))?;
        if threads == THREADS[0] {
            std::fs::rename(&output, &reference).map_err(|e| format!("output: {e}"))?;
        } else if let Some(offset) = first_difference(&reference, &output)? {
            return Err(format!("--threads={threads} differs at byte {offset:#x}"));
        }
    }
    Ok(())
}

/// The offset of the first byte that differs, if one does.
fn first_difference(a: &Path, b: &Path) -> Result<Option<u64>, String> {
    let open = |path: &Path| File::open(path).map_err(|e| format!("{}: {e}", path.display()));
    let (mut a, mut b) = (BufReader::new(open(a)?), BufReader::new(open(b)?));
    let (mut left, mut right) = (vec![0; 1 << 20], vec![0; 1 << 20]);
    let mut offset = 0;
    loop {
        let n = read_full(&mut a, &mut left)?;
        let m = read_full(&mut b, &mut right)?;
        if let Some(at) = left[..n].iter().zip(&right[..m]).position(|(x, y)| x != y) {
            return Ok(Some(offset + at as u64));
        }
        if n != m {
            return Ok(Some(offset + n.min(m) as u64));
        }
        if n == 0 {
            return Ok(None);
        }
        offset += n as u64;
    }
}

fn read_full(file: &mut impl Read, buffer: &mut [u8]) -> Result<usize, String> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]).map_err(|e| format!("reading an output: {e}"))? {
            0 => break,
            n => filled += n,
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_found() {
        let scratch = Scratch::new().unwrap();
        let (a, b) = (scratch.path().join("a"), scratch.path().join("b"));
        let mut bytes = vec![7; 3 << 20];
        std::fs::write(&a, &bytes).unwrap();
        std::fs::write(&b, &bytes).unwrap();
        assert_eq!(first_difference(&a, &b), Ok(None));
        bytes[2_500_000] = 8;
        std::fs::write(&b, &bytes).unwrap();
        assert_eq!(first_difference(&a, &b), Ok(Some(2_500_000)));
        std::fs::write(&b, &bytes[..100]).unwrap();
        assert_eq!(first_difference(&a, &b), Ok(Some(100)));
    }
}
