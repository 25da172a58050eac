//! Messages about undefined symbols.
//!
//! The link itself records of references only that there is one. Here the objects that refer to
//! undefined symbols are read again ([`find_sites`]), a few references to each symbol are located,
//! and a hint is searched for ([`render`]). This is independent of the link's tables: the caller
//! passes the name of a file, its bytes, and which of its sections are live.

use skald_core::unordered::UnorderedMap;
use skald_linking::near_names::DefinedName;

use super::hints;
use super::location::{Site, display_name, locate};
use super::messages::{Hint, UndefinedReport, Visibility};
use super::object_view::ObjectView;
use super::{known_names, unlinked_libraries};
use crate::format::encoding::Encoding;
use std::borrow::Cow;
use std::path::PathBuf;

/// How many references to a symbol a message lists, as with lld.
pub const MAX_LISTED: usize = 3;

/// An undefined symbol, and the references to it.
#[derive(Debug, Clone)]
pub struct UndefinedSymbol<'a> {
    /// The name in the link: mangled, with its version if it has one.
    pub name: &'a [u8],
    /// The spelling in objects, which is another one under `--wrap`.
    pub written: Cow<'a, [u8]>,
    /// The strictest visibility that a reference asks for.
    pub visibility: Visibility,
    /// References in command-line order: the first [`MAX_LISTED`].
    pub sites: Vec<Site<'a>>,
    /// How many references there are, in `sites` or not.
    pub total_references: usize,
}

impl<'a> UndefinedSymbol<'a> {
    /// A symbol without references so far, to be filled by [`find_sites`].
    pub fn new(name: &'a [u8], visibility: Visibility) -> UndefinedSymbol<'a> {
        let written = Cow::Borrowed(name);
        UndefinedSymbol { name, written, visibility, sites: Vec::new(), total_references: 0 }
    }
}

/// An object that refers to undefined symbols.
pub struct Referrer<'a, 'f> {
    /// The name of the object in messages.
    pub file_name: &'f str,
    /// The bytes of the object.
    pub object: &'a [u8],
    /// Whether the section with this section header index is in the output.
    pub is_live: &'f dyn Fn(u32) -> bool,
}

/// Adds the references of one object to `symbols`. To be called for the objects in the order of
/// the command line. References from sections that are not live or not loaded do not count.
pub fn find_sites<'a>(symbols: &mut [UndefinedSymbol<'a>], referrer: &Referrer<'a, '_>) {
    let Some(object) = ObjectView::parse(referrer.object) else { return };
    let written = symbols.iter().map(|symbol| symbol.written.to_vec());
    let by_name: UnorderedMap<Vec<u8>, usize> = written.zip(0..).collect();
    object.visit_references(|section_index, section_offset, name| {
        if let Some(&index) = by_name.get(name)
            && (referrer.is_live)(section_index)
        {
            let symbol = &mut symbols[index];
            symbol.total_references += 1;
            if symbol.sites.len() < MAX_LISTED {
                symbol.sites.push(Site {
                    file_name: referrer.file_name.to_owned(),
                    object: referrer.object,
                    section_index,
                    section_offset,
                });
            }
        }
        true
    });
}

/// Where to search for libraries that are not in the link.
pub struct SearchPath<'f> {
    /// The directories of `-L`.
    pub directories: &'f [PathBuf],
    /// Files of the link: a library with the name of one of them is skipped.
    pub linked: &'f [PathBuf],
    /// `-static`: no shared library would be used.
    pub only_archives: bool,
    /// How the libraries of the link store their tables.
    pub encoding: Encoding,
}

/// If more messages name one library, only the first of them does, for all.
const MAX_REPEATED: usize = 3;

/// For each of `names` the library in the search path that defines it.
pub fn in_libraries(names: &[&[u8]], path: &SearchPath<'_>) -> Vec<Option<Hint>> {
    let mut hints = vec![None; names.len()];
    look_in_libraries(names, &mut hints, path);
    tell_once(&mut hints);
    hints
}

/// Definitions similar to `names`. No relocation refers to these names.
pub fn alike<'d>(
    names: &[&[u8]],
    defined: impl Iterator<Item = DefinedName<'d>>,
    file_name: &dyn Fn(u32) -> String,
    demangled: bool,
) -> Vec<Option<Hint>> {
    let is_alike = |hint: &Hint| {
        matches!(hint, Hint::Similar { .. } | Hint::DefinedInCxx { .. } | Hint::Local { .. })
    };
    let found = hints::find(names, defined, file_name, demangled);
    found.into_iter().map(|hint| hint.filter(is_alike)).collect()
}

/// Replaces the hint of a similar name by that of a library that defines exactly this name.
fn look_in_libraries(names: &[&[u8]], hints: &mut [Option<Hint>], path: &SearchPath<'_>) {
    let is_vague = |index: usize| {
        let may_be_better = matches!(
            hints[index],
            None | Some(Hint::Similar { .. } | Hint::Known(_) | Hint::Local { .. })
        );
        may_be_better && !known_names::is_told(names[index])
    };
    let open: Vec<usize> = (0..names.len()).filter(|&i| is_vague(i)).collect();
    if open.is_empty() {
        return;
    }
    let wanted: Vec<&[u8]> = open.iter().map(|&index| names[index]).collect();
    let SearchPath { directories, linked, only_archives, encoding } = *path;
    let found = unlinked_libraries::find(&wanted, directories, linked, only_archives, encoding);
    for (index, library) in open.into_iter().zip(found) {
        if let Some(library) = library {
            let advice = library.advice();
            let library = library.path.display().to_string();
            hints[index] = Some(Hint::NotLinked { library, advice, others: 0 });
        }
    }
}

/// If a library is missing, everything that is used of it is undefined. Fifty equal hints would
/// hide other errors.
fn tell_once(hints: &mut [Option<Hint>]) {
    let mut users: UnorderedMap<String, Vec<usize>> = UnorderedMap::default();
    for (index, hint) in hints.iter().enumerate() {
        if let Some(Hint::NotLinked { library, .. }) = hint {
            users.entry(library.clone()).or_default().push(index);
        }
    }
    for (index, hint) in hints.iter_mut().enumerate() {
        let Some(Hint::NotLinked { library, others, .. }) = hint else { continue };
        let users = &users[library];
        if users.len() <= MAX_REPEATED {
            continue;
        }
        if users[0] == index {
            *others = users.len() - 1;
        } else {
            *hint = None;
        }
    }
}

/// The messages, one for each of `symbols` and in their order. `defined` is every definition there
/// is, in any order, or nothing to go without hints; `file_name` names its files; `libraries` are
/// further places to search; `demangled` is the option `--demangle`.
///
/// The caller passes only the symbols for which it prints messages, and the names of the others as
/// `unprinted`.
pub fn render<'d>(
    symbols: &[UndefinedSymbol<'_>],
    unprinted: &[&[u8]],
    defined: impl Iterator<Item = DefinedName<'d>>,
    file_name: &dyn Fn(u32) -> String,
    libraries: &SearchPath<'_>,
    demangled: bool,
) -> Vec<String> {
    let mut names: Vec<&[u8]> = symbols.iter().map(|symbol| symbol.name).collect();
    let mut hints = hints::find(&names, defined, file_name, demangled);
    names.extend(unprinted);
    hints.resize(names.len(), None);
    look_in_libraries(&names, &mut hints, libraries);
    tell_once(&mut hints);
    let listed = |symbol: &UndefinedSymbol<'_>| symbol.sites.len().min(MAX_LISTED);
    let sites: Vec<Site<'_>> =
        symbols.iter().flat_map(|symbol| &symbol.sites[..listed(symbol)]).cloned().collect();
    let mut places = locate(&sites, demangled).into_iter();
    let report = |(symbol, hint): (&UndefinedSymbol<'_>, _)| UndefinedReport {
        name: display_name(symbol.name, demangled).into_owned(),
        visibility: symbol.visibility,
        references: places.by_ref().take(listed(symbol)).collect(),
        total_references: symbol.total_references,
        hint,
    };
    symbols.iter().zip(hints).map(report).map(|report| report.render()).collect()
}
