//! `--no-define-common`: a shared library leaves its common symbols to the program, and refers to
//! them as undefined symbols.

use super::definitions::{Definition, Definitions, Rank, attr};
use super::extract::Extraction;
use super::references::ref_flags;
use super::referent::Home;
use crate::args::{Options, OutputKind};
use crate::read::Libraries;
use crate::read::object_file::SectionFlags;
use skald_core::names::NameId;
use skald_core::unordered::UnorderedMap;

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
        *global = Definition { home: Home::NOWHERE, attributes };
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
