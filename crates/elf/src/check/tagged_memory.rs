//! Variables in tagged memory must fill granules of it ("Memtag ABI Extension to ELF for the Arm
//! 64-bit Architecture"), and lists of them must have relocations with addends. Signed pointers
//! have half a word for the way back to their variable.

use crate::check::relocations;
use crate::resolve::tables::Tables;
use crate::select::scan::RelocId;
use crate::select::tagged_globals::TaggedGlobals;
use crate::synth::image::Image;
use crate::synth::memtag::{self, Variable};
use skald_core::diag::WHOLE_LINK;

/// Reports signed pointers that are too far from their variable; `all` has them with the distance.
pub fn check_signed(tables: &Tables<'_>, all: &[(RelocId, i64)]) {
    for &(place, distance) in all.iter().filter(|(_, distance)| i32::try_from(*distance).is_err()) {
        let section = &tables.definitions.sections[place.section];
        let object = &tables.objects[section.object];
        let offset = object.reloc(section, place.index).r_offset();
        let file = tables.object_name(section.object);
        let name = String::from_utf8_lossy(object.section_name(section.shndx)).into_owned();
        let referent = relocations::referent_text(tables, place);
        let text = format!(
            "{file}:({name}+{offset:#x}): signed pointer to {referent} in tagged memory: {distance} \
             does not fit 32 bits"
        );
        tables.diag.error(relocations::key(place), text);
    }
}

/// Reports lists that cannot be read.
pub fn check_lists(tables: &Tables<'_>, tagged: &TaggedGlobals) {
    for &object in &tagged.faults {
        let name = tables.object_name(object);
        let text = "non-RELA relocations are not allowed with memtag globals";
        tables.diag.error((object.into(), 0), format!("{name}: {text}"));
    }
}

/// Reports variables that the loader cannot tag, and options that do not go with them.
pub fn check_variables(tables: &Tables<'_>, image: &Image<'_>, tagged: &TaggedGlobals) {
    let Some(tags) = image.machine.memory_tags else { return };
    if tables.options.apply_dynamic_relocs == Some(true) {
        let text = "--apply-dynamic-relocs cannot be used with MTE globals";
        tables.diag.error(WHOLE_LINK, text.to_owned());
    }
    let granule = tags.granule;
    for Variable { address, size, symbol } in memtag::variables(image, tagged) {
        let what = if address % granule != 0 {
            format!("is at {address:#x}, which is no multiple of {granule}")
        } else if size == 0 {
            "has no size".to_owned()
        } else if size % granule != 0 {
            format!("has {size:#x} bytes, which is no multiple of {granule}")
        } else {
            continue;
        };
        let file = tables.object_name(symbol.object);
        let name = tables.objects[symbol.object].symbol_name(symbol.symbol);
        let name = String::from_utf8_lossy(name);
        let text = format!("{file}: variable `{name}' in tagged memory {what}");
        tables.diag.error((symbol.object.into(), 0), text);
    }
}
