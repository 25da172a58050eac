//! Memory tagging of Android and of GNU: what the loader is told of the program's heap and stack
//! ("Memtag ABI Extension to ELF for the Arm 64-bit Architecture"; the note is that of bionic).

use crate::args::processors::{MemoryTagging, TagChecks};
use crate::args::{Options, OutputKind};
use skald_linking::byte_order::ByteOrder;

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
    let values = [checks == TagChecks::Asynchronous, heap, stack];
    tags.into_iter().zip(values.map(u64::from)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_note_has_mode_heap_and_stack() {
        let mut out = [0xff; MemtagNote::SIZE as usize];
        MemtagNote(2 | HEAP | STACK).write(ByteOrder::Little, &mut out);
        assert_eq!(out[..12], [8, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0]);
        assert_eq!(out[12..], *b"Android\0\x0e\0\0\0");
    }
}
