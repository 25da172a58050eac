//! Words that are written over the content of sections at the end: addends at the places of dynamic
//! relocations, no-ops instead of landing pads, and the like.

use crate::layout::{OutputSection, OutputSections};
use crate::synth::image::Image;
use object::elf::SHT_NOBITS;

/// A word of the output that is written over its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word {
    /// File offset of its first byte.
    pub file_offset: u64,
    bytes: [u8; 8],
    size: u8,
}

impl Word {
    /// The low `size` bytes of `code` for `address`; `None` if the address has no byte in the file.
    /// The lowest one comes first: instructions are little-endian, whatever data are.
    pub fn new(outputs: &OutputSections, address: u64, code: u64, size: usize) -> Option<Word> {
        Word::at(outputs, address, code.to_le_bytes(), size)
    }

    /// The same of `data`, in the byte order of the machine's data.
    pub fn of_data(image: &Image<'_>, address: u64, data: u64, size: usize) -> Option<Word> {
        let mut bytes = [0; 8];
        image.machine.byte_order.put_low(&mut bytes[..size], data);
        Word::at(image.outputs, address, bytes, size)
    }

    fn at(outputs: &OutputSections, address: u64, bytes: [u8; 8], size: usize) -> Option<Word> {
        let holds = |s: &&OutputSection| {
            s.address != 0 && s.sh_type != SHT_NOBITS && {
                let offset = address.wrapping_sub(s.address);
                offset < s.size && s.size - offset >= size as u64
            }
        };
        let section = outputs.sections.iter().find(holds)?;
        let file_offset = address - section.address + section.file_offset;
        Some(Word { file_offset, bytes, size: size as u8 })
    }
}

/// Writes the `words` (sorted) that lie in `out`, which is the file from `file_offset` on.
pub fn put(words: &[Word], file_offset: u64, out: &mut [u8]) {
    let first = words.partition_point(|word| word.file_offset < file_offset);
    for word in &words[first..] {
        let at = (word.file_offset - file_offset) as usize;
        let size = usize::from(word.size);
        match out.get_mut(at..at.saturating_add(size)) {
            Some(field) => field.copy_from_slice(&word.bytes[..size]),
            None => return,
        }
    }
}
