//! Undefined symbols: from what the link knows to the messages.
//!
//! The good path records nothing about references beyond that there is one. Here the objects that
//! refer to undefined symbols are read again ([`find_sites`]), a few references of each symbol are
//! located and a hint is looked for ([`render`]). Independent of the link's tables: the caller
//! says what a file is called, which bytes it has and which of its sections are live.

use skald_core::unordered::UnorderedMap;

use super::hints::{self, DefinedName};
use super::messages::{UndefinedReport, Visibility};
use super::object_view::ObjectView;
use super::place::{Site, display_name, locate};

/// References of one symbol that are listed; lld lists as many.
pub const MAX_LISTED: usize = 3;

/// A symbol that is used and not defined.
#[derive(Debug, Clone)]
pub struct UndefinedSymbol<'a> {
    /// Its name, mangled, with its version if it has one.
    pub name: &'a [u8],
    /// The strictest visibility that a reference asks for.
    pub visibility: Visibility,
    /// References in the order of the command line; the first [`MAX_LISTED`] are listed.
    pub sites: Vec<Site<'a>>,
    /// References there are, in `sites` or not.
    pub total_references: usize,
}

impl<'a> UndefinedSymbol<'a> {
    /// A symbol without references so far, to be filled by [`find_sites`].
    pub fn new(name: &'a [u8], visibility: Visibility) -> UndefinedSymbol<'a> {
        UndefinedSymbol { name, visibility, sites: Vec::new(), total_references: 0 }
    }
}

/// An object that refers to undefined symbols.
pub struct Referrer<'a, 'f> {
    /// What it is called in messages.
    pub file_name: &'f str,
    /// Its bytes.
    pub object: &'a [u8],
    /// Whether a section, by its index in the object, is part of the output.
    pub is_live: &'f dyn Fn(u32) -> bool,
}

/// Adds the references of one object to `symbols`. To be called for the objects in the order of
/// the command line. References from sections that are not live or not loaded do not count.
pub fn find_sites<'a>(symbols: &mut [UndefinedSymbol<'a>], referrer: &Referrer<'a, '_>) {
    let Some(object) = ObjectView::parse(referrer.object) else { return };
    let by_name: UnorderedMap<&[u8], usize> =
        symbols.iter().enumerate().map(|(index, symbol)| (symbol.name, index)).collect();
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

/// The messages, one for each of `symbols` and in their order. `defined` is every definition there
/// is, in any order, or nothing to go without hints; `file_name` names its files; `demangled` is
/// the option `--demangle`.
///
/// The caller passes no more symbols than it prints messages for.
pub fn render<'d>(
    symbols: &[UndefinedSymbol<'_>],
    defined: impl Iterator<Item = DefinedName<'d>>,
    file_name: &dyn Fn(u32) -> String,
    demangled: bool,
) -> Vec<String> {
    let names: Vec<&[u8]> = symbols.iter().map(|symbol| symbol.name).collect();
    let hints = hints::find(&names, defined, file_name, demangled);
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
