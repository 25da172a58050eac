//! The table by which stacks are unwound (`.ARM.exidx`; "Exception Handling ABI for the Arm
//! Architecture", "The top-level exception handling architecture"), made of those of all objects.
//!
//! An entry has two words: the distance of a function, and how it is unwound: a description, the
//! distance of a longer one, or 1 for a function that cannot be. It holds up to the next entry. So
//! the table is sorted by address; code without an entry gets one that says it cannot be unwound,
//! as does the end of all code; and an entry that says the same as the one before is left out.
//!
//! The inputs keep their places in the output section, whose size is that of the table
//! ([`OutputSection::rewritten`](crate::layout::OutputSection::rewritten)). Their relocations are
//! applied to a copy, from which the table is made: in each round of the layout for its size, and
//! when it is written.

use crate::layout::collect::link_target;
use crate::layout::output_sections::Content;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::SectionId;
use crate::synth::image::Image;
use crate::synth::patch::{Failure, Patch};
use object::elf::{SHF_ALLOC, SHF_EXECINSTR};
use skald_core::unordered::UnorderedSet;

/// Bytes of an entry.
const ENTRY: usize = 8;
/// The second word of a function that cannot be unwound.
const CANNOT: u32 = 1;
/// The second word is a description, and no distance.
const INLINE: u32 = 1 << 31;

/// How a function is unwound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// The second word as it is: a description, or [`CANNOT`].
    Word(u32),
    /// The address of a longer description.
    At(u64),
}

/// An entry, with addresses in place of distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    function: u64,
    /// It is for code that has none of its own, and gives way to another one at the same address.
    is_added: bool,
    how: How,
}

impl Entry {
    fn added(function: u64) -> Entry {
        Entry { function, is_added: true, how: How::Word(CANNOT) }
    }
}

/// Positions of the output sections that are such tables. Where a script puts other sections beside
/// them, the entries stay as they are.
pub fn positions(image: &Image<'_>) -> Vec<usize> {
    let Some(index) = image.machine.unwind_index else { return Vec::new() };
    let sections = image.outputs.sections.iter().enumerate();
    let is_of_table = |id: &SectionId| {
        let section = &image.definitions.sections[*id];
        let header = image.objects[section.object].mapped.shdrs.get(section.shndx as usize);
        header.is_some_and(|header| header.sh_type() == index.sh_type)
    };
    let is_table = |section: &crate::layout::OutputSection| match &section.content {
        Content::Inputs { sections, .. } if section.sh_type == index.sh_type => {
            sections.iter().all(is_of_table)
        }
        _ => false,
    };
    sections.filter(|(_, section)| is_table(section)).map(|(at, _)| at).collect()
}

/// Bytes of the table at a position.
pub fn size(image: &Image<'_>, position: usize, keeps_equal: bool) -> u64 {
    (table(image, position, keeps_equal, &mut Vec::new()).len() * ENTRY) as u64
}

/// Writes the table at a position to `out`, which may be longer: its last entry is repeated.
pub fn write(
    image: &Image<'_>,
    position: usize,
    keeps_equal: bool,
    out: &mut [u8],
    failures: &mut Vec<Failure>,
) {
    let entries = table(image, position, keeps_equal, failures);
    let Some(&last) = entries.last() else { return out.fill(0) };
    let address = image.outputs.sections[position].address;
    let order = image.machine.byte_order;
    let all = entries.into_iter().chain(std::iter::repeat(last));
    for ((at, place), entry) in (address..).step_by(ENTRY).zip(out.chunks_exact_mut(ENTRY)).zip(all)
    {
        let distance = |from: u64, to: u64| to.wrapping_sub(from) as u32 & !INLINE;
        let how = match entry.how {
            How::Word(word) => word,
            How::At(description) => distance(at.wrapping_add(4), description),
        };
        let (first, second) = place.split_at_mut(4);
        order.put_low(first, distance(at, entry.function).into());
        order.put_low(second, how.into());
    }
}

fn table(
    image: &Image<'_>,
    position: usize,
    keeps_equal: bool,
    failures: &mut Vec<Failure>,
) -> Vec<Entry> {
    let Content::Inputs { sections, .. } = &image.outputs.sections[position].content else {
        return Vec::new();
    };
    let mut entries = Vec::new();
    for &id in sections {
        of_input(image, id, &mut entries, failures);
    }
    // Which of several tables is for other code is not known.
    if positions(image).len() == 1 {
        entries.extend(missing(image, sections));
    }
    joined(entries, keeps_equal)
}

/// The entries of an object's table.
fn of_input(
    image: &Image<'_>,
    id: SectionId,
    entries: &mut Vec<Entry>,
    failures: &mut Vec<Failure>,
) {
    let section = &image.definitions.sections[id];
    let object = &image.objects[section.object];
    let original = object.bytes(section);
    let address = image.address(id);
    let relocs = object.relocs(section);
    let patch = Patch { id, section, original, section_offset: 0, address, relocs, first: 0 };
    let mut copy = original.to_vec();
    (image.apply)(image, &patch, &mut copy, failures);
    let order = image.machine.byte_order;
    for (at, entry) in (address..).step_by(ENTRY).zip(copy.chunks_exact(ENTRY)) {
        let word = |offset: usize| order.get::<u32>(entry, offset).unwrap_or(0);
        let target = |offset: usize| {
            let distance = (word(offset) << 1) as i32 >> 1;
            at.wrapping_add(offset as u64).wrapping_add_signed(distance.into()) & 0xffff_ffff
        };
        let how = match word(4) {
            word if word == CANNOT || word & INLINE != 0 => How::Word(word),
            _ => How::At(target(4)),
        };
        // The bit for Thumb is no part of the address.
        entries.push(Entry { function: target(0) & !1, is_added: false, how });
    }
}

/// Entries for code that no table is linked to, and for the end of all code.
fn missing(image: &Image<'_>, tables: &[SectionId]) -> Vec<Entry> {
    let linked = tables.iter().filter_map(|&id| link_target(image.definitions, image.objects, id));
    let described: UnorderedSet<SectionId> = linked.collect();
    let code = u64::from(SHF_ALLOC | SHF_EXECINSTR);
    let outputs = image.outputs.sections.iter().filter(|output| output.sh_flags & code == code);
    let mut added = Vec::new();
    let mut end = 0;
    for output in outputs.filter(|output| output.size != 0) {
        let Content::Inputs { sections, .. } = &output.content else { continue };
        end = end.max(output.address.saturating_add(output.size));
        let is_bare = |&&id: &&SectionId| {
            let section = &image.definitions.sections[id];
            let is_code = section.flags.has(SectionFlags::EXEC) && section.size != 0;
            is_code && !described.contains(&id)
        };
        let bare = sections.iter().filter(is_bare);
        added.extend(bare.map(|&id| Entry::added(image.address(id))));
    }
    if end != 0 {
        added.push(Entry::added(end));
    }
    added
}

/// The entries by address, without those that say nothing.
fn joined(mut entries: Vec<Entry>, keeps_equal: bool) -> Vec<Entry> {
    entries.sort_by_key(|entry| (entry.function, entry.is_added));
    let mut all: Vec<Entry> = Vec::with_capacity(entries.len());
    for entry in entries {
        if let Some(last) = all.last() {
            let is_replaced = entry.is_added && last.function == entry.function;
            let is_equal = last.how == entry.how && matches!(entry.how, How::Word(_));
            if is_replaced || is_equal && (entry.is_added || !keeps_equal) {
                continue;
            }
        }
        all.push(entry);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(function: u64, how: How) -> Entry {
        Entry { function, is_added: false, how }
    }

    #[test]
    fn equal_neighbours_are_one() {
        let inline = How::Word(0x80b0_b0b0);
        let long = How::At(0x500);
        let all = vec![
            entry(0x300, inline),
            entry(0x100, inline),
            entry(0x200, inline),
            entry(0x400, long),
            entry(0x480, long),
            Entry::added(0x500),
            Entry::added(0x600),
        ];
        let functions = |keeps_equal| -> Vec<u64> {
            joined(all.clone(), keeps_equal).iter().map(|entry| entry.function).collect()
        };
        // Descriptions elsewhere may be of more than one function.
        assert_eq!(functions(false), [0x100, 0x400, 0x480, 0x500]);
        assert_eq!(functions(true), [0x100, 0x200, 0x300, 0x400, 0x480, 0x500]);
    }

    #[test]
    fn what_is_added_gives_way() {
        let inline = How::Word(0x80b0_b0b0);
        let all = vec![Entry::added(0x100), entry(0x100, inline), Entry::added(0x200)];
        assert_eq!(joined(all, false), [entry(0x100, inline), Entry::added(0x200)]);
    }
}
