//! Texts that options ask for: to a file, or to a stream of the process.

use skald_core::diag::{Diag, WHOLE_LINK};
use skald_core::output::SideFile;
use skald_host::errors;
use std::io::{Result, Write};
use std::path::Path;

/// Where a list goes if no file is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Writes `text` to `file`, where `-` is standard output, or else to `stream`.
pub fn write(file: Option<&Path>, stream: Stream, text: &str, diag: &Diag) {
    match (file, stream) {
        // If standard error is closed, nobody can be told.
        (None, Stream::Err) => drop(std::io::stderr().write_all(text.as_bytes())),
        _ => {
            let path = file.unwrap_or(Path::new("-"));
            write_file("", path, diag, |file| file.write_all(text.as_bytes()));
        }
    }
}

/// Calls `write` to write the file `path`, which gets its name when it is complete; `-` is standard
/// output. Messages begin with `what`.
pub fn write_file(
    what: &str,
    path: &Path,
    diag: &Diag,
    write: impl FnOnce(&mut SideFile) -> Result<()>,
) {
    let outcome = SideFile::create(path).and_then(|mut file| {
        write(&mut file)?;
        file.commit()
    });
    if let Err(error) = outcome {
        complain(what, path, &error, diag);
    }
}

/// Reports that a file could not be written.
pub fn complain(what: &str, path: &Path, error: &std::io::Error, diag: &Diag) {
    let name = if path.as_os_str() == "-" {
        "to standard output".to_owned()
    } else {
        format!("{what}{}", path.display())
    };
    diag.error(WHOLE_LINK, format!("cannot write {name}: {}", errors::text(error)));
}
