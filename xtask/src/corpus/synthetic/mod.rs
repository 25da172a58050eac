//! Links of the shape and, scaled, of the size of Chromium's debug build, without Chromium: the
//! objects are generated ([`program`]) and written directly ([`object`]).
//!
//! At scale one it is 31 k objects with 42 M section headers, 24 M symbols, 9.9 M COMDAT groups and
//! 62 M relocations. The number of objects is scaled, an object's shape is not.

pub mod archive;
pub mod code;
pub mod input;
pub mod library;
pub mod object;
mod program;

use super::capture::{RESPONSE_FILE, settle};
use super::{Expectation, PROGRAM, Workload, response, tools};
use program::Program;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

/// Objects of the whole program.
const WHOLE: u64 = 31_000;

/// Objects per directory, so that no directory grows too large.
const PER_DIRECTORY: u64 = 1000;

/// A small one, for demonstrations: 0.4 % of Chromium.
pub fn small() -> Workload {
    let make = |dir: &Path| make(dir, WHOLE / 256);
    let all = workloads().into_iter().next();
    let base = all.expect("there are several workloads");
    Workload { name: "synthetic", about: "generated objects", directory: "synthetic", make, ..base }
}

/// `synthetic-32` to `synthetic-4`: Chromium's size divided by that number.
pub fn workloads() -> Vec<Workload> {
    let workload = |name, about, slow, make| Workload {
        name,
        about,
        directory: name,
        response: RESPONSE_FILE,
        extra: &[],
        recipe: 2,
        plugin: None,
        machine: None,
        slow,
        // It needs no shared library, so there may be no dynamic symbol.
        expects: Expectation { debug: true, dynsym: false, ..PROGRAM },
        make,
        prove: computes_its_value,
    };
    vec![
        workload("synthetic-32", "a 32nd of Chromium's debug link", false, |d| make(d, WHOLE / 32)),
        workload("synthetic-16", "a 16th of Chromium's debug link", true, |d| make(d, WHOLE / 16)),
        workload("synthetic-8", "an eighth of Chromium's debug link", true, |d| make(d, WHOLE / 8)),
        workload("synthetic-4", "a quarter of Chromium's debug link", true, |d| make(d, WHOLE / 4)),
    ]
}

/// Whether a workload is one of those that differ only in size.
pub fn is_scale(name: &str) -> bool {
    name.starts_with("synthetic-")
}

/// Makes a program of this many objects, and the line that links it.
///
/// # Errors
/// When files cannot be written.
pub fn make(dir: &Path, objects: u64) -> Result<(), String> {
    let program = Program::new(objects);
    let name = |number: u64| format!("objects/{}/{number}.o", number / PER_DIRECTORY);
    for part in 0..=objects / PER_DIRECTORY {
        let path = dir.join(format!("objects/{part}"));
        fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    let next = AtomicU64::new(0);
    let worker = || -> Result<(), String> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= program.objects() {
                return Ok(());
            }
            let path = dir.join(name(number));
            fs::write(&path, program.object(number))
                .map_err(|e| format!("{}: {e}", path.display()))?;
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..tools::jobs()).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|w| w.join().expect("no worker panics"))
    })?;
    let options = ["-m", "elf_x86_64", "-pie", "--build-id", "--eh-frame-hdr", "--hash-style=gnu"];
    let mut line: Vec<String> = options.map(String::from).into();
    line.extend(["-dynamic-linker", "/lib64/ld-linux-x86-64.so.2"].map(String::from));
    line.extend((0..objects).map(name));
    response::write(&dir.join(RESPONSE_FILE), &settle(line))
}

fn computes_its_value(output: &Path, _: &Path) -> Result<(), String> {
    tools::run(&mut Command::new(output))
        .map(drop)
        .map_err(|error| format!("it computed another value: {error}"))
}
