//! `.note.gnu.build-id`: a note that identifies the output.
//!
//! The descriptor is a hash of the whole file, so it is computed last: [`BuildIdNote::write`]
//! leaves it zero and [`BuildIdNote::descriptor`] says where it goes. Note format: generic ABI,
//! "Note Section"; NT_GNU_BUILD_ID is GNU ld's `--build-id`.

use skald_linking::byte_order::ByteOrder;
use std::ops::Range;

use crate::args::BuildId;
use object::elf::NT_GNU_BUILD_ID;
use skald_core::digest;

/// `n_namesz`, `n_descsz`, `n_type` and the name "GNU".
const HEADER_SIZE: usize = 16;

/// The plan of `.note.gnu.build-id`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildIdNote {
    descriptor_len: u32,
}

impl BuildIdNote {
    /// The note for `--build-id`; `None` without it.
    pub fn asked(style: &BuildId) -> Option<BuildIdNote> {
        len(style).map(|len| BuildIdNote::new(len as u32))
    }

    /// A note whose descriptor has `descriptor_len` bytes.
    pub const fn new(descriptor_len: u32) -> BuildIdNote {
        BuildIdNote { descriptor_len }
    }

    /// Bytes of the section; it is aligned to 4.
    pub const fn size(&self) -> u64 {
        HEADER_SIZE as u64 + (self.descriptor_len as u64).next_multiple_of(4)
    }

    /// Byte range of the descriptor in the section.
    pub const fn descriptor(&self) -> Range<usize> {
        HEADER_SIZE..HEADER_SIZE + self.descriptor_len as usize
    }

    /// Fills `out`, which has [`BuildIdNote::size`] bytes: the header, and zeros for the descriptor
    /// and its padding.
    pub fn write(&self, order: ByteOrder, out: &mut [u8]) {
        assert_eq!(out.len() as u64, self.size());
        order.put(out, 0, 4u32);
        order.put(out, 4, self.descriptor_len);
        order.put(out, 8, NT_GNU_BUILD_ID);
        out[12..16].copy_from_slice(b"GNU\0");
        out[HEADER_SIZE..].fill(0);
    }
}

/// Bytes of a build id; `None` for no build id.
pub fn len(style: &BuildId) -> Option<usize> {
    match style {
        BuildId::None => None,
        BuildId::Fast => Some(8),
        BuildId::Md5 | BuildId::Uuid => Some(16),
        BuildId::Sha1 => Some(20),
        BuildId::Sha256 => Some(32),
        BuildId::Hex(bytes) => Some(bytes.len()),
    }
}

/// Whether a build id is a hash of the output.
pub fn needs_digest(style: &BuildId) -> bool {
    !matches!(style, BuildId::None | BuildId::Hex(_) | BuildId::Uuid)
}

/// The build id of an output whose spans have `digests`; `None` for no build id.
pub fn descriptor(style: &BuildId, digests: &[u128]) -> Option<Vec<u8>> {
    Some(match style {
        BuildId::Hex(bytes) => bytes.clone(),
        BuildId::Uuid => random_uuid(),
        _ => digest::tree_digest(digests, len(style)?),
    })
}

/// A random (version 4) UUID, RFC 9562.
fn random_uuid() -> Vec<u8> {
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
            note.write(ByteOrder::Little, &mut out);
            let header = [4, 0, 0, 0, len as u8, 0, 0, 0, 3, 0, 0, 0, b'G', b'N', b'U', 0];
            assert_eq!(out[..16], header);
            assert!(out[16..].iter().all(|&byte| byte == 0));
            assert_eq!(out[note.descriptor()].len(), len as usize);
        }
    }
}
