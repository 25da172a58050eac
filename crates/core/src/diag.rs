//! Collects errors and warnings and prints them in an order that does not depend on threads.
//!
//! Phases report from parallel loops with a [`Key`] that orders the message (command-line position
//! first). At a checkpoint the messages collected so far are sorted by key and text and printed.
//! The checkpoint fails if an error was reported before it, so a phase can report all its errors
//! before the link ends.

use std::fmt;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Orders messages between two checkpoints: by the first number, then by the second.
pub type Key = (u64, u64);

/// The place of a message about the link as a whole: before those about files.
pub const WHOLE_LINK: Key = (0, 0);

/// The place of a message that comes after those about files.
pub const AFTER_FILES: Key = (u64::MAX, 0);

/// The key of messages that come after all others.
const LAST: Key = (u64::MAX, u64::MAX);

/// The link cannot go on; its messages have been given to [`Diag`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failed;

/// A message that ends the link at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(pub String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// The result of a function whose failure ends the link at once.
pub type Result<T> = std::result::Result<T, Error>;

/// A message that begins with a place instead of the program's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedMessage {
    /// Printed instead of the program's name, such as `FILE(LINE)`; `None` for the program's name.
    pub place: Option<String>,
    /// The message behind the severity.
    pub text: String,
}

/// How messages are printed and counted.
#[derive(Debug, Clone)]
pub struct Style {
    /// Printed before the severity: the name the linker was called by.
    pub program: String,
    /// Colour the severity with ANSI escapes.
    pub color: bool,
    /// Errors printed before the link stops listing them; 0 for no limit.
    pub error_limit: usize,
    /// Warnings count as errors.
    pub fatal_warnings: bool,
    /// Warnings are not printed and do not count (`-w`).
    pub no_warnings: bool,
    /// Nothing is printed: for attempts that may fail.
    pub is_silent: bool,
    /// Divides a message into several, each with its place (`--vs-diagnostics`); `None` for
    /// messages as they are.
    pub place: Option<fn(&str) -> Vec<PlacedMessage>>,
}

impl Default for Style {
    fn default() -> Self {
        Style {
            program: "skald".to_owned(),
            color: false,
            error_limit: 20,
            fatal_warnings: false,
            no_warnings: false,
            is_silent: false,
            place: None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Severity {
    Error,
    Warning,
    Note,
}

#[derive(Debug)]
struct Message {
    severity: Severity,
    key: Key,
    text: String,
    /// Printed instead of the program's name.
    place: Option<String>,
}

impl Message {
    /// The placed messages into which this one is divided.
    fn placed(self, place: fn(&str) -> Vec<PlacedMessage>) -> impl Iterator<Item = Message> {
        let Message { severity, key, text, .. } = self;
        let placed = place(&text).into_iter();
        placed.map(move |PlacedMessage { place, text }| Message { severity, key, text, place })
    }
}

/// Collects messages and prints them in order at checkpoints. All threads of a link share it.
#[derive(Debug, Default)]
pub struct Diag {
    style: Style,
    messages: Mutex<Vec<Message>>,
    failed: AtomicBool,
    printed: AtomicUsize,
    is_done: AtomicBool,
}

impl Diag {
    /// A collector that prints in `style`.
    pub fn new(style: Style) -> Diag {
        Diag { style, ..Diag::default() }
    }

    /// Reports an error; the next checkpoint fails.
    pub fn error(&self, key: Key, text: impl Into<String>) {
        self.push(Severity::Error, key, text.into());
    }

    /// Reports an error that is printed after all others, even beyond the limit of errors.
    pub fn error_in_any_case(&self, text: impl Into<String>) {
        self.push(Severity::Error, LAST, text.into());
    }

    /// Reports a warning, which is an error under `--fatal-warnings`, and nothing under
    /// `--no-warnings`.
    pub fn warn(&self, key: Key, text: impl Into<String>) {
        if self.style.no_warnings {
            return;
        }
        let is_fatal = self.style.fatal_warnings;
        self.push(if is_fatal { Severity::Error } else { Severity::Warning }, key, text.into());
    }

    /// Reports something that is neither an error nor a warning.
    pub fn note(&self, key: Key, text: impl Into<String>) {
        if !self.style.no_warnings {
            self.push(Severity::Note, key, text.into());
        }
    }

    fn push(&self, severity: Severity, key: Key, text: String) {
        if severity == Severity::Error {
            self.failed.store(true, Ordering::Relaxed);
        }
        let mut messages = self.messages.lock().unwrap_or_else(|e| e.into_inner());
        messages.push(Message { severity, key, text, place: None });
    }

    /// Notes that the link is complete before its last phase: a function that then returns
    /// [`Failed`] only ends it early.
    pub fn set_done(&self) {
        self.is_done.store(true, Ordering::Relaxed);
    }

    /// Whether [`Diag::set_done`] was called and no error was reported.
    pub fn is_done(&self) -> bool {
        self.is_done.load(Ordering::Relaxed) && !self.has_failed()
    }

    /// Whether an error has been reported.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Prints the collected messages, in order. Fails if an error has been reported.
    pub fn checkpoint(&self) -> std::result::Result<(), Failed> {
        let mut messages = {
            let mut collected = self.messages.lock().unwrap_or_else(|e| e.into_inner());
            std::mem::take(&mut *collected)
        };
        messages.sort_by(|a, b| a.key.cmp(&b.key).then_with(|| a.text.cmp(&b.text)));
        messages.dedup_by(|a, b| a.severity == b.severity && a.text == b.text);
        if let Some(place) = self.style.place {
            messages = messages.into_iter().flat_map(|message| message.placed(place)).collect();
        }
        let mut out = String::new();
        for message in &messages {
            let count = match message.severity {
                Severity::Error => self.printed.fetch_add(1, Ordering::Relaxed),
                Severity::Warning | Severity::Note => 0,
            };
            let limit = self.style.error_limit;
            if limit != 0 && count >= limit && message.key != LAST {
                if count == limit {
                    self.render(
                        &mut out,
                        None,
                        Severity::Error,
                        "too many errors emitted, stopping now (use --error-limit=0 to see all \
                         errors)",
                    );
                }
                continue;
            }
            self.render(&mut out, message.place.as_deref(), message.severity, &message.text);
        }
        if self.style.is_silent {
            out.clear();
        }
        // A closed standard error must not turn a failed link into a panic.
        let _ = std::io::stderr().write_all(out.as_bytes());
        if self.has_failed() { Err(Failed) } else { Ok(()) }
    }

    fn render(&self, out: &mut String, place: Option<&str>, severity: Severity, text: &str) {
        let (word, escape) = match severity {
            Severity::Error => ("error", "\x1b[1;31m"),
            Severity::Warning => ("warning", "\x1b[1;35m"),
            Severity::Note => ("note", "\x1b[1;36m"),
        };
        out.push_str(place.unwrap_or(&self.style.program));
        out.push_str(": ");
        if self.style.color {
            out.push_str(escape);
        }
        out.push_str(word);
        out.push_str(": ");
        if self.style.color {
            out.push_str("\x1b[0m");
        }
        out.push_str(text);
        out.push('\n');
    }
}
