//! Name of a release, and the modification time of all its files.

use crate::corpus::tools;
use crate::root;
use std::process::Command;

/// A release for a machine.
pub struct Release {
    /// The version in cargo's manifest.
    pub version: String,
    /// The host triple of rustc.
    pub host: String,
    /// Modification time of all files, in seconds since 1970, so that the output is reproducible.
    pub time: u64,
}

impl Release {
    /// The release of this source, for this machine.
    ///
    /// # Errors
    /// When rustc does not print its host, or when `SOURCE_DATE_EPOCH` is not a number.
    pub fn here() -> Result<Release, String> {
        let told = tools::run(Command::new("rustc").arg("-vV"))?;
        let host = told.lines().find_map(|line| line.strip_prefix("host: "));
        let host = host.ok_or("rustc -vV names no host")?.to_owned();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Release { version, host, time: time()? })
    }
}

/// `SOURCE_DATE_EPOCH`, or the time of the last commit.
fn time() -> Result<u64, String> {
    if let Ok(given) = std::env::var("SOURCE_DATE_EPOCH") {
        return given.parse().map_err(|_| format!("SOURCE_DATE_EPOCH is no number: {given}"));
    }
    let mut git = Command::new("git");
    git.args(["log", "-1", "--format=%ct"]).current_dir(root::directory());
    let told = tools::run(&mut git).unwrap_or_default();
    Ok(told.trim().parse().unwrap_or(0))
}

/// The time in the format of Debian's changelogs.
///
/// # Errors
/// When there is no `date`.
pub fn date(time: u64) -> Result<String, String> {
    let mut date = Command::new("date");
    let told = tools::run(date.args(["-u", "-R", "-d", &format!("@{time}")]).env("LC_ALL", "C"))?;
    Ok(told.trim().to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates_are_those_of_mail() {
        assert_eq!(super::date(0).unwrap(), "Thu, 01 Jan 1970 00:00:00 +0000");
    }
}
