//! The inputs that were opened, for whoever wants to keep them all. Off unless asked for.

use super::InputFile;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

static IS_ON: AtomicBool = AtomicBool::new(false);
static OPENED: Mutex<Vec<InputFile>> = Mutex::new(Vec::new());

/// From now on, what is opened is noted.
pub fn record() {
    IS_ON.store(true, Ordering::Relaxed);
}

/// What has been opened, each path once, in the order of paths.
pub fn recorded() -> Vec<InputFile> {
    let mut files = OPENED.lock().unwrap_or_else(|e| e.into_inner()).clone();
    files.sort_by_key(|file| file.path);
    files.dedup_by_key(|file| file.path);
    files
}

pub(super) fn opened(file: InputFile) -> InputFile {
    if IS_ON.load(Ordering::Relaxed) {
        OPENED.lock().unwrap_or_else(|e| e.into_inner()).push(file);
    }
    file
}
