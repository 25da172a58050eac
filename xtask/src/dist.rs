//! `cargo xtask dist`: the program as it is shipped, with what belongs to it, in a directory and as
//! an archive.
//!
//! With `--pgo` it is compiled along a profile. The links that the profile is of are made here:
//! programs of three languages as compilers link them, and a generated one with debug information
//! and folding. None of them is among those that the benchmark compares.

use crate::corpus::{self, Workload, tools};
use crate::root;
use crate::scratch::Scratch;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

const HELP: &str = "\
cargo xtask dist [--pgo] [--output DIR]

Builds the program for others to use: a directory, and the same as an archive.

  --pgo          compile it along a profile of links that are made for it (three builds' time)
  --output DIR   where both go (default target/dist)
";

/// The links of the profile.
const TRAINING: [&str; 4] = ["hello-c", "hello-cxx", "hello-rust", "synthetic-32"];

/// What is linked of each.
const LINES: [&[&str]; 4] = [
    &["--threads=1"],
    &["--threads=2"],
    &["--threads=2", "--gc-sections"],
    &["--threads=2", "--gc-sections", "--icf=all"],
];

/// Times that each line is linked: small links are much of what a linker does, and little of its
/// time.
const TIMES: usize = 2;

/// Runs the task; returns the exit status.
pub fn run(arguments: &[String]) -> i32 {
    let mut is_profiled = false;
    let mut output = root::target().join("dist");
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        match (word, if word == "--output" { words.next() } else { None }) {
            ("--pgo", _) => is_profiled = true,
            ("--output", Some(directory)) => output = PathBuf::from(directory),
            _ => {
                print!("{HELP}");
                return if word == "--help" { 0 } else { 2 };
            }
        }
    }
    match make(is_profiled, &output) {
        Ok(archive) => {
            println!("{}", archive.display());
            0
        }
        Err(error) => {
            eprintln!("dist: {error}");
            1
        }
    }
}

/// Returns the archive.
fn make(is_profiled: bool, output: &Path) -> Result<PathBuf, String> {
    let host = host()?;
    let program = match is_profiled {
        true => build_along_profile(&host)?,
        false => build(&host, "plain", "")?,
    };
    pack(&program, &host, output)
}

/// The machine that this compiler makes programs for by itself.
fn host() -> Result<String, String> {
    let told = tools::run(Command::new("rustc").arg("-vV"))?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".into())
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
    // Where it stays the same: its path is part of what cargo builds anew for.
    let profile = root::target().join("dist/profile.profdata");
    let mut merge = Command::new(profdata);
    merge.arg("merge").arg("-o").arg(&profile);
    let entries = fs::read_dir(&raw).map_err(|e| format!("{}: {e}", raw.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort_unstable();
    tools::run(merge.args(files))?;
    build(host, "profiled", &format!("-Cprofile-use={}", profile.display()))
}

/// The program of this compiler that joins profiles; installed if it is not there.
fn profdata(host: &str) -> Result<PathBuf, String> {
    let sysroot = tools::run(Command::new("rustc").args(["--print", "sysroot"]))?;
    let tool = Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin/llvm-profdata");
    if !tool.is_file() {
        tools::run(Command::new("rustup").args(["component", "add", "llvm-tools"]))?;
    }
    Ok(tool)
}

/// Links what the profile is of.
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
            // The second time the output is there.
            link.arg("-o").arg(scratch.join("out")).current_dir(workload.path(&cache));
            tools::run(&mut link)?;
        }
    }
    Ok(())
}

/// Puts everything in its place below `output`.
fn pack(program: &Path, host: &str, output: &Path) -> Result<PathBuf, String> {
    let name = format!("skald-{}-{host}", env!("CARGO_PKG_VERSION"));
    let place = output.join(&name);
    let archive = output.join(format!("{name}.tar.gz"));
    let fill = || -> io::Result<()> {
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(place.join("bin"))?;
        fs::copy(program, place.join("bin/skald"))?;
        let distributor = program.with_file_name("skald-distribute");
        fs::copy(distributor, place.join("bin/skald-distribute"))?;
        std::os::unix::fs::symlink("skald", place.join("bin/ld.skald"))?;
        for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            fs::copy(root::directory().join(file), place.join(file))?;
        }
        Ok(())
    };
    fill().map_err(|e| format!("{}: {e}", place.display()))?;
    let mut tar = Command::new("tar");
    // The same archive of the same files.
    tar.args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.arg("-C").arg(output).arg("-czf").arg(&archive).arg(&name);
    tools::run(&mut tar)?;
    Ok(archive)
}
