//! Starts this program again under another name, to do some work in a process of its own.
//!
//! The two processes talk through a socket, which is the standard input of the new one. The output
//! of the new process and its descendants comes through a pipe. Both processes share a number
//! ([`Counter`]), which remains readable after one of them has ended.

pub use super::counter::Counter;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Deref;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;

/// One end of the socket.
#[derive(Debug)]
pub struct Talk(UnixStream);

/// The output of the other process and its descendants.
#[derive(Debug)]
pub struct Output(ChildStdout);

/// The other process, the leader of a process group with all its descendants.
#[derive(Debug)]
pub struct Subprocess(Child);

/// A started process, with its channels.
pub struct Started {
    /// The process.
    pub process: Subprocess,
    /// The socket.
    pub talk: Talk,
    /// Its output.
    pub output: Output,
    /// The shared number.
    pub counter: Counter,
}

/// The result of waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// The socket has data to be read, or was closed.
    Talk,
    /// There is output, or the wait was interrupted.
    Output,
    /// Nothing happened until the limit.
    Nothing,
}

impl Subprocess {
    /// Starts this program under `name`, with `temporary` as its directory for temporary files.
    ///
    /// # Errors
    /// Those of the system.
    pub fn start(name: &str, temporary: &Path) -> io::Result<Started> {
        let (own, other) = UnixStream::pair()?;
        let (reader, writer) = io::pipe()?;
        let (counter, shared) = Counter::new()?;
        let child = Command::new("/proc/self/exe")
            .arg0(name)
            .env("TMPDIR", temporary)
            .stdin(Stdio::from(OwnedFd::from(other)))
            .stdout(shared)
            .stderr(writer)
            // Its descendants can be ended with it, and signals of a terminal reach only this
            // process, which passes them on.
            .process_group(0)
            .spawn()?;
        let output = Output(ChildStdout::from(OwnedFd::from(reader)));
        Ok(Started { process: Subprocess(child), talk: Talk(own), output, counter })
    }

    /// The id of its process group, for [`crate::activity`].
    pub fn group(&self) -> u32 {
        self.0.id()
    }

    /// The exit status, if the process has ended.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.0.try_wait().ok().flatten()
    }

    /// Waits for the end of the process, or for output.
    pub fn wait(&self, output: Option<&Output>, limit: Duration) {
        let ended = rustix::process::pidfd_open(Pid::from_child(&self.0), PidfdFlags::empty());
        let output = output.map(|output| PollFd::new(&output.0, PollFlags::IN));
        let ended = ended.as_ref().ok().map(|ended| PollFd::new(ended, PollFlags::IN));
        let mut ends: Vec<PollFd<'_>> = output.into_iter().chain(ended).collect();
        let _ = poll(&mut ends, Some(&timespec(limit)));
    }

    /// Kills the process and all its descendants.
    pub fn kill(&mut self) {
        if let Some(group) = Pid::from_raw(self.0.id() as i32) {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
        let _ = self.0.wait();
    }
}

fn timespec(time: Duration) -> Timespec {
    Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() }
}

impl Talk {
    /// Whether data has arrived, or the other side is closed; `true` if the system cannot tell.
    pub fn is_ready(&self) -> bool {
        let now = timespec(Duration::ZERO);
        poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&now)).map_or(true, |count| count > 0)
    }

    /// Waits for data, or for output.
    pub fn wait(&self, output: Option<&Output>, limit: Duration) -> Waited {
        let mut ends = vec![PollFd::new(&self.0, PollFlags::IN)];
        ends.extend(output.map(|output| PollFd::new(&output.0, PollFlags::IN)));
        match poll(&mut ends, Some(&timespec(limit))) {
            Ok(0) => Waited::Nothing,
            Ok(_) if ends.get(1).is_none_or(|end| end.revents().is_empty()) => Waited::Talk,
            _ => Waited::Output,
        }
    }

    /// Tells the other side that no more data will follow.
    pub fn end(&self) {
        let _ = self.0.shutdown(std::net::Shutdown::Write);
    }
}

fn is_ready(end: PollFd<'_>) -> bool {
    poll(&mut [end], Some(&timespec(Duration::ZERO))).is_ok_and(|count| count > 0)
}

impl Read for Talk {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Talk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output {
    /// Whether output has arrived, or all processes that could write have ended.
    pub fn is_ready(&self) -> bool {
        is_ready(PollFd::new(&self.0, PollFlags::IN))
    }
}

impl Read for Output {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

/// In the other process: both directions of the socket, and the shared number. Their descriptors
/// are moved away from the standard streams, so that nobody else uses them. The process and its
/// descendants end with the process that started it, even in the middle of their work.
pub fn served() -> Option<(Talk, Talk, Counter)> {
    let shared = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3).ok()?;
    let counter = Counter::of(&File::from(shared)).ok()?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr()).ok()?;
    let socket = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3).ok()?;
    let null = File::open("/dev/null").ok()?;
    rustix::stdio::dup2_stdin(&null).ok()?;
    let from = UnixStream::from(socket);
    let to = from.try_clone().ok()?;
    crate::faults::outlive();
    watch(&from);
    Some((Talk(from), Talk(to), counter))
}

fn watch(from: &UnixStream) {
    let Ok(socket) = from.try_clone() else { return };
    let watching = move || {
        loop {
            let mut ends = [PollFd::new(&socket, PollFlags::RDHUP)];
            let gone = poll(&mut ends, None).is_ok();
            if gone && ends[0].revents().intersects(PollFlags::RDHUP | PollFlags::HUP) {
                let _ = rustix::process::kill_current_process_group(Signal::TERM);
                return;
            }
        }
    };
    let _ = std::thread::Builder::new().spawn(watching);
}

/// Ends the process at once: no destructor runs.
pub fn exit(code: i32) -> ! {
    // SAFETY: it does not return.
    unsafe { libc::_exit(code) }
}

/// A mapping of a file.
#[derive(Debug)]
pub struct FileView(memmap2::Mmap);

impl FileView {
    /// The bytes of `file`.
    pub fn of(file: &File) -> Option<FileView> {
        // SAFETY: as for all inputs: who changes them during a link breaks it.
        unsafe { memmap2::Mmap::map(file.as_raw_fd()) }.ok().map(FileView)
    }
}

impl Deref for FileView {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// An offset in a file, for C functions.
pub type FileOffset = libc::off_t;

/// The file descriptor of an open file, for C functions.
pub fn descriptor(file: &File) -> c_int {
    file.as_raw_fd()
}

/// A copy of a string, which a C library may free.
pub fn string_of_c(text: &CStr) -> *mut c_char {
    // SAFETY: a string.
    unsafe { libc::strdup(text.as_ptr()) }
}

/// Loads a library into this process; returns the address of its symbol `symbol`, or null.
///
/// # Errors
/// The message of the loader.
pub fn load(library: &CString, symbol: &CStr) -> Result<*mut c_void, String> {
    // SAFETY: the library's initialisers run, which is what it is for.
    let library = unsafe { libc::dlopen(library.as_ptr(), libc::RTLD_NOW) };
    if library.is_null() {
        return Err(last_error());
    }
    // SAFETY: a handle and a string.
    Ok(unsafe { libc::dlsym(library, symbol.as_ptr()) })
}

/// The message of the C library's loader.
fn last_error() -> String {
    // SAFETY: it returns null or a string.
    let text = unsafe { libc::dlerror() };
    if text.is_null() {
        return "it cannot be loaded".to_owned();
    }
    // SAFETY: not null; the next call may change it, and there is none meanwhile.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
