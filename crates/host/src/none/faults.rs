//! Ends the process without signal handlers: the system handles faults and interrupts.

use super::output::unfinished;
use crate::faults::{INTERNAL_ERROR, OnFault};
use std::borrow::Cow;
use std::io::Write;
use std::sync::{Mutex, OnceLock};
use std::thread::ThreadId;

static PROGRAM: OnceLock<String> = OnceLock::new();
/// The thread that prints why the process ends.
static REPORTER: Mutex<Option<ThreadId>> = Mutex::new(None);

/// Sets the name that messages begin with. Faults are not caught.
pub fn install(program: &str, _of_fault: OnFault) {
    let _ = PROGRAM.set(program.to_owned());
}

/// Nothing has to be done for a limit on the size of files.
pub fn report_file_size_limit() {}

/// The program's name, as messages begin with it.
pub fn program_name() -> Cow<'static, str> {
    Cow::Borrowed(PROGRAM.get().map_or("skald", String::as_str))
}

/// The program's name as bytes.
pub fn program() -> &'static [u8] {
    PROGRAM.get().map_or(b"skald", |name| name.as_bytes())
}

/// Prints an error and ends the process, from any thread, whatever other threads do.
pub fn end_with(error: &str) -> ! {
    fail(&[b": error: ", error.as_bytes(), b"\n"])
}

/// Prints the program's name and an error of several parts, and ends the process.
pub fn fail(text: &[&[u8]]) -> ! {
    claim();
    say(&text.concat());
    end(1)
}

/// Lets only the first thread that calls this go on, to print why the process ends; all others stop
/// here. If the first thread calls this again, the process ends at once.
pub fn claim() {
    let own = std::thread::current().id();
    let first = *REPORTER.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(own);
    if first == own {
        static IS_CLAIMED: Mutex<bool> = Mutex::new(false);
        let was_claimed =
            std::mem::replace(&mut *IS_CLAIMED.lock().unwrap_or_else(|e| e.into_inner()), true);
        if was_claimed {
            end(INTERNAL_ERROR);
        }
        return;
    }
    loop {
        std::thread::park();
    }
}

/// Writes the parts to standard error as one text.
pub fn print<const N: usize>(parts: &[&[u8]; N]) {
    // If standard error is closed, the message is lost.
    let _ = std::io::stderr().write_all(&parts.concat());
}

/// Prints the program's name and `text` to standard error.
pub fn say(text: &[u8]) {
    print(&[program(), text]);
}

/// Prints `text`, whole lines, to standard error.
pub fn say_more(text: &[u8]) {
    print(&[text]);
}

/// Ends the process, after removing unfinished outputs.
pub fn end(status: i32) -> ! {
    discard_outputs();
    std::process::exit(status)
}

/// Removes unfinished outputs: for code that ends the process without unwinding.
pub fn discard_outputs() {
    unfinished::discard_all();
}

/// The alternate signal stack: not needed, as there are no handlers.
pub fn use_own_stack() {}

/// Nothing to do: signals that end other processes do not end this one.
pub fn outlive() {}

/// Mapped inputs: none, as files are read.
pub mod mappings {
    /// Address and length of each mapped input.
    pub fn inputs() -> Vec<(usize, usize)> {
        Vec::new()
    }

    /// Bytes of all inputs that are mapped.
    pub fn input_bytes() -> usize {
        0
    }
}
