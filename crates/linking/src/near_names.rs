//! Finds the defined name that is nearest to an undefined one, for a hint in the message.
//!
//! One pass over all defined names serves all undefined ones. A candidate is, best first, the same
//! name with another version, or the same name where it is not visible (local to a file, hidden in
//! a library). Then the same function with other language linkage (`extern "C"`), or the virtual
//! table of a class whose type information is missing. Last come the same C++ function with other
//! parameters, and a name with one to three typing errors. Of candidates of one kind the nearest
//! wins, then the least name, then the first file: the order of the pass does not matter.
//!
//! Typing errors are those of [`super::spelling`]: 10 million names take about a second.

use super::spelling::{MAX_ERRORS, errors};
use skald_core::demangle::demangle_cxx;

/// Longest name, in bytes, that is searched for typing errors.
const MAX_COMPARED: usize = 1024;

/// Which files can refer to a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Every file of the link.
    Global,
    /// Its own object only.
    Local,
    /// Its own shared library only.
    Hidden,
    /// Programs that ask for its version: it is not the default one, or the name has none.
    OldVersion,
}

/// Shortest library name that is suggested as the right spelling of another: libraries have
/// thousands of names, and among short ones something is always near.
const MIN_LIBRARY_NAME: usize = 4;

/// A definition that may be suggested.
#[derive(Debug, Clone, Copy)]
pub struct DefinedName<'a> {
    /// The symbol's name, mangled, without version.
    pub name: &'a [u8],
    /// The symbol's version; empty without one.
    pub version: &'a [u8],
    /// A shared library defines it, not an object of the link.
    pub in_library: bool,
    /// Position on the command line of the file that defines it.
    pub file: u32,
    /// Which files can refer to it.
    pub reach: Reach,
}

/// The definition nearest to an undefined name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NearName<'a> {
    /// In what way it is near.
    pub kind: Kind,
    /// The definition's name: [`DefinedName::name`].
    pub name: &'a [u8],
    /// Its version: [`DefinedName::version`].
    pub version: &'a [u8],
    /// Its file: [`DefinedName::file`].
    pub file: u32,
}

/// The definition nearest to each of `undefined` (mangled names); `None` where none is near.
pub fn find<'a>(
    undefined: &[&[u8]],
    defined: impl Iterator<Item = DefinedName<'a>>,
) -> Vec<Option<NearName<'a>>> {
    if undefined.is_empty() {
        return Vec::new();
    }
    let mut searches: Vec<Search<'_, 'a>> =
        undefined.iter().map(|name| Search::new(name)).collect();
    for candidate in defined {
        for search in &mut searches {
            search.consider(&candidate);
        }
    }
    let near = |search: Search<'_, 'a>| {
        let (kind, _, name, file, version) = search.best?;
        Some(NearName { kind, name, version, file })
    };
    searches.into_iter().map(near).collect()
}

/// A name without its version.
pub fn unversioned(name: &[u8]) -> &[u8] {
    split_version(name).0
}

/// The name without version, and the version if it has one.
fn split_version(name: &[u8]) -> (&[u8], Option<&[u8]>) {
    match name.iter().position(|&b| b == b'@') {
        Some(at) if at > 0 => (&name[..at], Some(&name[at + 1..])),
        _ => (name, None),
    }
}

/// In what way a candidate is near, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The same name with another version than the wanted one.
    OtherVersion,
    /// The same name in an old version only, where no version is wanted.
    OldVersion,
    /// The same name, hidden in a library.
    Hidden,
    /// The same name, local to its file.
    Local,
    /// A C function of that name; the undefined one is C++.
    InC,
    /// A C++ function of that name; the undefined one is C.
    InCxx,
    /// The virtual table of the class whose type information is undefined.
    TableOnly,
    /// The same function with a `std::string` of the other ABI.
    OtherString,
    /// The same function with other parameters.
    OtherParameters,
    /// A name with few typing errors.
    Misspelled,
}

/// Kind, typing errors, name, file, version: the least is the best.
type Candidate<'a> = (Kind, usize, &'a [u8], u32, &'a [u8]);

/// The search for one undefined name.
struct Search<'u, 'a> {
    /// The undefined name without version.
    name: &'u [u8],
    version: Option<&'u [u8]>,
    /// `_ZTV5Shape` if the name is `_ZTI5Shape`.
    table: Option<Vec<u8>>,
    /// The function's name without parameters, if `name` is C++; without scope or templates it
    /// could also be a C function.
    cxx_base: Option<String>,
    /// `_Z3foo` if `name` is `foo`: how C++ functions of that name begin.
    as_cxx: Vec<u8>,
    /// The undefined name's part between prefix and parameters: [`path_of`].
    path: Option<&'u [u8]>,
    /// The undefined name is C++ and has parameters.
    is_cxx_function: bool,
    max_errors: usize,
    best: Option<Candidate<'a>>,
}

impl<'u, 'a> Search<'u, 'a> {
    fn new(name: &'u [u8]) -> Search<'u, 'a> {
        let (name, version) = split_version(name);
        let demangled = demangle_cxx(name);
        let cxx_base = demangled.as_ref().map(|text| without_parameters(text).to_owned());
        let max_errors = match &cxx_base {
            _ if name.len() > MAX_COMPARED => 0,
            Some(base) => (typing_errors(base.len()) + 1).min(MAX_ERRORS),
            None => typing_errors(name.len()),
        };
        Search {
            name,
            version,
            table: name.strip_prefix(b"_ZTI").map(|class| [b"_ZTV", class].concat()),
            as_cxx: [b"_Z", name.len().to_string().as_bytes(), name].concat(),
            path: path_of(name),
            is_cxx_function: demangled.is_some_and(|text| is_function(&text)),
            cxx_base,
            max_errors,
            best: None,
        }
    }

    fn consider(&mut self, candidate: &DefinedName<'a>) {
        let Some((kind, errors)) = self.kind(candidate) else { return };
        let found = (kind, errors, candidate.name, candidate.file, candidate.version);
        if self.best.is_none_or(|best| found < best) && self.is_plausible(&found) {
            self.best = Some(found);
        }
    }

    fn kind(&self, candidate: &DefinedName<'a>) -> Option<(Kind, usize)> {
        let name = candidate.name;
        if name == self.name {
            let kind = match candidate.reach {
                Reach::Local => Kind::Local,
                Reach::Hidden => Kind::Hidden,
                Reach::OldVersion if self.version.is_none() => Kind::OldVersion,
                _ if self.version.is_some_and(|version| version != candidate.version) => {
                    Kind::OtherVersion
                }
                _ => return None,
            };
            return Some((kind, 0));
        }
        if candidate.reach != Reach::Global {
            return None;
        }
        if self.table.as_deref() == Some(name) {
            return Some((Kind::TableOnly, 0));
        }
        match &self.cxx_base {
            Some(base) if base.as_bytes() == name => return Some((Kind::InC, 0)),
            None if name.starts_with(&self.as_cxx) => return Some((Kind::InCxx, 0)),
            _ => {}
        }
        // C and C++ names differ throughout, so errors are counted within one language.
        if self.cxx_base.is_some() != name.starts_with(b"_Z") {
            return None;
        }
        let has_path = |path| after_prefix(name).is_some_and(|rest| rest.starts_with(path));
        if self.path.is_some_and(has_path) {
            let other = is_new_string(self.name) != is_new_string(name)
                && is_string(self.name)
                && is_string(name);
            return Some((if other { Kind::OtherString } else { Kind::OtherParameters }, 0));
        }
        if candidate.in_library && name.len() < MIN_LIBRARY_NAME {
            return None;
        }
        if self.max_errors > 0 && self.name.eq_ignore_ascii_case(name) {
            return Some((Kind::Misspelled, 1));
        }
        errors(self.name, name, self.max_errors).map(|errors| (Kind::Misspelled, errors))
    }

    /// Checks a candidate, found by mangled names, by the demangled ones; this is slow and done
    /// only for a candidate better than the best so far.
    fn is_plausible(&self, &(kind, _, name, ..): &Candidate<'a>) -> bool {
        let text = || demangle_cxx(name);
        match (kind, &self.cxx_base) {
            // `_Z3foo` also begins `foobar<...>` and variables.
            (Kind::InCxx, _) => {
                text().is_some_and(|text| without_parameters(&text).as_bytes() == self.name)
            }
            (Kind::OtherParameters | Kind::OtherString, Some(mine)) => {
                text().is_some_and(|text| without_parameters(&text) == mine)
            }
            (Kind::Misspelled, Some(mine)) => text().is_some_and(|text| {
                self.is_cxx_function == is_function(&text)
                    && is_misspelled(mine, without_parameters(&text))
            }),
            _ => true,
        }
    }
}

/// Whether a mangled name contains `std::string`, of the C++11 ABI or the one before.
fn is_string(name: &[u8]) -> bool {
    is_new_string(name) || name.windows(2).any(|part| part == b"Ss")
}

/// Whether a mangled name has a `std::string` of the C++11 ABI (`_GLIBCXX_USE_CXX11_ABI`).
fn is_new_string(name: &[u8]) -> bool {
    name.windows(7).any(|part| part == b"__cxx11")
}

/// How many typing errors a name of so many characters may have to be suggested.
fn typing_errors(length: usize) -> usize {
    match length {
        0..3 => 0,
        3..8 => 1,
        _ => 2,
    }
}

/// A demangled function name, cut before its parameters.
pub fn without_parameters(text: &str) -> &str {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '(' if depth == 0 && at > 0 => return &text[..at],
            _ => {}
        }
    }
    text
}

/// Whether one C++ name without parameters may be the other with typing errors.
fn is_misspelled(mine: &str, other: &str) -> bool {
    // A difference of `~` alone is constructor and destructor, not a typing error.
    mine.contains('~') == other.contains('~')
        && mine != other
        && (mine.eq_ignore_ascii_case(other)
            || errors(mine.as_bytes(), other.as_bytes(), limit(mine, other)).is_some())
}

/// Typing errors that one C++ name may have and still be the other: fewer where only a scope, or
/// only what is in it, is misspelled. `Box::x` and `Box::y` are two names, as are `typeinfo for A`
/// and `typeinfo for B`.
fn limit(mine: &str, other: &str) -> usize {
    let class = |text: &str| text.rsplit_once(" for ").map_or(text, |parts| parts.1).to_owned();
    let (mine, other) = (class(mine), class(other));
    match (mine.rsplit_once("::"), other.rsplit_once("::")) {
        (Some((scope, last)), Some((same, _))) if scope == same => typing_errors(last.len()),
        (Some((scope, last)), Some((_, same))) if last == same => typing_errors(scope.len()),
        _ => typing_errors(mine.len()),
    }
}

fn is_function(demangled: &str) -> bool {
    without_parameters(demangled).len() < demangled.len()
}

/// The part behind a mangled name's prefix, also behind that of a `const` member and the like.
fn after_prefix(name: &[u8]) -> Option<&[u8]> {
    let name = name.strip_prefix(b"_Z")?;
    let Some(nested) = name.strip_prefix(b"N") else { return Some(name) };
    let qualifiers = nested.iter().take_while(|byte| b"rVKRO".contains(byte)).count();
    Some(&nested[qualifiers..])
}

/// The part of a mangled function between its prefix and its parameters, if it is a plain name
/// (`_Z3foo`) or a nested one of plain names, constructors and destructors (`_ZN2ns3fooE`), Itanium
/// C++ ABI section 5.1.2.
fn path_of(name: &[u8]) -> Option<&[u8]> {
    let is_nested = name.starts_with(b"_ZN");
    let path = after_prefix(name)?;
    let mut at = 0;
    loop {
        let digits = path[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        let is_special = is_nested && matches!(&path[at..], [b'C' | b'D', b'0'..=b'3', ..]);
        let length: usize = if is_special {
            2
        } else {
            std::str::from_utf8(&path[at..at + digits]).ok()?.parse().ok()?
        };
        at = at.checked_add(digits)?.checked_add(length).filter(|&at| at < path.len())?;
        if !is_nested {
            return Some(&path[..at]);
        }
        if path[at] == b'E' {
            return Some(&path[..=at]);
        }
    }
}

#[cfg(test)]
mod tests;
