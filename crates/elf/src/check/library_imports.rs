//! Checks the imports of shared libraries: something in the link defines them, and it is of the
//! same kind.
//!
//! For a reference with a version the loader takes that version only; for one without it takes no
//! hidden version. GNU ld and lld report the same.

use super::{duplicates, known_names, transitive};
use crate::args::OutputKind;
use crate::diagnose::messages::ShlibUndefined;
use crate::diagnose::object_view::ObjectView;
use crate::diagnose::order::MessageKind;
use crate::diagnose::undefined;
use crate::format::elf::SymbolId;
use crate::read::shared_file::VERSYM_HIDDEN;
use crate::read::{Libraries, LibraryId, SharedFile};
use crate::resolve::definitions::{Rank, Strength, attr};
use crate::resolve::dropped_libraries::{library_needed_for, needed_libraries};
use crate::resolve::names::references::ref_flags;
use crate::resolve::tables::Tables;
use object::elf::{STB_WEAK, STT_TLS};
use skald_core::demangle::escape;
use skald_core::ids::Column;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::unordered::{UnorderedMap, UnorderedSet};

/// A name and the version that a library refers to, if it names one.
type VersionedName = (&'static [u8], Option<&'static [u8]>);

/// Reports references of shared libraries that nothing satisfies. This is checked if an option asks
/// for it, and by default in executables, as in lld and GNU ld, if all libraries that the library
/// itself needs are part of the link.
pub fn undefined(tables: &Tables<'_>) {
    let allowed =
        tables.options.allow_shlib_undefined.unwrap_or(tables.options.kind == OutputKind::Shared);
    if allowed {
        return;
    }
    let known: UnorderedSet<&[u8]> =
        tables.candidates.shared.iter().map(|s| s.soname.as_slice()).collect();
    // The library's DT_NEEDED that are not in the link may define the name: all libraries share one
    // scope at run time.
    let all_known = |s: &SharedFile| s.needed.iter().all(|n| known.contains(n));
    let mut further = Column::new();
    if !tables.candidates.shared.iter().all(all_known) {
        if tables.options.rpath_link.is_empty() {
            return;
        }
        match transitive::needed_libraries(tables) {
            Some(libraries) => further = libraries,
            None => return,
        }
    }
    let ignored: UnorderedSet<&[u8]> =
        tables.options.ignore_unresolved.iter().map(String::as_bytes).collect();
    let mut missing = Vec::new();
    for (at, shared) in tables.candidates.shared.with_ids() {
        for &(symbol, name) in &shared.imports {
            let is_weak = shared.symbols[symbol].bind() == STB_WEAK;
            let rank = tables.definitions.ranks[name];
            let global = tables.definitions.globals[name];
            let version = shared.needed_version(symbol);
            let defined = rank.strength() != Strength::Undefined || global.has(attr::DEFINED);
            // The loader does not see an object's definition that is local to this output (hidden
            // visibility).
            let of_object = defined && !global.has(attr::SHARED | attr::SYNTHETIC);
            let is_hidden = of_object && global.has(attr::LOCAL);
            let is_it = || version.is_none_or(|version| is_version(tables, rank, version));
            if is_weak || (defined && !is_hidden && is_it()) {
                continue;
            }
            if ignored.contains(tables.name(name)) || is_wrapped(tables, name) {
                continue;
            }
            // An object's weak reference to the name means that the program works without it.
            let flags = tables.extraction.refs.get(name).flags();
            let refs = flags & (ref_flags::UNDEF_WEAK | ref_flags::UNDEF_STRONG);
            if !defined && refs == ref_flags::UNDEF_WEAK {
                continue;
            }
            let hidden_in = is_hidden.then(|| tables.object_name(rank.object()));
            missing.push(MissingImport { library: at, symbol, name, version, hidden_in });
        }
    }
    if !missing.is_empty() {
        let loaded = loaded_sonames(tables);
        let shared = &tables.candidates.shared;
        missing.retain(|import| loaded.contains(&shared[import.library].soname[..]));
    }
    let found = found_elsewhere(tables, &missing, &further);
    missing.retain(|import| !found.contains(&(tables.name(import.name), import.version)));
    report_missing(tables, missing);
}

/// The libraries that are loaded with the output, because it or one of them names them in
/// DT_NEEDED. Undefined names in other libraries do not matter.
fn loaded_sonames<'t>(tables: &Tables<'t>) -> UnorderedSet<&'t [u8]> {
    let shared = &tables.candidates.shared;
    let mut used = Column::filled(false, shared.len());
    for name in tables.definitions.globals.ids() {
        let library = library_needed_for(tables.definitions, tables.extraction, name);
        if let Some(library) = library {
            used[library] = true;
        }
    }
    let mut next: Vec<&[u8]> =
        needed_libraries(shared, tables.definitions, tables.extraction, |at| used[at])
            .into_iter()
            .map(|at| &shared[at].soname[..])
            .collect();
    let mut loaded = UnorderedSet::new();
    while let Some(soname) = next.pop() {
        if loaded.insert(soname) {
            let named = shared.iter().filter(|library| library.soname == soname);
            next.extend(named.flat_map(|library| library.needed.iter().copied()));
        }
    }
    loaded
}

/// Whether the name is `__real_NAME` of a `--wrap`, and `NAME` is defined.
fn is_wrapped(tables: &Tables<'_>, name: NameId) -> bool {
    if tables.options.wrap.is_empty() {
        return false;
    }
    let wraps = &tables.extraction.own_names.wraps;
    let meant = wraps.iter().find(|&&(from, _)| from == name).map(|&(_, to)| to);
    let is_defined = |to: NameId| {
        tables.definitions.globals[to].has(attr::DEFINED | attr::SHARED)
            && tables.name(name).strip_prefix(b"__real_") == Some(tables.name(to))
    };
    meant.is_some_and(is_defined)
}

/// Whether a definition to which plain names bind has this version.
fn is_version(tables: &Tables<'_>, rank: Rank, version: &[u8]) -> bool {
    match rank.strength() {
        Strength::Shared => {
            let shared = &tables.candidates.shared[rank.library()];
            shared.version_name(rank.symbol()) == Some(version)
        }
        // In a shared library a version script gives the definition its version.
        _ if tables.options.kind == OutputKind::Shared => true,
        Strength::Undefined => false,
        _ => {
            let object = &tables.objects[rank.object()];
            let name = object.symbol_name(rank.symbol());
            let own = name.strip_suffix(version);
            own.is_some_and(|base| base.ends_with(b"@"))
        }
    }
}

/// Those `missing` imports that are defined although `Definitions` does not have them: in versions
/// to which plain names do not bind, under references that objects hide, and in libraries that are
/// not part of the link.
fn found_elsewhere(
    tables: &Tables<'_>,
    missing: &[MissingImport],
    further: &Libraries,
) -> UnorderedSet<VersionedName> {
    if missing.is_empty() {
        return UnorderedSet::new();
    }
    let names: UnorderedSet<&[u8]> = missing.iter().map(|m| tables.name(m.name)).collect();
    let libraries: Vec<&SharedFile> = tables.candidates.shared.iter().chain(further).collect();
    let found = libraries.into_par_iter().flat_map(|shared| {
        let symbols = shared.symbols.par_ids().skip(1).with_min_len(1 << 12);
        let exports = symbols.filter(|&symbol| shared.is_export(symbol));
        let wanted = exports.filter(|&symbol| names.contains(shared.symbol_name(symbol)));
        wanted.flat_map_iter(|symbol| {
            let name = shared.symbol_name(symbol);
            let plain = shared.version(symbol) & VERSYM_HIDDEN == 0;
            let version = shared.version_name(symbol).map(|version| (name, Some(version)));
            version.into_iter().chain(plain.then_some((name, None)))
        })
    });
    let found: Vec<VersionedName> = found.collect();
    let own = missing.iter().filter_map(|import| own_version(tables, import));
    found.into_iter().chain(own).collect()
}

/// The import, if an object defines its name and version (`foo@V`).
fn own_version(tables: &Tables<'_>, import: &MissingImport) -> Option<VersionedName> {
    let (name, version) = (tables.name(import.name), import.version?);
    let spelled = [name, b"@", version].concat();
    let id = tables.extraction.names.find_text(&spelled)?;
    let global = tables.definitions.globals[id];
    (global.has(attr::DEFINED) && !global.has(attr::LOCAL)).then_some((name, Some(version)))
}

/// Reports imports of libraries that are thread-local while the definition is not, and the reverse:
/// the loader would store an offset instead of an address. If there are several definitions, the
/// first counts.
pub fn tls_mismatches(tables: &Tables<'_>) {
    let shared = &tables.candidates.shared;
    let mismatches = shared.par_with_ids().flat_map_iter(|(at, library)| {
        let imports = library.imports.iter().map(move |&(symbol, name)| (at, symbol, name));
        imports.filter(|&(at, symbol, name)| is_mismatch(tables, &shared[at], symbol, name))
    });
    let mismatches: Vec<(LibraryId, SymbolId, NameId)> = mismatches.collect();
    let winners = mismatches.iter().map(|&(.., name)| tables.definitions.ranks[name]);
    let in_objects = winners.filter(|rank| rank.strength() != Strength::Shared);
    let places = in_objects.map(|rank| (rank.object(), rank.symbol()));
    let mut definitions = duplicates::definitions_of(tables, places).into_iter();
    for (at, symbol, name) in mismatches {
        let rank = tables.definitions.ranks[name];
        let definition = match rank.strength() {
            Strength::Shared => {
                let path = &tables.candidates.shared_paths[rank.library()];
                format!("\n>>> defined in {}", path.display())
            }
            _ => definitions.next().expect("each of an object has one").line(),
        };
        let library = tables.candidates.shared_paths[at].display();
        let kind = match shared[at].symbols[symbol].kind() {
            STT_TLS => "thread-local",
            _ => "not thread-local",
        };
        let text = format!(
            "TLS attribute mismatch: {}{definition}\n>>> referenced by {library} as {kind}",
            tables.printed(tables.name(name))
        );
        tables.diag.error(MessageKind::LibraryImport.key_within(at, symbol.into()), text);
    }
}

/// Whether either the import or the definition is thread-local, but not both.
fn is_mismatch(tables: &Tables<'_>, library: &SharedFile, symbol: SymbolId, name: NameId) -> bool {
    let rank = tables.definitions.ranks[name];
    let is_thread_local = library.symbols[symbol].kind() == STT_TLS;
    let version = || library.needed_version(symbol);
    rank.strength() != Strength::Undefined
        && tables.definitions.globals[name].has(attr::TLS) != is_thread_local
        && version().is_none_or(|version| is_version(tables, rank, version))
}

/// For imports without a version: the first hidden version (`foo@V`) of the name in a library, with
/// the library.
fn hidden_versions(
    tables: &Tables<'_>,
    missing: &[MissingImport],
) -> UnorderedMap<&'static [u8], (String, String)> {
    let plain = missing.iter().filter(|import| import.version.is_none());
    let names: UnorderedSet<&[u8]> = plain.map(|import| tables.name(import.name)).collect();
    let mut hidden = UnorderedMap::new();
    if names.is_empty() {
        return hidden;
    }
    for (shared, path) in tables.candidates.shared.iter().zip(&tables.candidates.shared_paths) {
        for symbol in shared.symbols.ids().skip(1).filter(|&s| shared.is_export(s)) {
            let name = shared.symbol_name(symbol);
            if shared.version(symbol) & VERSYM_HIDDEN != 0 && names.contains(name) {
                let version = shared.version_name(symbol).unwrap_or_default();
                hidden.entry(name).or_insert_with(|| (escape(version), path.display().to_string()));
            }
        }
    }
    hidden
}

fn report_missing(tables: &Tables<'_>, missing: Vec<MissingImport>) {
    let names: Vec<&[u8]> = missing.iter().map(|import| tables.name(import.name)).collect();
    let hints = if names.is_empty() {
        Vec::new()
    } else {
        undefined::in_libraries(&names, &known_names::search_path(tables))
    };
    let hidden = hidden_versions(tables, &missing);
    for (import, hint) in missing.into_iter().zip(hints) {
        let MissingImport { library, symbol, name, hidden_in, .. } = import;
        let version = ObjectView::parse(tables.candidates.shared[library].data)
            .and_then(|view| view.needed_version(symbol.number()))
            .map(|(version, file)| (escape(version), escape(file)));
        let report = ShlibUndefined {
            name: tables.printed(tables.name(name)),
            library: tables.candidates.shared_paths[library].display().to_string(),
            hidden_in,
            version,
            hidden_version: hidden.get(tables.name(name)).cloned(),
            hint,
        };
        let key = MessageKind::LibraryImport.key_within(library, symbol.into());
        if tables.options.warn_unresolved || tables.options.noinhibit_exec {
            tables.diag.warn(key, report.render())
        } else {
            tables.diag.error(key, report.render())
        }
    }
}

/// An import of a shared library that nothing defines.
struct MissingImport {
    /// The library that imports.
    library: LibraryId,
    /// Index in its `.dynsym`.
    symbol: SymbolId,
    name: NameId,
    /// The version that the import asks for; `None` for any.
    version: Option<&'static [u8]>,
    /// The object that defines it with hidden visibility.
    hidden_in: Option<String>,
}
