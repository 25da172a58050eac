//! Compiling a program, linking it with skald and with GNU ld, and running both.

use super::program::{Form, Home, Program};
use super::source;
use crate::Result;
use skald_testkit::structure;
use skald_verify::output_file::OutputFile;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How the two programs compare.
pub enum Outcome {
    /// They print the same, and the plugin was told the same.
    Same,
    /// GNU ld makes no program.
    NotComparable,
    /// They do not, and how.
    Different(String),
}

/// A directory in which the compiler driver finds skald.
pub struct Linkers {
    skald: PathBuf,
}

impl Linkers {
    /// Makes the directory below `work`.
    pub fn new(work: &Path, linker: &Path) -> Result<Linkers> {
        let skald = work.join("with-skald");
        let told = |e: std::io::Error| format!("{}: {e}", skald.display());
        fs::create_dir_all(&skald).map_err(told)?;
        let link = skald.join("ld");
        if link.is_symlink() {
            fs::remove_file(&link).map_err(told)?;
        }
        std::os::unix::fs::symlink(linker, &link).map_err(told)?;
        Ok(Linkers { skald })
    }
}

/// What a link made.
struct Made {
    printed: String,
    /// The resolutions that GCC's plugin was told, of all links.
    told: String,
    /// The commands.
    text: String,
    /// What they made.
    outputs: Vec<String>,
}

/// Links and runs `program` in `directory`.
pub fn compare(linkers: &Linkers, program: &Program, directory: &Path) -> Result<Outcome> {
    let told = |e: std::io::Error| format!("{}: {e}", directory.display());
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(told)?;
    }
    fs::create_dir_all(directory).map_err(told)?;
    compile(program, directory)?;
    let Ok(theirs) = link_and_run("-fuse-ld=bfd", program, directory, "gnu")? else {
        return Ok(Outcome::NotComparable);
    };
    let ours = format!("-B{}", linkers.skald.display());
    let ours = match link_and_run(&ours, program, directory, "skald")? {
        Ok(ours) => ours,
        Err(message) => return Ok(Outcome::Different(message)),
    };
    if ours.printed != theirs.printed {
        let (ours, theirs) = (ours.printed, theirs.printed);
        return Ok(Outcome::Different(format!("\n  skald  {ours}\n  GNU ld {theirs}")));
    }
    if !program.is_told_alike() {
        return Ok(Outcome::Same);
    }
    for output in ours.outputs.iter().filter(|_| !program.is_static()) {
        let read = |by: &str| OutputFile::read(&directory.join(by).join(output));
        let mut found = structure::unexplained(&ours.text, &read("skald")?, &read("gnu")?);
        found.retain(|one| !is_meant(output, one));
        if !found.is_empty() {
            let found: String = found.iter().map(|one| format!("\n  {one}")).collect();
            return Ok(Outcome::Different(format!("{output}: by structure{found}")));
        }
    }
    let lines = ours.told.lines().zip(theirs.told.lines());
    let mut different = lines.filter(|(ours, theirs)| ours != theirs);
    match different.next() {
        Some((ours, theirs)) => Ok(Outcome::Different(format!(
            "the plugin is told\n  by skald  {ours}\n  by GNU ld {theirs}"
        ))),
        None if ours.told.len() != theirs.told.len() => {
            Ok(Outcome::Different("the plugin is told of other files".to_owned()))
        }
        None => Ok(Outcome::Same),
    }
}

/// Whether a difference in structure is one of GNU ld's leftovers from before the compiled code was
/// there: dynamic relocations of what is the program's own by then, a name without the section that
/// it stands for. Or it is a name that code defines, too, whose intermediate code has been inlined
/// everywhere.
fn is_meant(output: &str, difference: &str) -> bool {
    let of_ours = difference.ends_with(": there at all: yes | ld: no");
    let of_theirs = difference.ends_with(": there at all: no | ld: yes");
    let is = |start: &&str| difference.starts_with(start);
    let own = ["relocation JUMP_SLOT __tls_get_addr@", "relocation TPOFF64 "];
    of_theirs && own.iter().any(is)
        || of_theirs && output == "out" && is(&"relocation GLOB_DAT ")
        || of_ours && ["symbol ", "unwind "].iter().any(is)
        || is(&"unwind ") && difference.ends_with(" covered: yes; yes | ld: yes")
        || is(&"symbol also: ") && difference.ends_with(" section: .text | ld: ABS")
}

fn compile(program: &Program, directory: &Path) -> Result<()> {
    for (at, text) in source::sources(program).iter().enumerate() {
        let unit = program.units[at];
        let (compiler, name) = match unit.is_cpp {
            true => ("g++", format!("{at}.cc")),
            false => ("gcc", format!("{at}.c")),
        };
        let path = directory.join(&name);
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        let form: &[&str] = match unit.form {
            Form::Slim => &["-flto", "-fno-fat-lto-objects"],
            Form::Fat => &["-flto", "-ffat-lto-objects"],
            Form::Code => &[],
        };
        let mut command = Command::new(compiler);
        command.args(["-O1", "-w", "-fPIC", "-ffunction-sections", "-c"]);
        if !unit.is_cpp {
            command.arg("-fcommon");
        }
        command.args(form).arg(&name).args(["-o", &format!("{at}.o")]);
        call(directory, &mut command)?.map_err(|m| format!("{}: {m}", path.display()))?;
    }
    let members: Vec<String> = program.units_of(Home::Archive).map(object).collect();
    if !members.is_empty() {
        let mut archiver = Command::new("gcc-ar");
        archiver.args(["rc", "members.a"]).args(members);
        call(directory, &mut archiver)?.map_err(|message| format!("gcc-ar: {message}"))?;
    }
    Ok(())
}

fn object(unit: usize) -> String {
    format!("{unit}.o")
}

/// What the program prints, or why there is none.
fn link_and_run(
    linker: &str,
    program: &Program,
    directory: &Path,
    name: &str,
) -> Result<std::result::Result<Made, String>> {
    // The same names for both, which the plugin is told.
    let kept = directory.join(name);
    fs::create_dir_all(&kept).map_err(|e| format!("{}: {e}", kept.display()))?;
    let mut outputs = Vec::new();
    let mut told = String::new();
    let commands = commands(linker, program);
    let text: String = commands.iter().map(|(_, command)| format!("{command:?}\n")).collect();
    let list = directory.join(format!("{name}.sh"));
    fs::write(&list, &text).map_err(|e| format!("{}: {e}", list.display()))?;
    for (output, mut command) in commands {
        if let Err(message) = call(directory, &mut command)? {
            return Ok(Err(message));
        }
        told += &fs::read_to_string(directory.join(format!("{output}.res"))).unwrap_or_default();
        outputs.push(output);
    }
    let mut run = Command::new("./out");
    run.current_dir(directory).env("LD_LIBRARY_PATH", ".").stdin(Stdio::null());
    let run = run.output().map_err(|e| format!("{}: {e}", directory.display()))?;
    let printed = format!("{}: {}", run.status, String::from_utf8_lossy(&run.stdout));
    for output in &outputs {
        let _ = fs::rename(directory.join(output), kept.join(&output));
        let _ =
            fs::rename(directory.join(format!("{output}.res")), kept.join(format!("{output}.res")));
    }
    Ok(Ok(Made { printed, told, text, outputs }))
}

/// Outputs, and the commands that make them.
fn commands(linker: &str, program: &Program) -> Vec<(String, Command)> {
    let driver = |output: &str, words: &[&str]| {
        let mut command = Command::new("g++");
        command.args([linker, "-w", "-flto", "-save-temps", "-o", output]).args(words);
        command
    };
    let mut commands = Vec::new();
    let mut objects: Vec<String> = program.units_of(Home::Program).map(object).collect();
    let joined: Vec<String> = program.units_of(Home::Joined).map(object).collect();
    if !joined.is_empty() {
        let mut command =
            driver("joined.o", &["-r", "-nostdlib", "-O1", "-flinker-output=nolto-rel"]);
        command.args(joined);
        commands.push(("joined.o".to_owned(), command));
        objects.push("joined.o".to_owned());
    }
    let library: Vec<String> = program.units_of(Home::Library).map(object).collect();
    if !library.is_empty() {
        let mut command = driver("libone.so", &["-shared", "-O1", "-Wl,-soname,libone.so"]);
        command.args(library);
        commands.push(("libone.so".to_owned(), command));
        objects.push("libone.so".to_owned());
    }
    if program.units_of(Home::Archive).next().is_some() {
        objects.push("members.a".to_owned());
    }
    let mut command = driver("out", &[]);
    command.args(&program.options).args(objects);
    commands.push(("out".to_owned(), command));
    commands
}

/// Runs a command that succeeds, or the first lines of what it says.
fn call(directory: &Path, command: &mut Command) -> Result<std::result::Result<(), String>> {
    let output = command.current_dir(directory).stdin(Stdio::null()).output();
    let output = output.map_err(|e| format!("{command:?}: {e}"))?;
    if output.status.success() {
        return Ok(Ok(()));
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(Err(said.lines().take(3).collect::<Vec<_>>().join("; ")))
}
