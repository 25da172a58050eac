//! `-Map` of `-r`: as of any link, but addresses are offsets in the output sections.

use super::Selection;
use super::sections::{ObjectContent, OutputSection, OutputSections};
use crate::read::object_file::SectionFlags;
use crate::relocatable::sections::Position;
use crate::resolve::definitions::SectionId;
use crate::resolve::tables::Tables;
use crate::tell::map::{Inputs, LINKER, Placements, columns};
use skald_core::diag::Failed;

/// Writes the map if `-Map` or the like asks for one.
pub fn write(selection: &Selection<'_>, outputs: &OutputSections) -> Result<(), Failed> {
    let &Selection { tables, live, .. } = selection;
    let Tables { options, objects, definitions, .. } = tables;
    if options.map.is_none() {
        return Ok(());
    }
    let inputs = Inputs::new(tables.sources(), definitions, live);
    let place =
        |section: SectionId, value: u64| (section, outputs.offsets[section].wrapping_add(value));
    let symbols = Placements::find(objects, definitions, live, options.demangle_lists, place);
    inputs.write_map(outputs.list.len(), |part, out| {
        let output = outputs.at(Position::from_index(part));
        columns::output_section(out, &output.name, output.address, output.size);
        match &output.content {
            ObjectContent::Inputs(sections) => {
                write_inputs(&tables, (output, outputs), sections, (&inputs, &symbols), out);
            }
            _ => columns::input_section(out, &output.name, 0, output.size, LINKER),
        }
    })
}

fn write_inputs(
    tables: &Tables<'_>,
    (output, outputs): (&OutputSection, &OutputSections),
    sections: &[SectionId],
    (inputs, symbols): (&Inputs<'_>, &Placements<'_>),
    out: &mut Vec<u8>,
) {
    let (mut end, mut near) = (0, 0);
    for &id in sections {
        let record = &tables.definitions.sections[id];
        let offset = outputs.offsets[id];
        if offset > end {
            columns::fill(out, end, offset - end);
        }
        let name = match record.flags.has(SectionFlags::COMMON) {
            true => b"COMMON",
            false => tables.objects[record.object].section_name(record.shndx),
        };
        columns::input_section(out, name, offset, record.size, inputs.file(record.object));
        symbols.write(id, &mut near, out);
        end = offset + record.size;
    }
    if output.compressed.is_none() && output.size > end {
        columns::fill(out, end, output.size - end);
    }
}
