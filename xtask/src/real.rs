//! `cargo xtask test --real`: programs that people use, linked by the linker under test.
//!
//! The workspace itself and its unit tests, a program from crates.io, and a program that holds
//! SQLite, Lua and zstd in C, in a dynamic and a static build. Each must build and then do its
//! work. What cannot be downloaded is skipped.

use crate::{Result, root};
use skald_testkit::linker::{Linker, Threads};
use skald_testkit::suite::Counts;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One program: a name and what builds and tries it.
type Program = (&'static str, fn(&Place) -> Result<Done>);

/// How a program ended, if not by an error.
enum Done {
    Right,
    Skipped(String),
}

/// Where programs are built, and the linker that links them.
struct Place {
    directory: PathBuf,
    linker: Linker,
}

/// The version of ripgrep that is built.
pub const RIPGREP_VERSION: &str = "14.1.1";

const PROGRAMS: [Program; 5] = [
    ("workspace", workspace),
    ("unit tests", unit_tests),
    ("ripgrep", ripgrep),
    ("C libraries", c_libraries),
    ("C libraries, static", c_libraries_static),
];

/// Runs all programs with the linker at `path`, printing one line each.
pub fn run(path: &Path) -> Result<Counts> {
    let directory = root::directory().join("target/real");
    std::fs::create_dir_all(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    let linker = Linker::new(path, &directory.join("bin"))?;
    let place = Place { directory, linker };
    let mut counts = Counts::default();
    for (name, program) in PROGRAMS {
        match program(&place) {
            Ok(Done::Right) => {
                println!("ok   real/{name}");
                counts.passed += 1;
            }
            Ok(Done::Skipped(reason)) => {
                println!("skip real/{name}: {reason}");
                counts.skipped += 1;
            }
            Err(message) => {
                println!("FAIL real/{name}: {message}");
                counts.failed += 1;
            }
        }
    }
    println!("real: {counts}");
    Ok(counts)
}

impl Place {
    /// A cargo whose links go through the linker, with its own target directory.
    fn cargo(&self, target: &str, more_flags: &str) -> Command {
        let directory = self.linker.directory(Threads::Default);
        let flags = format!("-Clinker=gcc -Clink-arg=-B{} {more_flags}", directory.display());
        let mut command = root::cargo();
        command.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", self.directory.join(target));
        command
    }
}

/// The program's standard output; an error unless it succeeds.
fn output(command: &mut Command) -> Result<String> {
    let name = format!("{command:?}");
    let output = command.stdin(Stdio::null()).output().map_err(|e| format!("{name}: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    Err(format!("{name}: {}\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// skald linked by the linker under test links a program to the same bytes as skald built by
/// cargo's own linker.
fn workspace(place: &Place) -> Result<Done> {
    output(place.cargo("workspace", "").args(["build", "--quiet", "--package", "skald"]))?;
    output(root::cargo().args(["build", "--quiet", "--package", "skald"]))?;
    let source = place.directory.join("hello.c");
    let object = place.directory.join("hello.o");
    let text = "#include <stdio.h>\nint main(void) { puts(\"hello\"); }\n";
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    output(Command::new("gcc").arg("-c").arg(&source).arg("-o").arg(&object))?;
    let link = |skald: &Path, name: &str| -> Result<Vec<u8>> {
        let linker = Linker::new(skald, &place.directory.join(name))?;
        let program = place.directory.join("hello");
        let mut gcc = Command::new("gcc");
        gcc.arg(format!("-B{}", linker.directory(Threads::Default).display()));
        output(gcc.arg(&object).arg("-o").arg(&program))?;
        match output(&mut Command::new(&program))?.as_str() {
            "hello\n" => std::fs::read(&program).map_err(|e| e.to_string()),
            other => Err(format!("hello prints {other:?}")),
        }
    };
    let ours = link(&place.directory.join("workspace/debug/skald"), "bin-ours")?;
    let theirs = link(&root::target().join("debug/skald"), "bin-theirs")?;
    if ours == theirs { Ok(Done::Right) } else { Err("it links to other bytes".to_owned()) }
}

fn unit_tests(place: &Place) -> Result<Done> {
    output(place.cargo("workspace", "").args(["test", "--quiet", "--workspace"]))?;
    Ok(Done::Right)
}

/// Builds ripgrep and lets it count lines that are counted here too.
fn ripgrep(place: &Place) -> Result<Done> {
    let installed = place.directory.join("ripgrep");
    let mut install = place.cargo("ripgrep-target", "");
    install.args(["install", "--quiet", "--locked", "--force", "ripgrep"]);
    install.args(["--version", RIPGREP_VERSION, "--root"]).arg(&installed);
    if let Err(message) = output(&mut install) {
        return skip_if_offline(message);
    }
    let file = root::directory().join("xtask/src/real.rs");
    let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
    let expected = text.lines().filter(|line| line.contains("fn ")).count();
    let mut search = Command::new(installed.join("bin/rg"));
    let found = output(search.args(["--count", "fn "]).arg(&file))?;
    if found.trim() == expected.to_string() {
        return Ok(Done::Right);
    }
    Err(format!("it counts {found}, not {expected}"))
}

fn c_libraries(place: &Place) -> Result<Done> {
    c_libraries_with(place, "c-libraries", "")
}

fn c_libraries_static(place: &Place) -> Result<Done> {
    c_libraries_with(place, "c-libraries-static", "-Ctarget-feature=+crt-static")
}

const C_LIBRARIES_MANIFEST: &str = r#"[package]
name = "c-libraries"
version = "0.0.0"
edition = "2021"

[workspace]

[dependencies]
mlua = { version = "=0.10.5", features = ["lua54", "vendored"] }
rusqlite = { version = "=0.32.1", features = ["bundled"] }
zstd = "=0.13.3"
"#;

const C_LIBRARIES_MAIN: &str = r#"
fn main() {
    let database = rusqlite::Connection::open_in_memory().unwrap();
    database.execute_batch("create table t(x); insert into t values (20), (22);").unwrap();
    let sum: i64 = database.query_row("select sum(x) from t", [], |row| row.get(0)).unwrap();
    let lua = mlua::Lua::new();
    let lua_sum: i64 = lua.load("local s = 0 for i = 1, 6 do s = s + 2 * i end return s").eval().unwrap();
    let packed = zstd::encode_all(&[7u8; 100_000][..], 3).unwrap();
    let unpacked = zstd::decode_all(&packed[..]).unwrap();
    let failure = lua.load("error('caught')").exec().is_err();
    println!("{sum} {lua_sum} {} {failure}", unpacked.len());
}
"#;

/// A Rust program around three libraries of C; Lua's errors are long jumps over its frames.
fn c_libraries_with(place: &Place, target: &str, flags: &str) -> Result<Done> {
    let project = place.directory.join("c-libraries-project");
    std::fs::create_dir_all(project.join("src")).map_err(|e| e.to_string())?;
    for (name, text) in [("Cargo.toml", C_LIBRARIES_MANIFEST), ("src/main.rs", C_LIBRARIES_MAIN)] {
        std::fs::write(project.join(name), text).map_err(|e| e.to_string())?;
    }
    let mut build = place.cargo(target, flags);
    build.args(["build", "--quiet", "--target", "x86_64-unknown-linux-gnu"]);
    if let Err(message) = output(build.current_dir(&project)) {
        return skip_if_offline(message);
    }
    let program = place.directory.join(target).join("x86_64-unknown-linux-gnu/debug/c-libraries");
    match output(&mut Command::new(program))?.as_str() {
        "42 42 100000 true\n" => Ok(Done::Right),
        other => Err(format!("it prints {other:?}")),
    }
}

/// No network is no fault of the linker.
fn skip_if_offline(message: String) -> Result<Done> {
    match is_offline(&message) {
        true => Ok(Done::Skipped("crates.io is not reached".to_owned())),
        false => Err(message),
    }
}

/// Whether what cargo printed means that it could not download something.
pub fn is_offline(message: &str) -> bool {
    let signs = ["failed to download", "Could not resolve", "failed to fetch", "Couldn't connect"];
    signs.iter().any(|sign| message.contains(sign))
}
