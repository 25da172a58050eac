//! The smallest programs in C, C++ and Rust: the fixed cost of a link.

use super::capture::{self, RESPONSE_FILE};
use super::{PROGRAM, Workload, tools};
use std::fs;
use std::path::Path;
use std::process::Command;

const C: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n";

const CXX: &str = r#"#include <iostream>
#include <stdexcept>
int main() {
  try { throw std::runtime_error("hello"); }
  catch (const std::exception &e) { std::cout << e.what() << std::endl; }
}
"#;

const RUST: &str = r#"fn main() {
    let caught = std::panic::catch_unwind(|| std::env::args().nth(7).map_or("hello", |_| panic!()));
    println!("{}", caught.unwrap_or("panicked"));
}
"#;

/// `hello-c`, `hello-cxx`, `hello-rust`.
pub fn workloads() -> Vec<Workload> {
    let workload = |name, about, make| Workload {
        name,
        about,
        directory: name,
        response: RESPONSE_FILE,
        extra: &[],
        recipe: 1,
        plugin: None,
        machine: None,
        slow: false,
        expects: PROGRAM,
        make,
        prove: says_hello,
    };
    vec![
        workload("hello-c", "hello world in C", |dir| compiled(dir, &tools::cc()?, "hello.c", C)),
        workload("hello-cxx", "hello world in C++, with an exception", |dir| {
            compiled(dir, &tools::cxx()?, "hello.cc", CXX)
        }),
        Workload {
            // std comes with its debug information; the C library's start files do not.
            expects: super::Expectation { debug: true, ..PROGRAM },
            ..workload("hello-rust", "hello world in Rust, dev profile", rust)
        },
    ]
}

fn compiled(dir: &Path, compiler: &Path, name: &str, source: &str) -> Result<(), String> {
    tools::compile(compiler, dir, name, source, &["-O1", "-fPIE"])?;
    capture::capture(dir, Command::new(compiler).args(["-pie", "-Wl,--build-id", "hello.o"]))
}

fn rust(dir: &Path) -> Result<(), String> {
    let source = dir.join("hello.rs");
    fs::write(&source, RUST).map_err(|e| format!("{}: {e}", source.display()))?;
    let rustc = tools::first_of(&["rustc"])?;
    let options = ["-g", "-Clinker-features=-lld", "-Clink-arg=-Wl,--build-id", "hello.rs"];
    capture::capture_with(dir, Command::new(rustc).args(options), "-Clink-arg=-B")
}

fn says_hello(output: &Path, _: &Path) -> Result<(), String> {
    match tools::run(&mut Command::new(output))?.trim() {
        "hello" => Ok(()),
        other => Err(format!("it printed '{other}' instead of 'hello'")),
    }
}
