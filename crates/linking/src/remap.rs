//! `--remap-inputs` and `--remap-inputs-file`: files that are opened in the place of others.

use crate::glob::Glob;
use skald_core::diag::{Error, Result};
use skald_core::input;
use skald_host::paths::OsStrBytes;
use std::path::{Path, PathBuf};

/// Patterns and the files that replace matching paths; the first that matches holds.
#[derive(Debug, Default)]
pub struct Remap {
    rules: Vec<(Glob, PathBuf)>,
}

impl Remap {
    /// Made from pairs of a pattern and a file, and from the files `lists`, which contain such
    /// pairs.
    pub fn new(pairs: &[(String, String)], lists: &[PathBuf]) -> Result<Remap> {
        let mut remap = Remap::default();
        for (pattern, file) in pairs {
            remap.add(pattern.as_bytes(), Path::new(file));
        }
        for path in lists {
            let file = input::open_text(path)?;
            let text = String::from_utf8_lossy(file.data);
            for (number, line) in (1..).zip(text.lines().map(str::trim)) {
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                // lld separates them by `=`, GNU ld by blanks.
                let Some((pattern, file)) = line.split_once(['=', ' ', '\t']) else {
                    let path = path.display();
                    return Err(Error(format!("{path}:{number}: expected PATTERN=FILE: {line}")));
                };
                if let Some(fault) = Glob::fault(pattern.trim().as_bytes()) {
                    return Err(Error(format!("{}:{number}: {fault}", path.display())));
                }
                remap.add(pattern.trim().as_bytes(), Path::new(file.trim()));
            }
        }
        Ok(remap)
    }

    fn add(&mut self, pattern: &[u8], file: &Path) {
        self.rules.push((Glob::new(pattern), file.to_owned()));
    }

    /// The path to open for `path`; `None` if it is replaced by `/dev/null`, which leaves it out.
    pub fn apply<'a>(&'a self, path: &'a Path) -> Option<&'a Path> {
        let bytes = path.as_os_str().as_bytes();
        let rule = self.rules.iter().find(|(pattern, _)| pattern.matches(bytes));
        let path = rule.map_or(path, |(_, file)| file.as_path());
        (rule.is_none() || path != Path::new("/dev/null")).then_some(path)
    }
}
