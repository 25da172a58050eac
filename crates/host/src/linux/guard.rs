//! A directory for temporary files that is removed, and whose commands are ended, even if this
//! process is killed.
//!
//! A second process, this program under the name [`GUARD`], waits at the other end of a socket. It
//! starts commands for this process, in a process group that it leads. When the socket is closed
//! because the directory is dropped or because this process has been killed, the guard ends the
//! group and removes the directory.

use crate::activity::Silence;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal};
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

/// The name under which the program runs as a guard.
pub const GUARD: &str = "skald-guard";

/// Time that descendants of a command may take to end after SIGTERM.
const GRACE: Duration = Duration::from_millis(500);
/// Interval at which a command is checked.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 250_000_000 };
/// Kinds of replies: the status of a command that ended, and the error if it could not be started.
const ENDED: u8 = 0;
const FAILED: u8 = 1;

/// A directory with a guard.
#[derive(Debug)]
pub struct GuardedDirectory {
    path: PathBuf,
    guard: Child,
    socket: Option<UnixStream>,
    is_kept: bool,
}

impl GuardedDirectory {
    /// Makes a directory whose path is `prefix` and the first number that is not taken.
    ///
    /// # Errors
    /// If it cannot be made, or no process can be started.
    pub fn new(prefix: &OsStr) -> io::Result<GuardedDirectory> {
        let path = make(prefix)?;
        let guard = UnixStream::pair().and_then(|(own, other)| {
            let guard = Command::new("/proc/self/exe")
                .arg0(GUARD)
                .arg(std::path::absolute(&path)?)
                .stdin(Stdio::from(std::os::fd::OwnedFd::from(other)))
                // Commands write where messages of this process go.
                .stdout(Stdio::from(rustix::io::dup(rustix::stdio::stderr())?))
                .process_group(0)
                .spawn()?;
            Ok((guard, own))
        });
        match guard {
            Ok((guard, socket)) => {
                Ok(GuardedDirectory { path, guard, socket: Some(socket), is_kept: false })
            }
            Err(error) => {
                let _ = std::fs::remove_dir(&path);
                Err(error)
            }
        }
    }

    /// The path, which is relative if the prefix is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps the directory at an ordinary end.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }

    /// Runs a command and waits until it has ended. If the command and its descendants are idle for
    /// longer than `limit`, all of them are ended, and no further commands can run.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(&mut self, command: &[OsString], limit: Option<Duration>) -> io::Result<Ended> {
        let socket = self.socket.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        send(socket, command)?;
        let mut silence = Silence::begin();
        while !has_answered(socket)? {
            if let Some(limit) = limit
                && let Some(what) = silence.beyond(self.guard.id(), limit)
            {
                self.close();
                return Ok(Ended::Given(what));
            }
        }
        let mut reply = [0; 5];
        socket.read_exact(&mut reply)?;
        let number = i32::from_ne_bytes([reply[1], reply[2], reply[3], reply[4]]);
        match reply[0] {
            ENDED => Ok(Ended::Itself(ExitStatus::from_raw(number))),
            _ => Err(io::Error::from_raw_os_error(number)),
        }
    }

    /// Makes the guard end all running processes, and waits for the guard.
    fn close(&mut self) {
        if self.is_kept
            && let Some(socket) = &mut self.socket
        {
            // An empty command means that the directory is kept.
            let _ = send(socket, &[]);
        }
        self.socket = None;
        let _ = self.guard.wait();
    }
}

/// How a command has ended.
#[derive(Debug)]
pub enum Ended {
    /// The command ended by itself.
    Itself(ExitStatus),
    /// The command was ended; the text says what it had done for too long.
    Given(String),
}

/// Waits for a while; returns whether there is an answer, or the socket was closed.
fn has_answered(socket: &UnixStream) -> io::Result<bool> {
    match poll(&mut [PollFd::new(socket, PollFlags::IN)], Some(&LOOK)) {
        Ok(count) => Ok(count > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

impl Drop for GuardedDirectory {
    fn drop(&mut self) {
        self.close();
        if !self.is_kept {
            // The guard may have been killed.
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

fn make(prefix: &OsStr) -> io::Result<PathBuf> {
    for number in 0..u32::MAX {
        let mut path = prefix.to_owned();
        path.push(number.to_string());
        match std::fs::create_dir(&path) {
            Ok(()) => return Ok(path.into()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn send(to: &mut impl Write, command: &[OsString]) -> io::Result<()> {
    let mut message = (command.len() as u32).to_ne_bytes().to_vec();
    for word in command {
        message.extend((word.len() as u32).to_ne_bytes());
        message.extend(word.as_bytes());
    }
    to.write_all(&message)
}

fn receive(from: &mut impl Read) -> io::Result<Vec<OsString>> {
    let count = number(from)?;
    let mut words = Vec::new();
    for _ in 0..count {
        let mut word = vec![0; number(from)?];
        from.read_exact(&mut word)?;
        words.push(OsString::from_vec(word));
    }
    Ok(words)
}

fn number(from: &mut impl Read) -> io::Result<usize> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes)?;
    Ok(u32::from_ne_bytes(bytes) as usize)
}

/// The guard: serves the process at the other end of standard input; returns the exit status.
pub fn serve(arguments: &[OsString]) -> i32 {
    let [directory] = arguments else { return 2 };
    crate::faults::outlive();
    let served = serve_commands();
    end_group();
    match served {
        Ok(Served::Kept) => 0,
        _ => i32::from(std::fs::remove_dir_all(directory).is_err()),
    }
}

/// How the process at the other end finished.
enum Served {
    /// The contents of the directory are kept.
    Kept,
    Gone,
}

fn serve_commands() -> io::Result<Served> {
    let socket = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    let mut socket = UnixStream::from(socket);
    loop {
        let Ok(command) = receive(&mut socket) else { return Ok(Served::Gone) };
        let Some((program, arguments)) = command.split_first() else { return Ok(Served::Kept) };
        let (kind, number) = match Command::new(program).args(arguments).spawn() {
            Ok(child) => match wait(child, &socket)? {
                Some(status) => (ENDED, status.into_raw()),
                None => return Ok(last_word(&mut socket)),
            },
            Err(error) => (FAILED, error.raw_os_error().unwrap_or(0)),
        };
        let mut reply = vec![kind];
        reply.extend(number.to_ne_bytes());
        socket.write_all(&reply)?;
    }
}

/// Reads the last message of the process at the other end.
fn last_word(socket: &mut UnixStream) -> Served {
    match receive(socket) {
        Ok(command) if command.is_empty() => Served::Kept,
        _ => Served::Gone,
    }
}

/// Waits for a command; `None` if the process that requested it ends meanwhile.
fn wait(mut child: Child, socket: &UnixStream) -> io::Result<Option<ExitStatus>> {
    let id = Pid::from_child(&child);
    let ended = rustix::process::pidfd_open(id, rustix::process::PidfdFlags::empty())?;
    loop {
        let mut ends = [PollFd::new(socket, PollFlags::RDHUP), PollFd::new(&ended, PollFlags::IN)];
        if poll(&mut ends, None).is_err() {
            continue;
        }
        if !ends[1].revents().is_empty() {
            return child.wait().map(Some);
        }
        if ends[0].revents().intersects(PollFlags::RDHUP | PollFlags::HUP) {
            return Ok(None);
        }
    }
}

/// Ends all processes that commands have started, first with SIGTERM, which this process outlives.
fn end_group() {
    let own = rustix::process::getpid();
    let _ = rustix::process::kill_current_process_group(Signal::TERM);
    let start = std::time::Instant::now();
    loop {
        let others = members(own);
        if others.is_empty() {
            return;
        }
        if start.elapsed() > GRACE {
            for other in others {
                let _ = rustix::process::kill_process(other, Signal::KILL);
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The other running processes of the group that `leader` leads.
fn members(leader: Pid) -> Vec<Pid> {
    // Children that have ended stay zombies until they are waited for.
    while let Ok(Some(_)) = rustix::process::wait(rustix::process::WaitOptions::NOHANG) {}
    let group = leader.as_raw_nonzero().get().to_string();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let member = |entry: std::fs::DirEntry| {
        let id: i32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name, in parentheses, may contain any characters; state, parent and group follow.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let has_ended = fields.next()? == "Z";
        // A child of this process stays until it has been waited for.
        let is_there = fields.next()? == group || !has_ended;
        let is_member = fields.next()? == group;
        Pid::from_raw(id).filter(|&id| is_there && is_member && id != leader)
    };
    entries.filter_map(member).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_arrive_as_they_were() {
        let words: Vec<OsString> = ["a b", "", "\u{e9}"].map(OsString::from).into();
        let mut bytes = Vec::new();
        send(&mut bytes, &words).expect("room");
        assert_eq!(receive(&mut &bytes[..]).expect("a command"), words);
        assert!(receive(&mut &bytes[..bytes.len() - 1]).is_err());
    }
}
