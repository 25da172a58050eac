//! Captures the command line of a link that a compiler driver or cargo makes.
//!
//! A directory with a script called `ld` is handed to the compiler driver with `-B`. The script
//! calls this program back with the real linker and the arguments of the link; the link is recorded
//! and then made as if nothing had happened. A record contains what is needed to repeat the link at
//! any time and from any directory:
//! - `inputs/`: every input that is not part of the system, hard-linked or copied at once, because
//!   drivers delete their temporary objects when the linker returns;
//! - `link.rsp`: the line without its output, inputs written relative to the record.
//!
//! Libraries found by `-l` in directories of the build become plain inputs. Compiler plugins are
//! left out: no recorded input holds bytecode, and not every linker accepts the options. Options
//! are added where the defaults of linkers differ: see [`settle`].

use super::{response, tools};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file that names the output of a recorded link, as the driver asked for it.
const OUTPUT_FILE: &str = "output";

/// The directory of a record that holds its inputs.
const INPUTS: &str = "inputs";

/// Name of the output of a link that is made only to be captured.
const CAPTURED: &str = "captured";

/// The response file of a recorded link.
pub const RESPONSE_FILE: &str = "link.rsp";

/// Options whose value is the next argument and never an input.
const TAKES_VALUE: &[&str] = &[
    "-o",
    "-m",
    "-z",
    "-e",
    "-h",
    "-u",
    "-soname",
    "--soname",
    "-rpath",
    "--rpath",
    "-rpath-link",
    "--rpath-link",
    "-dynamic-linker",
    "--dynamic-linker",
    "-init",
    "-fini",
    "--entry",
    "--undefined",
];

/// A directory for `-B`: drivers that look for their linker there call this program instead.
pub struct Trap {
    records: PathBuf,
    directory: PathBuf,
}

impl Trap {
    /// Sets a trap below `parent`, with `linker` as the program that really links.
    ///
    /// # Errors
    /// When the directory or the script cannot be written.
    pub fn set(parent: &Path, linker: &Path) -> Result<Self, String> {
        let directory = parent.join("trap");
        let records = parent.join("records");
        for each in [&directory, &records] {
            fs::create_dir_all(each).map_err(|e| format!("{}: {e}", each.display()))?;
        }
        let own = std::env::current_exe().map_err(|e| format!("own path: {e}"))?;
        let script = directory.join("ld");
        let text = format!(
            "#!/bin/sh\nexec '{}' bench record '{}' '{}' \"$@\"\n",
            own.display(),
            records.display(),
            linker.display()
        );
        fs::write(&script, text).map_err(|e| format!("{}: {e}", script.display()))?;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755))
            .map_err(|e| format!("{}: {e}", script.display()))?;
        Ok(Self { records, directory })
    }

    /// The directory for the driver's `-B`.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// How many links were recorded.
    pub fn count(&self) -> usize {
        fs::read_dir(&self.records).map_or(0, Iterator::count)
    }

    /// Moves the record of the link of `prefix` into `dir` and forgets all others.
    ///
    /// # Errors
    /// When there is none, or files cannot be moved.
    pub fn keep(self, dir: &Path, prefix: &str) -> Result<(), String> {
        let record = self.record_of(prefix)?;
        for name in [RESPONSE_FILE, INPUTS] {
            let (from, to) = (record.join(name), dir.join(name));
            if to.is_dir() {
                fs::remove_dir_all(&to).map_err(|e| format!("{}: {e}", to.display()))?;
            }
            fs::rename(&from, &to).map_err(|e| format!("{}: {e}", from.display()))?;
        }
        for path in [self.records, self.directory] {
            fs::remove_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        }
        Ok(())
    }

    /// The record of the link whose output's file name begins with `prefix`; the one with the most
    /// inputs if there are several.
    ///
    /// # Errors
    /// When no such link was recorded.
    fn record_of(&self, prefix: &str) -> Result<PathBuf, String> {
        let entries =
            fs::read_dir(&self.records).map_err(|e| format!("{}: {e}", self.records.display()))?;
        entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|record| {
                let output = fs::read_to_string(record.join(OUTPUT_FILE)).unwrap_or_default();
                Path::new(&output)
                    .file_name()
                    .is_some_and(|name| name.as_bytes().starts_with(prefix.as_bytes()))
            })
            .max_by_key(|record| fs::read_dir(record.join(INPUTS)).map_or(0, Iterator::count))
            .ok_or_else(|| format!("no link of '{prefix}' was recorded"))
    }
}

/// Makes a link by a C or C++ driver and keeps its line and inputs in `dir`. The command is run in
/// `dir` and must not name an output.
///
/// # Errors
/// When the link fails or cannot be recorded.
pub fn capture(dir: &Path, driver: &mut Command) -> Result<(), String> {
    capture_by(dir, driver, &tools::system_linker()?)
}

/// As [`capture`], for a driver of another machine, which calls `linker`.
///
/// # Errors
/// As for [`capture`].
pub fn capture_by(dir: &Path, driver: &mut Command, linker: &Path) -> Result<(), String> {
    record_link(dir, driver.arg("-fno-use-linker-plugin"), "-B", linker)
}

/// As [`capture`], for drivers that spell `-B` differently: `search` is the text before the
/// directory.
///
/// # Errors
/// As for [`capture`].
pub fn capture_with(dir: &Path, driver: &mut Command, search: &str) -> Result<(), String> {
    record_link(dir, driver, search, &tools::system_linker()?)
}

fn record_link(
    dir: &Path,
    driver: &mut Command,
    search: &str,
    linker: &Path,
) -> Result<(), String> {
    let trap = Trap::set(dir, linker)?;
    let search = format!("{search}{}/", trap.directory().display());
    tools::run(driver.arg(search).args(["-o", CAPTURED]).current_dir(dir))?;
    trap.keep(dir, CAPTURED)?;
    let output = dir.join(CAPTURED);
    fs::remove_file(&output).map_err(|e| format!("{}: {e}", output.display()))
}

/// `xtask bench record RECORDS LINKER ARGUMENTS...`: records the link, then makes it. Returns the
/// linker's exit status.
///
/// # Errors
/// When the record cannot be written or the linker cannot be started.
pub fn record(arguments: &[String]) -> Result<i32, String> {
    let [records, linker, line @ ..] = arguments else {
        return Err("record: expects a directory and a linker".into());
    };
    let expanded = response::expand(line)?;
    if let Some(at) = expanded.iter().position(|word| word == "-o")
        && let Some(output) = expanded.get(at + 1)
    {
        write_record(Path::new(records), &expanded, output)?;
    }
    let status = Command::new(linker).args(line).status().map_err(|e| format!("{linker}: {e}"))?;
    Ok(status.code().unwrap_or(1))
}

fn write_record(records: &Path, line: &[String], output: &str) -> Result<(), String> {
    let record = records.join(std::process::id().to_string());
    let inputs = record.join(INPUTS);
    fs::create_dir_all(&inputs).map_err(|e| format!("{}: {e}", inputs.display()))?;
    let recorder = Recorder { inputs, taken: 0, library_dirs: Vec::new() };
    let portable = recorder.portable(line)?;
    response::write(&record.join(RESPONSE_FILE), &settle(portable))?;
    fs::write(record.join(OUTPUT_FILE), output).map_err(|e| format!("{}: {e}", record.display()))
}

/// Makes options explicit whose defaults differ between linkers: wild collects unreferenced
/// sections by default.
pub fn settle(mut line: Vec<String>) -> Vec<String> {
    if !line.iter().any(|word| word == "--gc-sections" || word == "--no-gc-sections") {
        line.insert(0, "--no-gc-sections".into());
    }
    line
}

/// Rewrites a line and collects its inputs.
struct Recorder {
    inputs: PathBuf,
    taken: usize,
    library_dirs: Vec<PathBuf>,
}

impl Recorder {
    fn portable(mut self, line: &[String]) -> Result<Vec<String>, String> {
        self.library_dirs = library_dirs(line);
        let mut out = Vec::new();
        let mut words = line.iter();
        while let Some(word) = words.next() {
            if word == "-o" || word == "-plugin" {
                words.next();
            } else if word.starts_with("-plugin-opt") || word.starts_with("--plugin") {
            } else if word == "-L" {
                let dir = words.next().map_or("", String::as_str);
                self.push_library_dir(dir, &mut out);
            } else if let Some(dir) = word.strip_prefix("-L") {
                self.push_library_dir(dir, &mut out);
            } else if TAKES_VALUE.contains(&word.as_str()) {
                out.push(word.clone());
                out.extend(words.next().cloned());
            } else if let Some(name) = word.strip_prefix("-l") {
                out.push(match self.library_of_build(name) {
                    Some(path) => self.take(&path)?,
                    None => word.clone(),
                });
            } else if let Some((option, path)) = script_option(word) {
                let taken = self.take(path)?;
                out.push(format!("{option}={taken}"));
            } else if !word.starts_with('-') && Path::new(word).is_file() {
                out.push(self.take(Path::new(word))?);
            } else {
                out.push(word.clone());
            }
        }
        Ok(out)
    }

    /// Directories of the build are dropped, because the libraries found in them have become
    /// inputs.
    fn push_library_dir(&self, dir: &str, out: &mut Vec<String>) {
        if is_of_system(Path::new(dir)) {
            out.push(format!("-L{dir}"));
        }
    }

    /// The file that `-lNAME` finds, if the first directory with it belongs to the build.
    fn library_of_build(&self, name: &str) -> Option<PathBuf> {
        let candidates = match name.strip_prefix(':') {
            Some(file) => vec![file.to_owned()],
            None => vec![format!("lib{name}.so"), format!("lib{name}.a")],
        };
        let found = self
            .library_dirs
            .iter()
            .flat_map(|dir| candidates.iter().map(move |file| dir.join(file)))
            .find(|path| path.is_file())?;
        (!is_of_system(&found)).then_some(found)
    }

    /// Copies or links a file into the record; returns its new name on the line.
    fn take(&mut self, path: &Path) -> Result<String, String> {
        if is_of_system(path) {
            return Ok(path.display().to_string());
        }
        let base = path.file_name().unwrap_or(OsStr::new("input")).to_string_lossy();
        let name = format!("{:04}-{base}", self.taken);
        self.taken += 1;
        let to = self.inputs.join(&name);
        // A symbolic link might not resolve from there.
        let file = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if fs::hard_link(&file, &to).is_err() {
            fs::copy(&file, &to).map_err(|e| format!("{}: {e}", path.display()))?;
        }
        Ok(format!("{INPUTS}/{name}"))
    }
}

fn library_dirs(line: &[String]) -> Vec<PathBuf> {
    let mut dirs = Vec::new();
    let mut words = line.iter();
    while let Some(word) = words.next() {
        match word.strip_prefix("-L") {
            Some("") => dirs.extend(words.next().map(PathBuf::from)),
            Some(dir) => dirs.push(dir.into()),
            None => {}
        }
    }
    dirs
}

/// Splits `--version-script=FILE` and similar options.
fn script_option(word: &str) -> Option<(&str, &Path)> {
    let (option, path) = word.split_once('=')?;
    let is_file_option = ["version-script", "dynamic-list", "retain-symbols-file"]
        .contains(&option.trim_start_matches('-'));
    (is_file_option && Path::new(path).is_file()).then_some((option, Path::new(path)))
}

/// Whether a path belongs to the installed system, whose files are not copied. Toolchains below a
/// home directory do not, because they may be removed.
fn is_of_system(path: &Path) -> bool {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    ["/usr", "/lib", "/lib64"].iter().any(|root| path.starts_with(root))
        && !path.starts_with("/usr/local/rustup")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn a_line_becomes_portable() {
        let scratch = Scratch::new().unwrap();
        let build = scratch.path().join("build");
        let inputs = scratch.path().join("inputs");
        fs::create_dir_all(&build).unwrap();
        fs::create_dir_all(&inputs).unwrap();
        fs::write(build.join("a.o"), "object").unwrap();
        fs::write(build.join("libz.a"), "archive").unwrap();
        let object = build.join("a.o").display().to_string();
        let dir = format!("-L{}", build.display());
        let line = strings(&[
            "-plugin",
            "p.so",
            "-plugin-opt=x",
            "-o",
            "prog",
            "-m",
            "elf_x86_64",
            &dir,
            &object,
            "-lz",
            "-lc",
        ]);
        let recorder = Recorder { inputs: inputs.clone(), taken: 0, library_dirs: Vec::new() };
        let portable = recorder.portable(&line).unwrap();
        assert_eq!(
            portable,
            strings(&["-m", "elf_x86_64", "inputs/0000-a.o", "inputs/0001-libz.a", "-lc"])
        );
        assert_eq!(fs::read(inputs.join("0001-libz.a")).unwrap(), b"archive");
    }
}
