//! The plugins of a link, and the files that they have claimed.

use super::distribute::{Distribution, PluginOptions, Wanted};
use super::{plugin_search, producer, stand_in};
use crate::args::{GivenPlugin, Options, OutputKind};
use crate::machine::Machine;
use crate::read::claimed_files::AskedSegment;
use crate::read::{FileId, ObjectFile};
use object::elf::*;
use skald_core::diag::Diag;
use skald_core::input::InputBytes;
use skald_core::unordered::UnorderedMap;
use skald_host::paths::OsStrBytes;
use skald_linking::first_bytes;
use skald_plugin::wire::{Added, File, Start, Symbol};
use skald_plugin::{PluginProcess, process};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The error for bitcode that no plugin claims.
pub const UNCLAIMED: &str = "is LLVM bitcode, which no plugin claims";

/// Which files are worth offering to a plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PluginFiles {
    /// GCC's: objects with its intermediate code.
    Gcc,
    /// LLVM's: bitcode.
    Llvm,
    /// A plugin that we do not know: all objects.
    All,
}

/// The kinds of intermediate code in an input, which plugins may claim.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Intermediate {
    /// Sections with GCC's intermediate code.
    pub gcc: bool,
    /// LLVM bitcode, as a file or in a section.
    pub llvm: bool,
}

impl Intermediate {
    /// The content of a file that is not an ELF file.
    pub fn of_bytes(bytes: &[u8]) -> Intermediate {
        Intermediate { gcc: false, llvm: first_bytes::are_bitcode(bytes) }
    }
}

/// Objects that plugins may claim.
#[derive(Debug, Clone, Copy)]
pub struct ClaimableObjects {
    /// The plugin may claim any object.
    all: bool,
    /// The plugin may claim objects with GCC's intermediate code.
    gcc: bool,
    /// The plugin may claim objects with bitcode.
    llvm: bool,
}

impl ClaimableObjects {
    /// Whether an object may be claimed.
    pub fn want(self, object: &ObjectFile) -> Option<Intermediate> {
        if !self.all && !object.has_excluded {
            return None;
        }
        let held = held(object);
        self.covers(held).then_some(held)
    }

    fn covers(self, held: Intermediate) -> bool {
        self.all || self.gcc && held.gcc || self.llvm && held.llvm
    }
}

struct Plugin {
    given: GivenPlugin,
    interest: PluginFiles,
    /// Started for the first file that it may claim.
    process: Option<PluginProcess>,
    /// The files that the plugin was offered, in order, and whether it claimed them.
    offered: Vec<(FileId, bool)>,
    /// The bitcode that it was offered.
    bitcode: Vec<&'static [u8]>,
    /// The distributor that compiles the indexed modules, if there is one.
    distribution: Option<Distribution>,
}

/// A claimed file.
pub struct Claim {
    /// By symbol, in the plugin's order: the kind of its definition, a constant of
    /// [`def`](skald_plugin::wire::def).
    pub kinds: Vec<u8>,
    /// The object that stands for the file.
    pub stand_in: &'static [u8],
}

/// LDPO_REL.
const RELOCATABLE: u8 = 0;

/// An input that a plugin adds to the link.
pub enum AddedInput {
    /// An object file.
    File(PathBuf),
    /// A library, as behind `-l`.
    Library(String),
}

/// What plugins add to the link.
#[derive(Default)]
pub struct AddedByPlugins {
    /// Objects and libraries, in order.
    pub inputs: Vec<AddedInput>,
    /// Directories in which to search for libraries.
    pub library_paths: Vec<PathBuf>,
    /// Sections in the order that plugins ask for: files and section header indices.
    pub section_order: Vec<(NamedFile, u32)>,
    /// Segments of their own, and the sections of each.
    pub segments: Vec<(AskedSegment, Vec<(NamedFile, u32)>)>,
}

/// A file whose sections a plugin names.
pub enum NamedFile {
    /// A file that it was offered.
    Offered(FileId),
    /// A file that it has added.
    Added(PathBuf),
}

/// The plugins, and their answers about files.
pub struct Plugins {
    machine: &'static Machine,
    /// How a process for a plugin is started; the plugin itself is not part of it.
    start: Start,
    /// How long a plugin may do nothing.
    limit: Option<Duration>,
    plugins: Vec<Plugin>,
    /// Options for LLVM's plugin, wherever it is found.
    of_llvm: Vec<String>,
    /// Whether a distributor compiles the modules that LLVM's plugin has indexed.
    distributed: Option<Wanted>,
    /// Objects with both code and bitcode are compiled again, even if no option names a plugin.
    uses_fat: bool,
    /// By file that was offered; `None` if no plugin claimed it.
    claims: UnorderedMap<FileId, Option<Claim>>,
    /// The claimed files, in the order in which they were claimed.
    claimed: Vec<FileId>,
    /// All symbols have been read: nothing can be claimed any more.
    is_closed: bool,
}

impl Plugins {
    /// The plugins that options ask for. None is loaded yet.
    pub fn new(options: &Options) -> Plugins {
        let lto = &options.lto;
        let of_llvm: Vec<String> =
            lto.plugin_options.iter().chain(&lto.llvm_options).cloned().collect();
        let distributed = Wanted::of(options);
        let plugin =
            |given: &GivenPlugin| Plugin::new(given.clone(), &of_llvm, distributed.as_ref());
        let plugins = lto.plugins.iter().map(plugin).collect();
        let start = Start {
            output_kind: match options.kind {
                OutputKind::Relocatable => RELOCATABLE,
                OutputKind::Executable => 1,
                OutputKind::Shared => 2,
                OutputKind::PieExecutable => 3,
            },
            output: options.output.as_os_str().as_bytes().to_vec(),
            wraps: texts(&options.wrap),
            ..Start::default()
        };
        Plugins {
            machine: options.machine,
            start,
            limit: lto.limit(),
            plugins,
            of_llvm,
            distributed,
            uses_fat: lto.fat_objects,
            claims: UnorderedMap::new(),
            claimed: Vec::new(),
            is_closed: false,
        }
    }

    /// Whether files may be claimed; LLVM's plugin is searched for if it is needed.
    pub fn are_open(&self) -> bool {
        !self.is_closed
    }

    /// Which objects are worth offering to plugins.
    pub fn wants(&self) -> ClaimableObjects {
        let any = |interest| self.plugins.iter().any(|plugin| plugin.interest == interest);
        ClaimableObjects {
            all: any(PluginFiles::All),
            gcc: any(PluginFiles::Gcc),
            llvm: self.uses_fat || any(PluginFiles::Llvm),
        }
    }

    /// Whether any plugin has been offered a file.
    pub fn were_offered_any(&self) -> bool {
        self.plugins.iter().any(|plugin| !plugin.offered.is_empty())
    }

    /// Starts the plugins that options name, while inputs are opened. GCC names its plugin in every
    /// link, so that plugin is started only when there is a file for it.
    pub fn start_early(&mut self) {
        let wanted = |plugin: &&mut Plugin| plugin.interest != PluginFiles::Gcc;
        for plugin in self.plugins.iter_mut().filter(wanted) {
            // An error is reported when the plugin is offered a file.
            let _ = plugin.start(&self.start, self.limit);
        }
    }

    /// Whether a file with this content may be claimed.
    pub fn may_claim(&self, held: Intermediate) -> bool {
        self.are_open() && self.wants().covers(held)
    }

    /// The claim of a file, if a plugin has claimed it.
    pub fn claim_of(&self, file: FileId) -> Option<&Claim> {
        self.claims.get(&file)?.as_ref()
    }

    /// The claimed files, in the order in which they were claimed.
    pub fn claimed(&self) -> &[FileId] {
        &self.claimed
    }

    /// Offers files to the plugins, in this order. [`Plugins::claim_of`] has the results
    /// afterwards. Returns the files that cannot be linked, and why.
    pub fn offer(
        &mut self,
        files: &[(FileId, InputBytes, Intermediate)],
        is_used: bool,
        diag: &Diag,
    ) -> Vec<(FileId, String)> {
        let mut refused = Vec::new();
        let is_new = |file: &FileId| !self.claims.contains_key(file) && !self.is_closed;
        let mut left: Vec<_> = files.iter().filter(|(file, ..)| is_new(file)).collect();
        self.find_plugin(&left, &mut refused);
        left.retain(|(file, input, held)| {
            let is_in_file = input.file.is_some();
            if !is_in_file && (held.gcc || held.llvm) && self.may_claim(*held) {
                let text = "a member of an archive in a thin archive cannot be compiled";
                refused.push((*file, text.to_owned()));
            }
            is_in_file
        });
        for plugin in &mut self.plugins {
            let wanted = |(_, _, held): &&&(FileId, InputBytes, Intermediate)| plugin.wants(*held);
            let offered: Vec<_> = left.iter().filter(wanted).copied().collect();
            if offered.is_empty() {
                continue;
            }
            let claimed = plugin
                .start(&self.start, self.limit)
                .and_then(|()| plugin.claim(self.machine, &offered, is_used, diag));
            let claimed = claimed.unwrap_or_else(|(at, text)| {
                let file = offered.get(at).map_or(offered[0].0, |(file, ..)| *file);
                refused.push((file, plugin.failed(&text)));
                Vec::new()
            });
            for (&&(file, ..), claim) in offered.iter().zip(claimed) {
                plugin.offered.push((file, claim.is_some()));
                if claim.is_some() {
                    self.claims.insert(file, claim);
                    self.claimed.push(file);
                }
            }
            left.retain(|(file, ..)| !self.claims.contains_key(file));
        }
        for (file, ..) in left {
            self.claims.insert(*file, None);
        }
        refused
    }

    /// Whether a plugin must still be offered a file of machine code. With `-r`, GCC's plugin
    /// writes intermediate code again if it was offered nothing else.
    pub fn miss_code(&self) -> bool {
        self.start.output_kind == RELOCATABLE && self.plugins.iter().any(Plugin::misses_code)
    }

    /// Offers a file of machine code to the plugins that must be offered one: see
    /// [`Plugins::miss_code`].
    ///
    /// # Errors
    /// What is wrong with a plugin.
    pub fn offer_code(
        &mut self,
        file: FileId,
        input: InputBytes,
        diag: &Diag,
    ) -> Result<(), String> {
        for plugin in self.plugins.iter_mut().filter(|plugin| plugin.misses_code()) {
            let held = Intermediate::default();
            let claimed = plugin.claim(self.machine, &[&(file, input, held)], true, diag);
            claimed.map_err(|(_, text)| plugin.failed(&text))?;
            plugin.offered.push((file, false));
        }
        Ok(())
    }

    /// Searches for LLVM's plugin, for bitcode that no plugin wants.
    fn find_plugin(
        &mut self,
        files: &[&(FileId, InputBytes, Intermediate)],
        refused: &mut Vec<(FileId, String)>,
    ) {
        if self.plugins.iter().any(|plugin| plugin.interest != PluginFiles::Gcc) {
            return;
        }
        let Some((file, input, _)) = files.iter().find(|(.., held)| held.llvm) else { return };
        match plugin_search::for_bitcode(producer::bitcode_of(*input)) {
            Ok(path) => {
                let given = GivenPlugin { path, options: Vec::new() };
                let distributed = self.distributed.as_ref();
                self.plugins.push(Plugin::new(given, &self.of_llvm, distributed));
            }
            Err(text) => refused.push((*file, text)),
        }
    }

    /// Lets the plugins clean up in parallel to the link.
    pub fn let_go(&mut self) {
        let processes = self.plugins.iter_mut().filter_map(|plugin| plugin.process.take());
        processes.for_each(PluginProcess::let_go);
    }

    /// Gives the plugins the resolution of each symbol of each claimed file: one byte for each, or
    /// `None` if the file is not linked. Returns what they add to the link, and ends claiming.
    pub fn compile(
        &mut self,
        resolutions: &dyn Fn(FileId) -> Option<Vec<u8>>,
        diag: &Diag,
    ) -> Result<AddedByPlugins, String> {
        self.is_closed = true;
        let mut all = AddedByPlugins::default();
        for plugin in &mut self.plugins {
            let of_file = |&(file, is_claimed): &(FileId, bool)| {
                if is_claimed { resolutions(file) } else { None }
            };
            let resolutions = plugin.offered.iter().map(of_file).collect();
            let Some(process) = &mut plugin.process else { continue };
            let found = process.all_read(resolutions);
            tell(diag, process.messages());
            let is_done = process.is_done();
            if is_done && plugin.ends_the_link() {
                diag.set_done();
                return Ok(all);
            }
            if is_done && let Some(distribution) = &mut plugin.distribution {
                let GivenPlugin { path, options } = &plugin.given;
                let told = PluginOptions { plugin: path, options };
                // The process has ended; its temporary directory is removed here.
                plugin.process = None;
                let objects = distribution.compile(&told, diag)?;
                all.inputs.extend(objects.into_iter().map(AddedInput::File));
                continue;
            }
            // How many of the following sections belong to the last segment.
            let mut of_segment = 0u64;
            let first = all.inputs.len();
            for added in found.map_err(|text| plugin.failed(&text))? {
                match added {
                    Added::File(path) => all.inputs.push(AddedInput::File(path_of(&path))),
                    Added::Library(name) => {
                        let name = String::from_utf8_lossy(&name).into_owned();
                        all.inputs.push(AddedInput::Library(name));
                    }
                    Added::LibraryPath(path) => all.library_paths.push(path_of(&path)),
                    Added::Section(number, index) => {
                        let Some(file) = plugin.named(number as usize, &all.inputs[first..]) else {
                            continue;
                        };
                        match all.segments.last_mut().filter(|_| of_segment > 0) {
                            Some((_, sections)) => sections.push((file, index)),
                            None => all.section_order.push((file, index)),
                        }
                        of_segment = of_segment.saturating_sub(1);
                    }
                    Added::Segment(name, flags, align, count) => {
                        of_segment = count;
                        let (flags, sections) = (flags as u32, Vec::new());
                        let segment = AskedSegment { name, flags, align, sections };
                        all.segments.push((segment, Vec::new()));
                    }
                }
            }
        }
        Ok(all)
    }
}

fn path_of(bytes: &[u8]) -> PathBuf {
    Path::new(OsStr::from_bytes(bytes)).to_owned()
}

/// How a file is described to a plugin; `None` if the input is not in a file.
fn offer_of(input: &InputBytes, name: Vec<u8>, is_used: bool) -> Option<File> {
    let within = input.file.as_ref()?;
    let offset = input.bytes.as_ptr() as usize - within.data.as_ptr() as usize;
    Some(File {
        path: within.path.as_os_str().as_bytes().to_vec(),
        name,
        offset: offset as u64,
        size: input.bytes.len() as u64,
        is_used,
    })
}

/// Reports the messages of plugins. An error of a plugin is an error of the link.
fn tell(diag: &Diag, messages: Vec<process::Message>) {
    for (at, (level, text)) in (0..).zip(messages) {
        match level {
            0 => diag.note((0, at), text),
            1 => diag.warn((0, at), text),
            _ => diag.error((0, at), text),
        }
    }
}

impl Plugin {
    /// A plugin that is not loaded yet. LLVM's plugin also gets the options `of_llvm`, and may
    /// leave compilation to a distributor.
    fn new(mut given: GivenPlugin, of_llvm: &[String], distributed: Option<&Wanted>) -> Plugin {
        let name = given.path.file_name().map_or(&b""[..], OsStrBytes::as_bytes);
        let interest = match name {
            _ if name.starts_with(b"liblto_plugin") => PluginFiles::Gcc,
            _ if name.starts_with(b"LLVMgold") => PluginFiles::Llvm,
            _ => PluginFiles::All,
        };
        if interest == PluginFiles::Llvm {
            given.options.extend_from_slice(of_llvm);
        }
        let mut plugin = Plugin {
            given,
            interest,
            process: None,
            offered: Vec::new(),
            bitcode: Vec::new(),
            distribution: None,
        };
        if interest == PluginFiles::Llvm && !plugin.ends_the_link() {
            plugin.distribution = distributed.cloned().map(Distribution::new);
        }
        plugin
    }

    /// Whether the plugin's options ask for files instead of a link: LLVM's plugin writes these and
    /// exits.
    fn ends_the_link(&self) -> bool {
        const ENDING: [&str; 4] = ["emit-asm", "emit-llvm", "disable-output", "thinlto-index-only"];
        let ends = |option: &String| ENDING.iter().any(|ending| option.starts_with(ending));
        self.interest == PluginFiles::Llvm && self.given.options.iter().any(ends)
    }

    /// Whether GCC's plugin has claimed everything that it was offered, which was at least one
    /// file.
    fn misses_code(&self) -> bool {
        let all_are_claimed = self.offered.iter().all(|&(_, is_claimed)| is_claimed);
        self.interest == PluginFiles::Gcc && !self.offered.is_empty() && all_are_claimed
    }

    fn wants(&self, held: Intermediate) -> bool {
        match self.interest {
            PluginFiles::Gcc => held.gcc,
            PluginFiles::Llvm => held.llvm,
            PluginFiles::All => true,
        }
    }

    /// Starts the process with the plugin, unless it is running.
    fn start(&mut self, start: &Start, limit: Option<Duration>) -> Result<(), (usize, String)> {
        if self.process.is_some() {
            return Ok(());
        }
        let failed = |text| (0, text);
        let options = match &mut self.distribution {
            Some(distribution) => distribution.start(&self.given.options).map_err(failed)?,
            None => self.given.options.clone(),
        };
        let start = Start {
            plugin: library(&self.given.path).as_os_str().as_bytes().to_vec(),
            options: texts(&options),
            ..start.clone()
        };
        self.process = Some(PluginProcess::start(start, limit).map_err(failed)?);
        Ok(())
    }

    /// Offers files to the plugin.
    fn claim(
        &mut self,
        machine: &Machine,
        files: &[&(FileId, InputBytes, Intermediate)],
        is_used: bool,
        diag: &Diag,
    ) -> Result<Vec<Option<Claim>>, (usize, String)> {
        let Some(process) = &mut self.process else { return Ok(Vec::new()) };
        let bitcode = files.iter().filter(|(.., held)| held.llvm);
        self.bitcode.extend(bitcode.map(|(_, input, _)| input.bytes));
        let distribution = &mut self.distribution;
        let offer = |(_, input, _): &&(FileId, InputBytes, Intermediate)| {
            let name = distribution.as_mut().map(|distribution| distribution.name_of(input));
            offer_of(input, name.unwrap_or_default(), is_used)
        };
        let claim = |symbols: Vec<Symbol>| {
            let kinds = symbols.iter().map(|symbol| symbol.def).collect();
            Claim { kinds, stand_in: stand_in::make(machine, &symbols) }
        };
        let claimed = process.claim(files.iter().filter_map(offer).collect(), claim);
        tell(diag, process.messages());
        claimed
    }

    /// The file with this number: files that were offered come first, then files that the plugin
    /// has added.
    fn named(&self, number: usize, added: &[AddedInput]) -> Option<NamedFile> {
        if let Some(&(file, _)) = self.offered.get(number) {
            return Some(NamedFile::Offered(file));
        }
        let files = added.iter().filter_map(|added| match added {
            AddedInput::File(path) => Some(path),
            AddedInput::Library(_) => None,
        });
        files.skip(number - self.offered.len()).map(|path| NamedFile::Added(path.clone())).next()
    }

    fn failed(&self, text: &str) -> String {
        let path = &self.given.path;
        let own =
            std::fs::canonicalize(path).ok().and_then(|path| plugin_search::version_of(&path));
        let maker = |bytes: &&[u8]| {
            let name = producer::name(bytes)?;
            Some((producer::major(&name)?, name))
        };
        let older = match self.bitcode.iter().filter_map(maker).max() {
            Some((newest, maker)) if own.is_some_and(|own| own < newest) => {
                format!("\n>>> inputs are bitcode of {maker}, which this plugin is too old for")
            }
            _ => String::new(),
        };
        format!("plugin {}: {text}{older}", path.display())
    }
}

fn texts(all: &[String]) -> Vec<Vec<u8>> {
    all.iter().map(|text| text.clone().into_bytes()).collect()
}

/// The path for the loader: a name without a directory means a file in the working directory, if
/// there is one, as in GNU ld.
fn library(path: &Path) -> PathBuf {
    if path.components().count() == 1 && path.exists() {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    }
}

/// Whether the sections of an object hold intermediate code.
pub fn held(object: &ObjectFile) -> Intermediate {
    let mut held = Intermediate::default();
    if !object.has_excluded {
        return held;
    }
    for (shndx, header) in (0..).zip(object.mapped.shdrs) {
        if header.sh_flags() & u64::from(SHF_EXCLUDE) != 0 {
            let name = object.section_name(shndx);
            // GCC's plugin compiles code for offload devices, even in objects that contain code.
            held.gcc |=
                [&b".gnu.lto_"[..], b".gnu.offload_lto_"].iter().any(|p| name.starts_with(p));
            held.llvm |= name == b".llvm.lto";
        }
    }
    held
}
