//! What a script that lays the output out says of each input section: which of its statements
//! takes it.
//!
//! In such a link each statement of input sections is an output id of its own, so that its inputs
//! are collected, merged and sorted by themselves; what the output sections are is found later, in
//! layout. Sections that no statement takes are orphans, with an id for each name.

use super::definitions::{Definitions, SectionId};
use crate::args::options::OrphanHandling;
use crate::args::section_list::FileName;
use crate::args::{Arrangement, Options, SortSection, assignments};
use crate::diagnose::order::MessageKind;
use crate::read::candidates::Candidates;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::section_names::{CUSTOM, KNOWN, OutputId, known};
use crate::read::{ObjectFile, ObjectId, Objects};
use crate::script::layout_script::{self, LayoutScript};
use crate::script::matcher::{Asked, Matcher, RuleId};
use crate::script::statements::{Constraint, Sort};
use object::elf::*;
use skald_base::glob::Glob;
use skald_core::column::split_mut;
use skald_core::diag::Diag;
use skald_core::ids::{Column, IdRange};
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedMap;

/// A script, and what its statements take.
#[derive(Debug)]
pub struct Scripted {
    /// The script.
    pub script: LayoutScript,
    matcher: Matcher,
    /// The output ids of statements of input sections.
    pub rules: Column<RuleId, OutputId>,
    /// By output id, of those of statements: how its inputs are sorted.
    orders: Vec<Option<([Sort; 2], bool, bool)>>,
    /// Names of objects' files.
    files: Column<ObjectId, FileName>,
    /// Whether sections that output sections with this position make are made: those whose
    /// constraint does not hold are not.
    pub is_made: Vec<bool>,
    /// Output ids of copied variables: those that are written, and those that are read-only.
    pub copies: [OutputId; 2],
    /// The statement that takes exception frames.
    pub frames: Option<RuleId>,
}

/// What an output section of the script takes.
#[derive(Debug, Clone, Copy, Default)]
struct Taken {
    any: bool,
    is_written: bool,
}

/// The script of the link, behind what the command line assigns; `None` if there is none that lays
/// the output out.
pub fn script(options: &Options, candidates: &Candidates, diag: &Diag) -> Option<LayoutScript> {
    if !layout_script::is_asked(&candidates.script_commands) {
        return None;
    }
    let defsyms = assignments::defsyms(options, diag);
    let script = LayoutScript::new(defsyms, &candidates.script_commands);
    for problem in &script.problems {
        diag.error((0, 0), problem.clone());
    }
    Some(script)
}

/// What one section is matched by; its header is looked at for its flags only where they count.
fn asked<'a>(
    section: &InputSection,
    object: &ObjectFile,
    file: &'a FileName,
    flags_count: bool,
) -> Asked<'a> {
    let archive = file.archive.as_deref();
    if section.flags.has(SectionFlags::COMMON) {
        let is_large = section.flags.has(SectionFlags::LARGE);
        let name: &[u8] = if is_large { b"LARGE_COMMON" } else { b"COMMON" };
        let sh_flags = u64::from(SHF_ALLOC | SHF_WRITE);
        return Asked { name, file: &file.name, archive, sh_flags };
    }
    let name = object.section_name(section.shndx);
    let sh_flags = if flags_count { object.header(section.shndx).sh_flags() } else { 0 };
    Asked { name, file: &file.name, archive, sh_flags }
}

/// Gives every section the output id of the statement that takes it, or of its own name; returns
/// all names by id.
pub fn assign(
    script: LayoutScript,
    candidates: &Candidates,
    objects: &Objects,
    definitions: &mut Definitions,
    arrangement: &Arrangement,
    diag: &Diag,
) -> (Column<OutputId, Vec<u8>>, Scripted) {
    let mut names: Column<OutputId, Vec<u8>> = KNOWN.iter().map(|n| n.to_vec()).collect();
    let outputs: Vec<_> = script.outputs().collect();
    let is_made = vec![true; outputs.len()];
    let mut orders = vec![None; names.len()];
    let mut rules = Column::new();
    for (at, inputs) in script.inputs() {
        let output = outputs[at];
        let pattern = inputs.sections.first();
        let (mut sort, is_reversed) =
            pattern.map_or(([Sort::Default; 2], false), |p| (p.sort, p.is_reversed));
        let is_wild = pattern.is_some_and(|p| !Glob::is_plain(&p.name));
        if sort[0] == Sort::Default && is_wild {
            sort[0] = match arrangement.sort_section {
                SortSection::None => Sort::Default,
                SortSection::Name => Sort::Name,
                SortSection::Alignment => Sort::Alignment,
            };
        }
        orders.push(Some((sort, is_reversed, inputs.file.is_sorted)));
        rules.push(names.push(output.name.clone()));
    }
    let matcher = Matcher::new(&script);
    let files = objects.iter().map(|object| {
        object.file.map_or_else(FileName::default, |file| candidates.file_name(file))
    });
    let files = files.collect();
    drop(outputs);
    let copies = [known::BSS, known::BSS_REL_RO];
    let frames = None;
    let mut scripted = Scripted { script, matcher, rules, orders, files, is_made, copies, frames };
    scripted.match_sections(objects, definitions, |_| true);
    scripted.apply_constraints(objects, definitions);
    scripted.apply_rules(definitions);
    scripted.handle_orphans((objects, candidates), definitions, arrangement.orphans, diag);
    scripted.assign_orphans(objects, definitions, &mut names);
    (names, scripted)
}

impl Scripted {
    /// Gives sections the output ids of the statements that take them, or [`CUSTOM`]: those whose
    /// id so far is one that is wanted.
    fn match_sections(
        &self,
        objects: &Objects,
        definitions: &mut Definitions,
        is_wanted: impl Fn(OutputId) -> bool + Sync,
    ) {
        let ranges = definitions.section_base.ranges().map(IdRange::indices);
        let parts = split_mut(&mut definitions.sections, ranges);
        let (matcher, rules) = (&self.matcher, &self.rules);
        let flags_count = matcher.asks_flags();
        let work = objects.par_iter().zip(parts).zip(self.files.par_iter()).with_max_len(2);
        work.for_each(|((object, sections), file)| {
            for section in sections {
                if !section.flags.has(SectionFlags::DISCARDED) && is_wanted(section.out) {
                    let rule = matcher.rule_of(&asked(section, object, file, flags_count));
                    section.out = rule.map_or(CUSTOM, |rule| rules[rule]);
                }
            }
        });
    }

    /// The statement whose output id this is: those of statements follow the known ones.
    fn rule_at(&self, out: OutputId) -> Option<RuleId> {
        let number = out.number().checked_sub(KNOWN.len() as u32)?;
        (number < self.rules.len() as u32).then(|| RuleId::new(number))
    }

    /// Switches output sections off whose constraint does not hold. Each that is switched off
    /// leaves its sections to the others, so they are asked again.
    fn apply_constraints(&mut self, objects: &Objects, definitions: &mut Definitions) {
        let constraints: Vec<_> = self.script.outputs().map(|output| output.constraint).collect();
        if constraints.iter().all(Option::is_none) {
            return;
        }
        let output_of: Column<RuleId, usize> = self.script.inputs().map(|(at, _)| at).collect();
        let mut taken = self.taken(definitions, &output_of, constraints.len());
        loop {
            let fails = |&at: &usize| {
                self.is_made[at]
                    && match constraints[at] {
                        Some(Constraint::OnlyIfReadOnly) => taken[at].is_written,
                        Some(Constraint::OnlyIfWritable) => !taken[at].is_written,
                        None => false,
                    }
            };
            let Some(failed) = (0..constraints.len()).find(fails) else { return };
            self.is_made[failed] = false;
            for (rule, &at) in output_of.with_ids() {
                if at == failed {
                    self.matcher.switch(rule, false);
                }
            }
            if taken[failed].any {
                let of_failed =
                    |out| self.rule_at(out).is_some_and(|rule| output_of[rule] == failed);
                self.match_sections(objects, definitions, of_failed);
                taken = self.taken(definitions, &output_of, constraints.len());
            }
        }
    }

    /// What each output section of the script takes.
    fn taken(
        &self,
        definitions: &Definitions,
        output_of: &Column<RuleId, usize>,
        outputs: usize,
    ) -> Vec<Taken> {
        let none = || vec![Taken::default(); outputs];
        let sections = definitions.sections.par_iter().with_min_len(1 << 13);
        let parts = sections.fold(none, |mut taken, section| {
            if !section.flags.has(SectionFlags::DISCARDED)
                && let Some(rule) = self.rule_at(section.out)
            {
                let taken = &mut taken[output_of[rule]];
                taken.any = true;
                taken.is_written |= section.flags.has(SectionFlags::WRITE);
            }
            taken
        });
        parts.reduce(none, |mut all, part| {
            for (all, part) in all.iter_mut().zip(part) {
                all.any |= part.any;
                all.is_written |= part.is_written;
            }
            all
        })
    }

    /// Drops and keeps what statements say.
    fn apply_rules(&mut self, definitions: &mut Definitions) {
        let outputs: Vec<_> = self.script.outputs().collect();
        let keeps: Column<RuleId, bool> = self.script.inputs().map(|(_, i)| i.keep).collect();
        let discards: Column<RuleId, bool> =
            self.script.inputs().map(|(at, _)| outputs[at].discards()).collect();
        let sections = definitions.sections.par_iter_mut().with_min_len(1 << 13);
        let frames = sections.filter_map(|section| {
            let rule = self.rule_at(section.out)?;
            if section.flags.has(SectionFlags::DISCARDED) {
                return None;
            }
            if keeps[rule] {
                section.flags.set(SectionFlags::KEEP);
            }
            if discards[rule] {
                section.flags.set(SectionFlags::DISCARDED);
                return None;
            }
            section.flags.has(SectionFlags::EH_FRAME).then_some(rule)
        });
        self.frames = frames.min();
    }

    /// Tells of orphans or drops them, as `--orphan-handling` says.
    fn handle_orphans(
        &self,
        (objects, candidates): (&Objects, &Candidates),
        definitions: &mut Definitions,
        handling: OrphanHandling,
        diag: &Diag,
    ) {
        if handling == OrphanHandling::Place {
            return;
        }
        let mut told = 0;
        for (at, object) in objects.with_ids() {
            let range = definitions.sections_of(at);
            for section in &mut definitions.sections[range] {
                let flags = section.flags;
                if section.out != CUSTOM || flags.has(SectionFlags::DISCARDED) || section.size == 0
                {
                    continue;
                }
                if handling == OrphanHandling::Discard {
                    section.flags.set(SectionFlags::DISCARDED);
                    continue;
                }
                let name = match flags.has(SectionFlags::COMMON) {
                    true => b"COMMON",
                    false => object.section_name(section.shndx),
                };
                let name = String::from_utf8_lossy(name);
                let file = object.file.map_or_else(String::new, |f| candidates.display_name(f));
                let key = MessageKind::SectionOrder.key(told);
                told += 1;
                match handling {
                    OrphanHandling::Error => {
                        diag.error(key, format!("{file}:({name}) is in no output section"));
                    }
                    _ => diag.warn(key, format!("{file}:({name}) is being placed in '{name}'")),
                }
            }
        }
    }

    /// Gives orphans ids by their names.
    fn assign_orphans(
        &mut self,
        objects: &Objects,
        definitions: &mut Definitions,
        names: &mut Column<OutputId, Vec<u8>>,
    ) {
        let mut ids: UnorderedMap<&'static [u8], OutputId> = UnorderedMap::new();
        let sections = definitions.sections.par_iter().with_min_len(1 << 13).enumerate();
        let orphans = sections.filter(|(_, section)| {
            section.out == CUSTOM && !section.flags.has(SectionFlags::DISCARDED)
        });
        let orphans: Vec<SectionId> = orphans.map(|(at, _)| SectionId::new(at as u32)).collect();
        for id in orphans {
            let section = &mut definitions.sections[id];
            let name: &'static [u8] = match section.flags.has(SectionFlags::COMMON) {
                true => b".bss",
                false => objects[section.object].section_name(section.shndx),
            };
            section.out = *ids.entry(name).or_insert_with(|| names.push(name.to_vec()));
        }
        for (copy, wanted) in [(0, [&b".dynbss"[..], b".bss"]), (1, [b".data.rel.ro", b".dynbss"])]
        {
            let sh_flags = u64::from(SHF_ALLOC | SHF_WRITE);
            let rule = wanted.iter().find_map(|name| {
                let asked = Asked { name, file: b"", archive: None, sh_flags };
                self.matcher.rule_of(&asked)
            });
            self.copies[copy] = match rule {
                Some(rule) => self.rules[rule],
                None => *ids.entry(b".dynbss").or_insert_with(|| names.push(b".dynbss".to_vec())),
            };
        }
        self.orders.resize(names.len(), None);
    }

    /// The statement that takes a section of the linker.
    pub fn rule_of_own(&self, name: &[u8], sh_flags: u64) -> Option<RuleId> {
        self.matcher.rule_of(&Asked { name, file: b"", archive: None, sh_flags })
    }

    /// Brings the inputs of an output id, which come as the files do, into the order that its
    /// statement asks for.
    pub fn sort(
        &self,
        out: OutputId,
        sections: &mut [SectionId],
        name: impl Fn(SectionId) -> &'static [u8],
        definitions: &Definitions,
    ) {
        let Some(&Some((sort, is_reversed, by_file))) = self.orders.get(out.index()) else {
            return;
        };
        if by_file {
            let file = |id: SectionId| &self.files[definitions.sections[id].object].name;
            sections.sort_by(|&a, &b| file(a).cmp(file(b)));
        }
        // The outer word has the last word.
        for sort in [sort[1], sort[0]] {
            match sort {
                Sort::Default | Sort::None => {}
                Sort::Name => sections.sort_by_cached_key(|&id| name(id)),
                Sort::Alignment => sections
                    .sort_by_key(|&id| std::cmp::Reverse(definitions.sections[id].align_log2)),
                Sort::InitPriority => {
                    use crate::read::section_names::init_priority;
                    sections.sort_by_cached_key(|&id| init_priority(name(id)));
                }
            }
        }
        if is_reversed {
            sections.reverse();
        }
    }
}
