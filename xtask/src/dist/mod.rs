//! `cargo xtask dist`: makes the distribution: the programs with their documentation, in a
//! directory, as an archive and as a Debian package. The same source gives the same bytes.
//!
//! [`contents`] lists the files, [`debian`] makes the package, and [`trial`] installs it in a fresh
//! Debian, links programs in all ways that the README names, and removes it.
//!
//! `--pgo` turns on profile-guided optimisation. The links for the profile are made here: programs
//! of three languages as compilers link them, and a generated one with debug information and
//! folding. None of them is among those that the benchmark compares.

mod contents;
mod debian;
mod licences;
mod release;
mod trial;
mod ways;

use crate::corpus::{self, Workload, tools};
use crate::root;
use crate::scratch::Scratch;
use release::Release;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const HELP: &str = "\
cargo xtask dist [--pgo | --skald PROGRAM] [--output DIR] [--try [--root DIR]]

Builds the program for others to use: a directory, an archive and a Debian package of it, and
their checksums (SHA256SUMS). SOURCE_DATE_EPOCH is the time that all files bear (else when the
source was committed), DEBFULLNAME and DEBEMAIL who makes the package.

  --pgo            compile it along a profile of links that are made for it (three builds' time)
  --skald PROGRAM  take this program, and skald-distribute beside it, without debug information
  --output DIR     where all of it goes (default target/dist)
  --try            install the package in a fresh Debian, made by debootstrap as root; link by
                   each way of the README there, and remove it again
  --root DIR       make that Debian in DIR, or use what is there from another time
";

/// The parsed command line.
#[derive(Default)]
struct Asked {
    is_profiled: bool,
    skald: Option<PathBuf>,
    output: Option<PathBuf>,
    is_tried: bool,
    root: Option<PathBuf>,
}

impl Asked {
    /// `None` if `words` are not understood.
    fn parse(words: &[String]) -> Option<Asked> {
        let mut asked = Asked::default();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            match word {
                "--pgo" => asked.is_profiled = true,
                "--skald" => asked.skald = Some(words.next()?.into()),
                "--output" => asked.output = Some(words.next()?.into()),
                "--try" => asked.is_tried = true,
                "--root" => asked.root = Some(words.next()?.into()),
                _ => return None,
            }
        }
        let is_right = !(asked.is_profiled && asked.skald.is_some());
        (is_right && (asked.is_tried || asked.root.is_none())).then_some(asked)
    }
}

/// Workloads that are linked for the profile.
const TRAINING: [&str; 4] = ["hello-c", "hello-cxx", "hello-rust", "synthetic-32"];

/// Response files or options for the links of each workload.
const LINES: [&[&str]; 4] = [
    &["--threads=1"],
    &["--threads=2"],
    &["--threads=2", "--gc-sections"],
    &["--threads=2", "--gc-sections", "--icf=all"],
];

/// Number of times that each line is linked. Small links are common, although they take little
/// time.
const TIMES: usize = 2;

/// Runs the task; returns the exit status.
pub fn run(arguments: &[String]) -> i32 {
    let Some(asked) = Asked::parse(arguments) else {
        print!("{HELP}");
        return if arguments.iter().any(|word| word == "--help") { 0 } else { 2 };
    };
    match make(&asked) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("dist: {error}");
            1
        }
    }
}

fn make(asked: &Asked) -> Result<(), String> {
    let release = Release::here()?;
    let output = asked.output.clone().unwrap_or_else(|| root::target().join("dist"));
    fs::create_dir_all(&output).map_err(|e| format!("{}: {e}", output.display()))?;
    let scratch = Scratch::new()?;
    let program = match &asked.skald {
        Some(program) => without_debug_information(program, scratch.path())?,
        None if asked.is_profiled => build_along_profile(&release.host)?,
        None => build(&release.host, "plain", "")?,
    };
    let package = pack(&program, &release, &output)?;
    match (asked.is_tried, package) {
        (false, _) => Ok(()),
        (true, Some(package)) => trial::run(&package, asked.root.as_deref()),
        (true, None) => Err("there is no package to try".to_owned()),
    }
}

/// Makes copies of the programs without debug information, as a release has them.
fn without_debug_information(program: &Path, scratch: &Path) -> Result<PathBuf, String> {
    for name in ["skald", "skald-distribute"] {
        let given = if name == "skald" { program.to_owned() } else { program.with_file_name(name) };
        let mut strip = Command::new("strip");
        tools::run(strip.arg("--strip-debug").arg(given).arg("-o").arg(scratch.join(name)))?;
    }
    Ok(scratch.join("skald"))
}

/// Builds with `flags` for rustc, in a directory of its own.
fn build(host: &str, name: &str, flags: &str) -> Result<PathBuf, String> {
    eprintln!("building the linker ({name})");
    let target = root::target().join("dist").join(name);
    let mut cargo = root::cargo();
    cargo.args(["build", "--release", "--locked", "--target", host]);
    cargo.args(["--package", "skald", "--package", "skald-distribute"]);
    let given = std::env::var("RUSTFLAGS").unwrap_or_default();
    cargo.arg("--target-dir").arg(&target).env("RUSTFLAGS", format!("{given} {flags}"));
    cargo.env("CARGO_PROFILE_RELEASE_STRIP", "debuginfo");
    root::run(&mut cargo)?;
    Ok(target.join(host).join("release/skald"))
}

fn build_along_profile(host: &str) -> Result<PathBuf, String> {
    let profdata = profdata(host)?;
    let scratch = Scratch::new()?;
    let raw = scratch.path().join("raw");
    let counting = build(host, "counting", &format!("-Cprofile-generate={}", raw.display()))?;
    train(&counting, scratch.path())?;
    // In a fixed place, because cargo builds everything again if the path in the flags changes.
    let profile = root::target().join("dist/profile.profdata");
    let mut merge = Command::new(profdata);
    merge.arg("merge").arg("-o").arg(&profile);
    let entries = fs::read_dir(&raw).map_err(|e| format!("{}: {e}", raw.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort_unstable();
    tools::run(merge.args(files))?;
    build(host, "profiled", &format!("-Cprofile-use={}", profile.display()))
}

/// This toolchain's `llvm-profdata`, which merges profiles; installed if it is missing.
fn profdata(host: &str) -> Result<PathBuf, String> {
    let sysroot = tools::run(Command::new("rustc").args(["--print", "sysroot"]))?;
    let tool = Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin/llvm-profdata");
    if !tool.is_file() {
        tools::run(Command::new("rustup").args(["component", "add", "llvm-tools"]))?;
    }
    Ok(tool)
}

/// Makes the links for the profile.
fn train(linker: &Path, scratch: &Path) -> Result<(), String> {
    let cache = corpus::default_cache();
    let all = corpus::all();
    for name in TRAINING {
        let workload = all.iter().find(|workload| workload.name == name);
        let workload: &Workload = workload.ok_or_else(|| format!("there is no workload {name}"))?;
        workload.prepare(&cache)?;
        eprintln!("linking {name}");
        for options in LINES.iter().cycle().take(LINES.len() * TIMES) {
            let mut link = Command::new(linker);
            link.arg(format!("@{}", workload.response)).args(workload.extra).args(*options);
            // The second time the output exists already.
            link.arg("-o").arg(scratch.join("out")).current_dir(workload.path(&cache));
            tools::run(&mut link)?;
        }
    }
    Ok(())
}

/// Writes everything below `output`, and prints the results; returns the package, if one can be
/// made here.
fn pack(program: &Path, release: &Release, output: &Path) -> Result<Option<PathBuf>, String> {
    let mut entries = contents::all(program)?;
    let own = entries.len();
    entries.push(contents::zsh(program, "site-functions")?);
    let archive = archive(&entries, release, output)?;
    println!("{}", archive.display());
    entries.truncate(own);
    let package = match tools::find("dpkg-deb") {
        None => {
            println!("no Debian package: there is no dpkg-deb");
            None
        }
        Some(_) => {
            entries.push(contents::zsh(program, "vendor-completions")?);
            Some(debian::make(&entries, release, output)?)
        }
    };
    let mut sum = Command::new("sha256sum");
    for file in [Some(&archive), package.as_ref()].into_iter().flatten() {
        sum.arg(file.file_name().unwrap_or_default());
    }
    let sums = output.join("SHA256SUMS");
    fs::write(&sums, tools::run(sum.current_dir(output))?)
        .map_err(|e| format!("{}: {e}", sums.display()))?;
    for file in package.iter().chain([&sums]) {
        println!("{}", file.display());
    }
    Ok(package)
}

/// The directory, and the archive of it.
fn archive(
    entries: &[contents::Entry],
    release: &Release,
    output: &Path,
) -> Result<PathBuf, String> {
    let name = format!("skald-{}-{}", release.version, release.host);
    let place = output.join(&name);
    let archive = output.join(format!("{name}.tar.gz"));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).map_err(|e| format!("{}: {e}", place.display()))?;
    contents::place(entries, &place)?;
    let mut tar = Command::new("tar");
    // Options that make the archive reproducible.
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"]);
    tar.arg(format!("--mtime=@{}", release.time));
    tar.arg("-C").arg(output).arg("-czf").arg(&archive).arg(&name);
    tools::run(&mut tar)?;
    Ok(archive)
}

#[cfg(test)]
mod tests {
    use super::Asked;

    #[test]
    fn what_contradicts_itself_is_not_taken() {
        let asked = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            Asked::parse(&words).is_some()
        };
        assert!(asked("") && asked("--pgo --output d") && asked("--skald s --try --root r"));
        for wrong in ["--pgo --skald s", "--root r", "--output", "--help", "--other"] {
            assert!(!asked(wrong), "{wrong}");
        }
    }
}
