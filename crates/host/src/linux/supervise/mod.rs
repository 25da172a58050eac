//! Runs a command, and substitutes another program for some of the programs that the command and
//! its descendants execute.
//!
//! The command starts under a seccomp filter that holds every `execve` until this process, the
//! parent, has examined it ([`notify`]). Nearly all calls go on unchanged. To substitute a program,
//! the calling thread is stopped with ptrace for a moment, its path argument is changed, and the
//! thread is released ([`tracee`]). So this works for statically linked programs and absolute
//! paths. Nothing is traced in between: debuggers, leak checkers and `strace` work in the command.
//!
//! The command is a child, because with Yama only an ancestor may trace a process. It stays in our
//! process group and gets the signals that are sent to us; [`Ended`] tells how it ended. Processes
//! that it leaves running keep the filter, so [`linger`] goes on answering their calls.

mod filter;
mod linger;
mod notify;
mod pass;
pub(crate) mod signals;
mod tracee;

pub use signals::die_of;
pub use tracee::{Call, is_script};

use notify::Listener;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use signals::Signals;
use std::collections::BTreeSet;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use tracee::Redirected;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The command returned this status.
    Exited(i32),
    /// This signal ended the command.
    Killed(i32),
}

/// Which programs are replaced, and by what.
pub struct Choice<'a> {
    /// The program that is executed instead.
    pub stand_in: &'a Path,
    /// Whether `stand_in` replaces the program of this call.
    pub wants: &'a dyn Fn(&Call) -> bool,
}

/// Runs `command` and applies `choice` to every program that is executed under it; without a
/// choice, only passes signals on. To be called by a process that has one thread. `failed` reports
/// why the command could not be executed and returns the exit status; it is called in the child.
///
/// # Errors
/// If the system does not let a process supervise another one like this; then nothing was run.
pub fn run(
    command: &mut Command,
    choice: Option<&Choice<'_>>,
    failed: &dyn Fn(io::Error) -> i32,
) -> io::Result<Ended> {
    Ok(run_watched(command, choice, failed)?)
}

fn run_watched(
    command: &mut Command,
    choice: Option<&Choice<'_>>,
    failed: &dyn Fn(io::Error) -> i32,
) -> Result<Ended, Errno> {
    let signals = Signals::block()?;
    let (ours, theirs) = pass::pair()?;
    // SAFETY: the process has one thread, as the contract of this function says, so the child may
    // do whatever the parent may.
    match unsafe { libc::fork() } {
        -1 => {
            signals.restore();
            Err(errno())
        }
        0 => {
            drop(ours);
            signals.restore();
            become_command(command, choice.is_some(), &theirs, failed)
        }
        child => {
            drop(theirs);
            let ended = supervise(child, choice, &signals, &ours);
            if ended.is_err() {
                // The child was not told to go on, or nobody is left to answer its calls.
                signals::kill(child);
            }
            signals.restore();
            ended
        }
    }
}

fn become_command(
    command: &mut Command,
    is_watched: bool,
    parent: &OwnedFd,
    failed: &dyn Fn(io::Error) -> i32,
) -> ! {
    signals::end_with_parent(rustix::process::Signal::KILL);
    let prepared = if is_watched {
        filter::install().and_then(|listener| pass::send(parent, listener))
    } else {
        Ok(())
    };
    if let Err(error) = prepared {
        pass::refuse(parent, error);
        std::process::exit(0)
    }
    // The parent tells whether its part succeeded.
    std::process::exit(if pass::wait(parent) { failed(command.exec()) } else { 0 })
}

fn supervise(
    child: libc::pid_t,
    choice: Option<&Choice<'_>>,
    signals: &Signals,
    socket: &OwnedFd,
) -> Result<Ended, Errno> {
    let watching = match choice {
        Some(choice) => {
            let listener = Listener::new(pass::receive(socket)?);
            tracee::probe(child)?;
            Some((listener, choice))
        }
        None => None,
    };
    pass::go(socket)?;
    Supervisor { child, watching, signals, left_alone: BTreeSet::new() }.serve()
}

struct Supervisor<'a> {
    child: libc::pid_t,
    watching: Option<(Listener, &'a Choice<'a>)>,
    signals: &'a Signals,
    /// Threads whose call could not be changed: the repeated call is let through.
    left_alone: BTreeSet<libc::pid_t>,
}

impl Supervisor<'_> {
    /// Answers calls until the command has ended.
    fn serve(&mut self) -> Result<Ended, Errno> {
        let mut is_heard = self.watching.is_some();
        loop {
            let mut waited = vec![PollFd::new(&self.signals.descriptor, PollFlags::IN)];
            if let Some((listener, _)) = &self.watching
                && is_heard
            {
                waited.push(PollFd::new(&listener.descriptor, PollFlags::IN));
            }
            match poll(&mut waited, None) {
                Err(Errno::INTR) => continue,
                other => other?,
            };
            let signaled = !waited[0].revents().is_empty();
            let called = waited.get(1).map_or(PollFlags::empty(), |fd| fd.revents());
            let mut ended = None;
            if called.contains(PollFlags::IN) {
                ended = self.answer();
            } else if !called.is_empty() {
                // No process has the filter any more, so only the child's end remains to be waited
                // for.
                is_heard = false;
            }
            if signaled && ended.is_none() {
                self.signals.pass_to(self.child);
                ended = signals::ended(self.child);
            }
            if let Some(ended) = ended {
                self.leave();
                return Ok(ended);
            }
        }
    }

    /// Answers one call, with `stand_in` if it is wanted. Returns how the child ended, if that was
    /// noticed here.
    fn answer(&mut self) -> Option<Ended> {
        let (listener, choice) = self.watching.as_ref()?;
        let call = listener.receive().ok()?;
        let is_left_alone = self.left_alone.remove(&call.thread);
        if is_left_alone || !(choice.wants)(&call) || !listener.is_waiting(&call) {
            listener.go_on(&call);
            return None;
        }
        match tracee::redirect(&call, choice.stand_in) {
            Redirected::Yes => {}
            Redirected::Untouched => listener.go_on(&call),
            Redirected::No => {
                self.left_alone.insert(call.thread);
            }
            Redirected::Ended(ended) if call.thread == self.child => return Some(ended),
            Redirected::Ended(_) => {}
        }
        None
    }

    fn leave(&self) {
        if let Some((listener, _)) = &self.watching
            && !listener.is_abandoned()
        {
            linger::answer(listener);
        }
    }
}

fn errno() -> Errno {
    Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::INVAL)
}
