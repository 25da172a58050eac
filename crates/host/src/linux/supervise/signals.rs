//! Signals of the supervising process: it passes them on to the command.

use super::{Ended, errno};
use rustix::fd::{AsRawFd, FromRawFd, OwnedFd};
use rustix::io::Errno;
use rustix::process::Signal;
use std::mem::{MaybeUninit, size_of};
use std::ptr;

/// Signals that are passed on to the child, and SIGCHLD. The terminal sends SIGTSTP and similar
/// signals to both processes, and stops both.
const PASSED: [libc::c_int; 9] = [
    libc::SIGCHLD,
    libc::SIGINT,
    libc::SIGTERM,
    libc::SIGHUP,
    libc::SIGQUIT,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGALRM,
    libc::SIGPIPE,
];

/// Blocked signals, to be read from a descriptor.
pub(crate) struct Signals {
    pub(crate) descriptor: OwnedFd,
    before: libc::sigset_t,
}

impl Signals {
    pub(crate) fn block() -> Result<Signals, Errno> {
        let mut set = MaybeUninit::<libc::sigset_t>::zeroed();
        let mut before = MaybeUninit::<libc::sigset_t>::zeroed();
        // SAFETY: sigemptyset makes the set valid, sigprocmask fills the one before; signalfd
        // returns a new descriptor.
        unsafe {
            libc::sigemptyset(set.as_mut_ptr());
            for signal in PASSED {
                libc::sigaddset(set.as_mut_ptr(), signal);
            }
            libc::sigprocmask(libc::SIG_BLOCK, set.as_ptr(), before.as_mut_ptr());
            let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
            let descriptor = libc::signalfd(-1, set.as_ptr(), flags);
            if descriptor < 0 {
                let error = errno();
                libc::sigprocmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut());
                return Err(error);
            }
            let descriptor = OwnedFd::from_raw_fd(descriptor);
            Ok(Signals { descriptor, before: before.assume_init() })
        }
    }

    /// Restores the previous signal mask.
    pub(crate) fn restore(&self) {
        // SAFETY: the set was filled by the kernel.
        unsafe { libc::sigprocmask(libc::SIG_SETMASK, &self.before, ptr::null_mut()) };
    }

    /// Sends the child the signals that this process has got.
    pub(crate) fn pass_to(&self, child: libc::pid_t) {
        while let Some((signal, is_terminal)) = self.next() {
            // The terminal sends to the whole group, the child included.
            if signal != libc::SIGCHLD && !is_terminal {
                // SAFETY: the child has not been waited for, so the number is its own.
                unsafe { libc::kill(child, signal) };
            }
        }
    }

    /// The next signal, and whether the terminal sent it.
    fn next(&self) -> Option<(libc::c_int, bool)> {
        let mut info = MaybeUninit::<libc::signalfd_siginfo>::zeroed();
        let size = size_of::<libc::signalfd_siginfo>();
        // SAFETY: the kernel writes at most one record, for which zero is valid too.
        let (count, info) = unsafe {
            let at = info.as_mut_ptr().cast();
            (libc::read(self.descriptor.as_raw_fd(), at, size), info.assume_init())
        };
        let is_terminal = info.ssi_code == libc::SI_KERNEL;
        (count == size as isize).then_some((info.ssi_signo as libc::c_int, is_terminal))
    }
}

/// Sends `signal` to this process, the child, when its parent ends.
pub(crate) fn end_with_parent(signal: Signal) {
    // It fails only for numbers that are no signals.
    let _ = rustix::process::set_parent_process_death_signal(Some(signal));
}

/// Undoes [`end_with_parent`].
pub(crate) fn outlive_parent() {
    let _ = rustix::process::set_parent_process_death_signal(None);
}

/// Kills a child that is not needed, and waits for its end.
pub(super) fn kill(child: libc::pid_t) {
    // SAFETY: as above; waitpid may be told nothing.
    unsafe {
        libc::kill(child, libc::SIGKILL);
        libc::waitpid(child, ptr::null_mut(), 0);
    }
}

/// How the child ended; `None` while it runs.
pub(super) fn ended(child: libc::pid_t) -> Option<Ended> {
    let mut status = 0;
    // SAFETY: waitpid writes the status.
    let found = unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) };
    if found == child { ended_with(status) } else { None }
}

/// Waits until the child ends; returns how.
pub(crate) fn wait_for(child: libc::pid_t) -> Ended {
    loop {
        let mut status = 0;
        // SAFETY: waitpid writes the status.
        let found = unsafe { libc::waitpid(child, &mut status, 0) };
        match ended_with(status) {
            Some(ended) if found == child => return ended,
            _ if found < 0 && errno() != Errno::INTR => return Ended::Exited(1),
            _ => {}
        }
    }
}

/// Decodes a status of `waitpid`; `None` if the child has not ended.
pub(super) fn ended_with(status: libc::c_int) -> Option<Ended> {
    if libc::WIFEXITED(status) {
        return Some(Ended::Exited(libc::WEXITSTATUS(status)));
    }
    libc::WIFSIGNALED(status).then(|| Ended::Killed(libc::WTERMSIG(status)))
}

/// Ends this process by `signal`, which ended its child, so that its own parent sees the same
/// result. No core is dumped: it would not be that of the child.
pub fn die_of(signal: i32) -> ! {
    let none = rustix::process::Rlimit { current: Some(0), maximum: Some(0) };
    let _ = rustix::process::setrlimit(rustix::process::Resource::Core, none);
    // SAFETY: the default action of a signal that ended another process ends this one.
    unsafe {
        let mut set = MaybeUninit::<libc::sigset_t>::zeroed();
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), signal);
        libc::signal(signal, libc::SIG_DFL);
        libc::sigprocmask(libc::SIG_UNBLOCK, set.as_ptr(), ptr::null_mut());
        libc::raise(signal);
    }
    std::process::exit(128 + signal)
}
