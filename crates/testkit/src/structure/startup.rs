//! Facts about functions that run before and after `main`: those of each array, in their order.

use super::Description;
use super::places::Places;
use crate::encoding::Encoding;
use crate::output_file::{OutputFile, Relocation};
use std::collections::BTreeMap;

const ARRAYS: &[&str] = &[".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors"];

pub(super) fn describe(file: &OutputFile, places: &Places<'_>, description: &mut Description) {
    let relocations: BTreeMap<u64, &Relocation> =
        file.relocations.iter().map(|relocation| (relocation.place, relocation)).collect();
    for section in file.sections.iter().filter(|s| ARRAYS.contains(&s.name.as_str())) {
        let size = file.encoding.word_size();
        let words = file.section_bytes(section).chunks_exact(size as usize).enumerate();
        let functions = words.map(|(index, bytes)| {
            let place = section.address.wrapping_add(size * index as u64);
            let word = file.encoding.number(bytes);
            function(file.encoding, relocations.get(&place).copied(), places, word)
        });
        let functions: Vec<String> = functions.collect();
        description.add("startup", &section.name, "in order", functions.join(" "));
    }
}

/// The function that a word points to: by its relocation, or else by its value.
fn function(
    encoding: Encoding,
    relocation: Option<&Relocation>,
    places: &Places<'_>,
    word: u64,
) -> String {
    match relocation {
        Some(r) if r.kind == "RELR" => places.name(word),
        Some(r) if r.symbol_index != 0 => r.symbol.clone(),
        Some(r) => places.name(encoding.address(r.addend as u64)),
        None if word == encoding.address(u64::MAX) => "-1".to_owned(),
        None => places.name(word),
    }
}
