//! Refuses outputs that are absurdly large for their inputs.
//!
//! Bytes of the inputs and what is made of them bound most of an output. Padding is not bound
//! (sections and pages with great alignments), nor are zero-filled input sections in output
//! sections that have bytes: a few numbers in a small file could ask for all of the disk. Large
//! gaps stay holes of the file (see [`skald_linking::spans`]), so some of that does no harm.
//! holes of the file (see [`skald_linking::spans`]), so some of that does no harm.

use crate::read::Objects;
use crate::read::candidates::Candidates;
use crate::read::object_file::{InputSection, SectionFlags};

/// Files up to this size are never refused: gaps for a few of the greatest alignments and pages.
const ALWAYS_FINE: u64 = 8 << 30;
/// Beyond that, how many bytes of output one byte of input may give: more than symbols, unwind
/// tables and the decompression of debug information come to.
const MAX_GROWTH: u64 = 64;

/// Whether a file of `size` bytes is too large to come of `objects`.
pub fn is_absurd(size: u64, objects: &Objects) -> bool {
    size > ALWAYS_FINE && {
        let inputs: u64 = objects.iter().map(|object| object.input_len()).sum();
        size - ALWAYS_FINE > inputs.saturating_mul(MAX_GROWTH)
    }
}

/// The message that refuses a file of `size` bytes. `sections` are those that reach the output;
/// `page` is the largest page.
pub fn complaint<'a>(
    size: u64,
    page: u64,
    objects: &Objects,
    candidates: &Candidates,
    sections: impl Iterator<Item = &'a InputSection>,
) -> String {
    let has_no_bytes = SectionFlags::NOBITS | SectionFlags::COMPRESSED;
    let grown = |s: &InputSection| if s.flags.has(has_no_bytes) { s.size } else { 0 };
    let cost = |s: &InputSection| grown(s).max(1 << s.align_log2);
    let mut kind = "padding";
    let cause = match sections.max_by_key(|section| cost(section)) {
        Some(section) if cost(section) >= page => {
            let object = &objects[section.object];
            let name = String::from_utf8_lossy(object.section_name(section.shndx));
            let file = candidates.display_name(object.file.expect("numbered when taken"));
            let is_compressed = section.flags.has(SectionFlags::COMPRESSED);
            match (grown(section) == cost(section), is_compressed) {
                (true, true) => {
                    kind = "out of compressed sections";
                    format!("section {name} of {file} has {:#x} bytes", section.size)
                }
                (true, false) => {
                    format!("section {name} of {file} has {:#x} zero bytes", section.size)
                }
                (false, _) => format!(
                    "section {name} of {file} is aligned to {:#x}",
                    1u64 << section.align_log2
                ),
            }
        }
        _ => format!("pages have {page:#x} bytes"),
    };
    format!("the output would have {size:#x} bytes, nearly all of them {kind}: {cause}")
}
