//! The licences of the crates in the programs: MIT and similar licences demand that every copy
//! comes with their text.

use crate::corpus::tools;
use crate::root;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Beginnings of the names of licence files.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];

/// All crates with the names of their licences, and the texts of these licences, each once.
///
/// # Errors
/// When cargo does not list the crates, or a file cannot be read.
pub fn text() -> Result<String, String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut list = String::from(
        "skald and skald-distribute are made of the following crates of Rust besides their own,\n\
         and of Rust's standard library (MIT or Apache-2.0). Behind the list are the texts of\n\
         licences that come with them, each with the crates that it came with.\n\n",
    );
    for part in parts()? {
        list += &format!("{} {}: {}\n", part.name, part.version, part.licence);
        for file in files(&part.directory)? {
            let bytes = fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            let text = String::from_utf8_lossy(&bytes).trim().replace("\r\n", "\n");
            texts.entry(text).or_default().push(format!("{} {}", part.name, part.version));
        }
    }
    for (text, crates) in texts {
        list += &format!("\n{}\n{}\n\n{text}\n", "-".repeat(80), crates.join(", "));
    }
    Ok(list)
}

/// A crate.
struct Part {
    name: String,
    version: String,
    licence: String,
    directory: PathBuf,
}

/// The crates that are compiled in, by name and version.
fn parts() -> Result<Vec<Part>, String> {
    let mut tree = root::cargo();
    tree.args([
        "tree",
        "--locked",
        "--edges",
        "normal,no-proc-macro",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
    let tree = tools::run(tree.args(["--package", "skald", "--package", "skald-distribute"]))?;
    let linked: BTreeSet<(&str, &str)> = tree.lines().filter_map(name_and_version).collect();
    let told = tools::run(root::cargo().args(["metadata", "--locked", "--format-version", "1"]))?;
    let told: Value = serde_json::from_str(&told).map_err(|e| format!("cargo metadata: {e}"))?;
    let packages = told["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let parts = packages.iter().map(|package| Part {
        name: text(&package["name"]),
        version: text(&package["version"]),
        licence: text(&package["license"]),
        directory: Path::new(&text(&package["manifest_path"])).with_file_name(""),
    });
    // Crates of the workspace have no `source`.
    let others = packages.iter().map(|package| !package["source"].is_null());
    let mut parts: Vec<Part> = parts
        .zip(others)
        .filter(|(part, is_other)| *is_other && linked.contains(&(&*part.name, &*part.version)))
        .map(|(part, _)| part)
        .collect();
    parts.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    if parts.is_empty() {
        return Err("cargo tree names no crate".to_owned());
    }
    Ok(parts)
}

/// Name and version from a line such as `libc v0.2.1 (proc-macro)`.
fn name_and_version(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(' ');
    Some((words.next()?, words.next()?.strip_prefix('v')?))
}

/// The files of a crate that hold licences, including those of bundled sources.
fn files(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for within in [directory.to_owned(), directory.join("zstd")] {
        let Ok(entries) = fs::read_dir(&within) else { continue };
        let is_licence = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            path.is_file() && NAMES.iter().any(|beginning| name.starts_with(beginning))
        };
        found.extend(entries.flatten().map(|entry| entry.path()).filter(is_licence));
    }
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_cargo_tree() {
        assert_eq!(name_and_version("libc v0.2.1"), Some(("libc", "0.2.1")));
        assert_eq!(
            name_and_version("prost-derive v1.0.0 (proc-macro)"),
            Some(("prost-derive", "1.0.0"))
        );
        assert_eq!(name_and_version(""), None);
    }

    #[test]
    fn texts_of_libraries_in_c_are_there() {
        let text = text().unwrap();
        assert!(text.contains("\nzstd-sys "), "{text}");
        assert!(text.contains("Meta Platforms"), "the licence of zstd itself");
        assert!(text.contains("rayon-core"));
    }
}
