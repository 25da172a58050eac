//! A Release build of clang, linked from the static libraries that Debian and Ubuntu ship
//! (packages `libclang-N-dev`, `llvm-N-dev`, `libpolly-N-dev`): 450 MB of archives, 190 MB out.
//!
//! Only a driver of 80 lines is compiled here. The proof is that the linked compiler compiles,
//! links and runs a C++ program that throws.

use super::capture::{self, RESPONSE_FILE};
use super::{Expectation, PROGRAM, Workload, tools};
use crate::scratch::Scratch;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const DRIVER: &str = include_str!("clang_driver.cc");

/// Installed versions, newest first. The driver's source follows the interfaces of these.
const VERSIONS: &[&str] = &["19"];

/// Clang's libraries that a compiler is made of, dependents first.
const CLANG_LIBRARIES: &str = "FrontendTool Frontend Driver Serialization CodeGen Parse Sema \
    StaticAnalyzerFrontend StaticAnalyzerCheckers StaticAnalyzerCore CrossTU Index APINotes \
    Analysis ARCMigrate RewriteFrontend Rewrite ExtractAPI Format InstallAPI ToolingCore \
    ToolingInclusions ToolingInclusionsStdlib Edit ASTMatchers AST Lex Support Basic";

/// LLVM's components that clang's code generation asks for.
const LLVM_COMPONENTS: &str = "all-targets analysis codegen option lto frontendopenmp \
    frontendhlsl frontenddriver instrumentation objcarcopts passes profiledata coverage \
    scalaropts transformutils irreader linker vectorize windowsdriver orcjit extensions";

/// System libraries that LLVM links to.
pub const SYSTEM_LIBRARIES: &[&str] = &["-lrt", "-ldl", "-lz3", "-lz", "-lzstd", "-lxml2", "-lm"];

const PROGRAM_TO_COMPILE: &str = r#"#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
int main() {
  std::map<std::string, int> numbers{{"a", 1}, {"b", 2}};
  int sum = 0;
  try { numbers.at("c"); } catch (const std::out_of_range &) { sum = 39; }
  for (auto &[name, number] : numbers) sum += number;
  std::cout << "sum " << sum << "\n";
}
"#;

/// Name of the file with [`PROGRAM_TO_COMPILE`].
pub const PROGRAM_FILE: &str = "program.cc";

const NOGC: &str = "link-nogc.rsp";

/// The libraries and tools that clang is linked from and with.
pub struct Toolchain {
    /// LLVM's directory, absolute or below the corpus.
    pub llvm: PathBuf,
    /// The C++ compiler.
    pub cxx: PathBuf,
    /// The linker that this compiler calls.
    pub linker: PathBuf,
    /// Options of the compiler for the link.
    pub options: Vec<String>,
}

/// `clang-release`, `clang-release-nogc` and `clang-release-icf`.
pub fn workloads() -> Vec<Workload> {
    let workload = |name, about, response| Workload {
        name,
        about,
        directory: "clang-release",
        response,
        extra: &[],
        recipe: 1,
        plugin: None,
        machine: None,
        slow: false,
        expects: PROGRAM,
        make,
        prove: compiles_a_program,
    };
    let folded = workload(
        "clang-release-icf",
        "clang, --icf=all --gc-sections -pie --build-id",
        RESPONSE_FILE,
    );
    vec![
        workload("clang-release", "clang, --gc-sections -pie --build-id", RESPONSE_FILE),
        workload("clang-release-nogc", "clang, --no-gc-sections -pie --build-id", NOGC),
        Workload {
            extra: &["--icf=all"],
            expects: Expectation { folded: true, ..PROGRAM },
            ..folded
        },
    ]
}

/// The directory of an installed LLVM with its static libraries.
pub fn llvm() -> Result<PathBuf, String> {
    let dirs = VERSIONS.iter().map(|version| PathBuf::from(format!("/usr/lib/llvm-{version}")));
    let mut complete = dirs.filter(|dir| {
        ["libclangBasic.a", "libLLVMCore.a", "libPolly.a"]
            .iter()
            .all(|library| dir.join("lib").join(library).is_file())
    });
    complete.next().ok_or_else(|| {
        "install the packages libclang-19-dev, llvm-19-dev, libpolly-19-dev, libzstd-dev and \
         zlib1g-dev \
         (apt-get install --no-install-recommends ...)"
            .into()
    })
}

/// LLVM's own libraries for `components`, as paths below `lib/`.
pub fn llvm_libraries(llvm: &Path, components: &str) -> Result<Vec<String>, String> {
    let mut config = Command::new(llvm.join("bin/llvm-config"));
    config.args(["--link-static", "--libs"]).args(components.split_whitespace());
    let words = tools::run(&mut config)?;
    let names = words.split_whitespace().filter_map(|word| word.strip_prefix("-l"));
    Ok(names.map(|name| format!("lib/lib{name}.a")).collect())
}

/// Makes `lib` in the corpus a link to the installed libraries.
pub fn link_libraries(dir: &Path, llvm: &Path) -> Result<(), String> {
    let link = dir.join("lib");
    if link.is_symlink() {
        fs::remove_file(&link).map_err(|e| format!("{}: {e}", link.display()))?;
    }
    std::os::unix::fs::symlink(llvm.join("lib"), &link)
        .map_err(|e| format!("{}: {e}", link.display()))
}

fn make(dir: &Path) -> Result<(), String> {
    let toolchain = Toolchain {
        llvm: llvm()?,
        cxx: tools::cxx()?,
        linker: tools::system_linker()?,
        options: Vec::new(),
    };
    build(dir, &toolchain)?;
    write_without_gc(dir)
}

/// Compiles the driver and captures the link.
///
/// # Errors
/// Which step failed.
pub fn build(dir: &Path, toolchain: &Toolchain) -> Result<(), String> {
    let Toolchain { llvm, cxx, linker, options } = toolchain;
    link_libraries(dir, llvm)?;
    let include = format!("-I{}", llvm.join("include").display());
    let limits = ["-D__STDC_LIMIT_MACROS", "-D__STDC_CONSTANT_MACROS", "-D__STDC_FORMAT_MACROS"];
    let compile = ["-O2", "-fPIE", "-fno-rtti", "-std=c++17", &include];
    tools::compile(cxx, dir, "driver.cc", DRIVER, &[&compile[..], &limits[..]].concat())?;

    let clang = CLANG_LIBRARIES.split_whitespace().map(|name| format!("lib/libclang{name}.a"));
    let mut libraries: Vec<String> = clang.collect();
    libraries.extend(llvm_libraries(&self::llvm()?, LLVM_COMPONENTS)?);
    libraries.retain(|library| dir.join(library).is_file());
    libraries.extend(["lib/libPolly.a", "lib/libPollyISL.a"].map(String::from));

    let program = dir.join(PROGRAM_FILE);
    fs::write(&program, PROGRAM_TO_COMPILE).map_err(|e| format!("{}: {e}", program.display()))?;
    let mut driver = Command::new(cxx);
    driver.args(options);
    driver.args(["-pie", "-Wl,--gc-sections", "-Wl,--build-id", "driver.o", "-Wl,--start-group"]);
    driver.args(libraries).arg("-Wl,--end-group").args(SYSTEM_LIBRARIES);
    capture::capture_by(dir, &mut driver, linker)
}

fn write_without_gc(dir: &Path) -> Result<(), String> {
    let path = dir.join(RESPONSE_FILE);
    let line = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let kept = line.replace("--gc-sections\n", "--no-gc-sections\n");
    fs::write(dir.join(NOGC), kept).map_err(|e| format!("{NOGC}: {e}"))
}

fn compiles_a_program(output: &Path, dir: &Path) -> Result<(), String> {
    let scratch = Scratch::new()?;
    let program = scratch.path().join("program");
    says_its_version(&mut Command::new(output))?;
    let mut compile = Command::new(output);
    compile.arg("-resource-dir").arg(resources()?).args(["-O2", "-x", "c++"]);
    compile.arg(dir.join(PROGRAM_FILE)).arg("-o").arg(&program).arg("-lstdc++");
    tools::run(&mut compile)?;
    computes_its_sum(&mut Command::new(&program))
}

/// An error unless this command starts a linked clang, which prints its version.
pub fn says_its_version(clang: &mut Command) -> Result<(), String> {
    match tools::run(clang.arg("--version"))? {
        version if version.contains("clang version") => Ok(()),
        other => Err(format!("--version printed '{}'", other.trim())),
    }
}

/// The headers that belong to the compiler. They are the same for all machines.
pub fn resources() -> Result<PathBuf, String> {
    let llvm = llvm()?;
    let mut versions = fs::read_dir(llvm.join("lib/clang"))
        .map_err(|e| format!("{}: {e}", llvm.display()))?
        .flatten();
    let resources = versions.next().ok_or("no resource directory of clang")?;
    Ok(resources.path())
}

/// An error unless this command, which starts the compiled program, prints the right sum.
pub fn computes_its_sum(program: &mut Command) -> Result<(), String> {
    match tools::run(program)?.trim() {
        "sum 42" => Ok(()),
        other => Err(format!("a program that it compiled printed '{other}' instead of 'sum 42'")),
    }
}
