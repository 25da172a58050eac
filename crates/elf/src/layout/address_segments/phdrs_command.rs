//! The program headers that `PHDRS` lists, and that of the machine's attributes, as in GNU ld;
//! there are no others.

use super::{Covering, by_address, flags_of};
use crate::layout::items::{Heading, Layout};
use crate::layout::output_sections::OutputSections;
use crate::layout::segments::{AddressRules, Segment, single_segments};
use crate::layout::walk::HeaderValues;
use crate::script::statements::{ProgramHeader, SectionKind};
use object::elf::*;
use skald_core::unordered::UnorderedMap;

/// The segments. An output section that names none is in the segments of the section before it.
pub fn plan(
    outputs: &OutputSections,
    layout: &Layout,
    headers: &[ProgramHeader],
    values: &[HeaderValues],
    rules: &AddressRules,
) -> Vec<Covering> {
    let order: Vec<&Heading> = layout.order().map(|at| &layout.headings[at]).collect();
    let mut by_name: UnorderedMap<&[u8], Vec<usize>> = UnorderedMap::new();
    for (at, header) in headers.iter().enumerate() {
        by_name.entry(&header.name).or_default().push(at);
    }
    let types: Vec<u32> = values.iter().map(|values| values.p_type).collect();
    let mut heads = members(outputs, &order, &by_name, &types);
    // Addresses need not ascend in the order of the statements.
    heads.iter_mut().for_each(|heads| heads.sort_by_key(|&head| by_address(outputs, head)));
    let segments = headers.iter().zip(values).zip(heads);
    let segments =
        segments.map(|((header, values), heads)| segment(outputs, heads, header, values, rules));
    let mut segments: Vec<Covering> = segments.collect();
    let attributes = outputs.attribute_segments();
    let attributes: Vec<_> = attributes.filter(|(_, p_type)| !types.contains(p_type)).collect();
    segments.extend(single_segments(outputs, &attributes).into_iter().map(Covering::of));
    segments
}

fn segment(
    outputs: &OutputSections,
    heads: Vec<usize>,
    header: &ProgramHeader,
    values: &HeaderValues,
    rules: &AddressRules,
) -> Covering {
    let own = match values.p_type {
        PT_GNU_STACK => rules.stack_flags.unwrap_or(PF_R | PF_W),
        PT_PHDR => PF_R,
        _ => flags_of(outputs, &heads, rules),
    };
    let has_headers = header.has_file_header || header.has_program_headers;
    let own = if has_headers { own | PF_R } else { own };
    let flags = values.p_flags.unwrap_or(own);
    let mut covering = Covering::new(values.p_type, flags, outputs, heads);
    (covering.has_file_header, covering.has_program_headers) =
        (header.has_file_header, header.has_program_headers);
    covering.load_address = values.load_address;
    let first = covering.heads.first().map(|&head| &outputs.heads[head]);
    let load_address = first.map_or(0, |head| head.load_address);
    covering.segment = Segment {
        has_headers,
        address: first.map_or(0, |head| head.address),
        align: match first {
            None => rules.encoding.word_size() as u64,
            Some(_) => covering.segment.align,
        },
        physical_address: load_address,
        ..covering.segment
    };
    covering
}

/// By entry of `PHDRS`, the section headers of the output sections that are in its segment.
/// `by_name` are the entries with each name, `types` their `p_type`.
fn members(
    outputs: &OutputSections,
    order: &[&Heading],
    by_name: &UnorderedMap<&[u8], Vec<usize>>,
    types: &[u32],
) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); types.len()];
    // Output sections before the first that names a segment are in the segments of that one.
    let named = order.iter().find(|heading| !heading.statement.segments.is_empty());
    let mut last: &[Vec<u8>] = named.map_or(&[], |heading| &heading.statement.segments);
    for heading in order {
        let own = &heading.statement.segments;
        if !own.is_empty() {
            last = own;
        }
        let Some(head) = heading.head else { continue };
        let own_head = &outputs.heads[head];
        let is_loaded =
            outputs.sections[own_head.parts.start].is_loaded() && own_head.is_in_memory();
        let is_implied = heading.statement.kind != SectionKind::NoLoad && is_loaded;
        for &at in last.iter().flat_map(|name| by_name.get(&name[..])).flatten() {
            let is_empty = own_head.size == 0 && !is_loaded;
            let is_in = if own.is_empty() {
                is_implied && types[at] != PT_INTERP
            } else {
                types[at] != PT_LOAD || !is_empty
            };
            // A section may name the same segment twice.
            if is_in && members[at].last() != Some(&head) {
                members[at].push(head);
            }
        }
    }
    members
}
