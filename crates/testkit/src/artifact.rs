//! Makes the files of a case: objects, archives, shared libraries, and finally the output.
//!
//! Objects are cached by the hash of the compiler, its options and all files of the case, since
//! most runs change the linker and not the cases. Everything else is made in every run.

use crate::case::{Case, CaseFile, Directive, Variant};
use crate::command::{CommandLine, Finished};
use crate::linker::{Linker, Way};
use crate::{Result, machine, portable, programs};
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// Name of the output of the last link.
pub const OUTPUT: &str = "out";

/// The settings that all cases of a run share.
#[derive(Debug)]
pub struct Settings {
    /// The linker under test.
    pub linker: Linker,
    /// Directory of the cases' work directories.
    pub work_root: PathBuf,
    /// Directory of compiled objects, which later runs reuse.
    pub cache: PathBuf,
    /// Work directories are kept, even if the case passes.
    pub keeps_all: bool,
    /// Versions of the compilers: part of the key of a compiled object.
    pub compilers: Compilers,
    /// Directory that has a folder of tools for each machine.
    pub tools: PathBuf,
}

/// Versions of the compilers, in a text.
#[derive(Debug)]
pub struct Compilers {
    native: String,
    /// Versions of the compilers for other machines.
    cross: String,
}

/// A case that is being run, in a work directory of its own.
#[derive(Debug)]
pub struct Work<'a> {
    /// The settings of the run.
    pub settings: &'a Settings,
    /// The case that is run.
    pub case: &'a Case,
    /// The variant that is run.
    pub variant: &'a Variant,
    /// The work directory.
    pub directory: PathBuf,
    /// Commands that were run, for `commands.sh`, which reproduces a failure.
    commands: String,
    /// Why a program was not run: this machine cannot run programs of the case's machine.
    pub not_run: Option<String>,
}

impl<'a> Work<'a> {
    /// Makes an empty directory for the case.
    pub fn new(settings: &'a Settings, case: &'a Case, variant: &'a Variant) -> Result<Work<'a>> {
        let directory = settings.work_root.join(case.name_in(variant));
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        let commands = "set -x\n".to_owned();
        Ok(Work { settings, case, variant, directory, commands, not_run: None })
    }

    /// Runs a command in the work directory and records it.
    pub fn run(&mut self, line: &CommandLine) -> Result<Finished> {
        self.commands.push_str(&line.shell_text());
        self.commands.push('\n');
        let path = self.directory.join("commands.sh");
        fs::write(&path, &self.commands).map_err(|e| format!("{}: {e}", path.display()))?;
        line.run(&self.directory)
    }

    /// Runs a command; fails if it does.
    pub fn run_well(&mut self, line: &CommandLine) -> Result<Finished> {
        let finished = self.run(line)?;
        if finished.status.success() {
            return Ok(finished);
        }
        let (status, text) = (finished.status_text(), line.shell_text());
        Err(format!("{status}: {text}\n{}{}", finished.stdout, finished.stderr))
    }

    /// Writes the files, compiles the sources, and makes archives, libraries and whatever `sh`
    /// asks for, in the order of the directives.
    pub fn make_inputs(&mut self) -> Result<()> {
        self.compile_all()?;
        for directive in &self.case.directives {
            if directive.applies_to(self.variant) {
                self.make(directive)
                    .map_err(|e| format!("line {}: {}: {e}", directive.line, directive.name))?;
            }
        }
        Ok(())
    }

    /// Writes the files and compiles the sources.
    pub fn compile_all(&mut self) -> Result<()> {
        for file in &self.case.files {
            let path = self.directory.join(&file.name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(|e| e.to_string())?;
            }
            fs::write(&path, portable::comments(self.case.machine, file).as_bytes())
                .map_err(|e| format!("{}: {e}", path.display()))?;
        }
        if self.case.files.iter().any(|file| portable::includes_macros(&file.text)) {
            let path = self.path(portable::INCLUDED);
            fs::write(&path, portable::macros(self.case.machine))
                .map_err(|e| format!("{}: {e}", path.display()))?;
        }
        for file in self.case.files.iter().filter(|f| f.is_source() && f.extension() != "rs") {
            self.compile(file)?;
        }
        Ok(())
    }

    /// Makes the input that a directive defines; most directives define none.
    pub fn make(&mut self, directive: &Directive) -> Result<()> {
        match directive.name.as_str() {
            "archive" => self.archive(directive.words()?),
            "shared" | "relocatable" => {
                let line = self.intermediate_command(&self.settings.linker, directive)?;
                self.run_well(&line).map(drop)
            }
            "sh" => self.shell(&directive.text).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Runs a shell command with `$LD`, `$OUT` and `$DIR` set; it must succeed.
    pub fn shell(&mut self, text: &str) -> Result<Finished> {
        self.run_well(&self.shell_command(&self.settings.linker, text))
    }

    /// The shell command `text` with `linker` as `$LD`.
    pub fn shell_command(&self, linker: &Linker, text: &str) -> CommandLine {
        let mut line = CommandLine::new(["sh", "-e", "-c", text]);
        let machine = self.case.machine;
        line.set("LD", linker.program(machine, Way::Plain));
        line.set("OUT", OUTPUT);
        if !machine.is_native() {
            let path = std::env::var("PATH").unwrap_or_default();
            let tools = self.settings.tools.join(machine.word);
            line.set("PATH", format!("{}:{path}", tools.display()));
            line.set("RUN", machine.shell_runner());
        }
        line.set("DIR", self.case.directory.display().to_string());
        line
    }

    fn compile(&mut self, file: &CaseFile) -> Result<()> {
        let object = file.object_name();
        let mut line = CommandLine::new(programs::compiling(self.case, self.variant, file));
        if file.extension() != "yaml" {
            line.arguments.push("-c".to_owned());
            for directive in self.case.directives_for(self.variant, "compile") {
                line.arguments.extend(directive.words()?);
            }
            line.arguments.extend(self.variant.compile_options.iter().cloned());
        }
        line.arguments.extend(file.compile_options.iter().cloned());
        line.arguments.extend([file.name.clone(), "-o".to_owned(), object.clone()]);
        let cached = self.settings.cache.join(format!("{:016x}.o", self.compile_key(&line)));
        let object = self.directory.join(object);
        if fs::copy(&cached, &object).is_ok() {
            // Recorded in full, so that `commands.sh` can be run by hand.
            self.commands.push_str(&line.shell_text());
            self.commands.push('\n');
            return Ok(());
        }
        self.run_well(&line)?;
        // The object has a name with the id of this thread until it is complete, because another
        // thread may make the same object.
        let mut own = DefaultHasher::new();
        self.directory.hash(&mut own);
        let temporary = cached.with_extension(format!("{:016x}", own.finish()));
        let stored = fs::copy(&object, &temporary).and_then(|_| fs::rename(&temporary, &cached));
        stored.map_err(|e| format!("{}: {e}", cached.display()))
    }

    fn compile_key(&self, line: &CommandLine) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.settings.compilers.native.hash(&mut hasher);
        if !self.case.machine.is_native() {
            self.settings.compilers.cross.hash(&mut hasher);
        }
        line.arguments.hash(&mut hasher);
        for file in &self.case.files {
            file.name.hash(&mut hasher);
            file.text.hash(&mut hasher);
            if portable::includes_macros(&file.text) {
                portable::macros(self.case.machine).hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    /// `archive: [thin] [no-index] NAME member...`.
    fn archive(&mut self, words: Vec<String>) -> Result<()> {
        let mut mode = "rcs".to_owned();
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next_if(|w| w == "thin" || w == "no-index") {
            mode = if word == "thin" { format!("{mode}T") } else { mode.replace('s', "S") };
        }
        let mut line = CommandLine::new([self.case.machine.program("ar"), mode]);
        line.arguments.extend(words);
        self.run_well(&line).map(|_| ())
    }

    /// `shared: NAME option...`, or `relocatable`: a link whose output is an input of a later link.
    pub fn intermediate_command(
        &self,
        linker: &Linker,
        directive: &Directive,
    ) -> Result<CommandLine> {
        let kind = if directive.name == "shared" { "-shared" } else { "-r" };
        let words = directive.words()?;
        let (name, rest) = words.split_first().ok_or_else(|| "no name".to_owned())?;
        let mut options = vec![kind.to_owned(), "-o".to_owned(), name.clone()];
        options.extend_from_slice(rest);
        let driver = match programs::driver(self.case, self.variant).as_str() {
            "rustc" => "gcc".to_owned(),
            driver => driver.to_owned(),
        };
        linker.command(self.case.machine, &driver, Way::Plain, &options)
    }

    /// The command of the last link.
    pub fn link_command(&self, way: Way, output: &str) -> Result<CommandLine> {
        self.link_command_of(&self.settings.linker, way, output)
    }

    /// The command of the last link with `linker`. Objects that no directive names come first.
    pub fn link_command_of(&self, linker: &Linker, way: Way, output: &str) -> Result<CommandLine> {
        let mut options = Vec::new();
        let mut given = Vec::new();
        for directive in self.case.directives_for(self.variant, "link") {
            given.extend(directive.words()?);
        }
        for file in self.case.files.iter().filter(|f| f.is_source()) {
            if file.extension() == "rs" {
                options.push(file.name.clone());
            } else if !self.is_named(&file.object_name(), &given)? {
                options.push(file.object_name());
            }
        }
        let directory = self.case.directory.display().to_string();
        options.extend(given.iter().map(|word| word.replace("$DIR", &directory)));
        options.extend(self.variant.link_options.iter().cloned());
        // A case about the name of the output gives `-o` itself.
        if !given.iter().any(|word| word == "-o") {
            options.extend(["-o".to_owned(), output.to_owned()]);
        }
        let driver = programs::driver(self.case, self.variant);
        linker.command(self.case.machine, &driver, way, &options)
    }

    /// Whether an option, an archive, a library or a side file names `object`.
    fn is_named(&self, object: &str, link: &[String]) -> Result<bool> {
        // An object that one variant leaves out is not linked first by the others.
        let variants = self.case.variants.iter().flat_map(|variant| &variant.link_options);
        if link.iter().chain(variants).any(|word| word == object) {
            return Ok(true);
        }
        for directive in &self.case.directives {
            let takes = matches!(directive.name.as_str(), "archive" | "shared" | "relocatable");
            if takes && directive.words()?.iter().any(|word| word == object) {
                return Ok(true);
            }
        }
        let names = |file: &&CaseFile| {
            let separators = |c: char| c.is_whitespace() || "(),\"'".contains(c);
            file.text.split(separators).any(|word| word == object)
        };
        Ok(self.case.files.iter().filter(|f| !f.is_source()).any(|f| names(&f)))
    }

    /// Path of a file in the work directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }
}

impl Compilers {
    /// Asks the compilers for the first lines of their `--version`, in `directory`.
    pub fn ask(directory: &Path) -> Compilers {
        let version = |program: &str| {
            let finished = CommandLine::new([program, "--version"]).run(directory).ok()?;
            finished.stdout.lines().next().map(str::to_owned)
        };
        let native = ["gcc", "clang-19", "as", "yaml2obj-19"];
        let cross =
            machine::all().filter(|machine| !machine.is_native() && machine.has_libraries());
        let cross = cross.flat_map(|machine| ["gcc", "as"].map(|name| machine.program(name)));
        Compilers {
            native: native.iter().filter_map(|program| version(program)).collect(),
            cross: cross.filter_map(|program| version(&program)).collect(),
        }
    }
}
