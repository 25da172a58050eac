//! Temporary directories, which are removed when they are dropped.
//!
//! `tempfile` does more than this, but with its dependencies it would take a third of the build
//! that precedes a demonstration.

use nix::unistd::mkdtemp;
use std::fs;
use std::path::{Path, PathBuf};

/// A new directory, removed with all that is in it when this is dropped.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// A directory in the system's place for temporary files.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new() -> Result<Scratch, String> {
        Self::within(&std::env::temp_dir(), "skald-")
    }

    /// A directory in `place`, whose name begins with `prefix`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn within(place: &Path, prefix: &str) -> Result<Scratch, String> {
        let template = place.join(format!("{prefix}XXXXXX"));
        mkdtemp(&template).map(Scratch).map_err(|e| format!("{}: {e}", place.display()))
    }

    /// Path of the directory.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_with_its_content() {
        let (one, other) = (Scratch::new().unwrap(), Scratch::new().unwrap());
        assert_ne!(one.path(), other.path());
        let path = one.path().to_owned();
        fs::create_dir(path.join("within")).unwrap();
        fs::write(path.join("within/file"), "text").unwrap();
        drop(one);
        assert!(!path.exists() && other.path().is_dir());
        assert!(Scratch::within(&path, "x-").unwrap_err().starts_with(path.to_str().unwrap()));
    }
}
