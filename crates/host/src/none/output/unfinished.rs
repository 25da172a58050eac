//! Temporary names of unfinished outputs, which are removed when the process ends early.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn paths() -> MutexGuard<'static, Vec<PathBuf>> {
    PATHS.lock().unwrap_or_else(|e| e.into_inner())
}

/// Records a name.
pub(super) fn note(path: &Path) {
    paths().push(path.to_owned());
}

/// Forgets a name.
pub(super) fn forget(path: &Path) {
    paths().retain(|other| other != path);
}

/// Removes every unfinished output.
pub(in crate::none) fn discard_all() {
    for path in std::mem::take(&mut *paths()) {
        let _ = std::fs::remove_file(path);
    }
}
