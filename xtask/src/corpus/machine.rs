//! Machines besides this one that programs are linked for: Debian's cross compilers, and the
//! emulators that run the linked programs.

use super::tools;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A machine that programs are linked for.
pub struct Machine {
    /// Prefix of the names of its GNU tools; its C library is in the directory of that name.
    pub triple: &'static str,
    /// Debian's name.
    pub architecture: &'static str,
    /// The directory of a package's libraries, below `lib` and `usr/lib`.
    pub libraries: &'static str,
    /// The emulator that runs its programs.
    emulator: &'static str,
    /// Options that undo those of Debian's compiler driver which not all linkers support.
    pub options: &'static [&'static str],
}

/// AArch64. Only GNU ld and lld patch code for the erratum.
pub static ARM64: Machine = Machine {
    triple: "aarch64-linux-gnu",
    architecture: "arm64",
    libraries: "aarch64-linux-gnu",
    emulator: "qemu-aarch64",
    options: &["-mno-fix-cortex-a53-843419"],
};

/// A PC of 32 bits.
pub static I386: Machine = Machine {
    triple: "i686-linux-gnu",
    architecture: "i386",
    libraries: "i386-linux-gnu",
    emulator: "qemu-i386",
    options: &[],
};

/// ARM with floating-point registers.
pub static ARMHF: Machine = Machine {
    triple: "arm-linux-gnueabihf",
    architecture: "armhf",
    libraries: "arm-linux-gnueabihf",
    emulator: "qemu-arm",
    options: &[],
};

/// PowerPC with 64 bits, little-endian.
pub static PPC64LE: Machine = Machine {
    triple: "powerpc64le-linux-gnu",
    architecture: "ppc64el",
    libraries: "powerpc64le-linux-gnu",
    emulator: "qemu-ppc64le",
    options: &[],
};

/// z/Architecture.
pub static S390X: Machine = Machine {
    triple: "s390x-linux-gnu",
    architecture: "s390x",
    libraries: "s390x-linux-gnu",
    emulator: "qemu-s390x",
    options: &[],
};

/// MIPS with 64 bits, little-endian.
pub static MIPS64EL: Machine = Machine {
    triple: "mips64el-linux-gnuabi64",
    architecture: "mips64el",
    libraries: "mips64el-linux-gnuabi64",
    emulator: "qemu-mips64el",
    options: &[],
};

impl Machine {
    /// One of its GNU tools.
    ///
    /// # Errors
    /// When it is not installed.
    pub fn tool(&self, name: &str) -> Result<PathBuf, String> {
        tools::first_of(&[&format!("{}-{name}", self.triple)])
    }

    /// Its C++ compiler.
    ///
    /// # Errors
    /// What to install.
    pub fn cxx(&self) -> Result<PathBuf, String> {
        let package = self.triple.replace('_', "-");
        self.tool("g++").map_err(|_| format!("install the packages g++-{package} and qemu-user"))
    }

    /// Whether its programs can be run here.
    pub fn has_emulator(&self) -> bool {
        tools::find(self.emulator).is_some()
    }

    /// The command that runs `program`, with these directories of libraries before those of the C
    /// library.
    pub fn command(&self, program: &Path, libraries: &[PathBuf]) -> Command {
        let paths: Vec<_> = libraries.iter().map(|path| path.display().to_string()).collect();
        let mut command = Command::new(self.emulator);
        command.arg("-L").arg(Path::new("/usr").join(self.triple));
        command.arg("-E").arg(format!("LD_LIBRARY_PATH={}", paths.join(":"))).arg(program);
        command
    }
}
