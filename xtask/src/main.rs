//! Tasks of the project, run as `cargo xtask COMMAND`; one module each.

mod bench;
mod corpus;
mod demo;
mod instructions;
mod random;
mod real;
mod root;
mod test;
mod tidy;
mod tools;

use std::process::ExitCode;

/// What a command answers: an error is a message for a person.
type Result<T> = std::result::Result<T, String>;

/// Name, function, one line of help.
type Command = (&'static str, fn(&[String]) -> Result<()>, &'static str);

const COMMANDS: &[Command] = &[
    ("demo", run_demo, "build skald, link real programs with it, print size and times"),
    ("test", test::run, "[--real] [--linker PATH] [--verbose] [FILTER]: all checks and cases"),
    ("bench", run_bench, "[--help]: compare skald with the other linkers"),
    (
        "instructions",
        instructions::run,
        "[--write] [--linker PATH]: compare what links cost with what is recorded",
    ),
    ("random", random::run, "--linker PATH FIRST LAST: random programs, compared with GNU ld's"),
    ("tidy", tidy::run, "check the rules of STYLE.md that a program can check"),
];

fn run_bench(arguments: &[String]) -> Result<()> {
    ended(bench::run(arguments))
}

fn run_demo(arguments: &[String]) -> Result<()> {
    ended(demo::run(arguments))
}

/// The outcome of a command that printed its own messages and chose an exit status.
fn ended(status: i32) -> Result<()> {
    match status {
        0 => Ok(()),
        status => std::process::exit(status),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let wanted = arguments.first().map(String::as_str).unwrap_or_default();
    let Some((_, run, _)) = COMMANDS.iter().find(|(name, _, _)| *name == wanted) else {
        eprintln!("usage: cargo xtask COMMAND");
        for (name, _, help) in COMMANDS {
            eprintln!("  {name} {help}");
        }
        return ExitCode::from(2);
    };
    match run(&arguments[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {wanted}: {message}");
            ExitCode::FAILURE
        }
    }
}
