//! `.note.gnu.build-id`: a note that identifies the output.
//!
//! The descriptor is a hash of the whole file and known last: [`BuildIdNote::write`] leaves it zero
//! and [`BuildIdNote::descriptor`] says where it goes. Note format: generic ABI, "Note Section";
//! NT_GNU_BUILD_ID is GNU ld's `--build-id`.

use std::ops::Range;

use object::elf::NT_GNU_BUILD_ID;

/// `n_namesz`, `n_descsz`, `n_type` and the name "GNU".
const HEADER_SIZE: usize = 16;

/// The section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildIdNote {
    descriptor_len: u32,
}

impl BuildIdNote {
    /// A note whose descriptor has `descriptor_len` bytes.
    pub const fn new(descriptor_len: u32) -> BuildIdNote {
        BuildIdNote { descriptor_len }
    }

    /// Bytes of the section; it is aligned to 4.
    pub const fn size(&self) -> u64 {
        HEADER_SIZE as u64 + (self.descriptor_len as u64).next_multiple_of(4)
    }

    /// Where the descriptor is, in bytes from the start of the section.
    pub const fn descriptor(&self) -> Range<usize> {
        HEADER_SIZE..HEADER_SIZE + self.descriptor_len as usize
    }

    /// Fills `out`, which is [`BuildIdNote::size`] bytes long: the header, and zeros for the
    /// descriptor and its padding.
    pub fn write(&self, out: &mut [u8]) {
        assert_eq!(out.len() as u64, self.size());
        out[0..4].copy_from_slice(&4u32.to_le_bytes());
        out[4..8].copy_from_slice(&self.descriptor_len.to_le_bytes());
        out[8..12].copy_from_slice(&NT_GNU_BUILD_ID.to_le_bytes());
        out[12..16].copy_from_slice(b"GNU\0");
        out[HEADER_SIZE..].fill(0);
    }
}

/// A random (version 4) UUID, RFC 9562.
pub fn random_uuid() -> Vec<u8> {
    let key = skald_core::hash::HashKey::random();
    let mut bytes = key.hash(b"uuid").to_le_bytes().to_vec();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::blank;

    #[test]
    fn write_fills_exactly_size() {
        for (len, size) in [(0, 16), (5, 24), (8, 24), (16, 32), (20, 36)] {
            let note = BuildIdNote::new(len);
            assert_eq!(note.size(), size);
            let mut out = blank(size);
            note.write(&mut out);
            let header = [4, 0, 0, 0, len as u8, 0, 0, 0, 3, 0, 0, 0, b'G', b'N', b'U', 0];
            assert_eq!(out[..16], header);
            assert!(out[16..].iter().all(|&byte| byte == 0));
            assert_eq!(out[note.descriptor()].len(), len as usize);
        }
    }
}
