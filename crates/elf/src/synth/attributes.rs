//! The section with what all objects were compiled for (`.riscv.attributes`, `.ARM.attributes`).

use crate::machine::Machine;
use crate::machine::attribute_section::{AttributeSection, Described, Doubt};
use crate::read::ObjectId;
use crate::resolve::tables::Tables;

/// The joined content; `None` if no object says anything. Reports objects that do not fit together.
pub fn joined(tables: &Tables<'_>) -> Option<Vec<u8>> {
    let &Tables { options, objects, diag, .. } = tables;
    let AttributeSection { name, join, .. } = options.machine.attribute_section?;
    let mut sections: Vec<(ObjectId, &[u8])> = Vec::new();
    for (id, object) in objects.with_ids() {
        sections.extend(object.attributes().map(|(_, bytes)| (id, bytes)));
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
    (!joined.bytes.is_empty()).then_some(joined.bytes)
}

/// What the joined attributes mean for the output.
pub fn described(machine: &Machine, attributes: &[u8]) -> Described {
    let describe = machine.attribute_section.map(|section| section.describe);
    describe.map_or_else(Described::default, |of| of(machine.byte_order, attributes))
}
