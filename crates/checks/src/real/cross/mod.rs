//! Programs for other machines: cross compilers build them, the linker under test links them, and
//! they are tried under an emulator, or by the processor itself where it can. Each program is a
//! function of its [`Target`].

mod built;
mod exceptions;
mod musl;

use super::{Program, is_installed};
use skald_testkit::machine::{self, Machine, Runner};
use std::path::Path;
use std::process::Command;

/// A machine that programs are built for.
pub(super) struct Target {
    /// Its name in tests ([`machine::find`]).
    word: &'static str,
    /// The name of its system for GNU's compilers.
    triple: &'static str,
    /// Its name in Debian, and that of the directory of its libraries there.
    debian: &'static str,
    multiarch: &'static str,
    /// Its name for Go.
    pub(super) go: &'static str,
    /// Its name for OpenSSL.
    openssl: &'static str,
    /// Its name for musl.
    musl: &'static str,
    /// Options for code that uses what only GNU's C library has unless told otherwise.
    musl_options: &'static [&'static str],
    /// The dialect of thread-local storage that is not the compiler's own choice.
    other_dialect: &'static str,
}

pub(super) const AARCH64: Target = Target {
    word: "aarch64",
    triple: "aarch64-linux-gnu",
    debian: "arm64",
    multiarch: "aarch64-linux-gnu",
    go: "arm64",
    openssl: "linux-aarch64",
    musl: "aarch64",
    musl_options: &["-mno-outline-atomics"],
    other_dialect: "-mtls-dialect=trad",
};

pub(super) const I386: Target = Target {
    word: "i386",
    triple: "i686-linux-gnu",
    debian: "i386",
    multiarch: "i386-linux-gnu",
    go: "386",
    openssl: "linux-x86",
    musl: "i386",
    musl_options: &["-fno-stack-protector"],
    other_dialect: "-mtls-dialect=gnu2",
};

pub(super) const PROGRAMS: [Program; 16] = [
    ("zlib, AArch64", |place| built::ZLIB.prove(place, &AARCH64)),
    ("zlib, i386", |place| built::ZLIB.prove(place, &I386)),
    ("xz, AArch64", |place| built::XZ.prove(place, &AARCH64)),
    ("xz, i386", |place| built::XZ.prove(place, &I386)),
    ("lua, AArch64", |place| built::LUA.prove(place, &AARCH64)),
    ("lua, i386", |place| built::LUA.prove(place, &I386)),
    ("sqlite3, AArch64", |place| built::SQLITE.prove(place, &AARCH64)),
    ("sqlite3, i386", |place| built::SQLITE.prove(place, &I386)),
    ("openssl, AArch64", |place| built::OPENSSL.prove(place, &AARCH64)),
    ("openssl, i386", |place| built::OPENSSL.prove(place, &I386)),
    ("C++ exceptions, AArch64", |place| exceptions::prove(place, &AARCH64)),
    ("C++ exceptions, i386", |place| exceptions::prove(place, &I386)),
    ("musl, AArch64", |place| musl::prove(place, &AARCH64)),
    ("musl, i386", |place| musl::prove(place, &I386)),
    ("Go, AArch64", |place| super::go::cgo_for(place, &AARCH64)),
    ("Go, i386", |place| super::go::cgo_for(place, &I386)),
];

impl Target {
    fn machine(&self) -> &'static Machine {
        machine::find(self.word).expect("the tests know the machine")
    }

    /// The name of a compiler or tool for the machine.
    pub(super) fn program(&self, program: &str) -> String {
        self.machine().program(program)
    }

    /// The first thing that is missing to build and run a program.
    pub(super) fn missing(&self, tools: &[&str]) -> Option<String> {
        let runner = match self.machine().runner() {
            Runner::Kernel => None,
            Runner::Emulator(emulator) => Some(*emulator),
            Runner::Nothing(why) => return Some(why.clone()),
        };
        let compilers = [self.program("gcc"), self.program("g++")];
        let compilers = compilers.iter().map(String::as_str);
        let mut tools = tools.iter().copied().chain(compilers).chain(runner);
        let missing = tools.find(|tool| !is_installed(tool, "--version"));
        missing.map(|tool| format!("there is no {tool}"))
    }

    /// The command that runs a program.
    pub(super) fn command(&self, program: &Path) -> Command {
        let runner = self.machine().shell_runner();
        let mut words = runner.split_whitespace();
        let Some(emulator) = words.next() else { return Command::new(program) };
        let mut command = Command::new(emulator);
        command.args(words).arg(program);
        command
    }
}
