//! An automatic layout: where sections are placed that a statement names, where those that none
//! names, and where segments begin, as items between the sections.
//!
//! A section is placed at the statement of its name if it is of the kind of that place, and
//! otherwise with sections like it. Which sections share a segment follows from their order and
//! flags alone ([`segments::plan`](super::segments::plan)), so the items are known before any
//! address.

use super::items::{Heading, Item, Layout, SegmentStart};
use super::output_sections::{Content, OutputSection, OutputSections, SectionHeader, Synthetic};
use super::segments::{AddressRules, Segment, is_relro_memory};
use crate::args::SeparateCode;
use crate::resolve::outputs::scripted::Scripted;
use crate::script::matcher::RuleId;
use crate::script::statements::{
    Condition, OutputStatement, Place, SectionKind, Zone, section_types,
};
use object::elf::*;
use skald_core::ids::Column;
use skald_core::unordered::UnorderedMap;
use std::sync::Arc;

/// The kind of a section, by its type and flags alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unloaded,
    ReadOnly,
    LargeReadOnly,
    Code,
    LargeCode,
    Writable,
}

impl Kind {
    fn of(section: &OutputSection) -> Kind {
        let has = |flag: u32| section.sh_flags & u64::from(flag) != 0;
        match (has(SHF_EXECINSTR), section.is_large) {
            _ if !has(SHF_ALLOC) => Kind::Unloaded,
            _ if has(SHF_WRITE) => Kind::Writable,
            (true, true) => Kind::LargeCode,
            (true, false) => Kind::Code,
            (false, true) => Kind::LargeReadOnly,
            (false, false) => Kind::ReadOnly,
        }
    }

    /// The kind of sections in a zone.
    fn in_zone(zone: Zone) -> Kind {
        match zone {
            Zone::Head | Zone::ReadOnly | Zone::LateReadOnly => Kind::ReadOnly,
            Zone::LargeCode => Kind::LargeCode,
            Zone::LargeReadOnly => Kind::LargeReadOnly,
            Zone::Code => Kind::Code,
            Zone::Relro | Zone::Data | Zone::LargeData => Kind::Writable,
            Zone::Unloaded => Kind::Unloaded,
        }
    }
}

impl Condition {
    fn holds_for(&self, section: &OutputSection) -> bool {
        let sh_type = section_types::bit(section.sh_type);
        section.sh_flags & self.with_flags == self.with_flags
            && section.sh_flags & self.without_flags == 0
            && (self.types == 0 || self.types & sh_type != 0)
            && self.without_types & sh_type == 0
            && self.is_large.is_none_or(|is_large| is_large == section.is_large)
            && section.align >= self.least_align
    }
}

/// Where a part of an automatic layout is placed.
pub enum PartPlace {
    /// In the statement of input sections that takes it.
    Rule(RuleId),
    /// In the script's output section at this position, though no statement in it takes the part.
    Guest(usize),
}

/// The output sections of an automatic layout as places for parts.
pub struct Places<'a> {
    scripted: &'a Scripted,
    outputs: Vec<&'a OutputStatement>,
    output_of: Column<RuleId, usize>,
    /// The first output section of each name.
    named: UnorderedMap<&'a [u8], usize>,
    /// By output section: the next one with the same name.
    next: Vec<Option<usize>>,
    rest: Vec<usize>,
}

impl<'a> Places<'a> {
    /// The places of a layout.
    pub fn new(scripted: &'a Scripted) -> Places<'a> {
        let outputs: Vec<_> = scripted.script.outputs().collect();
        let mut named: UnorderedMap<&[u8], usize> = UnorderedMap::new();
        named.reserve(outputs.len());
        let mut next = vec![None; outputs.len()];
        let mut rest = Vec::new();
        for (at, output) in outputs.iter().enumerate().rev() {
            if output.is_rest() { rest.push(at) } else { next[at] = named.insert(&output.name, at) }
        }
        rest.reverse();
        let output_of = scripted.script.inputs().map(|(at, _)| at).collect();
        Places { scripted, outputs, output_of, named, next, rest }
    }

    /// How many output sections the script names.
    pub fn output_count(&self) -> usize {
        self.outputs.len()
    }

    /// Finds where a part is placed and sets its zone. `None` if there is no place for its kind.
    pub fn stand(&self, part: &mut OutputSection) -> Option<PartPlace> {
        let rule = self.rule_of(part);
        let is_own = part.kind().is_some();
        let fits = |&at: &usize| fits(self.outputs[at], part, is_own);
        let named = rule.and_then(|rule| {
            let own = self.output_of[rule];
            let name = &self.outputs[own].name[..];
            if name == b"/DISCARD/" {
                return Some(own);
            }
            let first = self.named.get(name).copied();
            std::iter::successors(first, |&at| self.next[at]).find(fits)
        });
        let at = named.or_else(|| self.rest_for(part));
        part.zone = match at {
            Some(at) => self.outputs[at].zone.unwrap_or(Zone::Unloaded),
            None => usual_zone(part),
        };
        let at = at?;
        let own = rule.filter(|&rule| self.output_of[rule] == at);
        Some(own.map_or(PartPlace::Guest(at), PartPlace::Rule))
    }

    /// The output section of the script, by position, that a statement of input sections is in.
    pub fn output_of(&self, rule: RuleId) -> usize {
        self.output_of[rule]
    }

    /// The output section of the script at a position.
    pub fn statement(&self, output: usize) -> &'a OutputStatement {
        self.outputs[output]
    }

    /// Position of the first output section with this name.
    pub fn first_named(&self, name: &[u8]) -> Option<usize> {
        self.named.get(name).copied()
    }

    /// Position of the output section for parts of this kind that no statement names.
    pub fn rest_for(&self, part: &OutputSection) -> Option<usize> {
        self.rest.iter().copied().find(|&at| fits_rest(self.outputs[at], part))
    }

    /// Whether a part can be placed in the output section at a position.
    pub fn fits(&self, output: usize, part: &OutputSection) -> bool {
        fits(self.outputs[output], part, part.kind().is_some())
    }

    /// The statement of input sections that takes a part, wherever the part is placed.
    pub fn rule_of(&self, part: &OutputSection) -> Option<RuleId> {
        match part.content {
            Content::Inputs { out, .. } => self.scripted.rule_at(out),
            Content::Synthetic(Synthetic::EmitRelocs(_) | Synthetic::Compressed(_)) => None,
            Content::Synthetic(_) => self.scripted.rule_of_own(&part.name, part.sh_flags),
        }
    }
}

/// Whether a section can be placed where a statement names it.
fn fits(statement: &OutputStatement, section: &OutputSection, is_own: bool) -> bool {
    if statement.kind == SectionKind::Unallocated {
        // Sections that this statement takes are not loaded and fit any place.
        return true;
    }
    let only_if = &statement.only_if;
    let is_note = section.sh_type == SHT_NOTE;
    let is_tls = section.sh_flags & u64::from(SHF_TLS) != 0;
    // Notes stay together, and so does the template of thread-local storage.
    let is_among = is_own
        || (!is_note || only_if.types & section_types::NOTE != 0)
            && (!is_tls || only_if.with_flags & u64::from(SHF_TLS) != 0);
    is_among && fits_rest(statement, section)
}

/// Whether a section is of the kind that a place is for, and satisfies the place's condition.
fn fits_rest(statement: &OutputStatement, section: &OutputSection) -> bool {
    statement.zone.is_some_and(|zone| Kind::in_zone(zone) == Kind::of(section))
        && statement.only_if.holds_for(section)
}

/// The zone of a section for which there is no place.
fn usual_zone(section: &OutputSection) -> Zone {
    match Kind::of(section) {
        Kind::Unloaded => Zone::Unloaded,
        Kind::ReadOnly => Zone::ReadOnly,
        Kind::LargeReadOnly => Zone::LargeReadOnly,
        Kind::Code => Zone::Code,
        Kind::LargeCode => Zone::LargeCode,
        Kind::Writable if section.is_large => Zone::LargeData,
        Kind::Writable => Zone::Data,
    }
}

/// Padding up to the end of the last page that the loader makes read-only, if there is one.
pub fn relro_padding(
    parts: &mut [Option<OutputSection>],
    places: &Places<'_>,
) -> Option<OutputSection> {
    let is_protected = |part: &mut OutputSection| {
        places.stand(part);
        is_relro_memory(part)
    };
    let has_any = parts.iter_mut().flatten().any(is_protected);
    has_any.then(|| OutputSection::made(Synthetic::RelroPadding, RELRO_PADDING, 0))
}

/// The header of `.relro_padding`, which gets its size with its address. As a section it keeps the
/// end of the page when tools rewrite the file.
const RELRO_PADDING: SectionHeader = SectionHeader {
    name: b".relro_padding",
    sh_type: SHT_NOBITS,
    sh_flags: SHF_ALLOC | SHF_WRITE,
    align: 1,
    entsize: 0,
    link: None,
};

/// Determines before which sections of sorted `outputs` these segments begin; `headers` are the
/// addresses of the file header and the program headers.
pub fn begin_segments(
    layout: &mut Layout,
    outputs: &OutputSections,
    segments: &[Segment],
    rules: &AddressRules,
    headers: std::ops::Range<u64>,
) {
    let mut starts = vec![None; outputs.sections.len()];
    let mut previous_exec = None;
    for segment in segments.iter().filter(|segment| segment.p_type == PT_LOAD) {
        if !segment.has_headers {
            let covered = &outputs.sections[segment.sections.clone()];
            starts[segment.sections.start] = Some(start(covered, segment, rules, previous_exec));
        }
        previous_exec = Some(segment.p_flags & PF_X != 0);
    }
    let items = std::mem::take(&mut layout.items);
    layout.items.push(Item::Segment(SegmentStart::Headers(headers)));
    for item in items {
        if let Item::Heading(at) = item {
            let parts = layout.headings[at].parts();
            let begins = parts.and_then(|parts| starts[parts.start].take());
            layout.items.extend(begins.map(Item::Segment));
        }
        layout.items.push(item);
    }
}

/// A heading for each output section, in order.
pub fn headings(outputs: &OutputSections) -> Vec<Heading> {
    let place = Place { script: Arc::from(""), line: 0 };
    let sections = outputs.sections.iter().enumerate();
    sections.map(|(at, section)| heading(at, section, &place)).collect()
}

/// The heading of an output section that consists of one part.
fn heading(at: usize, section: &OutputSection, place: &Place) -> Heading {
    let statement = OutputStatement::new(section.name.clone(), place.clone());
    Heading { head: Some(at), ..Heading::of_part(Arc::new(statement), at) }
}

/// How a segment that covers `covered` begins; `previous_exec`: the segment before it holds code.
fn start(
    covered: &[OutputSection],
    segment: &Segment,
    rules: &AddressRules,
    previous_exec: Option<bool>,
) -> SegmentStart {
    let greatest = covered.iter().map(|s| s.align).max().unwrap_or(1);
    let first_align = covered.first().map_or(1, |s| s.align);
    let page = rules.page.max(greatest);
    if let Some(address) = covered.first().and_then(|first| rules.fixed_address(first)) {
        let modulus = if rules.omagic || rules.nmagic { greatest } else { page };
        return SegmentStart::At { address, modulus };
    }
    if rules.omagic {
        return SegmentStart::Behind { align: first_align, modulus: greatest };
    }
    let is_exec = segment.p_flags & PF_X != 0;
    // Under `-n` the file has no padding, but different permissions still need different pages in
    // memory.
    let is_apart = match rules.separate {
        _ if rules.nmagic => false,
        SeparateCode::None => false,
        SeparateCode::Code => is_exec || previous_exec == Some(true),
        SeparateCode::Loadable => true,
    };
    // Sections aligned beyond a page need file offsets congruent to their addresses.
    SegmentStart::Page { page: rules.page, is_apart, align: first_align, modulus: page }
}
