//! `--split-by-file` and `--split-by-reloc`: output sections that would get too large go on in
//! another one, named after the first with a number.
//!
//! As in GNU ld a section is full when the next input would bring it to the limit of bytes or of
//! relocations; inputs are not cut, so that a single one may be larger. Zero-filled memory is not
//! split, and neither are members of groups, which stand alone anyway.

use crate::args::Options;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::relocatable::sections::Position;
use skald_core::unordered::{UnorderedMap, UnorderedSet};

/// What is in the output section that a name goes to now.
#[derive(Debug, Clone, Copy, Default)]
struct Fill {
    bytes: u64,
    relocations: u64,
}

/// The limits, and how full sections are.
#[derive(Debug)]
pub struct Splitting {
    max_bytes: u64,
    max_relocations: u64,
    /// By position of the output section.
    fills: UnorderedMap<Position, Fill>,
    /// Next number, by name.
    numbers: UnorderedMap<Vec<u8>, u32>,
    /// Names that are not free.
    taken: UnorderedSet<Vec<u8>>,
}

impl Splitting {
    /// As the options ask for; `names` are those of input sections.
    pub fn new(options: &Options, names: impl Iterator<Item = &'static [u8]>) -> Option<Splitting> {
        let limits = (options.arrangement.split_by_file, options.arrangement.split_by_reloc);
        if limits == (None, None) {
            return None;
        }
        Some(Splitting {
            max_bytes: limits.0.unwrap_or(u64::MAX),
            max_relocations: limits.1.unwrap_or(u64::MAX),
            fills: UnorderedMap::new(),
            numbers: UnorderedMap::new(),
            taken: names.map(<[u8]>::to_vec).collect(),
        })
    }

    /// Whether `input` must not go to the output section at `position`, which has inputs.
    pub fn is_full(&self, position: Position, input: &InputSection) -> bool {
        let Some(fill) = self.fills.get(&position) else { return false };
        !input.flags.has(SectionFlags::NOBITS)
            && (fill.bytes.saturating_add(input.size) >= self.max_bytes
                || fill.relocations + u64::from(input.rel_count) >= self.max_relocations)
    }

    /// Notes that `input` is in the output section at `position`.
    pub fn add(&mut self, position: Position, input: &InputSection) {
        let fill = self.fills.entry(position).or_default();
        fill.bytes = fill.bytes.saturating_add(input.size);
        fill.relocations += u64::from(input.rel_count);
    }

    /// The name of one more section for `name`.
    pub fn next_name(&mut self, name: &[u8]) -> Vec<u8> {
        let number = self.numbers.entry(name.to_vec()).or_default();
        loop {
            let next = [name, b".", number.to_string().as_bytes()].concat();
            *number += 1;
            if self.taken.insert(next.clone()) {
                return next;
            }
        }
    }
}
