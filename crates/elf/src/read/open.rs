//! Opens the inputs of the command line, which become the candidates of the link.
//!
//! Libraries are searched, files opened and identified in parallel; inputs that text scripts name
//! take their script's place. Ids are then given in command-line order ([`super::numbering`]).

use super::candidates::Candidates;
use super::identify::{self, FileKind, LinkedFor};
use super::just_symbols;
use super::link_size;
use super::made_object::{CODE, MadeSection, MadeSymbol, make};
use super::numbering::{self, Numbering, Opened, OpenedKind};
use super::script_directories::Finder;
use super::shared_file::SharedFile;
use super::statement_files;
use crate::args::assignments;
use crate::args::help::STAMP;
use crate::args::options::GivenSymbol;
use crate::args::{Input, InputName, MemoryLimit, Options, OutputKind};
use crate::diagnose::handling_script::{self, Missing};
use crate::diagnose::{input_files, unlinked_libraries};
use crate::format::encoding::Encoding;
use crate::machine::Machine;
use crate::machine::description::OwnFunctions;
use crate::script::text_script::{Command, Script, ScriptInput, ScriptName, ScriptPath, named_by};
use object::elf::{STB_GLOBAL, STT_FUNC, STV_HIDDEN};
use skald_core::diag::{Diag, Error, Result, WHOLE_LINK};
use skald_core::hash::HashKey;
use skald_core::input::{self, InputBytes, InputFile, ReleaseQueue};
use skald_core::memory_limit::{self, Limit};
use skald_core::par::prelude::*;
use skald_core::par::{self};
use skald_core::time::Timer;
use skald_core::{huge_pages, internal_error};
use skald_host::paths::OsStrBytes;
use skald_linking::archive::Archive;
use skald_linking::candidates::Candidate;
use skald_linking::expr::Expr;
use skald_linking::library_search::{self, LibrarySearch};
use skald_linking::opened_archive::OpenedArchive;
use skald_linking::read_ahead;
use skald_linking::remap::Remap;
use skald_linking::root_directories::RootDirectories;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Total size of inputs in bytes from which a link may come near the limit of its control group.
const LIMITED_LINK: usize = 64 << 20;
/// Total size of inputs in bytes from which huge pages are asked for.
const LARGE_LINK: usize = 448 << 20;
/// Total size of inputs in bytes from which memory is given back early, and mapped again if needed:
/// 3 % of the time for 8 % of the memory (synthetic debug links).
const HUGE_LINK: usize = 768 << 20;
/// How deep scripts may name each other.
const MAX_SCRIPT_DEPTH: usize = 16;
/// How many scripts a link may read: a few small ones that name each other could expand to very
/// many.
const MAX_SCRIPTS: usize = 10_000;

/// Opens `inputs`, those of the command line. All errors go to `diag`.
pub fn open_inputs(options: &Options, inputs: &[Input], timer: &Timer, diag: &Diag) -> Candidates {
    let mut candidates = Candidates::default();
    let opener = Opener::new(options, candidates.key, diag);
    let found = opener.find_all(inputs, timer);
    let bytes: usize = found.iter().flatten().map(|(_, file)| file.data.len()).sum();
    expect_memory(options, bytes);
    if bytes >= HUGE_LINK {
        candidates.release_early = Some(ReleaseQueue::default());
    }
    let opened = opener.open_all(inputs, found, timer);
    let (script, replaces_default) = opener.layout_scripts().unwrap_or_else(|error| {
        diag.error((0, inputs.len() as u64), error.0);
        (Vec::new(), false)
    });
    candidates.replaces_default = replaces_default;
    let given = script.iter().filter_map(|(_, opened)| opened.first());
    candidates.given_scripts = given.map(|opened| opened.path.clone()).collect();
    opener.tell_of_missing(inputs);
    let is_input =
        |opened: &Opened| !matches!(opened.kind, OpenedKind::Script | OpenedKind::Command(..));
    let mut of_scripts = script.iter().flat_map(|(_, opened)| opened);
    if inputs.is_empty() && !diag.has_failed() && !of_scripts.any(is_input) {
        diag.error((1, 0), "no input files");
    }
    let mut numbering = Numbering { options, candidates: &mut candidates };
    for opened in numbering::in_turn(opened, script) {
        numbering.add(opened);
    }
    let has_functions = options.processors.makes_functions;
    if let Some(functions) = options.machine.own_functions
        && has_functions.unwrap_or(options.kind != OutputKind::Relocatable)
    {
        let made = functions(options.machine.byte_order);
        candidates.files.push(functions_object(options.machine, &made));
    }
    if options.linker_version && options.kind != OutputKind::Relocatable {
        candidates.add_own(version_object(options.machine));
    }
    candidates
}

/// Opens `inputs` that earlier files ask for. Their files get ids behind all existing ones.
pub fn open_late(
    options: &Options,
    inputs: &[Input],
    candidates: &mut Candidates,
    timer: &Timer,
    diag: &Diag,
) {
    let opener = Opener::new(options, candidates.key, diag);
    let found = opener.find_all(inputs, timer);
    let opened = opener.open_all(inputs, found, timer);
    opener.tell_of_missing(inputs);
    let mut numbering = Numbering { options, candidates };
    opened.into_iter().flatten().for_each(|opened| numbering.add(opened));
}

/// Sets memory limits and page sizes for inputs of `bytes` in total.
fn expect_memory(options: &Options, bytes: usize) {
    let all = bytes as u64;
    memory_limit::foresee(all / 4 + (8 << 20));
    if bytes >= LIMITED_LINK && options.memory_limit == MemoryLimit::System {
        let limit = Limit::of_control_group();
        // Links hold less memory than twice their inputs, except for small ones.
        if let Some(limit) = limit.filter(|limit| limit.room < 2 * all + (256 << 20)) {
            // An error means that the process cannot measure its memory; then it goes on without
            // limit.
            let _ = memory_limit::hold(limit);
        }
    }
    if bytes >= LARGE_LINK {
        huge_pages::want();
    }
}

/// An object with functions that the linker makes, which is linked if one is wanted.
fn functions_object(machine: &Machine, functions: &OwnFunctions) -> Candidate {
    let symbol = |(name, offset): &(String, u64)| MadeSymbol {
        name: name.clone().into_bytes(),
        shndx: CODE,
        value: *offset,
        size: 0,
        kind: STT_FUNC,
        bind: STB_GLOBAL,
        visibility: STV_HIDDEN,
    };
    let symbols: Vec<MadeSymbol> = functions.entries.iter().map(symbol).collect();
    let bytes = make(machine, MadeSection::Code(&functions.code), &symbols);
    Candidate::Object {
        input: InputBytes { bytes, file: None, content: None },
        path: PathBuf::from("<linker>"),
        lazy: true,
        just_symbols: false,
    }
}

/// An object whose `.comment` has the linker's version string, which is merged with those of
/// compilers.
fn version_object(machine: &Machine) -> Candidate {
    let text = format!("{STAMP}\0");
    let bytes = make(machine, MadeSection::Comment(text.as_bytes()), &[]);
    Candidate::Object {
        input: InputBytes { bytes, file: None, content: None },
        path: PathBuf::from("<linker>"),
        lazy: false,
        just_symbols: false,
    }
}

/// Opens a file; if it does not exist, the message suggests one with a similar path.
fn open_or_hint(path: &Path) -> Result<InputFile> {
    input::open(path).map_err(|error| match input_files::near(path) {
        Some(hint) if !path.exists() => Error(format!("{}\n>>> {hint}", error.0)),
        _ => error,
    })
}

struct Opener<'a> {
    options: &'a Options,
    remap: Remap,
    roots: RootDirectories<'a>,
    diag: &'a Diag,
    key: HashKey,
    /// Scripts read so far.
    scripts: AtomicUsize,
    /// Libraries that were not found, for `--error-handling-script`.
    missing: Mutex<BTreeSet<String>>,
}

impl<'a> Opener<'a> {
    fn new(options: &'a Options, key: HashKey, diag: &'a Diag) -> Opener<'a> {
        let remap = Remap::new(&options.remap_inputs, &options.remap_inputs_files);
        let remap = remap.unwrap_or_else(|error| {
            diag.error(WHOLE_LINK, error.0);
            Remap::default()
        });
        let (scripts, missing) = (AtomicUsize::new(0), Mutex::default());
        let (sysroot, chroot) = (options.sysroot.as_deref(), options.chroot.as_deref());
        let roots = RootDirectories { sysroot, chroot };
        Opener { options, remap, roots, diag, key, scripts, missing }
    }

    /// Finds and maps `inputs`; starts as many threads as pay for the link.
    fn find_all(&self, inputs: &[Input], timer: &Timer) -> Vec<Found> {
        let find = |input: &Input| {
            let _event = timer.event("open", || format!("{:?}", input.what));
            self.find(input, &[])
        };
        let found = if inputs.len() >= link_size::MANY_INPUTS {
            par::start(false);
            // Small tasks, so that all files are requested before the first one is waited for.
            inputs.par_iter().with_max_len(4).map(find).collect()
        } else {
            let found = inputs.iter().map(find).collect::<Vec<_>>();
            let files = inputs.iter().zip(&found);
            let files =
                files.filter_map(|(input, found)| Some((input, &found.as_ref().ok()?.as_ref()?.1)));
            // The inputs of a package (`--dwp`) are many times as large.
            let is_small = link_size::is_small(self.options.machine, files);
            par::start(is_small && self.options.dwp.is_none());
            found
        };
        let found = self.find_behind_scripts(inputs, found).into_iter().enumerate();
        let told = found.map(|(at, found)| {
            found.map_err(|error| self.diag.error((0, at as u64), error.0)).ok().flatten()
        });
        told.collect()
    }

    /// Opens `inputs`, which have been found, and the inputs that scripts among them name.
    fn open_all(&self, inputs: &[Input], found: Vec<Found>, timer: &Timer) -> Vec<Vec<Opened>> {
        let open = |((at, input), found): ((usize, &Input), Found)| {
            let (path, file) = found?;
            let _event = timer.event("identify", || path.display().to_string());
            internal_error::at_work_on(file.data);
            let opened = self.open_found(input, path.clone(), file, ScriptPaths::default());
            opened.map_err(|error| self.diag.error((0, at as u64), error.0)).ok()
        };
        let opened = inputs.par_iter().with_max_len(4).enumerate().zip(found).map(open);
        opened.map(Option::unwrap_or_default).collect()
    }
}

/// Where the scripts around a file look for files.
#[derive(Clone, Copy, Default)]
struct ScriptPaths<'a> {
    /// The directories of their `SEARCH_DIR`.
    dirs: &'a [PathBuf],
    /// Where files are looked for first: next to the script that is an input, also for scripts that
    /// it includes, as in GNU ld. Scripts of `-T` have no such place.
    first: Option<&'a Path>,
    /// How many scripts are nested around the file.
    depth: usize,
}

/// The results of a script, with the number of inputs before it.
type PlacedScript = (usize, Vec<Opened>);

/// Path and file of an input; `None` if it is left out or its error was reported.
type Found = Option<(PathBuf, InputFile)>;

impl Opener<'_> {
    /// `-r`: shared libraries are refused, as nothing can be bound to them.
    fn is_relocatable(&self) -> bool {
        self.options.kind == OutputKind::Relocatable
    }

    fn open(&self, input: &Input, around: ScriptPaths<'_>) -> Result<Vec<Opened>> {
        match self.find(input, around.dirs)? {
            Some((path, file)) => self.open_found(input, path, file, around),
            None => Ok(Vec::new()),
        }
    }

    fn open_found(
        &self,
        input: &Input,
        path: PathBuf,
        file: InputFile,
        around: ScriptPaths<'_>,
    ) -> Result<Vec<Opened>> {
        let named = |error: Error| Error(format!("{}: {}", path.display(), error.0));
        let machine = self.options.machine;
        if input.binary {
            let bytes = super::binary_file::wrap(
                machine,
                &self.roots.as_given(&path),
                file.data.len() as u64,
            );
            let made = InputBytes { bytes, file: Some(file), content: Some(file.data) };
            return Ok(vec![self.opened(input, path, OpenedKind::Object(made))]);
        }
        if input.just_symbols {
            if identify::is_foreign_elf(machine, file.data) {
                let linked_for = LinkedFor::of(self.options);
                let kind = FileKind::ForeignElf;
                return Err(named(Error(identify::describe_mismatch(linked_for, file.data, kind))));
            }
            let bytes = just_symbols::wrap(file.data, self.options).map_err(named)?;
            if just_symbols::is_moved_by_loader(machine, file.data) {
                let text = "--just-symbols of a shared object or position-independent program, \
                            whose addresses are only known where it is loaded";
                self.diag.warn(WHOLE_LINK, format!("{}: {text}", path.display()));
            }
            let made = InputBytes { bytes, file: None, content: None };
            return Ok(vec![self.opened(input, path, OpenedKind::Object(made))]);
        }
        let kind = match identify::identify(machine, file.data) {
            FileKind::Object => {
                OpenedKind::Object(InputBytes { bytes: file.data, file: Some(file), content: None })
            }
            FileKind::Archive => {
                let archive = Archive::parse(file.data).map_err(|e| named(Error(e.to_string())))?;
                let (is_whole, start) = (input.whole_archive, archive.members_offset());
                let is_wanted = |file: &InputFile| super::is_read_ahead(self.options, file);
                read_ahead::archive(&file, start, is_whole, is_wanted);
                let opened = OpenedArchive::read(file, archive, is_whole, &self.key);
                OpenedKind::Archive(Box::new(opened.map_err(named)?))
            }
            FileKind::Shared => {
                if self.is_relocatable() || input.search_static {
                    return Err(named(Error("attempted static link of dynamic object".into())));
                }
                let given = self.given_name(input, &path);
                let encoding = Encoding::of(self.options.machine);
                let mut shared = SharedFile::parse(encoding, file.data, &given).map_err(named)?;
                shared.register_symbols = self.options.machine.register_symbols;
                OpenedKind::Shared { identity: file.identity, shared: Box::new(shared) }
            }
            FileKind::Script => {
                file.check_text()?;
                let around = ScriptPaths { first: path.parent(), ..around };
                return self.run_script(input, &path, file.data, around);
            }
            FileKind::Bitcode => {
                OpenedKind::Object(InputBytes { bytes: file.data, file: Some(file), content: None })
            }
            kind => {
                let linked_for = LinkedFor::of(self.options);
                return Err(named(Error(identify::describe_mismatch(linked_for, file.data, kind))));
            }
        };
        Ok(vec![self.opened(input, path, kind)])
    }

    /// The files and commands of the scripts of `-T`, each with the number of inputs before it, and
    /// between them each `--defsym`, which is an assignment like those of scripts. The layout of
    /// `-c` comes behind all inputs, and so does the script of `-dT` or the machine's own if no
    /// other lays out the output. The flag says whether one of them replaces the default layout.
    fn layout_scripts(&self) -> Result<(Vec<PlacedScript>, bool)> {
        let options = self.options;
        let mut opened = Vec::new();
        let mut has_layout = false;
        let mut defsyms = assignments::defsyms(options, self.diag).into_iter().peekable();
        for (at, script) in options.scripts.iter().enumerate() {
            while let Some((given, expr)) = defsyms.next_if(|(given, _)| given.scripts <= at) {
                opened.push((given.position, vec![self.assignment(&given, expr)]));
            }
            let own = self.layout_script(&script.path, script.position, &script.input)?;
            let inserts =
                |o: &Opened| matches!(o.kind, OpenedKind::Command(_, Command::Insert { .. }));
            has_layout |= !own.iter().any(inserts);
            opened.push((script.position, own));
        }
        for (given, expr) in defsyms {
            opened.push((given.position, vec![self.assignment(&given, expr)]));
        }
        let mut replaces_default = has_layout;
        let position = options.inputs.len();
        if let Some(text) = options.mri_layout {
            let name =
                options.mri_scripts.last().map(|script| &*script.path).unwrap_or(Path::new(""));
            let input = Input::unnamed(InputName::Path(name.to_owned()), options.is_static);
            opened.push((position, self.run_script(&input, name, text, ScriptPaths::default())?));
            has_layout = true;
        }
        if let Some(named) = options.default_script.as_ref().filter(|_| !has_layout) {
            let input = Input::unnamed(InputName::Path(named.to_owned()), options.is_static);
            opened.push((position, self.layout_script(named, position, &input)?));
            replaces_default = true;
        } else if let Some(text) =
            options.own_layout().filter(|_| !has_layout && !self.is_relocatable())
        {
            let name = Path::new("default layout");
            let input = Input::unnamed(InputName::Path(name.to_owned()), options.is_static);
            let text = text.leak().as_bytes();
            opened.push((position, self.run_script(&input, name, text, ScriptPaths::default())?));
            replaces_default = true;
        }
        Ok((opened, replaces_default))
    }

    /// The files and commands of the script `named`, which has `position` inputs before it; the
    /// files get the flags of `input`.
    fn layout_script(&self, named: &Path, position: usize, input: &Input) -> Result<Vec<Opened>> {
        let path = self.find_include(named, &[])?;
        let file = input::open_text(&path)?;
        let input = Input { what: InputName::Path(path.clone()), ..input.clone() };
        let mut opened = self.run_script(&input, &path, file.data, ScriptPaths::default())?;
        let before = self.options.inputs.iter().take(position);
        for file in statement_files::unstated(before, &opened) {
            let nested = self.script_input(&input, &path, &file, ScriptPaths::default())?;
            if matches!(&nested.what, InputName::Path(at) if at.exists()) {
                let files =
                    self.open(&nested, ScriptPaths { depth: 1, ..ScriptPaths::default() })?;
                opened.extend(files.into_iter().map(|o| Opened { is_of_statement: true, ..o }));
            }
        }
        Ok(opened)
    }

    /// The assignment of a `--defsym`.
    fn assignment(&self, given: &GivenSymbol, expr: Expr) -> Opened {
        let name = given.name.clone().into_bytes();
        let command = Command::Assign { name, expr, provide: false, hidden: false };
        let path = PathBuf::from("--defsym");
        let input = Input::unnamed(InputName::Path(path.clone()), self.options.is_static);
        self.opened(&input, path, OpenedKind::Command(1, command))
    }

    fn opened(&self, input: &Input, path: PathBuf, kind: OpenedKind) -> Opened {
        Opened { input: input.clone(), path, kind, is_startup: false, is_of_statement: false }
    }

    /// Opens the file that `input` names, or the file that stands for it; `None` if it is left out.
    fn find(&self, input: &Input, extra_dirs: &[PathBuf]) -> Result<Option<(PathBuf, InputFile)>> {
        let (path, file) = match &input.what {
            InputName::Path(path) => match self.remap.apply(path) {
                Some(path) => (path.to_owned(), open_or_hint(path)?),
                None => return Ok(None),
            },
            InputName::Library(name) => {
                let only_archives = input.search_static || self.is_relocatable();
                let (path, file) = self.find_library(name, only_archives, extra_dirs)?;
                match self.remap.apply(&path) {
                    Some(other) if other != path => (other.to_owned(), input::open(other)?),
                    Some(_) => (path, file),
                    None => return Ok(None),
                }
            }
        };
        if super::is_read_ahead(self.options, &file) {
            read_ahead::opened(&path, &file);
        }
        Ok(Some((path, file)))
    }

    /// Searches for missing libraries again, in the `SEARCH_DIR` directories of scripts before
    /// them.
    fn find_behind_scripts(
        &self,
        inputs: &[Input],
        mut found: Vec<Result<Option<(PathBuf, InputFile)>>>,
    ) -> Vec<Result<Option<(PathBuf, InputFile)>>> {
        let is_library = |at: usize| matches!(inputs[at].what, InputName::Library(_));
        let is_missing = |at: usize| is_library(at) && found[at].is_err();
        if self.options.only_given_directories || !(0..inputs.len()).any(is_missing) {
            return found;
        }
        let finder = Finder {
            directory: &|dir| self.roots.in_sysroot(&dir.path, dir.in_sysroot),
            include: &|file| input::open(&self.find_include(file, &[])?),
        };
        let mut dirs: Vec<PathBuf> = Vec::new();
        let scripts = self.options.scripts.iter().map(|script| &script.path);
        for named in scripts.chain(&self.options.default_script) {
            if let Ok(script) = (finder.include)(named) {
                dirs.extend(finder.directories(named, script.data));
            }
        }
        for (input, found) in inputs.iter().zip(&mut found) {
            match (&*found, &input.what) {
                (Ok(Some((path, file))), InputName::Path(_)) if !input.binary => {
                    dirs.extend(finder.directories(path, file.data));
                }
                (Err(_), InputName::Library(name)) if !dirs.is_empty() => {
                    *found = self.find(input, &dirs);
                    if found.is_ok() {
                        self.missing.lock().unwrap_or_else(|e| e.into_inner()).remove(name);
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Runs `--error-handling-script` for missing libraries: those of the command line in order,
    /// then those of scripts.
    fn tell_of_missing(&self, inputs: &[Input]) {
        let Some(script) = &self.options.reports.error_handling_script else { return };
        let mut missing = self.missing.lock().unwrap_or_else(|e| e.into_inner());
        let named = |input: &Input| match &input.what {
            InputName::Library(name) => missing.take(name),
            InputName::Path(_) => None,
        };
        let mut names: Vec<String> = inputs.iter().filter_map(named).collect();
        names.extend(std::mem::take(&mut *missing));
        for (at, name) in (0..).zip(&names) {
            if let Some(text) = handling_script::run(script, Missing::Library(name)) {
                self.diag.error((0, at), text);
            }
        }
    }

    fn find_library(
        &self,
        name: &str,
        search_static: bool,
        extra_dirs: &[PathBuf],
    ) -> Result<(PathBuf, InputFile)> {
        let names: Vec<String> = match name.strip_prefix(':') {
            Some(file) => vec![file.to_owned()],
            None if search_static => vec![format!("lib{name}.a")],
            None => vec![format!("lib{name}.so"), format!("lib{name}.a")],
        };
        let directories = self.options.library_paths.iter().chain(extra_dirs);
        let is_foreign =
            |path: &Path, data: &[u8]| identify::is_foreign(self.options.machine, path, data);
        let LibrarySearch { found, foreign } =
            library_search::search(directories, &names, is_foreign)?;
        if let Some(found) = found {
            self.skipped(&format!("-l{name}"), &foreign);
            return Ok(found);
        }
        let note = foreign
            .first()
            .map_or(String::new(), |path| format!(" ({} is for another machine)", path.display()));
        if self.options.reports.error_handling_script.is_some() {
            self.missing.lock().unwrap_or_else(|e| e.into_inner()).insert(name.to_owned());
        }
        let dirs: Vec<PathBuf> =
            self.options.library_paths.iter().chain(extra_dirs).cloned().collect();
        let hint = match unlinked_libraries::missing(name, &dirs, search_static) {
            Some(hint) => format!("\n>>> {hint}"),
            None if dirs.is_empty() => "\n>>> no directory to look in was given (-L)".to_owned(),
            None => {
                let dirs: Vec<String> = dirs.iter().map(|d| d.display().to_string()).collect();
                format!("\n>>> looked in {}", dirs.join(", "))
            }
        };
        Err(Error(format!("unable to find library -l{name}{note}{hint}")))
    }

    /// The directories in which files of a script are searched for: those of the whole script,
    /// which is read first.
    fn with_own_directories(&self, script: &Script, dirs: &[PathBuf]) -> Vec<PathBuf> {
        let own = script.commands.iter().filter_map(|(_, command)| match command {
            Command::SearchDir(dir) if !self.options.only_given_directories => {
                Some(self.roots.in_sysroot(&dir.path, dir.in_sysroot))
            }
            _ => None,
        });
        dirs.iter().cloned().chain(own).collect()
    }

    /// Notes which files for other machines were passed over in the search for `name`.
    fn skipped(&self, name: &str, files: &[PathBuf]) {
        if self.options.reports.no_warn_search_mismatch {
            return;
        }
        for path in files {
            let path = path.display();
            let text = format!("skipping incompatible {path} when searching for {name}");
            self.diag.note(WHOLE_LINK, text);
        }
    }

    fn run_script(
        &self,
        input: &Input,
        path: &Path,
        text: &'static [u8],
        around: ScriptPaths<'_>,
    ) -> Result<Vec<Opened>> {
        let depth = around.depth;
        if depth > MAX_SCRIPT_DEPTH {
            return Err(Error(format!("{}: scripts name each other too deeply", path.display())));
        }
        if self.scripts.fetch_add(1, Ordering::Relaxed) >= MAX_SCRIPTS {
            let text = format!("{}: inputs name more than {MAX_SCRIPTS} scripts", path.display());
            return Err(Error(text));
        }
        self.warn_of_empty(path, text);
        let script = self.parse_script(path, text, around.dirs)?;
        let dirs = self.with_own_directories(&script, around.dirs);
        let around = ScriptPaths { dirs: &dirs, depth: depth + 1, ..around };
        // `TARGET` sets the format of inputs that the script names behind it.
        let mut input = input.clone();
        let mut opened = vec![self.opened(&input, path.to_owned(), OpenedKind::Script)];
        for (line, command) in script.commands {
            let placed = |error: Error| named_by(path, line, depth, &error);
            match command {
                Command::Input { files, .. } => {
                    for file in files {
                        let nested = self.script_input(&input, path, &file, around);
                        let nested = nested.and_then(|nested| self.open(&nested, around));
                        opened.extend(nested.map_err(placed)?);
                    }
                }
                Command::SearchDir(_) => {}
                Command::Include(file) => {
                    let file = self.find_include(&file, &dirs).map_err(placed)?;
                    let nested = Input { what: InputName::Path(file), ..input.clone() };
                    if let Some((path, file)) = self.find(&nested, &[])? {
                        file.check_text()?;
                        opened.extend(self.run_script(&nested, &path, file.data, around)?);
                    }
                }
                Command::Startup(file) => {
                    let named = ScriptPath { path: file, in_sysroot: false };
                    let file = ScriptInput { name: ScriptName::Path(named), as_needed: false };
                    let nested = self.script_input(&input, path, &file, around);
                    let first = nested.and_then(|nested| self.open(&nested, around));
                    let first = first.map_err(placed)?.into_iter();
                    opened.extend(first.map(|o| Opened { is_startup: true, ..o }));
                }
                Command::Target(format) => {
                    input.binary = self.is_binary(&format).map_err(|error| {
                        Error(format!("{}:{line}: {}", path.display(), error.0))
                    })?;
                }
                mut command => {
                    if let Command::Insert { reach, .. } = &mut command {
                        *reach = reach_of_insert(&opened);
                    }
                    let kind = OpenedKind::Command(line, command);
                    opened.push(self.opened(&input, path.to_owned(), kind));
                }
            }
        }
        Ok(opened)
    }

    /// Whether `TARGET` names the `binary` format, and not the machine's own.
    fn is_binary(&self, format: &[u8]) -> Result<bool> {
        match format {
            b"binary" => Ok(true),
            name if self.options.machine.format_of(name).is_some() => Ok(false),
            name => Err(Error(format!("unknown target: {}", String::from_utf8_lossy(name)))),
        }
    }

    fn parse_script(
        &self,
        path: &Path,
        text: &'static [u8],
        extra_dirs: &[PathBuf],
    ) -> Result<Script> {
        let include = |name: &[u8]| {
            let file = self.find_include(Path::new(OsStr::from_bytes(name)), extra_dirs)?;
            let text = input::open_text(&file)?.data;
            Ok((file.display().to_string(), text))
        };
        let origin = path.display().to_string();
        Script::parse(&origin, text, &include).map_err(|error| match input_files::language(path) {
            Some(language) => Error(format!(
                "{origin}: is {language} source: compile it first, and link the object"
            )),
            None => error,
        })
    }

    /// Warns of an empty file with the name of an object: it is read as a script without commands,
    /// but is more likely an object that a full disk truncated.
    fn warn_of_empty(&self, path: &Path, text: &[u8]) {
        let is_binary = ["o", "a", "so"].iter().any(|&e| path.extension().is_some_and(|x| x == e));
        if text.is_empty() && is_binary {
            self.diag.warn(WHOLE_LINK, format!("{}: file is empty", path.display()));
        }
    }

    fn find_include(&self, file: &Path, dirs: &[PathBuf]) -> Result<PathBuf> {
        let candidates = self.options.library_paths.iter().chain(dirs).map(|d| d.join(file));
        std::iter::once(self.roots.in_root(file))
            .chain(candidates)
            .find(|path| path.exists() && !path.is_dir())
            .ok_or_else(|| Error(format!("cannot find linker script {}", file.display())))
    }

    /// The DT_NEEDED name of a shared object without DT_SONAME: the name by which it was given.
    fn given_name(&self, input: &Input, path: &Path) -> Vec<u8> {
        use skald_host::paths::OsStrBytes;
        if let Some(name) = &input.needed_as {
            return name.clone();
        }
        match &input.what {
            InputName::Path(path) => self.roots.as_given(path).as_os_str().as_bytes().to_vec(),
            InputName::Library(_) => {
                path.file_name().map_or_else(Vec::new, |name| name.as_bytes().to_vec())
            }
        }
    }

    /// The input that a file name in a script refers to.
    fn script_input(
        &self,
        input: &Input,
        script: &Path,
        file: &ScriptInput,
        around: ScriptPaths<'_>,
    ) -> Result<Input> {
        let what = match &file.name {
            ScriptName::Library(name) => InputName::Library(name.clone()),
            ScriptName::Path(named) => InputName::Path(self.script_path(script, named, around)?),
        };
        Ok(Input { what, as_needed: input.as_needed || file.as_needed, ..input.clone() })
    }

    fn script_path(
        &self,
        script: &Path,
        named: &ScriptPath,
        around: ScriptPaths<'_>,
    ) -> Result<PathBuf> {
        if named.in_sysroot {
            return Ok(self.roots.in_sysroot(&named.path, true));
        }
        let dirs = [&*self.options.library_paths, around.dirs].concat();
        let is_foreign = |path: &Path| {
            let file = path.is_file().then(|| input::open(path).ok()).flatten();
            file.is_some_and(|file| identify::is_foreign(self.options.machine, path, file.data))
        };
        let found =
            self.roots.named_by_script(script, &named.path, around.first, &dirs, &is_foreign)?;
        self.skipped(&named.path.display().to_string(), &found.foreign);
        Ok(found.path)
    }
}

/// How many commands an `INSERT` behind these may move: all since the previous one.
fn reach_of_insert(opened: &[Opened]) -> usize {
    let commands = opened.iter().rev().filter_map(|opened| match &opened.kind {
        OpenedKind::Command(_, command) => Some(command),
        _ => None,
    });
    commands.take_while(|command| !matches!(command, Command::Insert { .. })).count()
}
