//! What is shipped, as it is called, and the time that all of its files bear.

use crate::corpus::tools;
use crate::root;
use std::process::Command;

/// A release for a machine.
pub struct Release {
    /// The version, as cargo has it.
    pub version: String,
    /// The machine, as rustc calls it.
    pub host: String,
    /// Seconds since 1970: the same files give the same bytes.
    pub time: u64,
}

impl Release {
    /// The one of this source, for this machine.
    ///
    /// # Errors
    /// When rustc does not say for which machine it compiles, and when `SOURCE_DATE_EPOCH` is no
    /// number.
    pub fn here() -> Result<Release, String> {
        let told = tools::run(Command::new("rustc").arg("-vV"))?;
        let host = told.lines().find_map(|line| line.strip_prefix("host: "));
        let host = host.ok_or("rustc -vV names no host")?.to_owned();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Release { version, host, time: time()? })
    }
}

/// What `SOURCE_DATE_EPOCH` says; without it, when this was committed.
fn time() -> Result<u64, String> {
    if let Ok(given) = std::env::var("SOURCE_DATE_EPOCH") {
        return given.parse().map_err(|_| format!("SOURCE_DATE_EPOCH is no number: {given}"));
    }
    let mut git = Command::new("git");
    git.args(["log", "-1", "--format=%ct"]).current_dir(root::directory());
    let told = tools::run(&mut git).unwrap_or_default();
    Ok(told.trim().parse().unwrap_or(0))
}

/// The time as Debian's lists of changes have it.
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
