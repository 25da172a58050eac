//! The program as a process: exit status, output streams, and the names under which it is called.

use std::process::{Command, Output, Stdio};

fn skald(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skald"));
    // These variables change the link; the tests are about the command line.
    command.args(words).env_remove("LD_RUN_PATH").env_remove("COLLECT_NO_DEMANGLE");
    command.output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn version_goes_to_standard_output() {
    for words in [&["--version"][..], &["-v"], &["-flavor", "gnu", "--version"]] {
        let output = skald(words);
        assert_eq!(output.status.code(), Some(0));
        assert!(output.stdout.starts_with(b"GNU ld (skald-"), "{words:?}");
        assert_eq!(stderr(&output), "");
    }
}

#[test]
fn help_into_a_closed_pipe_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_skald"))
        .arg("--help")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
}

#[test]
fn help_that_cannot_be_written_is_a_failure() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_skald"));
    let output = command.arg("--help").stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot write to standard output"));
}

#[test]
fn errors_are_signed_and_end_with_status_1() {
    let output = skald(&["--no-such-option"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let expected = "skald: error: unknown command line option: --no-such-option\n";
    assert_eq!(stderr(&output), expected);
    assert!(stderr(&skald(&["-flavor", "link"])).contains("-flavor link: expected gnu"));
}

#[test]
fn warnings_come_before_the_lack_of_inputs() {
    let output = skald(&["-z", "foo"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    let warning = text.find("skald: warning: unknown command line option: -z foo").unwrap();
    assert!(warning < text.find("skald: error: no input files").unwrap());
    let text = stderr(&skald(&["-z", "foo", "--fatal-warnings"]));
    assert!(text.contains("error: unknown command line option: -z foo"));
    assert!(!stderr(&skald(&["-z", "foo", "-w"])).contains("-z foo"));
}

#[test]
fn messages_are_signed_by_the_name_called() {
    let dir = std::env::temp_dir().join(format!("skald-name-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let link = dir.join("ld");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_skald"), &link).unwrap();
    let output = Command::new(&link).output().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    assert_eq!(stderr(&output), "ld: error: no input files\n");
}

#[test]
fn a_directory_that_is_not_there_is_an_error() {
    let output = skald(&["-C", "/no/such/directory", "a.o"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot change to directory /no/such/directory"));
}

#[test]
fn a_link_cleans_up_when_a_signal_ends_it() {
    let dir = std::env::temp_dir().join(format!("skald-signal-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let fifo = dir.join("a.o");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_skald"));
    let mut child = command.arg(&fifo).arg("-o").arg(dir.join("out")).spawn().unwrap();
    // While the program waits for its input, the kernel tells which signals it catches.
    let status = format!("/proc/{}/status", child.id());
    let catches = |signal: u32| {
        let text = std::fs::read_to_string(&status).unwrap();
        let mask = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal - 1) & 1 == 1
    };
    let sigterm = 15;
    let caught = (0..1000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        catches(sigterm)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(caught);
}
