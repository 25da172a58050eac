//! Links a cell, looks at the output and runs it.

use super::features::{Compiled, Feature, Shape, Step};
use super::{inputs, rules};
use crate::Result;
use crate::random;
use crate::random::links::Drivers;
use crate::tools::is_installed;
use skald_testkit::machine::Machine;
use skald_testkit::output_file::OutputFile;
use skald_testkit::structure;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What static programs need, but for the archive of mathematics: that for x32 names files that are
/// not where it says.
const STATIC_LIBRARIES: [&str; 7] = [
    "-nodefaultlibs",
    "-Wl,--start-group",
    "-lstdc++",
    "-lgcc",
    "-lgcc_eh",
    "-lc",
    "-Wl,--end-group",
];

/// A link of a cell by one of the linkers.
struct Link<'a> {
    drivers: &'a Drivers,
    /// Directory in which the compiler finds the linker.
    driver: &'a Path,
    inputs: &'a Path,
    shape: Shape,
    features: &'a [&'a Feature],
    /// Path of the output.
    out: PathBuf,
}

/// Links a cell in `directory` and says what is wrong with it.
pub fn check(
    drivers: &Drivers,
    inputs: &Path,
    shape: Shape,
    features: &[&Feature],
    directory: &Path,
) -> Result<Option<String>> {
    let told = |e: std::io::Error| format!("{}: {e}", directory.display());
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(told)?;
    }
    fs::create_dir_all(directory).map_err(told)?;
    let link = |driver, out: &str| Link {
        drivers,
        driver,
        inputs,
        shape,
        features,
        out: directory.join(out),
    };
    let ours = link(drivers.skald.as_path(), "skald");
    let refusal = rules::refusal(drivers.machine, shape, features);
    match (ours.make()?, refusal) {
        (Err(said), Some(text)) if said.contains(text) => return Ok(None),
        (Err(said), _) => return Ok(Some(said)),
        (Ok(()), Some(text)) => return Ok(Some(format!("is not refused: {text}"))),
        (Ok(()), None) => {}
    }
    if let Some(finding) = ours.look()? {
        return Ok(Some(finding));
    }
    if !features.iter().all(|feature| feature.runs) {
        return Ok(None);
    }
    let expected = (Some(inputs::STATUS), printed(drivers.machine, features));
    let is_expected = |printed: &Option<Printed>| printed.as_ref().is_none_or(|p| *p == expected);
    let printed = ours.run()?;
    if let Some(printed) = printed.filter(|printed| *printed != expected) {
        return Ok(Some(difference(&printed, &expected)));
    }
    if !features.iter().all(|feature| feature.is_of_gnu)
        || rules::otherwise(shape, features).is_some()
    {
        return Ok(None);
    }
    let theirs = link(drivers.gnu.as_path(), "gnu");
    if let Err(said) = theirs.make()? {
        return Ok(Some(format!("GNU ld refuses it: {said}")));
    }
    let printed = theirs.run()?;
    if !is_expected(&printed) {
        return Ok(Some(format!("GNU ld's prints something else: {printed:?}")));
    }
    by_structure(&ours, &theirs)
}

/// The first difference between the outputs in names, types and flags of sections, and in kinds of
/// segments, that is not meant to be.
fn by_structure(ours: &Link<'_>, theirs: &Link<'_>) -> Result<Option<String>> {
    let options = ours.features.iter().flat_map(|feature| feature.options).copied();
    let command: Vec<&str> = options.chain([ours.shape.option()]).collect();
    let (ours_read, theirs_read) = (OutputFile::read(&ours.out)?, OutputFile::read(&theirs.out)?);
    let found = structure::unexplained(&command.join(" "), &ours_read, &theirs_read);
    let is_asked = |one: &&String| {
        let has = |words: &[&str]| words.iter().any(|word| one.contains(word));
        one.starts_with("section ") && has(&[": type: ", ": flags: ", ": there at all: "])
            || one.starts_with("segment ") && has(&[": there at all: "])
    };
    Ok(found.iter().find(is_asked).map(|one| format!("by structure: {one}")))
}

/// What the program prints with these features.
fn printed(machine: &Machine, features: &[&Feature]) -> String {
    let mut text = inputs::printed(machine);
    for feature in features.iter().filter(|one| !rules::is_unchanged(one, features)) {
        let (before, after) = feature.printed;
        if !before.is_empty() {
            text = text.replace(before, after);
        }
    }
    text
}

type Printed = (Option<i32>, String);

fn difference(ours: &Printed, expected: &Printed) -> String {
    if ours.0 != expected.0 {
        return format!("ends with {:?} after {:?}", ours.0, ours.1);
    }
    let mut pairs = ours.1.lines().zip(expected.1.lines());
    let first = pairs.find(|(ours, expected)| ours != expected);
    format!("prints, and should: {first:?}")
}

impl Link<'_> {
    /// Links the program; the inner error is what was said.
    fn make(&self) -> Result<std::result::Result<(), String>> {
        let compiled = self.features.iter().find_map(|feature| feature.compiled);
        let compiled = compiled.unwrap_or(self.shape.compiled());
        let at = |name: &str| format!("{}/{name}", compiled.word());
        let mut objects: Vec<String> =
            ["start.o", "main.o", "first.o", "second.o", "third.o"].map(at).to_vec();
        if self.shape == Shape::Shared {
            objects.remove(0);
        }
        let further = self.features.iter().flat_map(|feature| feature.inputs);
        let named = |word: &&str| if word.ends_with(".o") { at(word) } else { (*word).to_owned() };
        objects.extend(further.map(named));
        if self.has(Step::JoinedFirst) {
            let joined = format!("{}.o", self.out.display());
            let mut command = self.compiler(compiled);
            command.args(["-r", "-nostdlib", "-o", &joined]).args(&objects);
            if compiled == Compiled::Lto {
                command.arg("-flinker-output=nolto-rel");
            }
            if let Err(said) = self.call(command)? {
                return Ok(Err(said));
            }
            objects = vec![joined];
        }
        let mut command = self.compiler(compiled);
        command.arg(self.shape.option()).arg("-o").arg(&self.out);
        for option in self.features.iter().flat_map(|feature| feature.options) {
            command.arg("-Xlinker").arg(self.placed(option));
        }
        command.args(objects).arg(at("members.a"));
        if self.shape.is_static() {
            command.arg(at("library.o"));
        } else {
            command.arg("library.so");
        }
        match inputs::own_units(self.drivers.machine) {
            // It is never of intermediate code: compilers call what it defines.
            Some(_) if self.shape != Shape::Shared => {
                command.arg(format!("{}/runtime.o", self.shape.compiled().word()));
            }
            None if self.shape.is_static() => {
                command.args(STATIC_LIBRARIES);
            }
            _ => {}
        }
        if let Err(said) = self.call(command)? {
            return Ok(Err(said));
        }
        if self.has(Step::Reproduced) { self.reproduce() } else { Ok(Ok(())) }
    }

    fn has(&self, step: Step) -> bool {
        self.features.iter().any(|feature| feature.step == step)
    }

    fn compiler(&self, compiled: Compiled) -> Command {
        let machine = self.drivers.machine;
        let ld = self.driver.join("ld");
        let [_, driver, _] = compiled.tools();
        let mut words = machine.words(driver);
        if compiled == Compiled::LlvmLto {
            words.extend(machine.clang_options());
        }
        if self.has(Step::Supervised) {
            words.splice(0..0, [ld.display().to_string(), "-run".to_owned()]);
        } else if compiled == Compiled::LlvmLto {
            words.push(format!("--ld-path={}", ld.display()));
        } else {
            words.push(format!("-B{}", self.driver.display()));
        }
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        if compiled.is_lto() {
            command.arg("-flto");
        }
        if !machine.has_libraries() {
            command.arg("-nostdlib");
        }
        command
    }

    fn placed(&self, option: &str) -> String {
        let inputs = format!("{}/", self.inputs.display());
        let option = option.replace("@/", &inputs).replace("SHAPE", self.shape.word());
        option.replace("OUT", &self.out.display().to_string())
    }

    /// Runs a command; the inner error is what it said.
    fn call(&self, mut command: Command) -> Result<std::result::Result<(), String>> {
        let output = output_of(command.current_dir(self.inputs))?;
        if output.status.success() {
            return Ok(Ok(()));
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = said.lines().take(3).collect();
        Ok(Err(format!("{command:?}: {}: {}", output.status, lines.join(" | "))))
    }

    /// Links again from the archive of `--reproduce`: the output must be the same.
    fn reproduce(&self) -> Result<std::result::Result<(), String>> {
        let (name, file) = (self.out.display(), self.out.file_name().unwrap_or_default());
        // What is compiled again depends on options of the compiler that are in no file.
        let is_compiled =
            self.features.iter().any(|one| one.compiled.is_some_and(Compiled::is_lto));
        let compare = if is_compiled { "test -s" } else { "cmp ../skald" };
        let script = format!(
            "tar -xf {name}.tar -C $(dirname {name}) --one-top-level=again --strip-components=1 && \
             cd $(dirname {name})/again && {} @response.txt && {compare} {}",
            self.driver.join("ld").display(),
            file.display()
        );
        let mut command = Command::new("sh");
        // GCC's plugin starts the compiler that these variables name.
        let options = self.drivers.machine.words("g++").into_iter().skip(1);
        let options = options.chain([self.shape.option().to_owned()]);
        let shape = options.map(|option| format!("'{option}'")).collect::<Vec<_>>().join(" ");
        command.args(["-c", &script]).env("COLLECT_GCC_OPTIONS", shape);
        command.env("COLLECT_GCC", self.drivers.machine.program("g++"));
        self.call(command)
    }

    /// What is wrong with the output before it is run.
    fn look(&self) -> Result<Option<String>> {
        let directory = self.out.parent().ok_or("an output without a directory")?;
        let name = self.out.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(finding) = random::lint(directory, [&*name])? {
            return Ok(Some(finding));
        }
        let beside = |end: &str| directory.join(format!("{name}{end}"));
        for feature in self.features.iter().filter(|feature| !feature.beside.is_empty()) {
            let is_there = beside(feature.beside).is_file();
            if !is_there {
                return Ok(Some(format!("there is no {name}{}", feature.beside)));
            }
        }
        let is_separate = self.features.iter().any(|feature| feature.name == "separate");
        let debug = if is_separate { beside(".dbg") } else { self.out.clone() };
        if self.features.iter().all(|feature| feature.has_lines) {
            return source_line(&debug);
        }
        Ok(None)
    }

    /// Status and output of the program; none if nothing runs it here.
    fn run(&self) -> Result<Option<Printed>> {
        let machine = self.drivers.machine;
        let mut program = self.out.clone();
        if self.shape == Shape::Shared {
            program = PathBuf::from(format!("{}.caller", self.out.display()));
            let mut command = machine.tool("g++");
            command.arg("-B").arg(&self.drivers.gnu).args(["-no-pie", "fixed/start.o"]);
            if inputs::own_units(machine).is_some() {
                command.args(["-nostdlib", "fixed/runtime.o"]);
            }
            command.arg(&self.out).args(["library.so", "-o"]).arg(&program);
            if let Err(said) = self.call(command)? {
                return Ok(Some((None, said)));
            }
        }
        let Ok(run) = machine.run(&program, self.inputs) else { return Ok(None) };
        let (name, arguments) = run.line.arguments.split_first().ok_or("empty command")?;
        let mut command = Command::new(name);
        command.args(arguments).envs(run.line.environment.iter().cloned());
        let output = output_of(command.current_dir(self.inputs))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(Some((output.status.code(), text)))
    }
}

fn output_of(command: &mut Command) -> Result<Output> {
    command.stdin(Stdio::null()).output().map_err(|e| format!("{command:?}: {e}"))
}

/// Whether debug information knows the source of a function; what is wrong if it does not.
fn source_line(path: &Path) -> Result<Option<String>> {
    const SYMBOLIZER: &str = "llvm-symbolizer-19";
    if !is_installed(SYMBOLIZER) {
        return Ok(None);
    }
    let file = OutputFile::read(path)?;
    let Some(symbol) = file.symbols.iter().find(|symbol| symbol.name == "first_step") else {
        return Ok(Some(format!("{}: no symbol first_step", path.display())));
    };
    let mut command = Command::new(SYMBOLIZER);
    command.arg("--obj").arg(path).arg(format!("{:#x}", symbol.value));
    let output = output_of(&mut command)?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_found = said.contains("first_step") && said.contains("first.c:7:");
    Ok((!is_found).then(|| format!("{command:?}: {said}")))
}
