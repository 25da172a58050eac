//! C++: exceptions, threads, thread-local variables with destructors and functions of IFUNC, on
//! both sides of a shared library and in static programs.

use super::Target;
use crate::Result;
use crate::real::{Done, Place, output, prints};
use std::process::Command;

const LIBRARY: &str = include_str!("failing.cc");
const PROGRAM: &str = include_str!("catching.cc");

/// Compiler and linker options of each build, and whether the library is in the program.
const BUILDS: [(&str, bool); 9] = [
    ("-O0 -g", false),
    ("-O2 -Wl,-z,now,-z,pack-relative-relocs", false),
    ("-O2 -ffunction-sections -Wl,--gc-sections,--icf=all", false),
    ("-O1 -fno-plt -Wl,-Bsymbolic", false),
    ("-O2 -no-pie -fno-pie", false),
    ("-O2 -flto=auto -fno-fat-lto-objects", false),
    ("-O2 -Wl,--no-relax", false),
    ("-O2 -static -fno-pie", true),
    // The address of a function of IFUNC is taken, which i386 has in `-fPIC` alone.
    ("-O2 -static-pie -fPIC", true),
];

const EXPECTED: &str = "deep 6 6\n145 246 347 448 4\n7Failure\n42 1 none\n1.5 ff\n";

pub(super) fn prove(place: &Place, target: &Target) -> Result<Done> {
    if let Some(missing) = target.missing(&[]) {
        return Ok(Done::Skipped(missing));
    }
    let files = [("library.cc", LIBRARY), ("program.cc", PROGRAM)];
    let project = place.project(&format!("exceptions-{}", target.debian), &files)?;
    let other_dialect = format!("-O1 {}", target.other_dialect);
    for (options, is_whole) in BUILDS.into_iter().chain([(other_dialect.as_str(), false)]) {
        let gcc = |more: &[&str]| {
            let mut command = Command::new(target.program("g++"));
            command.arg(place.driver_option()).args(options.split(' ')).args(more);
            output(command.current_dir(&project))
        };
        let program = ["program.cc", "-pthread", "-o", "program"];
        if is_whole {
            gcc(&[&program[..], &["library.cc"]].concat())?;
        } else {
            gcc(&["-shared", "-fPIC", "library.cc", "-o", "libfail.so"])?;
            gcc(&[&program[..], &["libfail.so", "-Wl,-rpath,$ORIGIN"]].concat())?;
        }
        prints(&mut target.command(&project.join("program")), EXPECTED)
            .map_err(|message| format!("{options}: {message}"))?;
    }
    Ok(Done::Right)
}
