//! Internal errors: their messages, and that they can be replayed. A build with the feature
//! `perturb` causes them at the place that an environment variable names.
#![cfg(feature = "perturb")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// EX_SOFTWARE.
const STATUS: i32 = 70;

/// Makes a directory with the object of a small program.
fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    let source = ".globl _start\n_start: ret\n.section \
        .rodata.str1.1,\"aMS\",@progbits,1\n.string \"text\"\n";
    fs::write(directory.join("start.s"), source).unwrap();
    run(&directory, "cc", &["-c", "start.s", "-o", "start.o"]);
    run(&directory, "ar", &["rcs", "libstart.a", "start.o"]);
    directory
}

fn run(directory: &Path, program: &str, words: &[&str]) {
    let status = Command::new(program).args(words).current_dir(directory).status().unwrap();
    assert!(status.success(), "{program} {words:?}");
}

/// Links with an internal error at `place`.
fn fail(directory: &Path, place: &str, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skald"));
    command.args(["-o", "out"]).args(words).current_dir(directory);
    command.env("SKALD_PERTURB_FAIL", place).env_remove("RUST_BACKTRACE").output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Names in a directory but for its inputs.
fn left(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| !["start.s", "start.o", "libstart.a"].contains(&name.as_str()));
    names.sort();
    names
}

#[test]
fn the_phase_is_named_and_nothing_is_left() {
    let directory = directory("phases");
    for phase in [
        "open inputs",
        "extract",
        "define",
        "mark and scan",
        "merge",
        "plan",
        "lay out",
        "write",
        "commit",
    ] {
        for threads in ["--threads=1", "--threads=2"] {
            let output = fail(&directory, phase, &["start.o", threads]);
            let message = stderr(&output);
            assert_eq!(output.status.code(), Some(STATUS), "{phase}: {message}");
            let expected = format!("skald: error: internal error in phase \"{phase}\"");
            assert!(message.starts_with(&expected), "{message}");
            assert!(
                message.contains(": asked for by SKALD_PERTURB_FAIL (crates/core/src/perturb.rs:"),
                "{message}"
            );
            assert!(message.contains("\n>>> link again with --reproduce=FILE.tar"), "{message}");
            assert_eq!(left(&directory), [""; 0], "{phase}");
        }
    }
}

#[test]
fn the_input_is_named() {
    let directory = directory("inputs");
    for (phase, input, named) in [
        ("open inputs", "start.o", "start.o"),
        ("extract", "start.o", "start.o"),
        ("define", "start.o", "start.o"),
        ("merge", "start.o", "start.o"),
        ("define", "libstart.a (at offset 0x90)", "libstart.a (at offset 0x90)"),
    ] {
        let words =
            ["-e", "_start", "-u", "_start", if input == "start.o" { input } else { "libstart.a" }];
        let output = fail(&directory, &format!("{phase}@{input}"), &words);
        assert_eq!(output.status.code(), Some(STATUS), "{phase}@{input}: {}", stderr(&output));
        let expected = format!("skald: error: internal error in phase \"{phase}\" at {named}: ");
        assert!(stderr(&output).starts_with(&expected), "{}", stderr(&output));
    }
}

#[test]
fn an_old_output_stays() {
    let directory = directory("old");
    fs::write(directory.join("out"), "old").unwrap();
    for phase in ["merge", "commit"] {
        assert_eq!(
            fail(&directory, phase, &["start.o", "--atomic-output"]).status.code(),
            Some(STATUS)
        );
        assert_eq!(fs::read(directory.join("out")).unwrap(), b"old");
        assert_eq!(left(&directory), ["out"]);
    }
}

#[test]
fn a_stack_overflow_is_one() {
    let directory = directory("overflow");
    let output = fail(&directory, "overflow:merge@start.o", &["start.o"]);
    assert_eq!(output.status.code(), Some(STATUS), "{}", stderr(&output));
    assert!(
        stderr(&output).starts_with(
            "skald: error: internal error in phase \"merge\" at \
        start.o: memory that is not there was used"
        ),
        "{}",
        stderr(&output)
    );
    assert_eq!(left(&directory), [""; 0]);
}

#[test]
fn a_worker_in_the_background_hands_the_status_on() {
    let directory = directory("fork");
    let output = fail(&directory, "write", &["start.o", "--fork"]);
    assert_eq!(output.status.code(), Some(STATUS), "{}", stderr(&output));
}

#[test]
fn the_reproducer_replays_the_link() {
    let directory = directory("reproduce");
    let output = fail(&directory, "merge", &["start.o", "--reproduce=repro.tar"]);
    assert_eq!(output.status.code(), Some(STATUS));
    let expected = "\n>>> all that is needed to see it again is in repro.tar\n";
    assert!(stderr(&output).ends_with(expected), "{}", stderr(&output));
    assert_eq!(left(&directory), ["repro.tar"]);
    run(&directory, "tar", &["xf", "repro.tar"]);
    let place = directory.join("repro");
    let again = fail(&place, "merge", &["@response.txt"]);
    assert!(
        stderr(&again).starts_with("skald: error: internal error in phase \"merge\""),
        "{}",
        stderr(&again)
    );
    let output = fail(&place, "", &["@response.txt"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(place.join("out").exists());
}

#[test]
fn a_reproducer_that_cannot_be_written_is_told_of() {
    let directory = directory("no-reproducer");
    let output = fail(&directory, "merge", &["start.o", "--reproduce=/dev/full"]);
    assert_eq!(output.status.code(), Some(STATUS));
    assert!(
        stderr(&output).contains("\n>>> there is no reproducer: cannot write /dev/full: "),
        "{}",
        stderr(&output)
    );
}
