//! The Debian package: the files of the archive, and the package manager's metadata.
//!
//! Its dependencies are read from the programs, as dpkg-shlibdeps does: the packages of their
//! needed libraries, in the version with the newest symbol versions that they need.

use super::contents::{self, Content, Entry};
use super::release::{self, Release};
use crate::corpus::tools;
use crate::scratch::Scratch;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The maintainer, unless the variables of Debian's tools are set; the address does not exist.
const MAINTAINER: (&str, &str) = ("The skald authors", "skald@invalid.invalid");

const DESCRIPTION: &str = "fast, deterministic linker for ELF
 skald takes the place of GNU ld, lld, mold and wild without a change to the
 build: it reads their options and obeys their linker scripts. The output
 depends on inputs and options alone, never on threads or time.
 .
 gcc uses it by -B/usr/libexec/skald, clang by -fuse-ld=skald, and any build by
 'skald -run make'. 'skald --print-setup=gcc' prints what a build needs.";

/// Libraries, their packages, and the prefixes of their symbol versions.
const LIBRARIES: [(&str, &str, &str); 8] = [
    ("ld-linux-aarch64.so.1", "libc6", "GLIBC_"),
    ("ld-linux-x86-64.so.2", "libc6", "GLIBC_"),
    ("ld-linux.so.2", "libc6", "GLIBC_"),
    ("libc.so.6", "libc6", "GLIBC_"),
    ("libdl.so.2", "libc6", "GLIBC_"),
    ("libgcc_s.so.1", "libgcc-s1", "GCC_"),
    ("libm.so.6", "libc6", "GLIBC_"),
    ("libpthread.so.0", "libc6", "GLIBC_"),
];

/// Makes the package from `entries`, which include the programs; returns its path.
///
/// # Errors
/// When the machine or a library is unknown, or something cannot be run or written.
pub fn make(entries: &[Entry], release: &Release, output: &Path) -> Result<PathBuf, String> {
    let architecture = architecture(&release.host)?;
    let scratch = Scratch::new()?;
    let root = scratch.path().join("root");
    let failed = |e: std::io::Error| format!("{}: {e}", root.display());
    fs::create_dir_all(root.join("usr")).map_err(failed)?;
    contents::place(entries, &root.join("usr"))?;
    contents::place(&documents(release)?, &root.join("usr"))?;
    let control = format!(
        "Package: skald\nVersion: {}\nArchitecture: {architecture}\nMaintainer: {}\n\
         Installed-Size: {}\nDepends: {}\nSuggests: gcc | clang\nSection: devel\n\
         Priority: optional\nDescription: {DESCRIPTION}\n",
        version(release),
        maintainer(),
        kibibytes(&root).map_err(failed)?,
        dependencies(&root)?
    );
    let sums = sums(&root)?;
    let about = root.join("DEBIAN");
    fs::create_dir(&about).map_err(failed)?;
    for (name, text) in [("control", &control), ("md5sums", &sums)] {
        fs::write(about.join(name), text).map_err(failed)?;
        fs::set_permissions(about.join(name), fs::Permissions::from_mode(0o644)).map_err(failed)?;
    }
    for directory in [&root, &about] {
        fs::set_permissions(directory, fs::Permissions::from_mode(0o755)).map_err(failed)?;
    }
    let package = output.join(format!("skald_{}_{architecture}.deb", version(release)));
    let mut build = Command::new("dpkg-deb");
    build.args(["--root-owner-group", "-Zxz", "--build"]).arg(&root).arg(&package);
    // The times of all files, and one thread, so that compressed blocks do not depend on the number
    // of processors.
    build.env("SOURCE_DATE_EPOCH", release.time.to_string()).env("DPKG_DEB_THREADS_MAX", "1");
    tools::run(&mut build)?;
    Ok(package)
}

fn maintainer() -> String {
    let given = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.to_owned());
    let (name, address) = MAINTAINER;
    format!("{} <{}>", given("DEBFULLNAME", name), given("DEBEMAIL", address))
}

/// Debian's name of the machine.
fn architecture(host: &str) -> Result<&'static str, String> {
    match host.split('-').next() {
        Some("x86_64") => Ok("amd64"),
        Some("aarch64") => Ok("arm64"),
        Some("i686") => Ok("i386"),
        _ => Err(format!("Debian's name for {host} is not known here")),
    }
}

/// Debian's version: with `~` a pre-release sorts before its release.
fn version(release: &Release) -> String {
    format!("{}-1", release.version.replace('-', "~"))
}

/// The files that Debian's policy demands in `/usr/share/doc`.
fn documents(release: &Release) -> Result<Vec<Entry>, String> {
    let licence = |name: &str| {
        let path = crate::root::directory().join(name);
        fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
    };
    let mit = licence("LICENSE-MIT")?;
    let (_, terms) = mit.split_once("Permission is").ok_or("LICENSE-MIT grants nothing")?;
    let owner = mit.lines().find_map(|line| line.strip_prefix("Copyright (c) "));
    let folded = |text: &str| -> String {
        let line =
            |line: &str| if line.is_empty() { " .\n".to_owned() } else { format!(" {line}\n") };
        text.lines().map(line).collect()
    };
    let copyright = format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: skald\n\
         Comment: The crates of Rust that are compiled in have licences of their own, in\n \
         /usr/share/doc/skald/licences-of-parts.gz.\n\n\
         Files: *\nCopyright: {}\nLicense: Expat or Apache-2.0\n\n\
         License: Expat\n{}\n\
         License: Apache-2.0\n On Debian systems, the text of the Apache License, version 2.0, is\n \
         in /usr/share/common-licenses/Apache-2.0.\n",
        owner.ok_or("LICENSE-MIT names no owner")?,
        folded(&format!("Permission is{terms}"))
    );
    let changes = format!(
        "skald ({}) unstable; urgency=medium\n\n  * As released.\n\n -- {}  {}\n",
        version(release),
        maintainer(),
        release::date(release.time)?
    );
    let changes = contents::compressed(changes.as_bytes())?;
    let entry = |name: &str, content| Entry { path: format!("share/doc/skald/{name}"), content };
    Ok(vec![
        entry("copyright", Content::Text(copyright.into_bytes())),
        entry("changelog.Debian.gz", Content::Text(changes)),
    ])
}

/// Installed size as Debian's policy counts it: files in whole KiB, and one for anything else.
fn kibibytes(directory: &Path) -> std::io::Result<u64> {
    let mut total = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let about = entry.metadata()?;
        total += if about.is_dir() {
            1 + kibibytes(&entry.path())?
        } else if about.is_file() {
            about.len().div_ceil(1024)
        } else {
            1
        };
    }
    Ok(total)
}

/// Checksums of the files below `root`, as md5sum prints them, sorted by name.
fn sums(root: &Path) -> Result<String, String> {
    let find = "find * -type f | LC_ALL=C sort | xargs -d '\\n' md5sum";
    tools::run(Command::new("sh").args(["-c", find]).current_dir(root))
}

/// The packages that the programs below `root` need.
fn dependencies(root: &Path) -> Result<String, String> {
    let mut needed = BTreeMap::new();
    for program in ["usr/bin/skald", "usr/bin/skald-distribute"] {
        let told = tools::run(Command::new("objdump").arg("-p").arg(root.join(program)))?;
        for (package, version) in required(&told)? {
            let newest: &mut Vec<u32> = needed.entry(package).or_default();
            *newest = version.max(std::mem::take(newest));
        }
    }
    let named = |version: &[u32]| version.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
    let words = needed.iter().map(|(package, version)| {
        if version.is_empty() {
            (*package).to_owned()
        } else {
            format!("{package} (>= {})", named(version))
        }
    });
    Ok(words.collect::<Vec<_>>().join(", "))
}

/// Packages and versions that a program needs, from the output of `objdump -p`.
fn required(told: &str) -> Result<Vec<(&'static str, Vec<u32>)>, String> {
    let of = |library: &str| {
        let row = LIBRARIES.iter().find(|(name, _, _)| *name == library);
        row.ok_or_else(|| format!("no package is known that has {library}"))
    };
    let mut needed = Vec::new();
    let mut last = None;
    for line in told.lines().map(str::trim) {
        if let Some(library) = line.strip_prefix("NEEDED ") {
            needed.push((of(library.trim())?.1, Vec::new()));
        } else if let Some(library) = line.strip_prefix("required from ") {
            last = Some(of(library.trim_end_matches(':'))?);
        } else if let (Some((_, package, prefix)), Some(name)) = (last, line.split(' ').nth(3)) {
            let fields = name.strip_prefix(prefix).map(|text| text.split('.').map(str::parse));
            match fields.map(|fields| fields.collect::<Result<Vec<u32>, _>>()) {
                Some(Ok(version)) => needed.push((package, version)),
                _ => return Err(format!("{name} is no version of {package}")),
            }
        } else {
            last = None;
        }
    }
    Ok(needed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLD: &str = "
Dynamic Section:
  NEEDED               libgcc_s.so.1
  NEEDED               libc.so.6
  INIT                 0x1000

Version References:
  required from libgcc_s.so.1:
    0x0b792650 0x00 06 GCC_3.0
    0x0d696914 0x00 05 GCC_4.2.0
  required from libc.so.6:
    0x069691b4 0x00 03 GLIBC_2.34
    0x09691a75 0x00 02 GLIBC_2.2.5
";

    #[test]
    fn versions_are_read_and_compared_as_numbers() {
        let needed = required(TOLD).unwrap();
        assert!(needed.contains(&("libc6", vec![2, 34])), "{needed:?}");
        assert!(needed.contains(&("libc6", vec![2, 2, 5])), "{needed:?}");
        assert!(needed.contains(&("libgcc-s1", vec![4, 2, 0])), "{needed:?}");
        assert!(vec![2, 34] > vec![2, 4] && vec![2, 34] > vec![2]);
    }

    #[test]
    fn what_is_unknown_is_an_error() {
        let told = TOLD.replace("libgcc_s.so.1", "libother.so.1");
        assert!(required(&told).unwrap_err().contains("libother.so.1"));
        let told = TOLD.replace("GLIBC_2.34", "GLIBC_PRIVATE");
        assert!(required(&told).unwrap_err().contains("GLIBC_PRIVATE"));
        assert!(architecture("sparc64-unknown-linux-gnu").is_err());
    }

    #[test]
    fn what_comes_before_a_release_sorts_before_it() {
        let release =
            |version: &str| Release { version: version.to_owned(), host: String::new(), time: 0 };
        assert_eq!(version(&release("1.2.3-rc.1")), "1.2.3~rc.1-1");
        assert_eq!(version(&release("1.2.3")), "1.2.3-1");
    }
}
