//! A digest of the inputs of the debug file (`--separate-debug-file`). A build id identifies the
//! program and its debug file, and the program has its name before the debug file is begun.
//!
//! Programs with the same code have different debug information as soon as a line is added to a
//! source. If their build ids were equal, a store of debug files would have one file for both. So
//! the bytes of inputs that make the debug file are hashed as they are: relocations are not
//! applied, and strings not merged. The result of those steps follows from the program, except for
//! an offset into another debug section that shows nowhere else.

use super::content::Writer;
use super::debug_file::{is_debug_name, zeros};
use super::debug_index::source::live_sections;
use super::parts::{Part, PartContent};
use crate::resolve::definitions::SectionId;
use skald_core::digest::{SpanDigest, span_digest};
use skald_core::par::prelude::*;

/// Bytes that are read at once.
const WINDOW: usize = 256 << 10;

/// The digests of content that only the debug file has: debug sections of inputs, and symbols with
/// their names, of all `parts` of the whole file.
pub fn digests(writer: &Writer<'_>, parts: &[Part]) -> Vec<u128> {
    let outputs = writer.image.outputs;
    let is_wanted = |out| outputs.of(out).is_some_and(|s| !s.is_loaded() && is_debug_name(&s.name));
    let sections = live_sections(writer.image, is_wanted);
    let of_sections = sections.par_iter().map(|&id| of_section(writer, id));
    let mut digests: Vec<u128> = of_sections.collect();
    let symbols: Vec<&Part> = parts.iter().filter(|part| has_symbols(&part.what)).collect();
    let of_symbols = symbols.par_iter().with_max_len(1).map(|part| {
        let mut bytes = zeros(part.size);
        writer.fill(part, &mut bytes);
        span_digest(&bytes)
    });
    digests.extend(of_symbols.collect::<Vec<_>>());
    digests
}

fn of_section(writer: &Writer<'_>, id: SectionId) -> u128 {
    let section = &writer.image.definitions.sections[id];
    let object = &writer.image.objects[section.object];
    object.at_work();
    let bytes = match object.compressed(section) {
        Some(compressed) => compressed.stream(),
        None => object.bytes(section),
    };
    let mut digest = SpanDigest::new();
    let mut buffer = vec![0; bytes.len().min(WINDOW)];
    for window in bytes.chunks(WINDOW) {
        let out = &mut buffer[..window.len()];
        object.copy(window, out);
        digest.update(out);
    }
    digest.finish()
}

fn has_symbols(what: &PartContent) -> bool {
    matches!(
        what,
        PartContent::FirstSymbols
            | PartContent::LocalSymbols(_)
            | PartContent::GlobalSymbols(_)
            | PartContent::LastSymbols
            | PartContent::Strings(_)
            | PartContent::LastStrings
    )
}
