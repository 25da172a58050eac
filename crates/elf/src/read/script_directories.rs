//! `SEARCH_DIR` of scripts, for libraries that the command line names behind them; with `-T` in any
//! position. Scripts are read for this only if a library is in no other directory.

use crate::script::text_script::{self, Command, Script, ScriptPath};
use skald_core::diag::Result;
use skald_core::input::InputFile;
use skald_host::paths::OsStrBytes;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// How deep scripts may include each other.
const MAX_DEPTH: usize = 16;

/// Finds directories and included scripts.
pub struct Finder<'a> {
    /// The directory that `SEARCH_DIR` names.
    pub directory: &'a dyn Fn(&ScriptPath) -> PathBuf,
    /// Opens the script that `INCLUDE` names.
    pub include: &'a dyn Fn(&Path) -> Result<InputFile>,
}

impl Finder<'_> {
    /// The directories that a file's commands add; none if it is no script. Errors are reported
    /// later, when it is opened as an input.
    pub fn directories(&self, path: &Path, text: &[u8]) -> Vec<PathBuf> {
        let mut found = Vec::new();
        if text_script::looks_like_script(text) {
            self.add(path, text, 0, &mut found);
        }
        found
    }

    fn add(&self, path: &Path, text: &[u8], depth: usize, found: &mut Vec<PathBuf>) {
        let include = |name: &[u8]| {
            let name = Path::new(OsStr::from_bytes(name));
            Ok((name.display().to_string(), (self.include)(name)?.data))
        };
        let Ok(script) = Script::parse(&path.display().to_string(), text, &include) else { return };
        for (_, command) in script.commands {
            match command {
                Command::SearchDir(dir) => found.push((self.directory)(&dir)),
                Command::Include(file) if depth < MAX_DEPTH => {
                    if let Ok(included) = (self.include)(&file) {
                        self.add(&file, included.data, depth + 1, found);
                    }
                }
                _ => {}
            }
        }
    }
}
