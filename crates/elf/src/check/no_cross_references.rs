//! `NOCROSSREFS` and `NOCROSSREFS_TO` of scripts: sections that are never in memory together may
//! not refer to each other. These commands apply in every layout, a script's or the default one,
//! and with `-r`.

use crate::diagnose::order::MessageKind;
use crate::layout::{Content, OutputSections};
use crate::read::candidates::Candidates;
use crate::resolve::definitions::SectionId;
use crate::resolve::tables::Tables;
use crate::script::statements::{NoCrossReferences, Statement};
use crate::script::text_script::Command;
use skald_core::unordered::UnorderedSet;

/// The output sections of a link, with what this check needs of them.
pub trait Parts {
    /// The output sections in order, each with its name and its input sections.
    fn parts(&self) -> Vec<(&[u8], &[SectionId])>;
    /// Name of the output section that an input section is in.
    fn name_of(&self, tables: &Tables<'_>, section: SectionId) -> Option<&[u8]>;
}

impl Parts for OutputSections {
    fn parts(&self) -> Vec<(&[u8], &[SectionId])> {
        let inputs = self.sections.iter().filter_map(|output| match &output.content {
            Content::Inputs { sections, .. } => Some((&output.name[..], &sections[..])),
            _ => None,
        });
        inputs.collect()
    }

    fn name_of(&self, tables: &Tables<'_>, section: SectionId) -> Option<&[u8]> {
        let output = self.of(tables.definitions.sections[section].output());
        output.map(|output| &output.name[..])
    }
}

/// The lists of all scripts, in order.
fn of_scripts(candidates: &Candidates) -> Vec<&NoCrossReferences> {
    let mut all = Vec::new();
    for placed in &candidates.script_commands {
        match &placed.command {
            Command::NoCrossReferences(refused) => all.push(refused),
            Command::Sections(statements) => {
                all.extend(statements.iter().filter_map(|statement| match statement {
                    Statement::NoCrossReferences(refused) => Some(refused),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    all
}

/// Reports relocations from one output section of a list to another of the same list.
pub fn check(tables: &Tables<'_>, outputs: &dyn Parts) {
    let lists = of_scripts(tables.candidates);
    if lists.is_empty() {
        return;
    }
    let (mut at, parts) = (0, outputs.parts());
    for list in lists {
        let listed: UnorderedSet<&[u8]> = list.sections.iter().map(|name| &name[..]).collect();
        let first = list.sections.first().map(|name| &name[..]);
        // NOCROSSREFS_TO: the first section of the list may refer to the others, not they to it.
        let is_first = |name: &[u8]| list.only_to_first && first == Some(name);
        let is_refused = |name: &[u8]| {
            if list.only_to_first { first == Some(name) } else { listed.contains(name) }
        };
        for &(name, sections) in &parts {
            if listed.contains(name) && !is_first(name) {
                check_sections(tables, outputs, name, sections, is_refused, &mut at);
            }
        }
    }
}

fn check_sections(
    tables: &Tables<'_>,
    outputs: &dyn Parts,
    name: &[u8],
    sections: &[SectionId],
    is_refused: impl Fn(&[u8]) -> bool,
    at: &mut u64,
) {
    let shown = String::from_utf8_lossy;
    for &id in sections {
        let section = &tables.definitions.sections[id];
        let object = &tables.objects[section.object];
        let mut told: UnorderedSet<u32> = UnorderedSet::new();
        for reloc in object.relocs(section) {
            let symbol = reloc.symbol();
            let target = tables.definitions.target_of(section.object, symbol);
            let Some(target) = tables.definitions.section_of(target) else { continue };
            let Some(to) = outputs.name_of(tables, target) else { continue };
            if to != name && is_refused(to) && told.insert(symbol.number()) {
                let target = &tables.definitions.sections[target];
                let referent = match object.symbol_name(symbol) {
                    // The target is a section symbol.
                    b"" => tables.objects[target.object].section_name(target.shndx),
                    name => name,
                };
                let text = format!(
                    "{}: prohibited cross reference from {} to {} in {}",
                    tables.object_name(section.object),
                    shown(name),
                    shown(referent),
                    shown(to)
                );
                tables.diag.error(MessageKind::Relocation.key_within(id, *at), text);
                *at += 1;
            }
        }
    }
}
