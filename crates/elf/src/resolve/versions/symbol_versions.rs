//! Versions that definitions have in their own names: `foo@V` and `foo@@V`.
//!
//! They override the version script, which must define the version. Only a program needs no script:
//! it defines the versions of its exported symbols itself. Source: GNU ld
//! (`_bfd_elf_link_assign_sym_version`).

use super::versioned_names::plain_names;
use crate::args::version_script::{VERSION_GLOBAL, VersionScript};
use crate::args::{OutputKind, Unresolved};
use crate::read::shared_file::VERSYM_HIDDEN;
use crate::resolve::definitions::{Definitions, attr};
use crate::resolve::dynamic::DecideInput;
use crate::resolve::extract::Extraction;
use crate::resolve::names::versioned_spelling::{Spelled, VersionedSymbol, versioned_symbols};
use skald_core::demangle;
use skald_core::diag::{Diag, Key};
use skald_core::ids::{Column, IdSlice};
use skald_core::names::NameId;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use std::sync::Arc;

/// The versions in the names of definitions.
#[derive(Debug, Default)]
pub(in crate::resolve) struct OwnVersions {
    /// By name: version index, bit 15 for hidden; 0 for none. Empty if no name has one.
    by_name: Column<NameId, u16>,
    /// The names that have a version, in order.
    names: Vec<NameId>,
    /// Names that the `local:` patterns of their own version match.
    local: UnorderedSet<NameId>,
    /// For each definition `foo@V`: the name `foo`, and the index of V.
    plain: UnorderedSet<(NameId, u16)>,
    /// How many of the output's versions the script defines.
    scripted: usize,
}

impl OwnVersions {
    /// Collects the versions in the names of objects' definitions and of scripts' assignments. Adds
    /// the versions of a program to `script`.
    pub fn new(
        definitions: &Definitions,
        input: &DecideInput<'_>,
        script: &mut VersionScript,
        diag: &Diag,
    ) -> OwnVersions {
        let mut own = OwnVersions { scripted: script.nodes.len(), ..OwnVersions::default() };
        let mut indices = VersionIndices::new(input.options.kind, diag);
        for (at, object) in input.objects.with_ids() {
            let symbols: Vec<VersionedSymbol> =
                versioned_symbols(object).filter(|s| s.is_defined).collect();
            let plain = plain_names(input.extraction, symbols.iter().map(|symbol| symbol.base));
            for (symbol, plain) in symbols.iter().zip(plain) {
                let name = object.global(symbol.index);
                let key = (at.into(), symbol.index.into());
                let text = object.symbol_name(symbol.index);
                if let Some(index) = indices.find(script, symbol.version, text, key) {
                    let rank = definitions.ranks[name];
                    let wins = rank.is_of_object(at, symbol.index);
                    let spelling = Spelling { plain, index, wins };
                    own.enter(definitions, name, spelling, symbol.is_default);
                }
            }
        }
        for (at, &name) in (0..).zip(input.assigned) {
            let text = input.extraction.pools.name(&input.extraction.names, name);
            let Some(spelled) = Spelled::new(text) else { continue };
            if let Some(index) = indices.find(script, spelled.version, text, (u64::MAX, at)) {
                let names = &input.extraction.names;
                let plain = names.find_text(spelled.base);
                let spelling = Spelling { plain, index, wins: true };
                own.enter(definitions, name, spelling, spelled.is_default);
            }
        }
        own.find_local(input.extraction, script);
        own
    }

    fn enter(
        &mut self,
        definitions: &Definitions,
        name: NameId,
        spelling: Spelling,
        is_default: bool,
    ) {
        let Spelling { plain, index, wins } = spelling;
        let version = if is_default { index } else { index | VERSYM_HIDDEN };
        if self.by_name.is_empty() {
            self.by_name = Column::reserved(definitions.globals.len());
        }
        let entry = &mut self.by_name[name];
        if *entry == 0 {
            self.names.push(name);
            *entry = version;
        }
        if *entry & !VERSYM_HIDDEN == index {
            // `foo@V` and `foo@@V` have one name id; of their indices the one without the hidden
            // bit is smaller.
            *entry = (*entry).min(version);
        } else if wins {
            // Beside `foo@@W` a weak `foo@@V` does not count, though references to `foo` get
            // either.
            *entry = version;
        }
        if let Some(plain) = plain.filter(|&plain| plain != name) {
            self.plain.insert((plain, index));
        }
    }

    fn find_local(&mut self, extraction: &Extraction, script: &VersionScript) {
        let mut nodes = script.local_patterns();
        for &name in &self.names {
            let text = extraction.pools.name(&extraction.names, name);
            let base = Spelled::new(text).map_or(text, |spelled| spelled.base);
            let version = self.version(name) & !VERSYM_HIDDEN;
            if nodes.hide(version, base, demangle::demangle_cxx) {
                self.local.insert(name);
            }
        }
    }

    /// Version index of a name with the hidden bit; 0 if its name has no version.
    pub fn version(&self, name: NameId) -> u16 {
        self.by_name.get(name).copied().unwrap_or(0)
    }

    /// Whether a `local:` pattern of a name's own version matches it.
    pub fn is_local(&self, name: NameId) -> bool {
        self.local.contains(&name)
    }

    /// Whether there is a definition `foo@V` with this index, where `name` is `foo`.
    pub fn has_version(&self, name: NameId, index: u16) -> bool {
        self.plain.contains(&(name, index))
    }

    /// Removes versions that were added for symbols of a program that are not exported.
    pub fn drop_unused(
        &self,
        script: &mut VersionScript,
        by_name: &mut IdSlice<NameId, u16>,
        is_exported: impl Fn(NameId) -> bool,
    ) {
        if script.nodes.len() == self.scripted {
            return;
        }
        let node = |name: NameId| usize::from(self.version(name) & !VERSYM_HIDDEN).checked_sub(2);
        let added: Vec<(NameId, usize)> = self
            .names
            .iter()
            .filter_map(|&name| Some((name, node(name).filter(|&node| node >= self.scripted)?)))
            .collect();
        let mut is_used = vec![false; script.nodes.len()];
        for &(name, node) in &added {
            is_used[node] |= is_exported(name);
        }
        let kept = script.keep_added(self.scripted, &is_used);
        for (name, node) in added {
            let hidden = self.version(name) & VERSYM_HIDDEN;
            by_name[name] = kept[node].map_or(0, |index| index | hidden);
        }
    }
}

/// A definition spelled `base@VERSION`.
struct Spelling {
    /// The id of the name `base`; `None` if no file mentions it.
    plain: Option<NameId>,
    /// Index of VERSION.
    index: u16,
    /// It is the winning definition of its name.
    wins: bool,
}

/// Reports undefined names with a version that options would ignore. Unlike plain names they cannot
/// be left to the dynamic linker, because only a library of the link could define them.
pub(in crate::resolve) fn refuse_ignored(
    definitions: &Definitions,
    input: &DecideInput<'_>,
    diag: &Diag,
) {
    let is_ignored =
        matches!(input.options.unresolved, Unresolved::IgnoreAll | Unresolved::IgnoreInObjectFiles);
    if !is_ignored || !input.shape.is_pic {
        return;
    }
    let mut seen = UnorderedSet::new();
    for (at, object) in input.objects.with_ids() {
        for symbol in versioned_symbols(object).filter(|s| !s.is_defined && !s.version.is_empty()) {
            let name = object.global(symbol.index);
            let global = definitions.globals[name];
            if global.has(attr::UNDEFINED) && !global.has(attr::LOCAL) && seen.insert(name) {
                let text = String::from_utf8_lossy(object.symbol_name(symbol.index));
                diag.error((at.into(), symbol.index.into()), format!("undefined symbol: {text}"));
            }
        }
    }
}

/// Finds the indices of versions by name.
struct VersionIndices<'a> {
    /// Built when the first symbol is looked up.
    by_version: Option<UnorderedMap<Arc<[u8]>, u16>>,
    kind: OutputKind,
    diag: &'a Diag,
}

impl<'a> VersionIndices<'a> {
    fn new(kind: OutputKind, diag: &'a Diag) -> VersionIndices<'a> {
        VersionIndices { by_version: None, kind, diag }
    }

    /// The version index for the symbol name `text`; a program's table of versions is extended if
    /// it lacks the version.
    fn find(
        &mut self,
        script: &mut VersionScript,
        version: &[u8],
        text: &[u8],
        key: Key,
    ) -> Option<u16> {
        if version.is_empty() {
            return Some(VERSION_GLOBAL);
        }
        let by_version = self.by_version.get_or_insert_with(|| {
            script.nodes.iter().map(|node| (node.name.clone(), node.index)).collect()
        });
        if let Some(&index) = by_version.get(version) {
            return Some(index);
        }
        match self.kind {
            OutputKind::Executable | OutputKind::PieExecutable => {
                let index = script.add_version(version)?;
                by_version.insert(version.into(), index);
                Some(index)
            }
            OutputKind::Relocatable => None,
            OutputKind::Shared => {
                let (text, version) =
                    (String::from_utf8_lossy(text), String::from_utf8_lossy(version));
                self.diag.error(key, format!("symbol {text} has undefined version {version}"));
                None
            }
        }
    }
}
