//! Common symbols that shared objects define as well.
//!
//! As for GNU ld: a library's variable with a value is the definition, and the common symbol a
//! reference to it. Otherwise the common symbol stays, and is what the library uses too, so it must
//! be as large and as aligned as the library thinks it is.

use super::definitions::{CommonSize, Rank, Strength};
use super::extract::Extraction;
use super::references::ref_flags;
use crate::read::{ObjectFile, SharedFile};
use skald_core::unordered::UnorderedMap;

/// Lets the definitions of shared objects count, once all objects are entered. `commons` are the
/// names that objects have common symbols of.
pub fn join(
    commons: &mut UnorderedMap<u32, CommonSize>,
    ranks: &mut [Rank],
    extraction: &Extraction,
    objects: &[ObjectFile],
    shared: &[SharedFile],
) {
    if commons.is_empty() {
        return;
    }
    for (at, library) in (0u32..).zip(shared) {
        for &(symbol, name) in &library.exports {
            let rank = ranks[name as usize];
            let refs = extraction.refs.get(name);
            if rank.strength() != Strength::Common
                || refs.is_inside()
                || !library.is_variable(symbol)
            {
                continue;
            }
            // A library that is taken only when needed is not needed for what comes after it.
            let is_before = library.as_needed && library.file < objects[rank.file() as usize].file;
            if library.initialises(symbol) && !is_before {
                ranks[name as usize] = Rank::new(Strength::Shared, at, symbol);
                refs.add(ref_flags::UNDEF_STRONG);
            } else if let Some(common) = commons.get_mut(&name) {
                let align = 1 << library.symbol_align_log2(symbol);
                common.size = common.size.max(library.symbols[symbol as usize].st_size.get());
                common.align = common.align.max(align);
            }
        }
    }
    // As for the others, the largest is the one that counts, in maps and for where it stands.
    for (&name, common) in commons.sorted() {
        let rank = &mut ranks[name as usize];
        if rank.strength() == Strength::Common {
            *rank = common.largest;
        }
    }
}
