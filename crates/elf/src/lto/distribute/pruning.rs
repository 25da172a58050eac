//! Which files of a cache are removed: the policy of `--thinlto-cache-policy` (LLVM's
//! `CachePruning`; clang's documentation, "ThinLTO", "Cache Pruning").

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The prefix of cached files' names: the same as LLVM's, so that both prune the same files.
pub const PREFIX: &str = "llvmcache-";
/// The file whose modification time is that of the last pruning.
const TIMESTAMP: &str = "llvmcache.timestamp";

/// When files of the cache are removed, and which.
#[derive(Debug, PartialEq, Eq)]
pub struct Policy {
    /// `prune_interval`: the least time between prunings; `None` for never.
    interval: Option<Duration>,
    /// `prune_after`: files not used for this long are removed; zero for never.
    after: Duration,
    /// `cache_size`: at most this percentage of the space that would be free without the cache; 0
    /// for no limit.
    percent: u64,
    /// `cache_size_bytes`: at most this many bytes; 0 for no limit.
    bytes: u64,
    /// `cache_size_files`: at most this many files; 0 for no limit.
    files: u64,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            interval: Some(Duration::from_secs(20 * 60)),
            after: Duration::from_secs(7 * 24 * 3600),
            percent: 75,
            bytes: 0,
            files: 1_000_000,
        }
    }
}

impl Policy {
    /// The policy that a text such as `prune_after=24h:cache_size=50%` describes.
    ///
    /// # Errors
    /// A message that says what is wrong with it.
    pub fn parse(text: &str) -> Result<Policy, String> {
        let mut policy = Policy::default();
        for part in text.split(':').filter(|part| !part.is_empty()) {
            let wrong = || format!("--thinlto-cache-policy: {part} is not understood");
            let (key, value) = part.split_once('=').ok_or_else(wrong)?;
            let set = match key {
                "prune_interval" => duration(value).map(|d| policy.interval = Some(d)),
                "prune_after" => duration(value).map(|d| policy.after = d),
                "cache_size" => percent(value).map(|p| policy.percent = p),
                "cache_size_bytes" => bytes(value).map(|b| policy.bytes = b),
                "cache_size_files" => value.parse().ok().map(|f| policy.files = f),
                _ => None,
            };
            set.ok_or_else(wrong)?;
        }
        Ok(policy)
    }

    /// Removes the files in a directory that are not to be kept.
    pub fn prune(&self, directory: &Path) {
        let Some(interval) = self.interval else { return };
        let now = SystemTime::now();
        let timestamp = directory.join(TIMESTAMP);
        let last = fs::metadata(&timestamp).and_then(|data| data.modified());
        let is_recent = |last| now.duration_since(last).is_ok_and(|since| since < interval);
        if last.is_ok_and(is_recent) {
            return;
        }
        if fs::write(&timestamp, "").is_err() {
            return;
        }
        let mut files = cached(directory);
        // The least recently used come first.
        files.sort();
        let mut size: u64 = files.iter().map(|(.., size)| size).sum();
        let room = skald_host::files::free_space(directory).map_or(u64::MAX, |free| {
            (free.saturating_add(size) / 100).saturating_mul(self.percent)
        });
        let room = if self.percent == 0 { u64::MAX } else { room };
        let most = if self.bytes == 0 { room } else { room.min(self.bytes) };
        let mut count = files.len() as u64;
        for (time, path, bytes) in files {
            let age = now.duration_since(time).unwrap_or_default();
            let is_old = !self.after.is_zero() && age > self.after;
            let is_many = self.files != 0 && count > self.files;
            if !is_old && !is_many && size <= most {
                break;
            }
            if fs::remove_file(path).is_ok() {
                (size, count) = (size - bytes, count - 1);
            }
        }
    }
}

/// The files of a cache: when they were used, where they are and how large.
fn cached(directory: &Path) -> Vec<(SystemTime, PathBuf, u64)> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let file = |entry: fs::DirEntry| {
        let is_cached = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
        let data = entry.metadata().ok().filter(|data| is_cached && data.is_file())?;
        Some((data.modified().ok()?, entry.path(), data.len()))
    };
    entries.filter_map(file).collect()
}

fn duration(text: &str) -> Option<Duration> {
    let seconds = |number: &str, each: u64| number.parse::<u64>().ok()?.checked_mul(each);
    let all = [('s', 1), ('m', 60), ('h', 3600)];
    let (unit, each) = all.into_iter().find(|&(unit, _)| text.ends_with(unit))?;
    seconds(text.strip_suffix(unit)?, each).map(Duration::from_secs)
}

fn percent(text: &str) -> Option<u64> {
    text.strip_suffix('%')?.parse().ok().filter(|&percent| percent <= 100)
}

fn bytes(text: &str) -> Option<u64> {
    let all = [('k', 1 << 10), ('m', 1 << 20), ('g', 1 << 30)];
    let unit = all.into_iter().find(|&(unit, _)| text.to_ascii_lowercase().ends_with(unit));
    let (digits, each) = match unit {
        Some((_, each)) => (&text[..text.len() - 1], each),
        None => (text, 1),
    };
    digits.parse::<u64>().ok()?.checked_mul(each)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_those_of_llvm() {
        let policy = Policy::parse(
            "prune_interval=30s:prune_after=24h:cache_size=50%:cache_size_bytes=2g:\
             cache_size_files=7",
        );
        let seconds = Duration::from_secs;
        let expected = Policy {
            interval: Some(seconds(30)),
            after: seconds(24 * 3600),
            percent: 50,
            bytes: 2 << 30,
            files: 7,
        };
        assert_eq!(policy, Ok(expected));
        for wrong in ["x", "prune_after=1", "cache_size=101%", "cache_size_files=a", "other=1s"] {
            assert!(Policy::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_oldest_files_go_first() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = |name: &str| directory.path().join(name);
        for (age, name) in ["a", "b", "c"].iter().enumerate() {
            let path = path(&format!("{PREFIX}{name}"));
            fs::write(&path, [0; 100]).expect("a file");
            let file = fs::File::options().write(true).open(path).expect("the file");
            let time = SystemTime::now() - Duration::from_secs(60 * (age as u64 + 1));
            file.set_modified(time).expect("a time");
        }
        fs::write(path("other"), "").expect("a file");
        let exists = |name: &str| path(&format!("{PREFIX}{name}")).exists();
        let prune = |text: &str| {
            let text = format!("prune_interval=0s:cache_size=0%:{text}");
            Policy::parse(&text).expect("a policy").prune(directory.path());
        };
        prune("cache_size_files=2");
        assert_eq!((exists("a"), exists("b"), exists("c")), (true, true, false));
        prune("cache_size_bytes=150");
        assert_eq!((exists("a"), exists("b")), (true, false));
        prune("prune_after=30s");
        assert!(!exists("a") && path("other").exists());
    }
}
