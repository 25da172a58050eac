//! The linkers that take part: their paths and kinds, and the options by which each does the same
//! work.

use crate::corpus::Workload;
use crate::corpus::tools;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of wild that is installed when none is found.
const WILD_VERSION: &str = "0.10.0";

/// A linker that takes part.
#[derive(Clone)]
pub struct Linker {
    /// The name in tables.
    pub name: String,
    /// Path of the program.
    pub path: PathBuf,
    /// Which options it understands.
    pub kind: Kind,
    /// The first line of `--version`.
    pub version: String,
    /// The role of its figures in the tables.
    pub role: Role,
    /// Options that it gets besides those of its kind. [`OUTPUT`] in them stands for the output's
    /// path.
    pub extra: Vec<String>,
}

/// See [`Linker::extra`].
pub const OUTPUT: &str = "{output}";

/// What `--lists` measures beside a plain link: name and option.
pub const LISTS: [(&str, &str); 3] = [
    ("skald-map", "-Map={output}.map"),
    ("skald-html", "--report={output}.html"),
    ("skald-json", "--report={output}.json"),
];

/// The role of a row in the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// This project's linker.
    Ours,
    /// This project's linker with other options; compared with ours and never a peer.
    Variant,
    /// Another linker.
    Peer,
    /// Not a linker, but a lower bound for all linkers.
    Floor,
}

impl Role {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Variant => "variant",
            Self::Peer => "peer",
            Self::Floor => "floor",
        }
    }
}

/// Families of linkers, by the options that differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The linker of this project.
    Skald,
    /// Forks by default; `--threads=N`.
    Wild,
    /// Forks by default; `--threads=N`.
    Mold,
    /// `--threads=N`.
    Lld,
    /// One thread, always.
    Gnu,
}

impl Linker {
    /// A linker at `path`, if it runs and says what it is.
    ///
    /// # Errors
    /// When it does not run or its version line is of no known linker.
    pub fn at(name: &str, path: &Path) -> Result<Self, String> {
        let text = tools::run(Command::new(path).arg("--version"))?;
        let version = text.lines().next().unwrap_or_default().to_owned();
        let kind = kind_of(&version)
            .ok_or_else(|| format!("{}: unknown linker: '{version}'", path.display()))?;
        let role = if kind == Kind::Skald { Role::Ours } else { Role::Peer };
        let (name, path) = (name.to_owned(), path.to_owned());
        Ok(Self { name, path, kind, version, role, extra: Vec::new() })
    }

    /// The same linker with one option more.
    pub fn variant(&self, name: &str, option: &str) -> Self {
        let role = Role::Variant;
        Self { name: name.to_owned(), role, extra: vec![option.to_owned()], ..self.clone() }
    }

    /// The same linker for `workload`. GNU ld is another program for each machine; the others know
    /// theirs, and one that does not know this machine is out of the race when it says so.
    ///
    /// # Errors
    /// When it is not installed for that machine.
    pub fn for_workload(&self, workload: &Workload) -> Result<Self, String> {
        match workload.machine {
            Some(machine) if self.kind == Kind::Gnu => Self::at(&self.name, &machine.tool("ld")?),
            _ => Ok(self.clone()),
        }
    }

    /// Whether it lists its phases on `--time`.
    pub fn tells_phases(&self) -> bool {
        self.kind == Kind::Skald
    }

    /// The options that ask for `threads` threads and for all the work in one process.
    pub fn options(&self, threads: usize) -> Vec<String> {
        let threads = format!("--threads={threads}");
        let mut options = match self.kind {
            Kind::Skald | Kind::Lld => vec![threads],
            Kind::Wild | Kind::Mold => vec![threads, "--no-fork".into()],
            Kind::Gnu => Vec::new(),
        };
        options.extend_from_slice(&self.extra);
        options
    }
}

/// Tells linkers apart by their version line. Most of them call themselves compatible with GNU ld,
/// so that is asked last.
fn kind_of(version: &str) -> Option<Kind> {
    let version = version.to_lowercase();
    let families = [
        ("skald", Kind::Skald),
        ("wild", Kind::Wild),
        ("mold", Kind::Mold),
        ("lld", Kind::Lld),
        ("gnu ld", Kind::Gnu),
        ("gnu gold", Kind::Gnu),
    ];
    families.into_iter().find(|(word, _)| version.contains(word)).map(|(_, kind)| kind)
}

/// The other linkers of this machine: those on `PATH`, else wild and mold of the cache directory's
/// `peers/bin`, and for lld the one that comes with Rust or the newest of LLVM's own directories.
/// GNU ld takes part only if asked for: it is slower by a factor.
pub fn peers_found(cache: &Path, with_gnu: bool) -> Vec<Linker> {
    let mut found = Vec::new();
    let installed = |name| Some(cache.join("peers/bin").join(name)).filter(|path| path.is_file());
    let wild = tools::find("wild").or_else(|| installed("wild"));
    let mold = tools::first_of(&["mold", "ld.mold"]).ok().or_else(|| installed("mold"));
    let lld = tools::find("ld.lld").or_else(|| lld_elsewhere(cache));
    let gnu = with_gnu.then(|| tools::first_of(&["ld.bfd", "ld"]).ok()).flatten();
    for (name, path) in [("wild", wild), ("mold", mold), ("lld", lld), ("gnu", gnu)] {
        match path.map(|path| Linker::at(name, &path)) {
            Some(Ok(linker)) => found.push(linker),
            Some(Err(error)) => eprintln!("{name} is left out: {error}"),
            None => {}
        }
    }
    found
}

/// Installs wild below the cache directory.
///
/// # Errors
/// When cargo fails, without a network for instance.
pub fn install_wild(cache: &Path) -> Result<(), String> {
    eprintln!("installing wild {WILD_VERSION} to compare with");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut install = Command::new(cargo);
    install.args(["install", "wild-linker", "--version", WILD_VERSION, "--locked", "--root"]);
    install.arg(cache.join("peers")).env("CARGO_TARGET_DIR", cache.join("building/wild"));
    tools::run(install.env_remove("RUSTFLAGS").current_dir(cache)).map(drop)
}

fn lld_elsewhere(cache: &Path) -> Option<PathBuf> {
    let of_llvm = (15..40).rev().map(|v| PathBuf::from(format!("/usr/lib/llvm-{v}/bin/ld.lld")));
    lld_of_rust(cache).into_iter().chain(of_llvm).find(|path| path.is_file())
}

/// The lld that comes with Rust. It tells its flavor by its name, so it is given one below the
/// cache directory: rustc's own wrapper of that name would cost a process.
fn lld_of_rust(cache: &Path) -> Option<PathBuf> {
    let sysroot = tools::run(Command::new("rustc").args(["--print", "sysroot"])).ok()?;
    let targets = fs::read_dir(Path::new(sysroot.trim()).join("lib/rustlib")).ok()?;
    let mut programs = targets.flatten().map(|target| target.path().join("bin/rust-lld"));
    let program = programs.find(|path| path.is_file())?;
    let link = cache.join("peers/ld.lld");
    fs::create_dir_all(link.parent()?).ok()?;
    if fs::read_link(&link).ok().as_deref() != Some(&program) {
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(&program, &link).ok()?;
    }
    Some(link)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_lines_name_their_linker() {
        let lines = [
            ("skald 0.1.0 (compatible with GNU ld, LLD)", Kind::Skald),
            ("Wild 0.10.0 non-git-build (compatible with GNU linkers)", Kind::Wild),
            ("mold 2.42.0 (c2822be; compatible with GNU ld)", Kind::Mold),
            ("Debian LLD 19.1.7 (compatible with GNU linkers)", Kind::Lld),
            ("GNU ld (GNU Binutils for Debian) 2.40", Kind::Gnu),
        ];
        for (line, kind) in lines {
            assert_eq!(kind_of(line), Some(kind), "{line}");
        }
        assert_eq!(kind_of("cc 12"), None);
    }
}
