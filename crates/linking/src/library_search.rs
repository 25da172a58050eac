//! Searches a library: the first directory that has a file of one of the names. Files for other
//! machines are passed over.

use skald_core::diag::Result;
use skald_core::input::{self, InputFile};
use std::path::{Path, PathBuf};

/// The result of a search.
#[derive(Debug)]
pub struct LibrarySearch {
    /// Path and file of the library; `None` if no directory has it.
    pub found: Option<(PathBuf, InputFile)>,
    /// Paths of the files for other machines that were passed over.
    pub foreign: Vec<PathBuf>,
}

/// Searches `directories` for one of `names`, of which the first is preferred. `is_foreign` tells
/// by its path and bytes whether a file is for another machine: then the search goes on, as GNU
/// ld's does.
pub fn search<'a>(
    directories: impl Iterator<Item = &'a PathBuf>,
    names: &[String],
    is_foreign: impl Fn(&Path, &[u8]) -> bool,
) -> Result<LibrarySearch> {
    let mut foreign = Vec::new();
    for directory in directories {
        for name in names {
            let path = directory.join(name);
            if !path.is_file() {
                continue;
            }
            let file = input::open(&path)?;
            if !is_foreign(&path, file.data) {
                return Ok(LibrarySearch { found: Some((path, file)), foreign });
            }
            foreign.push(path);
        }
    }
    Ok(LibrarySearch { found: None, foreign })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_come_before_names() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let dirs = ["a", "b", "c"].map(|name| directory.path().join(name));
        for (at, name, text) in [(0, "x.so", "foreign"), (1, "x.a", "own"), (2, "x.so", "own")] {
            std::fs::create_dir_all(&dirs[at]).expect("a directory");
            std::fs::write(dirs[at].join(name), text).expect("a file");
        }
        let names = ["x.so", "x.a"].map(str::to_owned);
        let search = |names: &[String]| {
            let is_foreign = |_: &Path, data: &[u8]| data == b"foreign";
            let search = search(dirs.iter(), names, is_foreign).expect("files can be read");
            (search.found.map(|found| found.0), search.foreign)
        };
        let passed = vec![dirs[0].join("x.so")];
        assert_eq!(search(&names), (Some(dirs[1].join("x.a")), passed.clone()));
        assert_eq!(search(&names[..1]), (Some(dirs[2].join("x.so")), passed));
        assert_eq!(search(&["y.a".to_owned()]), (None, Vec::new()));
    }
}
