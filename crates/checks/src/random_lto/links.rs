//! Compiling a program, linking it with skald and with GNU ld, and running both.

use super::difference;
use super::program::{Form, Module, Program};
use super::source;
use crate::Result;
use crate::random::{self, Outcome};
use skald_testkit::machine::Machine;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A directory in which the compiler driver finds skald.
pub struct Linkers {
    skald: PathBuf,
    /// The machine that programs are made for.
    machine: &'static Machine,
    /// Whether Clang and LLVM's plugin are installed.
    pub has_clang: bool,
}

impl Linkers {
    /// Makes the directory below `work`.
    pub fn new(work: &Path, linker: &Path, machine: &'static Machine) -> Result<Linkers> {
        let skald = work.join("with-skald");
        let told = |e: std::io::Error| format!("{}: {e}", skald.display());
        fs::create_dir_all(&skald).map_err(told)?;
        let link = skald.join("ld");
        if link.is_symlink() {
            fs::remove_file(&link).map_err(told)?;
        }
        std::os::unix::fs::symlink(linker, &link).map_err(told)?;
        let clang = Command::new("clang++-19").arg("--version").stdout(Stdio::null()).status();
        // Clang has no headers of x32.
        let has_clang = clang.is_ok_and(|status| status.success()) && machine.word != "x32";
        Ok(Linkers { skald, machine, has_clang })
    }
}

/// How a program ends that lacks a symbol at run time: GNU ld loses symbols that `--wrap` renames
/// or that only a library refers to.
const NO_LOAD: &str = "exit status: 127";

/// The result of a link.
pub struct Made {
    /// How the program ended and what it printed, or why nothing runs it here.
    pub printed: String,
    /// The resolutions that the plugin was given, in all links.
    pub told: String,
    /// The commands.
    pub text: String,
    /// The output files.
    pub outputs: Vec<String>,
}

/// Links and runs `program` in `directory`.
pub fn compare(linkers: &Linkers, program: &Program, directory: &Path) -> Result<Outcome> {
    let told = |e: std::io::Error| format!("{}: {e}", directory.display());
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(told)?;
    }
    fs::create_dir_all(directory).map_err(told)?;
    compile(linkers.machine, program, directory)?;
    let Ok(theirs) = link_and_run(linkers.machine, "-fuse-ld=bfd", program, directory, "gnu")?
    else {
        return Ok(Outcome::NotComparable);
    };
    let ours = format!("-B{}", linkers.skald.display());
    let ours = match link_and_run(linkers.machine, &ours, program, directory, "skald")? {
        Ok(ours) => ours,
        Err(message) => return Ok(Outcome::Different(message)),
    };
    let made = ours.outputs.iter().map(|output| &output[..]);
    if let Some(finding) = random::lint(&directory.join("skald"), made)? {
        return Ok(Outcome::Different(finding));
    }
    if theirs.printed.starts_with(NO_LOAD) {
        return Ok(Outcome::NotComparable);
    }
    let difference = difference::find(linkers.machine, program, directory, &ours, &theirs)?;
    Ok(difference.map_or(Outcome::Same, Outcome::Different))
}

fn compile(machine: &Machine, program: &Program, directory: &Path) -> Result<()> {
    for (at, text) in source::sources(program).iter().enumerate() {
        let unit = program.units[at];
        let (compiler, name) = match (program.is_clang, unit.is_cpp) {
            (true, true) => ("clang++-19", format!("{at}.cc")),
            (true, false) => ("clang-19", format!("{at}.c")),
            (false, true) => ("g++", format!("{at}.cc")),
            (false, false) => ("gcc", format!("{at}.c")),
        };
        let path = directory.join(&name);
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        let form: &[&str] = match unit.form {
            Form::Slim if program.is_clang => &["-flto"],
            Form::Slim => &["-flto", "-fno-fat-lto-objects"],
            Form::Fat => &["-flto", "-ffat-lto-objects"],
            Form::Code => &[],
        };
        let mut command = machine.tool(compiler);
        if program.is_clang {
            command.args(machine.clang_options());
        }
        command.args(["-O1", "-w", "-fPIC", "-ffunction-sections", "-c"]);
        if !unit.is_cpp {
            command.arg("-fcommon");
        }
        command.args(form).arg(&name).args(["-o", &format!("{at}.o")]);
        call(directory, &mut command)?.map_err(|m| format!("{}: {m}", path.display()))?;
    }
    for (name, text) in [
        ("all.map", "{ *; };\n"),
        ("some.map", "V1 { global: s*; run_*; local: *; };\n"),
        ("some.list", "{ s1; s2; s3; };\n"),
    ] {
        let path = directory.join(name);
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    let members: Vec<String> = program.units_of(Module::Archive).map(object).collect();
    if !members.is_empty() {
        let archiver = if program.is_clang { "llvm-ar-19" } else { "gcc-ar" };
        let mut archiver = machine.tool(archiver);
        let kind = if program.has_thin_archive { "rcT" } else { "rc" };
        archiver.args([kind, "members.a"]).args(members);
        call(directory, &mut archiver)?.map_err(|message| format!("the archive: {message}"))?;
    }
    Ok(())
}

fn object(unit: usize) -> String {
    format!("{unit}.o")
}

/// What the program prints, or why there is no program.
fn link_and_run(
    machine: &Machine,
    linker: &str,
    program: &Program,
    directory: &Path,
    name: &str,
) -> Result<std::result::Result<Made, String>> {
    // Both linkers use the same file names, because the plugin is told these.
    let kept = directory.join(name);
    fs::create_dir_all(&kept).map_err(|e| format!("{}: {e}", kept.display()))?;
    let mut outputs = Vec::new();
    let mut told = String::new();
    let commands = commands(machine, linker, program);
    let text: String = commands.iter().map(|(_, command)| format!("{command:?}\n")).collect();
    let list = directory.join(format!("{name}.sh"));
    fs::write(&list, &text).map_err(|e| format!("{}: {e}", list.display()))?;
    for (output, mut command) in commands {
        if let Err(message) = call(directory, &mut command)? {
            return Ok(Err(message));
        }
        told +=
            &fs::read_to_string(directory.join(resolutions(program, &output))).unwrap_or_default();
        outputs.push(output);
    }
    let printed = match machine.run(&directory.join("out"), directory) {
        Ok(run) => {
            let run = run.line.run(directory)?;
            format!("{}: {}", run.status, run.stdout)
        }
        Err(why) => why,
    };
    for output in &outputs {
        let _ = fs::rename(directory.join(output), kept.join(output));
        let told = resolutions(program, output);
        let _ = fs::rename(directory.join(&told), kept.join(told));
    }
    Ok(Ok(Made { printed, told, text, outputs }))
}

/// The file in which the compiler's plugin lists what it has been told.
fn resolutions(program: &Program, output: &str) -> String {
    format!("{output}.{}", if program.is_clang { "resolution.txt" } else { "res" })
}

/// Outputs, and the commands that make them.
fn commands(machine: &Machine, linker: &str, program: &Program) -> Vec<(String, Command)> {
    let driver = |output: &str, words: &[&str]| {
        let (driver, temps) = if program.is_clang {
            ("clang++-19", "-Wl,-plugin-opt=save-temps")
        } else {
            ("g++", "-save-temps")
        };
        let mut command = machine.tool(driver);
        if program.is_clang {
            command.args(machine.clang_options());
        }
        command.args([linker, "-w", "-flto", temps, "-o", output]).args(words);
        command
    };
    let mut commands = Vec::new();
    let mut objects: Vec<String> = program.units_of(Module::Program).map(object).collect();
    let joined: Vec<String> = program.units_of(Module::Joined).map(object).collect();
    if !joined.is_empty() {
        // A fixed seed, so that names in the intermediate code are not random.
        let options = ["-r", "-nostdlib", "-O1", "-frandom-seed=joined"];
        let mut command = driver("joined.o", &options);
        if !program.is_joined_as_is {
            command.arg("-flinker-output=nolto-rel");
        }
        command.args(joined);
        commands.push(("joined.o".to_owned(), command));
        objects.push("joined.o".to_owned());
    }
    let library: Vec<String> = program.units_of(Module::Library).map(object).collect();
    if !library.is_empty() {
        let mut command = driver("libone.so", &["-shared", "-O1", "-Wl,-soname,libone.so"]);
        command.args(&program.library_options).args(library);
        commands.push(("libone.so".to_owned(), command));
        objects.push("libone.so".to_owned());
    }
    if program.units_of(Module::Archive).next().is_some() {
        objects.push("members.a".to_owned());
    }
    let mut command = driver("out", &[]);
    let options = program.options.iter();
    command.args(options.filter(|o| !(program.is_clang && o.starts_with("-flto-partition"))));
    command.args(objects).arg("-Wl,--no-whole-archive");
    commands.push(("out".to_owned(), command));
    commands
}

/// Runs a command; the inner error is the first lines of its messages if it fails.
fn call(directory: &Path, command: &mut Command) -> Result<std::result::Result<(), String>> {
    let output = command.current_dir(directory).stdin(Stdio::null()).output();
    let output = output.map_err(|e| format!("{command:?}: {e}"))?;
    if output.status.success() {
        return Ok(Ok(()));
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(Err(said.lines().take(3).collect::<Vec<_>>().join("; ")))
}
