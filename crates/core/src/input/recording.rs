//! The inputs that were opened, and whether they have changed since.
//!
//! If an input is written while it is being linked, the link sees a mixture of old and new
//! contents. A value that is decoded twice may then differ, which looks like a bug of the linker.
//! So size and modification time of every input are compared at the end with those at its opening.
//! A file that was replaced under its name by another file does not count as changed: the old file
//! is still mapped, unchanged. Nor does a file that was read instead of mapped: the link used a
//! copy of it.
//!
//! The kernel takes file times from a clock that ticks every few milliseconds. A file that was
//! written in the tick in which it was opened may be written again in that tick, and keeps its
//! time. For such files, which are rare, the content is compared instead of the time. The status
//! change time (`st_ctime`) is no better: it comes from the same clock, and new links and
//! permissions change it too.
//!
//! For all other files a new modification time counts as a change, although `touch` sets one as
//! well: to compare contents, all of the file would have to be read at its opening.

use super::{Identity, InputFile};
use crate::digest::span_digest;
use crate::par::prelude::*;
use crate::unordered::UnorderedSet;
use skald_host::input::{self as host, Status};
use skald_host::times::ticks_now;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// An input, and the properties at its opening that show whether it was changed.
#[derive(Clone, Copy)]
struct Opened {
    file: InputFile,
    size: u64,
    /// Modification time at its opening: seconds and nanoseconds.
    modified: (i64, i64),
    /// Digest of its content at its opening, if a later change could leave the time as it is.
    digest: Option<u128>,
}

/// Opening a larger file waits for the end of the tick in which the file was written: that takes
/// less time than a digest.
const DIGEST_MAX: usize = 16 << 20;

/// The error, after the path, for an input that was written while it was read.
pub const CHANGED: &[u8] = b": file was changed while it was linked";

static OPENED: Mutex<Vec<Opened>> = Mutex::new(Vec::new());

/// How many inputs were opened so far, for [`opened_since`].
pub fn opened_so_far() -> usize {
    all().len()
}

/// Inputs opened after the first `before`, each path once, sorted by path.
pub fn opened_since(before: usize) -> Vec<InputFile> {
    let mut files: Vec<InputFile> = all()[before..].iter().map(|opened| opened.file).collect();
    files.sort_by_key(|file| file.path);
    files.dedup_by_key(|file| file.path);
    files
}

/// Forgets files that were opened like inputs but were not named by the user.
pub fn forget(paths: &[&Path]) {
    let paths: UnorderedSet<&Path> = paths.iter().copied().collect();
    let mut opened = OPENED.lock().unwrap_or_else(|e| e.into_inner());
    opened.retain(|opened| !paths.contains(opened.file.path));
}

/// The first path by which the file `identity` has been opened.
pub fn opened_as(identity: Identity) -> Option<&'static Path> {
    let is_it = |opened: &&Opened| opened.file.identity == identity;
    // The order of opening differs from run to run.
    all().iter().filter(is_it).map(|opened| opened.file.path).min()
}

/// Files that were written while they were inputs of this process.
pub fn changed() -> Vec<&'static Path> {
    // A file that was read when it was opened cannot change in memory.
    let opened: Vec<Opened> = all().iter().filter(|o| o.file.is_mapped).copied().collect();
    let changed = opened.par_iter().with_min_len(64).filter(|opened| opened.is_changed());
    let mut paths: Vec<&Path> = changed.map(|opened| opened.file.path).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// The input whose bytes contain `address`, and the offset in it; `None` if the lock is held.
pub(crate) fn containing(address: usize) -> Option<(&'static Path, usize)> {
    let opened = OPENED.try_lock().ok()?;
    opened.iter().find_map(|opened| {
        let data = opened.file.data;
        let offset = address.checked_sub(data.as_ptr() as usize)?;
        (offset < data.len()).then_some((opened.file.path, offset))
    })
}

/// One of the files of [`changed`], found without other threads.
pub(crate) fn any_changed() -> Option<&'static Path> {
    all()
        .iter()
        .find(|opened| opened.file.is_mapped && opened.is_changed())
        .map(|opened| opened.file.path)
}

fn all() -> std::sync::MutexGuard<'static, Vec<Opened>> {
    OPENED.lock().unwrap_or_else(|e| e.into_inner())
}

pub(super) fn opened(file: InputFile, status: &Status) -> InputFile {
    let mut opened = Opened { file, size: status.size, modified: status.modified, digest: None };
    let (seconds, nanoseconds) = status.modified;
    if file.is_mapped && ticks_now(seconds, nanoseconds) {
        if file.data.len() <= DIGEST_MAX {
            opened.digest = Some(span_digest(file.data));
        } else {
            while ticks_now(seconds, nanoseconds) {
                std::thread::sleep(Duration::from_millis(1));
            }
            if let Ok(later) = opened.status() {
                opened.modified = later.modified;
            }
        }
    }
    all().push(opened);
    file
}

impl Opened {
    fn status(&self) -> std::io::Result<Status> {
        match self.file.descriptor {
            Some(descriptor) => descriptor.status(),
            None => host::status(self.file.path),
        }
    }

    fn is_changed(&self) -> bool {
        let is_changed = |now: Status| {
            let is_same = now.identity == self.file.identity;
            is_same && (now.size != self.size || self.has_other_content(&now))
        };
        self.status().is_ok_and(is_changed)
    }

    /// Compares the digest if there is one, and the time otherwise.
    fn has_other_content(&self, now: &Status) -> bool {
        match self.digest {
            Some(digest) => digest != span_digest(self.file.data),
            None => now.modified != self.modified,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn a_file_that_is_touched_at_once_has_not_changed() {
        let dir = tempfile::tempdir().unwrap();
        // Repeats until a file is opened in the tick in which it was written.
        let (path, file) = (0..)
            .find_map(|number: u32| {
                let path = dir.path().join(number.to_string());
                fs::write(&path, vec![1; 10_000]).unwrap();
                crate::input::open(&path).unwrap();
                let is_known = all().iter().any(|o| o.file.path == path && o.digest.is_some());
                is_known.then(|| (path.clone(), fs::OpenOptions::new().write(true).open(&path)))
            })
            .unwrap();
        let mut file = file.unwrap();
        file.set_modified(std::time::SystemTime::now() + Duration::from_secs(5)).unwrap();
        assert!(!changed().contains(&&*path));
        std::io::Write::write_all(&mut file, &[2]).unwrap();
        assert!(changed().contains(&&*path));
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn a_file_that_is_written_again_at_once_has_changed() {
        let dir = tempfile::tempdir().unwrap();
        let large = DIGEST_MAX + 1;
        for (number, len) in [10_000, 300_000, 10_000, large, 10_000, 10_000].iter().enumerate() {
            let path = dir.path().join(number.to_string());
            fs::write(&path, vec![1; *len]).unwrap();
            let file = crate::input::open(&path).unwrap();
            assert!(!changed().contains(&&*path), "{len} bytes, as they were");
            // Overwritten in place with the same size, and in the same tick if possible.
            let mut again = fs::OpenOptions::new().write(true).open(&path).unwrap();
            std::io::Write::write_all(&mut again, &[2]).unwrap();
            assert_eq!(file.data[0], 2);
            assert!(changed().contains(&&*path), "{len} bytes, written again");
        }
    }
}
