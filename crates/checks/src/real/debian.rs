//! What Debian has: sources and files of packages, of lists that are fetched for this, so that the
//! system's own lists and packages stay as they are.

use super::{Place, is_installed, output};
use crate::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

const LISTS: &str = "deb http://deb.debian.org/debian bookworm main
deb-src http://deb.debian.org/debian bookworm main
";

/// The unpacked sources of a package as they were before Debian's patches.
pub(super) fn source(place: &Place, package: &str) -> Result<PathBuf> {
    let project = project(place)?;
    let unpacked = || {
        let mut entries = std::fs::read_dir(&project).ok()?.flatten().map(|entry| entry.path());
        entries.find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // Debian's name may hold the version.
            let plain = package.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
            let is_it = |name: &str| name.starts_with(&format!("{package}-"));
            path.is_dir() && (is_it(&name) || name.starts_with(&format!("{plain}-")))
        })
    };
    if let Some(source) = unpacked() {
        return Ok(source);
    }
    apt(&project, &["update"])?;
    apt(&project, &["source", "--download-only", package])?;
    let unpack = "tar xf \"$PACKAGE\"_*.orig.tar.*";
    output(Command::new("sh").args(["-c", unpack]).env("PACKAGE", package).current_dir(&project))?;
    unpacked().ok_or_else(|| format!("{package}: nothing was unpacked"))
}

/// The files of a binary package, below the directory that is returned; nothing is installed.
pub(super) fn files(place: &Place, package: &str) -> Result<PathBuf> {
    let project = project(place)?;
    let root = project.join("packages").join(package);
    if root.is_dir() {
        return Ok(root);
    }
    apt(&project, &["update"])?;
    apt(&project, &["download", package])?;
    let unpack = "dpkg-deb -x \"$PACKAGE\"_*.deb \"$PACKAGE.part\" && mkdir -p packages && \
        mv \"$PACKAGE.part\" \"packages/$PACKAGE\"";
    output(Command::new("sh").args(["-c", unpack]).env("PACKAGE", package).current_dir(&project))?;
    Ok(root)
}

/// The directory of all that comes from Debian.
fn project(place: &Place) -> Result<PathBuf> {
    if !is_installed("apt-get", "--version") {
        return Err("failed to fetch: there is no apt-get".to_owned());
    }
    let files = [("sources.list", LISTS), ("lists/partial/.keep", ""), ("cache/.keep", "")];
    place.project("debian", &files)
}

fn apt(project: &Path, words: &[&str]) -> Result<String> {
    let directory = project.display();
    let mut command = Command::new("apt-get");
    command.arg("-o").arg(format!("Dir::Etc::SourceList={directory}/sources.list"));
    command.args(["-o", "Dir::Etc::SourceParts=-"]);
    command.arg("-o").arg(format!("Dir::State::Lists={directory}/lists"));
    command.arg("-o").arg(format!("Dir::Cache={directory}/cache"));
    output(command.args(words).current_dir(project))
}
