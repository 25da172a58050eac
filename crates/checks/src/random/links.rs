//! Assembling a program, linking it with skald and with GNU ld, and running both.

use super::c_units;
use super::program::{Language, Module, Program, Shape};
use crate::Result;
use crate::random::{self, Outcome};
use skald_testkit::machine::Machine;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Directories in which the compiler driver finds the linkers.
pub struct Drivers {
    /// With skald.
    pub skald: PathBuf,
    /// With GNU ld.
    pub gnu: PathBuf,
    /// The machine that programs are made for.
    pub machine: &'static Machine,
}

impl Drivers {
    /// Makes the directories below `work`.
    pub fn new(work: &Path, linker: &Path, machine: &'static Machine) -> Result<Drivers> {
        let gnu = Command::new("gcc").arg("-print-prog-name=ld").output();
        let gnu = gnu.map_err(|e| format!("gcc: {e}"))?;
        let name = String::from_utf8_lossy(&gnu.stdout).trim().to_owned();
        // A cross compiler prints the path of its linker, or GNU ld is found under the machine's
        // name.
        let name = if machine.is_native() { name } else { machine.program("ld") };
        let gnu = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
            .map(|directory| directory.join(&name))
            .find(|path| path.is_file())
            .ok_or("no GNU ld")?;
        Ok(Drivers {
            skald: driver_directory(&work.join("with-skald"), linker)?,
            gnu: driver_directory(&work.join("with-gnu-ld"), &gnu)?,
            machine,
        })
    }
}

fn driver_directory(directory: &Path, linker: &Path) -> Result<PathBuf> {
    let told = |e: std::io::Error| format!("{}: {e}", directory.display());
    fs::create_dir_all(directory).map_err(told)?;
    let link = directory.join("ld");
    if fs::read_link(&link).ok().as_deref() != Some(linker) {
        if link.is_symlink() {
            fs::remove_file(&link).map_err(told)?;
        }
        std::os::unix::fs::symlink(linker, &link).map_err(told)?;
    }
    Ok(directory.to_owned())
}

/// Links and runs `program` in `directory`.
pub fn compare(drivers: &Drivers, program: &Program, directory: &Path) -> Result<Outcome> {
    let told = |e: std::io::Error| format!("{}: {e}", directory.display());
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(told)?;
    }
    fs::create_dir_all(directory).map_err(told)?;
    assemble(drivers.machine, program, directory)?;
    let machine = drivers.machine;
    let Ok(theirs) = link_and_run(machine, &drivers.gnu, program, &directory.join("gnu"))? else {
        return Ok(Outcome::NotComparable);
    };
    let ours = link_and_run(machine, &drivers.skald, program, &directory.join("skald"))?;
    let ours = match ours {
        Ok(ours) => ours,
        Err(message) => return Ok(Outcome::Different(message)),
    };
    let made = fs::read_dir(directory.join("skald")).map_err(told)?;
    let mut made: Vec<String> =
        made.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    made.sort();
    if let Some(finding) = random::lint(&directory.join("skald"), made.iter().map(|s| &s[..]))? {
        return Ok(Outcome::Different(finding));
    }
    let (Some(ours), Some(theirs)) = (ours, theirs) else {
        // Nothing runs these programs here.
        return Ok(Outcome::Same);
    };
    if theirs.status.code().is_none() {
        return Ok(Outcome::NotComparable);
    }
    let text = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    if ours.status == theirs.status && ours.stdout == theirs.stdout {
        Ok(Outcome::Same)
    } else {
        Ok(Outcome::Different(format!(
            "\n  skald  {}: {}\n  GNU ld {}: {}",
            ours.status,
            text(&ours),
            theirs.status,
            text(&theirs)
        )))
    }
}

fn assemble(machine: &Machine, program: &Program, directory: &Path) -> Result<()> {
    for (unit, source) in program.sources().iter().enumerate() {
        let is_c = program.language == Language::C;
        let name = format!("{unit}.{}", if is_c { "c" } else { "s" });
        let path = directory.join(&name);
        fs::write(&path, source).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut assembler = machine.tool(if is_c { "gcc" } else { "as" });
        if is_c {
            assembler.args(["-c", "-fno-builtin", "-w"]).args(c_units::options(source));
        }
        assembler.args([name, "-o".to_owned(), format!("{unit}.o")]);
        if let Err(message) = call(directory, &mut assembler)? {
            return Err(format!("{}: {message}", path.display()));
        }
    }
    let members: Vec<String> =
        program.units_of(Module::Archive).map(|unit| format!("{unit}.o")).collect();
    if !members.is_empty() {
        let mut archiver = machine.tool("ar");
        archiver.args(["rc", "members.a"]).args(members);
        call(directory, &mut archiver)?.map_err(|message| format!("ar: {message}"))?;
    }
    Ok(())
}

fn object(unit: usize) -> String {
    format!("../{unit}.o")
}

/// The output of a program, `None` if nothing runs programs of the machine here, or why there is no
/// program.
fn link_and_run(
    machine: &Machine,
    driver: &Path,
    program: &Program,
    directory: &Path,
) -> Result<std::result::Result<Option<Output>, String>> {
    fs::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    for mut command in commands(machine, driver, program) {
        if let Err(message) = call(directory, &mut command)? {
            return Ok(Err(message));
        }
    }
    let Ok(run) = machine.run(&directory.join("out"), directory) else { return Ok(Ok(None)) };
    let (name, arguments) = run.line.arguments.split_first().ok_or("empty command")?;
    let mut run = Command::new(name);
    run.args(arguments).current_dir(directory).stdin(Stdio::null());
    Ok(Ok(Some(run.output().map_err(|e| format!("{}: {e}", directory.display()))?)))
}

fn commands(machine: &Machine, driver: &Path, program: &Program) -> Vec<Command> {
    let gcc = |words: &[&str]| {
        let mut command = machine.tool("gcc");
        command.arg("-B").arg(driver).args(words);
        command
    };
    let passed = |options: &[&str]| options.iter().map(|o| format!("-Wl,{o}")).collect::<Vec<_>>();
    let mut commands = Vec::new();
    let mut libraries = Vec::new();
    for (at, options) in program.library_options.iter().enumerate() {
        let objects: Vec<String> = program.units_of(Module::Library(at)).map(object).collect();
        if objects.is_empty() {
            continue;
        }
        let library = format!("lib{at}.so");
        let mut command = gcc(&["-shared", "-nostartfiles", "-o", &library]);
        command.arg(format!("-Wl,-soname,{library}")).args(objects).args(passed(options));
        commands.push(command);
        libraries.push(library);
    }
    let mut objects: Vec<String> = program.units_of(Module::Program).map(object).collect();
    if program.is_joined_first {
        let mut command = gcc(&["-r", "-nostdlib", "-o", "joined.o"]);
        command.args(std::mem::replace(&mut objects, vec!["joined.o".to_owned()]));
        commands.push(command);
    }
    if program.units_of(Module::Archive).next().is_some() {
        objects.push("../members.a".to_owned());
    }
    let mut command = gcc(&["-o", "out", "-Wl,-rpath,$ORIGIN"]);
    command.arg(match program.shape {
        Shape::Pie => "-pie",
        Shape::Fixed => "-no-pie",
        Shape::Static => "-static",
    });
    command.args(passed(&program.options)).args(objects).args(libraries);
    commands.push(command);
    commands
}

/// Runs a command; the inner error is the first line of its messages if it fails.
fn call(directory: &Path, command: &mut Command) -> Result<std::result::Result<(), String>> {
    let output = command.current_dir(directory).stdin(Stdio::null()).output();
    let output = output.map_err(|e| format!("{command:?}: {e}"))?;
    if output.status.success() {
        return Ok(Ok(()));
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(Err(said.lines().next().unwrap_or("failed without a word").to_owned()))
}
