//! Fetches sources of packages, and installs their build dependencies, with apt.
//!
//! Most machines have no lists of source packages. These are fetched into the cache, by a sources
//! list of its own, beside the lists of the machine, which stay as they are.

use super::build;
use crate::Result;
use crate::tools::is_root;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use xtask::corpus::tools;

/// Where sources come from.
const MIRROR: &str = "http://deb.debian.org/debian";
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// apt, with lists of sources.
pub struct Sources {
    directory: PathBuf,
}

impl Sources {
    /// Fetches the lists, unless they are there; an error says why there are no sources.
    pub fn new(cache: &Path) -> Result<Sources> {
        let io = |e: std::io::Error| format!("{}: {e}", cache.display());
        for name in ["lists/partial", "sources", "logs"] {
            std::fs::create_dir_all(cache.join(name)).map_err(io)?;
        }
        for program in ["apt-get", "dpkg-buildpackage", "dpkg-source", "runuser"] {
            tools::first_of(&[program])?;
        }
        let sources = Sources { directory: cache.to_owned() };
        let list = sources.list();
        let own = std::fs::read_to_string("/etc/apt/sources.list").unwrap_or_default();
        let text = format!("{own}\ndeb-src [signed-by={KEYRING}] {MIRROR} {} main\n", codename()?);
        let is_new = std::fs::read_to_string(&list).ok().as_deref() != Some(text.as_str());
        if is_new {
            std::fs::write(&list, text).map_err(io)?;
            let updated = tools::run(sources.apt().arg("update"));
            if updated.is_err() {
                let _ = std::fs::remove_file(&list);
            }
            updated?;
        }
        Ok(sources)
    }

    fn list(&self) -> PathBuf {
        self.directory.join("sources.list")
    }

    /// `apt-get` with this list and nobody to answer a question.
    fn apt(&self) -> Command {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").env("LC_ALL", "C.UTF-8").arg("-qq");
        let lists = self.directory.join("lists");
        let option = |name: &str, value: &Path| format!("{name}={}", value.display());
        command.arg("-o").arg(option("Dir::Etc::SourceList", &self.list()));
        command.arg("-o").arg(option("Dir::State::Lists", &lists));
        // The machine's caches are those of its own lists.
        command.args(["-o", "Dir::Cache::PkgCache=", "-o", "Dir::Cache::SrcPkgCache="]);
        command.args(["-o", "APT::Sandbox::User=root", "-o", "DPkg::Lock::Timeout=600"]);
        command
    }

    /// Downloads a package's source unless it is there; returns its version.
    pub fn fetch(&self, name: &str) -> Result<String> {
        let directory = self.directory.join("sources").join(name);
        if !directory.is_dir() {
            self.download(name, &directory)?;
        }
        let file = description(&directory)?;
        let text =
            std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let version = text.lines().find_map(|line| line.strip_prefix("Version: "));
        Ok(version.unwrap_or_default().to_owned())
    }

    /// Downloads a source; it gets its final name only when it is complete.
    fn download(&self, name: &str, to: &Path) -> Result<()> {
        let part = to.with_file_name(format!("{name}.part"));
        let io = |e: std::io::Error| format!("{}: {e}", part.display());
        let _ = std::fs::remove_dir_all(&part);
        std::fs::create_dir_all(&part).map_err(io)?;
        let mut command = self.apt();
        command.current_dir(&part).args(["--only-source", "--download-only", "source", name]);
        let done = tools::run(&mut command).map_err(|e| format!("no source: {}", last_line(&e)));
        match done {
            Ok(_) => std::fs::rename(&part, to).map_err(io),
            Err(message) => {
                let _ = std::fs::remove_dir_all(&part);
                Err(message)
            }
        }
    }

    /// Installs the build dependencies of the package; if the user may not do that,
    /// `dpkg-buildpackage` says what is missing.
    pub fn install_dependencies(&self, name: &str) -> Result<()> {
        if !is_root() {
            return Ok(());
        }
        let mut command = self.apt();
        command.args(["--yes", "--no-remove", "--no-install-recommends", "build-dep", name]);
        let installed = tools::run(command.stdout(Stdio::null()));
        installed.map(drop).map_err(|e| format!("build dependencies: {}", last_line(&e)))
    }

    /// Unpacks the source below `directory`, which is emptied first, for the user who builds;
    /// returns its directory.
    pub fn unpack(&self, name: &str, directory: &Path) -> Result<PathBuf> {
        let _ = std::fs::remove_dir_all(directory);
        std::fs::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        let source = directory.join("source");
        let mut command = Command::new("dpkg-source");
        command.args(["--no-check", "--extract"]);
        command.arg(description(&self.directory.join("sources").join(name))?).arg(&source);
        tools::run(&mut command)?;
        build::give(directory)?;
        Ok(source)
    }
}

/// The `.dsc` file in `directory`.
fn description(directory: &Path) -> Result<PathBuf> {
    let entries =
        std::fs::read_dir(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    let found = paths.find(|path| path.extension().is_some_and(|extension| extension == "dsc"));
    found.ok_or_else(|| format!("{}: no source", directory.display()))
}

/// The codename of this system's Debian release.
fn codename() -> Result<String> {
    let text = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let value = |name: &str| {
        let mut lines = text.lines();
        lines.find_map(|line| {
            line.strip_prefix(name).map(|value| value.trim_matches('"').to_owned())
        })
    };
    match (value("ID="), value("VERSION_CODENAME=")) {
        (Some(system), Some(release)) if system == "debian" => Ok(release),
        _ => Err("this is not Debian".to_owned()),
    }
}

fn last_line(text: &str) -> &str {
    text.trim().lines().next_back().unwrap_or_default()
}
