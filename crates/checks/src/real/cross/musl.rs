//! C with musl, Debian's files for the machine: threads, thread-local variables and constructors on
//! both sides of a shared library, in static programs, and in those that relocate themselves.

use super::Target;
use crate::Result;
use crate::real::{Done, Place, debian, output, prints, skip_if_offline};
use std::path::Path;
use std::process::Command;

const LIBRARY: &str = include_str!("calls.c");
const PROGRAM: &str = include_str!("callers.c");

/// Compiler and linker options of each build, and whether the library is in the program.
const BUILDS: [(&str, bool); 7] = [
    ("-O0 -g", false),
    ("-O2 -Wl,-z,now", false),
    ("-O2 -no-pie -fno-pie", false),
    ("-O2 -ffunction-sections -Wl,--gc-sections,--icf=all", false),
    ("-O2 -static -fno-pie", true),
    ("-O2 -static-pie -fPIE", true),
    ("-O2 -static-pie -fPIE -Wl,--no-relax", true),
];

const EXPECTED: &str = "44 54 64 74 main 0\n41 1 1 1.414 No such file or directory\nexit\n";

/// The compiler's description of a system, with files of musl in place of those of GNU's C library.
const SPECS: &str = "%rename cpp_options old_cpp_options

*cpp_options:
-nostdinc -isystem INCLUDE -isystem include%s %(old_cpp_options)

*link_libgcc:
-LSHARED -LSTATIC -L .%s

*libgcc:
libgcc.a%s libgcc_eh.a%s

*startfile:
%{static-pie:STATIC/rcrt1.o; !shared:STATIC/Scrt1.o} STATIC/crti.o crtbeginS.o%s

*endfile:
crtendS.o%s STATIC/crtn.o

*link:
-nostdlib %{shared:-shared; static:-static; static-pie:-static -pie --no-dynamic-linker -z text; \
:-dynamic-linker LOADER %{!no-pie:-pie}}

";

pub(super) fn prove(place: &Place, target: &Target) -> Result<Done> {
    if let Some(missing) = target.missing(&[]) {
        return Ok(Done::Skipped(missing));
    }
    let unpacked =
        ["musl", "musl-dev"].map(|package| debian::files_for(place, Some(target.debian), package));
    let [runtime, development] = match unpacked {
        [Ok(runtime), Ok(development)] => [runtime, development],
        [Err(message), _] | [_, Err(message)] => return skip_if_offline(message),
    };
    let specs = specs(target, &runtime, &development);
    let files = [("library.c", LIBRARY), ("program.c", PROGRAM), ("specs", &specs)];
    let project = place.project(&format!("musl-{}", target.debian), &files)?;
    for (options, is_whole) in BUILDS {
        let gcc = |more: &[&str]| {
            let mut command = Command::new(target.program("gcc"));
            command.args(["-specs=specs", "-pthread"]).arg(place.driver_option());
            command.args(target.musl_options).args(options.split(' ')).args(more);
            output(command.current_dir(&project))
        };
        if is_whole {
            gcc(&["program.c", "library.c", "-o", "program"])?;
        } else {
            gcc(&["-shared", "-fPIC", "library.c", "-o", "libcalls.so"])?;
            gcc(&["program.c", "libcalls.so", "-Wl,-rpath,$ORIGIN", "-o", "program"])?;
        }
        prints(&mut target.command(&project.join("program")), EXPECTED)
            .map_err(|message| format!("{options}: {message}"))?;
    }
    Ok(Done::Right)
}

fn specs(target: &Target, runtime: &Path, development: &Path) -> String {
    let name = format!("{}-linux-musl", target.musl);
    let shared = runtime.join("lib").join(&name);
    let loader = shared.join("libc.so").display().to_string();
    let [include, library] = ["include", "lib"]
        .map(|part| development.join("usr").join(part).join(&name).display().to_string());
    SPECS
        .replace("INCLUDE", &include)
        .replace("SHARED", &shared.display().to_string())
        .replace("STATIC", &library)
        .replace("LOADER", &loader)
}
