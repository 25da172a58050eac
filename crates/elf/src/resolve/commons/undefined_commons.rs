//! Common symbols that do not become definitions, and take no room.
//!
//! With `--no-define-common` a shared library leaves its common symbols to the program, and refers
//! to them as undefined symbols. In any output an assignment replaces a common symbol, as in GNU
//! ld. That allocates the symbols which are still common after it has evaluated, once and without
//! addresses, all assignments that it can. An assignment whose value needs an address, or the
//! common symbol itself, comes too late to replace it.

use crate::args::assignments::Assignment;
use crate::args::{Options, OutputKind};
use crate::read::Libraries;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{Definition, Definitions, Rank, attr};
use crate::resolve::extract::Extraction;
use crate::resolve::names::references::ref_flags;
use crate::resolve::referent::ValueBase;
use skald_core::names::NameId;
use skald_core::unordered::{UnorderedMap, UnorderedSet};

/// Turns common symbols into undefined ones.
pub fn leave(
    definitions: &mut Definitions,
    extraction: &Extraction,
    shared: &Libraries,
    options: &Options,
) {
    if !options.no_define_common || options.kind != OutputKind::Shared {
        return;
    }
    for section in &mut definitions.sections {
        if section.flags.has(SectionFlags::COMMON) {
            section.flags.0 |= SectionFlags::DISCARDED;
        }
    }
    let exports = exports_of_commons(definitions, shared);
    for (name, global) in definitions.globals.with_ids_mut() {
        if !global.has(attr::COMMON) {
            continue;
        }
        let kept = global.attributes & attr::OWN;
        let mut attributes = kept | attr::UNDEFINED;
        let mut rank = Rank::NONE;
        if let Some(&found) = exports.get(&name) {
            rank = found;
            attributes = kept | attr::SHARED | attr::IMPORTED | attr::OBJECT;
        }
        extraction.refs.get(name).add(ref_flags::UNDEF_STRONG);
        definitions.ranks[name] = rank;
        *global = Definition { value_base: ValueBase::NOWHERE, attributes };
    }
}

/// Makes common symbols undefined that assignments define early enough.
pub fn leave_assigned(
    definitions: &mut Definitions,
    extraction: &Extraction,
    assignments: &[Assignment],
) {
    let plain: Vec<&Assignment> =
        assignments.iter().filter(|a| a.is_certain && !a.provide).collect();
    let id = |text: &[u8]| extraction.names.find_text(text);
    let names = || plain.iter().filter_map(|a| id(&a.name));
    let is_common =
        |definitions: &Definitions, name: NameId| definitions.globals[name].has(attr::COMMON);
    if !names().any(|name| is_common(definitions, name)) {
        return;
    }
    let global = |text: &[u8]| id(text).map(|name| definitions.globals[name]);
    let mut early: UnorderedSet<&[u8]> = UnorderedSet::new();
    // The second round also knows the assignments that stand behind, SIZEOF_HEADERS and memory
    // regions.
    for has_sizes in [false, true] {
        for assignment in &plain {
            let of_object = |text: &[u8], attributes| {
                let global = global(text).filter(|global| global.has(attr::DEFINED));
                early.contains(text) || global.is_some_and(|global| !global.has(attributes))
            };
            let is_known = |text: &[u8]| of_object(text, attr::COMMON | attr::SYNTHETIC);
            let is_defined = |text: &[u8]| of_object(text, attr::SYNTHETIC);
            if assignment.expr.is_found_early(has_sizes, &is_known, &is_defined) {
                early.insert(&assignment.name);
            }
        }
    }
    for assignment in plain.iter().filter(|a| early.contains(&a.name[..])) {
        let Some(name) = id(&assignment.name) else { continue };
        let Definition { value_base, attributes } = definitions.globals[name];
        if attributes & attr::COMMON == 0 {
            continue;
        }
        let section = value_base.section().expect("common symbols have sections");
        definitions.sections[section].flags.set(SectionFlags::DISCARDED);
        definitions.assigned_commons.push((name, section));
        definitions.ranks[name] = Rank::NONE;
        let kept = attributes & (attr::OWN | attr::OBJECT);
        let attributes = kept | attr::UNDEFINED;
        definitions.globals[name] = Definition { value_base: ValueBase::NOWHERE, attributes };
    }
}

/// The first library's definition of each name that is a common symbol so far.
fn exports_of_commons(definitions: &Definitions, shared: &Libraries) -> UnorderedMap<NameId, Rank> {
    let mut exports = UnorderedMap::new();
    for (at, file) in shared.with_ids() {
        for &(symbol, name) in &file.exports {
            if definitions.globals[name].has(attr::COMMON) && !exports.contains_key(&name) {
                exports.insert(name, Rank::of_library(at, symbol));
            }
        }
    }
    exports
}
