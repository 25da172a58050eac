//! Signals of processes that have to clean up after others.

use std::ffi::c_int;

/// Does nothing. A handler, unlike an ignored signal, is not inherited by programs that are
/// started.
extern "C" fn on_signal(_: c_int) {}

/// Lets a helper outlive the signals that end its children, because it has to clean up after them.
pub fn outlive() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: a handler that does nothing; system calls go on behind it.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_signal as *const () as usize;
            action.sa_flags = libc::SA_RESTART;
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
    // SAFETY: the default: a closed pipe ends what writes to it.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}
