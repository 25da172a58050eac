//! Waits that may take for ever because they depend on another process: after a second, a message
//! on standard error tells what the linker is waiting for.

use crate::faults;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(1);

/// Calls `work`, which waits for `partner` to open the FIFO `path`; prints a message if that takes
/// long.
pub(crate) fn waiting_for<T>(partner: &str, path: &Path, work: impl FnOnce() -> T) -> T {
    let (done, is_done) = channel::<()>();
    let program = faults::program_name();
    let text = format!("{program}: note: waiting for {partner} of {}\n", path.display());
    let tell = move || {
        if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            // If standard error is closed, the message is lost.
            let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
        }
    };
    // If no thread can be started, there is no message.
    let _ = std::thread::Builder::new().spawn(tell);
    let result = work();
    drop(done);
    result
}
