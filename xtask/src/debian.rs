//! Files of Debian's packages, for this machine or another one. They are found by package lists of
//! their own, so that the system's lists and packages stay as they are and no privileges are
//! needed.

use crate::Result;
use crate::corpus::tools;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCES: &str = "deb http://deb.debian.org/debian bookworm main
deb-src http://deb.debian.org/debian bookworm main
";

/// Package lists of Debian, in a directory of their own.
pub struct Lists {
    directory: PathBuf,
    /// The machine by Debian's name, if it is not this one.
    architecture: Option<&'static str>,
}

impl Lists {
    /// Makes the directory. The lists are fetched by `apt(&["update"])`.
    ///
    /// # Errors
    /// Without apt, or when files cannot be written.
    pub fn new(directory: &Path, architecture: Option<&'static str>) -> Result<Self> {
        if tools::find("apt-get").is_none() {
            return Err("failed to fetch: there is no apt-get".to_owned());
        }
        for part in ["lists/partial", "cache/archives/partial"] {
            let part = directory.join(part);
            fs::create_dir_all(&part).map_err(|e| format!("{}: {e}", part.display()))?;
        }
        for (name, text) in [("sources.list", SOURCES), ("status", "")] {
            let path = directory.join(name);
            fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        }
        Ok(Self { directory: directory.to_owned(), architecture })
    }

    /// Runs apt-get in the directory.
    ///
    /// # Errors
    /// When it fails, without a network for instance.
    pub fn apt(&self, words: &[&str]) -> Result<String> {
        self.apt_in(&self.directory, words)
    }

    /// Unpacks binary packages over each other into `root`; nothing is installed.
    ///
    /// # Errors
    /// When packages cannot be fetched or unpacked.
    pub fn unpack(&self, packages: &[&str], root: &Path) -> Result<()> {
        let downloads = self.directory.join("downloads");
        for directory in [&downloads, root] {
            fs::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        }
        self.apt(&["update"])?;
        self.apt_in(&downloads, &[&["download"], packages].concat())?;
        let entries =
            fs::read_dir(&downloads).map_err(|e| format!("{}: {e}", downloads.display()))?;
        for package in entries.flatten().map(|entry| entry.path()) {
            tools::run(Command::new("dpkg-deb").arg("-x").arg(package).arg(root))?;
        }
        fs::remove_dir_all(&downloads).map_err(|e| format!("{}: {e}", downloads.display()))
    }

    fn apt_in(&self, directory: &Path, words: &[&str]) -> Result<String> {
        let own = self.directory.display();
        let mut options = vec![
            format!("Dir::Etc::SourceList={own}/sources.list"),
            "Dir::Etc::SourceParts=-".to_owned(),
            format!("Dir::State::Lists={own}/lists"),
            format!("Dir::Cache={own}/cache"),
        ];
        if let Some(architecture) = self.architecture {
            options.push(format!("APT::Architecture={architecture}"));
            options.push(format!("APT::Architectures={architecture}"));
            // For another machine, no installed package counts: those are for this one.
            options.push(format!("Dir::State::Status={own}/status"));
        }
        let mut command = Command::new("apt-get");
        command.args(options.iter().flat_map(|option| ["-o", option]));
        tools::run(command.args(words).current_dir(directory))
    }
}
