//! `cargo xtask dist --try`: tries the package in a fresh Debian system, made by debootstrap.
//!
//! It is installed with dpkg. Programs are linked in each way that the README names or
//! `--print-setup` prints, and run; `.comment` proves that skald linked them. Then the package is
//! removed, and each file of the system must be as it was before.
//!
//! Rust's toolchain is the one that compiles this program, and is mounted: Debian's is too old for
//! what skald describes. Everything else comes from Debian. Each command gets a mount namespace of
//! its own.

use super::ways::{self, WAYS, Way};
use crate::corpus::tools;
use crate::scratch::Scratch;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const RELEASE: &str = "bookworm";
const MIRROR: &str = "http://deb.debian.org/debian";

/// Debian packages that are installed before: compilers, build tools, and readers of manuals.
const PACKAGES: [&str; 19] = [
    "autoconf",
    "bash-completion",
    "clang-19",
    "cmake",
    "g++",
    "gcc",
    "gcc-aarch64-linux-gnu",
    "gcc-i686-linux-gnu",
    "golang-go",
    "groff-base",
    "libc6-dev",
    "libc6-dev-arm64-cross",
    "libc6-dev-i386-cross",
    "libstdc++-12-dev",
    "make",
    "man-db",
    "meson",
    "ninja-build",
    "qemu-user",
];

/// Paths within the system.
const PACKAGE: &str = "/tmp/skald.deb";
const RUST: &str = "/opt/rust";

/// Paths that are not compared: logs, lists and caches of the system, and mounted directories.
const MOVING: [&str; 9] = [
    "./proc/",
    "./sys/",
    "./dev/",
    "./tmp/",
    "./root",
    "./run/",
    "./var/log/",
    "./var/cache/",
    "./var/lib/dpkg/",
];

/// Tries `package` in the Debian system at `kept`, or in a temporary one.
///
/// # Errors
/// When such a system cannot be made, and when anything of the trial fails.
pub fn run(package: &Path, kept: Option<&Path>) -> Result<(), String> {
    // The owner of /proc/self is the user that runs this.
    if !Path::new("/proc/self").metadata().is_ok_and(|about| about.uid() == 0) {
        return Err("--try needs root: debootstrap, chroot and mount do".to_owned());
    }
    let scratch = Scratch::within(&crate::root::target(), "trial-")?;
    let place = kept.map_or_else(|| scratch.path().join("root"), Path::to_owned);
    let system = System::make(place)?;
    fs::copy(package, system.at(PACKAGE)).map_err(|e| format!("{}: {e}", package.display()))?;
    let before = system.files()?;
    let mut failed = 0;
    let mut passed = 0;
    let mut told = |name: &str, begun: Instant, result: Result<String, String>| {
        let seconds = begun.elapsed().as_secs_f64();
        match result {
            Ok(_) => {
                passed += 1;
                println!("ok   {name} ({seconds:.1} s)");
            }
            Err(message) => {
                failed += 1;
                println!("FAIL {name}: {message}");
            }
        }
    };
    let begun = Instant::now();
    let installed = system.run(&format!("dpkg -i {PACKAGE} && dpkg -V skald && skald --version"));
    let is_installed = installed.is_ok();
    told("install: dpkg -i", begun, installed);
    for Way { name, script } in WAYS.iter().filter(|_| is_installed) {
        let begun = Instant::now();
        told(name, begun, system.run(&ways::script(script)));
    }
    let begun = Instant::now();
    told("remove: dpkg -r", begun, system.run("dpkg -r skald"));
    let begun = Instant::now();
    told("nothing is left", begun, same(&before, &system.files()?));
    println!("dist --try: {passed} passed, {failed} failed");
    if failed == 0 { Ok(()) } else { Err(format!("{failed} failed")) }
}

/// The first difference of two lists of files, if there is one.
fn same(before: &str, after: &str) -> Result<String, String> {
    let [before, after] = [before, after].map(|list| list.lines().collect::<BTreeSet<&str>>());
    match before.symmetric_difference(&after).next() {
        None => Ok(String::new()),
        Some(line) => Err(format!("not as it was: {line}")),
    }
}

/// A Debian in a directory.
struct System {
    place: PathBuf,
    /// Directory of the compiler's toolchain, which is mounted in the system.
    rust: String,
}

impl System {
    fn make(place: PathBuf) -> Result<System, String> {
        let rust =
            tools::run(Command::new("rustc").args(["--print", "sysroot"]))?.trim().to_owned();
        let system = System { place, rust };
        let mark = system.at("/etc/skald-trial");
        if mark.is_file() {
            return Ok(system);
        }
        println!("making a Debian in {}", system.place.display());
        let begun = Instant::now();
        let mut bootstrap = Command::new("debootstrap");
        bootstrap.args(["--variant=minbase", RELEASE]).arg(&system.place).arg(MIRROR);
        tools::run(&mut bootstrap)?;
        let install = "apt-get -qq update && apt-get -qq install -y --no-install-recommends";
        system.run(&format!("mkdir -p {RUST} && {install} {}", PACKAGES.join(" ")))?;
        fs::write(&mark, PACKAGES.join("\n")).map_err(|e| format!("{}: {e}", mark.display()))?;
        println!("made ({:.0} s)", begun.elapsed().as_secs_f64());
        Ok(system)
    }

    /// The path outside of a path within the system.
    fn at(&self, path: &str) -> PathBuf {
        self.place.join(path.trim_start_matches('/'))
    }

    /// Runs `script` in the system's shell; returns its output.
    fn run(&self, script: &str) -> Result<String, String> {
        let enter = "set -e; mkdir -p \"$1$3\"; mount -t proc proc \"$1/proc\"; \
            mount --rbind /dev \"$1/dev\"; mount --bind -o ro \"$2\" \"$1$3\"; \
            exec chroot \"$1\" /bin/bash -eu -c \"$4\"";
        let mut command = Command::new("unshare");
        command.args(["--mount", "--propagation", "private", "sh", "-c", enter, "sh"]);
        command.arg(&self.place).args([&self.rust, RUST, script]).env_clear();
        command.env(
            "PATH",
            format!("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:{RUST}/bin"),
        );
        command
            .env("HOME", "/root")
            .env("LC_ALL", "C.UTF-8")
            .env("DEBIAN_FRONTEND", "noninteractive");
        let output = command.stdin(Stdio::null()).output().map_err(|e| format!("unshare: {e}"))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() {
            Ok(text(&output.stdout))
        } else {
            let all = format!("{}{}", text(&output.stdout), text(&output.stderr));
            let lines: Vec<&str> = all.lines().collect();
            let end = lines[lines.len().saturating_sub(12)..].join("\n  ");
            Err(format!("{}\n  {end}", output.status))
        }
    }

    /// Lists all files with their types and sizes, sorted.
    fn files(&self) -> Result<String, String> {
        let mut find = Command::new("find");
        find.args([".", "-xdev", "-printf", "%p %y %m %u:%g %s %l\\n"]).current_dir(&self.place);
        let all = tools::run(&mut find)?;
        let is_of_system = |line: &&str| !MOVING.iter().any(|place| line.starts_with(place));
        let mut lines: Vec<String> =
            all.lines().filter(is_of_system).map(without_size_of_directory).collect();
        lines.sort_unstable();
        Ok(lines.join("\n"))
    }
}

/// Removes the size of a directory, which depends on the file system.
fn without_size_of_directory(line: &str) -> String {
    let fields: Vec<&str> = line.split(' ').collect();
    match fields.get(1) {
        Some(&"d") => fields[..4].join(" "),
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_or_gone_is_named() {
        assert!(same("a f\nb f", "b f\na f").is_ok());
        assert!(same("a f", "a f\nb f").unwrap_err().contains("b f"));
        assert!(same("a f\nb f", "a f").unwrap_err().contains("b f"));
        assert_eq!(
            without_size_of_directory("./usr d 755 root:root 4096 "),
            "./usr d 755 root:root"
        );
    }
}
