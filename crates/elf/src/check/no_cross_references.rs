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
        let listed: UnorderedSet<&[u8]> = list.sections.iter().map(|name| &name[..]).collect();
        let first = list.sections.first().map(|name| &name[..]);
        // NOCROSSREFS_TO: the first section of the list may refer to the others, not they to it.
        let is_first = |name: &[u8]| list.only_to_first && first == Some(name);
        let is_refused = |name: &[u8]| match list.only_to_first {
            true => first == Some(name),
            false => listed.contains(name),
        };
        for output in &outputs.sections {
            if listed.contains(&output.name[..]) && !is_first(&output.name) {
                check_section(tables, outputs, output, is_refused, &mut at);
            }
        }
    }
}

fn check_section(
    tables: &Tables<'_>,
    outputs: &OutputSections,
    output: &OutputSection,
    is_refused: impl Fn(&[u8]) -> bool,
    at: &mut u64,
) {
    let Content::Inputs { sections, .. } = &output.content else { return };
    for &id in sections {
        let section = &tables.definitions.sections[id];
        let object = &tables.objects[section.object];
        let mut told: UnorderedSet<u32> = UnorderedSet::new();
        for reloc in object.relocs(section) {
            let symbol = reloc.symbol();
            let target = tables.definitions.target_of(section.object, symbol);
            let to = tables.definitions.section_of(target);
            let Some(to) = to.and_then(|to| output_of(tables, outputs, to)) else { continue };
            if to.name != output.name && is_refused(&to.name) && told.insert(symbol.number()) {
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
