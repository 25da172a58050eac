//! `-Map` of `-r`: the same as for other links, but addresses are offsets in the output sections.

use super::Selection;
use super::sections::JoinedSections;
use crate::layout::OutputSection;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::SectionId;
use crate::resolve::tables::Tables;
use crate::tell::map::{Inputs, LINKER, Placements};
use skald_core::diag::Failed;

/// Writes the map if `-Map` or the like asks for one.
pub fn write(selection: &Selection<'_>, joined: &JoinedSections) -> Result<(), Failed> {
    let &Selection { tables, live, .. } = selection;
    let Tables { options, objects, definitions, .. } = tables;
    if options.map.is_none() {
        return Ok(());
    }
    let inputs = Inputs::new(tables.sources(), definitions, live);
    let place =
        |section: SectionId, value: u64| (section, joined.offset(section).wrapping_add(value));
    let symbols = Placements::find(options, objects, definitions, live, place);
    inputs.write_map(&[], joined.outputs.sections.len(), |part, out| {
        let output = &joined.outputs.sections[part];
        inputs.columns.output_section(out, &output.name, output.address, output.size, None);
        match joined.inputs_at(part) {
            Some(sections) => {
                write_inputs(&tables, output, joined, sections, &inputs, &symbols, out);
            }
            None => inputs.columns.input_section(out, &output.name, 0, output.size, LINKER),
        }
    })
}

fn write_inputs(
    tables: &Tables<'_>,
    output: &OutputSection,
    joined: &JoinedSections,
    sections: &[SectionId],
    inputs: &Inputs<'_>,
    symbols: &Placements<'_>,
    out: &mut Vec<u8>,
) {
    let (mut end, mut near) = (0, 0);
    for &id in sections {
        let record = &tables.definitions.sections[id];
        let offset = joined.offset(id);
        if offset > end {
            inputs.columns.fill(out, end, offset - end);
        }
        let name = if record.flags.has(SectionFlags::COMMON) {
            b"COMMON"
        } else {
            tables.objects[record.object].section_name(record.shndx)
        };
        inputs.columns.input_section(out, name, offset, record.size, inputs.file(record.object));
        symbols.write(id, &mut near, out);
        end = offset + record.size;
    }
    if output.kind().is_none() && output.size > end {
        inputs.columns.fill(out, end, output.size - end);
    }
}
