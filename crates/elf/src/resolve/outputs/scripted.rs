//! Which statement of the layout, a script's or the default one, takes each input section.
//!
//! With a script each statement of input sections is an output id of its own, so that its inputs
//! are collected, merged and sorted by themselves; layout later joins these to the script's output
//! sections. Sections that no statement takes are orphans, with an id for each name. The statements
//! of the default layout have the ids of the known names, which sections got when they were
//! decoded. In an automatic layout of a script, the first statement of each known name has that id,
//! too.

use super::output_names::OrphanNames;
use crate::args::options::OrphanHandling;
use crate::args::section_list::FileName;
use crate::args::{Options, SortSection};
use crate::diagnose::order::MessageKind;
use crate::read::candidates::Candidates;
use crate::read::object_file::{InputSection, NAMES_AHEAD, SectionFlags};
use crate::read::{ObjectFile, ObjectId, Objects, RecordId};
use crate::resolve::definitions::{Definitions, SectionId, attr};
use crate::resolve::referent::PackedReferent;
use crate::script::default_layout::LayoutOptions;
use crate::script::init_order;
use crate::script::layout_script::{self, LayoutScript};
use crate::script::matcher::{self, Asked, Matcher, RuleId};
use crate::script::name_classes::NameClasses;
use crate::script::regions::Declared;
use crate::script::section_names::{KNOWN, OutputId, UNNUMBERED, init_priority, known};
use crate::script::statements::{
    BodyStatement, Constraint, INTERNAL, InputStatement, OutputStatement, Sort, Statement,
};
use object::elf::*;
use skald_core::column::split_mut;
use skald_core::diag::{Diag, WHOLE_LINK};
use skald_core::ids::{Column, IdRange, OptionalId};
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedSet;
use std::collections::BTreeSet;

/// The layout, with the sections that its statements take.
#[derive(Debug)]
pub struct Scripted {
    /// The layout's statements.
    pub script: LayoutScript,
    matcher: Matcher,
    /// The output ids of statements of input sections; none for statements that only take sections
    /// of the linker.
    rules: Column<RuleId, OptionalId<OutputId>>,
    /// By output id, the first statement that has it.
    rule_of: Column<OutputId, OptionalId<RuleId>>,
    /// By output id of a statement: how its inputs are sorted.
    orders: Vec<Option<([Sort; 2], bool, bool)>>,
    /// Inputs stay in the order of their ids unless an option asks for another order; tables sorted
    /// by priority are excepted.
    pub keeps_order: bool,
    /// By object, the names that file patterns match.
    files: Column<ObjectId, FileName>,
    /// By output section of the script: whether its constraint (`ONLY_IF_RO`, `ONLY_IF_RW`) is
    /// satisfied.
    pub is_made: Vec<bool>,
    /// Output ids of copied variables: writable ones, and read-only ones.
    pub copies: [OutputId; 2],
    /// The statement that takes `.eh_frame`.
    pub frames: Option<RuleId>,
    /// The object that holds the linker's version string.
    pub version: Option<ObjectId>,
    /// Output ids of orphans that `--unique` keeps from being joined with others.
    pub alone: UnorderedSet<OutputId>,
}

/// The inputs of a script's output section that has a constraint.
#[derive(Debug, Clone, Default)]
struct Taken {
    sections: Vec<SectionId>,
    is_written: bool,
}

impl Taken {
    fn add(&mut self, id: SectionId, section: &InputSection) {
        self.sections.push(id);
        self.is_written |= section.flags.has(SectionFlags::WRITE);
    }
}

/// The layout that scripts ask for; `None` if no script lays out the output.
pub fn script(options: &Options, candidates: &Candidates, diag: &Diag) -> Option<LayoutScript> {
    let declared = Declared::new(&candidates.script_commands);
    for (at, text) in (0..).zip(declared.errors) {
        diag.error((0, at), text);
    }
    for (at, text) in (0..).zip(declared.warnings) {
        diag.warn((0, at), text);
    }
    if !layout_script::is_asked(&candidates.script_commands) {
        return None;
    }
    let script = LayoutScript::new(&candidates.script_commands, &LayoutOptions::new(options));
    for problem in &script.problems {
        diag.error(WHOLE_LINK, problem.clone());
    }
    Some(script)
}

/// The properties of an input section that patterns match; its header is read only if a statement
/// asks for flags.
fn asked<'a>(
    section: &InputSection,
    object: &ObjectFile,
    file: &'a FileName,
    flags_count: bool,
) -> Asked<'a> {
    let archive = file.archive.as_deref();
    let flags = section.flags;
    if flags.has(SectionFlags::COMMON) {
        let name: &[u8] = match (flags.has(SectionFlags::TLS), flags.has(SectionFlags::LARGE)) {
            (true, _) => b".tcommon",
            (_, true) => b"LARGE_COMMON",
            _ => b"COMMON",
        };
        let sh_flags = u64::from(SHF_ALLOC | SHF_WRITE);
        return Asked { name, file: &file.name, archive, sh_flags };
    }
    let name = object.section_name(section.shndx);
    let is_renamed = flags.has(SectionFlags::REVERSED) || name.starts_with(b".zdebug_");
    let name = if is_renamed {
        section.class.output().map_or(name, |known| KNOWN[known.index()])
    } else {
        name
    };
    let sh_flags = if flags_count { object.header(section.shndx).sh_flags() } else { 0 };
    Asked { name, file: &file.name, archive, sh_flags }
}

/// The order that a statement asks for: two sort keywords, `REVERSE`, and whether files are sorted.
fn order_of(inputs: &InputStatement, by_option: SortSection) -> ([Sort; 2], bool, bool) {
    let pattern = inputs.sections.first();
    let (mut sort, is_reversed) =
        pattern.map_or(([Sort::Default; 2], false), |p| (p.sort, p.is_reversed));
    // GNU ld's rule: code that runs from one section into the next (`.init`) stays in order.
    let runs_on = pattern.is_some_and(|p| matches!(&*p.name, b".init" | b".fini"));
    let by_option = match by_option {
        _ if runs_on => Sort::Default,
        SortSection::None => Sort::Default,
        SortSection::Name => Sort::Name,
        SortSection::Alignment => Sort::Alignment,
    };
    match sort[0] {
        Sort::Default => sort[0] = by_option,
        Sort::Name | Sort::Alignment if sort[1] == Sort::Default && by_option != sort[0] => {
            sort[1] = by_option;
        }
        _ => {}
    }
    (sort, is_reversed, inputs.file.is_sorted)
}

/// The default layout, whose statements take sections by the class of their names.
pub fn by_default(classes: NameClasses) -> Scripted {
    let NameClasses { script, matcher, classes } = classes;
    let rules: Column<RuleId, OptionalId<OutputId>> =
        classes.iter().map(|class| class.output().into()).collect();
    let mut scripted = Scripted::new(script, matcher, rules, KNOWN.len());
    for (rule, (_, inputs)) in scripted.script.inputs().enumerate() {
        if let Some(out) = scripted.rules[RuleId::from_index(rule)].get() {
            scripted.orders[out.index()] = Some(order_of(inputs, SortSection::None));
        }
    }
    scripted
}

/// The output ids of statements of input sections.
struct Numbered {
    names: Column<OutputId, Vec<u8>>,
    orders: Vec<Option<([Sort; 2], bool, bool)>>,
    rules: Column<RuleId, OptionalId<OutputId>>,
}

/// Gives every statement of input sections an output id.
fn number_rules(script: &LayoutScript, sort_section: SortSection) -> Numbered {
    let mut names: Column<OutputId, Vec<u8>> = KNOWN.iter().map(|n| n.to_vec()).collect();
    let outputs: Vec<_> = script.outputs().collect();
    let mut orders = vec![None; names.len()];
    let mut rules = Column::new();
    let mut is_taken = [false; KNOWN.len()];
    let sort_section = if script.is_automatic {
        // Here `--sort-section` concerns known names, as without a script.
        SortSection::None
    } else {
        sort_section
    };
    for (at, inputs) in script.inputs() {
        let name = &outputs[at].name;
        let order = Some(order_of(inputs, sort_section));
        let is_first = |out: &OutputId| !std::mem::replace(&mut is_taken[out.index()], true);
        let known = known_output(script, inputs, name).filter(is_first);
        let out = match known {
            Some(out) => {
                orders[out.index()] = order;
                out
            }
            None => {
                orders.push(order);
                names.push(name.clone())
            }
        };
        rules.push(out.into());
    }
    Numbered { names, orders, rules }
}

/// Gives every section the output id of the statement that takes it, or of its own name; returns
/// the names by output id.
pub fn assign(
    script: LayoutScript,
    candidates: &Candidates,
    objects: &Objects,
    definitions: &mut Definitions,
    options: &Options,
    diag: &Diag,
) -> (Column<OutputId, Vec<u8>>, Scripted) {
    let (arrangement, gc_sections) = (&options.arrangement, options.gc_sections);
    let Numbered { mut names, orders, rules } = number_rules(&script, arrangement.sort_section);
    let matcher = Matcher::new(&script);
    let files = objects.iter().map(|object| {
        object.file.map_or_else(FileName::default, |file| candidates.file_name(file))
    });
    let files = files.collect();
    let plain = |&(sort, is_reversed, by_file): &([Sort; 2], bool, bool)| {
        let is_plain = |sort: &Sort| matches!(sort, Sort::Default | Sort::None);
        !is_reversed
            && !by_file
            && (is_plain(&sort[0]) || sort[0] == Sort::InitPriority)
            && is_plain(&sort[1])
    };
    let keeps_order = script.is_automatic && orders.iter().flatten().all(plain);
    let own = Scripted::new(script, matcher, rules, names.len());
    let mut from_last = objects.with_ids().rev();
    let is_version = |object: &ObjectFile| object.file.is_some_and(|f| candidates.is_of_linker(f));
    let version = from_last.find(|(_, object)| is_version(object)).map(|(at, _)| at);
    let mut scripted = Scripted { orders, files, keeps_order, version, ..own };
    scripted.match_sections(objects, definitions);
    let mut orphans = OrphanNames::new(arrangement, scripted.script.is_automatic);
    let discards = scripted.script.outputs().any(OutputStatement::discards);
    if !arrangement.unique.is_empty() {
        for (at, object) in objects.with_ids() {
            let range = definitions.sections_of(at);
            orphans.take_unique(object, &mut definitions.sections[range]);
        }
    }
    scripted.apply_constraints(objects, definitions);
    scripted.refuse_unreferenced(objects, candidates, definitions, diag);
    scripted.apply_rules(definitions);
    scripted.drop_stray_version(definitions);
    drop_linked(objects, definitions);
    if discards && !scripted.script.is_automatic {
        drop_symbols_of_discarded(definitions);
    }
    if gc_sections && !scripted.script.is_automatic {
        scripted.keep_matches(objects, definitions);
    }
    orphans.joins_commons |= !scripted.makes_bss(definitions);
    if !scripted.script.is_automatic {
        scripted.handle_orphans(objects, candidates, definitions, arrangement.orphans, diag);
        drop_linked(objects, definitions);
    }
    scripted.assign_orphans(objects, definitions, &mut orphans, &mut names);
    scripted.alone = std::mem::take(&mut orphans.alone);
    scripted.find_copies(&mut orphans, &mut names);
    if !scripted.script.is_automatic {
        scripted.join_frames(definitions);
    }
    scripted.orders.resize(names.len(), None);
    (names, scripted)
}

/// Discards sections that SHF_LINK_ORDER links to discarded ones, and in turn those that are linked
/// to them: they would describe nothing.
fn drop_linked(objects: &Objects, definitions: &mut Definitions) {
    for (at, object) in objects.with_ids().filter(|(_, object)| !object.dependents.is_empty()) {
        let base = definitions.section_base[at];
        let sections = &mut definitions.sections;
        let targets = object.dependents.iter().map(|&(target, _)| target);
        let is_gone =
            |target: &RecordId| sections[base + *target].flags.has(SectionFlags::DISCARDED);
        let mut gone: Vec<RecordId> = targets.filter(is_gone).collect();
        while let Some(target) = gone.pop() {
            let first = object.dependents.partition_point(|pair| pair.0 < target);
            let linked = object.dependents[first..].iter().take_while(|pair| pair.0 == target);
            for &(_, dependent) in linked {
                let flags = &mut sections[base + dependent].flags;
                if !flags.has(SectionFlags::DISCARDED) {
                    flags.set(SectionFlags::DISCARDED);
                    gone.push(dependent);
                }
            }
        }
    }
}

/// Symbols of discarded sections have no address: a reference to one is an error.
fn drop_symbols_of_discarded(definitions: &mut Definitions) {
    let sections = &definitions.sections;
    let is_discarded = |id: SectionId| sections[id].flags.has(SectionFlags::DISCARDED);
    definitions.target.par_iter_mut().with_min_len(1 << 14).for_each(|target| {
        if target.section().is_some_and(is_discarded) {
            *target = PackedReferent::NOWHERE;
        }
    });
    definitions.globals.par_iter_mut().with_min_len(1 << 14).for_each(|global| {
        if global.value_base.section().is_some_and(is_discarded) {
            global.attributes |= attr::DISCARDED;
        }
    });
}

/// The known output id of a statement in an automatic layout; `None` if the name is not known.
fn known_output(script: &LayoutScript, inputs: &InputStatement, name: &[u8]) -> Option<OutputId> {
    let is_own = *inputs.file.name == *INTERNAL.as_bytes();
    let known = KNOWN.iter().position(|known| *known == name);
    known.filter(|_| script.is_automatic && !is_own).map(OutputId::from_index)
}

impl Scripted {
    /// The layout of these statements, with compiled patterns and output ids.
    fn new(
        script: LayoutScript,
        matcher: Matcher,
        rules: Column<RuleId, OptionalId<OutputId>>,
        outputs: usize,
    ) -> Scripted {
        let mut rule_of = Column::filled(OptionalId::NONE, outputs);
        for (rule, out) in rules.with_ids().filter_map(|(rule, out)| Some((rule, out.get()?))) {
            let first: &mut OptionalId<RuleId> = &mut rule_of[out];
            if first.is_none() {
                *first = rule.into();
            }
        }
        Scripted {
            frames: rule_of[known::EH_FRAME].get(),
            is_made: vec![true; script.outputs().count()],
            orders: vec![None; outputs],
            keeps_order: script.is_automatic,
            files: Column::new(),
            version: None,
            alone: UnorderedSet::new(),
            copies: [known::BSS, known::BSS_REL_RO],
            script,
            matcher,
            rules,
            rule_of,
        }
    }

    /// Gives sections the output ids of the statements that take them, or none.
    fn match_sections(&self, objects: &Objects, definitions: &mut Definitions) {
        let ranges = definitions.section_base.ranges().map(IdRange::indices);
        let parts = split_mut(&mut definitions.sections, ranges);
        let (matcher, rules) = (&self.matcher, &self.rules);
        let flags_count = matcher.asks_flags();
        let work = objects.par_iter().zip(parts).zip(self.files.par_iter()).with_max_len(2);
        work.for_each(|((object, sections), file)| {
            let of_file = matcher.of_file(&file.name, file.archive.as_deref());
            for at in 0..sections.len() {
                if let Some(ahead) = sections.get(at + 2 * NAMES_AHEAD) {
                    object.prefetch_header(ahead.shndx);
                }
                if let Some(ahead) = sections.get(at + NAMES_AHEAD)
                    && !ahead.flags.has(SectionFlags::COMMON)
                {
                    object.prefetch_name(object.header(ahead.shndx));
                }
                let section = &mut sections[at];
                if !section.flags.has(SectionFlags::DISCARDED) {
                    let asked = asked(section, object, file, flags_count);
                    let rule = matcher.rule_in(&of_file, &asked);
                    section.out = rule.map_or(OptionalId::NONE, |rule| rules[rule]);
                }
            }
        });
    }

    /// Keeps all sections that match a statement with `KEEP`, even if another statement takes them.
    fn keep_matches(&self, objects: &Objects, definitions: &mut Definitions) {
        if !self.script.inputs().any(|(_, inputs)| inputs.keep) {
            return;
        }
        let keeping = Matcher::of(&self.script, |inputs| inputs.keep);
        let may_be_kept = matcher::may_be_kept(&self.script);
        let ranges = definitions.section_base.ranges().map(IdRange::indices);
        let parts = split_mut(&mut definitions.sections, ranges);
        let flags_count = keeping.asks_flags();
        let work = objects.par_iter().zip(parts).zip(self.files.par_iter()).with_max_len(2);
        work.for_each(|((object, sections), file)| {
            let of_file = keeping.of_file(&file.name, file.archive.as_deref());
            for section in sections {
                let is_open = !section.flags.has(SectionFlags::DISCARDED | SectionFlags::KEEP);
                let rule = section.out.get().and_then(|out| self.rule_at(out));
                let is_open = is_open && rule.is_none_or(|rule| may_be_kept[rule]);
                let asked = || asked(section, object, file, flags_count);
                if is_open && keeping.rule_in(&of_file, &asked()).is_some() {
                    section.flags.set(SectionFlags::KEEP);
                }
            }
        });
    }

    /// Whether statements make an output section `.bss`, which then takes common symbols, but
    /// orphans of its name only if they are like it.
    fn makes_bss(&self, definitions: &Definitions) -> bool {
        let is_bss = |output: &OutputStatement| output.name == b".bss";
        if !self.script.outputs().any(is_bss) {
            return false;
        }
        let states = |output: &OutputStatement| {
            output
                .body
                .iter()
                .any(|inner| matches!(inner, BodyStatement::Number { .. } | BodyStatement::Text(_)))
        };
        let of_rules: Vec<bool> = self.script.outputs().map(is_bss).collect();
        let rules: Column<RuleId, bool> =
            self.script.inputs().map(|(output, _)| of_rules[output]).collect();
        let made = self.script.outputs().zip(&self.is_made);
        made.into_iter().any(|(output, &is_made)| is_made && is_bss(output) && states(output))
            || definitions.sections.par_iter().any(|section| {
                let rule = section.out.get().and_then(|out| self.rule_at(out));
                rule.is_some_and(|rule| rules[rule]) && !section.flags.has(SectionFlags::DISCARDED)
            })
    }

    /// By assignment to a symbol, whether it stands in an output section that is not made, so that
    /// it does not hold.
    pub fn unmade_assignments(&self) -> Vec<bool> {
        let mut is_made = self.is_made.iter();
        let mut unmade = Vec::new();
        for statement in &self.script.statements {
            match statement {
                Statement::Assign(assign) => unmade.extend((!assign.is_dot()).then_some(false)),
                Statement::Output(output) => {
                    let is_made = is_made.next().copied().unwrap_or(true);
                    let inner = output.body.iter().filter(
                        |inner| matches!(inner, BodyStatement::Assign(assign) if !assign.is_dot()),
                    );
                    unmade.extend(inner.map(|_| !is_made));
                }
                _ => {}
            }
        }
        unmade
    }

    /// How many statements of input sections there are.
    pub fn rule_count(&self) -> usize {
        self.rules.len()
    }

    /// The statement whose output id this is.
    pub fn rule_at(&self, out: OutputId) -> Option<RuleId> {
        self.rule_of.get(out)?.get()
    }

    /// Disables output sections whose constraint is not satisfied. The sections that they took are
    /// matched again with the other statements.
    fn apply_constraints(&mut self, objects: &Objects, definitions: &mut Definitions) {
        let constraints: Vec<_> = self.script.outputs().map(|output| output.constraint).collect();
        if constraints.iter().all(Option::is_none) {
            return;
        }
        let output_of: Column<RuleId, usize> = self.script.inputs().map(|(at, _)| at).collect();
        let mut rules: Vec<Vec<RuleId>> = vec![Vec::new(); constraints.len()];
        output_of.with_ids().for_each(|(rule, &at)| rules[at].push(rule));
        let mut taken = self.taken(definitions, &output_of, &constraints);
        let flags_count = self.matcher.asks_flags();
        let constrained = (0..constraints.len()).filter(|&at| constraints[at].is_some());
        let mut open: BTreeSet<usize> = constrained.collect();
        while let Some(at) = open.pop_first() {
            let fails = match constraints[at] {
                Some(Constraint::OnlyIfReadOnly) => taken[at].is_written,
                Some(Constraint::OnlyIfWritable) => !taken[at].is_written,
                None => false,
            };
            if !fails || !std::mem::replace(&mut self.is_made[at], false) {
                continue;
            }
            rules[at].iter().for_each(|&rule| self.matcher.leave_out(rule));
            for id in std::mem::take(&mut taken[at].sections) {
                let section = &mut definitions.sections[id];
                let (object, file) = (&objects[section.object], &self.files[section.object]);
                let rule = self.matcher.rule_of(&asked(section, object, file, flags_count));
                section.out = rule.map_or(OptionalId::NONE, |rule| self.rules[rule]);
                // If several statements have one output id, the first that has it counts.
                let Some(rule) = section.out.get().and_then(|out| self.rule_at(out)) else {
                    continue;
                };
                let to = output_of[rule];
                if constraints[to].is_some() {
                    taken[to].add(id, section);
                    open.insert(to);
                }
            }
        }
    }

    /// The inputs of the script's output sections that have a constraint.
    fn taken(
        &self,
        definitions: &Definitions,
        output_of: &Column<RuleId, usize>,
        constraints: &[Option<Constraint>],
    ) -> Vec<Taken> {
        let sections = definitions.sections.par_iter().with_min_len(1 << 13).enumerate();
        let found = sections.filter_map(|(at, section)| {
            let rule = section.out.get().and_then(|out| self.rule_at(out))?;
            let output = output_of[rule];
            let counts =
                constraints[output].is_some() && !section.flags.has(SectionFlags::DISCARDED);
            counts.then_some((output, SectionId::new(at as u32)))
        });
        let found: Vec<(usize, SectionId)> = found.collect();
        let mut taken = vec![Taken::default(); constraints.len()];
        for (output, id) in found {
            taken[output].add(id, &definitions.sections[id]);
        }
        taken
    }

    /// All statements that match a section of `object`, in the order in which they may take it.
    pub fn matching(&self, object: &ObjectFile, section: &InputSection) -> Vec<RuleId> {
        let file = &self.files[section.object];
        self.matcher.all_of(&asked(section, object, file, self.matcher.asks_flags()))
    }

    /// The name that patterns match for a section of `object`.
    pub fn asked_name<'a>(&'a self, object: &ObjectFile, section: &InputSection) -> &'a [u8] {
        asked(section, object, &self.files[section.object], false).name
    }

    /// The output id of a statement; none for a statement that only takes sections of the linker.
    pub fn output_of(&self, rule: RuleId) -> Option<OutputId> {
        self.rules[rule].get()
    }

    /// Drops the inputs of `/DISCARD/`, and marks those of `KEEP`.
    ///
    /// The default layout keeps some sections by their names (`.init`, `.ctors`). Under a script
    /// only sections that its statements name with `KEEP` are kept, as with GNU ld.
    fn apply_rules(&mut self, definitions: &mut Definitions) {
        let is_kept_by_name = |section: &InputSection| {
            let names = [
                known::INIT,
                known::FINI,
                known::CTORS,
                known::DTORS,
                known::INIT_ARRAY,
                known::FINI_ARRAY,
                known::PREINIT_ARRAY,
            ];
            section.class.output().is_some_and(|out| names.contains(&out))
        };
        let is_automatic = self.script.is_automatic;
        let outputs: Vec<_> = self.script.outputs().collect();
        let keeps: Column<RuleId, bool> = self.script.inputs().map(|(_, i)| i.keep).collect();
        let discards: Column<RuleId, bool> =
            self.script.inputs().map(|(at, _)| outputs[at].discards()).collect();
        let sections = definitions.sections.par_iter_mut().with_min_len(1 << 13);
        let frames = sections.filter_map(|section| {
            if !is_automatic && is_kept_by_name(section) && !section.flags.has(SectionFlags::RETAIN)
            {
                section.flags.clear(SectionFlags::KEEP);
            }
            let rule = self.rule_at(section.out.get()?)?;
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

    /// Drops the linker's version string if only a pattern for many names takes it, such as the
    /// `*(*)` of a boot sector: GNU ld adds no such string, and no program wants it in memory.
    fn drop_stray_version(&self, definitions: &mut Definitions) {
        let Some(version) = self.version.filter(|_| !self.script.is_automatic) else { return };
        let range = definitions.sections_of(version);
        for section in &mut definitions.sections[range] {
            let Some(rule) = section.out.get().and_then(|out| self.rule_at(out)) else { continue };
            let statement = self.script.inputs().nth(rule.index()).map(|(_, inputs)| inputs);
            let mut patterns = statement.into_iter().flat_map(|inputs| &inputs.sections);
            if !patterns.any(|pattern| *pattern.name == *b".comment") {
                section.flags.set(SectionFlags::DISCARDED);
            }
        }
    }

    /// Gives all input `.eh_frame` sections one output id, since one section holds the records of
    /// all. Symbols in them are in that section, whichever statement took their own.
    fn join_frames(&mut self, definitions: &mut Definitions) {
        self.rule_of[known::EH_FRAME] = self.frames.into();
        let sections = definitions.sections.par_iter_mut().with_min_len(1 << 13);
        let frames = sections.filter(|section| section.flags.has(SectionFlags::EH_FRAME));
        frames.for_each(|section| {
            if section.out.is_some() {
                section.out = known::EH_FRAME.into();
            }
        });
    }

    /// Warns of orphans, refuses or drops them, as `--orphan-handling` says.
    fn handle_orphans(
        &self,
        objects: &Objects,
        candidates: &Candidates,
        definitions: &mut Definitions,
        handling: OrphanHandling,
        diag: &Diag,
    ) {
        if handling == OrphanHandling::Place {
            return;
        }
        let mut told = 0;
        for (at, object) in objects.with_ids() {
            if handling != OrphanHandling::Discard && self.version == Some(at) {
                // The linker's own section is not an input that the script's author forgot.
                continue;
            }
            let range = definitions.sections_of(at);
            for section in &mut definitions.sections[range] {
                let flags = section.flags;
                if section.out.is_some() || flags.has(SectionFlags::DISCARDED) || section.size == 0
                {
                    continue;
                }
                if handling == OrphanHandling::Discard {
                    section.flags.set(SectionFlags::DISCARDED);
                    continue;
                }
                let name = if flags.has(SectionFlags::COMMON) {
                    b"COMMON"
                } else {
                    object.section_name(section.shndx)
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

    /// Gives orphans output ids by their names.
    fn assign_orphans(
        &self,
        objects: &Objects,
        definitions: &mut Definitions,
        orphans: &mut OrphanNames,
        names: &mut Column<OutputId, Vec<u8>>,
    ) {
        let sections = definitions.sections.par_iter().with_min_len(1 << 13).enumerate();
        let found = sections.filter(|(_, section)| {
            section.out.is_none() && !section.flags.has(SectionFlags::DISCARDED)
        });
        let found: Vec<SectionId> = found.map(|(at, _)| SectionId::new(at as u32)).collect();
        for id in found {
            let section = &mut definitions.sections[id];
            section.out = orphans.output(&objects[section.object], section, names).into();
        }
    }

    /// Finds the output ids for copied variables, writable and read-only.
    fn find_copies(&mut self, orphans: &mut OrphanNames, names: &mut Column<OutputId, Vec<u8>>) {
        let wanted: [[&'static [u8]; 2]; 2] = if self.script.is_automatic {
            [[b".bss", b".bss"], [b".bss.rel.ro", b".bss"]]
        } else {
            [[b".dynbss", b".bss"], [b".data.rel.ro", b".dynbss"]]
        };
        let sh_flags = u64::from(SHF_ALLOC | SHF_WRITE);
        self.copies = wanted.map(|wanted| {
            let rule = wanted.iter().find_map(|name| {
                let asked = Asked { name, file: b"", archive: None, sh_flags };
                self.matcher.rule_of(&asked)
            });
            match rule {
                Some(rule) => self.rules[rule].known(),
                None => orphans.named(b".dynbss", names),
            }
        });
    }

    /// The statement that takes a synthetic section.
    pub fn rule_of_own(&self, name: &[u8], sh_flags: u64) -> Option<RuleId> {
        let file = INTERNAL.as_bytes();
        self.matcher.rule_of(&Asked { name, file, archive: None, sh_flags })
    }

    /// Whether what the statement takes is discarded.
    pub fn discards(&self, rule: RuleId) -> bool {
        let output = self.script.inputs().nth(rule.index()).map(|(at, _)| at);
        output.and_then(|at| self.script.outputs().nth(at)).is_some_and(OutputStatement::discards)
    }

    /// Whether the script discards this section of the linker.
    pub fn discards_own(&self, name: &[u8], sh_flags: u64) -> bool {
        self.rule_of_own(name, sh_flags).is_some_and(|rule| self.discards(rule))
    }

    /// Sorts the inputs of an output id, which come in the order of files, as their statement asks.
    pub fn sort(
        &self,
        out: OutputId,
        sections: &mut [SectionId],
        name: impl Fn(SectionId) -> &'static [u8],
        file: impl Fn(SectionId) -> &'static [u8],
        definitions: &Definitions,
    ) {
        let Some(&Some((sort, is_reversed, by_file))) = self.orders.get(out.index()) else {
            return;
        };
        // The outer keyword is the primary key, so it is sorted by last.
        for sort in [sort[1], sort[0]] {
            match sort {
                Sort::Default | Sort::None => {}
                Sort::Name if self.script.is_automatic => {
                    sections.sort_by_cached_key(|&id| (table_end(name(id), file(id)), name(id)));
                }
                Sort::Name => sections.sort_by_cached_key(|&id| name(id)),
                Sort::Alignment => sections
                    .sort_by_key(|&id| std::cmp::Reverse(definitions.sections[id].align_log2)),
                Sort::InitPriority if self.script.is_automatic => {
                    sections.sort_by_cached_key(|&id| init_rank(name(id)));
                }
                Sort::InitPriority => init_order::sort(sections, &name),
            }
        }
        if by_file {
            // The order of files has precedence over that of sections, as in GNU ld.
            let file = |id: SectionId| &self.files[definitions.sections[id].object].name;
            sections.sort_by(|&a, &b| file(a).cmp(file(b)));
        }
        if is_reversed {
            sections.reverse();
        }
    }
}

/// Where a `.ctors` or `.dtors` section goes in the default layout before names are compared: GCC's
/// start files have the first and the last word of the table, as in GNU ld's script.
fn table_end(name: &[u8], file: &[u8]) -> std::cmp::Ordering {
    let is_table = matches!(name, b".ctors" | b".dtors") && file.ends_with(b".o");
    if is_table && file.starts_with(b"crtbegin") {
        std::cmp::Ordering::Less
    } else if is_table && file.starts_with(b"crtend") {
        std::cmp::Ordering::Greater
    } else {
        std::cmp::Ordering::Equal
    }
}

/// The sort key of the default layout for tables of functions. Sections with a priority behind
/// `.init_array.` or `.ctors.` come first, by priority. Then come those without, in the order of
/// the link, whichever of the two names they have.
fn init_rank(name: &[u8]) -> (bool, u32, &[u8]) {
    let is_plain = matches!(name, b".init_array" | b".fini_array" | b".ctors" | b".dtors");
    let text = if is_plain { b"" } else { name };
    (is_plain, init_priority(name).unwrap_or(UNNUMBERED), text)
}
