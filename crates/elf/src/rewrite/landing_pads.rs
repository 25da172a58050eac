//! `-z rewrite-endbr`: a function that is never called through a pointer needs no `endbr64`, and is
//! safer without. For global functions the compiler cannot know that, but the linker sees all
//! references.
//!
//! Landing pads of global functions become nops. Exceptions are functions whose address some
//! relocation takes other than to branch there, and functions that the loader may call: the entry
//! point, `-init` and `-fini`, and exported functions.

use crate::args::Options;
use crate::format::elf::SymbolId;
use crate::loops::code::LandingPads;
use crate::read::ObjectId;
use crate::read::candidates::Candidates;
use crate::read::object_file::SectionFlags;
use crate::resolve::extract::Extraction;
use crate::resolve::wanted::entry_name;
use crate::rewrite::words::Word;
use crate::synth::image::Image;
use crate::synth::values::{self, Value};
use object::elf::{STT_FUNC, STT_SECTION};
use skald_core::ids::IdRange;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedSet;

/// The words that turn landing pads into no-ops, except those of functions that are `called` from
/// outside.
pub fn rewritten(rules: &LandingPads, image: &Image<'_>, called: &[NameId]) -> Vec<Word> {
    let mut pads: Vec<u64> =
        image.objects.par_ids().flat_map_iter(|at| pads_of(rules.code, at, image)).collect();
    shuffled(&mut pads).sort_unstable();
    pads.dedup();
    let is_pad = |address: &u64| pads.binary_search(address).is_ok();
    let mut kept: UnorderedSet<u64> = image
        .objects
        .par_ids()
        .flat_map_iter(|at| taken_by(rules, at, image).into_iter().filter(is_pad))
        .collect();
    kept.extend(called.iter().map(|&name| image.values.of_name[name]));
    let code = rules.nop;
    let mut nop = [0; 8];
    nop[..code.len()].copy_from_slice(code);
    let nop = u64::from_le_bytes(nop);
    pads.iter()
        .filter(|pad| !kept.contains(pad))
        .filter_map(|&pad| Word::new(image.outputs, pad, nop, code.len()))
        .collect()
}

/// Addresses of the global functions of an object that begin with the instruction `pad`.
fn pads_of(pad: &[u8], at: ObjectId, image: &Image<'_>) -> Vec<u64> {
    let object = &image.objects[at];
    let mut pads = Vec::new();
    for (index, &name) in object.first_global.onward().zip(&object.globals) {
        let symbol = &object.mapped.symbols[index];
        let rank = image.definitions.ranks[name];
        let Some(id) = image.definitions.globals[name].value_base.section() else { continue };
        if symbol.kind() != STT_FUNC || !rank.is_of_object(at, index) || !image.liveness.is_live(id)
        {
            continue;
        }
        let section = &image.definitions.sections[id];
        let value = symbol.st_value();
        let code = object.bytes(section).get(value as usize..).unwrap_or_default();
        if section.flags.has(SectionFlags::EXEC) && code.starts_with(pad) {
            pads.push(image.address(id).wrapping_add(value));
        }
    }
    pads
}

/// Addresses that relocations of an object take.
fn taken_by(rules: &LandingPads, at: ObjectId, image: &Image<'_>) -> Vec<u64> {
    let object = &image.objects[at];
    let mut taken = Vec::new();
    for id in image.definitions.sections_of(at).ids() {
        let section = &image.definitions.sections[id];
        let is_described = section.flags.has(SectionFlags::EH_FRAME);
        if !image.liveness.is_live(id) || is_described || !section.flags.has(SectionFlags::ALLOC) {
            continue;
        }
        for reloc in object.relocs(section) {
            let (r_type, symbol) = (reloc.r_type(), reloc.symbol());
            let Some(entry) = object.mapped.symbols.get(symbol) else { continue };
            if rules.branches.has(r_type) {
                continue;
            }
            let Some(value) = own_value(at, symbol, image) else {
                continue;
            };
            if entry.kind() == STT_SECTION {
                let start = value.wrapping_add_signed(reloc.r_addend());
                // A distance counts from the end of its instruction.
                let is_distance = rules.distances.has(r_type);
                let farthest = if is_distance { rules.farthest } else { 0 };
                taken.extend((0..=farthest).map(|bias| start.wrapping_add(bias)));
            } else {
                taken.push(value);
            }
        }
    }
    taken
}

/// The address in this output of a symbol, even if the loader may bind it elsewhere.
fn own_value(object: ObjectId, symbol: SymbolId, image: &Image<'_>) -> Option<u64> {
    let value = match image.view(object, symbol).name() {
        Some(name) => image.values.of_name[name],
        None => image.value(object, symbol),
    };
    match values::decode(value) {
        Value::Plain(value) => Some(value),
        _ => None,
    }
}

/// Names that the loader may call: `exported` ones, the entry, `-init` and `-fini`.
pub fn called_by_loader(
    options: &Options,
    candidates: &Candidates,
    extraction: &Extraction,
    exported: &[NameId],
) -> Vec<NameId> {
    let named = [Some(options.init.clone().into_bytes()), Some(options.fini.clone().into_bytes())];
    let named = named.into_iter().chain([entry_name(options, candidates)]).flatten();
    let own = named.filter_map(|text| extraction.own_name(&text));
    own.chain(exported.iter().copied()).collect()
}
