//! `cargo xtask emulations [--linker PATH]`: GNU ld's own scripts.
//!
//! Each GNU ld of this machine, with each of its emulations and the options that choose among its
//! scripts, prints a script: all of them are parsed. Those for x86-64 link programs in C and C++,
//! dynamic, static, position-independent, large, a library and `-r`, which have to run.

use crate::Result;
use crate::tools::is_installed;
use skald_elf::script::text_script::{self, Script};
use skald_testkit::suite::Counts;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Options by which GNU ld chooses a script (`set_output_arch` and `GLDPUT_GET_SCRIPT` in its
/// `emultempl/elf.em`).
const KINDS: &[&str] = &["", "-r", "-Ur", "-N", "-n", "-shared", "-pie"];
const VARIANTS: &[&str] = &[
    "",
    "-z separate-code",
    "-z noseparate-code",
    "-z nocombreloc",
    "-z combreloc -z now",
    "-z relro -z now -z separate-code",
    "-z norelro -z noseparate-code",
];

/// A program that is linked with a script: compiler and its options, options of the link, and the
/// options for which the script was printed.
struct Program {
    name: &'static str,
    compiler: &'static [&'static str],
    source: &'static str,
    options: &'static [&'static str],
    kind: &'static str,
}

const C: &str = "int puts(const char *); int main(void) { return puts(\"hello\") < 0; }\n";
/// Without the C library, whose static programs need their headers in memory.
const BARE: &str =
    "static char text[] = \"hello\\n\"; static long call(long n, long a, long b, long c) {
  long r; __asm__ volatile(\"syscall\" : \"=a\"(r) : \"a\"(n), \"D\"(a), \"S\"(b), \"d\"(c)
    : \"rcx\", \"r11\", \"memory\"); return r; }
void _start(void) { call(1, 1, (long)text, 6); call(60, 0, 0, 0); }\n";
const CXX: &str = "#include <iostream>\n#include <stdexcept>\n
thread_local int counter = 3; struct Early { Early() { ++counter; } } early;
int main() { try { throw std::runtime_error(\"hello\"); }
  catch (std::exception &e) { std::cout << (counter ? e.what() : \"\") << std::endl; } }\n";

const PROGRAMS: &[Program] = &[
    Program { name: "c", compiler: &["gcc"], source: C, options: &["-no-pie"], kind: "" },
    Program { name: "static", compiler: &["gcc"], source: C, options: &["-static"], kind: "" },
    Program {
        name: "pie",
        compiler: &["gcc", "-fPIE"],
        source: C,
        options: &["-pie"],
        kind: "-pie",
    },
    Program {
        name: "cxx",
        compiler: &["clang++-19", "g++"],
        source: CXX,
        options: &["-no-pie"],
        kind: "",
    },
    Program {
        name: "cxx-pie",
        compiler: &["clang++-19", "g++"],
        source: CXX,
        options: &["-pie"],
        kind: "-pie",
    },
    Program {
        name: "large",
        compiler: &["gcc", "-mcmodel=large", "-fno-pie"],
        source: C,
        options: &["-no-pie"],
        kind: "",
    },
    Program {
        name: "omagic",
        compiler: &["gcc", "-fno-pie", "-fno-stack-protector"],
        source: BARE,
        options: &["-static", "-nostdlib", "-Wl,-N"],
        kind: "-N",
    },
    Program {
        name: "nmagic",
        compiler: &["gcc", "-fno-pie", "-fno-stack-protector"],
        source: BARE,
        options: &["-static", "-nostdlib", "-Wl,-n"],
        kind: "-n",
    },
    Program {
        name: "shared",
        compiler: &["gcc", "-fPIC"],
        source: C,
        options: &[],
        kind: "-shared",
    },
    Program { name: "relocatable", compiler: &["gcc"], source: C, options: &[], kind: "-r" },
];

/// The command.
pub fn run(words: &[String]) -> Result<()> {
    let linker = match words {
        [option, path] if option == "--linker" => PathBuf::from(path),
        _ => return Err("emulations --linker PATH".to_owned()),
    };
    let counts = check(&linker)?;
    println!("emulations: {counts}");
    if counts.failed > 0 { Err(format!("{} failed", counts.failed)) } else { Ok(()) }
}

/// Parses all scripts, and links programs with those of this machine.
pub fn check(linker: &Path) -> Result<Counts> {
    let scripts = printed();
    let mut counts = Counts::default();
    for (text, from) in &scripts {
        match Script::parse("script", text.as_bytes(), &text_script::nothing) {
            Ok(_) => counts.passed += 1,
            Err(error) => {
                println!("FAIL script of {from}: {error}");
                counts.failed += 1;
            }
        }
    }
    println!("{} different scripts are parsed", scripts.len());
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let links = Links { linker, directory: directory.path() };
    let jobs = PROGRAMS.iter().flat_map(|program| VARIANTS.iter().map(move |v| (program, *v)));
    let failures = on_all_processors(jobs.collect(), |(program, variant)| {
        links.check(program, variant).err().map(|e| format!("{} {variant}: {e}", program.name))
    });
    counts.passed += PROGRAMS.len() * VARIANTS.len() - failures.len();
    counts.failed += failures.len();
    failures.iter().for_each(|failure| println!("FAIL {failure}"));
    Ok(counts)
}

/// Runs `work` on each of `all`; what it returns.
fn on_all_processors<T: Copy + Sync, R: Send>(
    all: Vec<T>,
    work: impl Fn(T) -> Option<R> + Sync,
) -> Vec<R> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = work(one);
                    found.lock().expect("no worker panics").extend(result);
                }
            });
        }
    });
    found.into_inner().expect("no worker panics")
}

/// All scripts of all GNU ld programs on this system, and the origin of each.
fn printed() -> BTreeMap<String, String> {
    let linkers = linkers();
    let mut asked = Vec::new();
    for linker in &linkers {
        for emulation in emulations_of(linker) {
            for kind in KINDS {
                asked.extend(VARIANTS.iter().map(|v| (linker, emulation.clone(), *kind, *v)));
            }
        }
    }
    let asked: Vec<_> = asked.iter().collect();
    let scripts = on_all_processors(asked, |(linker, emulation, kind, variant)| {
        let words = format!("-m {emulation} {kind} {variant}");
        Some((script_of(linker, &words)?, format!("{} {words}", linker.display())))
    });
    let mut scripts: BTreeMap<String, String> = scripts.into_iter().collect();
    scripts.extend(installed());
    scripts
}

/// Programs called `ld` or `MACHINE-ld`.
fn linkers() -> BTreeSet<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let directories = std::env::split_paths(&path).filter_map(|d| std::fs::read_dir(d).ok());
    let files = directories.flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let is_linker = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name == "ld" || name.ends_with("-ld")
    };
    // Several names may be one program.
    files.filter(is_linker).filter_map(|path| path.canonicalize().ok()).collect()
}

/// The scripts that are installed as files.
fn installed() -> Vec<(String, String)> {
    let roots = ["/usr/lib", "/usr", "/usr/lib/x86_64-linux-gnu"];
    let below = roots.iter().filter_map(|root| std::fs::read_dir(root).ok()).flatten();
    let below = below.filter_map(|entry| Some(entry.ok()?.path()));
    let directories = below.flat_map(|path| [path.join("ldscripts"), path.join("lib/ldscripts")]);
    let directories = directories.filter_map(|path| std::fs::read_dir(path).ok()).flatten();
    let files = directories.filter_map(|entry| Some(entry.ok()?.path()));
    let files = files.filter_map(|path| {
        Some((std::fs::read_to_string(&path).ok()?, path.display().to_string()))
    });
    files.collect()
}

fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(text)
}

fn emulations_of(linker: &Path) -> Vec<String> {
    let text = output(Command::new(linker).arg("-V")).unwrap_or_default();
    let list = text.split_once("Supported emulations:").map_or("", |(_, list)| list);
    list.split_whitespace().map(str::to_owned).collect()
}

/// The script that GNU ld has for these words; `None` if it refuses them.
fn script_of(linker: &Path, words: &str) -> Option<String> {
    let text = output(Command::new(linker).args(words.split_whitespace()).arg("--verbose"))?;
    let (_, script) = text.split_once("\n====")?;
    let (script, _) = script.split_once('\n')?.1.rsplit_once("\n====")?;
    Some(script.to_owned())
}

/// Links of programs.
struct Links<'a> {
    linker: &'a Path,
    directory: &'a Path,
}

impl Links<'_> {
    /// Links a program with the script for its options and runs it.
    fn check(&self, program: &Program, variant: &str) -> Result<()> {
        let own = format!("{}{}", program.name, variant.replace(' ', ""));
        let directory = self.directory.join(own);
        std::fs::create_dir(&directory).map_err(|e| e.to_string())?;
        let write = |name: &str, text: &str| {
            std::fs::write(directory.join(name), text).map_err(|e| format!("{name}: {e}"))
        };
        let words = format!("-m elf_x86_64 {} {variant}", program.kind);
        let script = script_of(Path::new("ld"), &words).ok_or("ld prints no script")?;
        write("script.ld", &script)?;
        let is_cxx = program.source == CXX;
        write(if is_cxx { "a.cc" } else { "a.c" }, program.source)?;
        let linker = self.linker.canonicalize().map_err(|e| e.to_string())?;
        std::os::unix::fs::symlink(linker, directory.join("ld")).map_err(|e| e.to_string())?;
        let (&first, rest) = program.compiler.split_first().ok_or("no compiler")?;
        // The second word may be another compiler, which is used if the first one is not installed.
        let (compiler, options) = match rest {
            [other, rest @ ..] if !other.starts_with('-') => {
                (if is_installed(first) { first } else { other }, rest)
            }
            rest => (first, rest),
        };
        let source = if is_cxx { "a.cc" } else { "a.c" };
        let run = |words: &[&str]| execute(&directory, compiler, words);
        run(&[options, &["-O1", "-c", source, "-o", "a.o"]].concat())?;
        let of_variant = variant.replace("-z ", "-Wl,-z,");
        let with_script: Vec<&str> =
            of_variant.split_whitespace().chain(["-Wl,-T,script.ld", "-B."]).collect();
        match program.kind {
            "-r" => {
                run(&[&with_script[..], &["-r", "a.o", "-o", "b.o"]].concat())?;
                run(&["-B.", "b.o", "-o", "program"])?;
            }
            "-shared" => {
                write("b.c", "int hello(void); int main(void) { return hello(); }\n")?;
                run(&["-Dmain=hello", "-fPIC", "-c", "a.c", "-o", "a.o"])?;
                run(&[&with_script[..], &["-shared", "a.o", "-o", "libhello.so"]].concat())?;
                run(&["-B.", "b.c", "libhello.so", "-Wl,-rpath,$ORIGIN", "-o", "program"])?;
            }
            _ => run(&[program.options, &with_script, &["a.o", "-o", "program"]].concat())?,
        }
        let printed = output(&mut Command::new(directory.join("program")));
        match printed.as_deref() {
            Some("hello\n") => Ok(()),
            other => Err(format!("the program prints {other:?}")),
        }
    }
}

fn execute(directory: &Path, program: &str, words: &[&str]) -> Result<()> {
    let mut command = Command::new(program);
    command.args(words).current_dir(directory).stdin(Stdio::null());
    let output = command.output().map_err(|e| format!("{program}: {e}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}
