//! `skald -run COMMAND ARGS`: runs a build with skald in place of any linker that it calls.
//!
//! Programs that are executed under the name of a linker are replaced by skald, however they are
//! called: by a statically linked compiler driver, by an absolute path, from a response file.
//! Exceptions are scripts, which call a linker in turn, and links for machines that skald does not
//! support. See `docs/decisions/0013-run.md`.
//!
//! If the system does not let a process supervise others, a directory with links of these names
//! comes first in `PATH` and in `COMPILER_PATH`, which GCC and clang search. A linker that is
//! called by an absolute path is not replaced then, and a message says so.

use skald_core::diag::{Diag, Style, WHOLE_LINK};
use skald_elf::args::parse;
use skald_elf::machine::{MACHINES, Machine};
use skald_host::paths::OsStrBytes;
use skald_host::supervise::{self, Call, Choice, Ended};
use skald_host::{files, processes};
use skald_linking::response;
use std::ffi::{OsStr, OsString};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names under which drivers and builds call linkers.
const NAMES: [&str; 6] = ["ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold", "ld.wild"];
/// Variable with the directory of links, for a skald that is called through one of them.
const LINKS: &str = "SKALD_RUN_LINKS";
/// Variable with the path of skald, for builds that need it.
const PROGRAM: &str = "SKALD_PATH";

/// Runs `words`, the command and its arguments; returns the exit status.
pub fn run(program: &str, words: &[OsString]) -> i32 {
    let Some((name, arguments)) = words.split_first() else {
        return complain(program, "-run: missing argument COMMAND");
    };
    let skald = match std::env::current_exe().and_then(|path| path.canonicalize()) {
        Ok(path) => path,
        Err(error) => return complain(program, &format!("cannot find this program: {error}")),
    };
    let links = make_links(&skald).ok();
    let failed = |error: Error| {
        complain(program, &format!("cannot run {}: {error}", name.display()));
        if error.kind() == ErrorKind::NotFound { 127 } else { 126 }
    };
    let command = |is_watched| {
        let mut command = Command::new(name);
        command.args(arguments).env(PROGRAM, &skald);
        if let Some(links) = &links {
            lead_to_links(&mut command, links, is_watched);
        }
        command
    };
    let choice = Choice { stand_in: &skald, wants: &|call| is_linker(call, &skald) };
    let ended = supervise::run(&mut command(true), Some(&choice), &failed).or_else(|error| {
        // Inside of another `-run`, that one's listener already replaces linkers.
        if error.kind() != ErrorKind::ResourceBusy || std::env::var_os(PROGRAM).is_none() {
            warn(program, &format!("linkers called by an absolute path are not replaced: {error}"));
        }
        supervise::run(&mut command(false), None, &failed)
    });
    if let Some(links) = &links {
        // Leftovers in a temporary directory are not a failure.
        let _ = std::fs::remove_dir_all(links);
    }
    match ended {
        Ok(Ended::Exited(status)) => status,
        Ok(Ended::Killed(signal)) => supervise::die_of(signal),
        Err(error) => complain(program, &format!("cannot start a process: {error}")),
    }
}

/// Makes a private directory with links to skald under the names of all linkers.
fn make_links(skald: &Path) -> std::io::Result<PathBuf> {
    let directory = std::env::temp_dir().join(format!("skald-run-{}", std::process::id()));
    files::create_private_directory(&directory)?;
    for name in NAMES {
        files::link(skald, &directory.join(name))?;
    }
    Ok(directory)
}

/// Adds the links to the search paths of `command`: last if the command is supervised, for systems
/// without any linker, otherwise before all linkers.
fn lead_to_links(command: &mut Command, links: &Path, is_watched: bool) {
    let with = |name: &str| {
        let before = std::env::var_os(name).filter(|list| !list.is_empty());
        let parts = match (before, is_watched) {
            (None, _) => vec![links.as_os_str().to_owned()],
            (Some(list), true) => vec![list, links.into()],
            (Some(list), false) => vec![links.into(), list],
        };
        parts.join(OsStr::new(":"))
    };
    if std::env::var_os("PATH").is_some() {
        command.env("PATH", with("PATH"));
    }
    if !is_watched {
        command.env("COMPILER_PATH", with("COMPILER_PATH")).env(LINKS, links);
    }
}

/// Whether skald replaces the program of this call.
fn is_linker(call: &Call, skald: &Path) -> bool {
    let Some(path) = call.path() else { return false };
    let names_linker = |path: &Path| path.file_name().is_some_and(is_linker_name);
    let Some(from_here) = call.path_from_here() else { return false };
    if !names_linker(&path) {
        // For a descriptor, the name is that of its file.
        let by_descriptor = path.as_os_str().is_empty().then(|| from_here.read_link());
        if !by_descriptor.is_some_and(|file| file.is_ok_and(|file| names_linker(&file))) {
            return false;
        }
    }
    let is_program =
        from_here.metadata().is_ok_and(|file| file.is_file() && files::is_executable(&file))
            && !supervise::is_script(&from_here)
            && from_here.canonicalize().is_ok_and(|path| path != skald);
    is_program && call.words().is_some_and(|words| is_for_us(&words, &call.directory()))
}

fn is_linker_name(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    // `MACHINE-pc-linux-gnu-ld.gold`, `ld.lld-19`.
    let of_machine = MACHINES.iter().find_map(|machine| name.strip_prefix(machine.tool_prefix));
    let name = match of_machine {
        Some(rest) => rest.rfind("-ld").map_or(name, |at| &rest[at + 1..]),
        None => name,
    };
    let name = match name.split_once('-') {
        Some((name, version)) if version.bytes().all(|b| b.is_ascii_digit() || b == b'.') => name,
        _ => name,
    };
    NAMES.contains(&name)
}

/// Whether a command line names no machine, or one that skald supports.
fn is_for_us(words: &[OsString], directory: &Path) -> bool {
    let from_here = |word: &OsString| match word.as_bytes().strip_prefix(b"@") {
        Some(file) => {
            let mut word = OsString::from("@");
            word.push(directory.join(OsStr::from_bytes(file)));
            word
        }
        None => word.clone(),
    };
    let words: Vec<OsString> = words.iter().skip(1).map(from_here).collect();
    // Errors in response files are left for skald to report.
    let words = response::expand(&words).unwrap_or(words);
    match parse::machine(&words) {
        Some(machine) => machine.to_str().is_some_and(|name| Machine::by_emulation(name).is_some()),
        None => true,
    }
}

/// When skald was called through one of its links for a machine it does not have: executes the
/// linker that would have been called otherwise. Returns if this is not the case, or there is no
/// such linker.
pub fn hand_back(argv: &[OsString]) {
    let Some(links) = std::env::var_os(LINKS) else { return };
    let Some(called) = argv.first().map(Path::new) else { return };
    let Some(name) = called.file_name().filter(|name| is_linker_name(name)) else { return };
    // A name without a directory was searched in PATH, which has the links.
    let is_link = called.parent().is_some_and(|parent| parent == links || parent == OsStr::new(""));
    if !is_link || is_for_us(argv, Path::new("")) {
        return;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    for directory in std::env::split_paths(&path).filter(|directory| *directory != *links) {
        // Returns only if there is no such program.
        let _ = processes::execute(Command::new(directory.join(name)).args(&argv[1..]));
    }
}

fn warn(program: &str, text: &str) {
    let diag = Diag::new(style(program));
    diag.warn(WHOLE_LINK, text);
    // The call prints the messages; a warning is not a failure.
    let _ = diag.checkpoint();
}

fn complain(program: &str, text: &str) -> i32 {
    let diag = Diag::new(style(program));
    diag.error(WHOLE_LINK, text);
    i32::from(diag.checkpoint().is_err())
}

fn style(program: &str) -> Style {
    let color = crate::color::is_wanted();
    Style { program: program.to_owned(), color, ..Style::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_linkers() {
        for name in ["ld", "ld.bfd", "ld.lld", "ld.lld-19", "aarch64-linux-gnu-ld", "ld.mold"] {
            assert!(is_linker_name(OsStr::new(name)), "{name}");
        }
        assert!(is_linker_name(OsStr::new("x86_64-pc-linux-gnu-ld.gold")));
        for name in ["ld.so", "foo.ld", "ldd", "ld64.lld", "bpf-unknown-none-ld", "rust-lld", ""] {
            assert!(!is_linker_name(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn links_for_other_machines_are_left_alone() {
        let is_for_us = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            super::is_for_us(&words, Path::new("/"))
        };
        assert!(is_for_us(&["ld", "a.o"]));
        assert!(is_for_us(&["ld", "-m", "elf_x86_64", "a.o"]));
        assert!(is_for_us(&["ld", "-melf_x86_64", "-mllvm", "-x"]));
        assert!(is_for_us(&["ld", "-melf_i386"]));
        assert!(!is_for_us(&["ld", "-melf_iamcu"]));
        assert!(!is_for_us(&["ld", "-o", "-m", "-m", "elf64_bpf"]));
    }
}
