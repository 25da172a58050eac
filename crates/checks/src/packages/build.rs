//! One build of a package: `dpkg-buildpackage`, by an unprivileged user, in an environment like
//! that of Debian's build machines.
//!
//! As root, some test suites fail, and others skip tests that need an unprivileged user.

use super::TIME_LIMIT_MINUTES;
use crate::Result;
use crate::tools::is_root;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use xtask::corpus::tools;

/// The user who builds, if root runs the checks.
const USER: &str = "nobody";

/// The result of a build.
pub struct Build {
    /// The packages were made, and all tests passed.
    pub is_done: bool,
    /// The whole log.
    pub text: String,
}

/// Builds the package whose source is in `source`, with `linker` in place of all linkers. Its
/// messages go to `log`.
pub fn run(source: &Path, linker: Option<&Path>, log: &Path) -> Result<Build> {
    let io = |e: std::io::Error| format!("{}: {e}", log.display());
    let file = File::create(log).map_err(io)?;
    let limit = format!("{TIME_LIMIT_MINUTES}m");
    let mut command = if is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", USER, "--", "timeout"]);
        command
    } else {
        Command::new("timeout")
    };
    command.args(["--kill-after=30", &limit]);
    if let Some(linker) = linker {
        command.arg(linker).arg("-run");
    }
    command.args(["dpkg-buildpackage", "-b", "-us", "-uc"]).current_dir(source);
    let jobs = std::thread::available_parallelism().map_or(2, usize::from);
    command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("HOME", "/nonexistent");
    command.env("LC_ALL", "C.UTF-8").env("DEB_BUILD_OPTIONS", format!("parallel={jobs}"));
    command.stdin(Stdio::null()).stdout(file.try_clone().map_err(io)?).stderr(file);
    let status = command.status().map_err(|e| format!("{command:?}: {e}"))?;
    let bytes = std::fs::read(log).map_err(io)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let missing = "error: Unmet build dependencies: ";
    if let Some(at) = text.find(missing) {
        let names = text[at + missing.len()..].lines().next().unwrap_or_default();
        return Err(format!("not installed: {names}"));
    }
    Ok(Build { is_done: status.success(), text })
}

/// Gives all of `directory` to the user who builds.
pub fn give(directory: &Path) -> Result<()> {
    if !is_root() {
        return Ok(());
    }
    tools::run(Command::new("chown").args(["-R", &format!("{USER}:")]).arg(directory)).map(drop)
}
