//! `cargo xtask distribute [--linker PATH]`: distributed ThinLTO on a remote-execution service.
//!
//! BuildGrid (from PyPI, with PostgreSQL) serves on this machine, and two workers execute. The same
//! program is linked with the plugin's own compilations, by the distributor here, by the service,
//! and by the service again from its cache. It is linked over connections with TLS too, while a
//! worker is killed at its work, without workers, and without the service. It always has the same
//! bytes, or there is an error and no program.

mod certificates;
mod service;
mod shapes;

use crate::Result;
use crate::tools::{is_installed, is_root};
use service::{Service, Worker};
use skald_testkit::suite::Counts;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use xtask::root;

/// Modules of the program.
const MODULES: usize = 24;
/// A slow compiler for workers, which leaves time to kill one.
const SLOW: &str = "#!/bin/sh\nsleep 1\nexec clang-19 \"$@\"\n";

/// Runs the task.
pub fn run(arguments: &[String]) -> Result<()> {
    let linker = match arguments {
        [] => root::program("skald", &["--release", "--package", "skald"])?,
        [option, path] if option == "--linker" => PathBuf::from(path),
        _ => return Err("distribute: expects --linker PATH, or nothing".to_owned()),
    };
    let counts = check(&linker)?;
    println!("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped);
    if counts.failed == 0 { Ok(()) } else { Err(format!("{} failed", counts.failed)) }
}

/// Runs all steps; skipped if the service cannot be installed.
pub fn check(linker: &Path) -> Result<Counts> {
    if let Some(missing) =
        ["clang-19", "python3", "openssl"].into_iter().find(|name| !is_installed(name))
    {
        println!("distribute: skipped: {missing} is not installed");
        return Ok(Counts { skipped: 1, ..Counts::default() });
    }
    let distributor = root::program("skald-distribute", &["--package", "skald-distribute"])?;
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    // The database has a user of its own.
    let all = fs::Permissions::from_mode(0o755);
    fs::set_permissions(directory.path(), all).map_err(|e| e.to_string())?;
    let mut service = match Service::start(directory.path()) {
        Ok(service) => service,
        Err(error) => {
            println!("distribute: skipped: no BuildGrid: {error}");
            return Ok(Counts { skipped: 1, ..Counts::default() });
        }
    };
    let program = Program::make(directory.path(), linker, &distributor, &service.address)?;
    let mut counts = Counts::default();
    let mut step = |name: &str, result: Result<()>| match result {
        Ok(()) => counts.passed += 1,
        Err(error) => {
            println!("FAIL distribute: {name}: {error}");
            counts.failed += 1;
        }
    };
    let mut workers = [service.worker("one")?, service.worker("two")?];
    step("here", program.compiled("--local", &[], "compiled here"));
    step("there", program.compiled("", &[], "compiled there"));
    step("from the cache", program.compiled("", &[], "cached"));
    step("without a cache", program.compiled("--no-cache", &[], "compiled there"));
    step("a compiler that fails", program.fails("", "-fno-such", "the compiler failed"));
    encrypted(&service, &program, &mut step);
    step("shapes", shapes::check(directory.path(), &distributor, &service.address));
    step("a worker is killed", program.loses_a_worker(&mut workers[0]));
    drop(workers);
    step("nobody works", program.compiled("--timeout=2", &["-O1"], "compiled here"));
    let arguments = "--timeout=2 --no-fallback --retries=0";
    step("nobody works, which is an error", program.fails(arguments, "-O1", "more than 2 seconds"));
    service.stop();
    step("no service", program.compiled("", &[], "compiled here"));
    let arguments = "--no-fallback";
    step("no service, which is an error", program.fails(arguments, "-O2", "cannot be reached"));
    step("a terminal", program.shows_progress());
    Ok(counts)
}

/// Connections with TLS: the service's certificate has to be signed by the given authority, and a
/// client's by the one that the service knows.
fn encrypted(service: &Service, program: &Program, step: &mut dyn FnMut(&str, Result<()>)) {
    let port = |address: &str| address.rsplit(':').next().unwrap_or_default().to_owned();
    let encrypted = format!("--remote=grpcs://localhost:{}", port(&service.encrypted));
    let mutual = format!("--remote=grpcs://localhost:{}", port(&service.mutual));
    let ca = format!("--tls-ca={}", service.file("ca.pem"));
    let client = format!(
        "--tls-cert={} --tls-key={}",
        service.file("client.pem"),
        service.file("client.key")
    );
    let strict = "--no-fallback";
    step("encrypted", program.compiled(&format!("{encrypted} {ca} {strict}"), &[], "cached"));
    let by_address = format!("--remote=grpcs://{} --tls-name=localhost", service.encrypted);
    step("another name", program.compiled(&format!("{by_address} {ca} {strict}"), &[], "cached"));
    let with_client = format!("{mutual} {ca} {client} {strict}");
    step("a client's certificate", program.compiled(&with_client, &[], "cached"));
    let refused = |options: String, message: &str| program.fails(&options, "-O2", message);
    let stranger = format!("--tls-ca={}", service.file("stranger.pem"));
    let unknown = refused(format!("{encrypted} {stranger} {strict}"), "invalid peer certificate");
    step("an unknown authority", unknown);
    step("the system's authorities", refused(format!("{encrypted} {strict}"), "certificate"));
    step("no client's certificate", refused(format!("{mutual} {ca} {strict}"), "ertificate"));
    let wrong_name = format!("--remote=grpcs://{} {ca} {strict}", service.encrypted);
    step("a wrong name", refused(wrong_name, "not valid for name"));
    step("no file", refused(format!("{encrypted} --tls-ca=/nowhere {strict}"), "/nowhere"));
    let plain = format!("--remote=grpcs://{} {ca} {strict}", service.address);
    step("a service without TLS", refused(plain, "cannot be reached"));
}

/// A program of many modules, some in an archive and in directories.
struct Program {
    directory: PathBuf,
    distributor: PathBuf,
    address: String,
}

/// Runs a command; an error with its messages unless it succeeds.
fn succeed(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().map_err(|e| format!("{command:?}: {e}"))?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        Ok(messages)
    } else {
        Err(format!("{command:?}: {}\n{messages}", output.status))
    }
}

impl Program {
    fn make(below: &Path, linker: &Path, distributor: &Path, address: &str) -> Result<Program> {
        let directory = below.join("program");
        let failed = |error: std::io::Error| error.to_string();
        fs::create_dir_all(directory.join("bin")).map_err(failed)?;
        fs::create_dir_all(directory.join("a b/\u{e9}")).map_err(failed)?;
        std::os::unix::fs::symlink(linker, directory.join("bin/ld")).map_err(failed)?;
        fs::write(directory.join("slow-clang"), SLOW).map_err(failed)?;
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(directory.join("slow-clang"), executable).map_err(failed)?;
        let mut main = String::new();
        for at in 0..MODULES {
            let next = (at + 1) % MODULES;
            let text = format!(
                "int f{next}(int, int); static int own(int x) {{ return x * {at} + 1; }}\n\
                 int f{at}(int x, int n) {{ return n ? f{next}(own(x) ^ n, n - 1) : x; }}\n"
            );
            fs::write(directory.join(format!("f{at}.c")), text).map_err(failed)?;
        }
        main += "int f0(int, int); int main(void) { return f0(1, 100) & 127; }\n";
        fs::write(directory.join("main.c"), main).map_err(failed)?;
        let program =
            Program { directory, distributor: distributor.to_owned(), address: address.to_owned() };
        for (name, object) in program.modules() {
            let mut compile = Command::new("clang-19");
            compile.args(["-O2", "-flto=thin", "-fPIE", "-c", &name, "-o", &object]);
            succeed(compile.current_dir(&program.directory))?;
        }
        let mut archive = Command::new("llvm-ar-19");
        archive.args(["rc", "lib.a", "f0.o", "f1.o", "f2.o"]);
        succeed(archive.current_dir(&program.directory))?;
        Ok(program)
    }

    /// Source and object of each module.
    fn modules(&self) -> Vec<(String, String)> {
        let object = |at: usize| match at {
            3 => "a b/f3.o".to_owned(),
            4 => "a b/\u{e9}/f4.o".to_owned(),
            _ => format!("f{at}.o"),
        };
        let all = (0..MODULES).map(|at| (format!("f{at}.c"), object(at)));
        all.chain([("main.c".to_owned(), "main.o".to_owned())]).collect()
    }

    /// The link, with arguments for the compilers of modules.
    fn link(&self, output: &str, compiler: &[&str]) -> Command {
        let mut link = Command::new("clang-19");
        link.current_dir(&self.directory);
        link.args(["-flto=thin", "-O2", "-pie", "--ld-path=bin/ld", "-o", output]);
        let objects = self.modules().into_iter().map(|(_, object)| object);
        link.args(objects.filter(|object| !["f0.o", "f1.o", "f2.o"].contains(&&**object)));
        link.args(["lib.a"]);
        for argument in compiler {
            // The plugin needs the same optimisation level as the compilers.
            let level =
                argument.strip_prefix("-O").map(|level| format!("-Wl,-plugin-opt=O{level}"));
            link.arg(
                level.unwrap_or_else(|| format!("-Wl,--thinlto-remote-compiler-arg={argument}")),
            );
        }
        link
    }

    fn distributed(&self, output: &str, options: &str, compiler: &[&str]) -> Command {
        let mut link = self.link(output, compiler);
        link.arg(format!("-Wl,--thinlto-distributor={}", self.distributor.display()));
        let remote = format!("--remote=grpc://{}", self.address);
        let options = [&*remote, "--verbose"].into_iter().chain(options.split_whitespace());
        link.args(options.map(|option| format!("-Wl,--thinlto-distributor-arg={option}")));
        link
    }

    /// A link has the bytes of one that the plugin compiles for, and each module was compiled, or
    /// not, as `how` says.
    fn compiled(&self, options: &str, compiler: &[&str], how: &str) -> Result<()> {
        let messages = succeed(&mut self.distributed("out", options, compiler))?;
        let count = messages.matches(how).count();
        if count != MODULES + 1 {
            return Err(format!("{count} modules are '{how}', not all\n{messages}"));
        }
        self.is_as_of_the_plugin(compiler)
    }

    fn is_as_of_the_plugin(&self, compiler: &[&str]) -> Result<()> {
        succeed(&mut self.link("own", compiler))?;
        let bytes = |name: &str| fs::read(self.directory.join(name)).map_err(|e| e.to_string());
        if bytes("out")? != bytes("own")? {
            return Err("the program is not that which the plugin compiles".to_owned());
        }
        let is_left = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().contains(".lto-");
        let entries = fs::read_dir(&self.directory).map_err(|e| e.to_string())?;
        let left = entries.flatten().find(is_left);
        left.map_or(Ok(()), |left| Err(format!("{} is left", left.path().display())))
    }

    /// A link fails with a message, and there is no program.
    fn fails(&self, options: &str, compiler: &str, message: &str) -> Result<()> {
        let _ = fs::remove_file(self.directory.join("out"));
        match succeed(&mut self.distributed("out", options, &[compiler])) {
            Ok(_) => Err("it links".to_owned()),
            Err(_) if self.directory.join("out").exists() => Err("there is a program".to_owned()),
            Err(text) if text.contains(message) => Ok(()),
            Err(text) => Err(format!("it does not say '{message}': {text}")),
        }
    }

    /// A worker is killed in the middle of a compilation, which another worker then repeats.
    fn loses_a_worker(&self, worker: &mut Worker) -> Result<()> {
        let before = worker.works();
        let mut link = self.distributed("out", "", &["-O3"]);
        let slow = self.directory.join("slow-clang");
        link.arg(format!("-Wl,--thinlto-remote-compiler={}", slow.display()));
        link.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let link = link.spawn().map_err(|e| e.to_string())?;
        let start = Instant::now();
        while worker.works() == before {
            if start.elapsed() > Duration::from_secs(60) {
                return Err("the worker gets no work".to_owned());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        worker.kill();
        let output = link.wait_with_output().map_err(|e| e.to_string())?;
        let messages = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            return Err(format!("{}\n{messages}", output.status));
        }
        self.is_as_of_the_plugin(&["-O3"])
    }

    /// The line that counts jobs is shown if it is requested, and only then.
    fn shows_progress(&self) -> Result<()> {
        let line = "[25/25] 0 cached, 0 there, 25 here";
        let shown = succeed(&mut self.distributed("out", "--local --progress=always", &[]))?;
        let silent = succeed(&mut self.distributed("out", "--local", &[]))?;
        match (shown.contains(line), silent.contains(line)) {
            (true, false) => Ok(()),
            _ => Err(format!("{shown}\n{silent}")),
        }
    }
}

/// Runs a command as an unprivileged user: the database refuses to run as root.
fn unprivileged(program: &Path) -> Command {
    if is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    }
}
