//! Options that are passed to compiler plugins. Part of [`Options`].
//!
//! [`Options`]: super::Options

use std::path::PathBuf;
use std::time::Duration;

/// A compiler plugin of the command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenPlugin {
    /// `-plugin`: path of the library, or a name that the system's loader finds.
    pub path: PathBuf,
    /// `-plugin-opt` behind it, in order.
    pub options: Vec<String>,
}

/// `--thinlto-distributor` and related options: the program that compiles the modules of ThinLTO
/// instead of the plugin (LLVM's documentation, "Integrated Distributed ThinLTO").
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Distributor {
    /// The program that is run with the list of jobs; `None` if the plugin compiles.
    pub program: Option<PathBuf>,
    /// `--thinlto-distributor-arg`: its arguments before the list.
    pub arguments: Vec<String>,
    /// `--thinlto-remote-compiler`: the compiler of the jobs.
    pub compiler: Option<PathBuf>,
    /// `--thinlto-remote-compiler-prepend-arg`: arguments before all others.
    pub first_arguments: Vec<String>,
    /// `--thinlto-remote-compiler-arg`: arguments behind those that all jobs share.
    pub last_arguments: Vec<String>,
}

/// Compiler plugins and their options. Every `--lto-…`, `--thinlto-…` and `--opt-remarks-…` is
/// entered as the `-plugin-opt` that LLVM's plugin takes for it, so that there is one list.
#[derive(Debug, Clone, Default)]
pub struct Lto {
    /// `-plugin`, in order.
    pub plugins: Vec<GivenPlugin>,
    /// Options that belong to no `-plugin`: those before the first one, and those that lld has as
    /// its own options.
    pub plugin_options: Vec<String>,
    /// `-mllvm`: options of LLVM, in order.
    pub llvm_options: Vec<String>,
    /// `--fat-lto-objects`: use the bitcode of objects that contain both bitcode and code.
    pub fat_objects: bool,
    /// The program that compiles the modules of ThinLTO.
    pub distributor: Distributor,
    /// `--plugin-timeout`: how many seconds a plugin or distributor may do nothing; 0 for no limit.
    pub timeout: Option<u64>,
}

/// How many seconds a plugin or distributor may do nothing by default.
const TIMEOUT: u64 = 600;

impl Lto {
    /// For how long a plugin or distributor may do nothing; `None` for no limit.
    pub fn limit(&self) -> Option<Duration> {
        let seconds = self.timeout.unwrap_or(TIMEOUT);
        (seconds != 0).then(|| Duration::from_secs(seconds))
    }
}
