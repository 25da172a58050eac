//! A place in an input, as messages name it.
//!
//! The link knows a [`Site`]: file, section, offset. [`locate`] reads the file again and adds the
//! function and the source line, which a user can act on. Sites of the same object are handled
//! together, so that its debug information is read once, and one object at a time, so that memory
//! holds only one.

use std::borrow::Cow;

use skald_core::demangle::{demangle, escape};
use skald_dwarf::object_dwarf::{ObjectDwarf, SourceLine};

use super::enclosing::Enclosing;
use super::object_view::ObjectView;

/// Where in an input something is: a relocation, a definition.
#[derive(Debug, Clone)]
pub struct Site<'a> {
    /// What the file is called in messages: `a.o`, `libx.a(y.o)`.
    pub file_name: String,
    /// The bytes of the object, which need not be aligned.
    pub object: &'a [u8],
    /// Index in the object's section header table.
    pub section_index: u32,
    /// Bytes from the start of the section.
    pub section_offset: u64,
}

/// A [`Site`] in words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// What the file is called in messages: `a.o`, `libx.a(y.o)`.
    pub file_name: String,
    /// Name of the section.
    pub section: String,
    /// Bytes from the start of the section.
    pub section_offset: u64,
    /// The function or object that the place belongs to, as it is to be printed.
    pub enclosing: Option<String>,
    /// Whether `enclosing` is a function.
    pub in_function: bool,
    /// `a.c:12 (/src/a.c:12)`, or `a.c` if the line is not known.
    pub source: Option<String>,
}

impl Place {
    /// `a.o:(main)`, `a.o:(.text+0x1C)`, `y.o:(main) in archive libx.a`: lld's form in lists of
    /// references and definitions. Hexadecimal digits are upper-case in this form.
    pub fn object_and_symbol(&self) -> String {
        let (file, archive) = match split_member(&self.file_name) {
            Some((archive, member)) => (member, format!(" in archive {archive}")),
            None => (self.file_name.as_str(), String::new()),
        };
        match &self.enclosing {
            Some(enclosing) => format!("{file}:({enclosing}){archive}"),
            None => format!("{file}:({}+0x{:X}){archive}", self.section, self.section_offset),
        }
    }

    /// `libx.a(y.o):(function main: .text+0x1c)`: lld's form in front of an error at the place.
    /// Hexadecimal digits are lower-case in this form.
    pub fn location(&self) -> String {
        let Place { file_name, section, section_offset, .. } = self;
        match self.enclosing.as_ref().filter(|_| self.in_function) {
            Some(name) => format!("{file_name}:(function {name}: {section}+0x{section_offset:x})"),
            None => format!("{file_name}:({section}+0x{section_offset:x})"),
        }
    }

    /// The source line over the object, the second line under `indent`.
    pub(super) fn lines(&self, indent: &str) -> String {
        let object = self.object_and_symbol();
        match &self.source {
            Some(source) => format!("{source}\n>>>{indent}{object}"),
            None => object,
        }
    }
}

/// `libx.a(y.o)` as archive and member.
fn split_member(file_name: &str) -> Option<(&str, &str)> {
    let (archive, member) = file_name.strip_suffix(')')?.rsplit_once('(')?;
    (!archive.is_empty() && !member.is_empty()).then_some((archive, member))
}

/// Finds the description of each site; the result is in the order of `sites`. Names are demangled
/// if `demangled`.
pub fn locate(sites: &[Site<'_>], demangled: bool) -> Vec<Place> {
    locate_by(sites, demangled, &|dwarf, sites| {
        sites
            .iter()
            .map(|site| dwarf.source_line(site.section_index, site.section_offset))
            .collect()
    })
}

/// The same for sites that are the starts of functions, of which there may be many: the lines are
/// those of the functions' heads, whatever was inlined there.
pub fn locate_heads(sites: &[Site<'_>], demangled: bool) -> Vec<Place> {
    locate_by(sites, demangled, &|dwarf, sites| {
        let starts: Vec<(u32, u64)> =
            sites.iter().map(|site| (site.section_index, site.section_offset)).collect();
        dwarf.head_lines(&starts)
    })
}

/// Finds the lines of sites in one object.
type LinesOf = dyn Fn(&ObjectDwarf<'_>, &[&Site<'_>]) -> Vec<Option<SourceLine>>;

fn locate_by(sites: &[Site<'_>], demangled: bool, lines_of: &LinesOf) -> Vec<Place> {
    let mut places = vec![Place::default(); sites.len()];
    // The order of addresses differs between runs. It decides which object is read first, not the
    // result.
    let mut order: Vec<usize> = (0..sites.len()).collect();
    order.sort_by_key(|&site| key(&sites[site]));
    for group in order.chunk_by(|&a, &b| key(&sites[a]) == key(&sites[b])) {
        let object = ObjectView::parse(sites[group[0]].object);
        let dwarf = object.as_ref().and_then(ObjectView::dwarf);
        let here: Vec<&Site<'_>> = group.iter().map(|&site| &sites[site]).collect();
        let unknown = || vec![None; here.len()];
        let lines = dwarf.as_ref().map_or_else(unknown, |dwarf| lines_of(dwarf, &here));
        let starts: Vec<(u32, u64)> =
            here.iter().map(|site| (site.section_index, site.section_offset)).collect();
        let enclosing = match &object {
            Some(object) => object.enclosing_symbols(&starts),
            None => vec![None; here.len()],
        };
        let about = Object {
            source_file: object.as_ref().and_then(ObjectView::source_file),
            view: object.as_ref(),
            dwarf: dwarf.as_ref(),
        };
        for ((&site, line), enclosing) in group.iter().zip(lines).zip(enclosing) {
            places[site] = place(&sites[site], &about, enclosing, line, demangled);
        }
    }
    places
}

/// The contents of an object, as far as it could be read.
struct Object<'o, 'a> {
    view: Option<&'o ObjectView<'a>>,
    dwarf: Option<&'o ObjectDwarf<'a>>,
    source_file: Option<&'a [u8]>,
}

fn key(site: &Site<'_>) -> (usize, usize) {
    (site.object.as_ptr().addr(), site.object.len())
}

fn place(
    site: &Site<'_>,
    object: &Object<'_, '_>,
    enclosing: Option<Enclosing<'_>>,
    line: Option<SourceLine>,
    demangled: bool,
) -> Place {
    let (index, offset) = (site.section_index, site.section_offset);
    let section = object.view.and_then(|view| view.section_name(index));
    let variable = enclosing.filter(|symbol| !symbol.is_function);
    let line = line.or_else(|| object.dwarf?.variable_line(variable?.name));
    let source = match line {
        Some(line) => Some(line.to_string()),
        None => object.source_file.map(escape),
    };
    Place {
        file_name: site.file_name.clone(),
        section: section.map_or_else(|| format!("section {index}"), escape),
        section_offset: offset,
        enclosing: enclosing.map(|symbol| display_name(symbol.name, demangled).into_owned()),
        in_function: enclosing.is_some_and(|symbol| symbol.is_function),
        source,
    }
}

/// A symbol's name as messages print it.
pub fn display_name(name: &[u8], demangled: bool) -> Cow<'_, str> {
    if demangled { demangle(name) } else { Cow::Owned(escape(name)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place_in(file_name: &str) -> Place {
        Place {
            file_name: file_name.to_owned(),
            section: ".text".to_owned(),
            section_offset: 0x1c,
            ..Place::default()
        }
    }

    #[test]
    fn members_name_their_archive_behind() {
        let mut place = place_in("lib/libx.a(y.o)");
        assert_eq!(place.object_and_symbol(), "y.o:(.text+0x1C) in archive lib/libx.a");
        assert_eq!(place.location(), "lib/libx.a(y.o):(.text+0x1c)");
        place.enclosing = Some("f(int)".to_owned());
        assert_eq!(place.object_and_symbol(), "y.o:(f(int)) in archive lib/libx.a");
        assert_eq!(place.location(), "lib/libx.a(y.o):(.text+0x1c)");
        place.in_function = true;
        assert_eq!(place.location(), "lib/libx.a(y.o):(function f(int): .text+0x1c)");
    }

    #[test]
    fn names_with_brackets_are_not_members() {
        assert_eq!(place_in("(y.o)").object_and_symbol(), "(y.o):(.text+0x1C)");
        assert_eq!(place_in("a (1).o").object_and_symbol(), "a (1).o:(.text+0x1C)");
    }

    #[test]
    fn garbage_still_has_a_place() {
        let site = |object| Site {
            file_name: "a.o".to_owned(),
            object,
            section_index: 7,
            section_offset: 16,
        };
        let places = locate(&[site(b"garbage"), site(b""), site(b"\x7fELF\x02\x01\x01")], true);
        for place in places {
            assert_eq!(place.object_and_symbol(), "a.o:(section 7+0x10)");
            assert_eq!(place.source, None);
        }
    }
}
