//! Links damaged files and checks how the links end.

use super::elf::Shape;
use super::seeds::{self, SEEDS, Seed};
use super::{Damage, damage};
use crate::Result;
use crate::command::{CommandLine, Finished};
use crate::machine;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Limit of a link's address space, in bytes.
pub const MEMORY_LIMIT: u64 = 4 << 30;
/// Content of the output before the link.
const OLD: &[u8] = b"the old output";

/// Settings of a run over all damages.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Path of the linker under test.
    pub linker: PathBuf,
    /// Directory for all files.
    pub directory: PathBuf,
    /// One in so many damages of each seed is tried.
    pub one_in: usize,
    /// Only seeds and damages whose report contains this are tried.
    pub filter: String,
    /// How many threads run links.
    pub threads: usize,
}

/// A link that did not end as it must.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Kind of fault, the same for findings with the same cause.
    pub kind: &'static str,
    /// Seed and damage, as reports name them.
    pub damage: String,
    /// What the linker printed.
    pub detail: String,
}

/// Tries the damages of all seeds; returns the number of links, and the findings.
pub fn run(settings: &Settings) -> Result<(usize, Vec<Finding>)> {
    let make = |at: usize| {
        let directory = settings.directory.join(at.to_string());
        fs::create_dir_all(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        seeds::make(&directory, machine::native()).map(|()| directory)
    };
    let directories: Vec<PathBuf> = (0..settings.threads).map(make).collect::<Result<_>>()?;
    let mut tasks = Vec::new();
    for (seed_number, seed) in SEEDS.iter().enumerate() {
        let whole = fs::read(directories[0].join(seed.file)).map_err(|e| e.to_string())?;
        sane(&settings.linker, &directories[0], seed)?;
        for damage in damage(&whole).into_iter().skip(seed_number).step_by(settings.one_in) {
            if format!("{}: {}", seed.name, damage.what).contains(&settings.filter) {
                tasks.push((seed, damage, tasks.len()));
            }
        }
    }
    let next = AtomicUsize::new(0);
    let findings = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for directory in &directories {
            scope.spawn(|| {
                while let Some((seed, damage, _)) = tasks.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    if let Err((kind, detail)) = one(&settings.linker, directory, seed, damage) {
                        let damage = format!("{}: {}", seed.name, damage.what);
                        let finding = Finding { kind, damage, detail };
                        // Printed immediately, because a whole run takes minutes.
                        eprintln!("== {kind} | {}\n{}", finding.damage, finding.detail.trim_end());
                        findings.lock().unwrap_or_else(|e| e.into_inner()).push(finding);
                    }
                }
            });
        }
    });
    let mut findings = findings.into_inner().unwrap_or_else(|e| e.into_inner());
    findings.sort();
    Ok((tasks.len(), findings))
}

/// Links with one thread and limited memory. The output is `out/out`.
fn link(linker: &Path, directory: &Path, arguments: &str) -> Result<Finished> {
    let script = format!("ulimit -v {}; exec \"$@\"", MEMORY_LIMIT >> 10);
    link_by(CommandLine::new(["sh", "-c", &script, "sh"]), linker, directory, arguments)
}

/// As [`link`], with a command line that begins with `line`.
pub(super) fn link_by(
    mut line: CommandLine,
    linker: &Path,
    directory: &Path,
    arguments: &str,
) -> Result<Finished> {
    line.arguments.push(linker.display().to_string());
    line.arguments.extend(["-o", "out/out", "--threads=1"].map(str::to_owned));
    line.arguments.extend(arguments.split(' ').map(str::to_owned));
    line.run(directory)
}

/// Makes the directory of the output, with nothing but an old output in it.
pub(super) fn old_output(directory: &Path) -> std::io::Result<()> {
    let out = directory.join("out");
    let _ = fs::remove_dir_all(&out);
    fs::create_dir(&out)?;
    fs::write(out.join("out"), OLD)
}

/// Fails if the undamaged seed does not link, because then its damages would prove nothing.
fn sane(linker: &Path, directory: &Path, seed: &Seed) -> Result<()> {
    old_output(directory).map_err(|e| e.to_string())?;
    let finished = link(linker, directory, seed.arguments)?;
    if finished.status.success() {
        Ok(())
    } else {
        Err(format!("{}, undamaged: {}", seed.name, finished.stderr))
    }
}

fn one(
    linker: &Path,
    directory: &Path,
    seed: &Seed,
    damage: &Damage,
) -> std::result::Result<(), Fault> {
    let io = |e: std::io::Error| ("cannot be tried", e.to_string());
    let path = directory.join(seed.file);
    let whole = fs::read(&path).map_err(io)?;
    old_output(directory).map_err(io)?;
    fs::write(&path, damage.apply(&whole)).map_err(io)?;
    let finished = link(linker, directory, seed.arguments);
    fs::write(&path, &whole).map_err(io)?;
    let finished = finished.map_err(|e| ("does not end", e))?;
    let expected = Expected { damaged: &[seed.file], beside: &[] };
    judge(&expected, &directory.join("out"), &finished)
}

/// A wrong end of a link: the kind of fault, and details.
pub(super) type Fault = (&'static str, String);

/// The facts by which the end of a link is judged.
pub(super) struct Expected<'a> {
    /// Names of the damaged files.
    pub damaged: &'a [&'a str],
    /// Files that options write to `out/`, each with whether it is written only if the link
    /// succeeds.
    pub beside: &'a [(&'a str, bool)],
}

pub(super) fn judge(
    expected: &Expected<'_>,
    out: &Path,
    finished: &Finished,
) -> std::result::Result<(), Fault> {
    let said = finished.stderr.clone();
    if finished.stderr.contains("panicked") || !matches!(finished.status.code(), Some(0 | 1)) {
        return Err(("crashes", format!("{}\n{said}", finished.status_text())));
    }
    let has_failed = finished.status.code() == Some(1);
    for entry in fs::read_dir(out).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let beside = expected.beside.iter().find(|(beside, _)| name == *beside);
        let is_right = match beside {
            Some(&(_, with_output)) => !(with_output && has_failed),
            None => name == "out",
        };
        if !is_right {
            return Err(("leaves other files", format!("{}\n{said}", name.display())));
        }
    }
    if has_failed {
        return judge_failure(expected, out, said);
    }
    if let Some((name, _)) = expected.beside.iter().find(|(name, _)| !out.join(name).exists()) {
        return Err((MISSING, format!("{name}\n{said}")));
    }
    if is_whole(&out.join("out")) { Ok(()) } else { Err(("succeeds without a whole output", said)) }
}

fn judge_failure(
    expected: &Expected<'_>,
    out: &Path,
    said: String,
) -> std::result::Result<(), Fault> {
    // Relocation overflow is found while the old output is being overwritten.
    let is_gone_rightly = said.contains("relocation") && !out.join("out").exists();
    let is_old = fs::read(out.join("out")).is_ok_and(|bytes| bytes == OLD);
    // A message may be about symbols of other files that are undefined because of the damage, about
    // an output that options refuse, or about a name that a damaged script has. Or all files
    // together make a section too large.
    let others = ["undefined ", "out/out has ", "cannot open ", "exceeds available address space"];
    let is_named = expected.damaged.contains(&"response")
        || others.iter().any(|words| said.contains(words))
        || expected.damaged.iter().any(|name| said.contains(name));
    if !is_old && !is_gone_rightly {
        Err(("fails and changes the old output", said))
    } else if !said.contains("error: ") {
        Err(("fails silently", said))
    } else if !is_named {
        Err((UNNAMED, said))
    } else {
        Ok(())
    }
}

/// The kind of a fault: a file that an option asks for is missing.
pub(super) const MISSING: &str = "succeeds without a file beside the output";
/// The kind of a fault: no message names the damaged file.
pub(super) const UNNAMED: &str = "fails without the name of the file";

/// Whether the section headers lie inside the file.
fn is_whole(path: &Path) -> bool {
    use std::io::Read;
    let Ok(mut file) = fs::File::open(path) else { return false };
    let size = file.metadata().map_or(0, |m| m.len());
    let mut header = [0u8; 64];
    if file.read_exact(&mut header).is_err() || !header.starts_with(b"\x7fELF") {
        return false;
    }
    let shape = Shape::of(&header);
    let count = shape.number(&header, shape.pick(48, 60), 2);
    let table = shape.number(&header, shape.pick(32, 40), shape.pick(4, 8));
    let entry = shape.pick(40, 64) as u64;
    table.checked_add(entry * count).is_some_and(|end| end <= size)
}
