//! Notes that are merged by meaning instead of being concatenated: `.note.gnu.property` and
//! `.note.GNU-stack`.

use crate::args::{BuildId, Options};
use crate::format::encoding::Encoding;
use crate::read::Objects;
use crate::read::candidates::Candidates;
use crate::read::object_file::{SectionFlags, StackNote};
use crate::resolve::definitions::Definitions;
use crate::synth::properties::Properties;
use crate::synth::property_note::{ForcedProperties, PropertyNote};
use skald_core::diag::Diag;
use skald_core::ids::IdRange;

/// The merged notes of all inputs.
#[derive(Debug)]
pub struct Notes {
    /// `.note.gnu.property` of the output; `None` if no property is left.
    pub property: Option<PropertyNote>,
    /// `.note.GNU-stack` of the output.
    pub stack: StackNote,
}

/// Removes the notes from the sections that are copied, and merges their content.
pub fn take(
    options: &Options,
    candidates: &Candidates,
    objects: &Objects,
    definitions: &mut Definitions,
    diag: &Diag,
) -> Notes {
    let mut of_objects = Vec::with_capacity(objects.len());
    let mut stack = StackNote::Missing;
    let mut some_missing = false;
    for (at, object) in objects.with_ids() {
        let mut properties = Vec::new();
        let mut has_content = false;
        for id in definitions.sections_of(at).ids() {
            let section = &mut definitions.sections[id];
            if section.flags.has(SectionFlags::DISCARDED | SectionFlags::COMMON) {
                continue;
            }
            has_content = true;
            match object.section_name(section.shndx) {
                b".note.gnu.property" => {
                    properties.push(object.bytes(section));
                    section.flags.set(SectionFlags::DISCARDED);
                }
                b".note.GNU-stack" => section.flags.set(SectionFlags::DISCARDED),
                // With `--build-id` the output has a build id of its own.
                b".note.gnu.build-id" if options.build_id != BuildId::None => {
                    section.flags.set(SectionFlags::DISCARDED);
                }
                _ => {}
            }
        }
        of_objects.push(properties);
        match object.stack_note {
            StackNote::Exec => stack = StackNote::Exec,
            StackNote::NoExec if stack == StackNote::Missing => stack = StackNote::NoExec,
            StackNote::NoExec => {}
            StackNote::Missing => some_missing |= has_content,
        }
    }
    // Linkers differ on what an object without the note means, so the output has none if one input
    // had none.
    if stack == StackNote::NoExec && some_missing {
        stack = StackNote::Missing;
    }
    match options.z.execstack {
        Some(true) => stack = StackNote::Exec,
        Some(false) => stack = StackNote::NoExec,
        None => {}
    }
    let joined = Properties { options, candidates, objects, diag }.join(of_objects.into_iter());
    let properties = options.machine.properties;
    let property = joined.finish(
        Encoding::of(options.machine),
        properties,
        &ForcedProperties::from_options(properties, &options.z),
    );
    Notes { property: (!property.is_empty()).then_some(property), stack }
}
