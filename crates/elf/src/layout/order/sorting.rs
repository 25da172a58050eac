//! `--sort-section` and `--sort-common`: orders that follow from the sections themselves.
//!
//! GNU ld applies `--sort-section` to the wildcards of its script, so sections whose names the
//! script does not know keep their order. Here, without a script, it applies to sections with a
//! known output section. Sorted common symbols stand at the end of their section, as with
//! `*(COMMON)`.

use super::Inputs;
use crate::args::{Arrangement, SortCommon, SortSection};
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::SectionId;
use crate::script::section_names::OutputId;
use std::cmp::Reverse;

/// Sorts the inputs of the output section with id `out`, as the options say.
pub fn sort(
    arrangement: &Arrangement,
    out: OutputId,
    sections: &mut [SectionId],
    inputs: Inputs<'_>,
) {
    let align = |id: SectionId| inputs.definitions.sections[id].align_log2;
    let is_common = |id: SectionId| inputs.has(id, SectionFlags::COMMON);
    let in_wildcard = out.is_known();
    match arrangement.sort_section {
        SortSection::Name if in_wildcard => {
            sections.sort_by_key(|&id| (is_common(id), inputs.name(id)));
        }
        SortSection::Alignment if in_wildcard => {
            let key = |id: SectionId| if is_common(id) { u8::MAX } else { align(id) };
            sections.sort_by_key(|&id| (is_common(id), Reverse(key(id))));
        }
        _ => {}
    }
    match arrangement.sort_common {
        Some(_) if !sections.iter().any(|&id| is_common(id)) => {}
        Some(SortCommon::Descending) => {
            sections.sort_by_key(|&id| is_common(id).then(|| Reverse(align(id))));
        }
        Some(SortCommon::Ascending) => {
            sections.sort_by_key(|&id| is_common(id).then(|| align(id)));
        }
        None => {}
    }
}
