//! The inputs that were opened, and whether they are still what they were.
//!
//! Whoever writes into a file that is being read makes a link of two files that never existed. What
//! is decoded twice may then contradict itself, which looks like a fault of the linker. So size and
//! time of every input are compared at the end with those it was opened with. A file that another
//! has replaced under its name is no such case: the old one is still mapped, whole.

use super::{Identity, InputFile};
use rayon::prelude::*;
use rustix::fs::Stat;
use std::path::Path;
use std::sync::Mutex;

/// What an input was when it was opened.
#[derive(Clone, Copy)]
struct Opened {
    file: InputFile,
    size: u64,
    /// Seconds and nanoseconds of the last change.
    modified: (i64, u64),
}

static OPENED: Mutex<Vec<Opened>> = Mutex::new(Vec::new());

/// How many inputs have been opened, for [`opened_since`].
pub fn opened_so_far() -> usize {
    all().len()
}

/// What has been opened after the first `before`, each path once, in the order of paths.
pub fn opened_since(before: usize) -> Vec<InputFile> {
    let mut files: Vec<InputFile> = all()[before..].iter().map(|opened| opened.file).collect();
    files.sort_by_key(|file| file.path);
    files.dedup_by_key(|file| file.path);
    files
}

/// The first path by which the file `identity` has been opened.
pub fn opened_as(identity: Identity) -> Option<&'static Path> {
    let is_it = |opened: &&Opened| opened.file.identity == identity;
    // The order of opening differs from run to run.
    all().iter().filter(is_it).map(|opened| opened.file.path).min()
}

/// Files that were written while they were inputs of this process.
pub fn changed() -> Vec<&'static Path> {
    // What was read when it was opened cannot change any more.
    let opened: Vec<Opened> = all().iter().filter(|o| o.file.is_mapped).copied().collect();
    let changed = opened.par_iter().with_min_len(64).filter(|opened| opened.is_changed());
    let mut paths: Vec<&Path> = changed.map(|opened| opened.file.path).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// One of [`changed`], found by this thread alone.
pub(crate) fn any_changed() -> Option<&'static Path> {
    all()
        .iter()
        .find(|opened| opened.file.is_mapped && opened.is_changed())
        .map(|opened| opened.file.path)
}

fn all() -> std::sync::MutexGuard<'static, Vec<Opened>> {
    OPENED.lock().unwrap_or_else(|e| e.into_inner())
}

pub(super) fn opened(file: InputFile, status: &Stat) -> InputFile {
    all().push(Opened { file, size: status.st_size as u64, modified: modified(status) });
    file
}

fn modified(status: &Stat) -> (i64, u64) {
    (status.st_mtime, status.st_mtime_nsec)
}

impl Opened {
    fn is_changed(&self) -> bool {
        let now = match self.file.descriptor {
            Some(descriptor) => rustix::fs::fstat(descriptor),
            None => rustix::fs::stat(self.file.path),
        };
        let is_changed = |now: Stat| {
            let is_same =
                (now.st_dev, now.st_ino) == (self.file.identity.device, self.file.identity.inode);
            is_same && (now.st_size as u64, modified(&now)) != (self.size, self.modified)
        };
        now.is_ok_and(is_changed)
    }
}
