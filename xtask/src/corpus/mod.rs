//! The links that the benchmark measures: their inputs, their command lines, and how to prove that
//! an output works.
//!
//! A corpus is made once, below the cache directory and outside the source tree, in a directory
//! of its own: inputs, and response files whose paths are relative to it. One directory may serve
//! several workloads (the same inputs with and without `--gc-sections`, say). A directory is
//! complete when it holds the file [`COMPLETE`]; until then it lives in `building/`, so that an
//! interrupted preparation goes on where it stopped and is never measured.

pub mod capture;
mod clang;
mod clang_cross;
mod counting;
mod cxx;
mod hello;
mod libraries;
mod lto;
mod lto_thin;
pub mod machine;
pub mod response;
mod rust;
mod shared;
pub mod synthetic;
pub mod tools;

use machine::Machine;
use std::fs;
use std::path::{Path, PathBuf};

/// Marks a corpus as complete; contains the version of the recipe that made it.
pub const COMPLETE: &str = "complete";

/// One link to measure.
pub struct Workload {
    /// What the command line calls it.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// The directory in the cache that holds its inputs.
    pub directory: &'static str,
    /// The response file in that directory.
    pub response: &'static str,
    /// Options behind those of the response file, which all linkers spell alike.
    pub extra: &'static [&'static str],
    /// The version of the directory's recipe, raised when a change needs new inputs.
    pub recipe: u32,
    /// The compiler's plugin that the link needs.
    pub plugin: Option<CompilerPlugin>,
    /// The target machine, if it is not this one.
    pub machine: Option<&'static Machine>,
    /// Whether making it takes so long that it is made only on `--prepare`.
    pub slow: bool,
    /// What the output contains if the linker did all of the work.
    pub expects: Expectation,
    /// Makes the directory's content, given the directory to work in.
    pub make: fn(&Path) -> Result<(), String>,
    /// Runs the output: arguments are the output and the corpus' directory. The error says what
    /// went wrong.
    pub prove: fn(&Path, &Path) -> Result<(), String>,
}

/// A compiler's plugin, called through one that measures its time.
#[derive(Clone, Copy)]
pub struct CompilerPlugin {
    /// Its file, in the corpus' directory.
    pub file: &'static str,
    /// It caches compiled code in a directory that an option names.
    pub has_cache: bool,
}

/// The kinds of work that a link must have done.
#[derive(Clone, Copy)]
pub struct Expectation {
    /// `.eh_frame_hdr` is there.
    pub eh_frame_hdr: bool,
    /// `.note.gnu.build-id` is there.
    pub build_id: bool,
    /// `.symtab` is there and not empty.
    pub symtab: bool,
    /// Whether there are debug sections.
    pub debug: bool,
    /// `.dynsym` has entries.
    pub dynsym: bool,
    /// Equal functions are folded: without the extra options the output is larger.
    pub folded: bool,
    /// `.gdb_index` is there and names symbols.
    pub gdb_index: bool,
}

/// A dynamic executable without debug sections, the usual case.
const PROGRAM: Expectation = Expectation {
    eh_frame_hdr: true,
    build_id: true,
    symtab: true,
    debug: false,
    dynsym: true,
    folded: false,
    gdb_index: false,
};

/// All workloads, small ones first.
pub fn all() -> Vec<Workload> {
    [hello::workloads(), clang::workloads(), rust::workloads(), cxx::workloads()]
        .into_iter()
        .chain([shared::workloads(), libraries::workloads(), counting::workloads()])
        .chain([lto::workloads(), lto_thin::workloads(), clang_cross::workloads()])
        .chain([synthetic::workloads()])
        .flatten()
        .collect()
}

/// The default cache directory: `$XDG_CACHE_HOME/skald-bench`, or `~/.cache/skald-bench`.
pub fn default_cache() -> PathBuf {
    std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))
        .unwrap_or_else(std::env::temp_dir)
        .join("skald-bench")
}

/// The final directory of a corpus that is being made in `work`.
fn settled(work: &Path) -> PathBuf {
    let name = work.file_name().unwrap_or_default();
    work.ancestors().nth(2).unwrap_or(work).join(name)
}

impl Workload {
    /// The same link with an index for gdb.
    fn with_index(self, name: &'static str) -> Self {
        let expects = Expectation { gdb_index: true, ..self.expects };
        Self { name, about: "the same with --gdb-index", extra: &["--gdb-index"], expects, ..self }
    }

    /// Whether `plain` is this link without its index for gdb.
    pub fn is_index_over(&self, plain: &Self) -> bool {
        let link = |workload: &Self| (workload.directory, workload.response);
        self.expects.gdb_index && link(self) == link(plain) && plain.extra.is_empty()
    }

    /// Where the inputs are.
    pub fn path(&self, cache: &Path) -> PathBuf {
        cache.join(self.directory)
    }

    /// Whether the inputs are there and whole.
    pub fn is_ready(&self, cache: &Path) -> bool {
        fs::read_to_string(self.path(cache).join(COMPLETE))
            .is_ok_and(|version| version.trim().parse() == Ok(self.recipe))
    }

    /// Makes the inputs unless they are there.
    ///
    /// # Errors
    /// What is missing on this machine, or which step failed.
    pub fn prepare(&self, cache: &Path) -> Result<(), String> {
        if self.is_ready(cache) {
            return Ok(());
        }
        let work = cache.join("building").join(self.directory);
        fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
        (self.make)(&work)?;
        let to = self.path(cache);
        if to.exists() {
            fs::remove_dir_all(&to).map_err(|e| format!("{}: {e}", to.display()))?;
        }
        fs::rename(&work, &to).map_err(|e| format!("{}: {e}", to.display()))?;
        let complete = to.join(COMPLETE);
        fs::write(&complete, self.recipe.to_string())
            .map_err(|e| format!("{}: {e}", complete.display()))
    }

    /// The files that the line names, links followed; for dropping them from the page cache.
    ///
    /// # Errors
    /// When the response file cannot be read.
    pub fn input_files(&self, cache: &Path) -> Result<Vec<PathBuf>, String> {
        let directory = self.path(cache);
        let line = format!("@{}", directory.join(self.response).display());
        let words = response::expand(&[line])?;
        Ok(words.iter().map(|word| directory.join(word)).filter(|path| path.is_file()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_with_an_index_follow_the_same_link_without() {
        let all = all();
        for (at, index) in all.iter().enumerate().filter(|(_, w)| w.expects.gdb_index) {
            let plain = all[..at].iter().filter(|plain| index.is_index_over(plain));
            let plain: Vec<_> = plain.map(|plain| format!("{}-index", plain.name)).collect();
            assert_eq!(plain, [index.name]);
        }
    }

    #[test]
    fn a_corpus_moves_out_of_building() {
        assert_eq!(settled(Path::new("/cache/building/cxx")), Path::new("/cache/cxx"));
    }
}
