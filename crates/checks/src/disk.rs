//! File systems that are mounted for a check.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A mounted file system; unmounted when dropped.
pub struct Disk(PathBuf);

impl Disk {
    /// Mounts at `at`, which is made, what `mount` is told by `arguments`; none where nothing may
    /// be mounted.
    pub fn mount(at: &Path, arguments: &[&str]) -> Option<Disk> {
        std::fs::create_dir_all(at).ok()?;
        is_done(Command::new("mount").args(arguments).arg(at)).then(|| Disk(at.to_owned()))
    }

    /// A tmpfs with so many pages.
    pub fn with_pages(at: &Path, pages: usize) -> Option<Disk> {
        Disk::mount(at, &["-t", "tmpfs", "-o", &format!("size={}", pages * 4096), "tmpfs"])
    }

    /// The directory that it is mounted on.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        is_done(Command::new("umount").arg("-l").arg(&self.0));
    }
}

/// Runs `command`, of which nothing is shown; whether it succeeds.
pub fn is_done(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
