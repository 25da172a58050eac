//! A thousand objects with GCC's intermediate code alone, and the machine code that the compiler
//! made from them in advance, so that the linker's share of such a link is measured. GCC's
//! `lto-wrapper` is replaced by a program that links the finished objects into the temporary
//! directory and prints their names, which takes a few milliseconds. The rest of the plugin's own
//! time is reading the inputs.

use super::capture::RESPONSE_FILE;
use super::{CompilerPlugin, PROGRAM, Workload, tools};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Objects, and functions in each.
const OBJECTS: usize = 1000;
const FUNCTIONS: usize = 40;

/// The plugin, below the corpus.
const PLUGIN: &str = "timed/liblto_plugin.so";
/// A plugin that measures the time of another one.
const TIMED: &str = include_str!("timed_plugin.c");

/// The program that replaces `lto-wrapper`.
const WRAPPER: &str = include_str!("lto_wrapper.c");

/// `lto-gcc`.
pub fn workloads() -> Vec<Workload> {
    vec![Workload {
        name: "lto-gcc",
        about: "GCC's plugin with 1,000 objects that were compiled before",
        directory: "lto-gcc",
        response: RESPONSE_FILE,
        extra: &[],
        recipe: 2,
        plugin: Some(CompilerPlugin { file: PLUGIN, has_cache: false }),
        machine: None,
        slow: false,
        expects: PROGRAM,
        make,
        prove: returns_even,
    }]
}

fn make(dir: &Path) -> Result<(), String> {
    let written = |path: &Path, text: &str| {
        fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
    };
    let gcc = tools::first_of(&["gcc"])?;
    let mut names = Vec::new();
    for object in 0..OBJECTS {
        let name = format!("f{object}.c");
        written(&dir.join(&name), &source(object))?;
        names.push(name);
    }
    written(&dir.join("main.c"), &main_source(OBJECTS))?;
    names.push("main.c".to_owned());
    let options = ["-O1", "-fPIE", "-flto", "-fno-fat-lto-objects", "-c"];
    for names in names.chunks(100) {
        tools::run(Command::new(&gcc).current_dir(dir).args(options).args(names))?;
    }
    let objects: Vec<String> = names.iter().map(|name| name.replace(".c", ".o")).collect();
    let link = ["-O1", "-pie", "-flto=2", "-save-temps", "-fuse-ld=bfd", "-o", "all"];
    tools::run(Command::new(&gcc).current_dir(dir).args(link).args(&objects))?;
    keep_compiled(dir)?;
    tools::compile(&tools::cc()?, dir, "lto_wrapper.c", WRAPPER, &["-O1"])?;
    let program = ["-o", "lto-wrapper", "lto_wrapper.o"];
    tools::run(Command::new(&gcc).current_dir(dir).args(program))?;
    let plugin = tools::run(Command::new(&gcc).arg("-print-file-name=liblto_plugin.so"))?;
    time(dir, Path::new(plugin.trim()), PLUGIN)?;
    let options = ["-plugin-opt=./lto-wrapper", "-plugin-opt=-fresolution=/dev/null"];
    written(&dir.join(RESPONSE_FILE), &line(&gcc, &options, &objects)?)
}

/// Makes the plugin `file` of a corpus, which measures the time of `plugin`.
pub(super) fn time(dir: &Path, plugin: &Path, file: &str) -> Result<(), String> {
    let real = format!("-DREAL=\"{}\"", plugin.display());
    tools::compile(&tools::cc()?, dir, "timed_plugin.c", TIMED, &["-O1", "-fPIC", &real])?;
    let file = dir.join(file);
    let failed = |e: std::io::Error| format!("{}: {e}", file.display());
    fs::create_dir_all(file.parent().unwrap_or(dir)).map_err(failed)?;
    let mut link = Command::new(tools::cc()?);
    link.current_dir(dir).args(["-shared", "-o"]).arg(&file).arg("timed_plugin.o");
    tools::run(&mut link).map(drop)
}

/// `main`, which calls the functions of that many files.
pub(super) fn main_source(objects: usize) -> String {
    let mut main = String::new();
    for object in 0..objects {
        let _ = writeln!(main, "int f{object}(int);");
    }
    main += "int main(void) { int sum = 0;";
    for object in 0..objects {
        let _ = write!(main, " sum = f{object}(sum);");
    }
    main + " return sum & 1; }\n"
}

/// A file with functions of its own, which call each other.
pub(super) fn source(object: usize) -> String {
    let mut text = String::new();
    for function in 0..FUNCTIONS {
        let factor = function + 1;
        let _ =
            writeln!(text, "int g{object}_{function}(int x) {{ return x * {factor} + {object}; }}");
        let _ =
            writeln!(text, "static int h{object}_{function}(int x) {{ return x ^ {function}; }}");
    }
    let _ = write!(text, "int f{object}(int x) {{ int sum = x;");
    for function in 0..FUNCTIONS {
        let _ = write!(text, " sum += g{object}_{function}(h{object}_{function}(sum));");
    }
    text + " return sum; }\n"
}

/// Moves the compiled code of all objects to `compiled/`.
fn keep_compiled(dir: &Path) -> Result<(), String> {
    let to = dir.join("compiled");
    let failed = |e: std::io::Error| format!("{}: {e}", to.display());
    fs::create_dir_all(&to).map_err(failed)?;
    for entry in fs::read_dir(dir).map_err(failed)?.flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().ends_with(".ltrans.o") {
            fs::rename(entry.path(), to.join(name)).map_err(failed)?;
        }
    }
    Ok(())
}

/// The line of the link, with the start files and libraries that gcc names.
pub(super) fn line(gcc: &Path, options: &[&str], objects: &[String]) -> Result<String, String> {
    let file = |name: &str| {
        let path = tools::run(Command::new(gcc).arg(format!("-print-file-name={name}")))?;
        Ok::<PathBuf, String>(PathBuf::from(path.trim()))
    };
    let mut words: Vec<String> = [
        "--eh-frame-hdr",
        "--build-id",
        "--hash-style=gnu",
        "-dynamic-linker",
        "/lib64/ld-linux-x86-64.so.2",
        "-pie",
    ]
    .map(str::to_owned)
    .into();
    words.extend(options.iter().map(|&option| option.to_owned()));
    for name in ["Scrt1.o", "crti.o", "crtbeginS.o"] {
        words.push(file(name)?.display().to_string());
    }
    words.extend_from_slice(objects);
    for name in ["libgcc.a", "libc.so.6", "crtendS.o", "crtn.o"] {
        words.push(file(name)?.display().to_string());
    }
    Ok(words.join("\n") + "\n")
}

pub(super) fn returns_even(output: &Path, _: &Path) -> Result<(), String> {
    let status = Command::new(output).status().map_err(|e| format!("{}: {e}", output.display()))?;
    match status.code() {
        Some(0 | 1) => Ok(()),
        _ => Err(format!("it ended with {status}")),
    }
}
