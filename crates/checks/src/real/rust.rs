//! Rust programs: this workspace, ripgrep, and a program that uses C libraries.

use super::{Done, Place, output, skip_if_offline};
use crate::{Result, tools};
use skald_testkit::linker::{Linker, Way};
use std::path::Path;
use std::process::Command;
use xtask::{crates_io, root};

/// skald linked by the linker under test links a program to the same bytes as skald built by
/// cargo's own linker.
pub(super) fn workspace(place: &Place) -> Result<Done> {
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
        gcc.arg(format!("-B{}", linker.directory(Way::Plain).display()));
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

pub(super) fn unit_tests(place: &Place) -> Result<Done> {
    output(place.cargo("workspace", "").args(["test", "--quiet", "--workspace"]))?;
    Ok(Done::Right)
}

pub(super) fn ripgrep(place: &Place) -> Result<Done> {
    ripgrep_with(place, "ripgrep", None, "")
}

pub(super) fn ripgrep_debug(place: &Place) -> Result<Done> {
    ripgrep_with(place, "ripgrep-debug", Some("--debug"), "")
}

/// ripgrep with its build scripts and tests, from bitcode that the linker compiles with LLVM's
/// plugin.
pub(super) fn ripgrep_by_plugin(place: &Place) -> Result<Done> {
    let version = output(Command::new("rustc").args(["--version", "--verbose"]))?;
    let llvm = version.lines().find_map(|line| line.strip_prefix("LLVM version: "));
    let major = llvm.and_then(|version| version.split('.').next()).unwrap_or("unknown");
    let plugin = format!("/usr/lib/llvm-{major}/lib/LLVMgold.so");
    if !Path::new(&plugin).exists() {
        tools::install_package(&format!("llvm-{major}-linker-tools"));
    }
    if !Path::new(&plugin).exists() {
        return Ok(Done::Skipped(format!("there is no {plugin}")));
    }
    let flags = "-Clinker-plugin-lto";
    match ripgrep_with(place, "ripgrep-lto", None, flags)? {
        Done::Right => {}
        other => return Ok(other),
    }
    let source = place.directory.join("ripgrep-source");
    let unpack = format!(
        "rm -rf {0} && cp -r \"${{CARGO_HOME:-$HOME/.cargo}}\"/registry/src/*/ripgrep-{1} {0} \
         && echo '[workspace]' >>{0}/Cargo.toml",
        source.display(),
        crates_io::RIPGREP_VERSION
    );
    output(Command::new("sh").args(["-ec", &unpack]))?;
    let mut test = place.cargo("ripgrep-target", flags);
    let said = output(test.args(["test", "--release", "--locked"]).current_dir(source))?;
    match said.matches("test result: ok").count() {
        2 => Ok(Done::Right),
        other => Err(format!("{other} of its two test programs passed")),
    }
}

/// Builds ripgrep and compares its count of lines with one made here.
fn ripgrep_with(place: &Place, name: &str, profile: Option<&str>, flags: &str) -> Result<Done> {
    let installed = place.directory.join(name);
    let mut install = place.cargo("ripgrep-target", flags);
    install.args(["install", "--quiet", "--locked", "--force", "ripgrep"]).args(profile);
    install.args(["--version", crates_io::RIPGREP_VERSION, "--root"]).arg(&installed);
    if let Err(message) = output(&mut install) {
        return skip_if_offline(message);
    }
    let file = root::directory().join("crates/checks/src/real/rust.rs");
    let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
    let expected = text.lines().filter(|line| line.contains("fn ")).count();
    let mut search = Command::new(installed.join("bin/rg"));
    let found = output(search.args(["--count", "fn "]).arg(&file))?;
    if found.trim() == expected.to_string() {
        return Ok(Done::Right);
    }
    Err(format!("it counts {found}, not {expected}"))
}

pub(super) fn c_libraries(place: &Place) -> Result<Done> {
    c_libraries_with(place, "c-libraries", "")
}

pub(super) fn c_libraries_static(place: &Place) -> Result<Done> {
    c_libraries_with(place, "c-libraries-static", "-Ctarget-feature=+crt-static")
}

/// skald links itself, the result links itself, and so on: the last two generations must be the
/// same file. Only the last crate is compiled again, so a generation costs little more than its
/// link.
pub(super) fn generations(place: &Place) -> Result<Done> {
    let built = place.directory.join("generations/debug/skald");
    let mut linker = place.linker.path.clone();
    let mut previous = Vec::new();
    for generation in 1..=3 {
        let kept = place.directory.join(format!("generation-{generation}"));
        let parent = Linker::new(&linker, &place.directory.join("bin-generations"))?;
        let place = Place { directory: place.directory.clone(), linker: parent };
        // The link must be repeated, because another linker now has the same path.
        let mut clean = place.cargo("generations", "");
        output(clean.args(["clean", "--quiet", "--package", "skald"]))?;
        output(place.cargo("generations", "").args(["build", "--quiet", "--package", "skald"]))?;
        std::fs::copy(&built, &kept).map_err(|e| format!("{}: {e}", built.display()))?;
        let bytes = std::fs::read(&kept).map_err(|e| format!("{}: {e}", kept.display()))?;
        if generation == 3 && bytes != previous {
            return Err("the second and the third generation differ".to_owned());
        }
        previous = bytes;
        linker = kept;
    }
    Ok(Done::Right)
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

/// A Rust program that uses three C libraries; Lua's errors are long jumps across Rust frames.
fn c_libraries_with(place: &Place, target: &str, flags: &str) -> Result<Done> {
    let files = [("Cargo.toml", C_LIBRARIES_MANIFEST), ("src/main.rs", C_LIBRARIES_MAIN)];
    let project = place.project("c-libraries-project", &files)?;
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
