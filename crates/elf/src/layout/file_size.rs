//! Refuses outputs that are absurdly large for their inputs.
//!
//! Most of an output is bounded by the bytes of the inputs. Padding is not bounded (sections and
//! pages with great alignments), nor are zero-filled input sections in output sections that have
//! bytes: a few numbers in a small file could ask for the whole disk. Large gaps stay holes of the
//! file (see [`skald_linking::spans`]), so some padding does no harm.

use crate::read::Objects;
use crate::read::candidates::Candidates;
use crate::read::object_file::{InputSection, SectionFlags};

/// Files up to this size are never refused: a few gaps of the greatest alignments and pages fit in.
const ALWAYS_FINE: u64 = 8 << 30;
/// Beyond that, how many bytes of output one byte of input may cause: more than symbols, unwind
/// tables and decompressed debug information need.
const MAX_GROWTH: u64 = 64;

/// Whether a file of `size` bytes is too large for an output of `objects`.
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
