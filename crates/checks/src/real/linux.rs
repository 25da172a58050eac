//! The Linux kernel of Debian's sources, for x86-64, i386 and AArch64. Its scripts lay out the
//! kernel, the program that unpacks it, the vDSO, and modules (`-r`). The kernel for x86 has a
//! segment of per-CPU data, load addresses, and relocations that are kept for a tool, which makes
//! the kernel's own table from them; that for AArch64 relocates itself.
//!
//! The kernel starts in a machine that QEMU emulates, runs Debian's busybox and loads modules. For
//! x86-64 each link with a script is then done again, with the same inputs, by GNU ld: sections and
//! symbols must be the same ([`super::structure`]).

use super::machine::{self, Machine};
use super::{Done, Place, debian, is_installed, output, skip_if_offline, structure};
use crate::Result;
use skald_testkit::linker::Way;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGE: &str = "linux-source-6.1";

/// Programs that the build calls.
const TOOLS: [&str; 6] = ["make", "gcc", "bc", "flex", "bison", "cpio"];
const HEADERS: [&str; 2] = ["/usr/include/libelf.h", "/usr/include/openssl/bio.h"];

/// A kind of kernel, by the machine that it runs on.
struct Target {
    /// Its name in the kernel's sources.
    arch: &'static str,
    /// What the names of its compiler and assembler begin with.
    cross: &'static str,
    /// The file that a boot loader reads, in the build directory, and the goal of `make` for it.
    image: [&'static str; 2],
    machine: Machine,
    console: &'static str,
    /// Its name in Debian.
    debian: Option<&'static str>,
}

const X86_64: Target = Target {
    arch: "x86_64",
    cross: "",
    image: ["arch/x86/boot/bzImage", "bzImage"],
    machine: machine::PC,
    console: "ttyS0",
    debian: None,
};

/// The compiler for x86-64 compiles for i386 too: a kernel needs no C library.
const I386: Target =
    Target { arch: "i386", machine: machine::PC_32, debian: Some("i386"), ..X86_64 };

const AARCH64: Target = Target {
    arch: "arm64",
    cross: "aarch64-linux-gnu-",
    image: ["arch/arm64/boot/Image", "Image"],
    machine: machine::ARM,
    console: "ttyAMA0",
    debian: Some("arm64"),
};

/// A kernel: its configuration, and changes to that.
struct Kernel {
    name: &'static str,
    target: Target,
    /// The goal of `make` that makes the configuration.
    config: &'static str,
    /// Settings that are added to it, in groups.
    settings: &'static [&'static str],
    /// Modules that it loads, by their paths in the build directory without `.ko`.
    modules: [&'static str; 2],
    /// Whether links are repeated by GNU ld.
    is_compared: bool,
    /// The section that has other padding than in GNU ld's output.
    padded: Option<&'static str>,
}

/// Makes modules of two files that small kernels need nowhere else.
const MODULES: &str = "CONFIG_CRC7=m
CONFIG_CRC_ITU_T=m
";

/// What a shell on a serial console needs, modules, processors that start later, randomized
/// addresses, and symbol names that the kernel itself reads.
const SHELL: &str = "CONFIG_SMP=y
CONFIG_PRINTK=y
CONFIG_TTY=y
CONFIG_BLK_DEV_INITRD=y
CONFIG_BINFMT_ELF=y
CONFIG_BINFMT_SCRIPT=y
CONFIG_PROC_FS=y
CONFIG_MODULES=y
CONFIG_KALLSYMS=y
CONFIG_KALLSYMS_ALL=y
CONFIG_RELOCATABLE=y
CONFIG_RANDOMIZE_BASE=y
CONFIG_JUMP_LABEL=y
";

const SERIAL_PORT: &str = "CONFIG_SERIAL_8250=y
CONFIG_SERIAL_8250_CONSOLE=y
";

/// The smallest kernel with a shell, and with unwind tables that the kernel itself reads.
const SMALL: Kernel = Kernel {
    name: "linux-tiny",
    target: X86_64,
    config: "tinyconfig",
    settings: &["CONFIG_64BIT=y\nCONFIG_UNWINDER_ORC=y\n", SHELL, SERIAL_PORT, MODULES],
    modules: ["lib/crc7", "lib/crc-itu-t"],
    is_compared: true,
    padded: None,
};

const SMALL_I386: Kernel = Kernel {
    name: "linux-i386",
    target: I386,
    settings: &["# CONFIG_64BIT is not set\n", SHELL, SERIAL_PORT, MODULES],
    is_compared: false,
    ..SMALL
};

/// With repairs of a processor's erratum, which Debian's compiler asks the linker for as well.
const SMALL_AARCH64: Kernel = Kernel {
    name: "linux-arm64",
    target: AARCH64,
    settings: &[
        "CONFIG_ARM_AMBA=y\nCONFIG_SERIAL_AMBA_PL011=y\nCONFIG_SERIAL_AMBA_PL011_CONSOLE=y\n",
        "CONFIG_ARM64_ERRATUM_843419=y\n# CONFIG_RANDOMIZE_MODULE_REGION_FULL is not set\n",
        SHELL,
        MODULES,
    ],
    is_compared: false,
    ..SMALL
};

/// The kernel's default configuration.
const USUAL: Kernel = Kernel {
    name: "linux-usual",
    config: "defconfig",
    settings: &[MODULES],
    padded: Some(".rodata"),
    ..SMALL
};

/// The same for AArch64. Its drivers have both files of [`MODULES`] in the kernel itself.
const USUAL_AARCH64: Kernel = Kernel {
    name: "linux-usual-arm64",
    target: AARCH64,
    settings: &[],
    modules: ["lib/crc-ccitt", "fs/fuse/fuse"],
    is_compared: false,
    ..USUAL
};

/// A script that calls the linker and records each link.
const WRAPPER: &str = r#"#!/bin/sh
echo "$*" >>"$LINKS"
exec "$LINKER" "$@"
"#;

/// The script that runs as the first process.
const INIT: &str = r#"#!/bin/sh
busybox mount -t proc proc /proc
echo "shell: $((6 * 7))"
for module in /*.ko; do busybox insmod "$module"; done
busybox lsmod
busybox reboot -f
"#;

/// What it must write besides the names of the modules.
const SHELL_WRITES: &str = "shell: 42";

const MAKE_ROOT: &str = "rm -rf root && mkdir -p root/bin root/proc && cp \"$BUSYBOX\" root/bin/ && \
    ln -s busybox root/bin/sh && cp init root/ && chmod +x root/init && \
    cp $MODULES root/ && cd root && \
    find . | cpio --quiet -o -H newc >../root.cpio";

pub(super) fn small(place: &Place) -> Result<Done> {
    SMALL.prove(place)
}

pub(super) fn small_i386(place: &Place) -> Result<Done> {
    SMALL_I386.prove(place)
}

pub(super) fn small_aarch64(place: &Place) -> Result<Done> {
    SMALL_AARCH64.prove(place)
}

pub(super) fn usual(place: &Place) -> Result<Done> {
    USUAL.prove(place)
}

pub(super) fn usual_aarch64(place: &Place) -> Result<Done> {
    USUAL_AARCH64.prove(place)
}

impl Kernel {
    fn prove(&self, place: &Place) -> Result<Done> {
        let Target { machine, image, console, debian, .. } = self.target;
        if let Some(missing) = self.missing() {
            return Ok(Done::Skipped(missing));
        }
        let packages =
            [debian::files(place, PACKAGE), debian::files_for(place, debian, "busybox-static")];
        let [sources, busybox] = match packages {
            [Ok(sources), Ok(busybox)] => [sources, busybox],
            [Err(message), _] | [_, Err(message)] => return skip_if_offline(message),
        };
        let source = unpacked(&sources.join("usr/src"))?;
        let settings = self.settings.concat();
        let files = [("ld", WRAPPER), ("init", INIT), ("settings", &settings)];
        let project = place.project(self.name, &files)?;
        self.build(place, &project, &source)?;
        let mut root = Command::new("sh");
        root.args(["-c", MAKE_ROOT]).env("BUSYBOX", busybox.join("bin/busybox"));
        root.env("MODULES", self.modules.map(|module| format!("build/{module}.ko")).join(" "));
        output(root.current_dir(&project))?;
        let kernel = project.join("build").join(image[0]).display().to_string();
        let files = project.join("root.cpio").display().to_string();
        let options = format!("console={console} panic=-1");
        let start = ["-kernel", &kernel, "-initrd", &files, "-append", &options];
        // As `lsmod` writes them.
        let [one, other] = self.modules.map(|module| {
            let name = module.rsplit('/').next().unwrap_or(module);
            format!("{} ", name.replace('-', "_"))
        });
        let expected = [SHELL_WRITES, &one, &other];
        machine.writes(&[&["-m", "512", "-smp", "2"], &start[..]].concat(), &expected)?;
        if self.is_compared {
            compare_links(place, &project, self.padded)?;
        }
        Ok(Done::Right)
    }

    /// Builds the kernel and its modules in `project/build`, from nothing.
    fn build(&self, place: &Place, project: &Path, source: &Path) -> Result<()> {
        let build = project.join("build");
        let _ = std::fs::remove_dir_all(&build);
        let _ = std::fs::remove_file(project.join("links"));
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        let (config, Target { arch, cross, image, .. }) = (self.config, &self.target);
        let script = format!(
            "set -e; chmod +x ld; export KCONFIG_ALLCONFIG=\"$PWD/settings\"
            build() {{
                make -s -C \"$SOURCE\" O=\"$PWD/build\" ARCH={arch} LD=\"$PWD/ld\" \"$@\"
            }}
            build {config}; cat settings >>build/.config; build olddefconfig
            build -j{jobs} {} modules",
            image[1]
        );
        let mut make = Command::new("sh");
        make.args(["-c", &script]).env("SOURCE", source).current_dir(project);
        make.env("CROSS_COMPILE", cross);
        make.env("LINKER", place.linker.directory(Way::Plain).join("ld"));
        make.env("LINKS", project.join("links"));
        output(&mut make).map(drop)
    }

    /// The first thing that is missing to build and start a kernel.
    fn missing(&self) -> Option<String> {
        let Target { machine, cross, .. } = self.target;
        if !machine.is_there() {
            return Some(format!("there is no {}", machine.qemu));
        }
        let compiler = format!("{cross}gcc");
        let mut tools = TOOLS.into_iter().chain([compiler.as_str()]);
        if let Some(tool) = tools.find(|tool| !is_installed(tool, "--version")) {
            return Some(format!("there is no {tool}"));
        }
        let header = HEADERS.iter().find(|header| !Path::new(header).is_file());
        header.map(|header| format!("there is no {header} (Debian: libelf-dev, libssl-dev)"))
    }
}

/// The sources, unpacked once in the directory of their archive.
fn unpacked(directory: &Path) -> Result<PathBuf> {
    let source = directory.join(PACKAGE);
    if !source.is_dir() {
        let script = format!(
            "rm -rf part && mkdir part && tar xf {PACKAGE}.tar.xz -C part && mv part/{PACKAGE} ."
        );
        output(Command::new("sh").args(["-c", &script]).current_dir(directory))?;
    }
    Ok(source)
}

/// Repeats the links with scripts, with both linkers, and compares the outputs.
fn compare_links(place: &Place, project: &Path, padded: Option<&str>) -> Result<()> {
    let path = project.join("links");
    let links = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let build = project.join("build");
    let (ours, theirs) = (project.join("ours"), project.join("theirs"));
    let linker = place.linker.directory(Way::Plain).join("ld");
    for (name, words) in scripted_links(&links) {
        // GNU ld always shares the tails of strings.
        let mut own = Command::new(&linker);
        own.args(&words).arg("-O2").arg("-o").arg(&ours);
        let mut other = Command::new("ld");
        other.args(&words).arg("-o").arg(&theirs);
        for link in [&mut own, &mut other] {
            output(link.current_dir(&build))?;
        }
        structure::compare(&ours, &theirs, padded)
            .map_err(|message| format!("{name}: {message}"))?;
    }
    Ok(())
}

/// The last link of each output that a script lays out, without `-o`; without links of the kernel
/// that are made only to find its symbols.
fn scripted_links(links: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut found = BTreeMap::new();
    for line in links.lines() {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let has_script = words.iter().any(|word| *word == "-T" || word.starts_with("--script="));
        let Some(at) = words.iter().position(|word| *word == "-o") else { continue };
        if !has_script || at + 1 == words.len() || words[at + 1].starts_with(".tmp_") {
            continue;
        }
        let name = words.drain(at..at + 2).nth(1).unwrap_or_default();
        found.insert(name, words);
    }
    found
}
