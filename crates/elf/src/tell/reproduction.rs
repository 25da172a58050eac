//! `--reproduce`: a tar file with everything that the link read, from which the link can be
//! repeated anywhere: `tar xf FILE && cd NAME && skald @response.txt`.
//!
//! The layout is lld's: below NAME, which is FILE without `.tar`, stand `response.txt`,
//! `version.txt`, and every file under the absolute path it was opened by. The words of the command
//! line are kept. `response.txt` begins with `-C` and `--chroot`, which redirect relative and
//! absolute paths to the copies, also in scripts, and ends with an `-o` that puts the output next
//! to it. The file is written at the end of the link, whether it succeeded or not, and after an
//! internal error.

use super::listing;
use crate::args::Options;
use crate::args::help::VERSION;
use crate::args::parse::{Item, items};
use crate::args::side_files::SIDE_FILES;
use skald_core::diag::{Diag, Failed, WHOLE_LINK};
use skald_core::output::SideFile;
use skald_core::tar::Tar;
use skald_core::{input, internal_error};
use skald_host::errors;
use skald_host::paths::OsStrBytes;
use skald_linking::option_row::Form;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Options that are dropped, because elsewhere they would mean something else, or nothing.
const DROPPED: [&str; 6] =
    ["--reproduce", "--repro", "-C", "--chroot", "--print-symbol-order", "--error-handling-script"];

/// The tar file of `--reproduce` while it is filled.
#[derive(Clone)]
pub struct Reproduction {
    file: PathBuf,
    directory: PathBuf,
    /// `response.txt`: the command line with paths as they are in the tar file.
    response: Vec<u8>,
    /// Response files read before this link started: their words are in the command line already.
    opened_before: usize,
}

impl Reproduction {
    /// Notes inputs from here on if `--reproduce` asks for it.
    pub fn start(options: &Options, diag: &Diag) -> Result<Option<Reproduction>, Failed> {
        let Some(file) = &options.reports.reproduce else { return Ok(None) };
        let directory = std::env::current_dir().map_err(|error| {
            diag.error(
                WHOLE_LINK,
                format!("--reproduce: cannot find the working directory: {}", errors::text(&error)),
            );
            diag.checkpoint().err().unwrap_or(Failed)
        })?;
        let response = Response { options, directory: &directory }.text();
        let opened_before = input::opened_so_far();
        let reproduction = Reproduction { file: file.clone(), directory, response, opened_before };
        let kept = reproduction.clone();
        internal_error::reproduce_with(move || kept.write_now());
        Ok(Some(reproduction))
    }

    /// Writes the file. A failure is an error, and leaves no file.
    pub fn finish(self, diag: &Diag) {
        listing::write_file("", &self.file, diag, |file| self.write(file));
    }

    /// Writes the tar file with the inputs read so far; returns its path.
    fn write_now(&self) -> Result<String, String> {
        let path = self.file.display();
        let written = SideFile::create(&self.file).and_then(|mut file| {
            self.write(&mut file)?;
            file.commit()
        });
        match written {
            Ok(()) => Ok(path.to_string()),
            Err(error) => Err(format!("cannot write {path}: {}", errors::text(&error))),
        }
    }

    fn write(&self, file: &mut SideFile) -> io::Result<()> {
        let name = self.file.file_stem().unwrap_or(OsStr::new("reproduce"));
        let base = Path::new(name);
        let mut tar = Tar::new(file);
        tar.file(&base.join("response.txt"), &self.response)?;
        tar.file(&base.join("version.txt"), format!("{VERSION}\n").as_bytes())?;
        let files = input::opened_since(self.opened_before);
        let mut directories = BTreeSet::from([placed(&self.directory)]);
        for file in &files {
            passed_through(&self.directory.join(file.path), &mut directories);
        }
        for directory in directories.iter().filter(|d| !d.as_os_str().is_empty()) {
            tar.directory(&base.join(directory))?;
        }
        let mut seen = BTreeSet::new();
        for file in &files {
            let path = placed(&self.directory.join(file.path));
            if seen.insert(path.clone()) {
                tar.file(&base.join(path), file.data)?;
            }
        }
        tar.finish()
    }
}

/// `response.txt` while it is written.
struct Response<'a> {
    options: &'a Options,
    directory: &'a Path,
}

impl Response<'_> {
    fn text(&self) -> Vec<u8> {
        let start = placed(self.directory);
        let up: PathBuf = start.components().map(|_| Component::ParentDir).collect();
        let up = if up.as_os_str().is_empty() { PathBuf::from(".") } else { up };
        let root = match &self.options.chroot {
            Some(root) => up.join(placed(&self.directory.join(root))),
            None => up.clone(),
        };
        let mut text = Vec::new();
        if !start.as_os_str().is_empty() {
            line(&mut text, &[OsStr::new("-C"), start.as_os_str()]);
        }
        line(&mut text, &[OsStr::new("--chroot"), root.as_os_str()]);
        for item in items(&self.options.reports.words) {
            self.word(&mut text, &item, &up);
        }
        let name = self.options.output.file_name().unwrap_or(OsStr::new("a.out"));
        line(&mut text, &[OsStr::new("-o"), up.join(name).as_os_str()]);
        text
    }

    fn word(&self, text: &mut Vec<u8>, item: &Item<'_>, up: &Path) {
        let Item { row, name, argument, is_joined } = *item;
        let is_one_of =
            |names: &[&str]| row.is_some_and(|row| names.iter().any(|n| row.names.contains(n)));
        if is_one_of(&DROPPED) {
            return;
        }
        let name = OsStr::from_bytes(name);
        let Some(argument) = argument else { return line(text, &[name]) };
        if row.is_none() {
            return line(text, &[argument]);
        }
        if is_one_of(&["-R"]) {
            // A word with `=` may be an option or a file's name.
            let is_file = Path::new(argument).is_file();
            let meaning = if is_file { "--just-symbols" } else { "-rpath" };
            return line(text, &[OsStr::new(meaning), argument]);
        }
        // This option names an output of the link, which is put next to `response.txt`.
        let is_written = is_one_of(&["-o"]) || SIDE_FILES.iter().any(|f| is_one_of(&[f.option]));
        let moved = Path::new(argument).file_name().map(|name| up.join(name).into_os_string());
        let argument = match moved {
            Some(moved) if is_written && argument != "-" => moved,
            _ => argument.to_owned(),
        };
        if !is_joined {
            return line(text, &[name, &argument]);
        }
        // `-z` and its like take their argument without `=`, and long options with it.
        let is_short = name.len() == 2;
        let is_open = row.is_some_and(|row| row.form == Form::Joined);
        let equals = if is_short || is_open { "" } else { "=" };
        let word: OsString = [name, OsStr::new(equals), &argument].into_iter().collect();
        line(text, &[&word]);
    }
}

/// Where a file of this absolute path stands, relative to the root of the copies. The copies are
/// plain directories, so `..` may be taken away.
fn placed(path: &Path) -> PathBuf {
    let mut placed = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => placed.push(name),
            Component::ParentDir => {
                placed.pop();
            }
            _ => {}
        }
    }
    placed
}

/// Adds the directories that the path enters and leaves by `..`, because the system requires that
/// they exist.
fn passed_through(path: &Path, directories: &mut BTreeSet<PathBuf>) {
    let mut before = PathBuf::new();
    for component in path.components() {
        if component == Component::ParentDir {
            directories.insert(placed(&before));
        }
        before.push(component);
    }
}

/// Adds words as a response file spells them.
fn line(text: &mut Vec<u8>, words: &[&OsStr]) {
    for (at, word) in words.iter().enumerate() {
        if at != 0 {
            text.push(b' ');
        }
        let is_plain = |b: &u8| b.is_ascii_graphic() && !matches!(b, b'"' | b'\'' | b'\\');
        if !word.is_empty() && word.as_bytes().iter().all(is_plain) {
            text.extend_from_slice(word.as_bytes());
            continue;
        }
        text.push(b'"');
        for &byte in word.as_bytes() {
            if matches!(byte, b'"' | b'\\') {
                text.push(b'\\');
            }
            text.push(byte);
        }
        text.push(b'"');
    }
    text.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_copies() {
        assert_eq!(placed(Path::new("/a/b/../c/./d.o")), Path::new("a/c/d.o"));
        assert_eq!(placed(Path::new("/../x")), Path::new("x"));
        let mut directories = BTreeSet::new();
        passed_through(Path::new("/a/b/../../c/../d.o"), &mut directories);
        let expected = ["a", "a/b", "c"].map(PathBuf::from);
        assert!(directories.iter().eq(&expected));
    }

    #[test]
    fn words_are_quoted_as_response_files_want_them() {
        let mut text = Vec::new();
        let words = ["-o", "a b", "c\"d\\e", "", "plain"].map(OsStr::new);
        line(&mut text, &words);
        assert_eq!(text, b"-o \"a b\" \"c\\\"d\\\\e\" \"\" plain\n");
    }
}
