//! The linker under test: who it is, and how a compiler driver is made to call it.
//!
//! `gcc -B DIR` and `clang --ld-path=DIR/ld` find a file called `ld`. There are two such
//! directories: in `first` it is a symbolic link, as a user would install it; in `second` it is a
//! script that adds `--threads=1`, so that the outputs of two thread counts can be compared.

use crate::command::CommandLine;
use crate::{Result, words};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// Which linker it is; decides which promises are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// skald: everything is checked.
    Skald,
    /// GNU ld.
    Gnu,
    /// LLVM lld.
    Lld,
    /// Anything else.
    Other,
}

impl Identity {
    /// The word for it in `//# peers:`.
    pub fn word(self) -> &'static str {
        match self {
            Identity::Skald => "skald",
            Identity::Gnu => "ld",
            Identity::Lld => "lld",
            Identity::Other => "other",
        }
    }
}

/// Which of the two directories, so which number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// What the linker chooses.
    Default,
    /// `--threads=1`.
    One,
}

/// A linker and the directories through which drivers find it.
#[derive(Debug, Clone)]
pub struct Linker {
    /// Absolute path.
    pub path: PathBuf,
    /// Who it says it is.
    pub identity: Identity,
    directory: PathBuf,
}

impl Linker {
    /// Asks `path` for its version and sets the two directories up under `directory`.
    pub fn new(path: &Path, directory: &Path) -> Result<Linker> {
        let path = fs::canonicalize(path).map_err(|e| format!("{}: {e}", path.display()))?;
        // Canonical paths lose the name by which lld knows its flavor; a link named `ld` gives it.
        for name in ["first", "second"] {
            fs::create_dir_all(directory.join(name)).map_err(|e| e.to_string())?;
        }
        let link = directory.join("first/ld");
        let _ = fs::remove_file(&link);
        symlink(&path, &link).map_err(|e| format!("{}: {e}", link.display()))?;
        let script = directory.join("second/ld");
        let text = format!("#!/bin/sh\nexec {} --threads=1 \"$@\"\n", link.display());
        fs::write(&script, text).map_err(|e| format!("{}: {e}", script.display()))?;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755))
            .map_err(|e| e.to_string())?;
        let version = CommandLine::new([link.display().to_string(), "--version".to_owned()])
            .run(directory)?;
        let identity = identify(&version.stdout);
        Ok(Linker { path, identity, directory: directory.to_owned() })
    }

    /// Directory for `gcc -B`.
    pub fn directory(&self, threads: Threads) -> PathBuf {
        self.directory.join(match threads {
            Threads::Default => "first",
            Threads::One => "second",
        })
    }

    /// The command line that links with `driver` and `options`, which include `-o`.
    pub fn command(
        &self,
        driver: &str,
        threads: Threads,
        options: &[String],
    ) -> Result<CommandLine> {
        let directory = self.directory(threads);
        let ld = directory.join("ld").display().to_string();
        let mut arguments = match driver {
            "ld" => vec![ld],
            "gcc" | "g++" => vec![driver.to_owned(), format!("-B{}", directory.display())],
            "clang-19" | "clang++-19" => vec![driver.to_owned(), format!("--ld-path={ld}")],
            "rustc" => words::split(&format!(
                "rustc --edition=2021 -C linker=gcc -C link-arg=-B{}",
                directory.display()
            ))?,
            _ => return Err(format!("unknown driver: {driver}")),
        };
        arguments.extend_from_slice(options);
        Ok(CommandLine::new(arguments))
    }
}

/// skald's line carries "GNU ld" as well (configure scripts look for it), so it is asked first.
fn identify(version: &str) -> Identity {
    let first = version.lines().next().unwrap_or_default().to_ascii_lowercase();
    if first.contains("skald") {
        Identity::Skald
    } else if first.contains("lld") {
        Identity::Lld
    } else if first.contains("gnu ld") {
        Identity::Gnu
    } else {
        Identity::Other
    }
}
