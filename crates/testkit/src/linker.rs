//! The linker under test: its identity, and how compiler drivers are made to call it.
//!
//! `gcc -B DIR` and `clang --ld-path=DIR/ld` find a file called `ld`. There is one such directory
//! for each way to call the linker. In `plain` it is a symbolic link, as a user would install it;
//! in `one-thread` it is a script that adds `--threads=1`. In `perturbed` it is a link to the build
//! with the feature `perturb`, which randomizes schedules, so that outputs can be compared.
//!
//! GNU ld is another program for each machine, which has a directory of its own.

use crate::command::CommandLine;
use crate::machine::{self, Machine};
use crate::{Result, words};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// The identity of the linker, which decides what is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// skald, of which everything is checked.
    Skald,
    /// GNU ld, a peer.
    Gnu,
    /// LLVM lld, a peer.
    Lld,
    /// Any other linker.
    Other,
}

impl Identity {
    /// The name of the linker in `//# peers:`.
    pub fn word(self) -> &'static str {
        match self {
            Identity::Skald => "skald",
            Identity::Gnu => "ld",
            Identity::Lld => "lld",
            Identity::Other => "other",
        }
    }
}

/// The linkers that skald is compared with, and the paths of their programs.
pub const PEERS: [(Identity, &str); 2] =
    [(Identity::Gnu, "/usr/bin/ld.bfd"), (Identity::Lld, "/usr/bin/ld.lld-19")];

/// How a driver calls the linker: the directory that is given to `-B`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// With the command line as it is.
    Plain,
    /// With `--threads=1` added.
    OneThread,
    /// The build with the feature `perturb`, if there is one.
    Perturbed,
}

/// A linker and the directories through which drivers find it.
#[derive(Debug, Clone)]
pub struct Linker {
    /// Absolute path of the program.
    pub path: PathBuf,
    /// Which linker it is by its `--version`.
    pub identity: Identity,
    /// Whether there is a build with the feature `perturb`.
    pub has_perturbed: bool,
    directory: PathBuf,
}

impl Linker {
    /// Asks `path` for its version and sets the directories up under `directory`.
    pub fn new(path: &Path, directory: &Path) -> Result<Linker> {
        let link = install(path, &directory.join("plain"))?;
        fs::create_dir_all(directory.join("one-thread")).map_err(|e| e.to_string())?;
        let script = directory.join("one-thread/ld");
        let text = format!("#!/bin/sh\nexec {} --threads=1 \"$@\"\n", link.display());
        fs::write(&script, text).map_err(|e| format!("{}: {e}", script.display()))?;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755))
            .map_err(|e| e.to_string())?;
        let version = CommandLine::new([link.display().to_string(), "--version".to_owned()])
            .run(directory)?;
        let identity = identify(&version.stdout);
        let path = fs::canonicalize(path).map_err(|e| format!("{}: {e}", path.display()))?;
        if identity == Identity::Gnu {
            for machine in machine::all().filter(|machine| !machine.is_native()) {
                let place = directory.join("plain-of").join(machine.word);
                machine.install_tool("ld.bfd", &place.join("ld"))?;
            }
        }
        Ok(Linker { path, identity, has_perturbed: false, directory: directory.to_owned() })
    }

    /// Adds the build at `path`, which has the feature `perturb`.
    pub fn with_perturbed(mut self, path: &Path) -> Result<Linker> {
        install(path, &self.directory(Way::Perturbed))?;
        self.has_perturbed = true;
        Ok(self)
    }

    /// The directory to pass to `gcc -B`.
    pub fn directory(&self, way: Way) -> PathBuf {
        self.directory.join(match way {
            Way::Plain => "plain",
            Way::OneThread => "one-thread",
            Way::Perturbed => "perturbed",
        })
    }

    /// The directory for links of `machine`: GNU ld has a program for each.
    fn directory_for(&self, machine: &Machine, way: Way) -> PathBuf {
        match self.identity {
            Identity::Gnu if !machine.is_native() => {
                self.directory.join("plain-of").join(machine.word)
            }
            _ => self.directory(way),
        }
    }

    /// The program that links for `machine`.
    pub fn program(&self, machine: &Machine, way: Way) -> String {
        self.directory_for(machine, way).join("ld").display().to_string()
    }

    /// The command line that links for `machine` with `driver` and `options`, which include `-o`.
    pub fn command(
        &self,
        machine: &Machine,
        driver: &str,
        way: Way,
        options: &[String],
    ) -> Result<CommandLine> {
        let directory = self.directory_for(machine, way);
        let ld = self.program(machine, way);
        let mut arguments = match driver {
            "ld" => vec![ld],
            "gcc" | "g++" => {
                let mut words = machine.words(driver);
                words.push(format!("-B{}", directory.display()));
                words
            }
            "clang-19" | "clang++-19" => {
                let mut words = vec![driver.to_owned(), format!("--ld-path={ld}")];
                words.extend(machine.clang_options());
                words
            }
            "rustc" => words::split(&format!(
                "rustc --edition=2021 -C linker=gcc -C link-arg=-B{}",
                directory.display()
            ))?,
            _ => return Err(format!("unknown driver: {driver}")),
        };
        let says = |option: &String| option.starts_with("-m") && option != "-mllvm";
        if driver == "ld" && !machine.is_native() && !options.iter().any(says) {
            arguments.extend(["-m", machine.emulation].map(str::to_owned));
        }
        arguments.extend_from_slice(options);
        Ok(CommandLine::new(arguments))
    }
}

/// Makes `directory` with a link to `path` in it, called `ld`: by that name lld knows its flavor.
fn install(path: &Path, directory: &Path) -> Result<PathBuf> {
    let path = fs::canonicalize(path).map_err(|e| format!("{}: {e}", path.display()))?;
    fs::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    let link = directory.join("ld");
    let _ = fs::remove_file(&link);
    symlink(&path, &link).map_err(|e| format!("{}: {e}", link.display()))?;
    Ok(link)
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
