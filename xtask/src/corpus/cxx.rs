//! A debug build of a C++ program: RocksDB at `-O0 -g`, the objects linked one by one as a build
//! tree does. The sources come from the crate `librocksdb-sys`, fetched by cargo.
//!
//! It is built in three ways: with plain `-g`, with the lists of names from which an index for gdb
//! is built (`-ggnu-pubnames`), and with most of the debug information in files beside the objects
//! (`-gsplit-dwarf`). The last has the lists too. An object names its file by a path relative to
//! the directory of its compilation. So that directory is recorded as the corpus' final one, and
//! the files stay where they were made, so that gdb and `dwp` find them.
//!
//! The first is also built for AArch64, and proven in an emulator.
//!
//! Compiling takes about half an hour of CPU each. It can be interrupted: objects that exist are
//! kept.

use super::capture::{self, RESPONSE_FILE};
use super::machine::{ARM64, Machine};
use super::{Expectation, PROGRAM, Workload, settled, tools};
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

/// The parts of the package that are compiled, by symbolic links in the directory of the
/// compilation.
const SOURCES: &[&str] = &["rocksdb", "build_version.cc"];

/// A way of building the objects.
struct Build {
    /// Options besides [`OPTIONS`].
    options: &'static [&'static str],
    /// The machine, if it is not this one.
    machine: Option<&'static Machine>,
}

const PLAIN: Build = Build { options: &[], machine: None };

/// Where objects are made, and where their files of debug information stay.
const OBJECTS: &str = "objects";

const STRIPPED: &str = "link-strip-debug.rsp";

/// `cxx-debug`, also with further link options, `cxx-debug-pubnames` and `cxx-debug-split`; each
/// with an index for gdb and without; and `cxx-debug-arm64`.
pub fn workloads() -> Vec<Workload> {
    let plain = || Workload {
        name: "cxx-debug",
        about: "RocksDB, -O0 -g",
        directory: "cxx-debug",
        response: RESPONSE_FILE,
        extra: &[],
        recipe: 1,
        plugin: None,
        machine: None,
        slow: true,
        expects: Expectation { debug: true, ..PROGRAM },
        make: |dir| make(dir, &PLAIN),
        prove: |output, _| keeps_a_database(Command::new(output)),
    };
    let linked = |name, about, extra| Workload { name, about, extra, ..plain() };
    let stripped = Workload {
        name: "cxx-debug-stripped",
        about: "the same with --strip-debug",
        response: STRIPPED,
        expects: PROGRAM,
        ..plain()
    };
    let pubnames = || Workload {
        name: "cxx-debug-pubnames",
        about: "RocksDB, -O0 -g -ggnu-pubnames",
        directory: "cxx-debug-pubnames",
        make: |dir| make(dir, &Build { options: &["-ggnu-pubnames"], ..PLAIN }),
        ..plain()
    };
    let split = || Workload {
        name: "cxx-debug-split",
        about: "RocksDB, -O0 -g -gsplit-dwarf",
        directory: "cxx-debug-split",
        make: |dir| make(dir, &Build { options: &["-gsplit-dwarf"], ..PLAIN }),
        ..plain()
    };
    let arm64 = Workload {
        name: "cxx-debug-arm64",
        about: "RocksDB for AArch64, -O0 -g",
        directory: "cxx-debug-arm64",
        machine: Some(&ARM64),
        make: |dir| make(dir, &Build { machine: Some(&ARM64), ..PLAIN }),
        prove: |output, _| keeps_a_database(ARM64.command(output, &[])),
        ..plain()
    };
    let zstd = &["--compress-debug-sections=zstd"];
    let zlib = &["--compress-debug-sections=zlib"];
    vec![
        plain(),
        stripped,
        plain().with_index("cxx-debug-index"),
        linked("cxx-debug-zstd", "the same with --compress-debug-sections=zstd", zstd),
        linked("cxx-debug-zlib", "the same with --compress-debug-sections=zlib", zlib),
        pubnames(),
        pubnames().with_index("cxx-debug-pubnames-index"),
        split(),
        split().with_index("cxx-debug-split-index"),
        arm64,
    ]
}

/// Compiles, links, and keeps the link.
fn make(dir: &Path, build: &Build) -> Result<(), String> {
    let sources = fetch(dir)?;
    let list = sources.join("rocksdb_lib_sources.txt");
    let list = fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
    for name in SOURCES {
        link(&sources.join(name), &dir.join(name))?;
    }
    let check = dir.join("rocksdb_check.cc");
    fs::write(&check, CHECK).map_err(|e| format!("{}: {e}", check.display()))?;

    let files = list.lines().map(str::trim).filter(|name| name.ends_with(".cc"));
    let files = files.filter(|name| *name != "util/build_version.cc");
    let mut units =
        ["rocksdb_check.cc", "build_version.cc"].map(|n| (n.to_owned(), n.into())).to_vec();
    units.extend(files.map(|name| (name.replace('/', "_"), format!("rocksdb/{name}"))));

    let objects = dir.join(OBJECTS);
    fs::create_dir_all(&objects).map_err(|e| format!("{}: {e}", objects.display()))?;
    let (compiler, linker) = match build.machine {
        Some(machine) => (machine.cxx()?, machine.tool("ld")?),
        None => (tools::cxx()?, tools::system_linker()?),
    };
    let object = |name: &str| format!("{OBJECTS}/{name}.o");
    let missing = units.iter().filter(|(name, _)| !dir.join(object(name)).is_file());
    let compilations = missing.map(|(name, source)| {
        let mut compilation = compile(&compiler, source, &object(name), build.options);
        compilation.arg(at_its_place(dir)).current_dir(dir);
        compilation
    });
    tools::run_all(compilations.collect())?;

    let mut driver = Command::new(compiler);
    driver.args(build.machine.map_or(&[][..], |machine| machine.options));
    driver.args(["-pie", "-Wl,--build-id"]).args(units.iter().map(|(name, _)| object(name)));
    capture::capture_by(dir, driver.args(["-lpthread", "-ldl"]), &linker)?;
    for (name, _) in &units {
        let object = dir.join(object(name));
        fs::remove_file(&object).map_err(|e| format!("{}: {e}", object.display()))?;
    }

    let line = dir.join(RESPONSE_FILE);
    let line = fs::read_to_string(&line).map_err(|e| format!("{}: {e}", line.display()))?;
    fs::write(dir.join(STRIPPED), format!("--strip-debug\n{line}"))
        .map_err(|e| format!("{STRIPPED}: {e}"))
}

/// Makes `to` a symbolic link.
fn link(target: &Path, to: &Path) -> Result<(), String> {
    let _ = fs::remove_file(to);
    std::os::unix::fs::symlink(target, to).map_err(|e| format!("{}: {e}", to.display()))
}

/// The option that makes objects record the corpus' final directory as that of their compilation.
fn at_its_place(dir: &Path) -> String {
    format!("-fdebug-prefix-map={}={}", dir.display(), settled(dir).display())
}

/// One compilation that leaves either a whole object or none.
fn compile(compiler: &Path, source: &str, object: &str, more: &[&str]) -> Command {
    let unfinished = format!("{object}.tmp");
    let mut shell = Command::new("sh");
    shell.args(["-c", "out=$1 tmp=$2; shift 2; \"$@\" -o \"$tmp\" && mv \"$tmp\" \"$out\"", "sh"]);
    shell.args([object, &unfinished]).arg(compiler).args(OPTIONS).args(more).args(["-c", source]);
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

fn keeps_a_database(mut program: Command) -> Result<(), String> {
    let scratch = Scratch::new()?;
    let text = tools::run(program.arg(scratch.path().join("database")))?;
    if text.contains("read back 1000 entries") {
        return Ok(());
    }
    Err(format!("it printed '{}'", text.trim()))
}
