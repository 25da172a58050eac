//! `--split-by-file` and `--split-by-reloc`: output sections that would get too large are continued
//! in another one, with the name of the first and a number.
//!
//! As in GNU ld a section is full when the next input would bring it to the limit of bytes or of
//! relocations. Inputs are not cut, so a single one may be larger. Zero-filled sections are not
//! split, and neither are members of groups, which are not joined anyway.

use crate::args::Options;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::script::section_names::OutputId;
use skald_core::unordered::{UnorderedMap, UnorderedSet};

/// How much an output section holds already.
#[derive(Debug, Clone, Copy, Default)]
struct Fill {
    bytes: u64,
    relocations: u64,
}

/// The limits of the options, and the fill of output sections.
#[derive(Debug)]
pub struct Splitting {
    max_bytes: u64,
    max_relocations: u64,
    /// The section of function descriptors, which are found by its name; empty without any.
    whole: &'static [u8],
    fills: UnorderedMap<OutputId, Fill>,
    /// The number of the next section split off, by the name of the first section.
    numbers: UnorderedMap<Vec<u8>, u32>,
    /// Names of input sections, and names given already, which a new section must not get.
    taken: UnorderedSet<Vec<u8>>,
}

impl Splitting {
    /// `None` if no option asks for it; `names` are those of input sections.
    pub fn new(options: &Options, names: impl Iterator<Item = &'static [u8]>) -> Option<Splitting> {
        let limits = (options.arrangement.split_by_file, options.arrangement.split_by_reloc);
        if limits == (None, None) {
            return None;
        }
        Some(Splitting {
            max_bytes: limits.0.unwrap_or(u64::MAX),
            max_relocations: limits.1.unwrap_or(u64::MAX),
            whole: options.machine.descriptors.map_or(b"", |all| all.section.as_bytes()),
            fills: UnorderedMap::new(),
            numbers: UnorderedMap::new(),
            taken: names.map(<[u8]>::to_vec).collect(),
        })
    }

    /// Whether `input` would bring the output section with this id and name to its limit.
    pub fn is_full(&self, out: OutputId, name: &[u8], input: &InputSection) -> bool {
        let Some(fill) = self.fills.get(&out) else { return false };
        name != self.whole
            && !input.flags.has(SectionFlags::NOBITS)
            && (fill.bytes.saturating_add(input.size) >= self.max_bytes
                || fill.relocations + u64::from(input.rel_count) >= self.max_relocations)
    }

    /// Counts `input` as part of the output section with this id.
    pub fn add(&mut self, out: OutputId, input: &InputSection) {
        let fill = self.fills.entry(out).or_default();
        fill.bytes = fill.bytes.saturating_add(input.size);
        fill.relocations += u64::from(input.rel_count);
    }

    /// The name of one more output section for `name`.
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
