//! The `skald` program: picks a linker by the name under which it is called, runs it, and exits.
//!
//! This crate has everything that belongs to a process and not to a link: the working directory,
//! standard output, signals, and exiting without freeing the tables of the link. There is one
//! flavor so far, ELF with the options of GNU ld, under the names `ld`, `ld.skald` and `skald`;
//! under any other name, `-flavor NAME` as the first option selects the flavor.
//!
//! Standard output may be a pipe that is closed early (`skald --help | head`). SIGPIPE is ignored,
//! as in every Rust program, so that the write fails instead; a closed pipe is not reported as a
//! failure.

#![cfg_attr(not(test), no_main)]

mod color;
mod run;
mod verify;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

use skald_core::diag::{Diag, Error, Failed, Result, Style, WHOLE_LINK};
use skald_core::output::SideFile;
use skald_elf::args::{Action, Options, prepare, program_name};
use skald_elf::diagnose::visual_studio;
use skald_elf::script::print::layout_in_use;
use skald_host::detach::{self, Detached, Side};
use skald_host::errors;
use skald_host::supervise::{self, Ended};

#[cfg(not(feature = "system-allocator"))]
#[global_allocator]
static ALLOCATOR: skald_core::alloc::SegmentAllocator = skald_core::alloc::SegmentAllocator;

#[cfg(not(test))]
skald_host::program!(start);

/// The program; it ends by exiting.
#[cfg_attr(test, allow(dead_code))]
fn start(mut argv: Vec<OsString>) -> i32 {
    let program = argv.first().map_or_else(|| "skald".to_owned(), |name| program_name(name));
    if argv.first().is_some_and(|name| name == skald_plugin::HOST) {
        std::process::exit(skald_plugin::serve());
    }
    if argv.first().is_some_and(|name| name == skald_host::guard::GUARD) {
        std::process::exit(skald_host::guard::serve(&argv[1..]));
    }
    if argv.get(1).is_some_and(|word| word == "-run") {
        std::process::exit(run::run(&program, &argv[2..]));
    }
    skald_core::internal_error::install(&program);
    if argv.get(1).is_some_and(|word| word == "--verify") {
        let style = Style { program, color: color::is_wanted(), ..Style::default() };
        std::process::exit(verify::run(style, &argv[2..]));
    }
    run::hand_back(&argv);
    let code = match take_flavor(&mut argv).and_then(|()| prepare(&argv)) {
        Ok(Action::Exit { options, print: text }) => {
            announce(&program, &options, text).map_or(1, |()| 0)
        }
        Ok(Action::Link { options, print: text, warnings }) => {
            let printed = announce(&program, &options, text);
            printed.map_or(1, |()| link_detached(&program, &options, warnings))
        }
        Err(Error(text)) => refuse(&program, text),
    };
    // Exits instead of returning: dropping the tables of a large link takes long, and the kernel
    // frees them anyway.
    std::process::exit(code)
}

/// Removes `-flavor NAME` from the front; fails if NAME is not a known flavor.
fn take_flavor(argv: &mut Vec<OsString>) -> Result<()> {
    if argv.get(1).is_none_or(|word| word != "-flavor") {
        return Ok(());
    }
    match argv.get(2).and_then(|name| name.to_str()) {
        Some("gnu" | "elf" | "ld" | "ld.skald") => {
            argv.drain(1..3);
            Ok(())
        }
        Some(name) => Err(Error(format!("-flavor {name}: expected gnu"))),
        None => Err(Error("-flavor: missing argument NAME".to_owned())),
    }
}

/// Calls [`link`], with `--fork` in another process; returns the exit status.
fn link_detached(program: &str, options: &Options, warnings: Vec<String>) -> i32 {
    let side = if options.fork { detach::fork().ok() } else { None };
    let detached = match side {
        Some(Side::Waiter(Ended::Exited(status))) => return status,
        Some(Side::Waiter(Ended::Killed(signal))) => supervise::die_of(signal),
        Some(Side::Worker(detached)) => Some(detached),
        None => None,
    };
    link(program, options, warnings, detached).map_or(1, |()| 0)
}

/// Changes to the directory of `-C`, reports `warnings`, and links; then, if this is a forked
/// process, `detached` ends the process that was started.
fn link(
    program: &str,
    options: &Options,
    warnings: Vec<String>,
    detached: Option<Detached>,
) -> std::result::Result<(), Failed> {
    let diag = Diag::new(style(program, options));
    for (at, text) in (0..).zip(warnings) {
        diag.warn((0, at), text);
    }
    if let Some(dir) = &options.directory
        && let Err(error) = std::env::set_current_dir(dir)
    {
        diag.error((1, 0), format!("cannot change to directory {}: {error}", dir.display()));
    }
    // Scripts may name inputs.
    let scripts = options.scripts.len() + options.mri_scripts.len();
    if options.inputs.is_empty() && scripts == 0 && options.default_script.is_none() {
        diag.error((1, 0), "no input files");
    }
    diag.checkpoint()?;
    let outcome = skald_elf::link::link(options, &diag);
    skald_host::jobs::give_back();
    if let Some(detached) = detached {
        detached.finish(i32::from(outcome.is_err()));
    }
    skald_core::process_exit::finish();
    outcome
}

fn style(program: &str, options: &Options) -> Style {
    Style {
        program: program.to_owned(),
        color: options.color.unwrap_or_else(color::is_wanted),
        error_limit: options.error_limit,
        fatal_warnings: options.fatal_warnings,
        is_silent: false,
        no_warnings: options.no_warnings,
        place: options.reports.visual_studio.then_some(visual_studio::place),
    }
}

/// Prints what comes before a link: `text`, and with `--verbose` the layout in use.
fn announce(program: &str, options: &Options, mut text: String) -> std::result::Result<(), Failed> {
    if options.reports.verbose {
        match layout_in_use(options) {
            Ok(layout) => text += &layout,
            Err(Error(error)) => {
                refuse(program, error);
                return Err(Failed);
            }
        }
    }
    print(program, &text)
}

/// Writes `text` to standard output. Fails, with a message, if it cannot be written; a closed pipe
/// is not a failure.
fn print(program: &str, text: &str) -> std::result::Result<(), Failed> {
    if text.is_empty() {
        return Ok(());
    }
    let written = SideFile::create(Path::new("-")).and_then(|mut stdout| {
        stdout.write_all(text.as_bytes())?;
        stdout.commit()
    });
    written.map_err(|error| {
        refuse(program, format!("cannot write to standard output: {}", errors::text(&error)));
        Failed
    })
}

/// Reports an error that ends the program before a link; returns the exit status.
fn refuse(program: &str, text: String) -> i32 {
    let color = color::is_wanted();
    let diag = Diag::new(Style { program: program.to_owned(), color, ..Style::default() });
    diag.error(WHOLE_LINK, text);
    i32::from(diag.checkpoint().is_err())
}
