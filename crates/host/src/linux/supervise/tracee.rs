//! A held call of another thread: reads its arguments, and changes its path.
//!
//! A held call waits in the kernel and can be interrupted like any slow system call: the thread
//! stops, and repeats the call when it continues. In between its registers can be changed. The new
//! path is written below the stack, which is unused. The memory of the old one may be read-only, or
//! in use by the parent of a `vfork`.

use super::signals::ended_with;
use super::{Ended, errno};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::mem::MaybeUninit;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::ptr;

/// PATH_MAX of the kernel: bytes of a path with its NUL.
const PATH_MAX: usize = 4096;
/// Longer words of a command, and words beyond this number, are ignored.
const WORD_MAX: usize = 1 << 17;
const WORDS_MAX: usize = 1 << 18;
/// Bytes below the stack pointer that x86-64 code may use without moving it.
const RED_ZONE: u64 = 128;
/// -ERESTARTSYS: the kernel repeats an interrupted call that "returns" this.
const RESTART: i64 = -512;

/// A call of `execve` or `execveat`, held until it is answered.
pub struct Call {
    pub(super) id: u64,
    /// The thread that made the call.
    pub(super) thread: libc::pid_t,
    number: i64,
    arguments: [u64; 6],
    /// The call is an i386 call: pointers have 4 bytes, and registers have other names.
    is_32_bit: bool,
}

/// The outcome of changing a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Redirected {
    /// The thread will repeat the call, with the new path.
    Yes,
    /// The call is still held, unchanged.
    Untouched,
    /// The thread will repeat the call, unchanged.
    No,
    /// The process has ended meanwhile.
    Ended(Ended),
}

impl Call {
    pub(super) fn new(id: u64, thread: libc::pid_t, data: libc::seccomp_data) -> Call {
        let is_32_bit = data.arch == 0x4000_0003;
        Call { id, thread, number: i64::from(data.nr), arguments: data.args, is_32_bit }
    }

    fn is_execveat(&self) -> bool {
        matches!((self.is_32_bit, self.number), (false, 322) | (true, 358))
    }

    /// The path argument. This is not the program's path if `execveat` names the program by a
    /// descriptor.
    pub fn path(&self) -> Option<PathBuf> {
        let at = self.arguments[usize::from(self.is_execveat())];
        Some(PathBuf::from(OsString::from_vec(self.text(&self.memory()?, at, PATH_MAX)?)))
    }

    /// A path that opens the same file from this process.
    pub fn path_from_here(&self) -> Option<PathBuf> {
        let path = self.path()?;
        let thread = self.thread;
        let from = if self.is_execveat() { self.arguments[0] as i32 } else { libc::AT_FDCWD };
        Some(match (path.strip_prefix("/"), from) {
            (Ok(rest), _) => PathBuf::from(format!("/proc/{thread}/root")).join(rest),
            (Err(_), libc::AT_FDCWD) => self.directory().join(path),
            (Err(_), from) if path.as_os_str().is_empty() => {
                PathBuf::from(format!("/proc/{thread}/fd/{from}"))
            }
            (Err(_), from) => PathBuf::from(format!("/proc/{thread}/fd/{from}")).join(path),
        })
    }

    /// The working directory of the caller, as a path of this process.
    pub fn directory(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}/cwd", self.thread))
    }

    /// The argument vector, whose first word is the name of the program.
    pub fn words(&self) -> Option<Vec<OsString>> {
        let memory = self.memory()?;
        let size = if self.is_32_bit { 4 } else { 8 };
        let mut at = self.arguments[1 + usize::from(self.is_execveat())];
        let mut words = Vec::new();
        while words.len() < WORDS_MAX {
            let mut pointer = [0; 8];
            memory.read_exact_at(&mut pointer[..size], at).ok()?;
            match u64::from_le_bytes(pointer) {
                0 => break,
                pointer => {
                    words.push(OsString::from_vec(self.text(&memory, pointer, WORD_MAX)?));
                }
            }
            at = at.checked_add(size as u64)?;
        }
        Some(words)
    }

    /// Whether the caller can execute the absolute `path`, too: it may have another root.
    fn sees(&self, path: &Path) -> bool {
        let Ok(rest) = path.strip_prefix("/") else { return false };
        let there = PathBuf::from(format!("/proc/{}/root", self.thread)).join(rest);
        rustix::fs::access(there, rustix::fs::Access::EXEC_OK).is_ok()
    }

    fn memory(&self) -> Option<File> {
        File::open(format!("/proc/{}/mem", self.thread)).ok()
    }

    /// Reads bytes up to a NUL, but at most `most`.
    fn text(&self, memory: &File, mut at: u64, most: usize) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        while text.len() < most {
            // If the first byte is readable, so is the rest of its page, but perhaps not the next
            // page.
            let mut buffer = [0; 256];
            let room = (4096 - at % 4096).min(buffer.len() as u64) as usize;
            let count = memory.read_at(&mut buffer[..room], at).ok().filter(|&n| n > 0)?;
            match buffer[..count].iter().position(|&byte| byte == 0) {
                Some(end) => {
                    text.extend_from_slice(&buffer[..end]);
                    return Some(text);
                }
                None => text.extend_from_slice(&buffer[..count]),
            }
            at = at.checked_add(count as u64)?;
        }
        None
    }
}

/// Whether the file begins with `#!`: a script is not a linker, whatever its name.
pub fn is_script(path: &Path) -> bool {
    let mut start = [0; 2];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"#!"
}

/// Checks whether this process may stop its child and read the child's memory.
pub(super) fn probe(child: libc::pid_t) -> Result<(), Errno> {
    File::open(format!("/proc/{child}/mem")).map_err(|_| Errno::PERM)?;
    let stopped = stop(child)?;
    match stopped {
        Stopped::Ready => release(child, 0),
        Stopped::Signaled(signal) => release(child, signal),
        Stopped::Ended(_) => return Err(Errno::SRCH),
    }
    Ok(())
}

/// Changes the path of the call to `program`.
pub(super) fn redirect(call: &Call, program: &Path) -> Redirected {
    if !call.sees(program) {
        return Redirected::Untouched;
    }
    match stop(call.thread) {
        Err(_) => Redirected::Untouched,
        Ok(Stopped::Ended(ended)) => Redirected::Ended(ended),
        Ok(Stopped::Signaled(signal)) => {
            // The thread repeats the call after the signal; then it can be changed.
            release(call.thread, signal);
            Redirected::Yes
        }
        Ok(Stopped::Ready) => {
            let changed = change(call, program.as_os_str());
            release(call.thread, 0);
            if changed.is_some() { Redirected::Yes } else { Redirected::No }
        }
    }
}

/// Why a traced thread has stopped.
enum Stopped {
    /// The thread stopped because this process asked for it (PTRACE_INTERRUPT).
    Ready,
    /// This signal came, which the thread gets when it goes on.
    Signaled(libc::c_int),
    /// The thread's process has ended.
    Ended(Ended),
}

fn stop(thread: libc::pid_t) -> Result<Stopped, Errno> {
    trace(libc::PTRACE_SEIZE, thread, ptr::null_mut())?;
    // If these calls fail from here on, the thread is gone.
    trace(libc::PTRACE_INTERRUPT, thread, ptr::null_mut())?;
    loop {
        let mut status = 0;
        // SAFETY: waitpid writes the status.
        let found = unsafe { libc::waitpid(thread, &mut status, libc::__WALL) };
        if found < 0 {
            match errno() {
                Errno::INTR => continue,
                error => return Err(error),
            }
        }
        if let Some(ended) = ended_with(status) {
            return Ok(Stopped::Ended(ended));
        }
        return Ok(match status >> 16 {
            libc::PTRACE_EVENT_STOP => Stopped::Ready,
            _ => Stopped::Signaled(libc::WSTOPSIG(status)),
        });
    }
}

/// Stops tracing a thread, and lets it go on.
fn release(thread: libc::pid_t, signal: libc::c_int) {
    // Fails only if the thread has been killed.
    let _ = trace(libc::PTRACE_DETACH, thread, ptr::without_provenance_mut(signal as usize));
}

/// Changes path and registers of a stopped thread; `None`, with nothing changed, if that is not
/// possible.
fn change(call: &Call, program: &OsStr) -> Option<()> {
    let mut registers = MaybeUninit::<libc::user_regs_struct>::zeroed();
    trace(libc::PTRACE_GETREGS, call.thread, registers.as_mut_ptr().cast()).ok()?;
    // SAFETY: the kernel filled it, and it is plain data.
    let mut registers = unsafe { registers.assume_init() };
    if registers.orig_rax as i64 != call.number || registers.rax as i64 != RESTART {
        return None;
    }
    let mut text = program.as_bytes().to_vec();
    text.push(0);
    let at = (registers.rsp.checked_sub(RED_ZONE + text.len() as u64)?) & !15;
    let memory = File::options().write(true).open(format!("/proc/{}/mem", call.thread)).ok()?;
    memory.write_all_at(&text, at).ok()?;
    let register = match (call.is_32_bit, call.is_execveat()) {
        (false, false) => &mut registers.rdi,
        (false, true) => &mut registers.rsi,
        (true, false) => &mut registers.rbx,
        (true, true) => &mut registers.rcx,
    };
    *register = at;
    trace(libc::PTRACE_SETREGS, call.thread, (&raw mut registers).cast()).ok()
}

fn trace(request: libc::c_uint, thread: libc::pid_t, data: *mut libc::c_void) -> Result<(), Errno> {
    let none = ptr::null_mut::<libc::c_void>();
    // SAFETY: `data` is what the request wants: nothing, a number, or a structure of registers.
    let result = unsafe { libc::ptrace(request, thread, none, data) };
    if result < 0 { Err(errno()) } else { Ok(()) }
}
