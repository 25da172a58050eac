//! A process whose system calls are watched, and at one of them something happens: the call fails,
//! it does half of what it was asked to, the process is killed, or a file changes.
//!
//! The process is traced (ptrace(2)), so whoever makes the call is met: the linker, the standard
//! library, the C library. Calls are counted once Rust's runtime has given the main thread a
//! stack for signals (`sigaltstack`); what the dynamic loader and the runtime do before is not the
//! program's.

use super::calls::{self, Call};
use crate::Result;
use nix::errno::Errno;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// What happens at a call.
pub enum Fault<'a> {
    /// The call fails with this error.
    Error(Errno),
    /// It is asked for half of the bytes.
    Half,
    /// The process is killed.
    Kill,
    /// This is done first.
    Before(&'a dyn Fn()),
}

/// A call of a process: the first of its name, or the second, and so on. With several threads that
/// is not the same call each time, but one that is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The call.
    pub call: &'static Call,
    /// How many of the same name come before it.
    pub before: usize,
}

/// How a traced process ended.
#[derive(Debug)]
pub struct Outcome {
    /// Its exit status, or the signal that ended it.
    pub status: std::result::Result<i32, Signal>,
    /// It was killed because it took too long.
    pub is_stuck: bool,
    /// The calls that were counted; only those up to the fault, if there was one.
    pub calls: Vec<Place>,
    /// Whether the fault happened.
    pub is_met: bool,
    /// What it wrote to standard error.
    pub messages: String,
}

/// A process that takes longer is stuck.
const PATIENCE: Duration = Duration::from_secs(30);
const STEPS: u32 = 300;

/// Runs `words` in `directory`; `fault` happens at that call. Standard output goes to `stdout`
/// there, standard error to `stderr`.
pub fn run(directory: &Path, words: &[String], fault: Option<(Place, Fault)>) -> Result<Outcome> {
    run_telling(directory, &directory.join("stderr"), words, fault)
}

/// The same with standard error in a file elsewhere.
pub fn run_telling(
    directory: &Path,
    messages: &Path,
    words: &[String],
    fault: Option<(Place, Fault)>,
) -> Result<Outcome> {
    let failed = |error: std::io::Error| format!("{}: {error}", words[0]);
    let create = |path: &Path| File::create(path).map_err(failed);
    // A shell waits until it is traced, and becomes the program.
    let mut child = Command::new("sh")
        .args(["-c", "read start; exec \"$@\"", "sh"])
        .args(words)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(create(&directory.join("stdout"))?)
        .stderr(create(messages)?)
        .spawn()
        .map_err(failed)?;
    let pid = Pid::from_raw(child.id() as i32);
    let options = Options::PTRACE_O_TRACESYSGOOD
        | Options::PTRACE_O_TRACECLONE
        | Options::PTRACE_O_TRACEFORK
        | Options::PTRACE_O_TRACEVFORK
        | Options::PTRACE_O_TRACEEXEC
        | Options::PTRACE_O_EXITKILL;
    ptrace::seize(pid, options).map_err(|e| format!("tracing is not allowed here: {e}"))?;
    child.stdin.take().expect("piped").write_all(b"\n").map_err(failed)?;
    let (done, watch) = mpsc::channel::<()>();
    let watchdog = std::thread::spawn(move || {
        // In steps, as this process may be stopped for a while, and the link with it.
        let is_stuck = (0..STEPS).all(|_| watch.recv_timeout(PATIENCE / STEPS).is_err());
        if is_stuck {
            let _ = kill(pid, Signal::SIGKILL);
        }
        is_stuck
    });
    let mut tracer = Tracer { main: pid, fault, ..Tracer::default() };
    let status = tracer.follow();
    let _ = done.send(());
    let is_stuck = watchdog.join().expect("the watchdog does not panic");
    let messages = std::fs::read(messages).map_err(failed)?;
    Ok(Outcome {
        status: status.map_err(|e| format!("tracing: {e}"))?,
        is_stuck,
        calls: tracer.calls,
        is_met: tracer.is_over,
        messages: String::from_utf8_lossy(&messages).into_owned(),
    })
}

struct Tracer<'a> {
    main: Pid,
    fault: Option<(Place, Fault<'a>)>,
    calls: Vec<Place>,
    /// How many calls there were of each name.
    counts: BTreeMap<&'static str, usize>,
    /// The runtime began, and what is to happen has not happened.
    is_counting: bool,
    is_over: bool,
    /// What is to be set when calls of threads return.
    answers: BTreeMap<Pid, Answer>,
}

/// What a thread is to find when a call returns.
enum Answer {
    /// The error of a call that the kernel was kept from.
    Error(Errno),
    /// Its own third argument: the kernel leaves it as it is.
    Length(u64),
}

impl Default for Tracer<'_> {
    fn default() -> Self {
        Tracer {
            main: Pid::from_raw(0),
            fault: None,
            calls: Vec::new(),
            counts: BTreeMap::new(),
            is_counting: false,
            is_over: false,
            answers: BTreeMap::new(),
        }
    }
}

impl Tracer<'_> {
    /// Follows all threads and processes until the last is gone.
    fn follow(&mut self) -> nix::Result<std::result::Result<i32, Signal>> {
        let flags = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
        let mut end = Ok(0);
        let mut is_program = false;
        loop {
            let status = match waitpid(None, Some(flags)) {
                Err(Errno::ECHILD) => return Ok(end),
                Err(Errno::EINTR) => continue,
                other => other?,
            };
            let signal = match status {
                WaitStatus::Exited(pid, code) => {
                    if pid == self.main {
                        end = Ok(code);
                    }
                    continue;
                }
                WaitStatus::Signaled(pid, signal, _) => {
                    if pid == self.main {
                        end = Err(signal);
                    }
                    continue;
                }
                WaitStatus::PtraceSyscall(pid) => {
                    // A thread that was killed meanwhile is gone.
                    let _ = self.at_call(pid);
                    None
                }
                WaitStatus::PtraceEvent(pid, _, event) => {
                    is_program |= pid == self.main && event == nix::libc::PTRACE_EVENT_EXEC;
                    None
                }
                WaitStatus::Stopped(_, signal) => Some(signal),
                _ => None,
            };
            let Some(pid) = status.pid() else { continue };
            let _ =
                if is_program { ptrace::syscall(pid, signal) } else { ptrace::cont(pid, signal) };
        }
    }

    /// A thread is about to make a call, or has made it.
    fn at_call(&mut self, pid: Pid) -> nix::Result<()> {
        let mut registers = ptrace::getregs(pid)?;
        // What the kernel answers if it does not get to the call.
        let is_entry = registers.rax == errno_word(Errno::ENOSYS);
        if !is_entry || self.answers.contains_key(&pid) {
            match self.answers.remove(&pid) {
                Some(Answer::Error(errno)) => registers.rax = errno_word(errno),
                Some(Answer::Length(length)) => registers.rdx = length,
                None => return Ok(()),
            }
            return ptrace::setregs(pid, registers);
        }
        let sets_stack = registers.orig_rax == nix::libc::SYS_sigaltstack as u64;
        self.is_counting |= sets_stack && registers.rdi != 0 && !self.is_over;
        let Some(call) = calls::of(registers.orig_rax).filter(|_| self.is_counting) else {
            return Ok(());
        };
        let count = self.counts.entry(call.name).or_default();
        let place = Place { call, before: *count };
        *count += 1;
        self.calls.push(place);
        let Some((_, fault)) = self.fault.take_if(|(at, _)| *at == place) else { return Ok(()) };
        match fault {
            Fault::Error(errno) => {
                registers.orig_rax = u64::MAX;
                ptrace::setregs(pid, registers)?;
                self.answers.insert(pid, Answer::Error(errno));
            }
            Fault::Half => {
                self.answers.insert(pid, Answer::Length(registers.rdx));
                registers.rdx = registers.rdx.div_ceil(2);
                ptrace::setregs(pid, registers)?;
            }
            Fault::Kill => kill(pid, Signal::SIGKILL)?,
            Fault::Before(change) => change(),
        }
        // What comes after is no longer counted.
        self.is_counting = false;
        self.is_over = true;
        Ok(())
    }
}

/// What a call returns for an error.
fn errno_word(errno: Errno) -> u64 {
    (-(errno as i64)) as u64
}
