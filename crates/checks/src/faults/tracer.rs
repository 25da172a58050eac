//! Runs a process, watches its system calls, and injects a fault at one of them: the call fails, it
//! does half of what it was asked to, the process is killed, or a file changes.
//!
//! The process is traced (ptrace(2)), so the fault is injected whoever makes the call: the linker,
//! the standard library, the C library. Calls are counted once Rust's runtime has given the main
//! thread a stack for signals (`sigaltstack`); the calls before that are those of the dynamic
//! loader and the runtime.

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
    /// The call is made with half of its length.
    Half,
    /// The process is killed.
    Kill,
    /// This function runs before the call.
    Before(&'a dyn Fn()),
}

/// A call of a process: the n-th call of its name. With several threads it may be another call in
/// each run, but always one that the process makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The call.
    pub call: &'static Call,
    /// Number of earlier calls of the same name.
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

/// As [`run`], with standard error in another file.
pub fn run_telling(
    directory: &Path,
    messages: &Path,
    words: &[String],
    fault: Option<(Place, Fault)>,
) -> Result<Outcome> {
    let failed = |error: std::io::Error| format!("{}: {error}", words[0]);
    let create = |path: &Path| File::create(path).map_err(failed);
    // The shell waits until it is traced, then executes the program.
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
        // In steps, because this process and the link may be stopped together for a while.
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
    /// Whether calls are counted: the runtime has started, and the fault has not happened yet.
    is_counting: bool,
    is_over: bool,
    /// By thread, what to set when its call returns.
    answers: BTreeMap<Pid, Answer>,
}

/// What to set in a thread's registers when its call returns.
enum Answer {
    /// The error of a call that the tracer made the kernel skip.
    Error(Errno),
    /// The original third argument, to be restored: the kernel does not change its register.
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
                    // This fails if the thread was killed meanwhile, which is no error.
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
        // At the entry of a call the kernel has set `rax` to -ENOSYS.
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
        // Calls after the fault are not counted.
        self.is_counting = false;
        self.is_over = true;
        Ok(())
    }
}

/// The value of `rax` when a call fails with this error.
fn errno_word(errno: Errno) -> u64 {
    (-(errno as i64)) as u64
}
