//! Lists that options ask for: to a file, or to a stream of the process.

use skald_core::diag::Diag;
use std::io::Write;
use std::path::Path;

/// Where a list goes for which no file is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Writes `text` to `file`, where `-` is standard output, or else to `stream`.
pub fn write(file: Option<&Path>, stream: Stream, text: &str, diag: &Diag) {
    let to_stdout = || {
        std::io::stdout()
            .write_all(text.as_bytes())
            .map_err(|e| format!("cannot write to standard output: {e}"))
    };
    let outcome = match (file, stream) {
        (Some(path), _) if path.as_os_str() != "-" => {
            std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
        }
        // Nobody is left to tell that standard error is closed.
        (None, Stream::Err) => std::io::stderr().write_all(text.as_bytes()).or(Ok(())),
        _ => to_stdout(),
    };
    if let Err(text) = outcome {
        diag.error((0, 0), text);
    }
}
