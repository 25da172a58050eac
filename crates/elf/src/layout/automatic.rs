//! The layout without a script, as items: one output section after the other, and a step of the
//! location counter where a segment begins.
//!
//! Which sections share a segment follows from their order and flags alone
//! ([`segments::plan`](super::segments::plan)), so that the list is known before any address is.

use super::items::{BodyPart, Heading, Item, Layout, SegmentStart};
use super::output_sections::{OutputSection, OutputSections};
use super::segments::{AddressRules, Segment};
use crate::args::SeparateCode;
use crate::script::statements::{OutputStatement, Place};
use object::elf::*;
use std::sync::Arc;

/// The items of sorted `outputs` with these segments; `headers` is where the file header and the
/// program headers are in memory.
pub fn layout(
    outputs: &OutputSections,
    segments: &[Segment],
    rules: &AddressRules,
    headers: std::ops::Range<u64>,
) -> Layout {
    let sections = &outputs.sections;
    let mut items = vec![Item::Segment(SegmentStart::Headers(headers))];
    let mut previous_exec = None;
    let mut next = 0;
    for segment in segments.iter().filter(|segment| segment.p_type == PT_LOAD) {
        if !segment.has_headers {
            let covered = &sections[segment.sections.clone()];
            items.push(Item::Segment(start(covered, segment, rules, previous_exec)));
        }
        previous_exec = Some(segment.p_flags & PF_X != 0);
        next = segment.sections.end.max(next);
        items.extend(segment.sections.clone().map(Item::Heading));
    }
    // What is not loaded follows.
    items.extend((next..sections.len()).map(Item::Heading));
    Layout { items, headings: headings(outputs), is_automatic: true, ..Layout::default() }
}

/// An output section of each, in order.
pub fn headings(outputs: &OutputSections) -> Vec<Heading> {
    let place = Place { script: Arc::from(""), line: 0 };
    let sections = outputs.sections.iter().enumerate();
    sections.map(|(at, section)| heading(at, section, &place)).collect()
}

/// An output section that is one part.
fn heading(at: usize, section: &OutputSection, place: &Place) -> Heading {
    Heading {
        statement: OutputStatement::new(section.name.clone(), place.clone()),
        body: vec![BodyPart::Part(at)],
        may_vanish: false,
        is_mentioned: false,
        load_region: None,
        head: Some(at),
    }
}

/// How a segment begins, behind one of code or not.
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
    // Under `-n` the file has no padding, but what differs in permissions still needs pages of its
    // own in memory.
    let is_apart = match rules.separate {
        _ if rules.nmagic => false,
        SeparateCode::None => false,
        SeparateCode::Code => is_exec || previous_exec == Some(true),
        SeparateCode::Loadable => true,
    };
    // Sections aligned beyond a page need the same remainder in the file.
    SegmentStart::Page { page: rules.page, is_apart, align: first_align, modulus: page }
}
