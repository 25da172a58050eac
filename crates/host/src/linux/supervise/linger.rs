//! Processes that a command leaves running (a build daemon, a compiler cache) still have the
//! filter, and without a listener all their `execve` calls would fail. So a process stays behind
//! that only answers these calls, and ends with the last process that has the filter.

use super::notify::Listener;
use rustix::fd::AsRawFd;
use rustix::fs::{Mode, OFlags};

/// Starts a process that lets every call go on; returns only in the caller.
pub(super) fn answer(listener: &Listener) {
    // SAFETY: the process has one thread (the contract of `run`), so the child may do anything.
    if unsafe { libc::fork() } != 0 {
        // In the parent; also if no process could be started, as nothing can be done about that.
        return;
    }
    let _ = rustix::process::setsid();
    let _ = rustix::process::chdir("/");
    close_all_but(listener);
    while !listener.is_abandoned() {
        listener.wait();
        if listener.has_call()
            && let Ok(call) = listener.receive()
        {
            listener.go_on(&call);
        }
    }
    std::process::exit(0)
}

/// Closes all other descriptors, so that readers of the command's pipes do not wait for this
/// process.
fn close_all_but(listener: &Listener) {
    if let Ok(null) = rustix::fs::open("/dev/null", OFlags::RDWR, Mode::empty()) {
        let _ = rustix::stdio::dup2_stdin(&null);
        let _ = rustix::stdio::dup2_stdout(&null);
        let _ = rustix::stdio::dup2_stderr(&null);
    }
    let kept = listener.descriptor.as_raw_fd() as libc::c_uint;
    // SAFETY: nothing of this process is used from now on but the listener.
    unsafe {
        libc::syscall(libc::SYS_close_range, 3, kept - 1, 0);
        libc::syscall(libc::SYS_close_range, kept + 1, libc::c_uint::MAX, 0);
    }
}
