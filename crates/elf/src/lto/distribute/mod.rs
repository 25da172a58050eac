//! Distributed ThinLTO: LLVM's plugin makes the index, and a program that `--thinlto-distributor`
//! names runs the compilations (LLVM's documentation, "Integrated Distributed ThinLTO").
//!
//! A module is named by the path of a file that contains nothing else. That is the input itself if
//! it is such a file, or otherwise a file in a directory beside the output that exists during the
//! link. The same input has the same name in each link, and paths are relative where possible, so
//! that a distributor can find earlier compilations again.

mod cache;
mod compiler;
mod jobs;
mod module_names;
mod pruning;

use crate::args::{Distributor, Options, OutputKind};
use crate::format::encoding::Encoding;
use crate::read::mapped_object::MappedObject;
use cache::Cache;
use compiler::Backend;
use jobs::Job;
use module_names::{Module, Naming};
use object::elf::SHF_ALLOC;
use skald_core::diag::Diag;
use skald_core::digest::{SpanDigest, span_digest};
use skald_core::input::InputBytes;
use skald_host::guard::{Ended, GuardedDirectory};
use skald_host::processes::signal_of;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;
use std::{fs, io};

/// Names of files in the directory: the list of modules in the index, and the objects of modules
/// without one.
const LINKED: &str = "linked";
const REGULAR: &str = "regular.o";

/// The options of a link that concern distribution.
#[derive(Debug, Clone)]
pub struct Wanted {
    distributor: Distributor,
    output: PathBuf,
    kind: OutputKind,
    /// How long the distributor may do nothing.
    limit: Option<Duration>,
}

/// Compilations by a distributor.
pub struct Distribution {
    wanted: Wanted,
    naming: Naming,
    /// The directory of the modules, once the plugin starts.
    directory: Option<GuardedDirectory>,
}

/// The path and the options of a plugin.
pub struct PluginOptions<'a> {
    /// Path of the plugin.
    pub plugin: &'a Path,
    /// Options of the plugin.
    pub options: &'a [String],
}

impl Wanted {
    /// The options of distribution; `None` if the plugin compiles the modules itself.
    pub fn of(options: &Options) -> Option<Wanted> {
        let distributor = options.lto.distributor.clone();
        distributor.program.as_ref()?;
        let (output, kind) = (options.output.clone(), options.kind);
        Some(Wanted { distributor, output, kind, limit: options.lto.limit() })
    }
}

impl Distribution {
    /// A distribution that has no modules yet.
    pub fn new(wanted: Wanted) -> Distribution {
        Distribution { wanted, naming: Naming::default(), directory: None }
    }

    /// Makes the directory. Returns the options that the plugin gets for `options`.
    ///
    /// # Errors
    /// A message if the directory cannot be made.
    pub fn start(&mut self, options: &[String]) -> Result<Vec<String>, String> {
        let output = &self.wanted.output;
        let mut directory = Err(std::io::Error::from(std::io::ErrorKind::NotFound));
        for prefix in module_names::prefixes(output) {
            directory = directory.or_else(|_| GuardedDirectory::new(&prefix));
        }
        let mut directory = directory.map_err(|error| {
            format!("a directory for modules beside {}: {error}", output.display())
        })?;
        if options.iter().any(|option| option.starts_with("save-temps")) {
            directory.keep();
        }
        let path = directory.path().to_str().ok_or("the output's path is not UTF-8")?.to_owned();
        self.naming.start(directory.path());
        self.directory = Some(directory);
        let is_ours = |option: &&String| !Cache::is_option(option);
        let own = [
            format!("thinlto-index-only={path}/{LINKED}"),
            format!("thinlto-prefix-replace=;{path}/"),
            format!("obj-path={path}/{REGULAR}"),
            "thinlto-emit-imports-files".to_owned(),
        ];
        Ok(options.iter().filter(is_ours).cloned().chain(own).collect())
    }

    /// The name by which the plugin knows an input.
    pub fn name_of(&mut self, input: &InputBytes) -> Vec<u8> {
        self.naming.name_of(input)
    }

    /// Has all modules compiled that the plugin has indexed; returns the objects.
    ///
    /// # Errors
    /// A message of what has failed.
    pub fn compile(
        &mut self,
        told: &PluginOptions<'_>,
        diag: &Diag,
    ) -> Result<Vec<PathBuf>, String> {
        let Some(directory) = &mut self.directory else { return Ok(Vec::new()) };
        let linked = directory.path().join(LINKED);
        let linked = fs::read_to_string(&linked).map_err(|error| failed_at(&linked, &error))?;
        let mut modules = self.naming.modules(&linked)?;
        for module in &mut modules {
            module.extract()?;
        }
        let mut objects = regular_objects(directory.path());
        let Some(first) = modules.first() else { return Ok(objects) };
        let Wanted { distributor, kind, .. } = &self.wanted;
        let backend = Backend::new(distributor, *kind, told, first.bitcode(), diag)?;
        let jobs = modules.iter().map(|module| job(module, directory.path()));
        let mut jobs: Vec<Job> = jobs.collect::<Result<_, _>>()?;
        objects.extend(jobs.iter().map(|job| job.object.clone()));
        let cache = Cache::asked(told.options)?;
        if let Some(cache) = &cache {
            let keys = Keys::of(&modules, &backend)?;
            for job in &mut jobs {
                job.key = keys.of_job(job)?;
            }
            jobs.retain(|job| !cache.has(job));
        }
        if !jobs.is_empty() {
            self.run(&jobs, &backend)?;
        }
        if let Some(cache) = cache {
            jobs.iter().for_each(|job| cache.keep(job));
            cache.prune();
        }
        Ok(objects)
    }

    /// Lets the distributor run the jobs.
    fn run(&mut self, jobs: &[Job], backend: &Backend) -> Result<(), String> {
        let Some(directory) = &mut self.directory else { return Ok(()) };
        let list = directory.path().join("jobs.json");
        let Wanted { distributor, output, limit, .. } = &self.wanted;
        let text = jobs::list(output, backend, jobs)?;
        fs::write(&list, text).map_err(|error| failed_at(&list, &error))?;
        let program = distributor.program.clone().unwrap_or_default();
        let mut command = vec![program.clone().into_os_string()];
        command.extend(distributor.arguments.iter().map(OsString::from));
        command.push(list.into_os_string());
        let failed = |what: String| format!("distributor {} {what}", program.display());
        let ended = directory.run(&command, *limit);
        let status = match ended.map_err(|error| failed(format!("cannot be run: {error}")))? {
            Ended::Itself(status) => status,
            Ended::Given(what) => return Err(failed(format!("{what} (--plugin-timeout)"))),
        };
        if !status.success() {
            return Err(failed(described(status)));
        }
        // clang may fail with status 0, and write an empty file.
        let is_missing =
            |job: &&Job| fs::metadata(&job.object).map_or(true, |data| data.len() == 0);
        match jobs.iter().find(is_missing) {
            Some(job) => Err(failed(format!(
                "has ended with status 0, but {} of {} is not there, or empty",
                job.object.display(),
                job.module
            ))),
            None => Ok(()),
        }
    }
}

fn described(status: ExitStatus) -> String {
    match (status.code(), signal_of(&status)) {
        (Some(code), _) => format!("has failed with status {code}"),
        (_, Some(signal)) => format!("was ended by signal {signal}"),
        _ => "has failed".to_owned(),
    }
}

/// The objects that the plugin has compiled itself, from modules without an index, in order.
fn regular_objects(directory: &Path) -> Vec<PathBuf> {
    let numbered = (1..).map(|number| directory.join(format!("{REGULAR}{number}")));
    let all = std::iter::once(directory.join(REGULAR)).chain(numbered);
    all.take_while(|path| path.exists()).filter(|path| !is_empty_object(path)).collect()
}

/// Whether an object is empty: the plugin writes one even if there are no such modules.
fn is_empty_object(path: &Path) -> bool {
    const LARGEST: u64 = 4096;
    let is_small = fs::metadata(path).is_ok_and(|data| data.len() < LARGEST);
    let Some(bytes) = is_small.then(|| fs::read(path).ok()).flatten() else { return false };
    let Some(encoding) = Encoding::of_file(&bytes) else { return false };
    let input = InputBytes { bytes: bytes.leak(), file: None, content: None };
    MappedObject::map(encoding, input).is_ok_and(|(mapped, first_global)| {
        let is_loaded = |flags: u64, size: u64| flags & u64::from(SHF_ALLOC) != 0 && size != 0;
        let mut sections = mapped.shdrs.iter();
        mapped.symbols.ids().len() <= first_global.index()
            && !sections.any(|section| is_loaded(section.sh_flags(), section.sh_size()))
    })
}

/// The compilation of a module.
fn job(module: &Module, directory: &Path) -> Result<Job, String> {
    let beside =
        |ending: &str| module_names::within(directory, &format!("{}{ending}", module.name));
    let imports = beside(".imports");
    let imports = fs::read_to_string(&imports).map_err(|error| failed_at(&imports, &error))?;
    Ok(Job {
        module: module.name.clone(),
        index: beside(".thinlto.bc"),
        imports: imports.lines().map(str::to_owned).collect(),
        object: beside(".native.o"),
        key: None,
    })
}

/// Digests of everything that objects depend on.
struct Keys<'a> {
    modules: BTreeMap<&'a str, u128>,
    /// The command line, and the files that all jobs read.
    common: u128,
}

impl<'a> Keys<'a> {
    fn of(modules: &'a [Module], backend: &Backend) -> Result<Keys<'a>, String> {
        let digest = |module: &'a Module| (&*module.name, span_digest(module.bitcode()));
        let mut common = SpanDigest::new();
        common.update(&backend.digest().to_le_bytes());
        for input in &backend.inputs {
            common.update(&digest_of(input)?.to_le_bytes());
        }
        Ok(Keys { modules: modules.iter().map(digest).collect(), common: common.finish() })
    }

    /// The digest of all that a job reads; `None` if it imports from a module that is not in
    /// `modules`.
    fn of_job(&self, job: &Job) -> Result<Option<u128>, String> {
        let mut key = SpanDigest::new();
        key.update(&self.common.to_le_bytes());
        key.update(&digest_of(&job.index)?.to_le_bytes());
        for module in std::iter::once(&job.module).chain(&job.imports) {
            let Some(digest) = self.modules.get(&**module) else { return Ok(None) };
            key.update(module.as_bytes());
            key.update(&digest.to_le_bytes());
        }
        Ok(Some(key.finish()))
    }
}

fn digest_of(path: &Path) -> Result<u128, String> {
    fs::read(path).map(|bytes| span_digest(&bytes)).map_err(|error| failed_at(path, &error))
}

fn failed_at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}
