//! The input of one link, in the making: files in a directory, and the line that links them.

use super::archive::{self, Member};
use super::code::Code;
use super::library::Library;
use super::object::Object;
use crate::corpus::response;
use std::fs;
use std::path::{Path, PathBuf};

/// The line of options and files.
pub const RESPONSE_FILE: &str = "link.rsp";

/// The input of one link.
pub struct Input {
    directory: PathBuf,
    line: Vec<String>,
    /// The first file that could not be written.
    failure: Option<String>,
}

impl Input {
    /// An input in an empty directory.
    pub fn new(directory: &Path) -> Self {
        Self { directory: directory.to_owned(), line: Vec::new(), failure: None }
    }

    /// Puts a word on the line.
    pub fn word(&mut self, word: impl Into<String>) {
        self.line.push(word.into());
    }

    /// Puts words on the line.
    pub fn words(&mut self, words: impl IntoIterator<Item = String>) {
        self.line.extend(words);
    }

    /// Writes a file that the line does not name.
    pub fn file(&mut self, name: &str, bytes: &[u8]) {
        let path = self.directory.join(name);
        let directory = path.parent().unwrap_or(&self.directory);
        let written = fs::create_dir_all(directory).and_then(|()| fs::write(&path, bytes));
        if let Err(error) = written {
            self.failure.get_or_insert(format!("{}: {error}", path.display()));
        }
    }

    /// Adds an object.
    pub fn object(&mut self, name: &str, object: &Object) {
        self.file(name, &object.write());
        self.word(name);
    }

    /// Adds an object made of functions.
    pub fn code(&mut self, name: &str, code: &Code) {
        self.object(name, &code.object);
    }

    /// Adds an archive.
    pub fn archive(&mut self, name: &str, members: impl IntoIterator<Item = (String, Object)>) {
        self.archive_unnamed(name, members);
        self.word(name);
    }

    /// Writes an archive that the line does not name by its path.
    pub fn archive_unnamed(
        &mut self,
        name: &str,
        members: impl IntoIterator<Item = (String, Object)>,
    ) {
        let member = |(name, object): (String, Object)| Member {
            name,
            bytes: object.write(),
            symbols: object.defined_names().map(str::to_owned).collect(),
        };
        let members: Vec<Member> = members.into_iter().map(member).collect();
        self.file(name, &archive::write(&members));
    }

    /// Adds a shared library.
    pub fn library(&mut self, name: &str, library: &Library) {
        self.file(name, &library.write());
        self.word(name);
    }

    /// Writes the line.
    ///
    /// # Errors
    /// The first file that could not be written.
    pub fn finish(self) -> Result<(), String> {
        match self.failure {
            Some(failure) => Err(failure),
            None => response::write(&self.directory.join(RESPONSE_FILE), &self.line),
        }
    }
}
