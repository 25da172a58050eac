//! Where a section may go that does not fit into its memory region: to later statements that match
//! it. With `--enable-non-contiguous-regions` these are all such statements, otherwise those that
//! refer to the same `CLASS`.

use super::scripted::Scripted;
use crate::args::Arrangement;
use crate::diagnose::order::MessageKind;
use crate::read::candidates::Candidates;
use crate::read::object_file::SectionFlags;
use crate::read::{ObjectFile, ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::script::matcher::RuleId;
use crate::script::section_names::OutputId;
use skald_core::diag::Diag;
use skald_core::ids::Column;

impl Scripted {
    /// Reports sections of classes that no output section refers to.
    pub(super) fn refuse_unreferenced(
        &self,
        objects: &Objects,
        candidates: &Candidates,
        definitions: &Definitions,
        diag: &Diag,
    ) {
        let script = &self.script;
        if script.classes.is_empty() {
            return;
        }
        let first = script.outputs().count() - script.classes.len();
        let rests: Column<RuleId, Option<usize>> =
            script.inputs().map(|(output, _)| output.checked_sub(first)).collect();
        for (told, section) in (0..).zip(&definitions.sections) {
            let rule = section.out.get().and_then(|out| self.rule_at(out));
            let Some(class) = rule.and_then(|rule| rests[rule]) else { continue };
            if section.flags.has(SectionFlags::DISCARDED) {
                continue;
            }
            let object = &objects[section.object];
            let file = object.file.map_or_else(String::new, |f| candidates.display_name(f));
            let name = String::from_utf8_lossy(self.asked_name(object, section));
            let class = String::from_utf8_lossy(&script.classes[class]);
            let text = format!("{file}:({name}) is in class {class}, but in no output section");
            diag.error(MessageKind::SectionOrder.key(told), text);
        }
    }
}

/// How the statements of a script allow sections to move.
pub struct SpillRules<'a> {
    scripted: &'a Scripted,
    rules: Column<RuleId, SpillRule>,
    /// All matching statements count, and not only those of one class.
    is_for_all: bool,
    warns: bool,
}

/// One statement of input sections.
#[derive(Clone, Copy)]
struct SpillRule {
    /// Position of its output section.
    output: usize,
    class: Option<u32>,
    discards: bool,
}

impl<'a> SpillRules<'a> {
    /// Whether any section may move to another statement.
    pub fn are_asked(scripted: &Scripted, arrangement: &Arrangement) -> bool {
        let script = &scripted.script;
        !script.is_automatic
            && !script.regions.is_empty()
            && (arrangement.non_contiguous_regions || !script.classes.is_empty())
    }

    /// The rules of a layout.
    pub fn new(scripted: &'a Scripted, arrangement: &Arrangement) -> SpillRules<'a> {
        let outputs: Vec<_> = scripted.script.outputs().collect();
        let rules = scripted.script.inputs().map(|(output, inputs)| SpillRule {
            output,
            class: inputs.class,
            discards: outputs[output].discards(),
        });
        SpillRules {
            rules: rules.collect(),
            scripted,
            is_for_all: arrangement.non_contiguous_regions,
            warns: arrangement.non_contiguous_regions && arrangement.non_contiguous_warnings,
        }
    }

    /// The output id of the next statement that can take a section.
    pub fn next(
        &self,
        objects: &Objects,
        definitions: &Definitions,
        id: SectionId,
    ) -> Option<OutputId> {
        let section = &definitions.sections[id];
        let own = self.rules[self.scripted.rule_at(section.out.get()?)?];
        if own.class.is_none() && !self.is_for_all {
            return None;
        }
        let matching = self.scripted.matching(&objects[section.object], section);
        let later = matching.into_iter().filter(|&rule| {
            let other = self.rules[rule];
            let can_take = self.is_for_all || other.class == own.class;
            other.output > own.output && can_take && !other.discards
        });
        let next = later.min_by_key(|&rule| self.rules[rule].output)?;
        self.scripted.output_of(next)
    }

    /// Warns of sections that several statements match
    /// (`--enable-non-contiguous-regions-warnings`).
    pub fn tell(
        &self,
        candidates: &Candidates,
        objects: &Objects,
        definitions: &Definitions,
        diag: &Diag,
    ) {
        if !self.warns {
            return;
        }
        let mut told = 0;
        for (at, object) in objects.with_ids() {
            for text in self.warnings(candidates, at, object, definitions) {
                diag.warn(MessageKind::SectionOrder.key(told), text);
                told += 1;
            }
        }
    }

    fn warnings(
        &self,
        candidates: &Candidates,
        at: ObjectId,
        object: &ObjectFile,
        definitions: &Definitions,
    ) -> Vec<String> {
        let outputs: Vec<_> = self.scripted.script.outputs().map(|output| &output.name).collect();
        let mut texts = Vec::new();
        for section in &definitions.sections[definitions.sections_of(at)] {
            let own = section.out.get().and_then(|out| self.scripted.rule_at(out));
            let Some(own) = own.filter(|_| !section.flags.has(SectionFlags::DISCARDED)) else {
                continue;
            };
            let own = self.rules[own].output;
            for rule in self.scripted.matching(object, section) {
                let SpillRule { output, discards, .. } = self.rules[rule];
                if output <= own {
                    continue;
                }
                let file = object.file.map_or_else(String::new, |f| candidates.display_name(f));
                let name = self.scripted.asked_name(object, section);
                let name = String::from_utf8_lossy(name);
                let text = if discards {
                    "/DISCARD/ matches it, too".to_owned()
                } else {
                    format!(
                        "it is in {}, and {} matches it, too",
                        String::from_utf8_lossy(outputs[own]),
                        String::from_utf8_lossy(outputs[output]),
                    )
                };
                let text = format!(
                    "--enable-non-contiguous-regions may change where {file}:({name}) goes: {text}"
                );
                texts.push(text);
            }
        }
        texts
    }
}
