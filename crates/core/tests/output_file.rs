//! Which file an output ends up in: every branch of the policy in
//! `host/linux/output/destination.rs`.

use std::fs::{self, File, Permissions};
use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard};

use rayon::prelude::*;
use skald_core::diag::Error;
use skald_core::input;
use skald_core::output::{Output, OutputPlan};
use skald_host::output::permission_bits;

/// One test at a time: a child that another test forks holds our descriptors for a moment, and a
/// file that somebody holds is not overwritten.
fn serial() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(|e| e.into_inner())
}

fn plan(path: &Path, size: usize) -> OutputPlan {
    OutputPlan {
        path: path.to_owned(),
        size: size as u64,
        mode: permission_bits(true),
        is_executable_kind: true,
        atomic: false,
        mmap: None,
    }
}

fn library(path: &Path, size: usize) -> OutputPlan {
    OutputPlan { is_executable_kind: false, ..plan(path, size) }
}

/// What every test writes: no byte is 0 and no two 4 KiB pages are equal.
fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251 + i / 4096 % 5) as u8 + 1).collect()
}

const SPAN: usize = 10_000;

/// Writes the pattern in spans, last one first and from several threads, and returns the output
/// before it is committed.
fn written(plan: &OutputPlan) -> Output {
    let bytes = pattern(plan.size as usize);
    let output = Output::create(plan).unwrap();
    bytes.par_chunks(SPAN).enumerate().rev().for_each(|(i, chunk)| {
        let fill = |span: &mut [u8]| span.copy_from_slice(chunk);
        output.write_span((i * SPAN) as u64, chunk.len(), fill).unwrap();
    });
    output
}

fn link(plan: &OutputPlan) {
    written(plan).commit().unwrap();
    assert_eq!(fs::read(&plan.path).unwrap(), pattern(plan.size as usize));
}

fn inode(path: &Path) -> u64 {
    fs::symlink_metadata(path).unwrap().ino()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A directory where an old output may be overwritten: on tmpfs if there is one, since what a
/// container has as its root (overlayfs) cannot tell whether a file is mapped.
fn temporary_dir() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

fn dir_with(name: &str, content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let dir = temporary_dir();
    let path = dir.path().join(name);
    fs::write(&path, content).unwrap();
    (dir, path)
}

/// Runs `test` without root's right to do anything, if that is who runs the tests.
fn unprivileged(dir: &Path, test: impl FnOnce() + Send) {
    if !rustix::process::geteuid().is_root() {
        return test();
    }
    for path in [dir.to_owned()].into_iter().chain(names(dir).iter().map(|name| dir.join(name))) {
        std::os::unix::fs::lchown(&path, Some(65534), Some(65534)).unwrap();
    }
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // SAFETY: the bare system call changes the ids of this thread alone, which ends here.
            assert_eq!(unsafe { libc::syscall(libc::SYS_setresuid, 65534, 65534, 65534) }, 0);
            test();
        });
    });
}

#[test]
fn a_new_output_has_no_name_until_it_is_whole() {
    let _serial = serial();
    for mmap in [None, Some(false), Some(true)] {
        let dir = temporary_dir();
        let path = dir.path().join("a.out");
        let plan = OutputPlan { mmap, ..plan(&path, 123_457) };
        let output = written(&plan);
        assert!(!path.exists());
        assert_eq!(names(dir.path()).len(), 1, "the temporary file");
        output.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), pattern(123_457));
        assert_eq!(names(dir.path()), ["a.out"]);
        assert_eq!(mode(&path), permission_bits(true));
    }
}

#[test]
fn an_output_that_is_not_committed_leaves_nothing() {
    let _serial = serial();
    let dir = temporary_dir();
    drop(written(&plan(&dir.path().join("a.out"), 50_000)));
    assert!(names(dir.path()).is_empty());
}

#[test]
fn an_empty_output_is_a_file() {
    let _serial = serial();
    for mmap in [Some(false), Some(true)] {
        let (dir, path) = dir_with("a.out", b"old");
        let plan = OutputPlan { mmap, ..plan(&path, 0) };
        Output::create(&plan).unwrap().commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"");
        assert_eq!(names(dir.path()), ["a.out"]);
    }
}

#[test]
fn an_old_executable_is_overwritten_under_another_name() {
    let _serial = serial();
    for (mmap, old_len) in [(None, 90_000), (None, 10), (Some(true), 90_000), (Some(true), 10)] {
        let (dir, path) = dir_with("a.out", &vec![0xEE; old_len]);
        fs::set_permissions(&path, Permissions::from_mode(0o4700)).unwrap();
        let old = inode(&path);
        let output = written(&OutputPlan { mmap, ..plan(&path, 33_333) });
        assert!(!path.exists(), "half-written under its final name");
        output.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), pattern(33_333));
        assert_eq!(inode(&path), old);
        assert_eq!(mode(&path), permission_bits(true));
        assert_eq!(names(dir.path()), ["a.out"]);

        drop(written(&plan(&path, 33_333)));
        assert!(names(dir.path()).is_empty(), "a half-written executable is gone");
    }
}

#[test]
fn libraries_and_atomic_outputs_get_a_new_file() {
    let _serial = serial();
    let (dir, path) = dir_with("lib.so", b"old");
    for plan in [library(&path, 20_000), OutputPlan { atomic: true, ..plan(&path, 20_000) }] {
        fs::write(&path, b"old").unwrap();
        let old = File::open(&path).unwrap();
        let output = written(&plan);
        assert_eq!(fs::read(&path).unwrap(), b"old", "kept until the new one is whole");
        output.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), pattern(20_000));
        assert_ne!(inode(&path), old.metadata().unwrap().ino());

        fs::write(&path, b"old").unwrap();
        drop(written(&plan));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(dir.path()), ["lib.so"]);
    }
}

#[test]
fn other_hard_links_keep_the_old_file() {
    let _serial = serial();
    let (dir, path) = dir_with("a.out", b"old");
    let other = dir.path().join("other");
    fs::hard_link(&path, &other).unwrap();
    link(&plan(&path, 20_000));
    assert_eq!(fs::read(&other).unwrap(), b"old");
}

#[test]
fn a_symbolic_link_is_replaced_and_its_target_kept() {
    let _serial = serial();
    let (dir, target) = dir_with("target", b"old");
    for target in [target.clone(), dir.path().join("missing")] {
        let path = dir.path().join("a.out");
        let _ = fs::remove_file(&path);
        symlink(&target, &path).unwrap();
        link(&plan(&path, 20_000));
        assert!(fs::symlink_metadata(&path).unwrap().is_file());
    }
    assert_eq!(fs::read(&target).unwrap(), b"old");
    assert_eq!(names(dir.path()), ["a.out", "target"]);
}

#[test]
fn a_running_program_is_not_touched() {
    let _serial = serial();
    let dir = temporary_dir();
    let path = dir.path().join("sleep");
    fs::copy("/bin/sleep", &path).unwrap();
    let old = File::open(&path).unwrap().metadata().unwrap();
    let mut child = Command::new(&path).arg("60").spawn().unwrap();
    let running = PathBuf::from(format!("/proc/{}/exe", child.id()));
    link(&plan(&path, 20_000));
    let kept = fs::read(&running).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(kept, fs::read("/bin/sleep").unwrap());
    assert_ne!(inode(&path), old.ino());
}

#[test]
fn an_executable_that_is_open_or_mapped_is_not_touched() {
    let _serial = serial();
    let (_dir, path) = dir_with("a.out", &pattern(50_000));
    let mapped = input::open(&path).unwrap();
    link(&plan(&path, 20_000));
    assert_eq!(mapped.data, pattern(50_000));

    let mut open = File::open(&path).unwrap();
    let old = inode(&path);
    link(&plan(&path, 30_000));
    assert_ne!(inode(&path), old);
    let mut kept = Vec::new();
    open.read_to_end(&mut kept).unwrap();
    assert_eq!(kept, pattern(20_000));
}

#[test]
fn a_file_that_may_not_be_written_is_replaced() {
    let _serial = serial();
    let (dir, path) = dir_with("a.out", b"old");
    fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    let old = File::open(&path).unwrap();
    unprivileged(dir.path(), || link(&plan(&path, 20_000)));
    assert_ne!(inode(&path), old.metadata().unwrap().ino());
    assert_eq!(mode(&path), permission_bits(true));
}

#[test]
fn a_file_of_another_user_is_replaced() {
    let _serial = serial();
    if !rustix::process::geteuid().is_root() {
        return; // Only root can make one.
    }
    let (_dir, path) = dir_with("a.out", b"old");
    std::os::unix::fs::chown(&path, Some(65534), Some(65534)).unwrap();
    link(&plan(&path, 20_000));
    assert_eq!(fs::metadata(&path).unwrap().uid(), 0);
}

#[test]
fn in_a_directory_that_takes_no_file_the_old_one_is_overwritten() {
    let _serial = serial();
    let (dir, path) = dir_with("a.out", &[0xEE; 90_000]);
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    let old = inode(&path);
    unprivileged(dir.path(), || {
        fs::set_permissions(dir.path(), Permissions::from_mode(0o555)).unwrap();
        for mmap in [None, Some(true)] {
            let plan = OutputPlan { mmap, ..plan(&path, 33_333) };
            let output = written(&plan);
            let half = fs::read(&path).unwrap();
            assert_eq!(half[..64], [0; 64], "looks like an output although it is not whole");
            output.commit().unwrap();
            assert_eq!(fs::read(&path).unwrap(), pattern(33_333));
            assert_eq!(inode(&path), old);
            assert_eq!(mode(&path), 0o600 | permission_bits(true) & 0o111);

            drop(written(&plan));
            assert_eq!(fs::read(&path).unwrap(), b"", "not committed");
        }
        let mut output = written(&plan(&path, 33_333));
        output.write_at(60, &[7; 10]).unwrap();
        output.commit().unwrap();
        let mut patched = pattern(33_333);
        patched[60..70].fill(7);
        assert_eq!(fs::read(&path).unwrap(), patched);

        let atomic = OutputPlan { atomic: true, ..plan(&path, 1) };
        let Error(text) = Output::create(&atomic).err().unwrap();
        assert_eq!(text, format!("cannot open output file {}: Permission denied", path.display()));
        assert_eq!(fs::read(&path).unwrap(), patched);

        let new = dir.path().join("new");
        let Error(text) = Output::create(&plan(&new, 1)).err().unwrap();
        assert_eq!(text, format!("cannot open output file {}: Permission denied", new.display()));
        fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
    });
    assert_eq!(names(dir.path()), ["a.out"]);
}

#[test]
fn names_of_the_greatest_length_work() {
    let _serial = serial();
    let dir = temporary_dir();
    let path = dir.path().join("é".repeat(127));
    link(&plan(&path, 100));
    link(&plan(&path, 200));
    assert_eq!(names(dir.path()).len(), 1);
}

#[test]
fn what_cannot_be_an_output_is_an_error() {
    let _serial = serial();
    // On tmpfs no file can be too large.
    let dir = tempfile::tempdir().unwrap();
    let cases = [
        (dir.path().to_owned(), "Is a directory"),
        (dir.path().join("new/"), "Is a directory"),
        (dir.path().join("no/a.out"), "No such file or directory"),
        (PathBuf::new(), "No such file or directory"),
    ];
    for (path, reason) in cases {
        let Error(text) = Output::create(&plan(&path, 10)).err().unwrap();
        assert_eq!(text, format!("cannot open output file {}: {reason}", path.display()));
    }
    let huge = OutputPlan { size: u64::MAX / 2, ..plan(&dir.path().join("a.out"), 0) };
    let Error(text) = Output::create(&huge).err().unwrap();
    assert!(text.ends_with("a.out: File too large"), "{text}");
    assert!(names(dir.path()).is_empty());
}

#[test]
fn patches_change_written_bytes() {
    let _serial = serial();
    let dir = temporary_dir();
    for (name, mmap) in [("buffered", Some(false)), ("mapped", Some(true))] {
        let path = dir.path().join(name);
        let mut output = written(&OutputPlan { mmap, ..plan(&path, 20_000) });
        output.write_at(9_990, &[7; 20]).unwrap();
        output.commit().unwrap();
        let mut patched = pattern(20_000);
        patched[9_990..10_010].fill(7);
        assert_eq!(fs::read(&path).unwrap(), patched);
    }
}

#[test]
#[should_panic(expected = "no span wrote the output at 0x64")]
fn a_gap_is_a_bug_of_the_caller() {
    let dir = temporary_dir();
    let output = Output::create(&plan(&dir.path().join("a.out"), 200)).unwrap();
    output.write_span(0, 100, |span| span.fill(1)).unwrap();
    let _ = output.commit();
}

#[test]
fn spans_may_be_written_while_a_span_is_built() {
    let _serial = serial();
    let dir = temporary_dir();
    let path = dir.path().join("a.out");
    let output = Output::create(&plan(&path, 200)).unwrap();
    let outer = |span: &mut [u8]| {
        span.fill(1);
        output.write_span(100, 100, |inner| inner.fill(2)).unwrap();
    };
    output.write_span(0, 100, outer).unwrap();
    output.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), [[1; 100], [2; 100]].concat());
}

/// Root must be able to link to the null device and still have one. A copy of the device is tried
/// first, so that a mistake shows before it reaches the machine's own.
#[test]
fn the_null_device_stays_a_device() {
    let _serial = serial();
    let dir = temporary_dir();
    let copy = dir.path().join("null");
    let made = rustix::fs::mknodat(
        rustix::fs::CWD,
        &copy,
        rustix::fs::FileType::CharacterDevice,
        rustix::fs::Mode::from_raw_mode(0o666),
        rustix::fs::makedev(1, 3),
    );
    let indirect = dir.path().join("link");
    symlink("/dev/null", &indirect).unwrap();
    let mut paths = vec![PathBuf::from("/dev/null"), indirect];
    // Without the right to make or open devices here, only the real one is left.
    if made.is_ok() && fs::OpenOptions::new().write(true).open(&copy).is_ok() {
        paths.insert(0, copy);
    }
    for path in paths {
        for make in [plan, library] {
            let before = fs::metadata(&path).unwrap();
            drop(written(&make(&path, 20_000)));
            let output = written(&OutputPlan { atomic: true, ..make(&path, 20_000) });
            output.commit().unwrap();
            written(&make(&path, 20_000)).commit().unwrap();
            let after = fs::metadata(&path).unwrap();
            assert!(after.file_type().is_char_device());
            assert_eq!(
                (after.ino(), after.rdev(), after.mode()),
                (before.ino(), before.rdev(), before.mode())
            );
        }
    }
    assert!(fs::symlink_metadata(dir.path().join("link")).unwrap().is_symlink());
}

#[test]
fn a_fifo_gets_the_bytes_in_order_and_stays() {
    let _serial = serial();
    let dir = temporary_dir();
    let path = dir.path().join("fifo");
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).unwrap();
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| fs::read(&path).unwrap());
        let mut output = written(&plan(&path, 300_000));
        output.write_at(10, &[7; 10]).unwrap();
        output.commit().unwrap();
        let mut patched = pattern(300_000);
        patched[10..20].fill(7);
        assert_eq!(reader.join().unwrap(), patched);
    });
    assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
    assert_eq!(names(dir.path()), ["fifo"]);
}

#[test]
fn a_reader_that_goes_away_is_an_error() {
    let _serial = serial();
    let dir = temporary_dir();
    let path = dir.path().join("fifo");
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).unwrap();
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| drop(File::open(&path).unwrap()));
        let output = written(&plan(&path, 300_000));
        reader.join().unwrap();
        let Error(text) = output.commit().unwrap_err();
        assert_eq!(text, format!("cannot write {}: Broken pipe", path.display()));
    });
}

#[test]
fn a_full_device_is_an_error() {
    let _serial = serial();
    let before = fs::metadata("/dev/full").unwrap().ino();
    let output = written(&plan(Path::new("/dev/full"), 20_000));
    let Error(text) = output.commit().unwrap_err();
    assert_eq!(text, "cannot write /dev/full: No space left on device");
    assert_eq!(fs::metadata("/dev/full").unwrap().ino(), before);
}

#[test]
fn own_descriptors_are_written_where_they_stand() {
    let _serial = serial();
    let (dir, path) = dir_with("log", b"");
    let mut file = File::create(&path).unwrap();
    std::io::Write::write_all(&mut file, b"header").unwrap();
    let descriptor = file.as_raw_fd();
    for name in [format!("/dev/fd/{descriptor}"), format!("/proc/self/fd/{descriptor}")] {
        written(&plan(Path::new(&name), 20_000)).commit().unwrap();
    }
    let indirect = dir.path().join("link");
    symlink(format!("/dev/fd/{descriptor}"), &indirect).unwrap();
    written(&library(&indirect, 100)).commit().unwrap();
    assert!(fs::symlink_metadata(&indirect).unwrap().is_symlink(), "as /dev/stdout is one");
    let expected = [b"header".to_vec(), pattern(20_000), pattern(20_000), pattern(100)].concat();
    assert_eq!(fs::read(&path).unwrap(), expected);
    assert_eq!(names(dir.path()), ["link", "log"]);

    let Error(text) = Output::create(&plan(Path::new("/dev/fd/987654"), 1)).err().unwrap();
    assert_eq!(text, "cannot open output file /dev/fd/987654: Bad file descriptor");
}

#[test]
fn a_pipe_that_does_not_block_gets_everything() {
    let _serial = serial();
    let mut ends = [0; 2];
    // SAFETY: pipe2 fills two descriptors, which are owned by what is made of them.
    let (mut reader, writer) = unsafe {
        assert_eq!(libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC), 0);
        (File::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1]))
    };
    rustix::fs::fcntl_setfl(&writer, rustix::fs::OFlags::NONBLOCK).unwrap();
    let output = written(&plan(Path::new(&format!("/dev/fd/{}", writer.as_raw_fd())), 300_000));
    drop(writer);
    let thread = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        std::thread::sleep(std::time::Duration::from_millis(20));
        reader.read_to_end(&mut bytes).map(|_| bytes)
    });
    output.commit().unwrap();
    assert_eq!(thread.join().unwrap().unwrap(), pattern(300_000));
}
