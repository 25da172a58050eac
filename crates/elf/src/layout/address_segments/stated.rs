//! The program headers that `PHDRS` lists, without any others.

use super::{Covering, flags_of};
use crate::layout::items::{Heading, Layout};
use crate::layout::output_sections::OutputSections;
use crate::layout::segments::{AddressRules, Segment};
use crate::layout::walk::HeaderValues;
use crate::script::statements::{ProgramHeader, SectionKind};
use object::elf::*;

/// The segments; an output section that names none is in those of the section before it.
pub fn plan(
    outputs: &OutputSections,
    layout: &Layout,
    (headers, values): (&[ProgramHeader], &[HeaderValues]),
    rules: &AddressRules,
) -> Vec<Covering> {
    let order: Vec<&Heading> = layout.order().map(|at| &layout.headings[at]).collect();
    let segments = headers.iter().zip(values);
    segments.map(|(header, values)| segment(outputs, &order, header, values, rules)).collect()
}

fn segment(
    outputs: &OutputSections,
    order: &[&Heading],
    header: &ProgramHeader,
    values: &HeaderValues,
    rules: &AddressRules,
) -> Covering {
    let heads: Vec<usize> = members(outputs, order, header, values.p_type).collect();
    let own = match values.p_type {
        PT_GNU_STACK => rules.stack_flags.unwrap_or(PF_R | PF_W),
        PT_PHDR => PF_R,
        _ => flags_of(outputs, &heads, rules),
    };
    let flags = values.p_flags.unwrap_or(own);
    let mut covering = Covering::new(values.p_type, flags, outputs, heads);
    let first = covering.heads.first().map(|&head| &outputs.heads[head]);
    let load_address = first.map_or(0, |head| head.load_address);
    covering.segment = Segment {
        has_headers: header.has_file_header || header.has_program_headers,
        address: first.map_or(0, |head| head.address),
        align: if first.is_none() { 8 } else { covering.segment.align },
        physical_address: values.load_address.unwrap_or(load_address),
        ..covering.segment
    };
    covering
}

/// The section headers of the output sections that are in a segment.
fn members<'a>(
    outputs: &'a OutputSections,
    order: &'a [&'a Heading],
    header: &'a ProgramHeader,
    p_type: u32,
) -> impl Iterator<Item = usize> + 'a {
    // Output sections before the first that names a segment are in that one's segments.
    let named = order.iter().find(|heading| !heading.statement.segments.is_empty());
    let mut last: &[Vec<u8>] = named.map_or(&[], |heading| &heading.statement.segments);
    order.iter().filter_map(move |heading| {
        let own = &heading.statement.segments;
        if !own.is_empty() {
            last = own;
        }
        let head = heading.head?;
        let is_loaded = outputs.sections[outputs.heads[head].parts.start].is_loaded();
        let is_implied =
            heading.statement.kind != SectionKind::NoLoad && p_type != PT_INTERP && is_loaded;
        (last.contains(&header.name) && (!own.is_empty() || is_implied)).then_some(head)
    })
}
