//! Links that end badly: truncated inputs, full disks, signals. Each runs in a child process: the
//! test starts its own binary, asking for one of the ignored tests below.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output as Finished};

use skald_core::diag::Error;
use skald_core::output::{Output, OutputPlan};
use skald_core::{input, internal_error};
use skald_host::faults;
use skald_host::output::permission_bits;

const DIR: &str = "SKALD_TEST_DIR";

/// Runs the ignored test `name` in a process of its own, in `dir`.
fn child(name: &str, dir: &Path) -> Finished {
    finish(Command::new(std::env::current_exe().unwrap()), name, dir)
}

/// As [`child`], with a file system of 1 MiB mounted on `dir`; `None` without the right to mount.
fn child_on_small_disk(name: &str, dir: &Path) -> Option<Finished> {
    let mount = format!("mount -t tmpfs -o size=1m none {}", dir.display());
    let probe = Command::new("unshare").args(["-m", "sh", "-c", &mount]).output().ok()?;
    if !probe.status.success() {
        return None;
    }
    let mut shell = Command::new("unshare");
    shell.args(["-m", "sh", "-c", &format!("{mount} && exec \"$0\" \"$@\"")]);
    shell.arg(std::env::current_exe().unwrap());
    Some(finish(shell, name, dir))
}

fn finish(mut command: Command, name: &str, dir: &Path) -> Finished {
    command.args(["--exact", name, "--ignored", "--nocapture"]).env(DIR, dir).output().unwrap()
}

fn dir() -> PathBuf {
    PathBuf::from(std::env::var_os(DIR).expect("run by another test"))
}

fn plan(name: &str, size: u64, is_executable_kind: bool) -> OutputPlan {
    OutputPlan { path: dir().join(name), is_executable_kind, ..plan_of(size) }
}

fn plan_of(size: u64) -> OutputPlan {
    OutputPlan {
        path: PathBuf::new(),
        size,
        mode: permission_bits(true),
        is_executable_kind: false,
        atomic: false,
        mmap: Some(false),
    }
}

/// An output of two spans with one of them written.
fn half_written(plan: &OutputPlan) -> Output {
    let output = Output::create(plan).unwrap();
    let half = plan.size / 2;
    output.write_span(0, half as usize, |span| span.fill(1)).unwrap();
    output
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn stderr(finished: &Finished) -> String {
    String::from_utf8_lossy(&finished.stderr).into_owned()
}

#[test]
fn an_input_truncated_while_it_is_mapped_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.out"), "old").unwrap();
    let finished = child("child_truncates_its_input", dir.path());
    let input = dir.path().join("in.o");
    let expected = format!(
        "skald: error: {}: file was truncated or could not be read while it was linked\n",
        input.display()
    );
    assert_eq!(stderr(&finished), expected);
    assert_eq!(finished.status.code(), Some(1));
    assert_eq!(names(dir.path()), ["a.out", "in.o"]);
    assert_eq!(fs::read(dir.path().join("a.out")).unwrap(), b"old");
}

#[test]
#[ignore = "run by another test"]
fn child_truncates_its_input() {
    internal_error::install("skald");
    let path = dir().join("in.o");
    for other in 0..600 {
        let other = dir().join(format!("{other}.o"));
        fs::write(&other, vec![1; 5000]).unwrap();
        assert_eq!(input::open(&other).unwrap().data.len(), 5000);
        fs::remove_file(other).unwrap();
    }
    fs::write(&path, vec![1; 100_000]).unwrap();
    let file = input::open(&path).unwrap();
    let _output = half_written(&plan("a.out", 1000, false));
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(10).unwrap();
    // Many threads reach the missing page at once.
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| std::hint::black_box(file.data)[50_000]);
        }
    });
    unreachable!("read beyond the end of the file");
}

#[test]
fn a_panic_after_an_input_was_written_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let finished = child("child_panics_over_its_input", dir.path());
    let input = dir.path().join("in.o");
    let expected =
        format!("skald: error: {}: file was changed while it was linked\n", input.display());
    assert_eq!(stderr(&finished), expected);
    assert_eq!(finished.status.code(), Some(1));
    assert_eq!(names(dir.path()), ["in.o"]);
}

#[test]
#[ignore = "run by another test"]
fn child_panics_over_its_input() {
    internal_error::install("skald");
    let path = dir().join("in.o");
    fs::write(&path, vec![1; 100_000]).unwrap();
    let file = input::open(&path).unwrap();
    assert!(input::changed().is_empty());
    let _output = half_written(&plan("a.out", 1000, false));
    // The times of files are as coarse as the kernel's clock.
    std::thread::sleep(std::time::Duration::from_millis(50));
    let mut written = fs::OpenOptions::new().write(true).open(&path).unwrap();
    std::io::Write::write_all(&mut written, &[2; 1000]).unwrap();
    assert_eq!(input::changed(), [path.as_path()]);
    assert_eq!(file.data[0], 1, "what it was decoded as");
}

#[test]
fn an_input_that_is_replaced_is_not_changed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("in.o");
    fs::write(&path, vec![1; 100_000]).unwrap();
    let file = input::open(&path).unwrap();
    fs::write(dir.path().join("new"), vec![2; 5]).unwrap();
    fs::rename(dir.path().join("new"), &path).unwrap();
    assert!(!input::changed().contains(&path.as_path()));
    assert_eq!(file.data[99_999], 1);
}

#[test]
fn what_a_killed_link_has_left_is_removed_by_the_next() {
    let dir = on_tmpfs();
    fs::write(dir.path().join("lib.so"), "old").unwrap();
    for _ in 0..2 {
        let finished = child("child_is_killed_at_once", dir.path());
        assert_eq!(finished.status.signal(), Some(libc::SIGKILL), "{}", stderr(&finished));
    }
    assert_eq!(names(dir.path()), [".lib.so.skald-0", ".lib.so.skald-1", "lib.so"]);
    // A file of another output, and a name that is not one of ours.
    for other in [".a.out.skald-0", ".lib.so.skald-x"] {
        fs::write(dir.path().join(other), "").unwrap();
    }
    let plan = OutputPlan { path: dir.path().join("lib.so"), ..plan_of(1000) };
    let first = half_written(&plan);
    let second = half_written(&plan);
    let expected =
        [".a.out.skald-0", ".lib.so.skald-0", ".lib.so.skald-1", ".lib.so.skald-x", "lib.so"];
    assert_eq!(names(dir.path()), expected, "two that are alive");
    for output in [first, second] {
        output.write_span(500, 500, |span| span.fill(1)).unwrap();
        output.commit().unwrap();
    }
    assert_eq!(names(dir.path()), [".a.out.skald-0", ".lib.so.skald-x", "lib.so"]);
}

#[test]
#[ignore = "run by another test"]
fn child_is_killed_at_once() {
    let _one = half_written(&plan("lib.so", 1000, false));
    let _two = half_written(&plan("lib.so", 1000, false));
    // SAFETY: raise takes any signal.
    unsafe { libc::raise(libc::SIGKILL) };
}

#[test]
fn a_bus_error_elsewhere_keeps_its_meaning() {
    let dir = tempfile::tempdir().unwrap();
    let finished = child("child_faults_elsewhere", dir.path());
    assert_eq!(finished.status.signal(), Some(libc::SIGBUS), "{}", stderr(&finished));
    assert!(names(dir.path()).is_empty());
}

#[test]
#[ignore = "run by another test"]
fn child_faults_elsewhere() {
    internal_error::install("skald");
    let _output = half_written(&plan("a.out", 1000, false));
    // SAFETY: raise takes any signal.
    unsafe { libc::raise(libc::SIGBUS) };
}

/// A directory where old outputs are overwritten, unlike on the root of a container.
fn on_tmpfs() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

#[test]
fn fatal_signals_remove_what_is_not_whole() {
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGABRT] {
        let dir = on_tmpfs();
        fs::write(dir.path().join("lib.so"), "old").unwrap();
        fs::write(dir.path().join("a.out"), "old").unwrap();
        fs::write(dir.path().join("signal"), signal.to_string()).unwrap();
        let finished = child("child_is_killed", dir.path());
        assert_eq!(finished.status.signal(), Some(signal), "{}", stderr(&finished));
        // The library was to be replaced and is still the old one; the executable was being
        // overwritten and is gone.
        assert_eq!(names(dir.path()), ["lib.so", "signal"]);
        assert_eq!(fs::read(dir.path().join("lib.so")).unwrap(), b"old");
    }
}

#[test]
#[ignore = "run by another test"]
fn child_is_killed() {
    let signal = fs::read_to_string(dir().join("signal")).unwrap().parse().unwrap();
    // SAFETY: signal and raise take any signal; the default is what the test assumes.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
    internal_error::install("skald");
    let _library = half_written(&plan("lib.so", 1000, false));
    let _executable = half_written(&plan("a.out", 1000, true));
    assert_eq!(names(&dir()).len(), 4, "the old library, the signal and two temporary files");
    if signal == libc::SIGABRT {
        std::process::abort();
    }
    // SAFETY: as above.
    unsafe { libc::raise(signal) };
}

#[test]
fn an_ignored_hangup_stays_ignored() {
    let dir = tempfile::tempdir().unwrap();
    let finished = child("child_ignores_hangup", dir.path());
    assert!(finished.status.success(), "{}", stderr(&finished));
    assert_eq!(fs::read(dir.path().join("a.out")).unwrap(), [1; 1000]);
}

#[test]
#[ignore = "run by another test"]
fn child_ignores_hangup() {
    // SAFETY: signal and raise take any signal.
    unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
    internal_error::install("skald");
    let output = half_written(&plan("a.out", 1000, false));
    // SAFETY: as above.
    unsafe { libc::raise(libc::SIGHUP) };
    output.write_span(500, 500, |span| span.fill(1)).unwrap();
    output.commit().unwrap();
}

#[test]
fn a_process_that_exits_at_once_can_discard_its_outputs() {
    let dir = tempfile::tempdir().unwrap();
    let finished = child("child_exits", dir.path());
    assert_eq!(finished.status.code(), Some(3), "{}", stderr(&finished));
    assert!(names(dir.path()).is_empty());
}

#[test]
#[ignore = "run by another test"]
fn child_exits() {
    let _output = half_written(&plan("a.out", 1000, false));
    faults::discard_outputs();
    std::process::exit(3);
}

#[test]
fn a_file_size_limit_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let finished = child("child_hits_the_file_size_limit", dir.path());
    assert!(finished.status.success(), "{}", stderr(&finished));
    assert!(names(dir.path()).is_empty());
}

#[test]
#[ignore = "run by another test"]
fn child_hits_the_file_size_limit() {
    let limit = libc::rlimit { rlim_cur: 4096, rlim_max: 4096 };
    // SAFETY: setrlimit reads one structure.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &limit) }, 0);
    let plan = plan("a.out", 100_000, false);
    let Error(text) = Output::create(&plan).err().unwrap();
    assert_eq!(text, format!("cannot open output file {}: File too large", plan.path.display()));
}

#[test]
fn a_full_disk_is_an_error_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let Some(finished) = child_on_small_disk("child_fills_the_disk", dir.path()) else {
        return; // `/dev/full` in the other file stands in.
    };
    assert!(finished.status.success(), "{}", stderr(&finished));
}

#[test]
#[ignore = "run by another test"]
fn child_fills_the_disk() {
    fs::write(dir().join("lib.so"), "old").unwrap();
    let plan = plan("lib.so", 4 << 20, false);
    let output = Output::create(&plan).unwrap();
    let expected = format!("cannot write {}: No space left on device", plan.path.display());
    let results: Vec<_> =
        (0..4u64).map(|i| output.write_span(i << 20, 1 << 20, |span| span.fill(1))).collect();
    assert_eq!(results[3], Err(Error(expected.clone())));
    assert_eq!(output.commit(), Err(Error(expected)));
    assert_eq!(names(&dir()), ["lib.so"]);
    assert_eq!(fs::read(&plan.path).unwrap(), b"old");
}

#[test]
fn a_full_disk_under_a_mapped_output_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let Some(finished) = child_on_small_disk("child_fills_the_disk_mapped", dir.path()) else {
        return; // Nothing else makes a mapping fail this way.
    };
    let expected = format!(
        "skald: error: cannot write {}: No space left on device, or the file was truncated\n",
        dir.path().join("a.out").display()
    );
    assert_eq!(stderr(&finished), expected);
    assert_eq!(finished.status.code(), Some(1));
}

#[test]
#[ignore = "run by another test"]
fn child_fills_the_disk_mapped() {
    internal_error::install("skald");
    let output =
        Output::create(&OutputPlan { mmap: Some(true), ..plan("a.out", 4 << 20, false) }).unwrap();
    output.write_span(0, 4 << 20, |span| span.fill(1)).unwrap();
    unreachable!("4 MiB fit into 1 MiB");
}
