//! `.dynsym`: which names are in it, and in which order.
//!
//! Imports first, then exports in the order of `.gnu.hash` buckets. Version indices and needed
//! libraries follow from the imports.

use super::gnu_hash::GnuHash;
use super::image::Image;
use super::symtab;
use super::sysv_hash::SysvHash;
use super::versions::{TooManyVersions, Verdef, Verneed, VersionNode, VersionUse, Versym};
use crate::args::Options;
use crate::args::version_script::VERSION_GLOBAL;
use crate::format::elf::Sym;
use crate::format::encoding::Encoding;
use crate::format::gnu_hash::gnu_hashes;
use crate::machine::description::VariantCalls;
use crate::read::candidates::Candidates;
use crate::read::object_file::GlobalSymbol;
use crate::read::shared_file::VERSYM_HIDDEN;
use crate::read::{LibraryId, Objects};
use crate::resolve::definitions::{Definitions, Strength, attr};
use crate::resolve::dropped_libraries;
use crate::resolve::dynamic::Versions;
use crate::resolve::extract::Extraction;
use crate::select::liveness::Liveness;
use crate::select::scan::{Needs, need};
use object::elf::{SHN_UNDEF, STT_TLS};
use skald_core::ids::{Column, IdSlice};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_linking::string_table::StringTable;
use std::sync::atomic::Ordering;

/// Names that one task reads.
const TASK: usize = 1 << 10;

/// The symbols of `.dynsym`, and the sections made from them.
#[derive(Debug, Default)]
pub struct DynamicSymbols {
    /// How the output stores its tables.
    pub encoding: Encoding,
    /// In the order of `.dynsym`, without the null symbol.
    pub names: Vec<NameId>,
    /// Index in `.dynsym` by name, 0 for a name that is not there.
    pub index_of: Column<NameId, u32>,
    /// `st_name` of each of `names`.
    pub name_offsets: Vec<u32>,
    /// How many of `names` come before those in `.gnu.hash`: imports, which nobody looks up here.
    pub first_hashed: u32,
    /// `.gnu.hash`; `None` if `--hash-style` asks for `.hash` alone.
    pub gnu_hash: Option<GnuHash>,
    /// `.hash`; `None` if `--hash-style` asks for `.gnu.hash` alone.
    pub sysv_hash: Option<SysvHash>,
    /// Content of `.dynstr`.
    pub strings: StringTable,
    /// `.gnu.version`; `None` if no symbol has a version.
    pub versym: Option<Versym>,
    /// `.gnu.version_d`; `None` if the output defines no versions.
    pub verdef: Option<Verdef>,
    /// `.gnu.version_r`; `None` if it needs no versions of libraries.
    pub verneed: Option<Verneed>,
    /// Libraries of DT_NEEDED, in that order.
    pub needed: Vec<LibraryId>,
    /// Imports that no input defines and that references treat as thread-local: written as STT_TLS.
    pub undefined_tls: UnorderedSet<NameId>,
    /// Names that the PLT calls with a calling convention of their own: `Machine::variant_calls`.
    pub variant_calls: UnorderedSet<NameId>,
    /// Version index 2 is not used: see [`DynamicInput::put_base_last`].
    skips_first_version: bool,
}

impl DynamicSymbols {
    /// Bytes of `.dynsym`, with the null symbol.
    pub fn size(&self) -> u64 {
        self.encoding.size::<Sym>() as u64 * (1 + self.names.len() as u64)
    }

    /// Writes `.dynsym`.
    pub fn write(&self, image: &Image<'_>, out: &mut [u8]) {
        self.encoding.fill(out, |entries: &mut [Sym]| {
            entries[0] = Sym::default();
            let variant = image.machine.variant_calls.map_or(0, |calls| calls.mark);
            let names = self.names.iter().zip(&self.name_offsets);
            for ((&name, &st_name), entry) in names.zip(&mut entries[1..]) {
                *entry = symtab::dynamic_entry(image, name, st_name, image.is_copy(name));
                if self.undefined_tls.contains(&name) {
                    entry.set_st_info(entry.bind() << 4 | STT_TLS);
                }
                if let Some(got) = image.machine.listed_got
                    && entry.st_shndx() == SHN_UNDEF
                    && entry.st_value() != 0
                {
                    entry.set_st_other(entry.st_other() | got.canonical_mark);
                }
                if variant != 0 && self.variant_calls.contains(&name) {
                    entry.set_st_other(entry.st_other() | variant);
                }
            }
        });
    }
}

/// The tables that dynamic symbols are chosen from.
pub struct DynamicInput<'a> {
    /// `--hash-style`, `--default-imported-symver` and `-z pack-relative-relocs` are read.
    pub options: &'a Options,
    /// The objects that are taken, by id.
    pub objects: &'a Objects,
    /// All files that the link knows: shared libraries are among them.
    pub candidates: &'a Candidates,
    /// Names, and how files refer to each.
    pub extraction: &'a Extraction,
    /// The definition of each name.
    pub definitions: &'a Definitions,
    /// Versions that the version script and `.symver` give to definitions.
    pub versions: &'a Versions,
    /// Which sections are in the output.
    pub liveness: &'a Liveness,
    /// What scanning found each name to need (`need::*`).
    pub needs: &'a Needs,
    /// Sorted names, among them all that may be imported or exported: `Slots::ordered`.
    pub ordered: &'a [NameId],
    /// Names that stand last, in this order, which is that of words of the GOT.
    pub listed: &'a [NameId],
    /// Names of copied variables: exported, so that libraries find the copy.
    pub copies: &'a [NameId],
    /// Soname or else file name of the output: name of the base version (VER_FLG_BASE).
    pub base_name: &'a [u8],
}

impl DynamicInput<'_> {
    fn text(&self, name: NameId) -> &'static [u8] {
        self.extraction.pools.name(&self.extraction.names, name)
    }

    /// The spelling of a name without its version.
    fn plain_text(&self, name: NameId) -> &'static [u8] {
        let text = self.text(name);
        match memchr::memchr(b'@', text) {
            Some(at) => &text[..at],
            None => text,
        }
    }

    fn is_referenced(&self, name: NameId) -> bool {
        self.needs[name].load(Ordering::Relaxed) != 0
    }

    fn is_import(&self, name: NameId) -> bool {
        let global = self.definitions.globals[name];
        global.has(attr::IMPORTED) && !global.has(attr::DEFINED) && self.is_referenced(name)
    }

    /// Whether an import is undefined in all inputs and known to be thread-local from references
    /// alone.
    fn is_undefined_tls(&self, name: NameId) -> bool {
        const TLS: need::Bits = need::GOTTP | need::TLSGD | need::TLSDESC;
        self.definitions.globals[name].has(attr::NO_DEFINITION)
            && self.needs[name].load(Ordering::Relaxed) & TLS != 0
    }

    /// Whether an import has an address in this output, that of its PLT entry, which the loader
    /// must find by name as if it were a definition.
    fn is_canonical(&self, name: NameId) -> bool {
        self.needs[name].load(Ordering::Relaxed) & need::CANONICAL != 0
    }

    fn is_export(&self, name: NameId) -> bool {
        let global = self.definitions.globals[name];
        if !global.has(attr::DEFINED) || !global.has(attr::EXPORTED) {
            return false;
        }
        let sections = &self.definitions.sections;
        global
            .value_base
            .section()
            .is_none_or(|section| self.liveness.has_symbols(sections, section))
    }

    /// Libraries that a live, non-weak reference uses, or that are needed without one
    /// (`--no-as-needed`).
    fn needed(&self, imports: &[NameId]) -> Vec<LibraryId> {
        let mut used = Column::filled(false, self.candidates.shared.len());
        for &name in imports {
            let library =
                dropped_libraries::library_needed_for(self.definitions, self.extraction, name);
            if let Some(library) = library {
                used[library] = true;
            }
        }
        let shared = &self.candidates.shared;
        dropped_libraries::needed_libraries(shared, self.definitions, self.extraction, |at| {
            used[at]
        })
    }
}

impl DynamicInput<'_> {
    /// Names of `imports` with a PLT entry that their library or an object marks as functions with
    /// a calling convention of their own.
    fn variant_calls(&self, imports: &[NameId]) -> UnorderedSet<NameId> {
        let Some(VariantCalls { mark, .. }) = self.options.machine.variant_calls else {
            return UnorderedSet::new();
        };
        let is_called = |name: NameId| self.needs[name].load(Ordering::Relaxed) & need::PLT != 0;
        if !imports.iter().any(|&name| is_called(name)) {
            return UnorderedSet::new();
        }
        let marked_by_objects = self.objects.par_iter().with_max_len(16).flat_map_iter(|object| {
            let is_marked = move |global: &GlobalSymbol| global.1.st_other() & mark != 0;
            object.globals().filter(is_marked).map(|(_, _, name)| name)
        });
        let by_objects: Vec<NameId> = marked_by_objects.collect();
        let is_marked_by_library = |name: NameId| {
            let rank = self.definitions.ranks[name];
            rank.strength() == Strength::Shared && {
                let library = &self.candidates.shared[rank.library()];
                library.symbols[rank.symbol()].st_other() & mark != 0
            }
        };
        let by_libraries = imports.iter().copied().filter(|&name| is_marked_by_library(name));
        by_libraries.chain(by_objects).filter(|&name| is_called(name)).collect()
    }

    /// Whether a name is a definition `foo@V`, which binds only references to that version.
    fn is_hidden_version(&self, name: NameId) -> bool {
        self.versions.by_name[name] > VERSYM_HIDDEN | VERSION_GLOBAL
    }

    /// Moves exports without a version behind exports that have the same name and a version.
    ///
    /// For a reference without a version the loader takes the first fitting name, and a definition
    /// without a version fits every reference (glibc's `check_match`): if `foo` came first, it
    /// would also be taken for `foo@V`. The loader also takes a definition with version index 2,
    /// the first of all versions, for references without a version. Returns whether there is an
    /// export without a version beside one with: then no version may have index 2. Loaders and
    /// linkers accept that; only `objdump -p` shows an empty version there.
    fn put_base_last(&self, exports: &mut Vec<NameId>, texts: &[&'static [u8]]) -> bool {
        let version = |name: NameId| self.versions.by_name[name];
        let pairs = || exports.iter().copied().zip(texts.iter().copied());
        let hidden: UnorderedMap<&[u8], bool> = {
            let mut hidden = UnorderedMap::new();
            for (name, text) in pairs().filter(|&(name, _)| self.is_hidden_version(name)) {
                let is_first = version(name) & !VERSYM_HIDDEN == Verdef::index_of(0);
                *hidden.entry(text).or_insert(false) |= is_first;
            }
            hidden
        };
        let is_base = |name: NameId| version(name) <= VERSION_GLOBAL;
        let (last, first): (Vec<_>, Vec<_>) =
            pairs().partition(|&(name, text)| is_base(name) && hidden.contains_key(text));
        let hides_first = last.iter().any(|(_, text)| hidden[text]);
        *exports = first.into_iter().chain(last).map(|(name, _)| name).collect();
        hides_first
    }
}

/// Chooses the symbols of `.dynsym`, orders them, and plans the sections made from them.
pub fn plan(input: &DynamicInput<'_>) -> Result<DynamicSymbols, TooManyVersions> {
    let limit = input.definitions.globals.len() as u32;
    let is_copy: UnorderedSet<NameId> = input.copies.iter().copied().collect();
    let (canonical, imports): (Vec<NameId>, Vec<NameId>) = input
        .ordered
        .iter()
        .filter(|&&n| input.is_import(n) && !is_copy.contains(&n))
        .partition(|&&n| input.is_canonical(n));
    let mut exports: Vec<NameId> =
        input.ordered.iter().copied().filter(|&n| input.is_export(n)).collect();
    exports.extend_from_slice(&canonical);
    exports.extend_from_slice(input.copies);
    let encoding = Encoding::of(input.options.machine);
    let mut table = DynamicSymbols { encoding, ..DynamicSymbols::default() };
    let referenced: Vec<NameId> =
        imports.iter().chain(&canonical).chain(input.copies).copied().collect();
    table.needed = input.needed(&referenced);

    // Texts of names are read once, here; they are not in cache.
    let texts_of = |names: &[NameId]| -> Vec<&'static [u8]> {
        names.par_iter().with_min_len(TASK).map(|&name| input.plain_text(name)).collect()
    };
    let mut texts = texts_of(&imports);
    let mut export_texts = texts_of(&exports);
    if exports.iter().any(|&name| input.is_hidden_version(name)) {
        table.skips_first_version = input.put_base_last(&mut exports, &export_texts);
        export_texts = texts_of(&exports);
    }
    table.first_hashed = imports.len() as u32 + 1;
    table.undefined_tls =
        imports.iter().copied().filter(|&name| input.is_undefined_tls(name)).collect();
    table.variant_calls = input.variant_calls(&imports);
    table.names = imports;
    if input.options.hash_tables().gnu {
        let (hash, order) = GnuHash::plan(encoding, IdSlice::new(&gnu_hashes(&export_texts)));
        table.names.extend(order.iter().map(|&at| exports[at.index()]));
        texts.extend(order.iter().map(|&at| export_texts[at.index()]));
        table.gnu_hash = Some(hash);
    } else {
        table.names.extend(exports);
        texts.extend(export_texts);
    }
    if !input.listed.is_empty() {
        let listed: UnorderedSet<NameId> = input.listed.iter().copied().collect();
        table.names.retain(|name| !listed.contains(name));
        table.names.extend_from_slice(input.listed);
        texts = texts_of(&table.names);
    }
    table.index_of = Column::zeroed(limit as usize);
    for (at, &name) in table.names.iter().enumerate() {
        table.index_of[name] = at as u32 + 1;
    }
    if input.options.hash_tables().sysv {
        table.sysv_hash = Some(SysvHash::plan(input.options.machine, &texts));
    }
    // Equal names are versions of one symbol.
    (table.strings, table.name_offsets) = StringTable::of_distinct(texts);
    table.share_version_names(input);
    table.plan_versions(input)?;
    Ok(table)
}

impl DynamicSymbols {
    /// Makes symbols `foo@V` share the `.dynstr` entry of `foo`.
    fn share_version_names(&mut self, input: &DynamicInput<'_>) {
        let symbols = &input.versions.symbols;
        if symbols.is_empty() {
            return;
        }
        let named = self.names.iter().zip(&self.name_offsets);
        let of_versions = named.filter(|(name, _)| symbols.contains(*name));
        let shared = of_versions.map(|(&name, &offset)| (input.plain_text(name), offset));
        self.strings.share(symbols.len(), shared);
    }

    /// `GLIBC_ABI_DT_RELR`: the version by which glibc says that it applies DT_RELR. A program with
    /// packed relocations requires it of glibc, so that an older glibc refuses to run the program.
    fn relr_marker<'a>(
        &self,
        input: &DynamicInput<'a>,
        uses: &[VersionUse<'a>],
    ) -> Option<VersionUse<'a>> {
        let of_glibc = |used: &&VersionUse<'_>| {
            let library = &input.candidates.shared[self.needed[used.library]];
            library.soname.starts_with(b"libc.so.") && used.version.starts_with(b"GLIBC_2.")
        };
        let library = uses.iter().find(of_glibc)?.library;
        Some(VersionUse { library, version: b"GLIBC_ABI_DT_RELR" })
    }

    /// Versions of libraries that imports need, and for each of `names` the one that it needs, if
    /// any.
    fn version_uses<'a>(
        &self,
        input: &DynamicInput<'a>,
    ) -> (Vec<VersionUse<'a>>, Vec<Option<usize>>) {
        let place: UnorderedMap<LibraryId, usize> =
            self.needed.iter().enumerate().map(|(at, &shared)| (shared, at)).collect();
        let mut uses = Vec::new();
        let own_versions = input.options.default_imported_symver;
        if !own_versions && input.candidates.shared.iter().all(|s| s.version_names.is_empty()) {
            return (uses, Vec::new());
        }
        let mut use_of_symbol = vec![None; self.names.len()];
        for (at, &name) in self.names.iter().enumerate() {
            let rank = input.definitions.ranks[name];
            if rank.strength() != Strength::Shared {
                continue;
            }
            let shared = &input.candidates.shared[rank.library()];
            let soname = &shared.soname;
            let own = own_versions.then_some(&soname[..]);
            let version = shared.version_name(rank.symbol()).map(|name| name as &[u8]);
            let Some(version) = version.or(own) else { continue };
            let library = place.get(&rank.library()).copied().or_else(|| {
                self.needed.iter().position(|&n| input.candidates.shared[n].soname == *soname)
            });
            // A weak import from a library that is not needed gets no version.
            let Some(library) = library else { continue };
            use_of_symbol[at] = Some(uses.len());
            uses.push(VersionUse { library, version });
        }
        (uses, use_of_symbol)
    }

    /// Version indices that symbols have, not counting symbols that stand for a version.
    fn used_versions(&self, input: &DynamicInput<'_>) -> UnorderedSet<u16> {
        let names = self.names.iter().filter(|name| !input.versions.symbols.contains(*name));
        let version_of = |&name: &NameId| input.versions.by_name[name] & !VERSYM_HIDDEN;
        names.map(version_of).collect()
    }

    fn plan_versions(&mut self, input: &DynamicInput<'_>) -> Result<(), TooManyVersions> {
        let script = &input.versions.script;
        let parents: Vec<Vec<usize>> = script
            .nodes
            .iter()
            .map(|n| n.parents.iter().map(|&p| usize::from(p) - 2).collect())
            .collect();
        // Only for a node without patterns does it matter whether a symbol has the version.
        let used: UnorderedSet<u16> = if (0..script.nodes.len()).any(|at| script.names_nothing(at))
        {
            self.used_versions(input)
        } else {
            UnorderedSet::new()
        };
        let nodes: Vec<VersionNode<'_>> = script
            .nodes
            .iter()
            .zip(&parents)
            .enumerate()
            .map(|(at, (node, parents))| {
                let is_weak = script.names_nothing(at) && !used.contains(&node.index);
                VersionNode { name: &node.name, parents, is_weak }
            })
            .collect();
        let mut next_index = 2;
        if !nodes.is_empty() {
            let skipped = u16::from(self.skips_first_version);
            let verdef = Verdef::plan(input.base_name, &nodes, skipped, &mut self.strings)?;
            next_index = verdef.next_index();
            self.verdef = Some(verdef);
        }
        let (mut uses, use_of_symbol) = self.version_uses(input);
        if input.options.pack_relative_relocs {
            uses.extend(self.relr_marker(input, &uses));
        }
        let sonames: Vec<&[u8]> =
            self.needed.iter().map(|&at| &input.candidates.shared[at].soname[..]).collect();
        let (verneed, indices) = Verneed::plan(&sonames, &uses, next_index, &mut self.strings)?;
        if verneed.count() != 0 {
            self.verneed = Some(verneed);
        }
        if self.verdef.is_none() && self.verneed.is_none() {
            return Ok(());
        }
        let mut versym = Versym { indices: vec![0] };
        for (at, &name) in self.names.iter().enumerate() {
            let index = match use_of_symbol.get(at).copied().flatten() {
                Some(used) => indices[used],
                None => match input.versions.by_name[name] {
                    0 => 1,
                    index if index & !VERSYM_HIDDEN == 0 => 1,
                    index if index & !VERSYM_HIDDEN == VERSION_GLOBAL => index,
                    index => index + u16::from(self.skips_first_version),
                },
            };
            versym.indices.push(index);
        }
        self.versym = Some(versym);
        Ok(())
    }
}
