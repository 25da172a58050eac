//! `skald -run COMMAND`: tests which linkers are replaced, and that the command is otherwise not
//! affected.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SKALD: &str = env!("CARGO_BIN_EXE_skald");

fn run(words: &[&str]) -> Output {
    Command::new(SKALD).arg("-run").args(words).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("skald-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Directory(path)
    }

    fn write(&self, name: &str, text: &str, mode: u32) -> String {
        use std::os::unix::fs::PermissionsExt;
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A C program that executes a given linker by `vfork`.
const DRIVER: &str = "
    #include <sys/wait.h>
    #include <unistd.h>
    int main(int argc, char **argv) {
      int status = 0, child = vfork();
      if (child == 0) { execv(argv[1], argv + 1); _exit(99); }
      waitpid(child, &status, 0);
      return WEXITSTATUS(status);
    }";

#[test]
fn a_static_driver_gets_skald_by_an_absolute_path() {
    let dir = Directory::new("run-static");
    let source = dir.write("driver.c", DRIVER, 0o644);
    let driver = dir.0.join("driver");
    let built = Command::new("gcc").args(["-static", "-o"]).arg(&driver).arg(&source).status();
    assert!(built.unwrap().success());
    for linker in ["/usr/bin/ld", "/usr/bin/ld.bfd"].iter().filter(|path| Path::new(path).exists())
    {
        let output = run(&[driver.to_str().unwrap(), linker, "--version"]);
        assert!(stdout(&output).contains("skald"), "{output:?}");
        assert_eq!(output.status.code(), Some(0));
    }
    let output = run(&[driver.to_str().unwrap(), "/usr/bin/ld", "--no-such-option"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn names_of_linkers_are_replaced_wherever_they_are() {
    let dir = Directory::new("run-names");
    for name in ["ld", "ld.lld", "ld.gold"] {
        let linker = dir.write(name, "", 0o755);
        assert!(stdout(&run(&[&linker, "--version"])).contains("skald"), "{name}");
        let inner = run(&["sh", "-c", &format!("{linker} --version")]);
        assert!(stdout(&inner).contains("skald"), "{name}");
    }
    let other = dir.write("foo.ld", "#!/bin/sh\necho other\n", 0o755);
    assert_eq!(stdout(&run(&[&other, "--version"])), "other\n");
    let wrapper = dir.write("ld.bfd", "#!/bin/sh\necho wrapper; exec ld \"$@\"\n", 0o755);
    let text = stdout(&run(&[&wrapper, "--version"]));
    assert!(text.starts_with("wrapper\n") && text.contains("skald"), "{text}");
}

#[test]
fn links_for_other_machines_are_left_alone() {
    let theirs = Command::new("ld").args(["-m", "elf_iamcu", "-v"]).output().unwrap();
    let output = run(&["ld", "-m", "elf_iamcu", "-v"]);
    assert_eq!(stdout(&output), stdout(&theirs));
}

#[test]
fn compilers_link_with_skald() {
    let dir = Directory::new("run-compilers");
    let source = dir.write("a.c", "int main(void) { return 0; }\n", 0o644);
    let output = dir.0.join("a");
    // `-v` prints skald's version and ends the link, in a process that the driver starts, perhaps
    // by way of collect2.
    for compiler in ["gcc", "clang-19"] {
        let words = [compiler, &source, "-Wl,-v", "-o", output.to_str().unwrap()];
        let linked = run(&words);
        assert!(linked.status.success());
        assert!(stdout(&linked).contains("skald"), "{compiler}");
    }
    // rustc may bring a linker of its own.
    let program = dir.write("b.rs", "fn main() {}\n", 0o644);
    let words = ["rustc", "-Clink-arg=-Wl,--enable-linker-version", &program, "-o"];
    let linked = run(&[&words[..], &[output.to_str().unwrap()]].concat());
    assert!(linked.status.success(), "{linked:?}");
    let program = std::fs::read(&output).unwrap();
    assert!(program.windows(14).any(|bytes| bytes == b"Linker: skald "));
    let rule = format!("a:\n\t@gcc {source} -Wl,-v -o {}\n", output.display());
    let makefile = dir.write("Makefile", &rule, 0o644);
    assert!(stdout(&run(&["make", "-f", &makefile])).contains("skald"));
}

#[test]
fn the_status_is_that_of_the_command() {
    assert_eq!(run(&["sh", "-c", "exit 7"]).status.code(), Some(7));
    assert_eq!(run(&["sh", "-c", "kill -TERM $$"]).status.signal(), Some(15));
    assert_eq!(run(&["sh", "-c", "kill -SEGV $$"]).status.signal(), Some(11));
    assert_eq!(run(&["/no/such/command"]).status.code(), Some(127));
    assert_eq!(run(&["/etc/passwd"]).status.code(), Some(126));
    assert_eq!(run(&[]).status.code(), Some(1));
}

#[test]
fn signals_reach_the_command() {
    let script = "trap 'exit 9' USR1; echo ready; while :; do sleep 0.01; done";
    let mut child = Command::new(SKALD)
        .args(["-run", "sh", "-c", script])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut ready = [0; 6];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
    let sent = Command::new("kill").args(["-USR1", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(9));
}

#[test]
fn what_a_command_leaves_running_goes_on() {
    let dir = Directory::new("run-left");
    let file = dir.0.join("done");
    let script =
        format!("(sleep 0.2; ls / >/dev/null && touch {}) >/dev/null 2>&1 &", file.display());
    assert_eq!(run(&["sh", "-c", &script]).status.code(), Some(0));
    let is_done = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        file.exists()
    });
    assert!(is_done);
}

#[test]
fn builds_are_told_of_skald() {
    let skald = std::fs::canonicalize(SKALD).unwrap();
    let expected = format!("SKALD_PATH={}\n", skald.display());
    assert!(stdout(&run(&["env"])).contains(&expected));
    let inner = run(&[SKALD, "-run", "/usr/bin/ld", "--version"]);
    assert!(stdout(&inner).contains("skald"));
    assert_eq!(String::from_utf8(inner.stderr).unwrap(), "");
}

/// An outer listener simulates a system that refuses one.
#[test]
fn without_a_watcher_names_are_replaced_still() {
    let words = ["env", "-u", "SKALD_PATH", SKALD, "-run", "sh", "-c"];
    let all = |script| run(&[&words[..], &[script]].concat());
    let output = all("ld --version; gcc -print-prog-name=ld");
    assert!(stdout(&output).contains("skald"));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("linkers called by an absolute path are not replaced"), "{stderr}");
    let theirs = Command::new("ld").args(["-m", "elf_iamcu", "-v"]).output().unwrap();
    assert_eq!(stdout(&all("ld -m elf_iamcu -v")), stdout(&theirs));
}
