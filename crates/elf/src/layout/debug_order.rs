//! The order of debug sections: sections of 32-bit DWARF come before those of 64-bit DWARF.
//!
//! A reference in 32-bit DWARF reaches 4 GiB (DWARF 5, section 7.4), and refers to sections of its
//! own object. Only sections of objects with 64-bit DWARF may be beyond 4 GiB.

use super::collect::Lists;
use crate::read::object_file::InputSection;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::Definitions;
use crate::script::section_names::OutputId;
use skald_core::ids::IdSlice;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedSet;

/// The first bytes of a unit of 64-bit DWARF.
const MARK: [u8; 4] = [0xff; 4];

/// Moves debug sections of objects with 64-bit DWARF behind those of all others.
pub(super) fn put_64_bit_last(
    lists: &mut Lists,
    names: &IdSlice<OutputId, Vec<u8>>,
    definitions: &Definitions,
    objects: &Objects,
) {
    let is_wide = |&id: &_| {
        let section = &definitions.sections[id];
        begins_with_mark(section, objects).then_some(section.object)
    };
    let infos = lists.with_ids().filter(|(out, _)| names[*out] == b".debug_info");
    let wide: Vec<ObjectId> = infos
        .flat_map(|(_, list)| list.sections.par_iter().filter_map(is_wide).collect::<Vec<_>>())
        .collect();
    if wide.is_empty() {
        return;
    }
    let wide: UnorderedSet<ObjectId> = wide.into_iter().collect();
    for (_, list) in lists.with_ids_mut().filter(|(out, _)| names[*out].starts_with(b".debug_")) {
        list.sections.sort_by_key(|&id| wide.contains(&definitions.sections[id].object));
    }
}

/// Whether the first unit of a `.debug_info` is of 64-bit DWARF.
fn begins_with_mark(section: &InputSection, objects: &Objects) -> bool {
    let object = &objects[section.object];
    let mut first = [0; MARK.len()];
    match object.compressed(section) {
        None => object.bytes(section).starts_with(&MARK),
        Some(compressed) if compressed.size >= MARK.len() as u64 => {
            let filled = compressed.reader().and_then(|mut reader| reader.fill(&mut first));
            filled.is_ok() && first == MARK
        }
        Some(_) => false,
    }
}
