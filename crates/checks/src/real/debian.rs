//! Sources and files of Debian's packages. The system's own lists and packages stay as they are
//! ([`Lists`]).

use super::{Place, output};
use crate::Result;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::debian::Lists;

/// The unpacked sources of a package as they were before Debian's patches.
pub(super) fn source(place: &Place, package: &str) -> Result<PathBuf> {
    let project = directory(place);
    let lists = Lists::new(&project, None)?;
    if archive(&project, package).is_none() {
        lists.apt(&["update"])?;
        lists.apt(&["source", "--download-only", package])?;
    }
    let archive = archive(&project, package).ok_or_else(|| format!("{package}: no archive"))?;
    let tar = |script: &str| {
        let mut sh = Command::new("sh");
        output(sh.args(["-c", script]).env("ARCHIVE", &archive).current_dir(&project))
    };
    let entry = tar("tar tf \"$ARCHIVE\" | head -n 1")?;
    let name = entry.trim_start_matches("./").split('/').next().unwrap_or_default().trim();
    if name.is_empty() {
        return Err(format!("{} is empty", archive.display()));
    }
    let source = project.join(name);
    if !source.is_dir() {
        tar("tar xf \"$ARCHIVE\"")?;
    }
    Ok(source)
}

/// The archive of a package's sources; beside it may be its signature.
fn archive(project: &Path, package: &str) -> Option<PathBuf> {
    let start = format!("{package}_");
    let entries = std::fs::read_dir(project).ok()?.flatten().map(|entry| entry.path());
    let mut archives: Vec<PathBuf> = entries
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&start) && name.contains(".orig.tar.") && !name.ends_with(".asc")
        })
        .collect();
    archives.sort();
    archives.pop()
}

/// The files of a binary package, below the directory that is returned; nothing is installed.
pub(super) fn files(place: &Place, package: &str) -> Result<PathBuf> {
    files_for(place, None, package)
}

/// The same for another machine, by its name in Debian.
pub(super) fn files_for(
    place: &Place,
    architecture: Option<&'static str>,
    package: &str,
) -> Result<PathBuf> {
    let root = packages(place, architecture).join(package);
    if root.is_dir() {
        return Ok(root);
    }
    let mut directory = directory(place);
    directory.extend(architecture);
    let part = root.with_file_name(format!("{package}.part"));
    Lists::new(&directory, architecture)?.unpack(&[package], &part)?;
    std::fs::rename(&part, &root).map_err(|e| format!("{}: {e}", part.display()))?;
    Ok(root)
}

/// Where the directories of unpacked packages are.
pub(super) fn packages(place: &Place, architecture: Option<&'static str>) -> PathBuf {
    let mut directory = directory(place);
    directory.extend(architecture);
    directory.join("packages")
}

/// A copy of unpacked sources, for one build of several.
pub(super) fn copy(place: &Place, source: &Path, name: &str) -> Result<PathBuf> {
    let directory = place.directory.join(name);
    let copy = "rm -rf \"$TO\" && mkdir -p \"$(dirname \"$TO\")\" && cp -a \"$FROM\" \"$TO\"";
    let mut sh = Command::new("sh");
    output(sh.args(["-c", copy]).env("FROM", source).env("TO", &directory))?;
    Ok(directory)
}

/// The directory of all that comes from Debian.
fn directory(place: &Place) -> PathBuf {
    place.directory.join("debian")
}
