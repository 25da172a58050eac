//! A debug build of a C++ program: RocksDB at `-O0 -g`, the objects linked one by one as a build
//! tree does. The sources come from the crate `librocksdb-sys`, fetched by cargo.
//!
//! Compiling takes about half an hour of CPU. It can be interrupted: objects that exist are kept.

use super::capture::{self, RESPONSE_FILE};
use super::{Expectation, PROGRAM, Workload, tools};
use crate::scratch::Scratch;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const CHECK: &str = include_str!("rocksdb_check.cc");

/// The package that carries the sources, with the version that the measurements refer to.
const PACKAGE: (&str, &str) = ("librocksdb-sys", "0.19.0");

const OPTIONS: &[&str] = &[
    "-std=c++20",
    "-g",
    "-O0",
    "-fPIC",
    "-w",
    "-DOS_LINUX",
    "-DROCKSDB_PLATFORM_POSIX",
    "-DROCKSDB_LIB_IO_POSIX",
    "-DNDEBUG",
    "-DHAVE_ALIGNED_NEW",
    "-Irocksdb",
    "-Irocksdb/include",
    "-I.",
];

const STRIPPED: &str = "link-strip-debug.rsp";

/// `cxx-debug` and `cxx-debug-stripped`.
pub fn workloads() -> Vec<Workload> {
    let workload = |name, about, response, debug| Workload {
        name,
        about,
        directory: "cxx-debug",
        response,
        extra: &[],
        recipe: 1,
        slow: true,
        expects: Expectation { debug, ..PROGRAM },
        make,
        prove: keeps_a_database,
    };
    vec![
        workload("cxx-debug", "RocksDB, -O0 -g", RESPONSE_FILE, true),
        workload("cxx-debug-stripped", "the same with --strip-debug", STRIPPED, false),
    ]
}

fn make(dir: &Path) -> Result<(), String> {
    let sources = fetch(dir)?;
    let list = sources.join("rocksdb_lib_sources.txt");
    let list = fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
    let check = dir.join("rocksdb_check.cc");
    fs::write(&check, CHECK).map_err(|e| format!("{}: {e}", check.display()))?;

    let mut units = vec![("rocksdb_check.cc".to_owned(), check)];
    units.push(("build_version.cc".to_owned(), PathBuf::from("build_version.cc")));
    let files = list.lines().map(str::trim).filter(|name| *name != "util/build_version.cc");
    units.extend(
        files
            .filter(|name| name.ends_with(".cc"))
            .map(|n| (n.replace('/', "_"), Path::new("rocksdb").join(n))),
    );

    let objects = dir.join("objects");
    fs::create_dir_all(&objects).map_err(|e| format!("{}: {e}", objects.display()))?;
    let compiler = tools::cxx()?;
    let commands = units
        .iter()
        .map(|(name, source)| (objects.join(format!("{name}.o")), source))
        .filter(|(object, _)| !object.is_file())
        .map(|(object, source)| compile(&compiler, &sources, source, &object))
        .collect();
    tools::run_all(commands)?;

    let mut driver = Command::new(compiler);
    driver.args(["-pie", "-Wl,--build-id"]);
    driver.args(units.iter().map(|(name, _)| format!("objects/{name}.o")));
    capture::capture(dir, driver.args(["-lpthread", "-ldl"]))?;
    fs::remove_dir_all(&objects).map_err(|e| format!("{}: {e}", objects.display()))?;

    let line = dir.join(RESPONSE_FILE);
    let line = fs::read_to_string(&line).map_err(|e| format!("{}: {e}", line.display()))?;
    fs::write(dir.join(STRIPPED), format!("--strip-debug\n{line}"))
        .map_err(|e| format!("{STRIPPED}: {e}"))
}

/// One compilation that leaves either a whole object or none.
fn compile(compiler: &Path, sources: &Path, source: &Path, object: &Path) -> Command {
    let unfinished = object.with_extension("o.tmp");
    let mut shell = Command::new("sh");
    shell.args(["-c", "out=$1 tmp=$2; shift 2; \"$@\" -o \"$tmp\" && mv \"$tmp\" \"$out\"", "sh"]);
    shell.arg(object).arg(unfinished).arg(compiler).args(OPTIONS).arg("-c").arg(source);
    shell.current_dir(sources);
    shell
}

/// Has cargo fetch the package; returns the directory of its sources.
fn fetch(dir: &Path) -> Result<PathBuf, String> {
    let project = dir.join("fetch");
    let (name, version) = PACKAGE;
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[lib]\npath = \
         \"lib.rs\"\n[dependencies]\n{name} = {{ version = \"={version}\", default-features = \
         false }}\n[workspace]\n"
    );
    fs::create_dir_all(&project).map_err(|e| format!("{}: {e}", project.display()))?;
    fs::write(project.join("Cargo.toml"), manifest).map_err(|e| format!("Cargo.toml: {e}"))?;
    fs::write(project.join("lib.rs"), "").map_err(|e| format!("lib.rs: {e}"))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut metadata = Command::new(cargo);
    metadata.args(["metadata", "--format-version=1"]).current_dir(&project);
    let text = tools::run(&mut metadata)?;
    let graph: serde_json::Value =
        serde_json::from_str(&text).map_err(|e| format!("cargo metadata: {e}"))?;
    let packages = graph["packages"].as_array().map_or(&[][..], Vec::as_slice);
    let package = packages.iter().find(|package| package["name"] == name);
    package
        .and_then(|package| Path::new(package["manifest_path"].as_str()?).parent())
        .map(Path::to_owned)
        .ok_or_else(|| format!("cargo metadata does not list {name}"))
}

fn keeps_a_database(output: &Path, _: &Path) -> Result<(), String> {
    let scratch = Scratch::new()?;
    let text = tools::run(Command::new(output).arg(scratch.path().join("database")))?;
    if text.contains("read back 1000 entries") {
        return Ok(());
    }
    Err(format!("it printed '{}'", text.trim()))
}
