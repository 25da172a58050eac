//! `-r` with a script that lays out the output: the output sections and the content of each.
//!
//! The script's statements take sections, and the location counter walks through them as in a link
//! with addresses. The results are then made relative to sections again: offsets of inputs and of
//! assigned symbols. Members of section groups are left to their groups (GNU ld's
//! `unique_section_p`), except those that the script discards.

use super::groups::Groups;
use super::is_copied;
use crate::args::Options;
use crate::args::assignments::Assignment;
use crate::check::address_checks;
use crate::format::encoding::Encoding;
use crate::layout::deletions::Deletions;
use crate::layout::input_offsets::{Inputs, PartPlacing};
use crate::layout::items::Layout;
use crate::layout::order::Order;
use crate::layout::output_sections::{Content, OutputSection, StatedId, Synthetic};
use crate::layout::walk::{Assigned, Environment, MAX_ROUNDS, Symbols, UNSETTLED, Walk};
use crate::layout::{
    OutputSections, address_segments, arrange, collect, empty_sections, input_offsets,
};
use crate::read::Objects;
use crate::read::candidates::Candidates;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::{Definitions, SectionId, Strength, attr};
use crate::resolve::linker_symbols;
use crate::resolve::outputs::scripted::{self, Scripted};
use crate::resolve::referent::ValueBase;
use crate::resolve::tables::Tables;
use crate::script::section_names::OutputId;
use crate::select::liveness::Liveness;
use crate::select::marker::LIVE;
use crate::select::merge::MergedSections;
use object::elf::SHF_ALLOC;
use skald_core::diag::{Diag, Failed, WHOLE_LINK};
use skald_core::ids::{Column, IdSlice};
use std::sync::atomic::{AtomicU64, Ordering};

/// The statements of a script, with the sections that they take.
#[derive(Debug)]
pub struct ScriptedJoin {
    /// The layout's statements.
    pub scripted: Scripted,
    /// Output section names, by id.
    pub names: Column<OutputId, Vec<u8>>,
}

impl ScriptedJoin {
    /// Lets the statements of scripts take sections; `None` if no script lays out the output.
    pub fn new(
        options: &Options,
        candidates: &Candidates,
        objects: &Objects,
        definitions: &mut Definitions,
        diag: &Diag,
    ) -> Option<ScriptedJoin> {
        let script = scripted::script(options, candidates, diag)?;
        for section in &mut definitions.sections {
            // Merging is left to the final link.
            section.flags.0 &= !SectionFlags::MERGE;
        }
        let (names, scripted) =
            scripted::assign(script, candidates, objects, definitions, options, diag);
        Some(ScriptedJoin { scripted, names })
    }

    /// Whether the script discards sections of the linker that have this name.
    pub fn discards(&self, name: &[u8]) -> bool {
        let rule = self.scripted.rule_of_own(name, u64::from(SHF_ALLOC));
        rule.is_some_and(|rule| self.scripted.discards(rule))
    }
}

/// The content of a script's output sections, in order.
pub enum Piece {
    /// An input section at this offset.
    Input(SectionId, u64),
    /// `size` bytes from `start` on: the repeated `pattern`, or the machine's padding if that is
    /// empty.
    Stretch {
        /// Offset in the output section.
        start: u64,
        /// Bytes that the pattern fills.
        size: u64,
        /// The pattern that is repeated.
        pattern: Vec<u8>,
    },
}

/// The output sections of a script.
pub struct LaidOut {
    /// Without addresses of their own: a position in `heads` is that of the output.
    pub outputs: OutputSections,
    /// By number of an assignment: the value in a section of the output, by position in
    /// `outputs.heads`, or an absolute one. `None` for assignments that do not take effect.
    pub values: Vec<Option<(u64, Option<usize>)>>,
    stated: Column<StatedId, Vec<u8>>,
    addresses: Column<SectionId, AtomicU64>,
}

/// A layout while the location counter walks through it.
struct Laying<'a> {
    tables: &'a Tables<'a>,
    /// By number of an assignment: the symbol's name, `None` if the assignment does not take
    /// effect.
    assigned: &'a [Option<&'a [u8]>],
    laid_out: LaidOut,
    layout: Layout,
    walk: Walk,
}

/// Lays out the output by the script of `join`.
pub fn lay_out(
    tables: &Tables<'_>,
    join: &ScriptedJoin,
    live: &Liveness,
    groups: &Groups,
    assigned: &[Assignment],
) -> Result<LaidOut, Failed> {
    let Tables { options, objects, definitions, .. } = *tables;
    let own = Liveness { live: Column::zeroed(live.live.len()), ..Liveness::default() };
    for (id, section) in definitions.sections.with_ids() {
        let is_own = live.is_live(id)
            && is_copied(section, options)
            && section.out.is_some()
            && !groups.of_section.contains_key(&id);
        own.live[id].store(if is_own { LIVE } else { 0 }, Ordering::Relaxed);
    }
    let order = Order {
        arrangement: &options.arrangement,
        list: None,
        files: Column::new(),
        ranks: Column::new(),
    };
    let (merged, deletions) = (MergedSections::default(), Deletions::default());
    let sorting =
        collect::Sorting { machine: options.machine, order: &order, scripted: &join.scripted };
    let names = join.names.clone();
    let mut outputs = collect::collect(definitions, objects, &own, &merged, names, sorting);
    // Sections without bytes stay, because relocations may refer to them.
    outputs.empty = Default::default();
    let (layout, stated) = arrange::arrange(&mut outputs, &join.scripted, options);
    let addresses = Column::zeroed(definitions.sections.len());
    let inputs =
        Inputs { definitions, merged: &merged, deletions: &deletions, addresses: &addresses };
    input_offsets::place_sections(&mut outputs, inputs, None);
    let provided = linker_symbols::provided(definitions, tables.extraction, assigned);
    let assigned: Vec<Option<&[u8]>> = assigned
        .iter()
        .zip(provided)
        .map(|(assignment, is_provided)| {
            (!assignment.provide || is_provided).then_some(&assignment.name[..])
        })
        .collect();
    let laid_out = LaidOut { outputs, values: Vec::new(), stated, addresses };
    let walk = Walk::default();
    let mut laying = Laying { tables, assigned: &assigned, laid_out, layout, walk };
    laying.settle()?;
    Ok(laying.finish())
}

impl Laying<'_> {
    fn settle(&mut self) -> Result<(), Failed> {
        let diag = self.tables.diag;
        if !self.layout.is_automatic || self.layout.headings.iter().any(|heading| heading.is_hollow)
        {
            self.walk_once(false);
            empty_sections::drop_empty(&mut self.laid_out.outputs, &mut self.layout);
        }
        let settles = (0..MAX_ROUNDS).any(|_| !self.walk_once(false));
        if !settles {
            diag.error(WHOLE_LINK, UNSETTLED);
            return diag.checkpoint();
        }
        self.walk_once(true);
        address_checks::report(&self.walk.problems, self.tables.options, diag);
        diag.checkpoint()
    }

    fn walk_once(&mut self, is_final: bool) -> bool {
        let &Tables { options, definitions, .. } = self.tables;
        let LaidOut { outputs, stated, addresses, .. } = &mut self.laid_out;
        let addresses = &*addresses;
        let (merged, deletions) = (MergedSections::default(), Deletions::default());
        let symbols = JoinedSymbols { tables: self.tables, addresses };
        let environment = Environment {
            assigned: self.assigned,
            symbols: &symbols,
            starts: &options.section_start,
            segment_starts: options.segment_starts(),
            page: options.max_page_size(),
            relro_page: options.max_page_size(),
            common_page: options.common_page_size(),
            // There are no program headers.
            header_size: address_segments::header_size(Encoding::of(options.machine), 0),
            // Nothing is loaded, so no memory region has to have room.
            relro: false,
            checks: false,
            inputs: Some(PartPlacing {
                inputs: Inputs { definitions, merged: &merged, deletions: &deletions, addresses },
                keeps_whole: false,
            }),
        };
        let has_changed = self.walk.go(&self.layout, outputs, stated, &environment, is_final);
        input_offsets::add_output_addresses(outputs, &merged, addresses);
        has_changed
    }

    fn finish(mut self) -> LaidOut {
        let value = |assigned: &Assigned| {
            let placed = assigned.heading.and_then(|heading| {
                let start = self.walk.places[heading].address;
                let head = self.layout.headings[heading].head?;
                Some((assigned.address.wrapping_sub(start), Some(head)))
            });
            placed.unwrap_or((assigned.address, None))
        };
        let values = self.walk.values.iter().map(|found| found.as_ref().map(value));
        self.laid_out.values = values.collect();
        self.laid_out
    }
}

/// The symbols that objects define, at the current offsets of sections.
struct JoinedSymbols<'a> {
    tables: &'a Tables<'a>,
    addresses: &'a IdSlice<SectionId, AtomicU64>,
}

impl Symbols for JoinedSymbols<'_> {
    fn value(&self, name: &[u8]) -> Option<(u64, bool)> {
        let &Tables { extraction, objects, definitions, .. } = self.tables;
        let id = extraction.names.find_text(name)?;
        let rank = definitions.ranks[id];
        if rank.strength() > Strength::Weak {
            return None;
        }
        let global = definitions.globals[id];
        let value = objects[rank.object()].mapped.symbols[rank.symbol()].st_value();
        if global.has(attr::ABSOLUTE) || global.value_base == ValueBase::ABSOLUTE {
            return Some((value, true));
        }
        let address = self.addresses[global.value_base.section()?].load(Ordering::Relaxed);
        Some((address.wrapping_add(value), false))
    }

    fn is_defined(&self, name: &[u8]) -> bool {
        self.value(name).is_some()
    }
}

impl LaidOut {
    /// The content under the header at `head`, without gaps or overlaps.
    pub fn pieces(&self, head: usize, sections: &Column<SectionId, InputSection>) -> Vec<Piece> {
        let head = &self.outputs.heads[head];
        let start = head.address;
        let mut pieces = Pieces { list: Vec::new(), end: 0 };
        for part in &self.outputs.sections[head.parts.clone()] {
            let at = part.address.wrapping_sub(start);
            match &part.content {
                Content::Inputs { sections: inputs, .. } => {
                    for (number, &id) in inputs.iter().enumerate() {
                        let address = self.addresses[id].load(Ordering::Relaxed);
                        let offset = address.wrapping_sub(start);
                        if number == 0 || !part.fill.is_empty() {
                            pieces.fill_to(offset, &part.fill);
                        }
                        pieces.list.push(Piece::Input(id, offset));
                        pieces.end = offset.saturating_add(sections[id].size);
                    }
                    pieces.fill_to(at.saturating_add(part.size), &part.fill);
                }
                Content::Synthetic(Synthetic::Stated(stated)) => {
                    pieces.fill_to(at, &part.fill);
                    let stated = self.stated.get(*stated).map_or(&[][..], |bytes| bytes);
                    pieces.stretch(at, part.size, stated);
                }
                Content::Synthetic(_) => {}
            }
        }
        pieces.fill_to(head.size, &[]);
        pieces.list
    }

    /// The output section that SHF_LINK_ORDER of `part` refers to, by position in `outputs.heads`.
    pub fn linked(&self, part: &OutputSection) -> Option<usize> {
        let header = self.outputs.header_of_id[part.linked_to?].get()?;
        Some(header.index() - 1)
    }

    /// For each header, its first part.
    pub fn first_parts(&self) -> impl Iterator<Item = &OutputSection> {
        self.outputs.heads.iter().map(|head| &self.outputs.sections[head.parts.start])
    }
}

/// Pieces of an output section while they are listed.
struct Pieces {
    list: Vec<Piece>,
    end: u64,
}

impl Pieces {
    fn fill_to(&mut self, offset: u64, pattern: &[u8]) {
        if offset > self.end {
            self.stretch(self.end, offset - self.end, pattern);
        }
    }

    fn stretch(&mut self, start: u64, size: u64, pattern: &[u8]) {
        if size != 0 {
            self.list.push(Piece::Stretch { start, size, pattern: pattern.to_vec() });
        }
        self.end = start.saturating_add(size);
    }
}
