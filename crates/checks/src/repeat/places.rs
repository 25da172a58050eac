//! Places to link in: another directory, and file systems of each kind, in images that are mounted
//! if the user may do so.

use crate::disk::{Disk, is_done};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Size of each disk image; unused space takes no room.
const SIZE: &str = "2G";

/// File systems in an image, and what makes them.
const IMAGES: [(&str, &[&str]); 3] = [
    ("ext4", &["mkfs.ext4", "-q", "-F"]),
    ("xfs", &["mkfs.xfs", "-q", "-f"]),
    ("btrfs", &["mkfs.btrfs", "-q", "-f"]),
];

/// The places; unmounted when dropped.
pub struct Places {
    disks: Vec<(String, Disk)>,
    /// Another directory, with an odd name.
    directory: PathBuf,
    /// File systems that cannot be mounted on this machine.
    pub missing: Vec<&'static str>,
}

impl Places {
    /// Makes all places that are possible, below `work`.
    pub fn make(work: &Path) -> Places {
        let directory = work.join("another place, d\u{e9}j\u{e0} vu");
        let mut places = Places { disks: Vec::new(), directory, missing: Vec::new() };
        places.add("tmpfs", Disk::mount(&work.join("tmpfs"), &["-t", "tmpfs", "tmpfs"]));
        for (name, make) in IMAGES {
            places.add(name, from_image(work, name, make));
        }
        places.add("overlayfs", overlay(&work.join("overlayfs")));
        places
    }

    fn add(&mut self, name: &'static str, disk: Option<Disk>) {
        match disk {
            Some(disk) => self.disks.push((name.to_owned(), disk)),
            None => self.missing.push(name),
        }
    }

    /// Names and directories of the places.
    pub fn all(&self) -> Vec<(String, PathBuf)> {
        let directory = ("another directory".to_owned(), self.directory.clone());
        let disks = self.disks.iter().map(|(name, disk)| (name.clone(), disk.path().to_owned()));
        std::iter::once(directory).chain(disks).collect()
    }
}

fn from_image(work: &Path, name: &str, make: &[&str]) -> Option<Disk> {
    let image = work.join(format!("{name}.image"));
    let image_name = image.to_str()?;
    let (program, options) = make.split_first()?;
    let is_made = is_done(Command::new("truncate").args(["-s", SIZE, image_name]))
        && is_done(Command::new(program).args(options).arg(&image));
    if !is_made {
        return None;
    }
    Disk::mount(&work.join(name), &["-o", "loop", image_name])
}

/// An overlay over the file system that `at` is on.
fn overlay(at: &Path) -> Option<Disk> {
    let part = |name: &str| at.with_extension(name);
    for name in ["lower", "upper", "work"] {
        std::fs::create_dir_all(part(name)).ok()?;
    }
    let (lower, upper, work) = (part("lower"), part("upper"), part("work"));
    let (lower, upper, work) = (lower.display(), upper.display(), work.display());
    let options = format!("lowerdir={lower},upperdir={upper},workdir={work}");
    Disk::mount(at, &["-t", "overlay", "-o", &options, "overlay"])
}
