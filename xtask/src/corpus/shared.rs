//! A large shared library: all of LLVM's archives under `--whole-archive`, with a version script
//! that exports what C and C++ programs link against, so that tens of thousands of names reach
//! `.dynsym`, `.gnu.hash` and `.gnu.version`.
//!
//! The proof is a program that loads the library, resolving every name at once, and builds a
//! module with it.

use super::capture::{self, RESPONSE_FILE};
use super::{PROGRAM, Workload, clang, tools};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Code generation for one machine and all of the optimizer: what a JIT embeds.
const COMPONENTS: &str = "x86 passes orcjit lto irreader linker analysis codegen option \
    debuginfodwarf debuginfopdb object symbolize extensions";

const SCRIPT: &str = "LLVM_BENCH {
  global: LLVM*; _ZN4llvm*; _ZNK4llvm*; _ZTVN4llvm*; _ZTIN4llvm*; _ZTSN4llvm*; _ZGVN4llvm*; _Z*4llvm*;
  local: *;
};
";

const LOADER: &str = r#"#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (!library) { printf("%s\n", dlerror()); return 1; }
  void *(*module)(const char *) = (void *(*)(const char *))dlsym(library, "LLVMModuleCreateWithName");
  char *(*print)(void *) = (char *(*)(void *))dlvsym(library, "LLVMPrintModuleToString", "LLVM_BENCH");
  if (!module || !print || dlsym(library, "main")) { printf("exports are wrong\n"); return 1; }
  puts(strstr(print(module("loaded")), "ModuleID = 'loaded'") ? "loaded" : "no module");
}
"#;

/// `shared`.
pub fn workloads() -> Vec<Workload> {
    vec![Workload {
        name: "shared",
        about: "LLVM as a shared library, --whole-archive, version script",
        directory: "shared",
        response: RESPONSE_FILE,
        extra: &[],
        recipe: 1,
        plugin: None,
        machine: None,
        slow: false,
        expects: PROGRAM,
        make,
        prove: loads,
    }]
}

fn make(dir: &Path) -> Result<(), String> {
    let llvm = clang::llvm()?;
    clang::link_libraries(dir, &llvm)?;
    tools::compile(&tools::cc()?, dir, "loader.c", LOADER, &["-O1", "-D_GNU_SOURCE"])?;
    tools::run(
        Command::new(tools::cc()?).current_dir(dir).args(["-o", "loader", "loader.o", "-ldl"]),
    )?;
    fs::write(dir.join("exports.map"), SCRIPT).map_err(|e| format!("exports.map: {e}"))?;

    let mut libraries = clang::llvm_libraries(&llvm, COMPONENTS)?;
    libraries.retain(|library| dir.join(library).is_file() && !library.contains("Polly"));
    let mut driver = Command::new(tools::cxx()?);
    driver.args(["-shared", "-Wl,--build-id", "-Wl,--version-script=exports.map"]);
    driver.args(["-Wl,-soname,libllvm-bench.so", "-Wl,--whole-archive"]).args(libraries);
    driver.args(["-Wl,--no-whole-archive", "-Wl,--start-group", "lib/libPolly.a"]);
    driver.args(["lib/libPollyISL.a", "-Wl,--end-group"]).args(clang::SYSTEM_LIBRARIES);
    capture::capture(dir, &mut driver)
}

fn loads(output: &Path, dir: &Path) -> Result<(), String> {
    match tools::run(Command::new(dir.join("loader")).arg(output))?.trim() {
        "loaded" => Ok(()),
        other => Err(format!("loading it printed '{other}'")),
    }
}
