//! Internal errors of the linker: their messages, and how they can be reproduced.
//!
//! Every error of a link's inputs is a message of [`crate::diag`]; a panic or a processor fault is
//! a bug of the linker. Its message names the phase and the input that was being processed. The
//! process exits with [`INTERNAL_ERROR`], a status of its own, and leaves no incomplete output. If
//! a reproducer was asked for, it is written nevertheless ([`reproduce_with`]); if not, the message
//! says how to get one.
//!
//! Phases are recorded by [`crate::time`]; a function that works on an input records that by
//! [`at_work_on`], which costs one store.

use crate::input;
use skald_host::faults::{self, INTERNAL_ERROR};
use skald_host::paths::OsStrBytes;
use std::cell::Cell;
use std::panic::PanicHookInfo;
use std::sync::{Mutex, Once, OnceLock};

/// Phases that run now, the innermost last.
static PHASES: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

/// Writes a reproducer; returns its path, or why there is none.
type Reproducer = Box<dyn Fn() -> Result<String, String> + Send + Sync>;

static REPRODUCER: OnceLock<Reproducer> = OnceLock::new();

thread_local! {
    /// Address of the input bytes that this thread works on, or 0.
    static AT_WORK: Cell<usize> = const { Cell::new(0) };
}

/// Notes that a phase begins.
pub(crate) fn begin(phase: &'static str) {
    if let Ok(mut phases) = PHASES.lock() {
        phases.push(phase);
    }
    AT_WORK.set(0);
    #[cfg(feature = "perturb")]
    crate::perturb::fail_in(phase, "");
    #[cfg(feature = "record")]
    crate::par::recorder::phase(phase);
}

/// Notes that a phase ends.
pub(crate) fn end(phase: &'static str) {
    if let Ok(mut phases) = PHASES.lock()
        && let Some(at) = phases.iter().rposition(|begun| *begun == phase)
    {
        phases.remove(at);
    }
}

/// Notes that this thread works on an input, or on a member of one, from here on.
#[inline(always)]
pub fn at_work_on(bytes: &'static [u8]) {
    AT_WORK.set(bytes.as_ptr() as usize);
    #[cfg(feature = "perturb")]
    crate::perturb::fail_in(phase().unwrap_or_default(), &at_work().unwrap_or_default());
}

/// Sets the function that writes a reproducer after an internal error. The first one counts.
pub fn reproduce_with(write: impl Fn() -> Result<String, String> + Send + Sync + 'static) {
    let _ = REPRODUCER.set(Box::new(write));
}

/// The innermost phase; `None` if the lock is held, as the thread that failed may hold it.
fn phase() -> Option<&'static str> {
    PHASES.try_lock().ok()?.last().copied()
}

/// Path of the input that this thread works on, with the offset of the member in an archive.
fn at_work() -> Option<String> {
    let address = AT_WORK.get();
    let (path, offset) = input::containing(address)?;
    let path = path.display();
    Some(if offset == 0 { path.to_string() } else { format!("{path} (at offset {offset:#x})") })
}

/// Installs signal handlers, and makes panics end the process as internal errors; messages begin
/// with `program`. To be called once, before there is anything to clean up.
pub fn install(program: &str) {
    static INSTALLED: Once = Once::new();
    faults::install(program, of_fault);
    INSTALLED.call_once(end_at_panics);
}

/// Makes panics end the process as internal errors. If an input was written meanwhile, checks of
/// its contents may not hold any more; then the changed input is reported instead.
fn end_at_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| match input::any_changed() {
        Some(path) => {
            faults::fail(&[b": error: ", path.as_os_str().as_bytes(), input::CHANGED, b"\n"])
        }
        None => of_panic(panic, || before(panic)),
    }));
}

/// Ends the process after a panic; `trace` prints the backtrace.
fn of_panic(panic: &PanicHookInfo<'_>, trace: impl FnOnce()) -> ! {
    faults::claim();
    let payload = panic.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("a panic without a text");
    let place = panic.location().map(|place| format!(" ({place})")).unwrap_or_default();
    faults::say(format!("{}: {text}{place}\n", start()).as_bytes());
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|wish| wish != "0") {
        trace();
    }
    // Last of all, as writing a reproducer may fail too.
    faults::say_more(replay(REPRODUCER.get().map(|write| write())).as_bytes());
    faults::end(INTERNAL_ERROR)
}

/// The beginning of the message: phase and input.
fn start() -> String {
    let mut message = String::from(": error: internal error");
    if let Some(phase) = phase() {
        message.push_str(&format!(" in phase \"{phase}\""));
    }
    if let Some(input) = at_work() {
        message.push_str(&format!(" at {input}"));
    }
    message
}

/// The end of the message: how to reproduce the error.
fn replay(reproducer: Option<Result<String, String>>) -> String {
    let how = match reproducer {
        Some(Ok(file)) => format!("all that is needed to see it again is in {file}"),
        Some(Err(error)) => format!("there is no reproducer: {error}"),
        None => {
            "link again with --reproduce=FILE.tar for a file with all that is needed".to_owned()
        }
    };
    format!(">>> a mistake of the linker, not of its input; please report it\n>>> {how}\n")
}

/// Prints the message for a processor fault, in a signal handler, and ends the process. Nothing
/// here allocates.
fn of_fault(what: &'static [u8]) -> ! {
    faults::claim();
    let phase = phase().unwrap_or_default();
    let path = input::containing(AT_WORK.get()).map(|(path, _)| path.as_os_str().as_bytes());
    let (at, path): (&[u8], &[u8]) = path.map_or((b"", b""), |path| (b" at ", path));
    let (in_phase, quote): (&[u8], &[u8]) =
        if phase.is_empty() { (b"", b"") } else { (b" in phase \"", b"\"") };
    faults::print(&[
        faults::program(),
        b": error: internal error",
        in_phase,
        phase.as_bytes(),
        quote,
        at,
        path,
        what,
    ]);
    faults::end(INTERNAL_ERROR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_phase_is_named() {
        begin("outer");
        begin("inner");
        assert!(start().starts_with(": error: internal error in phase \"inner\""));
        end("inner");
        assert!(start().starts_with(": error: internal error in phase \"outer\""));
        end("outer");
    }
}
