//! Files of clang for ThinLTO, and a cache with the code that LLVM makes from them, so that the
//! linker's share of such a link is measured.

use super::capture::RESPONSE_FILE;
use super::{CompilerPlugin, PROGRAM, Workload, lto, tools};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The number of source files.
const FILES: usize = 300;
/// The plugin, below the corpus.
const PLUGIN: &str = "timed/LLVMgold.so";

/// `lto-thin`.
pub fn workloads() -> Vec<Workload> {
    vec![Workload {
        name: "lto-thin",
        about: "ThinLTO of 300 files of clang, with all of them in its cache",
        directory: "lto-thin",
        response: RESPONSE_FILE,
        extra: &[],
        recipe: 1,
        plugin: Some(CompilerPlugin { file: PLUGIN, has_cache: true }),
        machine: None,
        slow: false,
        expects: PROGRAM,
        make,
        prove: lto::returns_even,
    }]
}

fn make(dir: &Path) -> Result<(), String> {
    let written = |path: &Path, text: &str| {
        fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
    };
    let clang = clang()?;
    let mut names: Vec<String> = (0..FILES).map(|file| format!("f{file}.c")).collect();
    for (file, name) in names.iter().enumerate() {
        written(&dir.join(name), &lto::source(file))?;
    }
    written(&dir.join("main.c"), &lto::main_source(FILES))?;
    names.push("main.c".to_owned());
    for names in names.chunks(100) {
        let options = ["-O1", "-fPIE", "-flto=thin", "-c"];
        tools::run(Command::new(&clang).current_dir(dir).args(options).args(names))?;
    }
    let objects: Vec<String> = names.iter().map(|name| name.replace(".c", ".o")).collect();
    lto::time(dir, &plugin_of(&clang)?, PLUGIN)?;
    let options = ["-plugin-opt=O1", "-plugin-opt=jobs=2"];
    let line = lto::line(&tools::first_of(&["gcc"])?, &options, &objects)?;
    written(&dir.join(RESPONSE_FILE), &line)
}

/// The newest clang that has a plugin.
fn clang() -> Result<PathBuf, String> {
    let mut versions = (15..40).rev().map(|version| format!("clang-{version}"));
    let found = versions.find_map(|name| tools::find(&name).filter(|c| plugin_of(c).is_ok()));
    found.ok_or_else(|| "there is no clang with LLVMgold.so".to_owned())
}

/// LLVM's plugin, which is installed beside the libraries of a clang.
fn plugin_of(clang: &Path) -> Result<PathBuf, String> {
    let resources = tools::run(Command::new(clang).arg("-print-resource-dir"))?;
    let plugin = Path::new(resources.trim()).join("../../LLVMgold.so");
    plugin.canonicalize().map_err(|e| format!("{}: {e}", plugin.display()))
}
