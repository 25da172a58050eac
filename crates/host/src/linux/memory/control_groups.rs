//! Memory limits of control groups, of both versions.
//!
//! A process belongs to a group of each hierarchy, and each group above it has limits too. In a
//! container the path may be that of the host, of which only the end or only the root is visible;
//! missing directories are skipped.
//! <https://docs.kernel.org/admin-guide/cgroup-v2.html#memory-interface-files>

use super::machine_memory;
use crate::memory::GroupLimit;
use std::path::{Path, PathBuf};

/// Where the hierarchies of control groups are mounted.
const ROOT: &str = "/sys/fs/cgroup";
/// Larger numbers mean that there is no limit, in version 1 of control groups.
const NONE: u64 = 1 << 60;
/// The least value of [`GroupLimit::room`]: inputs are not released only because other processes
/// leave less.
const LEAST_ROOM: u64 = 128 << 20;

/// File names of a control group, which differ between the two versions.
struct Version {
    /// Files with limits. Above the first limit the process is killed or waits for swap; above the
    /// others memory is reclaimed.
    limits: &'static [&'static str],
    usage: &'static str,
    /// Rows of `memory.stat` that count pages of files, which can be reclaimed.
    files: [&'static str; 2],
}

const SECOND: Version = Version {
    limits: &["memory.max", "memory.high"],
    usage: "memory.current",
    files: ["inactive_file", "active_file"],
};
const FIRST: Version = Version {
    limits: &["memory.limit_in_bytes"],
    usage: "memory.usage_in_bytes",
    files: ["total_inactive_file", "total_active_file"],
};

/// The limit of the control group of this process, if there is one.
pub fn group_limit() -> Option<GroupLimit> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let (bytes, room) = limit_of(&groups, Path::new(ROOT), machine_memory()?)?;
    Some(GroupLimit { bytes, room, has_swap: has_swap() })
}

/// Whether there is swap: then a process may exceed the limit of its control group.
fn has_swap() -> bool {
    std::fs::read_to_string("/proc/swaps").is_ok_and(|list| list.lines().count() > 1)
}

/// For the groups that `groups` (`/proc/self/cgroup`) names, with files below `root`: the least
/// limit below `machine`, and the least memory that is left in any group.
fn limit_of(groups: &str, root: &Path, machine: u64) -> Option<(u64, u64)> {
    let limits = directories(groups, root).into_iter().filter_map(|(version, directory)| {
        let limits = version.limits.iter().filter_map(|name| number(&directory.join(name)));
        let bytes = limits.min().filter(|&bytes| bytes < machine.min(NONE))?;
        Some((bytes, bytes.saturating_sub(used(version, &directory)).max(LEAST_ROOM).min(bytes)))
    });
    limits.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)))
}

/// Bytes of memory that a group uses and that cannot be reclaimed.
fn used(version: &Version, directory: &Path) -> u64 {
    let stat = std::fs::read_to_string(directory.join("memory.stat")).unwrap_or_default();
    let rows = stat.lines().filter_map(|line| line.split_once(' '));
    let files = rows.filter(|(name, _)| version.files.contains(name));
    let files: u64 = files.filter_map(|(_, count)| count.parse::<u64>().ok()).sum();
    number(&directory.join(version.usage)).unwrap_or(0).saturating_sub(files)
}

/// The directories of all groups that limit the memory of a process.
fn directories(groups: &str, root: &Path) -> Vec<(&'static Version, PathBuf)> {
    let mut directories = Vec::new();
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let (version, mount) = match controllers {
            "" => (&SECOND, root.to_owned()),
            _ if controllers.split(',').any(|name| name == "memory") => {
                (&FIRST, root.join("memory"))
            }
            _ => continue,
        };
        let relative = Path::new(path.trim_start_matches('/'));
        for group in relative.ancestors() {
            directories.push((version, mount.join(group)));
        }
    }
    directories
}

/// The number that a file holds; `None` for `max`.
fn number(path: &Path) -> Option<u64> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn write(root: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("below a root")).expect("writable");
            fs::write(path, text).expect("writable");
        }
    }

    const MACHINE: u64 = 64 << 30;

    #[test]
    fn groups_above_limit_too() {
        let root = tempfile::tempdir().expect("writable");
        let files = [
            ("a/memory.max", "8589934592\n"),
            ("a/b/memory.max", "max\n"),
            ("a/b/memory.high", "max\n"),
            ("a/memory.current", "4294967296\n"),
            ("a/memory.stat", "anon 1\ninactive_file 1073741824\nactive_file 2147483648\n"),
        ];
        write(root.path(), &files);
        let limit = |groups| limit_of(groups, root.path(), MACHINE);
        assert_eq!(limit("0::/a/b\n"), Some((8 << 30, 7 << 30)));
        assert_eq!(limit("0::/a/b/not/visible\n"), Some((8 << 30, 7 << 30)));
        assert_eq!(limit("0::/\n"), None);
        assert_eq!(limit("0::/other\n"), None);
        assert_eq!(limit("4:memory:/a\n"), None);
        fs::write(root.path().join("a/b/memory.high"), "1048576\n").expect("writable");
        assert_eq!(limit("0::/a/b\n"), Some((1 << 20, 1 << 20)));
    }

    #[test]
    fn the_first_version_has_a_directory_of_its_own() {
        let root = tempfile::tempdir().expect("writable");
        let files = [
            ("memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("memory/box/memory.limit_in_bytes", "1073741824\n"),
            ("memory/box/memory.usage_in_bytes", "1073741824\n"),
            ("memory/box/memory.stat", "inactive_file 0\ntotal_inactive_file 536870912\n"),
        ];
        write(root.path(), &files);
        let limit = |groups| limit_of(groups, root.path(), MACHINE);
        let groups = "9:name=systemd:/\n5:cpu,memory:/box\n0::/\n";
        assert_eq!(limit(groups), Some((1 << 30, 512 << 20)));
        assert_eq!(limit("5:cpu:/box\n"), None);
        assert_eq!(limit("5:memory:/\n"), None);
        assert_eq!(limit_of(groups, root.path(), 512 << 20), None, "the machine has less");
    }
}
