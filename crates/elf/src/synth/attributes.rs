//! Sections with what all objects were compiled for (`.riscv.attributes`, `.ARM.attributes`,
//! `.MIPS.abiflags`).

use super::image::Image;
use crate::layout::Synthetic;
use crate::layout::output_sections::LOADED;
use crate::machine::Machine;
use crate::machine::attribute_section::{AttributeSection, Described, Doubt, Joined};
use crate::machine::loaded_attributes::LoadedAttributes;
use crate::read::ObjectId;
use crate::resolve::tables::Tables;

/// The joined content; `None` if no object says anything. Reports objects that do not fit together.
pub fn joined(tables: &Tables<'_>) -> Option<Vec<u8>> {
    let AttributeSection { name, join, .. } = tables.options.machine.attribute_section?;
    let bytes = joined_as(tables, name, *join)?;
    (!bytes.is_empty()).then_some(bytes)
}

/// A section with joined content that is loaded.
#[derive(Debug)]
pub struct LoadedPart {
    /// Which it is.
    pub kind: Synthetic,
    /// What the machine says of it.
    pub section: &'static LoadedAttributes,
    /// The content, with zero for the global pointer.
    pub bytes: Vec<u8>,
}

/// The sections of [`Machine::loaded_attributes`](crate::machine::Machine) that the output has.
pub fn loaded(tables: &Tables<'_>) -> Vec<LoadedPart> {
    let sections = tables.options.machine.loaded_attributes.iter().zip(LOADED);
    let parts = sections.filter_map(|(section, kind)| {
        let bytes = joined_as(tables, section.name, section.join)?;
        Some(LoadedPart { kind, section, bytes })
    });
    parts.filter(|part| !part.bytes.is_empty()).collect()
}

/// Writes such a section.
pub fn write_loaded(image: &Image<'_>, part: &LoadedPart, out: &mut [u8]) {
    out.copy_from_slice(&part.bytes);
    if let Some((at, size)) = part.section.pointer {
        image.machine.byte_order.put_low(&mut out[at..at + size], image.global_pointer);
    }
}

/// The joined content of the sections with a name; `None` if no object has one.
fn joined_as(
    tables: &Tables<'_>,
    name: &str,
    join: fn(skald_linking::byte_order::ByteOrder, &[&[u8]]) -> Joined,
) -> Option<Vec<u8>> {
    let &Tables { options, objects, diag, .. } = tables;
    let mut sections: Vec<(ObjectId, &[u8])> = Vec::new();
    for (id, object) in objects.with_ids() {
        let own = object.attributes().filter(|(own, _)| *own == name.as_bytes());
        sections.extend(own.map(|(_, bytes)| (id, bytes)));
    }
    if sections.is_empty() {
        return None;
    }
    let contents: Vec<&[u8]> = sections.iter().map(|&(_, bytes)| bytes).collect();
    let joined = join(options.machine.byte_order, &contents);
    for (at, what) in joined.faults {
        let object = sections[at].0;
        diag.error((object.into(), 0), format!("{}: {name}: {what}", tables.object_name(object)));
    }
    for (first, other, why) in joined.conflicts {
        let [first, other] = [first, other].map(|at| sections[at].0);
        let names = [first, other].map(|object| tables.object_name(object));
        let text = format!("{} and {}: {name}: {why}", names[0], names[1]);
        diag.error((other.into(), 0), text);
    }
    let processors = &options.processors;
    for (first, other, why, kind) in joined.doubts {
        let is_silent = match kind {
            Doubt::WideCharacters => processors.silences_wchar,
            Doubt::Enumerations => processors.silences_enums,
            Doubt::Other => false,
        };
        let [first, other] = [first, other].map(|at| sections[at].0);
        if !is_silent {
            let names = [first, other].map(|object| tables.object_name(object));
            let text = format!("{} and {}: {name}: {why}", names[0], names[1]);
            diag.warn((other.into(), 0), text);
        }
    }
    Some(joined.bytes)
}

/// What the joined attributes mean for the output.
pub fn described(machine: &Machine, attributes: &[u8]) -> Described {
    let describe = machine.attribute_section.map(|section| section.describe);
    describe.map_or_else(Described::default, |of| of(machine.byte_order, attributes))
}
