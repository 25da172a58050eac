//! The compilers and other programs that make inputs: where they are, and running them so that a
//! failure says what was run and what it printed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A program on `PATH`.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|program| program.is_file())
}

/// The first of several programs that is on `PATH`.
///
/// # Errors
/// When none is, with the names that were tried.
pub fn first_of(names: &[&str]) -> Result<PathBuf, String> {
    let found = names.iter().find_map(|name| find(name));
    found.ok_or_else(|| format!("none of these programs was found: {}", names.join(", ")))
}

/// The C compiler.
///
/// # Errors
/// When there is none.
pub fn cc() -> Result<PathBuf, String> {
    first_of(&["cc", "gcc", "clang"])
}

/// The C++ compiler.
///
/// # Errors
/// When there is none.
pub fn cxx() -> Result<PathBuf, String> {
    first_of(&["c++", "g++", "clang++"])
}

/// The system's linker, which makes the links that are being captured.
///
/// # Errors
/// When there is none.
pub fn system_linker() -> Result<PathBuf, String> {
    first_of(&["ld", "ld.bfd", "ld.lld", "mold", "wild"])
}

/// Runs a command to its end; returns what it printed on standard output.
///
/// # Errors
/// When it cannot be started or fails; the text holds the command and the end of its messages.
pub fn run(command: &mut Command) -> Result<String, String> {
    let shown = shown(command);
    let output = command.stdin(Stdio::null()).output().map_err(|e| format!("{shown}: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    Err(format!("{shown}: {}\n{}", output.status, end_of(&messages)))
}

/// Compiles one source of this project, written into `directory` first.
///
/// # Errors
/// Those of [`run`], and of writing the source.
pub fn compile(
    compiler: &Path,
    directory: &Path,
    name: &str,
    source: &str,
    options: &[impl AsRef<OsStr>],
) -> Result<(), String> {
    let path = directory.join(name);
    std::fs::write(&path, source).map_err(|e| format!("{}: {e}", path.display()))?;
    let object = format!("{}.o", name.rsplit_once('.').map_or(name, |(stem, _)| stem));
    let mut command = Command::new(compiler);
    command.current_dir(directory).args(options).args(["-c", name, "-o", &object]);
    run(&mut command).map(drop)
}

/// Runs commands, [`jobs`] at a time. After the first failure it starts no more, and waits for the
/// running ones.
///
/// # Errors
/// That of the failed command.
pub fn run_all(commands: Vec<Command>) -> Result<(), String> {
    let total = commands.len();
    let next = AtomicUsize::new(0);
    let commands: Vec<_> = commands.into_iter().map(std::sync::Mutex::new).collect();
    let worker = || -> Result<(), String> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(command) = commands.get(at) else { return Ok(()) };
            eprint!("\r[{}/{total}]", at + 1);
            if let Err(error) = run(&mut command.lock().expect("no worker panics")) {
                next.store(total, Ordering::Relaxed);
                return Err(error);
            }
        }
    };
    let results = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs()).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().map(|w| w.join().expect("no worker panics")).collect::<Vec<_>>()
    });
    eprintln!();
    results.into_iter().collect()
}

/// How many compilations run at once: `SKALD_BENCH_JOBS`, or one per processor.
pub fn jobs() -> usize {
    std::env::var("SKALD_BENCH_JOBS")
        .ok()
        .and_then(|jobs| jobs.parse().ok())
        .or_else(|| std::thread::available_parallelism().ok().map(usize::from))
        .unwrap_or(1)
        .max(1)
}

fn shown(command: &Command) -> String {
    let words: Vec<_> = std::iter::once(command.get_program()).chain(command.get_args()).collect();
    let text = words.join(OsStr::new(" ")).to_string_lossy().into_owned();
    match text.char_indices().nth(400) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// The last lines of a long message.
pub fn end_of(messages: &str) -> String {
    let lines: Vec<_> = messages.lines().collect();
    lines[lines.len().saturating_sub(15)..].join("\n")
}
