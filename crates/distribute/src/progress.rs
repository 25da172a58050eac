//! Shows the progress on a line of standard error.

use crate::options::{Options, Progress as When};
use std::io::{IsTerminal, Write, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What executed a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Executor {
    /// The result was in the service's cache.
    Cache,
    Service,
    /// This machine.
    Here,
}

/// Counts jobs, and shows them on a line.
pub struct Progress {
    is_shown: bool,
    is_verbose: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    all: usize,
    cached: usize,
    remote: usize,
    local: usize,
    retried: usize,
    /// When the line was written; `None` if it is not shown.
    shown: Option<Instant>,
}

/// Minimum interval between updates of the line.
const INTERVAL: Duration = Duration::from_millis(100);

impl Progress {
    /// Progress for `all` jobs.
    pub fn new(all: usize, options: &Options) -> Progress {
        let is_shown = match options.progress {
            When::Auto => stderr().is_terminal(),
            When::Always => true,
            When::Never => false,
        };
        let state = Mutex::new(State { all, ..State::default() });
        Progress { is_shown, is_verbose: options.verbose, state }
    }

    /// Counts a finished job.
    pub fn done(&self, name: &str, by: Executor) {
        let mut state = self.state.lock().unwrap_or_else(|e| e.into_inner());
        let (count, word) = match by {
            Executor::Cache => (&mut state.cached, "cached"),
            Executor::Service => (&mut state.remote, "compiled there"),
            Executor::Here => (&mut state.local, "compiled here"),
        };
        *count += 1;
        if self.is_verbose {
            state.clear();
            eprintln!("skald-distribute: {name}: {word}");
        }
        if self.is_shown && state.shown.is_none_or(|shown| shown.elapsed() > INTERVAL) {
            state.show();
        }
    }

    /// Counts a job that is sent to the service again.
    pub fn retried(&self) {
        self.state.lock().unwrap_or_else(|e| e.into_inner()).retried += 1;
    }

    /// Prints a message above the line.
    pub fn say(&self, text: &str) {
        let mut state = self.state.lock().unwrap_or_else(|e| e.into_inner());
        state.clear();
        eprintln!("{}", text.trim_end());
    }

    /// Writes the final state of the line.
    pub fn end(&self) {
        let mut state = self.state.lock().unwrap_or_else(|e| e.into_inner());
        if self.is_shown {
            state.show();
            eprintln!();
            state.shown = None;
        }
    }
}

impl State {
    fn text(&self) -> String {
        let State { all, cached, remote, local, retried, .. } = self;
        let done = cached + remote + local;
        let mut text = format!("[{done}/{all}] {cached} cached, {remote} there, {local} here");
        if *retried > 0 {
            text += &format!(", {retried} retried");
        }
        text
    }

    fn show(&mut self) {
        let _ = write!(stderr(), "\r\x1b[K{}", self.text());
        self.shown = Some(Instant::now());
    }

    fn clear(&mut self) {
        if self.shown.take().is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::State;

    #[test]
    fn the_line_counts_all() {
        let mut state = State { all: 9, cached: 1, remote: 2, local: 3, ..State::default() };
        assert_eq!(state.text(), "[6/9] 1 cached, 2 there, 3 here");
        state.retried = 1;
        assert!(state.text().ends_with(", 1 retried"));
    }
}
