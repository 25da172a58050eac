//! `.gdb_index` of an output: see [`skald_dwarf::gdb_index`].

use super::source::{LIMIT, Source, live_sections};
use super::split_files::DwoFiles;
use crate::check::section_faults;
use crate::format::elf::Rela;
use crate::read::object_file::InputSection;
use crate::resolve::definitions::SectionId;
use crate::resolve::tables::Tables;
use crate::synth::image::Image;
use crate::synth::values::{self, Value};
use skald_core::diag::{Error, Result};
use skald_core::par::prelude::*;
use skald_dwarf::gdb_index::{GdbIndex, IndexInput, ListedNames};
use skald_dwarf::values::fixed;
use std::ops::Range;

/// Names of the sections in which compilers list names. No output with an index has them.
const LISTS: [&[u8]; 2] = [b".debug_gnu_pubnames", b".debug_gnu_pubtypes"];

/// Whether an output section of this name is only used to make an index.
pub fn is_list(name: &[u8]) -> bool {
    LISTS.contains(&name)
}

/// Makes the index; warns of debug information that cannot be read.
pub fn index<'s>(
    source: &'s Source,
    tables: &Tables<'_>,
    image: &Image<'_>,
) -> Result<GdbIndex<'s>> {
    let listed = listed_names(image);
    let split_files = DwoFiles::new(tables.options, image.machine);
    let index = GdbIndex::new(&IndexInput {
        sections: source.sections(),
        contributions: &source.contributions,
        listed: &listed,
        split_files: &split_files,
        addresses: loaded_addresses(image),
        version: tables.options.gdb_index_version,
    });
    section_faults::unread_units(
        tables,
        ".gdb_index",
        &source.section_faults(image, &index.faults),
    );
    section_faults::unread_dwo_files(tables, ".gdb_index", split_files.faults());
    if index.symbols.fits() {
        Ok(index)
    } else {
        Err(Error("the names of .gdb_index take more than 4 GiB".to_owned()))
    }
}

/// The addresses from the first to the last byte that is loaded.
fn loaded_addresses(image: &Image<'_>) -> Range<u64> {
    let loaded = image.outputs.sections.iter().filter(|section| section.is_loaded());
    let ranges = loaded.map(|section| section.address..section.address + section.size);
    let both = |a: Range<u64>, b: Range<u64>| a.start.min(b.start)..a.end.max(b.end);
    ranges.filter(|range| !range.is_empty()).reduce(both).unwrap_or(0..0)
}

/// The names that compilers listed (`-ggnu-pubnames`), by unit.
fn listed_names<'a>(image: &Image<'a>) -> Vec<ListedNames<'a>> {
    let names = &image.outputs.names;
    let sections = live_sections(image, |out| is_list(&names[out]));
    let lists = sections.par_iter().map(|&id| lists_of(image, id));
    let mut lists: Vec<ListedNames<'a>> = lists.collect::<Vec<_>>().concat();
    lists.sort_by_key(|list| list.unit);
    lists
}

/// The lists of one input section, up to the first broken one.
fn lists_of<'a>(image: &Image<'a>, id: SectionId) -> Vec<ListedNames<'a>> {
    let section = &image.definitions.sections[id];
    let object = &image.objects[section.object];
    let bytes: &'static [u8] = match object.compressed(section) {
        // Few inputs have compressed lists; the decompressed bytes stay until the end of the link.
        Some(compressed) => compressed.decompress(LIMIT).unwrap_or_default().leak(),
        None => object.bytes(section),
    };
    let relocs = object.relocs(section);
    let mut lists = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let Some(list) = list_at(image, section, relocs, bytes, &mut at) else { break };
        lists.extend(list);
    }
    lists
}

/// Reads the list at `at` and moves `at` behind it. `None` if the list is broken, `Some(None)` if
/// its unit is not in the output. (LLVM's and gcc's `.debug_gnu_pubnames` have the header of DWARF
/// 4, section 6.1.1.)
fn list_at<'a>(
    image: &Image<'_>,
    section: &InputSection,
    relocs: &[Rela],
    bytes: &'a [u8],
    at: &mut usize,
) -> Option<Option<ListedNames<'a>>> {
    let order = image.encoding().order;
    let (offset_size, length) = match fixed(bytes, at, 4, order)? {
        0xffff_ffff => (8, fixed(bytes, at, 8, order)?),
        length => (4, length),
    };
    let end = at.checked_add(usize::try_from(length).ok()?)?;
    let list = bytes.get(..end)?;
    let _version = fixed(list, at, 2, order)?;
    let field = *at as u64;
    let written = fixed(list, at, offset_size, order)?;
    let _unit_size = fixed(list, at, offset_size, order)?;
    let entries = list.get(*at..)?;
    *at = end;
    let found = relocs.partition_point(|reloc| reloc.r_offset() < field);
    let unit = match relocs.get(found).filter(|reloc| reloc.r_offset() == field) {
        None => Some(written),
        Some(reloc) => match values::decode(image.value(section.object, reloc.symbol())) {
            Value::Plain(value) => Some(value.wrapping_add(reloc.r_addend() as u64)),
            _ => None,
        },
    };
    let unit = unit.and_then(|unit| match image.rewritten_units {
        // Rewritten units may have lost names that were listed for them.
        Some(rewritten) => rewritten.place_of_skeleton(unit),
        None => Some(unit),
    });
    Some(unit.map(|unit| ListedNames { unit, entries, offset_size: offset_size as u8 }))
}
