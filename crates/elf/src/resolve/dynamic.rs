//! Which names the dynamic linker sees: what is imported, exported, preemptible, and the version
//! of each.
//!
//! One parallel pass over all names; each looks only at its own record. Follows lld where peers
//! differ. A name is exported from an executable when a shared object of the link refers to or
//! defines it, or when it is asked for. It is exported from a shared object when its visibility and
//! the version script let it.

use super::definitions::{
    Definition, Definitions, Rank, Strength, attr, undefined_bits, visibility_attributes,
};
use super::extract::Extraction;
use super::names::references::ref_flags;
use super::referent::ValueBase;
use super::versions::symbol_versions::{self, OwnVersions};
use crate::args::dynamic_list::DynamicList;
use crate::args::version_script::{Assignment, ExactId, VERSION_GLOBAL, VersionScript};
use crate::args::{Bsymbolic, Options, OutputKind, Unresolved};
use crate::read::Objects;
use skald_core::demangle;
use skald_core::diag::Diag;
use skald_core::ids::{Column, IdSlice};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

/// The kind of output, as far as symbol binding depends on it.
#[derive(Debug, Clone, Copy, Default)]
pub struct OutputShape {
    /// The output has `.dynamic` and `.dynsym`.
    pub is_dynamic: bool,
    /// `-shared`.
    pub is_shared: bool,
    /// PIE or shared: may be loaded at any address.
    pub is_pic: bool,
    /// Runs under a dynamic linker that binds symbols (not static, not static-PIE).
    pub has_loader: bool,
}

impl OutputShape {
    /// From the options and whether a shared object takes part.
    pub fn new(options: &Options, has_shared_inputs: bool) -> OutputShape {
        let is_shared = options.kind == OutputKind::Shared;
        let is_pic = is_shared || options.kind == OutputKind::PieExecutable;
        let is_static = options.is_static && !is_shared && !has_shared_inputs;
        let has_loader = is_shared || (!is_static && !options.no_dynamic_linker);
        let is_dynamic = options.kind != OutputKind::Relocatable && (is_pic || has_shared_inputs);
        OutputShape { is_dynamic, is_shared, is_pic, has_loader: has_loader && is_dynamic }
    }
}

/// Versions of names, and the version script that gives them.
#[derive(Debug, Default)]
pub struct Versions {
    /// All `--version-script` files, joined.
    pub script: VersionScript,
    /// By name: version index as in `.gnu.version`, bit 15 for hidden; 0 without a version.
    pub by_name: Column<NameId, u16>,
    /// Names that the script spells out and nothing defines, as indices of
    /// [`VersionScript::exact_names`].
    pub undefined: Vec<ExactId>,
    /// Symbols of value zero that only name a version which the output defines, as GNU ld makes
    /// them.
    pub symbols: UnorderedSet<NameId>,
}

/// Options that list exported symbols.
#[derive(Debug, Default)]
pub struct ExportLists {
    /// `--dynamic-list`: symbols to export, the only preemptible ones of a shared object; `None` if
    /// not given.
    pub dynamic_list: Option<DynamicList>,
    /// `--export-dynamic-symbol[-list]`: symbols to export (and preemptible under `-Bsymbolic`).
    pub export: DynamicList,
}

/// The tables that decide about imports and exports.
#[derive(Clone, Copy)]
pub struct DecideInput<'a> {
    /// Names, and what files say of them.
    pub extraction: &'a Extraction,
    /// The objects that are linked.
    pub objects: &'a Objects,
    /// For `-Bsymbolic`, `--export-dynamic`, `-z` options and the like.
    pub options: &'a Options,
    /// Options that list exported symbols.
    pub lists: &'a ExportLists,
    /// Names with a version (`foo@V`) that options and scripts define.
    pub assigned: &'a [NameId],
    /// Symbols that the linker defines for versions, with the versions' names.
    pub of_versions: &'a [NameId],
    /// Executable, PIE or shared, and whether there is a dynamic linker.
    pub shape: OutputShape,
}

/// Names of the versions that the output defines, as far as scripts and options name them.
pub fn version_names<'a>(
    script: &'a VersionScript,
    options: &Options,
    shape: OutputShape,
) -> Vec<Cow<'a, [u8]>> {
    if !shape.is_dynamic {
        return Vec::new();
    }
    let nodes = script.nodes.iter().map(|node| Cow::Borrowed(&*node.name));
    nodes.chain(options.default_symver.then(|| Cow::Owned(own_version(options)))).collect()
}

/// Attributes of an undefined weak reference of default visibility.
pub fn undefined_weak(options: &Options, shape: OutputShape) -> u32 {
    let global = Definition { value_base: ValueBase::NOWHERE, attributes: attr::UNDEF_WEAK };
    if is_import(&global, options, shape) {
        attr::UNDEF_WEAK | attr::IMPORTED
    } else {
        attr::UNDEF_WEAK
    }
}

/// Decides for every name whether it is imported, exported, or neither, and its version.
pub fn decide(
    definitions: &mut Definitions,
    input: &DecideInput<'_>,
    script: VersionScript,
    diag: &Diag,
) -> Versions {
    let DecideInput { extraction, options, lists, shape, .. } = *input;
    let mut script = script;
    let has_patterns = !script.is_empty();
    if options.default_symver && options.kind != OutputKind::Relocatable {
        script.set_default(&own_version(options));
    }
    let own = OwnVersions::new(definitions, input, &mut script, diag);
    let uses: Column<ExactId, ExactUse> =
        script.exact_names().iter().map(|_| ExactUse::default()).collect();
    let (objects, ranks) = (input.objects, &*definitions.ranks);
    let policy =
        Policy { extraction, options, lists, script: &script, own: &own, shape, objects, ranks };
    let default_version = script.default_version();
    let mut by_name: Column<NameId, u16> = definitions
        .globals
        .par_with_ids_mut()
        .with_min_len(1 << 13)
        .map(|(name, global)| {
            let mut version = own.version(name);
            if version != 0 && own.is_local(name) {
                global.attributes |= attr::LOCAL;
            }
            if has_patterns && global.has(attr::DEFINED) {
                policy.apply_script(name, global, &mut version, &uses);
            }
            if let Some(index) = default_version
                && version <= VERSION_GLOBAL
                && global.has(attr::DEFINED)
            {
                version = index;
            }
            policy.bind(name, global);
            version
        })
        .collect();
    let is_exported = |name: NameId| definitions.globals[name].has(attr::EXPORTED);
    own.drop_unused(&mut script, &mut by_name, is_exported);
    symbol_versions::refuse_ignored(definitions, input, diag);
    let undefined = check_exact_names(&script, &uses, options, diag);
    export_versions(definitions, input, &script, &mut by_name);
    export_global_pointer(definitions, input);
    let symbols = input.of_versions.iter().copied().collect();
    Versions { script, by_name, undefined, symbols }
}

/// Exports each symbol that stands for a version, with that version, whatever the script assigns to
/// its name.
fn export_versions(
    definitions: &mut Definitions,
    input: &DecideInput<'_>,
    script: &VersionScript,
    by_name: &mut IdSlice<NameId, u16>,
) {
    if input.of_versions.is_empty() {
        return;
    }
    let nodes = script.nodes.iter().map(|node| (&*node.name, node.index));
    let indices: UnorderedMap<&[u8], u16> = nodes.collect();
    for &name in input.of_versions {
        let text = input.extraction.pools.name(&input.extraction.names, name);
        let global = &mut definitions.globals[name];
        global.attributes &= !(attr::LOCAL | attr::IMPORTED);
        global.attributes |= attr::EXPORTED;
        by_name[name] = indices.get(text).copied().unwrap_or(VERSION_GLOBAL);
    }
}

/// Exports the global pointer of a program with fixed addresses. A resolver of an IFUNC, or a
/// `malloc` that replaces the library's, runs before start code has set the register. Loaders set
/// it by this symbol, as the psABI of RISC-V asks, so that no version script makes it local.
fn export_global_pointer(definitions: &mut Definitions, input: &DecideInput<'_>) {
    let DecideInput { extraction, options, shape, .. } = *input;
    let is_fixed = shape.is_dynamic && !shape.is_pic;
    let small = options.machine.small_data.filter(|small| small.is_for_loader && is_fixed);
    let Some(name) = small.and_then(|small| extraction.own_name(small.pointer.as_bytes())) else {
        return;
    };
    let global = &mut definitions.globals[name];
    let is_hidden = visibility_attributes(extraction.refs.get(name).flags()) & attr::LOCAL != 0;
    if global.has(attr::DEFINED) && !is_hidden {
        global.attributes &= !attr::LOCAL;
        global.attributes |= attr::EXPORTED;
    }
}

/// How a name that a version script spells out is used.
#[derive(Debug, Default)]
struct ExactUse {
    /// A symbol of this name and version is defined.
    is_found: AtomicBool,
    /// The script's version was assigned to a symbol whose name has no version.
    is_assigned: AtomicBool,
}

/// Warns of contradictions between script and symbols; returns the names that nothing defines, if
/// that is an error.
fn check_exact_names(
    script: &VersionScript,
    uses: &IdSlice<ExactId, ExactUse>,
    options: &Options,
    diag: &Diag,
) -> Vec<ExactId> {
    let names = script.exact_names();
    let mut undefined = Vec::new();
    for ((rank, exact), usage) in names.with_ids().zip(uses) {
        if usage.is_assigned.load(Ordering::Relaxed) {
            let repeats = exact.repeats.iter().map(|&rank| &names[rank]);
            for (repeat, text) in repeats.filter_map(|r| Some((r, r.contradiction.as_ref()?))) {
                diag.warn((0, u64::from(repeat.line)), text.clone());
            }
        }
        let is_found = usage.is_found.load(Ordering::Relaxed);
        if !is_found
            && !matches!(exact.assignment, Assignment::Local)
            && options.no_undefined_version
        {
            undefined.push(rank);
        }
    }
    undefined
}

struct Policy<'a> {
    extraction: &'a Extraction,
    options: &'a Options,
    lists: &'a ExportLists,
    script: &'a VersionScript,
    own: &'a OwnVersions,
    shape: OutputShape,
    objects: &'a Objects,
    ranks: &'a IdSlice<NameId, Rank>,
}

impl Policy<'_> {
    fn text(&self, name: NameId) -> &'static [u8] {
        self.extraction.pools.name(&self.extraction.names, name)
    }

    fn apply_script(
        &self,
        name: NameId,
        global: &mut Definition,
        version: &mut u16,
        uses: &IdSlice<ExactId, ExactUse>,
    ) {
        let text = self.text(name);
        let plain = match text.iter().position(|&b| b == b'@') {
            Some(at) => &text[..at],
            None => text,
        };
        let Some(found) = self.script.find(plain, demangle::demangle_cxx) else { return };
        if let Some(exact) = found.exact {
            uses[exact].is_found.store(true, Ordering::Relaxed);
            let own = Assignment::Global(*version & !crate::read::shared_file::VERSYM_HIDDEN);
            for &rank in &self.script.exact_names()[exact].repeats {
                if plain == text || self.script.exact_names()[rank].assignment == own {
                    uses[rank].is_found.store(true, Ordering::Relaxed);
                }
            }
        }
        // A version in the symbol's own name overrides the script's.
        if *version != 0 || plain.len() < text.len() {
            return;
        }
        if let Some(exact) = found.exact {
            uses[exact].is_assigned.store(true, Ordering::Relaxed);
        }
        match found.assignment {
            Assignment::Local => global.attributes |= attr::LOCAL,
            // `foo@V` is there already, so `foo` with version V would be a second definition.
            Assignment::Global(index) if self.own.has_version(name, index) => {
                global.attributes |= attr::LOCAL;
            }
            Assignment::Global(index) => *version = index,
        }
    }

    /// Sets IMPORTED and EXPORTED in a name's attributes.
    fn bind(&self, name: NameId, global: &mut Definition) {
        let flags = self.extraction.refs.get(name).flags();
        if flags & ref_flags::EXCLUDED != 0 && global.has(attr::DEFINED) {
            global.attributes |= attr::LOCAL;
        }
        if !self.shape.is_dynamic {
            global.attributes &= !attr::IMPORTED;
            return;
        }
        if global.has(attr::DEFINED) {
            self.bind_definition(name, flags, global);
        } else if global.has(attr::UNDEF_WEAK | attr::UNDEFINED) {
            let has_version = flags & ref_flags::VERSION_NOWHERE != 0;
            if has_version && global.has(attr::UNDEF_WEAK) && !global.has(attr::LOCAL) {
                // No library has the version, so the dynamic linker could not look it up.
                global.attributes ^= attr::UNDEF_WEAK | attr::UNDEFINED;
            } else if !has_version {
                bind_undefined(global, self.options, self.shape);
            }
        } else if self.shape.is_shared
            && flags & ref_flags::DEFINED != 0
            && !global.has(attr::SHARED | attr::LOCAL)
        {
            // All definitions are in killed copies of groups, and the kept copies do not have this
            // symbol. A library may define it at run time, and compilers make symbols in groups
            // weak.
            global.attributes |= attr::UNDEF_WEAK | attr::IMPORTED;
        }
    }

    /// Whether a reference by libraries of the link may mean this definition of a program. A
    /// library that refers to a function does not mean a variable, nor the reverse. A library that
    /// was linked against another library's function says so by the version; one without versions
    /// binds to any definition. As in GNU ld, a definition behind the library on the command line
    /// replaces the library's, whatever its type.
    fn is_used_by_libraries(&self, name: NameId, flags: u32, global: &Definition) -> bool {
        let other = match global.attributes & (attr::FUNC | attr::OBJECT | attr::TLS | attr::COMMON)
        {
            0 => 0,
            kind if kind & attr::FUNC != 0 => ref_flags::SHARED_DATA,
            _ => ref_flags::SHARED_FUNC,
        };
        let kinds = flags & (ref_flags::SHARED_FUNC | ref_flags::SHARED_DATA);
        let uses = if other != 0 && kinds == other && !self.is_behind_library(name) {
            ref_flags::SHARED_REF_PLAIN
        } else {
            ref_flags::SHARED_REF | ref_flags::SHARED_DEF
        };
        flags & uses != 0
    }

    /// Whether an object defines the name, behind a library that defines it too.
    fn is_behind_library(&self, name: NameId) -> bool {
        let rank = self.ranks[name];
        let library = self.extraction.refs.get(name).shared();
        rank.strength() <= Strength::Weak
            && library.is_some_and(|library| Some(library) < self.objects[rank.object()].file)
    }

    fn bind_definition(&self, name: NameId, flags: u32, global: &mut Definition) {
        if global.has(attr::LOCAL) {
            return;
        }
        let is_data = global.has(attr::OBJECT | attr::COMMON | attr::TLS);
        let in_dynamic_list = || {
            if self.options.dynamic_list_data && is_data {
                return true;
            }
            let list = self.lists.dynamic_list.as_ref();
            list.is_some_and(|l| l.matches(self.text(name), demangle::demangle_cxx))
        };
        let in_export_list = || {
            !self.lists.export.is_empty()
                && self.lists.export.matches(self.text(name), demangle::demangle_cxx)
        };
        let exported = self.shape.is_shared
            || self.options.export_dynamic
            || (is_known_to_libraries(flags) && self.is_used_by_libraries(name, flags, global))
            || global.has(attr::UNIQUE)
            || (global.has(attr::START_STOP) && self.options.exports_section_bounds())
            || in_export_list()
            || in_dynamic_list();
        if !exported {
            return;
        }
        global.attributes |= attr::EXPORTED;
        if !self.shape.is_shared || global.has(attr::PROTECTED) {
            return;
        }
        let is_weak = global.has(attr::WEAK);
        // If the program refers to an IFUNC, its address is a PLT entry of the program. So
        // `-Bsymbolic-functions` leaves an IFUNC preemptible, as in GNU ld and lld.
        let is_ifunc = global.has(attr::IFUNC);
        let is_func = global.has(attr::FUNC) && !is_ifunc;
        // With a dynamic list, it alone says which symbols are preemptible.
        let binds_locally = self.lists.dynamic_list.is_some();
        let binds_locally = binds_locally
            || match self.options.bsymbolic {
                Bsymbolic::None => false,
                Bsymbolic::All => true,
                // As in GNU ld, every symbol that is not known to be data: an address that a script
                // assigns has no type.
                Bsymbolic::Functions => !is_ifunc && (is_func || !is_data),
                Bsymbolic::NonWeak => !is_weak,
                Bsymbolic::NonWeakFunctions => is_func && !is_weak,
            };
        // STB_GNU_UNIQUE: a process has one definition, which may be another library's.
        let is_unique = global.has(attr::UNIQUE);
        if !binds_locally || is_unique || in_dynamic_list() || in_export_list() {
            global.attributes |= attr::IMPORTED;
        }
    }
}

/// Lets the loader look up a name that nothing in the link defines, if the output imports such
/// names. If options allow an undefined symbol and no library has it at run time, it is zero, as if
/// the references were weak. With GNU ld it is always zero, and with lld the program does not
/// start.
fn bind_undefined(global: &mut Definition, options: &Options, shape: OutputShape) {
    let is_tolerated = options.noinhibit_exec
        || matches!(
            options.unresolved,
            Unresolved::Warn | Unresolved::IgnoreAll | Unresolved::IgnoreInObjectFiles
        );
    if is_tolerated && !shape.is_shared && shape.has_loader && !global.has(attr::OWN) {
        global.attributes |= attr::UNDEF_WEAK;
    }
    if is_import(global, options, shape) {
        global.attributes |= attr::IMPORTED;
    }
}

/// Whether the output imports a name that nothing in the link defines.
fn is_import(global: &Definition, options: &Options, shape: OutputShape) -> bool {
    // A visibility other than default requires a definition inside the output.
    if global.has(attr::OWN) || !shape.is_dynamic {
        return false;
    }
    if global.has(attr::UNDEF_WEAK) {
        // Another library may define it when the program runs.
        return options.z.dynamic_undefined_weak.unwrap_or(shape.has_loader);
    }
    match options.unresolved {
        Unresolved::ReportAll | Unresolved::IgnoreInSharedLibs => false,
        Unresolved::Default
        | Unresolved::Warn
        | Unresolved::IgnoreAll
        | Unresolved::IgnoreInObjectFiles => shape.is_shared,
    }
}

/// Removes the definition of a linker-defined symbol whose section or segment turns out not to
/// exist.
pub fn undefine(
    definitions: &mut Definitions,
    extraction: &Extraction,
    options: &Options,
    shape: OutputShape,
    name: NameId,
) {
    let flags = extraction.refs.get(name).flags();
    let attributes = undefined_bits(flags) | visibility_attributes(flags);
    let mut global = Definition { value_base: ValueBase::NOWHERE, attributes };
    if global.has(attr::UNDEF_WEAK | attr::UNDEFINED) {
        bind_undefined(&mut global, options, shape);
    }
    definitions.globals[name] = global;
    definitions.ranks[name] = Rank::NONE;
}

/// Whether a shared object refers to the name or defines it.
fn is_known_to_libraries(flags: u32) -> bool {
    flags & ref_flags::SHARED_DEF != 0
        || flags & (ref_flags::SHARED_REF | ref_flags::IMPORTED_ELSEWHERE) == ref_flags::SHARED_REF
}

/// The version of `--default-symver`: the library's soname.
fn own_version(options: &Options) -> Vec<u8> {
    match &options.soname {
        Some(soname) => soname.clone().into_bytes(),
        None => options.output.file_name().unwrap_or_default().as_encoded_bytes().to_vec(),
    }
}
