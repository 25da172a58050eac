//! Limits of ELF on program headers, addresses and file sizes: inputs may ask for more than an
//! output can have.

use super::{Content, OutputSection, OutputSections, Segment, file_size, segments};
use crate::read::ObjectId;
use crate::resolve::tables::Tables;
use object::elf::SHT_NOBITS;
use skald_core::diag::{Failed, WHOLE_LINK};

/// With more, `e_phnum` would be PN_XNUM, which loaders do not support.
const MAX_SEGMENTS: usize = 0xfffe;

/// Fails if there are more program headers than `e_phnum` counts.
pub fn check_segments(tables: &Tables<'_>, segments: &[Segment]) -> Result<(), Failed> {
    let count = segments.len();
    if count > MAX_SEGMENTS {
        let text = format!("{count} program headers, of which ELF counts {MAX_SEGMENTS}");
        tables.diag.error(WHOLE_LINK, text);
    }
    tables.diag.checkpoint()
}

/// Fails if the inputs need more than 64-bit addresses and file offsets can count, or if their
/// names (`symbol_strings` bytes) exceed the range of `st_name`.
pub fn check_addresses(
    tables: &Tables<'_>,
    outputs: &OutputSections,
    symbol_strings: u64,
) -> Result<(), Failed> {
    if let Some(section) = segments::overflowing(outputs) {
        let name = String::from_utf8_lossy(&section.name);
        let from = largest_input(tables, section).map_or(String::new(), |(object, size)| {
            format!(", of which {size:#x} are from {}", tables.object_name(object))
        });
        let text = format!(
            "section {name} does not fit the address space: {:#x} bytes at {:#x}{from}",
            section.size, section.address
        );
        tables.diag.error(WHOLE_LINK, text);
    }
    if symbol_strings > u64::from(u32::MAX) {
        tables.diag.error((0, 1), "names of symbols exceed 4 GiB; --strip-all leaves them out");
    }
    tables.diag.checkpoint()
}

/// Fails if most of a file of `size` bytes would be padding.
pub fn check_file_size(
    tables: &Tables<'_>,
    outputs: &OutputSections,
    size: u64,
    page: u64,
) -> Result<(), Failed> {
    let &Tables { objects, candidates, definitions, diag, .. } = tables;
    if !file_size::is_absurd(size, objects) {
        return Ok(());
    }
    let in_file = outputs.sections.iter().filter(|s| s.sh_type != SHT_NOBITS);
    let records = in_file.flat_map(|output| match &output.content {
        Content::Inputs { sections, .. } => sections.as_slice(),
        Content::Synthetic(_) => &[],
    });
    let records = records.map(|&id| &definitions.sections[id]);
    diag.error(WHOLE_LINK, file_size::complaint(size, page, objects, candidates, records));
    diag.checkpoint()
}

/// Object and size of the largest input section of an output section.
fn largest_input(tables: &Tables<'_>, output: &OutputSection) -> Option<(ObjectId, u64)> {
    let Content::Inputs { sections, .. } = &output.content else { return None };
    let records = sections.iter().map(|&id| &tables.definitions.sections[id]);
    let largest = records.rev().max_by_key(|record| record.size)?;
    Some((largest.object, largest.size))
}
