//! Threads and processes: make's job server, and `--fork`.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const SKALD: &str = env!("CARGO_BIN_EXE_skald");

struct Directory(PathBuf);

impl Directory {
    /// A directory with `a.o`, a program that does nothing.
    fn new(name: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("skald-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("a.s"), ".globl _start\n_start: ret\n").unwrap();
        let assembled = Command::new("as").args(["a.s", "-o", "a.o"]).current_dir(&path).status();
        assert!(assembled.unwrap().success());
        Directory(path)
    }

    fn skald(&self, words: &[&str]) -> Command {
        let mut command = Command::new(SKALD);
        command.args(words).current_dir(&self.0).env_remove("MAKEFLAGS");
        command
    }

    /// An open FIFO, like the one that make passes to jobs.
    fn fifo(&self) -> (File, String) {
        let path = self.0.join("fifo");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let file = File::options().read(true).write(true).open(&path).unwrap();
        (file, format!(" -j9 --jobserver-auth=fifo:{}", path.display()))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs `command` with `tokens` in the job server's pipe; returns its output, and the tokens
/// afterwards, sorted.
fn after(mut command: Command, tokens: &[u8]) -> (Output, Vec<u8>) {
    let (mut read, mut write) = std::io::pipe().unwrap();
    write.write_all(tokens).unwrap();
    let (theirs, their_end): (OwnedFd, OwnedFd) =
        (read.try_clone().unwrap().into(), write.try_clone().unwrap().into());
    use std::os::fd::AsRawFd;
    let flags = format!("-j9 --jobserver-auth={},{}", theirs.as_raw_fd(), their_end.as_raw_fd());
    command.env("MAKEFLAGS", flags);
    for descriptor in [&theirs, &their_end] {
        rustix::io::fcntl_setfd(descriptor, rustix::io::FdFlags::empty()).unwrap();
    }
    let output = command.output().unwrap();
    drop((write, theirs, their_end));
    let mut left = Vec::new();
    read.read_to_end(&mut left).unwrap();
    left.sort_unstable();
    (output, left)
}

#[test]
fn jobs_are_given_back_after_every_end() {
    let dir = Directory::new("jobs-ends");
    let (output, left) = after(dir.skald(&["a.o", "-o", "a"]), b"abcdefgh");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(left, b"abcdefgh");
    let (output, left) = after(dir.skald(&["a.o", "-u", "x", "--require-defined=x"]), b"abc");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(left, b"abc");
    let (output, left) = after(dir.skald(&["--fork", "a.o", "-o", "a"]), b"abc");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(left, b"abc");
}

#[test]
fn a_fifo_is_a_job_server_too() {
    let dir = Directory::new("jobs-fifo");
    let (mut fifo, flags) = dir.fifo();
    for (words, status) in
        [(&["a.o", "-o", "a"][..], 0), (&["missing.o"], 1), (&["--fork", "a.o", "-o", "a"], 0)]
    {
        fifo.write_all(b"uvwxyz").unwrap();
        let output = dir.skald(words).env("MAKEFLAGS", &flags).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        let mut left = [0; 6];
        fifo.read_exact(&mut left).unwrap();
        left.sort_unstable();
        assert_eq!(&left, b"uvwxyz");
    }
}

/// After a recipe that uses the job server, all tokens are available for the next one.
#[test]
fn make_gets_its_jobs_back() {
    let dir = Directory::new("jobs-make");
    let rule = format!("all: one\n\t+@{SKALD} a.o -o last\none:\n\t+@{SKALD} a.o -o one\n");
    std::fs::write(dir.0.join("Makefile"), rule).unwrap();
    let mut make = Command::new("make");
    make.arg("-j3").current_dir(&dir.0).env_remove("MAKEFLAGS").env_remove("MFLAGS");
    let output = make.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    // GNU make counts the tokens at its end, and reports a missing one.
    assert_eq!(stderr(&output), "");
    assert!(dir.0.join("last").exists());
}

#[test]
fn jobs_are_given_back_when_a_signal_ends_the_link() {
    let dir = Directory::new("jobs-signal");
    let (mut fifo, flags) = dir.fifo();
    fifo.write_all(b"xyz").unwrap();
    let input = dir.0.join("input.o");
    assert!(Command::new("mkfifo").arg(&input).status().unwrap().success());
    // The link waits for its input while it holds tokens.
    let mut child = dir.skald(&["input.o"]).env("MAKEFLAGS", flags).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    let mut left = [0; 3];
    fifo.read_exact(&mut left).unwrap();
    left.sort_unstable();
    assert_eq!(&left, b"xyz");
}

#[test]
fn no_job_is_no_reason_to_wait() {
    let dir = Directory::new("jobs-none");
    let (output, left) = after(dir.skald(&["a.o", "-o", "a"]), b"");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(left, b"");
    for flags in ["--jobserver-auth=-2,-2", "--jobserver-auth=90,91", "--jobserver-auth=fifo:/x"] {
        let output = dir.skald(&["a.o", "-o", "a"]).env("MAKEFLAGS", flags).output().unwrap();
        assert!(output.status.success() && stderr(&output).is_empty(), "{flags}: {output:?}");
    }
}

#[test]
fn a_forked_link_ends_as_its_worker() {
    let dir = Directory::new("fork");
    let output = dir.skald(&["--fork", "-v", "a.o", "-o", "a"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout.starts_with(b"GNU ld") && dir.0.join("a").exists());
    for words in [
        &["--fork", "missing.o"][..],
        &["--fork"],
        &["--fork", "-C", "/x", "a.o"],
        &["--fork", "--require-defined=missing", "a.o"],
        &["--fork", "a.o", "-o", "missing/a"],
    ] {
        let output = dir.skald(words).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        assert!(stderr(&output).contains("error:"), "{words:?}");
    }
}

#[test]
fn a_killed_worker_is_no_success() {
    let dir = Directory::new("fork-killed");
    let input = dir.0.join("input.o");
    assert!(Command::new("mkfifo").arg(&input).status().unwrap().success());
    for signal in [9, 15, 6] {
        let mut command = dir.skald(&["--fork", "input.o"]);
        let mut child = command.process_group(0).stderr(Stdio::null()).spawn().unwrap();
        let path = format!("/proc/{0}/task/{0}/children", child.id());
        let worker = (0..1000).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            let children = std::fs::read_to_string(&path).unwrap();
            Some(children.trim().to_owned()).filter(|children| !children.is_empty())
        });
        let sent = Command::new("kill").args([&format!("-{signal}"), &worker.unwrap()]).status();
        assert!(sent.unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(signal));
    }
}

#[test]
fn a_signal_for_the_waiter_is_for_the_worker() {
    let dir = Directory::new("fork-signal");
    let input = dir.0.join("input.o");
    assert!(Command::new("mkfifo").arg(&input).status().unwrap().success());
    let mut child = dir.skald(&["--fork", "input.o"]).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(15));
}
