//! The outputs of a build: executables and libraries in its tree and in its packages, and the
//! linkers that made them.
//!
//! A linker writes its name to `.comment`. Files in packages are stripped of that section. They are
//! identified by the build id, which is also in the unstripped file of the tree, or in the
//! debugging symbols that were separated from it.

use crate::Result;
use skald_verify::output_file::OutputFile;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::corpus::tools;

/// What the linker writes to `.comment`.
const STAMP: &[u8] = b"Linker: skald ";

/// `e_type` and `e_machine` of an executable and of a library.
const KINDS: [[u8; 4]; 2] = [[2, 0, 62, 0], [3, 0, 62, 0]];

const NT_GNU_BUILD_ID: u32 = 3;
const SHT_NOBITS: u32 = 8;

/// The files, each once.
#[derive(Default)]
pub struct Outputs {
    /// Files of the build's tree that carry the stamp.
    pub stamped: Vec<PathBuf>,
    /// Executables and libraries in the packages, unpacked.
    pub shipped: Vec<PathBuf>,
    /// Those of `shipped` without proof that the linker under test made them.
    unproven: Vec<PathBuf>,
}

impl Outputs {
    /// Looks through the tree below `directory` and through the packages beside the sources there.
    pub fn find(directory: &Path) -> Result<Outputs> {
        let mut outputs = Outputs::default();
        let mut ids = BTreeSet::new();
        for path in linked_files(&directory.join("source"))? {
            let Ok(file) = OutputFile::read(&path) else { continue };
            if is_stamped(&file) {
                ids.extend(build_id(&file));
                if !is_only_debug(&file) {
                    outputs.stamped.push(path);
                }
            }
        }
        let unpacked = directory.join("packages");
        for package in files(directory, false)? {
            let name = package.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.ends_with(".deb") && !name.contains("-dbgsym_") {
                tools::run(Command::new("dpkg-deb").arg("-x").arg(&package).arg(&unpacked))?;
            }
        }
        if !unpacked.is_dir() {
            return Ok(outputs);
        }
        for path in linked_files(&unpacked)? {
            let Ok(file) = OutputFile::read(&path) else {
                outputs.unproven.push(path);
                continue;
            };
            if is_only_debug(&file) || is_of_go(&file) {
                continue;
            }
            let is_ours = is_stamped(&file) || build_id(&file).is_some_and(|id| ids.contains(&id));
            if !is_ours {
                outputs.unproven.push(path.clone());
            }
            outputs.shipped.push(path);
        }
        Ok(outputs)
    }

    /// A file in the packages that lacks this proof.
    pub fn unproven(&self) -> Option<String> {
        self.unproven.first().map(|path| path.display().to_string())
    }

    /// Runs the linker's `--verify` on all files, as it wrote them and as they were stripped;
    /// returns its findings.
    pub fn verify(&self, linker: &Path) -> Result<Vec<String>> {
        let mut findings = Vec::new();
        let all: Vec<&PathBuf> = self.stamped.iter().chain(&self.shipped).collect();
        for some in all.chunks(100) {
            let mut command = Command::new(linker);
            command.arg("--verify").args(some);
            let output = command.output().map_err(|e| format!("{}: {e}", linker.display()))?;
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let before = findings.len();
            findings
                .extend(text.lines().filter(|line| line.contains("error: ")).map(str::to_owned));
            if !output.status.success() && findings.len() == before {
                findings.push(format!("--verify: {}: {text}", output.status));
            }
        }
        Ok(findings)
    }
}

fn is_stamped(file: &OutputFile) -> bool {
    let bytes = file.section(".comment").map(|section| file.section_bytes(section));
    bytes.is_some_and(|bytes| bytes.windows(STAMP.len()).any(|window| window == STAMP))
}

fn build_id(file: &OutputFile) -> Option<Vec<u8>> {
    let is_id = |owner: &str, kind| owner == "GNU" && kind == NT_GNU_BUILD_ID;
    let note = file.notes.iter().find(|note| is_id(&note.owner, note.kind))?;
    Some(note.description.clone())
}

/// Whether Go's own linker made the file, as it does for programs without C: the file has Go's mark
/// and no build id of another linker.
fn is_of_go(file: &OutputFile) -> bool {
    file.notes.iter().any(|note| note.owner == "Go")
        && build_id(file).is_none()
        && !is_stamped(file)
}

/// Whether the file holds separate debugging symbols: it describes code that it does not contain.
fn is_only_debug(file: &OutputFile) -> bool {
    let mut loaded =
        file.sections.iter().filter(|section| section.is_alloc() && section.flags & 4 != 0);
    loaded.clone().next().is_some() && loaded.all(|section| section.kind == SHT_NOBITS)
}

/// Executables and libraries below `directory`.
fn linked_files(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut found = files(directory, true)?;
    found.retain(|path| is_linked(path));
    Ok(found)
}

fn is_linked(path: &Path) -> bool {
    let mut header = [0; 20];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok()
        && header.starts_with(b"\x7fELF\x02\x01")
        && KINDS.iter().any(|kind| header[16..] == *kind)
}

/// Regular files in `directory`, and below it, by name.
fn files(directory: &Path, is_deep: bool) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut rest = vec![directory.to_owned()];
    while let Some(directory) = rest.pop() {
        let entries =
            std::fs::read_dir(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        for entry in entries.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && is_deep => rest.push(entry.path()),
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_another_linker_are_unproven() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("main.c"), "int main(void) { return 0; }").unwrap();
        let mut compile = Command::new("gcc");
        tools::run(compile.current_dir(directory.path()).args(["main.c", "-o", "main"])).unwrap();
        let found = linked_files(directory.path()).unwrap();
        assert_eq!(found, [directory.path().join("main")]);
        let file = OutputFile::read(&found[0]).unwrap();
        assert!(!is_stamped(&file) && !is_only_debug(&file));
    }
}
