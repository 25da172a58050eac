//! Puts the parts of output sections into the order of the statements, which are those of a script
//! or of the default layout.

use super::items::{Assigning, BodyPart, Heading, Item, Layout};
use super::output_sections::{
    Content, EmptyOutputs, FirstInput, OutputSection, OutputSections, SectionHeader, StatedId,
    Synthetic,
};
use super::{empty_sections, orphans};
use crate::args::{Options, OutputKind};
use crate::machine::Machine;
use crate::machine::padding::Padding;
use crate::read::ObjectId;
use crate::resolve::outputs::scripted::Scripted;
use crate::script::matcher::RuleId;
use crate::script::section_names::{ARRAYS, OutputId};
use crate::script::statements::{BodyStatement, Fill, OutputStatement, SectionKind, Statement};
use object::elf::*;
use skald_core::ids::Column;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use std::sync::Arc;

mod displaced;
mod fixed_addresses;
mod unloadable_tables;
mod unwritten_orphans;

/// The parts of output sections, while statements take them in order.
struct Arranging<'a> {
    scripted: &'a Scripted,
    machine: &'static Machine,
    /// The parts, `None` once a statement has taken them.
    parts: Vec<Option<OutputSection>>,
    of_rule: Column<RuleId, Vec<usize>>,
    of_name: UnorderedMap<Vec<u8>, Vec<usize>>,
    /// In an automatic layout, by output section of the script: parts that are placed there
    /// although another statement takes them, or none does.
    guests: Vec<Vec<usize>>,
    /// In an automatic layout, statements that are placed elsewhere as a whole.
    moved: Vec<displaced::Moved>,
    /// Names of output sections that expressions refer to.
    mentioned: UnorderedSet<Vec<u8>>,
    /// Names of output sections whose addresses the statements so far refer to, each of which makes
    /// the first output section of the name.
    addressed: UnorderedSet<Vec<u8>>,
    /// Names of the output sections so far.
    named: UnorderedSet<Vec<u8>>,
    /// The parts taken so far, in the order of the statements.
    sorted: Vec<OutputSection>,
    stated: Column<StatedId, Vec<u8>>,
    layout: Layout,
    next_rule: RuleId,
    /// The output has dynamic symbols.
    is_dynamic: bool,
    /// All words of `.got` are of IFUNCs, and the program has no dynamic linker.
    got_is_of_ifuncs: bool,
    /// The output is that of `-r`.
    is_joined: bool,
    /// The first object with a note on the stack, in layouts of a script.
    stack_note: Option<ObjectId>,
    /// Ids of output sections left out as empty: [`OutputSections::empty`].
    empty: EmptyOutputs,
}

/// Sorts `outputs` by the statements; returns the layout's items, and the bytes that statements
/// such as `BYTE` give. Synthetic sections that a script discards are left out. With `-r` all
/// orphans have the address 0, and sections that only assign are kept, as GNU ld does.
pub fn arrange(
    outputs: &mut OutputSections,
    scripted: &Scripted,
    options: &Options,
) -> (Layout, Column<StatedId, Vec<u8>>) {
    let is_dynamic = outputs.made(Synthetic::DynSym);
    let expressions = scripted.script.expressions();
    let is_joined = options.kind == OutputKind::Relocatable;
    let mut arranging = Arranging {
        is_dynamic,
        got_is_of_ifuncs: outputs.got_is_of_ifuncs && !is_dynamic,
        is_joined,
        stack_note: outputs.stack_note.filter(|_| !scripted.script.is_automatic),
        empty: std::mem::take(&mut outputs.empty),
        scripted,
        machine: options.machine,
        parts: std::mem::take(&mut outputs.sections).into_iter().map(Some).collect(),
        of_rule: Column::filled(Vec::new(), scripted.rule_count()),
        of_name: UnorderedMap::new(),
        guests: Vec::new(),
        moved: Vec::new(),
        mentioned: expressions.iter().flat_map(|e| e.sections()).map(<[u8]>::to_vec).collect(),
        addressed: UnorderedSet::new(),
        named: UnorderedSet::new(),
        sorted: Vec::new(),
        stated: Column::new(),
        layout: Layout {
            headers: scripted.script.headers.clone(),
            regions: scripted.script.regions.clone(),
            assignments: scripted.script.assignments().count(),
            is_automatic: scripted.script.is_automatic,
            is_sane: scripted.script.is_sane,
            ..Layout::default()
        },
        next_rule: RuleId::new(0),
    };
    if scripted.script.is_automatic {
        arranging.sort_by_zone()
    } else {
        arranging.sort_by_rule()
    }
    arranging.statements();
    if !scripted.script.is_automatic {
        arranging.note_addressed();
        arranging.given_addresses(&options.section_start);
    }
    arranging.orphans();
    if scripted.script.is_automatic {
        arranging.set_apart(&options.section_start);
    }
    arranging.hand_on_load_regions();
    arranging.note_mentioned();
    let Arranging { sorted, layout, stated, .. } = arranging;
    (outputs.sections, outputs.made) = (sorted, Default::default());
    let (mut layout, mut stated) = (layout, stated);
    if is_joined {
        empty_sections::keep_assigned(outputs, &mut layout);
    }
    in_memory_order(outputs, &mut layout);
    if !layout.is_automatic {
        align_thread_local(&mut outputs.sections, &layout);
    }
    describe(outputs, &mut layout, options);
    fill_gaps_of_code(outputs, &layout, &mut stated, options.machine.nop);
    outputs.note_positions();
    (layout, stated)
}

impl Arranging<'_> {
    /// Finds the statement that takes each part.
    fn sort_by_rule(&mut self) {
        for (at, part) in self.parts.iter().enumerate() {
            let part = part.as_ref().expect("not taken yet");
            let rule = match &part.content {
                Content::Inputs { out, .. } => self.scripted.rule_at(*out),
                Content::Synthetic(Synthetic::EhFrame) => self.scripted.frames,
                Content::Synthetic(_) => self.rule_of_own(part),
            };
            match rule {
                Some(rule) => self.of_rule[rule].push(at),
                None => self.of_name.entry(part.name.clone()).or_default().push(at),
            }
        }
        // The linker's sections count as if they were of the first input.
        let is_input = |&at: &usize| {
            let part = self.parts[at].as_ref().expect("not taken yet");
            part.kind().is_none()
        };
        for parts in &mut self.of_rule {
            parts.sort_by_key(is_input);
        }
    }

    /// The statement that takes a synthetic section: GNU ld names parts of `.rela.dyn` after the
    /// sections that the relocations apply to.
    fn rule_of_own(&self, part: &OutputSection) -> Option<RuleId> {
        let named = |name: &[u8]| self.scripted.rule_of_own(name, part.sh_flags);
        let own = named(&part.name);
        let relocs = |section: &[u8]| named(&self.machine.reloc_kind.name_of(section));
        let kept = |name: &[u8]| named(name).filter(|&rule| !self.scripted.discards(rule));
        match part.kind() {
            // Without a dynamic linker the program applies these relocations itself, between
            // symbols that stand at the bounds of this statement.
            Some(Synthetic::RelaDyn) if !self.is_dynamic => relocs(b".iplt").or(own),
            // Without a dynamic linker PLT entries are those of IFUNCs, as GOT entries may be, and
            // GNU ld names the sections so.
            Some(Synthetic::PltGot) if !self.is_dynamic => {
                kept(b".iplt").or_else(|| kept(&part.name))
            }
            Some(Synthetic::Got) if self.got_is_of_ifuncs => own.or_else(|| kept(b".igot.plt")),
            // A script may name these parts, and discard all that it does not name.
            Some(Synthetic::RelaDyn) => {
                let kept_relocs = |section: &[u8]| kept(&self.machine.reloc_kind.name_of(section));
                kept(&part.name)
                    .or_else(|| kept_relocs(b".got"))
                    .or_else(|| kept_relocs(b".data"))
                    .or(own)
            }
            Some(Synthetic::ShStrTab | Synthetic::SymTab | Synthetic::StrTab) => None,
            Some(Synthetic::GdbIndex | Synthetic::DebugNames) => None,
            Some(Synthetic::SymTabShndx | Synthetic::EmitRelocs(_)) => None,
            _ => own,
        }
    }

    fn take(&mut self, at: usize) -> Option<usize> {
        let part = self.parts[at].take()?;
        self.sorted.push(part);
        Some(self.sorted.len() - 1)
    }

    fn statements(&mut self) {
        let scripted = self.scripted;
        let mut number = 0;
        let mut is_relro = false;
        let mut is_made = scripted.is_made.iter().enumerate();
        for statement in &scripted.script.statements {
            match statement {
                Statement::Assign(assign) => {
                    let expr = assign.expr.clone();
                    is_relro = (is_relro || expr.begins_data_segment()) && !expr.ends_relro();
                    self.addressed.extend(expr.addressed().map(<[u8]>::to_vec));
                    let own = (!assign.is_dot()).then_some(number);
                    number += usize::from(own.is_some());
                    self.layout.items.push(Item::Assign(Assigning {
                        number: own,
                        is_tied: assign.ends_overlay,
                        expr,
                    }));
                }
                Statement::Assert(assertion) => {
                    self.layout.items.push(Item::Assert(assertion.clone()));
                }
                Statement::Entry(_) | Statement::NoCrossReferences(_) | Statement::Class(_) => {}
                Statement::Output(output) => {
                    let (at, &is_made) = is_made.next().expect("one for each");
                    let before = self.layout.headings.len();
                    if scripted.script.is_automatic && output.is_rest() {
                        self.rest(output, at);
                    } else if self.is_moved(at) {
                        self.pass(output, &mut number);
                    } else {
                        self.output(output, at, is_made, &mut number);
                    }
                    let mut made = self.layout.headings[before..].iter().filter(|_| is_relro);
                    let has_relro = made.any(|heading| self.has_memory(heading));
                    self.layout.has_relro |= has_relro;
                }
            }
        }
    }

    /// Whether statements of an output section take inputs that have bytes in memory.
    fn has_memory(&self, heading: &Heading) -> bool {
        let is_memory = |part: &OutputSection| match part.content {
            Content::Inputs { out, .. } => part.is_loaded() && !self.empty.all.contains(&out),
            Content::Synthetic(which) => {
                part.is_loaded() && !matches!(which, Synthetic::Stated(_)) && part.size != 0
            }
        };
        heading
            .body
            .iter()
            .any(|part| matches!(part, BodyPart::Part(at) if is_memory(&self.sorted[*at])))
    }

    fn output(
        &mut self,
        output: &Arc<OutputStatement>,
        place: usize,
        is_made: bool,
        number: &mut usize,
    ) {
        let is_made = is_made && !output.discards();
        let is_automatic = self.layout.is_automatic;
        let at = self.layout.headings.len();
        let mut heading = Heading::new(output.clone());
        let mut fill = output.fill.as_ref().map(fill_bytes).unwrap_or_default();
        for statement in &output.body {
            self.body_statement(output, &mut heading, statement, &mut fill, number, is_made);
        }
        heading.fill = fill;
        if !is_made {
            return self.layout.items.push(Item::NotMade);
        }
        if is_automatic {
            let guests = std::mem::take(&mut self.guests[place]);
            let guests = guests.into_iter().filter_map(|part| self.take(part));
            heading.body.extend(guests.collect::<Vec<_>>().into_iter().map(BodyPart::Part));
            // Empty sections were left out when inputs were collected.
            heading.may_vanish &= !heading.body.iter().any(|p| matches!(p, BodyPart::Part(_)));
            if heading.body.is_empty() && !self.mentioned.contains(&output.name) {
                return;
            }
        }
        self.find_nature(&mut heading);
        self.layout.headings.push(heading);
        self.layout.items.push(Item::Heading(at));
    }

    /// Finds type and flags of an output section from its statements.
    fn find_nature(&mut self, heading: &mut Heading) {
        let OutputStatement { name, kind, sh_type, .. } = &*heading.statement;
        let nature = &mut heading.nature;
        let is_first = self.named.insert(name.clone());
        if is_first && self.addressed.contains(name) {
            nature.add_assignment(name);
        }
        for part in &heading.body {
            if let BodyPart::Number { expr, .. }
            | BodyPart::Gap(_, expr)
            | BodyPart::Assign(Assigning { expr, .. }) = part
            {
                if is_first && expr.addressed().any(|addressed| addressed == name) {
                    nature.add_assignment(name);
                }
                self.addressed.extend(expr.addressed().map(<[u8]>::to_vec));
            }
            match part {
                BodyPart::Number { .. } => nature.add_data(name, *kind, *sh_type),
                BodyPart::Gap(..) | BodyPart::Assign(_) | BodyPart::Assert(_) => {
                    nature.add_assignment(name);
                }
                BodyPart::Part(at) => match self.sorted[*at].kind() {
                    Some(Synthetic::Stated(_)) => nature.add_data(name, *kind, *sh_type),
                    _ => nature.add_part(name, *kind, &self.sorted[*at]),
                },
            }
        }
    }

    fn body_statement(
        &mut self,
        output: &OutputStatement,
        heading: &mut Heading,
        statement: &BodyStatement,
        fill: &mut Vec<u8>,
        number: &mut usize,
        is_made: bool,
    ) {
        match statement {
            BodyStatement::Inputs(inputs) => {
                let rule = self.next_rule;
                self.next_rule = rule + 1;
                self.inputs(output, heading, rule, inputs.keep, fill);
            }
            // Here references to classes are already statements of input sections.
            BodyStatement::Class(_) => {}
            BodyStatement::Assign(assign) if assign.is_dot() => {
                if is_made {
                    let (part, _) = self.state(output, fill.clone(), 0, fill);
                    heading.body.push(BodyPart::Gap(part, assign.expr.clone()));
                }
            }
            BodyStatement::Assign(assign) => {
                let own = Some(*number);
                *number += 1;
                if is_made {
                    let expr = assign.expr.clone();
                    heading.body.push(BodyPart::Assign(Assigning {
                        number: own,
                        is_tied: true,
                        expr,
                    }));
                }
            }
            BodyStatement::Assert(assertion) => {
                heading.body.push(BodyPart::Assert(assertion.clone()));
            }
            BodyStatement::Fill(other) => {
                *fill = fill_bytes(other);
                if heading.body.is_empty() {
                    heading.nature.add_assignment(&output.name);
                }
            }
            _ if !is_made => {}
            BodyStatement::Number { width, expr } => {
                let size = u64::from(*width);
                let zeros = vec![0; usize::from(*width)];
                let (part, stated) = self.state(output, zeros, size, &[]);
                let (width, expr) = (*width, expr.clone());
                heading.body.push(BodyPart::Number { part, stated, width, expr });
                (heading.may_vanish, heading.is_hollow) = (false, false);
            }
            BodyStatement::Text(text) => {
                let (part, _) = self.state(output, text.clone(), text.len() as u64, &[]);
                heading.body.push(BodyPart::Part(part));
                (heading.may_vanish, heading.is_hollow) = (false, false);
            }
        }
    }

    /// Adds the parts that a statement of input sections takes.
    fn inputs(
        &mut self,
        output: &OutputStatement,
        heading: &mut Heading,
        rule: RuleId,
        is_kept: bool,
        fill: &[u8],
    ) {
        for part in std::mem::take(&mut self.of_rule[rule]) {
            if output.discards() {
                let dropped = self.parts[part].take();
                let needed = dropped.filter(|part| is_needed(part.kind()));
                self.layout.undroppable.extend(needed.map(|part| part.name));
            } else if let Some(part) = self.take(part) {
                self.sorted[part].fill = fill.to_vec();
                heading.nature.keep(is_kept);
                add(heading, &self.sorted, part, &self.empty);
            }
        }
    }

    /// Adds a part for bytes that the script gives, or for a gap, which has no type of its own.
    fn state(
        &mut self,
        output: &OutputStatement,
        bytes: Vec<u8>,
        size: u64,
        fill: &[u8],
    ) -> (usize, StatedId) {
        let is_gap = size == 0;
        let stated = self.stated.push(bytes);
        let sh_type = if is_gap { SHT_NOBITS } else { SHT_PROGBITS };
        let part = self::stated(output.name.clone(), stated, sh_type, SHF_ALLOC, size);
        let zone = output.zone.unwrap_or(part.zone);
        self.sorted.push(OutputSection { fill: fill.to_vec(), zone, ..part });
        (self.sorted.len() - 1, stated)
    }

    /// Gives orphans their output sections: existing ones of the same name and kind, or new ones
    /// behind others of the same kind. Orphans come in the order of the files, and the linker's own
    /// sections count as if they were the last of the first file. With dynamic linking, one of
    /// these is a `.data.rel.ro` for variables that are copied from libraries.
    fn orphans(&mut self) {
        let mut all = self.parts.iter().flatten().chain(&self.sorted);
        let is_dynamic = all.any(|part| part.is_synthetic(Synthetic::Dynamic));
        // Common symbols come last of their object.
        let turn = |first: &FirstInput| (first.object, first.is_common, first.id);
        let order = |part: &OutputSection| match &part.first {
            _ if is_last(part.kind()) => (3, 0, None),
            None => (1, rank(part.kind()), None),
            Some(first) if first.is_in_first_object => (0, 0, Some(turn(first))),
            Some(first) if is_dynamic && part.name == b".data.rel.ro" => {
                (1, u8::MAX, Some(turn(first)))
            }
            Some(first) => (2, 0, Some(turn(first))),
        };
        let mut orphans: Vec<usize> =
            (0..self.parts.len()).filter(|&at| self.parts[at].is_some()).collect();
        orphans.sort_by_key(|&at| self.parts[at].as_ref().map(order));
        let mut places = orphans::Places::new(&mut self.layout);
        let unwritten_at = self.unwritten_at(&orphans);
        // Tables that are made after all other sections, by name.
        let mut tables: UnorderedMap<Vec<u8>, usize> = UnorderedMap::new();
        let count = orphans.len();
        for (number, at) in orphans.into_iter().enumerate() {
            self.unwritten(&mut places, unwritten_at, number);
            let Some(part) = self.take(at) else { continue };
            let orphan = &self.sorted[part];
            let taken = match orphan.content {
                _ if is_last(orphan.kind()) => tables.get(&orphan.name).copied(),
                Content::Inputs { out, .. } if self.scripted.alone.contains(&out) => None,
                _ => places.find(&self.layout, orphan),
            };
            match taken {
                Some(of) => {
                    let heading = &mut self.layout.headings[of];
                    let OutputStatement { name, kind, .. } = &*heading.statement;
                    heading.nature.add_part(name, *kind, &self.sorted[part]);
                    self.sorted[part].fill.clone_from(&heading.fill);
                    add(heading, &self.sorted, part, &self.empty);
                }
                None => {
                    let of = self.orphan(&mut places, part);
                    let name = self.sorted[part].name.clone();
                    if is_last(self.sorted[part].kind()) {
                        tables.insert(name, of);
                    }
                }
            }
        }
        self.unwritten(&mut places, unwritten_at, count);
        places.finish(&mut self.layout);
    }

    /// Gives an orphan an output section of its own; returns its heading.
    fn orphan(&mut self, places: &mut orphans::Places, part: usize) -> usize {
        let orphan = &self.sorted[part];
        let has_place = !self.is_joined && orphan.is_loaded();
        let mut heading = Heading::new(orphans::statement(orphan.name.clone(), has_place));
        add(&mut heading, &self.sorted, part, &self.empty);
        self.find_nature(&mut heading);
        let of = self.layout.headings.len();
        self.layout.headings.push(heading);
        // The linker's version string does not make a section stand among others.
        let is_version = self.sorted[part].first.is_some_and(|first| first.is_of_linker);
        if is_last(self.sorted[part].kind()) || is_version {
            places.append(of)
        } else {
            places.insert(&mut self.layout, &self.sorted[part], of)
        }
        of
    }
}

impl Arranging<'_> {
    /// An expression that refers to the address of an output section creates it, as far as orphans
    /// are concerned.
    fn note_addressed(&mut self) {
        let mut addressed = std::mem::take(&mut self.addressed);
        for heading in &mut self.layout.headings {
            let name = &heading.statement.name;
            if addressed.remove(name) && heading.nature.traits().is_none() {
                heading.nature.add_assignment(name);
            }
        }
    }

    /// Notes the output sections that expressions refer to: these have an address even if empty.
    fn note_mentioned(&mut self) {
        for heading in &mut self.layout.headings {
            heading.is_mentioned = self.mentioned.contains(&heading.statement.name);
        }
    }

    /// An output section without a load address or region of its own takes the load region of the
    /// one before it, if both are in one memory region.
    fn hand_on_load_regions(&mut self) {
        let sections = self.layout.items.iter().filter_map(|item| match item {
            Item::Heading(at) => Some(Some(*at)),
            Item::NotMade => Some(None),
            _ => None,
        });
        let order: Vec<Option<usize>> = sections.collect();
        for pair in order.windows(2) {
            let &[Some(before), Some(at)] = pair else { continue };
            let (before, own) = (&self.layout.headings[before], &self.layout.headings[at]);
            let OutputStatement { address, load_address, region, .. } = &*own.statement;
            if own.load_region.is_none()
                && address.is_none()
                && load_address.is_none()
                && *region == before.statement.region
            {
                let load_region = before.load_region.clone();
                self.layout.headings[at].load_region = load_region;
            }
        }
    }
}

/// Whether code or the linker itself needs this synthetic section. A program without a dynamic
/// linker does not need sections that only the dynamic linker reads; if it relocates itself, it has
/// tables of its own.
fn is_needed(kind: Option<Synthetic>) -> bool {
    matches!(
        kind,
        Some(
            Synthetic::Got
                | Synthetic::GotPlt
                | Synthetic::Plt
                | Synthetic::PltGot
                | Synthetic::RelaPlt
                | Synthetic::RelrDyn
                | Synthetic::SignedRelrDyn
        )
    )
}

/// Adds a part that has been taken to the body of an output section.
fn add(heading: &mut Heading, parts: &[OutputSection], at: usize, empty: &EmptyOutputs) {
    let is_in = |empty: &UnorderedSet<OutputId>| matches!(parts[at].content, Content::Inputs { out, .. } if empty.contains(&out));
    heading.may_vanish &= is_in(&empty.unused);
    heading.is_hollow &= is_in(&empty.all);
    heading.body.push(BodyPart::Part(at));
}

/// Whether this synthetic section is made after all others, and placed behind them.
fn is_last(kind: Option<Synthetic>) -> bool {
    use Synthetic::*;
    let is_table = matches!(kind, Some(ShStrTab | SymTab | StrTab | SymTabShndx));
    is_table || matches!(kind, Some(EmitRelocs(_) | GdbIndex | DebugNames))
}

/// The order in which GNU ld makes the sections of dynamic linking
/// (`_bfd_elf_link_create_dynamic_sections`), and places them as orphans.
fn rank(kind: Option<Synthetic>) -> u8 {
    use Synthetic::*;
    let order = [Interp, Verdef, Versym, Verneed, DynSym, DynStr, Dynamic, Hash, GnuHash, RelrDyn];
    let position = order.iter().position(|&made| Some(made) == kind);
    position.unwrap_or(order.len()) as u8
}

/// A part for bytes that a script gives, with this type, flags and size.
pub(super) fn stated(
    name: Vec<u8>,
    stated: StatedId,
    sh_type: u32,
    sh_flags: u32,
    size: u64,
) -> OutputSection {
    let header = SectionHeader { name: b"", sh_type, sh_flags, align: 1, entsize: 0, link: None };
    OutputSection { name, ..OutputSection::made(Synthetic::Stated(stated), header, size) }
}

/// The bytes of a fill pattern (`=expr`, `FILL`).
fn fill_bytes(fill: &Fill) -> Vec<u8> {
    match fill {
        Fill::Bytes(bytes) => bytes.clone(),
        Fill::Value(value) => value.to_be_bytes().to_vec(),
    }
}

/// Sorts the parts into the order of the headings, which inserting orphans has changed.
fn in_memory_order(outputs: &mut OutputSections, layout: &mut Layout) {
    let mut place_of = vec![usize::MAX; outputs.sections.len()];
    let mut next = 0;
    let order: Vec<usize> = layout.order().collect();
    let is_loaded = |heading: &Heading| {
        // A script places its sections where it likes; segments of an automatic layout are made of
        // the sections before the first that is not loaded.
        let is_unallocated = heading.statement.kind == SectionKind::Unallocated;
        if layout.is_automatic && is_unallocated {
            return false;
        }
        let mut positions = heading.body.iter().filter_map(BodyPart::position);
        positions.any(|at| outputs.sections[at].is_loaded())
    };
    let (loaded, unloaded): (Vec<usize>, Vec<usize>) =
        order.into_iter().partition(|&at| is_loaded(&layout.headings[at]));
    for at in loaded.into_iter().chain(unloaded) {
        for part in &mut layout.headings[at].body {
            if let Some(position) = part.position_mut() {
                place_of[*position] = next;
                *position = next;
                next += 1;
            }
        }
    }
    let mut sections: Vec<(usize, OutputSection)> =
        place_of.into_iter().zip(std::mem::take(&mut outputs.sections)).collect();
    sections.sort_by_key(|&(place, _)| place);
    outputs.sections = sections.into_iter().map(|(_, section)| section).collect();
}

/// Aligns the template of thread-local storage to the greatest alignment in it, including one that
/// a statement asks for, as in GNU ld.
fn align_thread_local(sections: &mut [OutputSection], layout: &Layout) {
    let is_thread_local =
        |section: &OutputSection| section.is_loaded() && section.sh_flags & u64::from(SHF_TLS) != 0;
    let asked = layout.headings.iter().filter_map(|heading| {
        let parts = heading.parts()?;
        let asked = heading.statement.align.as_ref()?.constant()?.checked_next_power_of_two()?;
        sections[parts].iter().any(is_thread_local).then_some(asked)
    });
    let inputs = sections.iter().filter(|section| is_thread_local(section));
    let all = inputs.map(|section| section.align).chain(asked).max();
    let first = sections.iter_mut().find(|section| is_thread_local(section));
    if let Some((first, all)) = first.zip(all) {
        first.align = all;
    }
}

/// Whether a part has bytes that the script gives.
fn is_stated(part: &OutputSection) -> bool {
    matches!(part.kind(), Some(Synthetic::Stated(_)))
}

/// Gives all parts of an output section the same type and flags, and makes the section headers.
fn describe(outputs: &mut OutputSections, layout: &mut Layout, options: &Options) {
    let mut has_text = false;
    for heading in &layout.headings {
        if let Some(parts) = heading.parts() {
            let OutputStatement { kind, sh_type, .. } = &*heading.statement;
            let is_as_it_is = *kind == SectionKind::Plain && sh_type.is_none();
            // Bytes that a script gives have no type of their own: the section's name decides.
            let is_stated = outputs.sections[parts.clone()].iter().all(is_stated);
            if layout.is_automatic && parts.len() == 1 && is_as_it_is && !is_stated {
                continue;
            }
            let mut nature = heading.nature;
            let is_allocated = *kind != SectionKind::Unallocated;
            if is_allocated && heading.body.iter().any(|part| matches!(part, BodyPart::Gap(..))) {
                nature.add_gap();
            }
            let is_joined = options.kind == OutputKind::Relocatable;
            let header = (!layout.is_automatic || is_stated).then(|| nature.header(is_joined));
            // GNU ld's rule: the first `.text` is writable only with `-N`, whatever it holds.
            let is_text =
                heading.statement.name == b".text" && !std::mem::replace(&mut has_text, true);
            let text_is_written = is_text.then_some(options.omagic && !layout.is_automatic);
            let parts = &mut outputs.sections[parts];
            let tables = unloadable_tables::tables(parts);
            unite(parts, options.machine, &heading.statement, header, text_is_written);
            if parts.iter().all(|part| part.sh_type == SHT_NOBITS) {
                layout.unfilled.extend(tables);
            }
        }
    }
    make_heads(outputs, layout);
}

/// Fills gaps in code with no-operation instructions where no fill is given.
fn fill_gaps_of_code(
    outputs: &OutputSections,
    layout: &Layout,
    stated: &mut Column<StatedId, Vec<u8>>,
    nop: Padding,
) {
    for part in layout.headings.iter().flat_map(|heading| &heading.body) {
        let BodyPart::Gap(at, _) = part else { continue };
        let section = &outputs.sections[*at];
        let is_code = section.sh_flags & u64::from(SHF_EXECINSTR) != 0;
        if let Some(Synthetic::Stated(id)) = section.kind()
            && is_code
            && stated[id].is_empty()
        {
            stated[id] = nop.pattern();
        }
    }
}

/// Makes the section headers, in the order of their parts.
pub(super) fn make_heads(outputs: &mut OutputSections, layout: &mut Layout) {
    let mut order: Vec<(usize, usize)> =
        layout.order().filter_map(|at| Some((layout.headings[at].parts()?.start, at))).collect();
    order.sort_by_key(|&(start, _)| start);
    layout.headings.iter_mut().for_each(|heading| heading.head = None);
    for (number, &(_, at)) in order.iter().enumerate() {
        layout.headings[at].head = Some(number);
    }
    let parts = |at: usize| layout.headings[at].parts().expect("found above");
    outputs.set_heads(order.iter().map(|&(_, at)| parts(at)));
    if layout.is_automatic {
        return;
    }
    for (head, &(_, at)) in outputs.heads.iter_mut().zip(&order) {
        let first = &outputs.sections[head.parts.start];
        head.traits = layout.headings[at].nature.in_memory(first);
    }
}

/// Gives all parts of an output section one type and flags: whether a gap has bytes in the file
/// depends on the rest of the section.
fn unite(
    parts: &mut [OutputSection],
    machine: &Machine,
    statement: &OutputStatement,
    header: Option<(u32, u64)>,
    text_is_written: Option<bool>,
) {
    let is_own = |part: &&OutputSection| !is_stated(part);
    let has_own = parts.iter().any(|part| is_own(&part));
    let counted = || parts.iter().filter(|part| !has_own || is_own(part));
    let mut flags = counted().fold(0, |all, part| all | part.sh_flags);
    let united = SHF_MERGE | SHF_STRINGS | SHF_LINK_ORDER | SHF_GROUP | SHF_INFO_LINK;
    let united = u64::from(united | machine.pure_code);
    let in_all = counted().fold(u64::MAX, |all, part| all & part.sh_flags);
    flags &= !united | in_all;
    let all_sizes = counted().map(|part| part.entsize).collect::<Vec<_>>();
    let is_one = all_sizes.windows(2).all(|pair| pair[0] == pair[1]);
    if !is_one {
        flags &= !u64::from(SHF_MERGE | SHF_STRINGS);
    }
    let is_nobits = parts.iter().all(|part| part.sh_type == SHT_NOBITS);
    let types = counted().map(|part| part.sh_type).filter(|&t| t != SHT_NOBITS);
    let special = types.clone().find(|&t| t != SHT_PROGBITS);
    let is_array = ARRAYS.contains(&&statement.name[..]);
    let all_special = types.clone().all(|t| Some(t) == special);
    let mut sh_type = match special {
        _ if is_nobits => SHT_NOBITS,
        Some(special) if all_special || is_array => special,
        _ => SHT_PROGBITS,
    };
    // GNU ld's rule: the first input decides on `sh_link` for all.
    let linked_to = counted().next().and_then(|part| part.linked_to);
    if let Some((stated_type, stated_flags)) = header {
        let own = u64::from(SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR | SHF_TLS | SHF_LINK_ORDER);
        flags = flags & !own | stated_flags | linked_to.map_or(0, |_| SHF_LINK_ORDER.into());
        sh_type = stated_type;
    }
    if let Some(text_is_written) = text_is_written {
        flags &= !u64::from(SHF_WRITE);
        flags |= if text_is_written { u64::from(SHF_WRITE) } else { 0 };
    }
    match statement.kind {
        _ if header.is_some() => {}
        SectionKind::NoLoad => sh_type = SHT_NOBITS,
        SectionKind::Unallocated => flags &= !u64::from(SHF_ALLOC),
        SectionKind::ReadOnly => flags &= !u64::from(SHF_WRITE),
        SectionKind::Plain => {}
    }
    let is_array = matches!(sh_type, SHT_INIT_ARRAY | SHT_FINI_ARRAY | SHT_PREINIT_ARRAY);
    for part in parts {
        if header.is_some() && part.kind().is_none() && flags & u64::from(SHF_MERGE) == 0 {
            // Only tables that the linker knows keep an entry size, as with GNU ld.
            part.entsize = 0;
        }
        if !is_one {
            part.entsize = 0;
        }
        if header.is_some() && is_array {
            part.entsize = machine.class.word_size() as u64;
        }
        if header.is_some() {
            part.linked_to = linked_to;
        }
        (part.sh_type, part.sh_flags) = (sh_type, flags);
        part.name.clone_from(&statement.name);
    }
}
