//! Sections that `PHDRS` puts into a segment that cannot hold them. In a segment, sections are in
//! the file by load address and in memory by address. If the distance between a section's two
//! addresses is not that of its segment, the section is loaded somewhere else, or not at all. GNU
//! ld reports that it "can't be allocated in segment", and writes the output. It does the same for
//! sections that no segment loads.

use super::Covering;
use crate::layout::output_sections::{Head, OutputSections};
use object::elf::{PT_LOAD, SHF_TLS, SHT_NOBITS};
use skald_core::unordered::UnorderedSet;

/// Messages about such sections, in the order of segments and addresses, and about sections with
/// bytes that no segment loads.
pub fn messages(outputs: &OutputSections, segments: &[Covering]) -> Vec<String> {
    let is_load = |covering: &Covering| covering.segment.p_type == PT_LOAD;
    let loads = || segments.iter().filter(|covering| is_load(covering));
    // A section in several segments is loaded if one of them holds it.
    let is_held = |at: usize| {
        loads().any(|own| own.heads.contains(&at) && is_in(outputs, own, &outputs.heads[at]))
    };
    let mut messages = Vec::new();
    let numbered = (0..).zip(segments).filter(|(_, covering)| is_load(covering));
    for (number, covering) in numbered.filter(|(_, covering)| !take_turns(outputs, covering)) {
        for &at in covering.heads.iter().filter(|&&at| !is_held(at)) {
            let (head, segment) = (&outputs.heads[at], &covering.segment);
            let name = String::from_utf8_lossy(&outputs.sections[head.parts.start].name);
            messages.push(format!(
                "section {name} can't be allocated in segment {number}: it is at {:#x}, and at \
                 load address {:#x}; the segment at {:#x} and {:#x}",
                head.address, head.load_address, segment.address, segment.physical_address
            ));
        }
    }
    let loaded: UnorderedSet<usize> = loads().flat_map(|own| own.heads.iter().copied()).collect();
    for (at, head) in outputs.heads.iter().enumerate() {
        let first = &outputs.sections[head.parts.start];
        let has_bytes = first.sh_type != SHT_NOBITS && head.size != 0;
        if first.is_loaded() && has_bytes && !loaded.contains(&at) {
            let name = String::from_utf8_lossy(&first.name);
            messages.push(format!("allocated section `{name}' not in segment"));
        }
    }
    messages
}

/// Whether the segment has an overlay: its sections have one address.
fn take_turns(outputs: &OutputSections, covering: &Covering) -> bool {
    covering.heads.windows(2).any(|pair| {
        let [first, second] = [pair[0], pair[1]].map(|head| &outputs.heads[head]);
        first.address == second.address && first.size != 0 && second.size != 0
    })
}

fn is_in(outputs: &OutputSections, covering: &Covering, head: &Head) -> bool {
    let first = &outputs.sections[head.parts.start];
    let (segment, has_bytes) = (&covering.segment, first.sh_type != SHT_NOBITS);
    let is_template_zeros = !has_bytes && first.sh_flags & u64::from(SHF_TLS) != 0;
    let fits = |start: u64, from: u64, size: u64| {
        let distance = start.checked_sub(from);
        distance.is_some_and(|distance| size.checked_sub(distance) >= Some(head.size))
    };
    let in_file = !has_bytes || fits(head.file_offset, segment.file_offset, segment.file_size);
    let in_memory = fits(head.address, segment.address, segment.memory_size);
    head.size == 0 || is_template_zeros || in_file && in_memory
}
