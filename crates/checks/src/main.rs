//! The checks of the linker, one module for each kind; run as `cargo xtask COMMAND`.

mod asked;
mod disk;
mod distribute;
mod emulations;
mod faults;
mod fuzz;
mod hostile;
mod instructions;
mod machine_features;
mod machines;
mod other_host;
mod packages;
mod random;
mod random_lto;
mod random_scripts;
mod real;
mod repeat;
mod sanitize;
mod script_symbols;
mod test;
mod tidy;
mod tools;
mod touch;

use std::process::ExitCode;

/// The result of a command: an error is a message for the user.
type Result<T> = std::result::Result<T, String>;

/// Name and function; `xtask` has their help.
type Command = (&'static str, fn(&[String]) -> Result<()>);

const COMMANDS: &[Command] = &[
    ("test", test::run),
    ("distribute", distribute::run),
    ("emulations", emulations::run),
    ("faults", faults::run),
    ("fuzz", fuzz::run),
    ("hostile", hostile::run),
    ("instructions", instructions::run),
    ("machine-features", machine_features::run),
    ("machines", machines::run),
    ("other-host", other_host::run),
    ("random", random::run),
    ("random-lto", random_lto::run),
    ("random-scripts", random_scripts::run),
    ("repeat", repeat::run),
    ("sanitize", sanitize::run),
    ("script-symbols", script_symbols::run),
    ("tidy", tidy::run),
    (xtask::bench::floors::TOUCH, touch::run),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let wanted = arguments.first().map(String::as_str).unwrap_or_default();
    let Some((_, run)) = COMMANDS.iter().find(|(name, _)| *name == wanted) else {
        eprintln!("checks: no command '{wanted}'");
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
