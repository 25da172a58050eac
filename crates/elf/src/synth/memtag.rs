//! Memory tagging of Android and of GNU: what the loader is told of the program's heap, stack and
//! variables ("Memtag ABI Extension to ELF for the Arm 64-bit Architecture"; the note is that of
//! bionic).
//!
//! `.memtag.globals.dynamic` has a descriptor for each variable, ascending, in ULEB128: the
//! distance from the end of the one before, and the size, both in granules. A size of less than 8
//! is in the lowest three bits of the distance; another one, less one, follows a distance with zero
//! there.

use super::dynamic_relocs::DynamicRelocs;
use super::image::Image;
use super::values;
use crate::args::processors::{MemoryTagging, TagChecks};
use crate::args::{Options, OutputKind};
use crate::format::elf::Rela;
use crate::read::ObjectId;
use crate::select::scan::RelocId;
use crate::select::tagged_globals::{Symbol, TaggedGlobals};
use skald_core::perturb::shuffled;
use skald_linking::byte_order::ByteOrder;
use skald_linking::leb128::push_uleb128;

/// NT_ANDROID_TYPE_MEMTAG.
const NOTE_TYPE: u32 = 4;
const HEAP: u32 = 4;
const STACK: u32 = 8;

/// The plan of `.note.android.memtag`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemtagNote(u32);

impl MemtagNote {
    /// Bytes of the section; it is aligned to 4.
    pub const SIZE: u64 = 24;

    /// The note that options ask for. As with lld, a mode must be given.
    pub fn asked(options: &Options) -> Option<MemtagNote> {
        let MemoryTagging { checks, heap, stack, has_note } = options.memory_tagging;
        let is_wanted = options.machine.memory_tags.is_some()
            && has_note
            && options.kind != OutputKind::Relocatable;
        let level = match checks? {
            TagChecks::Asynchronous => 1,
            TagChecks::Synchronous => 2,
        };
        let of = |on: bool, bit: u32| if on { bit } else { 0 };
        is_wanted.then_some(MemtagNote(level | of(heap, HEAP) | of(stack, STACK)))
    }

    /// Fills `out`, which has [`MemtagNote::SIZE`] bytes.
    pub fn write(self, order: ByteOrder, out: &mut [u8]) {
        order.put(out, 0, 8u32);
        order.put(out, 4, 4u32);
        order.put(out, 8, NOTE_TYPE);
        out[12..20].copy_from_slice(b"Android\0");
        order.put(out, 20, self.0);
    }
}

/// Entries of `.dynamic`: tags and values.
pub fn dynamic_tags(options: &Options) -> Vec<(u32, u64)> {
    let MemoryTagging { checks, heap, stack, .. } = options.memory_tagging;
    let Some((checks, tags)) = checks.zip(options.machine.memory_tags) else {
        return Vec::new();
    };
    let tags = tags.entries;
    let values = [checks == TagChecks::Asynchronous, heap, stack];
    tags.into_iter().zip(values.map(u64::from)).collect()
}

/// A tagged variable where the output has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Variable {
    /// Its address.
    pub address: u64,
    /// Its size in bytes.
    pub size: u64,
    /// A symbol of it.
    pub symbol: Symbol,
}

/// The tagged variables of the output, ascending.
pub fn variables(image: &Image<'_>, tagged: &TaggedGlobals) -> Vec<Variable> {
    let mut all = Vec::new();
    for &symbol in &tagged.symbols {
        let target = image.definitions.target_of(symbol.object, symbol.symbol);
        // Another module's definition may be used at run time, but this one is tagged, too.
        let value = match target.name() {
            Some(name) => image.values.of_name[name],
            None => image.value(symbol.object, symbol.symbol),
        };
        if let Some(address) = values::plain(value) {
            let size = image.symbol_size(symbol.object, symbol.symbol);
            all.push(Variable { address, size, symbol });
        }
    }
    shuffled(&mut all).sort_unstable();
    // Other names of a variable.
    all.dedup_by_key(|variable| variable.address);
    all
}

/// The table of the loader.
pub fn table(granule: u64, variables: &[Variable]) -> Vec<u8> {
    /// Bits of a distance that may have the size.
    const SIZE_BITS: u32 = 3;
    let mut out = Vec::new();
    let mut end = 0;
    for &Variable { address, size, .. } in variables {
        let distance = (address.wrapping_sub(end) / granule) << SIZE_BITS;
        let granules = size / granule;
        if granules < 1 << SIZE_BITS {
            push_uleb128(&mut out, distance | granules);
        } else {
            push_uleb128(&mut out, distance);
            push_uleb128(&mut out, granules - 1);
        }
        end = address.wrapping_add(size);
    }
    out
}

/// Makes a table longer: its last number gets leading zeros.
pub fn lengthen(table: &mut Vec<u8>, size: usize) {
    let len = table.len();
    if let Some(last) = table.last_mut().filter(|_| size > len) {
        *last |= 0x80;
        table.resize(size - 1, 0x80);
        table.push(0);
    }
}

/// Words at places of relative relocations, ascending by address: what the loader adds to an
/// address to find the variable whose tag it gets. Others are zero. A word with a signed pointer
/// has it in its lower half.
pub fn distances(
    image: &Image<'_>,
    relocs: &DynamicRelocs,
    tagged: &TaggedGlobals,
) -> Vec<(u64, u64)> {
    let word = image.machine.loader.word;
    let mut all = Vec::new();
    for &(id, _) in &relocs.sections {
        let section = &image.definitions.sections[id];
        let object = section.object;
        for reloc in image.objects[object].relocs(section) {
            let target = image.definitions.target_of(object, reloc.symbol());
            let addend = reloc.r_addend();
            if reloc.r_type() != word || !tagged.has(object, reloc.symbol(), target) {
                continue;
            }
            if is_outside(image, object, reloc) {
                let address = image.address(id).wrapping_add(reloc.r_offset());
                all.push((address, 0u64.wrapping_sub(addend as u64)));
            }
        }
    }
    for (place, distance) in signed_distances(image, relocs, tagged) {
        let (id, reloc) = (place.section, relocation(image, place));
        all.push((image.address(id).wrapping_add(reloc.r_offset()), distance as u64));
    }
    shuffled(&mut all).sort_unstable();
    all
}

/// Signed pointers to tagged variables from beyond their bounds, with what leads back to them.
pub fn signed_distances(
    image: &Image<'_>,
    relocs: &DynamicRelocs,
    tagged: &TaggedGlobals,
) -> Vec<(RelocId, i64)> {
    let Some(signed) = image.machine.loader.signed else { return Vec::new() };
    let is_wanted = |&place: &RelocId| {
        let object = image.definitions.sections[place.section].object;
        let reloc = relocation(image, place);
        let view = image.view(object, reloc.symbol());
        reloc.r_type() == signed.word
            && !view.is_imported()
            && tagged.has(object, reloc.symbol(), view.target)
            && is_outside(image, object, reloc)
    };
    let distance = |place| (place, relocation(image, place).r_addend().wrapping_neg());
    relocs.input_places().filter(is_wanted).map(distance).collect()
}

fn relocation(image: &Image<'_>, place: RelocId) -> &'static Rela {
    let section = &image.definitions.sections[place.section];
    image.objects[section.object].reloc(section, place.index)
}

/// Whether an address is beyond the bounds of its symbol.
fn is_outside(image: &Image<'_>, object: ObjectId, reloc: &Rela) -> bool {
    let size = image.symbol_size(object, reloc.symbol());
    !u64::try_from(reloc.r_addend()).is_ok_and(|addend| addend < size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::elf::SymbolId;

    #[test]
    fn the_note_has_mode_heap_and_stack() {
        let mut out = [0xff; MemtagNote::SIZE as usize];
        MemtagNote(2 | HEAP | STACK).write(ByteOrder::Little, &mut out);
        assert_eq!(out[..12], [8, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0]);
        assert_eq!(out[12..], *b"Android\0\x0e\0\0\0");
    }

    #[test]
    fn small_sizes_are_in_the_distance() {
        let symbol = Symbol { object: ObjectId::new(0), symbol: SymbolId::new(1) };
        let variable = |address, size| Variable { address, size, symbol };
        let all = [variable(0x1000, 16), variable(0x1010, 0x70), variable(0x1090, 0x80)];
        let mut bytes = table(16, &all);
        // 0x100 granules and one; none and seven; one, and behind it eight.
        assert_eq!(bytes, [0x81, 0x10, 0x07, 0x08, 0x07]);
        lengthen(&mut bytes, 5);
        assert_eq!(bytes.len(), 5);
        lengthen(&mut bytes, 7);
        assert_eq!(bytes, [0x81, 0x10, 0x07, 0x08, 0x87, 0x80, 0x00]);
    }
}
