//! The files that are shipped, by their paths below a prefix. The archive and the package contain
//! the same files.

use super::licences;
use crate::corpus::tools;
use crate::root;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

/// A file, by its path below the prefix.
pub struct Entry {
    /// Relative, with `/`.
    pub path: String,
    /// Content of the entry.
    pub content: Content,
}

/// Content of an entry.
pub enum Content {
    /// An executable program.
    Program(Vec<u8>),
    /// A file that is not executable.
    Text(Vec<u8>),
    /// A symbolic link.
    Link(&'static str),
}

/// All entries that the archive and the package have in common. `program` prints its manual page
/// and the completions; the distributor is in the same directory.
///
/// # Errors
/// What cannot be read, run or found, by its name.
pub fn all(program: &Path) -> Result<Vec<Entry>, String> {
    let distributor = program.with_file_name("skald-distribute");
    let asked = |word: &str| tools::run(Command::new(program).arg(word)).map(String::into_bytes);
    let of_distributor = tools::run(Command::new(&distributor).arg("--print-manual"))?;
    let bash = asked("--print-completion=bash")?;
    let mut entries = Vec::new();
    let mut add = |path: &str, content| entries.push(Entry { path: path.to_owned(), content });
    add("bin/skald", Content::Program(read(program)?));
    // For clang's -fuse-ld=skald.
    add("bin/ld.skald", Content::Link("skald"));
    add("bin/skald-distribute", Content::Program(read(&distributor)?));
    // For -B.
    add("libexec/skald/ld", Content::Link("../../bin/skald"));
    add("share/man/man1/skald.1.gz", Content::Text(compressed(&asked("--print-manual")?)?));
    add("share/man/man1/ld.skald.1.gz", Content::Link("skald.1.gz"));
    let manual = compressed(of_distributor.as_bytes())?;
    add("share/man/man1/skald-distribute.1.gz", Content::Text(manual));
    add("share/bash-completion/completions/skald", Content::Text(bash));
    add("share/bash-completion/completions/ld.skald", Content::Link("skald"));
    add(
        "share/fish/vendor_completions.d/skald.fish",
        Content::Text(asked("--print-completion=fish")?),
    );
    for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        let content = Content::Text(read(&root::directory().join(file))?);
        add(&format!("share/doc/skald/{file}"), content);
    }
    add(
        "share/doc/skald/licences-of-parts.gz",
        Content::Text(compressed(licences::text()?.as_bytes())?),
    );
    Ok(entries)
}

/// zsh's completions, in `directory`, which differs in Debian.
///
/// # Errors
/// When `program` does not print them.
pub fn zsh(program: &Path, directory: &str) -> Result<Entry, String> {
    let text = tools::run(Command::new(program).arg("--print-completion=zsh"))?;
    let path = format!("share/zsh/{directory}/_skald");
    Ok(Entry { path, content: Content::Text(text.into_bytes()) })
}

/// Writes all entries below the existing directory `prefix`, with modes that do not depend on the
/// umask.
///
/// # Errors
/// What cannot be written, by its name.
pub fn place(entries: &[Entry], prefix: &Path) -> Result<(), String> {
    for entry in entries {
        let path = prefix.join(&entry.path);
        put(&path, &entry.content).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    open_directories(prefix).map_err(|e| format!("{}: {e}", prefix.display()))
}

fn put(path: &Path, content: &Content) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let (bytes, mode) = match content {
        Content::Link(target) => return symlink(target, path),
        Content::Program(bytes) => (bytes, 0o755),
        Content::Text(bytes) => (bytes, 0o644),
    };
    fs::write(path, bytes)?;
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Sets the modes of directories, from this one downwards.
fn open_directories(directory: &Path) -> std::io::Result<()> {
    fs::set_permissions(directory, Permissions::from_mode(0o755))?;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_directories(&entry.path())?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Compresses with gzip as Debian's policy demands: at the highest level, without name and time.
///
/// # Errors
/// When gzip cannot be run.
pub fn compressed(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let scratch = crate::scratch::Scratch::new()?;
    let path = scratch.path().join("text");
    fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    tools::run(Command::new("gzip").args(["-9", "-n"]).arg(&path))?;
    read(&scratch.path().join("text.gz"))
}
