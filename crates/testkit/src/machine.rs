//! The machines that cases are made for: their compilers and tools, their emulations, and how their
//! programs run here.
//!
//! A case is for the machine that `//# machine:` names or, in a folder of that name, the folder.
//! All others are for x86-64, or for the machine that the run is asked for. The tests run on
//! x86-64. Programs of other machines run if the kernel runs them, or under QEMU.

use crate::Result;
use crate::command::CommandLine;
use crate::output_file::OutputFile;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::{fs, io};

/// A machine.
#[derive(Debug)]
pub struct Machine {
    /// Its name in directives, options and folders of cases.
    pub word: &'static str,
    /// The argument of the linkers' `-m`.
    pub emulation: &'static str,
    /// The name of its objects' format in scripts.
    pub format: &'static str,
    /// Prefix of the names of its compilers and tools; empty for the machine that the tests run on.
    prefix: &'static str,
    /// LLVM's programs that stand for these where nobody packs GNU's. There is no C library then.
    substitutes: &'static [(&'static str, &'static str)],
    /// Options by which some of these programs are for this machine and not for [`Self::twin`], or
    /// not for the machine that the tests run on; or by which variables are where cases expect
    /// them, whatever their size.
    options: &'static [(&'static str, &'static str)],
    /// What clang calls it; empty for the machine that the tests run on.
    target: &'static str,
    /// The machine that differs in the byte order of its data alone. Its cases are for this one,
    /// too, and its programs are made without a C library, which exists for the other order only.
    pub twin: Option<&'static str>,
    /// Root directory of its libraries, for an emulator.
    root: &'static str,
    /// The emulator of its programs, if there is one.
    emulator: Option<&'static str>,
    /// The dynamic linker that programs need to run without an emulator.
    loader: &'static str,
    /// A program that exits with status 0, to find out whether the kernel runs this machine's
    /// programs.
    trial: Option<Trial>,
    runner: OnceLock<Runner>,
}

/// A small program, to find out whether the kernel runs it.
#[derive(Debug)]
struct Trial {
    /// `e_machine`; its class is ELFCLASS32.
    machine: u8,
    code: &'static [u8],
}

/// How programs of a machine run here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Runner {
    /// The kernel.
    Kernel,
    /// This emulator, which may have to be installed.
    Emulator(&'static str),
    /// Nothing, and why.
    Nothing(String),
}

/// Machines whose addresses have four bytes, or fewer.
const NARROW: [&str; 10] =
    ["i386", "x32", "arm", "m68k", "sh4", "avr", "msp430", "ppc32", "mipsel", "mips"];

/// The default machine, then all others.
static MACHINES: [Machine; 21] = [
    Machine {
        word: "x86-64",
        emulation: "elf_x86_64",
        format: "elf64-x86-64",
        prefix: "",
        substitutes: &[],
        options: &[],
        target: "",
        twin: None,
        root: "/",
        emulator: None,
        loader: "/lib64/ld-linux-x86-64.so.2",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "aarch64",
        emulation: "aarch64linux",
        format: "elf64-littleaarch64",
        prefix: "aarch64-linux-gnu-",
        substitutes: &[],
        options: &[],
        target: "aarch64-linux-gnu",
        twin: None,
        root: "/usr/aarch64-linux-gnu",
        emulator: Some("qemu-aarch64"),
        loader: "/lib/ld-linux-aarch64.so.1",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "aarch64_be",
        emulation: "aarch64linuxb",
        format: "elf64-bigaarch64",
        prefix: "aarch64-linux-gnu-",
        substitutes: &[],
        options: &[
            ("as", "-EB"),
            ("cpp", "-mbig-endian"),
            ("g++", "-mbig-endian"),
            ("gcc", "-mbig-endian"),
            ("ld", "-maarch64linuxb"),
            ("ld.bfd", "-maarch64linuxb"),
        ],
        target: "aarch64_be-linux-gnu",
        twin: Some("aarch64"),
        root: "/",
        emulator: Some("qemu-aarch64_be"),
        loader: "/lib/ld-linux-aarch64_be.so.1",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "i386",
        emulation: "elf_i386",
        format: "elf32-i386",
        prefix: "i686-linux-gnu-",
        substitutes: &[],
        options: &[],
        target: "i686-linux-gnu",
        twin: None,
        root: "/usr/i686-linux-gnu",
        emulator: Some("qemu-i386"),
        loader: "/lib/ld-linux.so.2",
        // mov $1, %eax; xor %ebx, %ebx; int $0x80
        trial: Some(Trial { machine: 3, code: &[0xb8, 1, 0, 0, 0, 0x31, 0xdb, 0xcd, 0x80] }),
        runner: OnceLock::new(),
    },
    Machine {
        word: "x32",
        emulation: "elf32_x86_64",
        format: "elf32-x86-64",
        prefix: "x86_64-linux-gnux32-",
        substitutes: &[],
        options: &[],
        target: "x86_64-linux-gnux32",
        twin: None,
        root: "/usr/x86_64-linux-gnux32",
        // QEMU has no emulator for it.
        emulator: None,
        loader: "/libx32/ld-linux-x32.so.2",
        // mov $0x4000003c, %eax; xor %edi, %edi; syscall
        trial: Some(Trial { machine: 62, code: &[0xb8, 0x3c, 0, 0, 0x40, 0x31, 0xff, 0x0f, 0x05] }),
        runner: OnceLock::new(),
    },
    Machine {
        word: "riscv64",
        emulation: "elf64lriscv",
        format: "elf64-littleriscv",
        prefix: "riscv64-linux-gnu-",
        substitutes: &[],
        options: &[],
        target: "riscv64-linux-gnu",
        twin: None,
        root: "/usr/riscv64-linux-gnu",
        emulator: Some("qemu-riscv64"),
        loader: "/lib/ld-linux-riscv64-lp64d.so.1",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "arm",
        emulation: "armelf_linux_eabi",
        format: "elf32-littlearm",
        prefix: "arm-linux-gnueabihf-",
        substitutes: &[],
        options: &[],
        target: "arm-linux-gnueabihf",
        twin: None,
        root: "/usr/arm-linux-gnueabihf",
        emulator: Some("qemu-arm"),
        loader: "/lib/ld-linux-armhf.so.3",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "m68k",
        emulation: "m68kelf",
        format: "elf32-m68k",
        prefix: "m68k-linux-gnu-",
        substitutes: &[],
        options: &[],
        target: "m68k-linux-gnu",
        twin: None,
        root: "/usr/m68k-linux-gnu",
        emulator: Some("qemu-m68k"),
        loader: "/lib/ld.so.1",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "mips64el",
        emulation: "elf64ltsmip",
        format: "elf64-tradlittlemips",
        prefix: "mips64el-linux-gnuabi64-",
        substitutes: &[],
        options: &[],
        target: "mips64el-linux-gnuabi64",
        twin: None,
        root: "/usr/mips64el-linux-gnuabi64",
        emulator: Some("qemu-mips64el"),
        loader: "/lib64/ld.so.1",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "mips64",
        emulation: "elf64btsmip",
        format: "elf64-tradbigmips",
        prefix: "mips64-linux-gnuabi64-",
        substitutes: &[],
        options: &[],
        target: "mips64-linux-gnuabi64",
        twin: None,
        root: "/usr/mips64-linux-gnuabi64",
        emulator: Some("qemu-mips64"),
        loader: "/lib64/ld.so.1",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "mipsel",
        emulation: "elf32ltsmip",
        format: "elf32-tradlittlemips",
        prefix: "mipsel-linux-gnu-",
        substitutes: &[],
        options: &[],
        target: "mipsel-linux-gnu",
        twin: None,
        root: "/usr/mipsel-linux-gnu",
        emulator: Some("qemu-mipsel"),
        loader: "/lib/ld.so.1",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "s390x",
        emulation: "elf64_s390",
        format: "elf64-s390",
        prefix: "s390x-linux-gnu-",
        substitutes: &[],
        options: &[],
        target: "s390x-linux-gnu",
        twin: None,
        root: "/usr/s390x-linux-gnu",
        emulator: Some("qemu-s390x"),
        loader: "/lib/ld64.so.1",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "ppc64le",
        emulation: "elf64lppc",
        format: "elf64-powerpcle",
        prefix: "powerpc64le-linux-gnu-",
        substitutes: &[],
        options: &[],
        target: "powerpc64le-linux-gnu",
        twin: None,
        root: "/usr/powerpc64le-linux-gnu",
        emulator: Some("qemu-ppc64le"),
        loader: "/lib64/ld64.so.2",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "sparc64",
        emulation: "elf64_sparc",
        format: "elf64-sparc",
        prefix: "sparc64-linux-gnu-",
        substitutes: &[],
        options: &[],
        target: "sparc64-linux-gnu",
        twin: None,
        root: "/usr/sparc64-linux-gnu",
        emulator: Some("qemu-sparc64"),
        loader: "/lib64/ld-linux.so.2",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "ppc64",
        emulation: "elf64ppc",
        format: "elf64-powerpc",
        prefix: "powerpc64-linux-gnu-",
        substitutes: &[],
        options: &[],
        target: "powerpc64-linux-gnu",
        twin: None,
        root: "/usr/powerpc64-linux-gnu",
        emulator: Some("qemu-ppc64"),
        loader: "/lib64/ld64.so.1",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "ppc32",
        emulation: "elf32ppclinux",
        format: "elf32-powerpc",
        prefix: "powerpc-linux-gnu-",
        substitutes: &[],
        options: &[("g++", "-msdata=none"), ("gcc", "-msdata=none")],
        target: "powerpc-linux-gnu",
        twin: None,
        root: "/usr/powerpc-linux-gnu",
        emulator: Some("qemu-ppc"),
        loader: "/lib/ld.so.1",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "loongarch64",
        emulation: "elf64loongarch",
        format: "elf64-loongarch",
        prefix: "loongarch64-linux-gnu-",
        substitutes: &[
            ("addr2line", "llvm-addr2line-19"),
            ("ar", "llvm-ar-19"),
            ("as", "clang-19"),
            ("c++filt", "llvm-cxxfilt-19"),
            ("cpp", "clang-cpp-19"),
            ("g++", "clang++-19"),
            ("gcc", "clang-19"),
            ("gcc-ar", "llvm-ar-19"),
            ("gcc-nm", "llvm-nm-19"),
            ("gcc-ranlib", "llvm-ranlib-19"),
            ("nm", "llvm-nm-19"),
            ("objcopy", "llvm-objcopy-19"),
            ("objdump", "llvm-objdump-19"),
            ("ranlib", "llvm-ranlib-19"),
            ("readelf", "llvm-readelf-19"),
            ("size", "llvm-size-19"),
            ("strings", "llvm-strings-19"),
            ("strip", "llvm-strip-19"),
        ],
        options: &[
            ("as", "--target=loongarch64-linux-gnu -c -x assembler"),
            ("cpp", "--target=loongarch64-linux-gnu"),
            ("g++", "--target=loongarch64-linux-gnu"),
            ("gcc", "--target=loongarch64-linux-gnu"),
        ],
        target: "loongarch64-linux-gnu",
        twin: None,
        root: "/",
        emulator: Some("qemu-loongarch64"),
        loader: "/lib64/ld-linux-loongarch-lp64d.so.1",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "sh4",
        emulation: "shlelf_linux",
        format: "elf32-sh-linux",
        prefix: "sh4-linux-gnu-",
        substitutes: &[],
        options: &[],
        target: "sh4-linux-gnu",
        twin: None,
        root: "/usr/sh4-linux-gnu",
        // That of QEMU 7.2 does not run programs of its C library, whoever links them.
        emulator: None,
        loader: "/lib/ld-linux.so.2",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "mips",
        emulation: "elf32btsmip",
        format: "elf32-tradbigmips",
        prefix: "mips-linux-gnu-",
        substitutes: &[],
        options: &[],
        target: "mips-linux-gnu",
        twin: None,
        root: "/usr/mips-linux-gnu",
        emulator: Some("qemu-mips"),
        loader: "/lib/ld.so.1",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "avr",
        emulation: "avr5",
        format: "elf32-avr",
        prefix: "avr-",
        substitutes: &[],
        options: &[],
        target: "avr",
        twin: None,
        root: "/usr/lib/avr",
        // A simulator of devices runs programs, which cases call by its name.
        emulator: None,
        loader: "",
        trial: None,
        runner: OnceLock::new(),
    },
    Machine {
        word: "msp430",
        emulation: "msp430elf",
        format: "elf32-msp430",
        prefix: "msp430-elf-",
        substitutes: &[
            ("addr2line", "llvm-addr2line-19"),
            ("ar", "llvm-ar-19"),
            ("as", "clang-19"),
            ("c++filt", "llvm-cxxfilt-19"),
            ("cpp", "clang-cpp-19"),
            ("g++", "clang++-19"),
            ("gcc", "clang-19"),
            ("gcc-ar", "llvm-ar-19"),
            ("gcc-nm", "llvm-nm-19"),
            ("gcc-ranlib", "llvm-ranlib-19"),
            ("nm", "llvm-nm-19"),
            ("objcopy", "llvm-objcopy-19"),
            ("objdump", "llvm-objdump-19"),
            ("ranlib", "llvm-ranlib-19"),
            ("readelf", "llvm-readelf-19"),
            ("size", "llvm-size-19"),
            ("strings", "llvm-strings-19"),
            ("strip", "llvm-strip-19"),
        ],
        options: &[
            ("as", "--target=msp430 -c -x assembler"),
            ("cpp", "--target=msp430"),
            ("g++", "--target=msp430"),
            ("gcc", "--target=msp430"),
        ],
        target: "msp430",
        twin: None,
        root: "/",
        emulator: None,
        loader: "",
        trial: None,
        runner: OnceLock::new(),
    },
];

impl PartialEq for Machine {
    fn eq(&self, other: &Machine) -> bool {
        self.word == other.word
    }
}

/// The default machine.
pub fn native() -> &'static Machine {
    &MACHINES[0]
}

/// All machines.
pub fn all() -> impl Iterator<Item = &'static Machine> {
    MACHINES.iter()
}

/// The machine of this name.
pub fn find(word: &str) -> Option<&'static Machine> {
    all().find(|machine| machine.word == word)
}

/// The machine that an option names.
pub fn named(word: &str) -> Result<&'static Machine> {
    let known = all().map(|machine| machine.word).collect::<Vec<_>>().join(", ");
    find(word).ok_or_else(|| format!("no machine '{word}' among {known}"))
}

/// Takes `--machine NAME` out of the words of a command; x86-64 if it is not there.
pub fn of_words(words: &[String]) -> Result<(&'static Machine, Vec<String>)> {
    let Some(at) = words.iter().position(|word| word == "--machine") else {
        return Ok((native(), words.to_vec()));
    };
    let machine = named(words.get(at + 1).ok_or("--machine needs a name")?)?;
    Ok((machine, [&words[..at], &words[at + 2..]].concat()))
}

/// Compilers and tools that differ by machine.
const OF_EACH_MACHINE: [&str; 20] = [
    "addr2line",
    "ar",
    "as",
    "c++filt",
    "cpp",
    "g++",
    "gcc",
    "gcc-ar",
    "gcc-nm",
    "gcc-ranlib",
    "ld",
    "ld.bfd",
    "nm",
    "objcopy",
    "objdump",
    "ranlib",
    "readelf",
    "size",
    "strings",
    "strip",
];

impl Machine {
    /// Whether it is the machine that the tests run on.
    pub fn is_native(&self) -> bool {
        self.prefix.is_empty()
    }

    /// Whether its code is that of x86.
    pub fn is_x86(&self) -> bool {
        matches!(self.word, "x86-64" | "i386" | "x32")
    }

    /// Whether all generators of tests know its assembler and its sections.
    pub fn is_generated_for(&self) -> bool {
        matches!(self.word, "x86-64" | "aarch64" | "aarch64_be" | "i386" | "x32" | "riscv64")
    }

    /// Whether its code is that of MIPS.
    pub fn is_mips(&self) -> bool {
        self.word.starts_with("mips")
    }

    /// Whether its addresses have four bytes: ELFCLASS32.
    pub fn has_narrow_addresses(&self) -> bool {
        NARROW.contains(&self.word)
    }

    /// The name of the compiler or tool `program` for this machine.
    pub fn program(&self, program: &str) -> String {
        if let Some((_, other)) = self.substitutes.iter().find(|(name, _)| *name == program) {
            return (*other).to_owned();
        }
        let prefix = if OF_EACH_MACHINE.contains(&program) { self.prefix } else { "" };
        format!("{prefix}{program}")
    }

    /// The option by which its `objdump` disassembles one function.
    pub fn disassembling(&self) -> &'static str {
        if self.substitutes.is_empty() { "--disassemble" } else { "--disassemble-symbols" }
    }

    /// The program of this name for this machine, and the options that it needs.
    pub fn words(&self, program: &str) -> Vec<String> {
        let option = self.options.iter().find(|(name, _)| *name == program);
        let options = option.into_iter().flat_map(|(_, words)| words.split(' '));
        std::iter::once(self.program(program)).chain(options.map(str::to_owned)).collect()
    }

    /// A command line of words, the first of which is a compiler or tool for this machine.
    pub fn command(&self, line: &str) -> CommandLine {
        let mut words = line.split(' ');
        let first = words.next().unwrap_or_default();
        CommandLine::new(self.words(first).into_iter().chain(words.map(str::to_owned)))
    }

    /// A call of a compiler or tool for this machine, to which arguments are added.
    pub fn tool(&self, program: &str) -> Command {
        let words = self.words(program);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
    }

    /// Whether there are a C library, start files and a dynamic linker for it.
    pub fn has_libraries(&self) -> bool {
        self.twin.is_none() && self.substitutes.is_empty()
    }

    /// Whether cases for `machine` are for this one, too.
    pub fn takes_cases_of(&self, machine: &Machine) -> bool {
        self == machine || self.twin == Some(machine.word)
    }

    /// A directory below `directory` for files of this machine; `directory` itself for the machine
    /// that the tests run on.
    pub fn own_directory(&self, directory: &Path) -> PathBuf {
        if self.is_native() { directory.to_owned() } else { directory.join(self.word) }
    }

    /// The options that make clang compile and link for it.
    pub fn clang_options(&self) -> Vec<String> {
        if self.target.is_empty() {
            return Vec::new();
        }
        vec![format!("--target={}", self.target)]
    }

    /// Makes `directory` with links by which shell commands find this machine's tools under their
    /// usual names. Does nothing for the machine that the tests run on.
    pub fn install_tools(&self, directory: &Path) -> Result<()> {
        if self.is_native() {
            return Ok(());
        }
        for name in OF_EACH_MACHINE {
            self.install_tool(name, &directory.join(name))?;
        }
        Ok(())
    }

    /// Makes `place` call a compiler or tool of this machine: a link, or a script if it needs an
    /// option. Returns whether the program is there.
    pub fn install_tool(&self, name: &str, place: &Path) -> Result<bool> {
        let told = |e: io::Error| format!("{}: {e}", place.display());
        let words = self.words(name);
        let program = Path::new("/usr/bin").join(&words[0]);
        if !program.exists() {
            return Ok(false);
        }
        fs::create_dir_all(place.parent().unwrap_or(place)).map_err(told)?;
        if words.len() > 1 {
            let text =
                format!("#!/bin/sh\nexec {} {} \"$@\"\n", program.display(), words[1..].join(" "));
            // Replaced in one step, because other threads may call it.
            if fs::read_to_string(place).is_ok_and(|old| old == text) {
                return Ok(true);
            }
            let new = place.with_extension(format!("new.{}", std::process::id()));
            fs::write(&new, text).map_err(told)?;
            fs::set_permissions(&new, fs::Permissions::from_mode(0o755)).map_err(told)?;
            fs::rename(&new, place).map_err(told)?;
        } else if fs::read_link(place).ok().as_deref() != Some(&program) {
            let _ = fs::remove_file(place);
            std::os::unix::fs::symlink(&program, place).map_err(told)?;
        }
        Ok(true)
    }

    /// A path that calls this machine's GNU ld; a file in `directory` if it needs an option.
    pub fn gnu_ld(&self, directory: &Path) -> Result<PathBuf> {
        if self.words("ld.bfd").len() == 1 {
            return Ok(self.program("ld.bfd").into());
        }
        let place = directory.join("ld.bfd");
        self.install_tool("ld.bfd", &place)?;
        Ok(place)
    }

    /// How its programs run here; determined once.
    pub fn runner(&self) -> &Runner {
        self.runner.get_or_init(|| self.find_runner())
    }

    fn find_runner(&self) -> Runner {
        if self.is_native() {
            return Runner::Kernel;
        }
        let runs = self.trial.as_ref().is_some_and(|trial| trial.runs(self.word));
        match self.emulator {
            _ if runs && Path::new(self.loader).exists() => Runner::Kernel,
            Some(emulator) => Runner::Emulator(emulator),
            None if runs => Runner::Nothing(format!("{} is not here", self.loader)),
            None => Runner::Nothing(format!("this kernel runs no programs of {}", self.word)),
        }
    }

    /// The command that runs `program`, which finds libraries in `libraries`. The error says why
    /// there is none.
    pub fn run(&self, program: &Path, libraries: &Path) -> Result<Run> {
        let emulator = match self.runner() {
            Runner::Kernel => None,
            Runner::Emulator(emulator) => Some(*emulator),
            Runner::Nothing(why) => return Err(why.clone()),
        };
        if !self.has_libraries() && has_interpreter(program) {
            return Err(format!("{} has no dynamic linker here", self.word));
        }
        let mut line = CommandLine::default();
        if let Some(emulator) = emulator {
            line.arguments = ["-L", self.root].map(str::to_owned).to_vec();
            line.arguments.insert(0, emulator.to_owned());
        }
        let mut run = Run { line, is_emulated: emulator.is_some() };
        run.set("LD_LIBRARY_PATH", &libraries.display().to_string());
        run.line.arguments.push(program.display().to_string());
        Ok(run)
    }

    /// The words that shell commands put before a program: the emulator, or nothing.
    pub fn shell_runner(&self) -> String {
        match self.runner() {
            Runner::Emulator(emulator) => format!("{emulator} -L {}", self.root),
            Runner::Kernel | Runner::Nothing(_) => String::new(),
        }
    }
}

/// Whether a program names the dynamic linker that loads it.
fn has_interpreter(program: &Path) -> bool {
    const PT_INTERP: u32 = 3;
    OutputFile::read(program).is_ok_and(|file| file.segments.iter().any(|s| s.kind == PT_INTERP))
}

/// A program that is going to be run.
#[derive(Debug)]
pub struct Run {
    /// The command line, with the program's own arguments at its end.
    pub line: CommandLine,
    is_emulated: bool,
}

impl Run {
    /// Sets a variable of the program's environment.
    pub fn set(&mut self, name: &str, value: &str) {
        // Variables of the dynamic linker must not affect that of the emulator itself. A comma
        // would end the value of the emulator's option.
        if self.is_emulated && name.starts_with("LD_") && !value.contains(',') {
            let words = ["-E".to_owned(), format!("{name}={value}")];
            // Behind the emulator's name.
            self.line.arguments.splice(1..1, words);
        } else {
            self.line.set(name, value);
        }
    }
}

impl Trial {
    /// Whether the kernel runs it.
    fn runs(&self, word: &str) -> bool {
        let name = format!("skald-trial-{word}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let is_made = fs::write(&path, self.file())
            .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o755)));
        let mut command = Command::new(&path);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let runs = is_made.is_ok() && command.status().is_ok_and(|status| status.success());
        let _ = fs::remove_file(&path);
        runs
    }

    /// A file of one segment: the header, the program header, the code.
    fn file(&self) -> Vec<u8> {
        const ADDRESS: u32 = 0x1_0000;
        const HEADERS: u32 = 52 + 32;
        let size = HEADERS + self.code.len() as u32;
        let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0".to_vec();
        file.extend([self.machine, 0]);
        for word in [1, ADDRESS + HEADERS, 52, 0, 0] {
            file.extend(u32::to_le_bytes(word));
        }
        for half in [52, 32, 1, 0, 0, 0] {
            file.extend(u16::to_le_bytes(half));
        }
        for word in [1, 0, ADDRESS, ADDRESS, size, size, 5, 0x1000] {
            file.extend(u32::to_le_bytes(word));
        }
        file.extend(self.code);
        file
    }
}

#[cfg(test)]
mod tests {
    use super::{MACHINES, find, named};
    use crate::output_file::OutputFile;
    use std::path::Path;

    #[test]
    fn each_machine_has_its_own_programs() {
        assert_eq!(find("i386").unwrap().program("gcc"), "i686-linux-gnu-gcc");
        assert_eq!(find("i386").unwrap().program("python3"), "python3");
        assert_eq!(find("x86-64").unwrap().program("gcc"), "gcc");
        assert!(named("vax").unwrap_err().contains("aarch64"));
    }

    #[test]
    fn the_loader_of_the_emulator_is_left_alone() {
        let machine = find("aarch64").unwrap();
        let mut run = machine.run(Path::new("/w/out"), Path::new("/w")).unwrap();
        run.set("LD_BIND_NOW", "1");
        run.set("A", "b");
        assert_eq!(
            run.line.shell_text(),
            "A=b qemu-aarch64 -E LD_BIND_NOW=1 -E LD_LIBRARY_PATH=/w -L /usr/aarch64-linux-gnu \
             /w/out"
        );
    }

    #[test]
    fn trials_are_programs() {
        for machine in MACHINES.iter().filter(|machine| machine.trial.is_some()) {
            let trial = machine.trial.as_ref().unwrap();
            let file = OutputFile::parse(trial.file()).unwrap();
            assert_eq!(file.machine, u16::from(trial.machine));
            let code = file.bytes_at_address(file.entry);
            assert_eq!(code, trial.code, "{}", machine.word);
        }
    }
}
