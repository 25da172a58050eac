//! `--error-handling-script`: a user's program that is run for each missing symbol or library. Its
//! output goes to the linker's standard error.

use skald_core::demangle::escape;
use skald_host::errors;
use skald_host::paths::OsStrBytes;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// A library or symbol that is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing<'a> {
    /// A library, by the name behind `-l`.
    Library(&'a str),
    /// A symbol, by its mangled name.
    Symbol(&'a [u8]),
}

/// Runs `script` and waits for it; returns an error if it fails.
pub fn run(script: &Path, missing: Missing<'_>) -> Option<String> {
    let (kind, name) = match missing {
        Missing::Library(name) => ("missing-lib", OsStr::new(name)),
        Missing::Symbol(name) => ("undefined-symbol", OsStr::from_bytes(name)),
    };
    // A name without a directory means a file in the working directory, not a command.
    let program = match script.parent() {
        Some(directory) if directory.as_os_str().is_empty() => Path::new(".").join(script),
        _ => script.to_owned(),
    };
    let ended = Command::new(program).arg(kind).arg(name).status();
    let what = match ended.as_ref().map(ExitStatus::code) {
        Ok(Some(0)) => return None,
        Ok(Some(code)) => format!("exited with code {code}"),
        Ok(None) => "crashed or timed out".to_owned(),
        Err(error) => format!("failed to execute: {}", errors::text(error)),
    };
    Some(format!("error handling script '{}' {what}", escape(script.as_os_str().as_bytes())))
}
