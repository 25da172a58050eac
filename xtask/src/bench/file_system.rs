//! Directories of outputs, on file systems with different costs.

use nix::sys::statfs::{
    BTRFS_SUPER_MAGIC, EXT4_SUPER_MAGIC, FsType, NFS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC,
    TMPFS_MAGIC, XFS_SUPER_MAGIC, statfs,
};
use std::fs::File;
use std::path::Path;

/// File systems by their magic number.
const FILE_SYSTEMS: [(FsType, &str); 6] = [
    (TMPFS_MAGIC, "tmpfs"),
    (EXT4_SUPER_MAGIC, "ext4"),
    (XFS_SUPER_MAGIC, "xfs"),
    (BTRFS_SUPER_MAGIC, "btrfs"),
    (OVERLAYFS_SUPER_MAGIC, "overlayfs"),
    (NFS_SUPER_MAGIC, "nfs"),
];

/// The directory with its file system, for people: `/dev/shm (tmpfs)`.
pub fn described(directory: &Path) -> String {
    let name = match file_system(directory) {
        Some(name) => format!(" ({name})"),
        None => String::new(),
    };
    format!("{}{name}", directory.display())
}

/// Waits until the directory's file system has no more data to write, so that no linker is slowed
/// down by the output of the previous one.
pub fn settle(directory: &Path) {
    if file_system(directory) == Some("tmpfs") {
        return;
    }
    if let Ok(directory) = File::open(directory) {
        let _ = nix::unistd::syncfs(&directory);
    }
}

fn file_system(directory: &Path) -> Option<&'static str> {
    let kind = statfs(directory).ok()?.filesystem_type();
    FILE_SYSTEMS.iter().find(|(known, _)| *known == kind).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_described() {
        assert_eq!(described(Path::new("/nowhere/at/all")), "/nowhere/at/all");
        assert!(described(Path::new("/")).starts_with('/'));
        settle(Path::new("/nowhere/at/all"));
    }
}
