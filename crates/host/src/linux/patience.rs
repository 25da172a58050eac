//! What may take for ever because it depends on another process: after a second, standard error
//! says what is waited for.

use crate::faults;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(1);

/// Does `work`, which waits for `partner` to open the FIFO `path`; after a while says so.
pub(crate) fn waiting_for<T>(partner: &str, path: &Path, work: impl FnOnce() -> T) -> T {
    let (done, is_done) = channel::<()>();
    let program = faults::program_name();
    let text = format!("{program}: note: waiting for {partner} of {}\n", path.display());
    let tell = move || {
        if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            // If standard error is closed, nobody can be told.
            let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
        }
    };
    // If the system refuses a thread, nothing is said.
    let _ = std::thread::Builder::new().spawn(tell);
    let result = work();
    drop(done);
    result
}
