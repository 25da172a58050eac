//! Libraries in the directories of `-L` that are not part of the link: finds which of them define
//! undefined names, and suggests names for a library that is not found.
//!
//! Only the tables of names of each library are read, one file at a time, and nothing stays open or
//! mapped, because a system directory has hundreds of libraries. If several libraries define a
//! name, the one with the shortest name wins, then the first by name. Neither the order in the
//! directory nor that of the symbols matters.

use crate::format::elf::{Ehdr, Shdr, Sym};
use crate::format::encoding::Encoding;
use crate::format::gnu_hash::gnu_hashes;
use object::elf::{
    SHN_UNDEF, SHT_DYNSYM, SHT_GNU_HASH, SHT_GNU_VERSYM, STB_LOCAL, STV_DEFAULT, STV_PROTECTED,
    VERSYM_HIDDEN,
};
use skald_core::unordered::UnorderedMap;
use skald_host::files::read_exact_at;
use skald_linking::spelling::errors;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Component, Path, PathBuf};

/// At most this many libraries are read.
const MAX_LIBRARIES: usize = 4096;
/// At most this many bytes of a table are read.
const MAX_TABLE: u64 = 64 << 20;
/// At most this many bytes of a text script are read.
const MAX_SCRIPT: u64 = 1 << 16;
/// At most this many files that a text script names are read.
const MAX_NAMED: usize = 8;

/// Run-time libraries of tools, which define many functions of other libraries to intercept their
/// calls.
const WATCHERS: &[&str] = &["asan", "hwasan", "lsan", "msan", "tsan", "ubsan", "mcheck"];

/// A library that `-l` would find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    /// The library's name, as after `-l`.
    pub name: String,
    /// The library's file.
    pub path: PathBuf,
}

impl Library {
    /// What the user can do to link it.
    pub fn advice(&self) -> String {
        match self.name.as_str() {
            "stdc++" => "link with g++, or add -lstdc++".to_owned(),
            "c++" => "link with clang++ -stdlib=libc++, or add -lc++".to_owned(),
            "gfortran" => "link with gfortran, or add -lgfortran".to_owned(),
            name => format!("add -l{name}"),
        }
    }
}

/// For each of `names` the library of `directories` that defines it. Libraries with the name of one
/// of `linked` are skipped. `only_archives` is the option `-static`; `encoding` is how the
/// libraries of the link store their tables.
pub fn find(
    names: &[&[u8]],
    directories: &[PathBuf],
    linked: &[PathBuf],
    only_archives: bool,
    encoding: Encoding,
) -> Vec<Option<Library>> {
    let wanted = NameSearch::new(encoding, names);
    let mut reader = Reader::default();
    let mut found = vec![None; names.len()];
    let linked: Vec<&str> =
        linked.iter().filter_map(|path| stem(path.file_name()?.to_str()?)).collect();
    let all = libraries(directories, only_archives);
    let mut candidates: Vec<(String, PathBuf)> = all
        .into_iter()
        .filter(|(name, _)| !linked.contains(&name.as_str()) && !WATCHERS.contains(&name.as_str()))
        .collect();
    candidates.sort_by(|(a, _), (b, _)| (a.len(), a).cmp(&(b.len(), b)));
    for (name, path) in candidates.into_iter().take(MAX_LIBRARIES) {
        reader.visit_names(&path, 0, &wanted, &mut |index: usize| {
            if found[index].is_none() {
                found[index] = Some(Library { name: name.clone(), path: without_dots(&path) });
            }
        });
    }
    // A name that occurs twice was searched for once.
    names.iter().map(|name| found[wanted.by_name[name]].clone()).collect()
}

/// The names to search for.
struct NameSearch<'a> {
    /// How libraries store their tables.
    encoding: Encoding,
    by_name: UnorderedMap<&'a [u8], usize>,
    /// By length up to 255: whether a name has that length.
    lengths: [bool; 256],
    /// The GNU hashes of the names.
    hashes: Vec<u32>,
}

impl<'a> NameSearch<'a> {
    fn new(encoding: Encoding, names: &[&'a [u8]]) -> NameSearch<'a> {
        let mut lengths = [false; 256];
        names.iter().for_each(|name| lengths[name.len() & 255] = true);
        NameSearch {
            encoding,
            by_name: names.iter().enumerate().map(|(index, &name)| (name, index)).collect(),
            lengths,
            hashes: gnu_hashes(names),
        }
    }

    fn get(&self, name: &[u8]) -> Option<usize> {
        if !self.lengths[name.len() & 255] {
            return None;
        }
        self.by_name.get(name).copied()
    }

    /// Whether a table of `.gnu.hash` has one of the names, or is malformed.
    fn may_be_in(&self, table: &[u8]) -> bool {
        let word = |at: usize| self.encoding.order.get::<u32>(table, 4 * at);
        let filter_word = self.encoding.word_size() / 4;
        let is_there = |hash: u32| {
            let (buckets, first, filter) = (word(0)?, word(1)?, word(2)?);
            let bucket = hash.checked_rem(buckets)? as usize;
            let start = 4 + filter_word * filter as usize;
            let symbol = word(start + bucket)?;
            if symbol == 0 {
                return Some(false);
            }
            let mut at = start + buckets as usize + symbol.checked_sub(first)? as usize;
            loop {
                let one = word(at)?;
                // The lowest bit ends a chain.
                if (one ^ hash) & !1 == 0 {
                    return Some(true);
                }
                if one & 1 != 0 {
                    return Some(false);
                }
                at += 1;
            }
        };
        self.hashes.iter().any(|&hash| is_there(hash).unwrap_or(true))
    }
}

/// What to report about a library that is not found: that it exists in part, or under another name.
pub fn missing(name: &str, directories: &[PathBuf], only_archives: bool) -> Option<String> {
    if name.starts_with(':') {
        return None;
    }
    let is_there = |name: &str| {
        directories.iter().any(|dir| archive_or_shared(dir, name, only_archives).is_some())
    };
    let bare = name.strip_prefix("lib").unwrap_or(name);
    let bare = bare.strip_suffix(".so").or_else(|| bare.strip_suffix(".a")).unwrap_or(bare);
    if bare != name && is_there(bare) {
        return Some(format!("did you mean: -l{bare}"));
    }
    let shared = format!("lib{name}.so");
    for dir in directories {
        if only_archives && dir.join(&shared).is_file() {
            return Some(format!(
                "{} is there, but a static link takes archives only: lib{name}.a",
                without_dots(&dir.join(&shared)).display()
            ));
        }
    }
    if let Some(path) = directories.iter().find_map(|dir| only_for_running(dir, &shared)) {
        return Some(format!(
            "{} is there, but not {shared}: install the library's package for development",
            without_dots(&path).display()
        ));
    }
    let near = |(other, path): (String, PathBuf)| {
        // A library of exactly this name exists for another machine, otherwise it would have been
        // found.
        if name == other {
            return None;
        }
        let limit = if name.len() < 4 { 0 } else { 1 + usize::from(name.len() >= 8) };
        let errors = if name.eq_ignore_ascii_case(&other) {
            0
        } else {
            errors(name.as_bytes(), other.as_bytes(), limit)?
        };
        Some((errors, other, path))
    };
    let (_, other, path) =
        libraries(directories, only_archives).into_iter().filter_map(near).min()?;
    Some(format!("did you mean: -l{other}\n>>> found: {}", without_dots(&path).display()))
}

/// The path without `..`, which is frequent in compilers' directories.
fn without_dots(path: &Path) -> PathBuf {
    let has_dots = path.components().any(|part| part == Component::ParentDir);
    match (path.parent().map(Path::canonicalize), path.file_name()) {
        (Some(Ok(directory)), Some(name)) if has_dots => directory.join(name),
        _ => path.to_owned(),
    }
}

/// `libfoo.so.1`, if `shared` is `libfoo.so`: the first by name.
fn only_for_running(dir: &Path, shared: &str) -> Option<PathBuf> {
    let names =
        fs::read_dir(dir).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let is_version = |name: &String| {
        let rest = name.strip_prefix(shared).and_then(|rest| rest.strip_prefix('.'));
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    names.filter(is_version).min().map(|name| dir.join(name))
}

fn archive_or_shared(dir: &Path, name: &str, only_archives: bool) -> Option<PathBuf> {
    let shared = dir.join(format!("lib{name}.so"));
    let archive = dir.join(format!("lib{name}.a"));
    if !only_archives && shared.is_file() {
        return Some(shared);
    }
    archive.is_file().then_some(archive)
}

/// All libraries that `-l` finds, by name.
fn libraries(directories: &[PathBuf], only_archives: bool) -> BTreeMap<String, PathBuf> {
    let mut all = BTreeMap::new();
    for dir in directories {
        let Ok(entries) = fs::read_dir(dir) else { continue };
        let mut here: BTreeMap<String, PathBuf> = BTreeMap::new();
        for file_name in entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()) {
            let is_shared = file_name.ends_with(".so");
            if !is_shared && !file_name.ends_with(".a") || is_shared && only_archives {
                continue;
            }
            let Some(name) = stem(&file_name) else { continue };
            if is_shared || !here.contains_key(name) {
                here.insert(name.to_owned(), dir.join(&file_name));
            }
        }
        for (name, path) in here {
            all.entry(name).or_insert(path);
        }
    }
    all
}

/// `foo` of `libfoo.so`, `libfoo.so.1` and `libfoo.a`.
fn stem(file_name: &str) -> Option<&str> {
    let name = file_name.strip_prefix("lib")?;
    let name = match name.find(".so") {
        Some(at) => &name[..at],
        None => name.strip_suffix(".a")?,
    };
    Some(name).filter(|name| !name.is_empty())
}

/// Reads tables of one library after the other, all into the same memory.
#[derive(Default)]
struct Reader {
    table: Vec<u8>,
    symbols: Vec<u8>,
    strings: Vec<u8>,
    versions: Vec<u8>,
}

impl Reader {
    /// Calls `visit` with the number of each wanted name that a library defines for others.
    fn visit_names(
        &mut self,
        path: &Path,
        depth: usize,
        wanted: &NameSearch<'_>,
        visit: &mut impl FnMut(usize),
    ) {
        let Some(file) = LibraryFile::open(path) else { return };
        let mut head = [0; size_of::<Ehdr>()];
        let len = file.size.min(head.len() as u64) as usize;
        let head = &mut head[..len];
        if read_exact_at(&file.file, head, 0).is_err() {
            return;
        }
        if head.starts_with(b"\x7fELF") {
            self.visit_exports(&file, head, wanted, visit);
        } else if head.starts_with(b"!<arch>\n") {
            self.visit_index(&file, wanted, visit);
        } else if depth == 0
            && let Some(text) = file.read(&mut self.table, 0, file.size.min(MAX_SCRIPT))
        {
            let text = String::from_utf8_lossy(text).into_owned();
            let words = text.split(|c: char| c.is_whitespace() || "(),".contains(c));
            let is_library = |word: &&str| word.starts_with('/') && stem_of_path(word).is_some();
            for named in words.filter(is_library).take(MAX_NAMED) {
                self.visit_names(Path::new(named), 1, wanted, visit);
            }
        }
    }

    /// The names of GNU ar's index, the first member.
    fn visit_index(
        &mut self,
        file: &LibraryFile,
        wanted: &NameSearch<'_>,
        visit: &mut impl FnMut(usize),
    ) -> Option<()> {
        const HEADER: u64 = 60;
        let header = file.read(&mut self.table, 8, HEADER)?;
        if !header.starts_with(b"/ ") {
            return None;
        }
        let size = std::str::from_utf8(&header[48..58]).ok()?.trim().parse().ok()?;
        let index = file.read(&mut self.strings, 8 + HEADER, size)?;
        let count = u32::from_be_bytes(*index.first_chunk()?) as usize;
        let names = index.get(count.checked_mul(4)?.checked_add(4)?..)?;
        let mut start = 0;
        for end in memchr::memchr_iter(0, names).take(count) {
            wanted.get(&names[start..end]).into_iter().for_each(&mut *visit);
            start = end + 1;
        }
        Some(())
    }

    /// The names of a shared library that a plain reference binds to.
    fn visit_exports(
        &mut self,
        file: &LibraryFile,
        head: &[u8],
        wanted: &NameSearch<'_>,
        visit: &mut impl FnMut(usize),
    ) -> Option<()> {
        let encoding = wanted.encoding;
        let header: Ehdr = encoding.read(head)?;
        let count = u64::from(header.e_shnum());
        let size = count * encoding.size::<Shdr>() as u64;
        let table = file.read(&mut self.table, header.e_shoff(), size)?;
        let sections = encoding.records::<Shdr>(table)?;
        let of_type = |wanted| sections.iter().find(|section| section.sh_type() == wanted);
        // Few libraries have any of the names, which the hash table shows quickly.
        if let Some(hashes) = of_type(SHT_GNU_HASH)
            && !wanted.may_be_in(file.content(&mut self.symbols, hashes)?)
        {
            return Some(());
        }
        let dynsym = of_type(SHT_DYNSYM)?;
        let names = sections.get(dynsym.sh_link() as usize)?;
        let strings = file.content(&mut self.strings, names)?;
        let symbols = file.content(&mut self.symbols, dynsym)?;
        let rest = symbols.len() % encoding.size::<Sym>();
        let symbols = encoding.records::<Sym>(&symbols[..symbols.len() - rest])?;
        let versions = of_type(SHT_GNU_VERSYM);
        let versions = versions.and_then(|section| file.content(&mut self.versions, section));
        let versions = versions.unwrap_or_default();
        for (index, symbol) in symbols.iter().enumerate() {
            // The upper bit hides a version from plain references.
            let version = encoding.order.get::<u16>(versions, 2 * index);
            let is_hidden = version.is_some_and(|version| version & VERSYM_HIDDEN != 0);
            let is_export = symbol.st_shndx() != SHN_UNDEF
                && symbol.bind() != STB_LOCAL
                && matches!(symbol.visibility(), STV_DEFAULT | STV_PROTECTED);
            if is_export
                && !is_hidden
                && let Some(rest) = strings.get(symbol.st_name() as usize..)
                && let Some(length) = memchr::memchr(0, rest)
            {
                wanted.get(&rest[..length]).into_iter().for_each(&mut *visit);
            }
        }
        Some(())
    }
}

fn stem_of_path(path: &str) -> Option<&str> {
    stem(Path::new(path).file_name()?.to_str()?)
}

/// A library that is being read.
struct LibraryFile {
    file: File,
    size: u64,
}

impl LibraryFile {
    fn open(path: &Path) -> Option<LibraryFile> {
        let file = File::open(path).ok()?;
        let metadata = file.metadata().ok()?;
        metadata.is_file().then(|| LibraryFile { file, size: metadata.len() })
    }

    fn content<'b>(&self, buffer: &'b mut Vec<u8>, section: &Shdr) -> Option<&'b [u8]> {
        self.read(buffer, section.sh_offset(), section.sh_size())
    }

    /// Some bytes of the file, if it has them and they are not too many.
    fn read<'b>(&self, buffer: &'b mut Vec<u8>, at: u64, size: u64) -> Option<&'b [u8]> {
        if size > MAX_TABLE || at.checked_add(size)? > self.size {
            return None;
        }
        if buffer.len() < size as usize {
            buffer.resize(size as usize, 0);
        }
        let bytes = &mut buffer[..size as usize];
        read_exact_at(&self.file, bytes, at).ok()?;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::encoding::ALL;

    #[test]
    fn stems_are_what_stands_behind_l() {
        assert_eq!(stem("libfoo.so"), Some("foo"));
        assert_eq!(stem("libfoo.so.1.2"), Some("foo"));
        assert_eq!(stem("libfoo.a"), Some("foo"));
        assert_eq!(stem("libstdc++.so.6"), Some("stdc++"));
        assert_eq!(stem("foo.so"), None);
        assert_eq!(stem("lib.a"), None);
        assert_eq!(stem("libfoo.o"), None);
    }

    #[test]
    fn garbage_defines_nothing() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let dirs = [directory.path().to_owned()];
        let files: [&[u8]; 5] =
            [b"", b"\x7fELF", b"!<arch>\n", b"!<arch>\n/               ", b"GROUP ( /x/liby.so )"];
        for (number, bytes) in files.iter().enumerate() {
            let path = directory.path().join(format!("lib{number}.a"));
            fs::write(path, bytes).expect("written");
        }
        assert_eq!(find(&[b"f"], &dirs, &[], false, Encoding::NATIVE), [None]);
        assert_eq!(missing("libx", &dirs, false), None);
    }

    #[test]
    fn tables_of_hashes_tell_what_is_there() {
        let [foo, bar] = [gnu_hashes(&[b"foo"])[0], gnu_hashes(&[b"bar"])[0]];
        // One bucket, whose first symbol is the second of all; no filter.
        let words = [1, 1, 0, 0, 1, foo & !1, bar | 1];
        for encoding in ALL {
            let stored = |words: &[u32]| -> Vec<u8> {
                words.iter().flat_map(|&word| encoding.order.bytes(word)).collect()
            };
            let table = stored(&words);
            let has = |name: &[u8], len: usize| {
                NameSearch::new(encoding, &[name]).may_be_in(&table[..len])
            };
            assert!(has(b"foo", table.len()) && has(b"bar", table.len()));
            assert!(!has(b"baz", table.len()));
            // A malformed table does not exclude anything.
            assert!((0..table.len()).all(|len| has(b"bar", len)));
            let empty = stored(&[1, 1, 0, 0, 0]);
            assert!(!NameSearch::new(encoding, &[b"foo"]).may_be_in(&empty));
        }
    }

    #[test]
    fn a_missing_library_may_be_misspelt_or_only_for_running() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let dirs = [directory.path().to_owned()];
        for name in ["libshapes.a", "libssl.so.3", "libz.so"] {
            fs::write(directory.path().join(name), b"").expect("written");
        }
        let text = |name, only_archives| missing(name, &dirs, only_archives).unwrap_or_default();
        assert!(text("shape", false).starts_with("did you mean: -lshapes\n"));
        assert!(text("ssl", false).contains("libssl.so.3 is there, but not libssl.so:"));
        assert!(text("z", true).contains("takes archives only: libz.a"));
        assert_eq!(text("libz", false), "did you mean: -lz");
        assert_eq!(text("libz.so", false), "did you mean: -lz");
        assert_eq!(text("nothing", false), "");
    }
}
