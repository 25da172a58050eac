//! `-rpath-link`: finds libraries that are needed by libraries but are not part of the link, for
//! the check of undefined names in libraries. References do not bind to their symbols, except with
//! `--copy-dt-needed-entries`, which makes them inputs.
//!
//! The search is GNU ld's: in the directories of `-rpath-link`, of `-rpath`, of the library that
//! needs them (`DT_RUNPATH` or `DT_RPATH`, with `$ORIGIN`), in `LD_LIBRARY_PATH` and in the
//! directories of `-l`. Without either option there is no search, and the loader will report
//! missing libraries.

use crate::args::{Input, InputName, Options};
use crate::diagnose::order::MessageKind;
use crate::format::encoding::Encoding;
use crate::read::candidates::Candidates;
use crate::read::{LibraryId, SharedFile};
use crate::resolve::tables::Tables;
use skald_core::diag::Diag;
use skald_core::ids::Column;
use skald_core::input;
use skald_core::unordered::UnorderedSet;
use skald_host::paths::OsStrBytes;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// No program loads more; the limit stops hostile libraries.
const MAX_LIBRARIES: usize = 1 << 12;

/// All libraries that those of the link need and that are not inputs. If one is not found, that is
/// a warning, and the result is `None`.
pub fn needed_libraries(tables: &Tables<'_>) -> Option<Column<LibraryId, SharedFile>> {
    let candidates = tables.candidates;
    let all = candidates.shared.iter().zip(&candidates.shared_paths);
    let (found, is_complete) = close(all, candidates, tables.options, tables.diag);
    is_complete.then(|| found.into_iter().map(|(shared, _)| shared).collect())
}

/// `--copy-dt-needed-entries`: adds to `late` the libraries that shared libraries need for which it
/// is in force. Such a library is needed by the output if it is used.
pub fn copy_needed(late: &mut Vec<Input>, options: &Options, candidates: &Candidates, diag: &Diag) {
    if !candidates.shared.iter().any(|shared| shared.copies_needed) {
        return;
    }
    let all = candidates.shared.iter().zip(&candidates.shared_paths);
    let copied = all.filter(|(shared, _)| shared.copies_needed);
    let (found, _) = close(copied, candidates, options, diag);
    late.extend(found.into_iter().map(|(shared, path)| {
        let plain = Input::unnamed(InputName::Path(path), false);
        Input { as_needed: true, copies_needed: true, needed_as: Some(shared.soname), ..plain }
    }));
}

/// The libraries outside of the link that `from` need, directly and through others, and whether all
/// were found.
fn close<'a>(
    from: impl Iterator<Item = (&'a SharedFile, &'a PathBuf)>,
    candidates: &Candidates,
    options: &Options,
    diag: &Diag,
) -> (Vec<(SharedFile, PathBuf)>, bool) {
    let mut known: UnorderedSet<Vec<u8>> =
        candidates.shared.iter().map(|s| s.soname.clone()).collect();
    let mut found: Vec<(SharedFile, PathBuf)> = Vec::new();
    let mut wanted: Vec<NeededLibrary> =
        from.flat_map(|(shared, path)| NeededLibrary::all_of(shared, path)).collect();
    wanted.reverse();
    let mut is_complete = true;
    while let Some(next) = wanted.pop() {
        if !known.insert(next.soname.clone()) {
            continue;
        }
        if found.len() == MAX_LIBRARIES {
            return (found, false);
        }
        match open(options, &next) {
            Some((shared, path)) => {
                wanted.extend(NeededLibrary::all_of(&shared, &path).rev());
                found.push((shared, path));
            }
            None => {
                is_complete = false;
                let text = format!(
                    "{}, needed by {}, not found (try using -rpath or -rpath-link)",
                    String::from_utf8_lossy(&next.soname),
                    next.by.display()
                );
                diag.warn(MessageKind::MissingLibrary.key(known.len() as u64), text);
            }
        }
    }
    (found, is_complete)
}

/// A library that another one needs.
struct NeededLibrary {
    soname: Vec<u8>,
    by: PathBuf,
    runpath: &'static [u8],
}

impl NeededLibrary {
    fn all_of<'a>(
        shared: &'a SharedFile,
        path: &'a Path,
    ) -> impl DoubleEndedIterator<Item = NeededLibrary> + 'a {
        let runpath = shared.runpath.unwrap_or_default();
        let wanted = |soname: &&'static [u8]| NeededLibrary {
            soname: soname.to_vec(),
            by: path.to_owned(),
            runpath,
        };
        shared.needed.iter().map(wanted)
    }
}

/// The first file of the name that is a shared library.
fn open(options: &Options, wanted: &NeededLibrary) -> Option<(SharedFile, PathBuf)> {
    let name = OsStr::from_bytes(&wanted.soname);
    let encoding = Encoding::of(options.machine);
    let read = |path: PathBuf| {
        let file = path.is_file().then(|| input::open(&path).ok())??;
        Some((SharedFile::parse(encoding, file.data, &wanted.soname).ok()?, path))
    };
    if wanted.soname.contains(&b'/') {
        return read(PathBuf::from(name));
    }
    let environment = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let own = options.rpath_link.iter().cloned();
    let origin = wanted.by.parent().unwrap_or(Path::new(""));
    let mut directories: Vec<PathBuf> = own.collect();
    directories.extend(split(options.rpath.as_bytes(), origin));
    directories.extend(split(wanted.runpath, origin));
    directories.extend(split(environment.as_bytes(), origin));
    directories.extend(options.library_paths.iter().cloned());
    directories.into_iter().find_map(|directory| read(directory.join(name)))
}

/// The directories in a list, with `$ORIGIN` replaced by `origin`.
fn split(list: &[u8], origin: &Path) -> Vec<PathBuf> {
    let entries = list.split(|&byte| byte == b':').filter(|entry| !entry.is_empty());
    let directory = |entry: &[u8]| {
        let below = entry.strip_prefix(b"$ORIGIN").or(entry.strip_prefix(b"${ORIGIN}"));
        match below {
            Some(rest) => {
                PathBuf::from(OsStr::from_bytes(&[origin.as_os_str().as_bytes(), rest].concat()))
            }
            None => PathBuf::from(OsStr::from_bytes(entry)),
        }
    };
    entries.map(directory).collect()
}
