//! `--compress-debug-sections` and `--compress-sections` with `-r`.
//!
//! Nothing depends on addresses here, so sections are built and compressed before the file is laid
//! out. Relocations still refer to the uncompressed bytes.

use super::parts::{self, PartInput};
use super::sections::JoinedSections;
use crate::args::Options;
use crate::layout::Content;
use crate::machine::Machine;
use crate::write::compress::{self, PackedSection};
use crate::write::content::Writer;
use skald_core::diag::Diag;

/// Compresses sections as the options ask.
pub fn compressed_sections(
    options: &Options,
    input: PartInput<'_>,
    writer: &Writer<'_>,
    diag: &Diag,
) -> Vec<PackedSection> {
    if !compress::is_asked(options) {
        return Vec::new();
    }
    let parts = |at: usize| Some(parts::of_section(input, at));
    compress::pack_inputs(writer.image.outputs, options, diag, parts, |part, out| {
        writer.fill(part, out)
    })
}

/// Replaces sections by their compressed forms.
pub fn replace(joined: &mut JoinedSections, packed: Vec<PackedSection>, machine: &Machine) {
    for PackedSection { at, .. } in &packed {
        if let Content::Inputs { sections, .. } = &mut joined.outputs.sections[*at].content {
            joined.compressed_inputs.push(std::mem::take(sections));
        }
    }
    joined.compressed = compress::put(&mut joined.outputs, packed, machine).packed;
}
