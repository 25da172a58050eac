//! Objects of earlier links, in the directory that `--thinlto-cache-dir` names.

use super::jobs::Job;
use super::pruning::{PREFIX, Policy};
use std::fs;
use std::path::PathBuf;

/// The cache's directory and policy.
pub struct Cache {
    directory: PathBuf,
    policy: Policy,
}

impl Cache {
    /// Whether an option of the plugin concerns the cache. The plugin does not get these options,
    /// as it compiles nothing itself.
    pub fn is_option(option: &str) -> bool {
        option.starts_with("cache-dir=") || option.starts_with("cache-policy=")
    }

    /// The cache that options ask for.
    ///
    /// # Errors
    /// A message if the directory cannot be made, or the policy is invalid.
    pub fn asked(options: &[String]) -> Result<Option<Cache>, String> {
        let last = |name: &str| options.iter().rev().find_map(|option| option.strip_prefix(name));
        let Some(directory) = last("cache-dir=").map(PathBuf::from) else { return Ok(None) };
        let policy = last("cache-policy=").map_or_else(|| Ok(Policy::default()), Policy::parse)?;
        fs::create_dir_all(&directory)
            .map_err(|error| format!("cache {}: {error}", directory.display()))?;
        Ok(Some(Cache { directory, policy }))
    }

    fn path(&self, job: &Job) -> Option<PathBuf> {
        Some(self.directory.join(format!("{PREFIX}{:032x}", job.key?)))
    }

    /// Looks up the object of a job; if there is one, it is put where the job would have put it.
    pub fn has(&self, job: &Job) -> bool {
        self.path(job).is_some_and(|path| {
            let is_here = fs::copy(&path, &job.object).is_ok();
            if is_here {
                // Using an object makes it young, so that it is not pruned first.
                let file = fs::File::options().write(true).open(&path);
                let _ = file.and_then(|file| file.set_modified(std::time::SystemTime::now()));
            }
            is_here
        })
    }

    /// Keeps the object of a job. A cache that cannot be written to is ignored.
    pub fn keep(&self, job: &Job) {
        let Some(path) = self.path(job) else { return };
        // Written under another name, because others may look it up meanwhile.
        let unfinished = self.directory.join(format!("skald.{}.tmp", std::process::id()));
        let kept = fs::copy(&job.object, &unfinished).and_then(|_| fs::rename(&unfinished, path));
        if kept.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
    }

    /// Removes the files that the policy does not keep.
    pub fn prune(&self) {
        self.policy.prune(&self.directory);
    }
}
