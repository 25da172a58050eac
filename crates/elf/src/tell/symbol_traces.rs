//! `--trace-symbol`: the files that define a symbol or refer to it.
//!
//! A plain name is traced by its id. A name with a version is traced by its spelling: ids of such
//! symbols may be those of the plain name, which has mentions of its own, and symbols that
//! libraries bind to a version have no id.

use crate::read::FileId;
use crate::resolve::definitions::Definitions;
use crate::resolve::names::versioned_spelling::{Spelled, versioned_symbols};
use crate::resolve::tables::Sources;
use object::elf::{SHN_COMMON, SHN_UNDEF};
use skald_core::ids::IdRange;
use skald_core::names::NameId;
use skald_core::unordered::UnorderedMap;
use std::fmt::Write as _;

/// A file, and how it mentions a symbol.
type Mention = (FileId, &'static str);

/// Prints the mentions of each symbol, in the order of the files.
pub fn print(sources: &Sources<'_>, definitions: &Definitions, text: &mut String) {
    let mut found = find(sources, definitions);
    found.extend(&sources.candidates.compiled.notes.traced);
    found.sort_by_key(|&(symbol, file, _)| (symbol, file));
    for (symbol, file, what) in found {
        let symbol = &sources.options.trace_symbol[symbol];
        let _ = writeln!(text, "{}: {what} {symbol}", sources.candidates.display_name(file));
    }
}

/// The mentions of each symbol, by position in the option's list.
pub fn find(
    sources: &Sources<'_>,
    definitions: &Definitions,
) -> Vec<(usize, FileId, &'static str)> {
    let symbols = &sources.options.trace_symbol;
    let mut plain = Plain::new(sources, definitions);
    let mut versioned = Versioned::new(symbols);
    plain.find(sources);
    versioned.find(sources);
    let mut found = Vec::new();
    for (at, symbol) in symbols.iter().enumerate() {
        let lines = match Spelled::new(symbol.as_bytes()) {
            Some(spelled) => versioned.0.get(&(spelled.base, spelled.version)),
            None => plain.id(sources, symbol).and_then(|name| plain.mentions.get(&name)),
        };
        let lines = lines.into_iter().flatten();
        found.extend(lines.map(|&(file, what)| (at, file, what)));
    }
    found
}

fn kind_in_object(section: u16) -> &'static str {
    match section {
        SHN_UNDEF => "reference to",
        SHN_COMMON => "common definition of",
        _ => "definition of",
    }
}

/// Mentions of names without a version, by id.
struct Plain {
    mentions: UnorderedMap<NameId, Vec<Mention>>,
    /// The id of a symbol is that of the name to which its spelling (`foo`, `foo@@V`) refers.
    meant: UnorderedMap<NameId, NameId>,
}

impl Plain {
    fn new(sources: &Sources<'_>, definitions: &Definitions) -> Plain {
        let meant = definitions.handles.iter().copied().collect();
        let mut plain = Plain { mentions: UnorderedMap::new(), meant };
        let symbols = sources.options.trace_symbol.iter().filter(|symbol| !symbol.contains('@'));
        for name in symbols.filter_map(|symbol| plain.id(sources, symbol)).collect::<Vec<_>>() {
            plain.mentions.insert(name, Vec::new());
        }
        plain
    }

    fn id(&self, sources: &Sources<'_>, symbol: &str) -> Option<NameId> {
        let names = &sources.extraction.names;
        let name = names.find_text(symbol.as_bytes())?;
        Some(self.meant.get(&name).copied().unwrap_or(name))
    }

    fn find(&mut self, sources: &Sources<'_>) {
        if self.mentions.is_empty() {
            return;
        }
        let (names, wraps) = (&sources.extraction.names, !sources.options.wrap.is_empty());
        for object in sources.objects {
            let Some(file) = object.file else { continue };
            for (index, &name) in object.global_ids().ids().zip(&object.globals) {
                let symbol = &object.mapped.symbols[index];
                let is_redirected = wraps && symbol.st_shndx() == SHN_UNDEF;
                // With `--wrap` the name is not that in the object.
                let own = || names.find_text(object.symbol_name(index));
                let name = if is_redirected { own().unwrap_or(name) } else { name };
                let Some(lines) = self.mentions.get_mut(&name) else { continue };
                lines.push((file, kind_in_object(symbol.st_shndx())));
            }
        }
        for shared in &sources.candidates.shared {
            let Some(file) = shared.file else { continue };
            let lists = [(&shared.exports, "definition of"), (&shared.imports, "reference to")];
            for (list, what) in lists {
                for (_, name) in list {
                    let Some(lines) = self.mentions.get_mut(name) else { continue };
                    if lines.last() != Some(&(file, what)) {
                        lines.push((file, what));
                    }
                }
            }
        }
    }
}

/// Mentions of names with a version, by name and version.
struct Versioned<'a>(UnorderedMap<(&'a [u8], &'a [u8]), Vec<Mention>>);

impl<'a> Versioned<'a> {
    fn new(symbols: &'a [String]) -> Versioned<'a> {
        let spelled = symbols.iter().filter_map(|symbol| Spelled::new(symbol.as_bytes()));
        Versioned(spelled.map(|s| ((s.base, s.version), Vec::new())).collect())
    }

    fn find(&mut self, sources: &Sources<'_>) {
        if self.0.is_empty() {
            return;
        }
        for object in sources.objects {
            let Some(file) = object.file else { continue };
            for symbol in versioned_symbols(object) {
                if let Some(lines) = self.0.get_mut(&(symbol.base, symbol.version)) {
                    lines.push((
                        file,
                        kind_in_object(object.mapped.symbols[symbol.index].st_shndx()),
                    ));
                }
            }
        }
        for shared in &sources.candidates.shared {
            let Some(file) = shared.file else { continue };
            for index in shared.symbols.ids().skip(1) {
                let (version, what) = if shared.is_export(index) {
                    (shared.version_name(index), "definition of")
                } else {
                    (shared.needed_version(index), "reference to")
                };
                let Some(version) = version else { continue };
                if let Some(lines) = self.0.get_mut(&(shared.symbol_name(index), version)) {
                    lines.push((file, what));
                }
            }
        }
    }
}
