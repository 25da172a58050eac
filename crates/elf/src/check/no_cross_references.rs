//! `NOCROSSREFS` of scripts: sections that are never in memory together may not refer to each
//! other.

use super::reports::Tables;
use crate::diagnose::order::MessageKind;
use crate::layout::{Content, OutputSection, OutputSections};
use crate::resolve::definitions::SectionId;
use crate::script::statements::NoCrossReferences;
use skald_core::unordered::UnorderedSet;

/// Reports relocations from one output section of a list to another of the same list.
pub fn check(tables: &Tables<'_>, outputs: &OutputSections, refused: &[NoCrossReferences]) {
    let mut at = 0;
    for list in refused {
        for output in &outputs.sections {
            let place = list.sections.iter().position(|name| *name == output.name);
            // NOCROSSREFS_TO: the first section of the list may refer to the others, not they to
            // it.
            if place.is_none() || list.only_to_first && place == Some(0) {
                continue;
            }
            check_section(tables, outputs, output, list, &mut at);
        }
    }
}

fn check_section(
    tables: &Tables<'_>,
    outputs: &OutputSections,
    output: &OutputSection,
    list: &NoCrossReferences,
    at: &mut u64,
) {
    let Content::Inputs { sections, .. } = &output.content else { return };
    let refused = if list.only_to_first { &list.sections[..1] } else { &list.sections[..] };
    for &id in sections {
        let section = &tables.definitions.sections[id];
        let object = &tables.objects[section.object];
        let mut told: UnorderedSet<u32> = UnorderedSet::new();
        for reloc in object.relocs(section) {
            let symbol = reloc.symbol();
            let target = tables.definitions.target_of(section.object, symbol);
            let to = tables.definitions.section_of(target);
            let Some(to) = to.and_then(|to| output_of(tables, outputs, to)) else { continue };
            let is_refused = to.name != output.name && refused.contains(&to.name);
            if is_refused && told.insert(symbol.number()) {
                let name =
                    |section: &OutputSection| String::from_utf8_lossy(&section.name).into_owned();
                let text = format!(
                    "{}: prohibited cross reference from {} to {} in {}",
                    tables.object_name(section.object),
                    name(output),
                    String::from_utf8_lossy(object.symbol_name(symbol)),
                    name(to)
                );
                tables.diag.error(MessageKind::Relocation.key_within(id, *at), text);
                *at += 1;
            }
        }
    }
}

fn output_of<'a>(
    tables: &Tables<'_>,
    outputs: &'a OutputSections,
    section: SectionId,
) -> Option<&'a OutputSection> {
    outputs.of(tables.definitions.sections[section].output())
}
