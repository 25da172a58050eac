//! Tasks of the project, run as `cargo xtask COMMAND`.
//!
//! The demonstration is part of this program, so that a newcomer waits only for what it needs.
//! Checks are a program of their own, which is built when a check is called.

use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use xtask::{Result, bench, demo, dist, root};

/// The function of a command: it gets the command's name and arguments, and returns the exit
/// status.
type Run = fn(&str, &[String]) -> Result<i32>;

/// Name, function, one line of help.
type Task = (&'static str, Run, &'static str);

const TASKS: &[Task] = &[
    (
        "demo",
        |_, words| Ok(demo::run(words)),
        "[--skald PATH]: build skald, link real programs, compare",
    ),
    (
        "test",
        check,
        "[--real] [--against-peers] [--packages NAME...] [--linker PATH] [--machine NAME] [--verbose] \
         [FILTER]: all checks and cases",
    ),
    ("bench", |_, words| Ok(bench::run(words)), "[--help]: compare skald with the other linkers"),
    (
        "dist",
        |_, words| Ok(dist::run(words)),
        "[--pgo] [--try] [--help]: the program as it is shipped: an archive, a Debian package; with \
         --try, tried in a fresh Debian",
    ),
    (
        "instructions",
        check,
        "[--write] [--linker PATH]: compare what links cost with what is recorded",
    ),
    ("faults", check, "--linker PATH [KIND]: every system call of a link fails once, in every way"),
    (
        "fuzz",
        check,
        "[--machine NAME] [--executions COUNT] [--from NUMBER] [TARGET]: each parser, and whole links, with bytes \
         made by chance",
    ),
    (
        "hostile",
        check,
        "--linker PATH [--machine NAME] FIRST LAST: links with damaged files and all kinds of options",
    ),
    (
        "repeat",
        check,
        "--linker PATH [--perturbed PATH] [--machine NAME] [FILTER]: links again in all ways, which must give the \
         same bytes",
    ),
    (
        "random",
        check,
        "--linker PATH [--machine NAME] FIRST LAST: random programs, compared with GNU ld's",
    ),
    (
        "random-lto",
        check,
        "--linker PATH [--machine NAME] FIRST LAST: random programs of intermediate and other \
         code, compared with GNU ld's",
    ),
    ("distribute", check, "--linker PATH: ThinLTO on a remote-execution service"),
    (
        "other-host",
        check,
        "the linker is checked for a host that is not known: nothing of a system is outside of host",
    ),
    (
        "machine-features",
        check,
        "--linker PATH [--machine NAME] [FILTER]: features of the linker that are not of a machine, alone and in \
         pairs, compared with GNU ld",
    ),
    ("emulations", check, "--linker PATH: GNU ld's own scripts are parsed, and link programs"),
    (
        "random-scripts",
        check,
        "--linker PATH [--machine NAME] FIRST LAST: random linker scripts, whose links are compared with GNU ld's",
    ),
    (
        "sanitize",
        check,
        "miri|address|thread: the tests of what is unsafe interpreted, or all cases linked by a build that \
         watches itself",
    ),
    (
        "script-symbols",
        check,
        "--linker PATH [--machine NAME] [FILTER]: what a symbol means in every place of a linker \
         script, compared with GNU ld",
    ),
    ("machines", check, "--linker PATH: what the tests do for machines other than x86-64"),
    ("tidy", check, "check the rules of STYLE.md that a program can check"),
];

/// Replaces this process by the program with the checks.
fn check(name: &str, words: &[String]) -> Result<i32> {
    let program = root::checks()?;
    let mut checks = Command::new(&program);
    let are_as_shipped = |word: &String| ["--real", "--packages"].contains(&word.as_str());
    if name != "instructions" && !words.iter().any(are_as_shipped) {
        // Links of the checks are small; with this variable they use all threads nevertheless
        // (`core/par`).
        checks.env("SKALD_ALL_THREADS", "1");
    }
    Err(format!("{}: {}", program.display(), checks.arg(name).args(words).exec()))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let wanted = arguments.first().map(String::as_str).unwrap_or_default();
    let Some((_, run, _)) = TASKS.iter().find(|(name, _, _)| *name == wanted) else {
        eprintln!("usage: cargo xtask COMMAND");
        for (name, _, help) in TASKS {
            eprintln!("  {name} {help}");
        }
        return ExitCode::from(2);
    };
    match run(wanted, &arguments[1..]) {
        Ok(status) => ExitCode::from(u8::try_from(status).unwrap_or(1)),
        Err(message) => {
            eprintln!("xtask {wanted}: {message}");
            ExitCode::FAILURE
        }
    }
}
