//! The process that runs a target on inputs. It notes the number of each input before it runs it,
//! so that its parent knows which input killed it.

use super::corpus::Corpus;
use super::mutate;
use super::targets::Target;
use crate::Result;
use nix::sys::resource::{Resource, setrlimit};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Limit of the process's address space, in bytes.
const MEMORY_LIMIT: u64 = 8 << 30;

/// Tries the inputs from `first` to before `last`, noting their numbers in `place`.
pub fn run(target: Target, corpus: &Corpus, first: u64, last: u64, place: &Path) -> Result<()> {
    limit()?;
    let place = File::create(place).map_err(|e| format!("{}: {e}", place.display()))?;
    for number in first..last {
        place.write_all_at(&number.to_le_bytes(), 0).map_err(|e| e.to_string())?;
        let input = mutate::input(&corpus.inputs, corpus.words, number);
        target(&input);
    }
    Ok(())
}

/// Tries one file's bytes.
pub fn file(target: Target, path: &Path) -> Result<()> {
    limit()?;
    let input = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    target(&input);
    Ok(())
}

/// Limits memory, and makes a panic of any thread abort the process.
fn limit() -> Result<()> {
    setrlimit(Resource::RLIMIT_AS, MEMORY_LIMIT, MEMORY_LIMIT).map_err(|e| e.to_string())?;
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("{panic}");
        std::process::abort();
    }));
    Ok(())
}
