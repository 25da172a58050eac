//! Versions that definitions carry in their own names: `foo@V` and `foo@@V`.
//!
//! They are stronger than the version script, which must have the version, unless the output is a
//! program: that has the versions that its exported symbols have. Source: GNU ld
//! (`_bfd_elf_link_assign_sym_version`).

use super::definitions::{Definitions, attr};
use super::dynamic::DecideInput;
use super::extract::Extraction;
use super::versioned_names::{Spelled, VersionedSymbol, plain_names, versioned_symbols};
use crate::args::version_script::{VERSION_GLOBAL, VersionScript};
use crate::args::{OutputKind, Unresolved};
use crate::read::shared_file::VERSYM_HIDDEN;
use skald_core::demangle;
use skald_core::diag::Diag;
use skald_core::ids::{Column, IdSlice};
use skald_core::names::NameId;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use std::sync::Arc;

/// The versions that names bring with them.
#[derive(Debug, Default)]
pub(super) struct OwnVersions {
    /// By name: version index, bit 15 for hidden; 0 for none. Empty if no name has one.
    by_name: Column<NameId, u16>,
    /// These names, in order.
    names: Vec<NameId>,
    /// Names that the version's own `local:` patterns take.
    local: UnorderedSet<NameId>,
    /// For each definition `foo@V` the name `foo` and the version.
    plain: UnorderedSet<(NameId, u16)>,
    /// How many of the versions are the script's.
    scripted: usize,
}

impl OwnVersions {
    /// From the objects' definitions and the assignments of scripts. Adds the versions of a program
    /// to `script`.
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
                let plain = names.find(names.key().hash(spelled.base));
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
            // `foo@V` and `foo@@V` are one name, whose version is the default one.
            *entry = (*entry).min(version);
        } else if wins {
            // A weak `foo@@V` is no `foo@@W`, though what refers to `foo` gets either.
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

    /// The version of a name with the hidden bit, 0 if it brings none.
    pub fn version(&self, name: NameId) -> u16 {
        self.by_name.get(name).copied().unwrap_or(0)
    }

    /// Whether a `local:` pattern of a name's own version takes it.
    pub fn is_local(&self, name: NameId) -> bool {
        self.local.contains(&name)
    }

    /// Whether there is a definition with this version and the plain name `name`.
    pub fn has_version(&self, name: NameId, index: u16) -> bool {
        self.plain.contains(&(name, index))
    }

    /// Takes versions out that were added for symbols of a program that are not exported.
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

/// A definition `base@VERSION`.
struct Spelling {
    /// The name `base`, if there is one.
    plain: Option<NameId>,
    /// Index of the version.
    index: u16,
    /// It is the definition of its name.
    wins: bool,
}

/// Where undefined names are ignored they may be left to the loader, but not those with a version,
/// which only a library could have.
pub(super) fn refuse_ignored(definitions: &Definitions, input: &DecideInput<'_>, diag: &Diag) {
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

/// Version indices by name.
struct VersionIndices<'a> {
    /// Made for the first symbol that asks.
    by_version: Option<UnorderedMap<Arc<[u8]>, u16>>,
    kind: OutputKind,
    diag: &'a Diag,
}

impl<'a> VersionIndices<'a> {
    fn new(kind: OutputKind, diag: &'a Diag) -> VersionIndices<'a> {
        VersionIndices { by_version: None, kind, diag }
    }

    /// The index of the version of the symbol `text`; a program gets one that it lacks.
    fn find(
        &mut self,
        script: &mut VersionScript,
        version: &[u8],
        text: &[u8],
        key: (u64, u64),
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
