//! Link options of the program.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A program at a fixed address needs no relocation. Otherwise some 6,000 pointers in its tables
    // would be relocated, on pages that each process would have to copy first. See
    // docs/decisions/0014-build.md.
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
        if std::env::var("CARGO_CFG_TARGET_ENV").as_deref() == Ok("gnu") {
            static_unwinder();
        }
    }
}

/// Links GCC's unwinder, which only backtraces need, statically: loading its shared library takes
/// 0.1 ms. The archive comes with every GCC; without one the program is linked as usual.
fn static_unwinder() {
    println!("cargo::rerun-if-env-changed=CC");
    if std::env::var("TARGET") != std::env::var("HOST") {
        return;
    }
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let asked = Command::new(compiler).arg("-print-file-name=libgcc_eh.a").output();
    let Ok(answer) = asked else { return };
    let answer = String::from_utf8_lossy(&answer.stdout);
    // If there is no archive, the answer is the bare name.
    if let Some(directory) = Path::new(answer.trim()).parent().filter(|path| path.is_absolute()) {
        println!("cargo::rustc-link-search=native={}", directory.display());
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
}
