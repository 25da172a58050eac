//! C and C++: exceptions that cross a shared library, and a large static program.

use super::{Done, Place, debian, is_installed, output, prints, skip_if_offline};
use crate::Result;
use std::process::Command;

/// The library that other machines have, too.
const LIBRARY: &str = include_str!("cross/failing.cc");

const PROGRAM: &str = r#"#include <iostream>
#include <stdexcept>
#include <thread>
#include <typeinfo>
struct Failure : std::runtime_error { using runtime_error::runtime_error; ~Failure() override; };
void fail(int);
int &unwound();
extern thread_local int depth;
int main() {
  try { fail(5); } catch (const Failure &f) {
    std::cout << f.what() << ' ' << unwound() << ' ' << depth << '\n';
  }
  std::thread([] {
    try { fail(2); } catch (const std::exception &e) {
      std::cout << typeid(e).name() << ' ' << depth << '\n';
    }
  }).join();
}
"#;

/// Compiler and linker options of each build.
const BUILDS: [&str; 6] = [
    "-O0 -g",
    "-O2 -Wl,-z,now",
    "-O2 -ffunction-sections -Wl,--gc-sections,--icf=all",
    "-O1 -fno-plt -Wl,-Bsymbolic",
    "-O2 -no-pie -fno-pie",
    "-O2 -flto=auto -fno-fat-lto-objects",
];

/// Type information, thread-local variables and landing pads on both sides of a library.
pub(super) fn exceptions(place: &Place) -> Result<Done> {
    if !is_installed("g++", "--version") {
        return Ok(Done::Skipped("there is no g++".to_owned()));
    }
    let files = [("library.cc", LIBRARY), ("program.cc", PROGRAM)];
    let project = place.project("exceptions", &files)?;
    for options in BUILDS {
        let gcc = |more: &[&str]| {
            let mut command = Command::new("g++");
            command.arg(place.driver_option()).args(options.split(' ')).args(more);
            output(command.current_dir(&project))
        };
        gcc(&["-shared", "-fPIC", "library.cc", "-o", "libfail.so"])?;
        gcc(&["program.cc", "-pthread", "-o", "program", "libfail.so", "-Wl,-rpath,$ORIGIN"])?;
        prints(&mut Command::new(project.join("program")), "deep 6 6\n7Failure 3\n")
            .map_err(|message| format!("{options}: {message}"))?;
    }
    Ok(Done::Right)
}

const BUSYBOX: &str = "busybox";

const BUSYBOX_CHECK: &str = "./busybox seq 1 2000 | ./busybox gzip | ./busybox gunzip | ./busybox \
    awk '{s+=$1} END {print s}'";

/// Busybox as one static program, from Debian's source package.
pub(super) fn busybox(place: &Place) -> Result<Done> {
    for program in ["apt-get", "make"] {
        if !is_installed(program, "--version") {
            return Ok(Done::Skipped(format!("there is no {program}")));
        }
    }
    let source = match debian::source(place, BUSYBOX) {
        Ok(source) => source,
        Err(message) => return skip_if_offline(message),
    };
    // Busybox's `tc` needs headers that newer kernels no longer have.
    let script = "make -s defconfig && sed -i -e 's/^# CONFIG_STATIC is not set/CONFIG_STATIC=y/' \
        -e 's/^CONFIG_TC=y/# CONFIG_TC is not set/' .config && yes '' | make -s oldconfig && \
        rm -f busybox busybox_unstripped && make -s EXTRA_CFLAGS='-w -O1' EXTRA_LDFLAGS=\"$OPTION\"";
    let mut build = Command::new("sh");
    build.args(["-c", script]).env("OPTION", place.driver_option());
    output(build.current_dir(&source))?;
    let mut check = Command::new("sh");
    prints(check.args(["-c", BUSYBOX_CHECK]).current_dir(&source), "2001000\n")?;
    Ok(Done::Right)
}
