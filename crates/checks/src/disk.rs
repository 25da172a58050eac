//! File systems that are mounted for a check.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A mounted file system; unmounted when dropped.
pub struct Disk(PathBuf);

impl Disk {
    /// Creates the directory `at` and mounts a file system there, with these arguments of `mount`.
    /// `None` if the mount fails, for example without privileges.
    pub fn mount(at: &Path, arguments: &[&str]) -> Option<Disk> {
        std::fs::create_dir_all(at).ok()?;
        is_done(Command::new("mount").args(arguments).arg(at)).then(|| Disk(at.to_owned()))
    }

    /// A tmpfs with this many pages.
    pub fn with_pages(at: &Path, pages: usize) -> Option<Disk> {
        Disk::mount(at, &["-t", "tmpfs", "-o", &format!("size={}", pages * 4096), "tmpfs"])
    }

    /// The mount point.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        is_done(Command::new("umount").arg("-l").arg(&self.0));
    }
}

/// Runs `command` without showing its output; returns whether it succeeds.
pub fn is_done(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
