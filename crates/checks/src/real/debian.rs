//! Sources and files of Debian's packages. The system's own lists and packages stay as they are
//! ([`Lists`]).

use super::{Place, output};
use crate::Result;
use std::path::PathBuf;
use std::process::Command;
use xtask::debian::Lists;

/// The unpacked sources of a package as they were before Debian's patches.
pub(super) fn source(place: &Place, package: &str) -> Result<PathBuf> {
    let project = directory(place);
    let lists = Lists::new(&project, None)?;
    let unpacked = || {
        let mut entries = std::fs::read_dir(&project).ok()?.flatten().map(|entry| entry.path());
        entries.find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // Debian's name of the package may contain the version.
            let plain = package.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
            let is_it = |name: &str| name.starts_with(&format!("{package}-"));
            path.is_dir() && (is_it(&name) || name.starts_with(&format!("{plain}-")))
        })
    };
    if let Some(source) = unpacked() {
        return Ok(source);
    }
    lists.apt(&["update"])?;
    lists.apt(&["source", "--download-only", package])?;
    let unpack = "tar xf \"$PACKAGE\"_*.orig.tar.*";
    output(Command::new("sh").args(["-c", unpack]).env("PACKAGE", package).current_dir(&project))?;
    unpacked().ok_or_else(|| format!("{package}: nothing was unpacked"))
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
    let mut directory = directory(place);
    directory.extend(architecture);
    let root = directory.join("packages").join(package);
    if root.is_dir() {
        return Ok(root);
    }
    let part = directory.join("packages").join(format!("{package}.part"));
    Lists::new(&directory, architecture)?.unpack(&[package], &part)?;
    std::fs::rename(&part, &root).map_err(|e| format!("{}: {e}", part.display()))?;
    Ok(root)
}

/// The directory of all that comes from Debian.
fn directory(place: &Place) -> PathBuf {
    place.directory.join("debian")
}
