//! `.debug_names` of an output: see [`skald_dwarf::name_index`].

use super::input_tables::{input_tables, inputs};
use super::source::{Source, find};
use crate::check::section_faults;
use crate::resolve::tables::Tables;
use crate::select::fault::SectionFault;
use crate::synth::image::Image;
use skald_core::diag::{Error, Result};
use skald_dwarf::name_index::input_tables::InputTables;
use skald_dwarf::name_index::{NameIndex, NameInput};

/// Name of the section. An output with an index of its own does not have those of inputs.
pub const NAME: &[u8] = b".debug_names";

/// Makes the index; warns of units that cannot be read, of names that have no string, and of types
/// that it cannot list.
pub fn index(source: &Source, reports: &Tables<'_>, image: &Image<'_>) -> Result<Vec<u8>> {
    let parts = &source.contributions;
    let infos = parts.partition_point(|part| !part.is_types);
    let of_inputs = input_tables(image, NAME);
    let tables: Vec<&dyn InputTables> = of_inputs.iter().map(|of| of as &dyn InputTables).collect();
    let index = NameIndex::new(&NameInput {
        sections: source.sections(),
        contributions: &parts[..infos],
        inputs: &inputs(source, image),
        tables: &tables,
        added: added_strings(image).unwrap_or((&[], 0)),
    });
    section_faults::unread_units(
        reports,
        ".debug_names",
        &source.section_faults(image, &index.faults),
    );
    let table_faults = index.table_faults.iter().map(|&(at, fault)| of_inputs[at].fault(fault));
    let table_faults: Vec<SectionFault> = table_faults.collect();
    section_faults::unread_tables(reports, ".debug_names", &table_faults);
    if index.left_out != 0 {
        section_faults::unlisted_names(reports, index.left_out);
    }
    if infos < parts.len() {
        section_faults::unlisted_types(reports);
    }
    let too_large = || Error(".debug_names would take more than 4 GiB".to_owned());
    index.bytes.ok_or_else(too_large)
}

/// The strings that were added to `.debug_str`, and the offset of the first one there.
fn added_strings<'a>(image: &Image<'a>) -> Option<(&'a [u8], u64)> {
    let (head, _) = find(image.outputs, "str")?;
    let merged = image.merged;
    let group = merged.groups.iter().find(|group| !group.added.is_empty())?;
    let member = &merged.members[*group.members.first()?];
    let start = image.address(member.section).wrapping_sub(head.address);
    Some((&group.added, start + group.own_size()))
}
