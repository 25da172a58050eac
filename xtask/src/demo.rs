//! `cargo xtask demo`: this project's linker at work on a machine that has Rust and a C compiler.
//!
//! Three things are shown. It takes the place of the system's linker behind `cc` and behind cargo,
//! by nothing but options. The programs run, the linker linked by itself among them, and one for
//! each other machine whose cross compiler and emulator are installed. And the times of the same
//! links are compared with those of other installed linkers.

use crate::bench::linkers::{Kind, Linker, Role, peers_found};
use crate::bench::options::{Mode, Options};
use crate::bench::{report, rounds};
use crate::corpus::capture::{RESPONSE_FILE, Trap};
use crate::corpus::machine::{ARM64, I386, Machine};
use crate::corpus::{self, Expectation, Workload, synthetic, tools};
use crate::scratch::Scratch;
use crate::{crates_io, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const HELP: &str = "\
cargo xtask demo [--skald PATH]

Builds the linker, links programs with it through cc and cargo, runs them, and shows sizes and
times beside the other linkers of this machine.

  --skald PATH   a linker that is built already
";

const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n";

const ROUNDS: usize = 3;

/// Runs the task; returns the exit status.
pub fn run(arguments: &[String]) -> i32 {
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        [] => build().and_then(|path| demo(&path)),
        ["--skald", path] => {
            std::path::absolute(path).map_err(|e| e.to_string()).and_then(|p| demo(&p))
        }
        _ => {
            print!("{HELP}");
            return if words.contains(&"--help") { 0 } else { 2 };
        }
    };
    match result {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("demo: {error}");
            1
        }
    }
}

/// Builds the linker and shows cargo's messages. There is no link-time optimisation as in a release
/// build: it takes minutes and gains only some percent.
fn build() -> Result<PathBuf, String> {
    eprintln!("building the linker (release code, without link-time optimisation)");
    root::run(root::cargo().args(["build", "--profile", "demo", "--package", "skald"]))?;
    Ok(root::target().join("demo/skald"))
}

fn demo(path: &Path) -> Result<(), String> {
    let ours = Linker::at("skald", path)?;
    println!("{}\n", ours.version);
    let root = root::directory();
    let place = root.join("target/demo-links");
    fs::create_dir_all(&place).map_err(|e| format!("{}: {e}", place.display()))?;

    let mut linkers = vec![ours];
    linkers.extend(peers_found(&corpus::default_cache(), true));
    let small = Options {
        rounds: ROUNDS,
        modes: vec![Mode::First],
        cache: place.clone(),
        floors: false,
        ..Options::default()
    };
    // First the part that compiles next to nothing.
    behind_cc(path, &place)?;
    for machine in [&ARM64, &I386] {
        behind_cross_compiler(path, &place, machine)?;
    }
    synthetic::small().prepare(&place)?;
    compare(&synthetic::small(), &linkers, &small)?;

    behind_cargo(path, &root, &place)?;
    compare(&itself(), &linkers, &small)?;
    if build_ripgrep(path, &root, &place)? {
        compare(&ripgrep(), &linkers, &small)?;
    }

    // Inputs that the benchmark has made already are larger; GNU ld would take too long for them.
    linkers.retain(|linker| linker.kind != Kind::Gnu);
    let large = Options { cache: corpus::default_cache(), ..small };
    for name in ["clang-release", "rust-debug"] {
        let all = corpus::all();
        let ready = all.iter().find(|w| w.name == name && w.is_ready(&large.cache));
        ready.map_or(Ok(()), |workload| compare(workload, &linkers, &large))?;
    }
    Ok(())
}

/// `cc -B DIR hello.c`, with the linker as `DIR/ld`.
fn behind_cc(linker: &Path, place: &Path) -> Result<(), String> {
    let program = place.join("hello");
    link_hello(linker, place, &program)?;
    let size = fs::metadata(&program).map_err(|e| format!("hello: {e}"))?.len();
    println!("cc -B DIR hello.c: {size} bytes, runs\n");
    Ok(())
}

/// The same with the compiler for `machine`, if it is installed.
fn behind_cross_compiler(linker: &Path, place: &Path, machine: &Machine) -> Result<(), String> {
    let name = format!("{}-gcc", machine.triple);
    let (Ok(compiler), true) = (machine.tool("gcc"), machine.has_emulator()) else {
        println!("{name} is left out: it is not installed, or no emulator (qemu-user)\n");
        return Ok(());
    };
    let program = place.join(format!("hello-{}", machine.architecture));
    compile_hello(&compiler, linker, place, &program)?;
    says_hello(&mut machine.command(&program, &[]))?;
    let size = fs::metadata(&program).map_err(|e| format!("hello: {e}"))?.len();
    println!("{name} -B DIR hello.c: {size} bytes, runs in an emulator\n");
    Ok(())
}

/// Has the C compiler link hello world with `linker`, and runs it.
fn link_hello(linker: &Path, place: &Path, program: &Path) -> Result<(), String> {
    compile_hello(&tools::cc()?, linker, place, program)?;
    says_hello(&mut Command::new(program))
}

/// Has `compiler` compile hello world and link it with `linker`.
fn compile_hello(
    compiler: &Path,
    linker: &Path,
    place: &Path,
    program: &Path,
) -> Result<(), String> {
    let search = place.join("as-ld");
    fs::create_dir_all(&search).map_err(|e| format!("{}: {e}", search.display()))?;
    let name = search.join("ld");
    let _ = fs::remove_file(&name);
    std::os::unix::fs::symlink(linker, &name).map_err(|e| format!("{}: {e}", name.display()))?;
    let source = place.join("hello.c");
    fs::write(&source, HELLO).map_err(|e| format!("{}: {e}", source.display()))?;
    let mut compile = Command::new(compiler);
    compile.arg("-B").arg(&search).arg("-o").arg(program).arg(source);
    tools::run(&mut compile).map(drop)
}

fn says_hello(program: &mut Command) -> Result<(), String> {
    match tools::run(program)?.trim() {
        "hello" => Ok(()),
        other => Err(format!("hello.c printed '{other}'")),
    }
}

/// Flags that make rustc link with `DIR/ld`. Without the first one it calls its own lld.
const RUSTFLAGS: &str = "-Clinker-features=-lld -Clink-arg=-B";

/// A cargo whose links are made by the linker behind `trap`, those of build scripts included.
fn cargo(trap: &Trap, root: &Path, target: &Path) -> Command {
    let flags = format!("{RUSTFLAGS}{}/", trap.directory().display());
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", target).current_dir(root);
    command.env_remove("CARGO_ENCODED_RUSTFLAGS");
    command
}

/// Has cargo build the linker itself, in the dev profile, with the linker shown. The last link is
/// kept as a workload.
fn behind_cargo(linker: &Path, root: &Path, place: &Path) -> Result<(), String> {
    eprintln!("building the linker with itself");
    let dir = itself().path(place);
    fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let target = place.join("build");
    let profile = target.join("debug");
    // Removed, so that cargo links it again even if nothing changed.
    let _ = fs::remove_file(profile.join("skald"));
    for entry in fs::read_dir(profile.join(".fingerprint")).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with("skald-") {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    let trap = Trap::set(&dir, linker)?;
    root::run(cargo(&trap, root, &target).args(["build", "--package", "skald"]))?;
    let links = trap.count();
    trap.keep(&dir, "skald-")?;
    works_as_linker(&profile.join("skald"), &dir)?;
    println!(
        "RUSTFLAGS=\"{RUSTFLAGS}DIR\" cargo build: {links} links; \
         the linker linked by itself links a program that runs\n"
    );
    Ok(())
}

/// Has cargo build ripgrep from crates.io in the same way, unless an earlier run did. Returns
/// whether it is there: without a network this part is left out.
fn build_ripgrep(linker: &Path, root: &Path, place: &Path) -> Result<bool, String> {
    let dir = ripgrep().path(place);
    if dir.join(RESPONSE_FILE).is_file() {
        return Ok(true);
    }
    eprintln!("building ripgrep {}", crates_io::RIPGREP_VERSION);
    fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let trap = Trap::set(&dir, linker)?;
    let mut install = cargo(&trap, root, &place.join("build"));
    install.args(["install", "--debug", "--locked", "--force", "ripgrep"]);
    install.args(["--version", crates_io::RIPGREP_VERSION, "--root"]).arg(place.join("installed"));
    match tools::run(&mut install) {
        Ok(_) => {}
        Err(error) if crates_io::is_offline(&error) => {
            println!("ripgrep is left out: crates.io is not reached\n");
            return Ok(false);
        }
        Err(error) => return Err(error),
    }
    trap.keep(&dir, "rg-")?;
    counts_lines(&place.join("installed/bin/rg"), &dir)?;
    println!(
        "ripgrep {}: built by cargo in the same way, counts lines\n",
        crates_io::RIPGREP_VERSION
    );
    Ok(true)
}

/// The link of the linker, as captured from cargo.
fn itself() -> Workload {
    Workload {
        name: "itself",
        about: "this linker, dev profile",
        directory: "itself",
        response: RESPONSE_FILE,
        extra: &[],
        recipe: 1,
        plugin: None,
        machine: None,
        slow: false,
        expects: Expectation {
            eh_frame_hdr: true,
            build_id: true,
            symtab: true,
            debug: true,
            dynsym: true,
            folded: false,
            gdb_index: false,
        },
        make: |_| Ok(()),
        prove: works_as_linker,
    }
}

/// The link of ripgrep, as captured from cargo.
fn ripgrep() -> Workload {
    Workload {
        name: "ripgrep",
        about: "ripgrep, dev profile",
        directory: "ripgrep",
        prove: counts_lines,
        ..itself()
    }
}

/// Counts the lines of a file of the workload with ripgrep.
fn counts_lines(output: &Path, dir: &Path) -> Result<(), String> {
    let file = dir.join(RESPONSE_FILE);
    let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let counted = tools::run(Command::new(output).args(["--count", ""]).arg(&file))?;
    if counted.trim() == text.lines().count().to_string() {
        Ok(())
    } else {
        Err(format!("it counts {} lines in {}", counted.trim(), file.display()))
    }
}

fn works_as_linker(output: &Path, _: &Path) -> Result<(), String> {
    let scratch = Scratch::new()?;
    link_hello(output, scratch.path(), &scratch.path().join("hello"))
}

fn compare(workload: &Workload, linkers: &[Linker], options: &Options) -> Result<(), String> {
    let place: &PathBuf = &options.places[0];
    let tables = rounds::run(&[(workload, linkers)], Mode::First, place, options)?;
    tables.iter().for_each(|table| println!("{}", report::markdown(table)));
    let mut rows = tables.iter().flat_map(|table| &table.rows);
    let ours = rows.find(|row| row.role == Role::Ours);
    match ours.map(|row| &row.result) {
        Some(Err(error)) => Err(format!("{}: {error}", workload.name)),
        _ => Ok(()),
    }
}
