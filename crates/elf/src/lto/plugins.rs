//! The plugins of a link, and the files that they have claimed.

use super::{finding, stand_in};
use crate::arch::Target;
use crate::args::{GivenPlugin, Options, OutputKind};
use crate::read::FileId;
use object::elf::*;
use skald_base::first_bytes;
use skald_core::diag::Diag;
use skald_core::input::InputBytes;
use skald_core::plugin::wire::{Added, File, Start, Symbol};
use skald_core::plugin::{PluginProcess, process};
use skald_core::unordered::UnorderedMap;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

/// What is wrong with bitcode that no plugin wants.
pub const UNCLAIMED: &str = "is LLVM bitcode, which no plugin claims";

/// How long a plugin may do nothing if no option says so.
const TIMEOUT: u64 = 600;

/// Which files are worth offering to a plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Interest {
    /// GCC's: objects with its intermediate code.
    Gcc,
    /// LLVM's: bitcode.
    Llvm,
    /// A plugin that we do not know: all objects.
    All,
}

/// What an input holds, as far as plugins may want it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Intermediate {
    /// Sections with GCC's intermediate code.
    pub gcc: bool,
    /// LLVM bitcode, as it is or in a section.
    pub llvm: bool,
}

impl Intermediate {
    /// What a file holds that is no ELF file.
    pub fn of_bytes(bytes: &[u8]) -> Intermediate {
        Intermediate { gcc: false, llvm: first_bytes::are_bitcode(bytes) }
    }
}

struct Plugin {
    given: GivenPlugin,
    interest: Interest,
    /// Started for the first file that it may claim.
    process: Option<PluginProcess>,
    /// The files that it has been offered, in order; `None` for those that it did not claim.
    offered: Vec<Option<FileId>>,
}

/// A claimed file.
pub struct Claim {
    /// Its symbols, as the plugin gave them.
    pub symbols: Vec<Symbol>,
    /// The object that stands for it.
    pub stand_in: &'static [u8],
}

/// The plugins, and what they have said of files.
pub struct Plugins {
    target: &'static Target,
    /// How a process of a plugin starts, but for the plugin.
    start: Start,
    /// How long a plugin may do nothing.
    limit: Option<Duration>,
    plugins: Vec<Plugin>,
    /// Options for LLVM's plugin, whichever it is.
    of_llvm: Vec<String>,
    /// Objects with code and bitcode are compiled anew, even if no option names a plugin.
    uses_fat: bool,
    /// By file that was offered; `None` if no plugin claimed it.
    claims: UnorderedMap<FileId, Option<Claim>>,
    /// The claimed files, in the order in which they were.
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
        let plugins =
            lto.plugins.iter().map(|given| Plugin::new(given.clone(), &of_llvm)).collect();
        let start = Start {
            output_kind: match options.kind {
                OutputKind::Relocatable => 0,
                OutputKind::Executable => 1,
                OutputKind::Shared => 2,
                OutputKind::PieExecutable => 3,
            },
            output: options.output.as_os_str().as_bytes().to_vec(),
            wraps: texts(&options.wrap),
            ..Start::default()
        };
        let seconds = options.lto.timeout.unwrap_or(TIMEOUT);
        Plugins {
            target: options.target,
            start,
            limit: (seconds != 0).then(|| Duration::from_secs(seconds)),
            plugins,
            of_llvm,
            uses_fat: lto.fat_objects,
            claims: UnorderedMap::new(),
            claimed: Vec::new(),
            is_closed: false,
        }
    }

    /// Whether files may be claimed; LLVM's plugin is found if it is needed.
    pub fn are_open(&self) -> bool {
        !self.is_closed
    }

    /// Whether objects are looked at for intermediate code.
    pub fn want_objects(&self) -> bool {
        self.are_open() && (self.uses_fat || !self.plugins.is_empty())
    }

    /// Whether any has been offered a file.
    pub fn are_started(&self) -> bool {
        self.plugins.iter().any(|plugin| plugin.process.is_some())
    }

    /// Whether a file that holds this may be claimed.
    pub fn may_claim(&self, held: Intermediate) -> bool {
        let wants = self.plugins.iter().any(|plugin| plugin.wants(held));
        self.are_open() && (wants || self.uses_fat && held.llvm)
    }

    /// The claimed files, and what stands for them.
    pub fn claim_of(&self, file: FileId) -> Option<&Claim> {
        self.claims.get(&file)?.as_ref()
    }

    /// The claimed files, in the order in which they were.
    pub fn claimed(&self) -> &[FileId] {
        &self.claimed
    }

    /// Offers a file to the plugins; returns what stands for it if one claims it.
    pub fn claim(
        &mut self,
        file: FileId,
        input: &InputBytes,
        held: Intermediate,
        is_used: bool,
        diag: &Diag,
    ) -> Result<Option<&Claim>, String> {
        if !self.claims.contains_key(&file) && !self.is_closed {
            let claim = self.offer(file, input, (held, is_used), diag)?;
            if claim.is_some() {
                self.claimed.push(file);
            }
            self.claims.insert(file, claim);
        }
        Ok(self.claim_of(file))
    }

    fn offer(
        &mut self,
        file: FileId,
        input: &InputBytes,
        (held, is_used): (Intermediate, bool),
        diag: &Diag,
    ) -> Result<Option<Claim>, String> {
        let Some(within) = &input.file else {
            return match self.may_claim(held) {
                true if held.gcc || held.llvm => {
                    Err("a member of an archive in a thin archive cannot be compiled".to_owned())
                }
                _ => Ok(None),
            };
        };
        let is_fat = input.bytes.starts_with(&ELFMAG);
        if held.llvm && !self.plugins.iter().any(|plugin| plugin.wants(held)) {
            let found = match is_fat {
                // What its bitcode is of is not looked for.
                true => finding::for_bitcode(&[]),
                false => finding::for_bitcode(input.bytes),
            };
            let given = GivenPlugin { path: found?, options: Vec::new() };
            self.plugins.push(Plugin::new(given, &self.of_llvm));
        }
        let offset = input.bytes.as_ptr() as usize - within.data.as_ptr() as usize;
        for plugin in &mut self.plugins {
            if !plugin.wants(held) {
                continue;
            }
            let offer = File {
                path: within.path.as_os_str().as_bytes().to_vec(),
                offset: offset as u64,
                size: input.bytes.len() as u64,
                is_used,
            };
            let process = plugin.started(&self.start, self.limit)?;
            let claimed = process.claim(offer);
            tell(diag, process.messages());
            let claimed = claimed.map_err(|text| plugin.failed(&text))?;
            plugin.offered.push(claimed.is_some().then_some(file));
            if let Some(symbols) = claimed {
                let stand_in = stand_in::make(self.target, &symbols);
                return Ok(Some(Claim { symbols, stand_in }));
            }
        }
        Ok(None)
    }

    /// Tells the plugins how the symbols of each claimed file are resolved: one byte for each, or
    /// `None` if the file is not linked. Returns what they add to the link, and ends claiming.
    pub fn compile(
        &mut self,
        resolutions: &dyn Fn(FileId) -> Option<Vec<u8>>,
        diag: &Diag,
    ) -> Result<Vec<Added>, String> {
        self.is_closed = true;
        let mut added = Vec::new();
        for plugin in &mut self.plugins {
            let of_file = |file: &Option<FileId>| resolutions((*file)?);
            let resolutions = plugin.offered.iter().map(of_file).collect();
            let Some(process) = &mut plugin.process else { continue };
            let found = process.all_read(resolutions);
            tell(diag, process.messages());
            added.extend(found.map_err(|text| plugin.failed(&text))?);
        }
        Ok(added)
    }
}

/// Passes on what plugins say. An error of a plugin is one of the link.
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
    /// A plugin that is not loaded yet. `of_llvm`: options for LLVM's.
    fn new(mut given: GivenPlugin, of_llvm: &[String]) -> Plugin {
        let name = given.path.file_name().map_or(&b""[..], OsStrExt::as_bytes);
        let interest = match name {
            _ if name.starts_with(b"liblto_plugin") => Interest::Gcc,
            _ if name.starts_with(b"LLVMgold") => Interest::Llvm,
            _ => Interest::All,
        };
        if interest == Interest::Llvm {
            given.options.extend_from_slice(of_llvm);
        }
        Plugin { given, interest, process: None, offered: Vec::new() }
    }

    fn wants(&self, held: Intermediate) -> bool {
        match self.interest {
            Interest::Gcc => held.gcc,
            Interest::Llvm => held.llvm,
            Interest::All => true,
        }
    }

    /// The process with the plugin, which is started if it is not yet.
    fn started(
        &mut self,
        start: &Start,
        limit: Option<Duration>,
    ) -> Result<&mut PluginProcess, String> {
        if self.process.is_none() {
            let start = Start {
                plugin: library(&self.given.path).as_os_str().as_bytes().to_vec(),
                options: texts(&self.given.options),
                ..start.clone()
            };
            let process = PluginProcess::start(start, limit).map_err(|text| self.failed(&text))?;
            self.process = Some(process);
        }
        self.process.as_mut().ok_or_else(String::new)
    }

    fn failed(&self, text: &str) -> String {
        format!("plugin {}: {text}", self.given.path.display())
    }
}

fn texts(all: &[String]) -> Vec<Vec<u8>> {
    all.iter().map(|text| text.clone().into_bytes()).collect()
}

/// The path that the loader is given: a name without a directory is a file here, if there is one,
/// as for GNU ld.
fn library(path: &Path) -> std::path::PathBuf {
    match path.components().count() == 1 && path.exists() {
        true => Path::new(".").join(path),
        false => path.to_owned(),
    }
}

/// Whether the sections of an object hold intermediate code.
pub fn held(object: &crate::read::ObjectFile) -> Intermediate {
    let mut held = Intermediate::default();
    if !object.has_excluded {
        return held;
    }
    for (shndx, header) in (0..).zip(object.mapped.shdrs) {
        if header.sh_flags() & u64::from(SHF_EXCLUDE) != 0 {
            let name = object.section_name(shndx);
            held.gcc |= name.starts_with(b".gnu.lto_");
            held.llvm |= name == b".llvm.lto";
        }
    }
    held
}
