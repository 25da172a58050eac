//! Which bytes of a section have references: pieces without any are dropped.

use crate::ids::SectionId;

/// Bytes of one mergeable section that references reach.
#[derive(Debug)]
pub struct UsedBytes {
    section: SectionId,
    bits: Vec<u64>,
}

impl UsedBytes {
    /// No bytes used yet, of the `size` bytes of a section.
    pub fn new(section: SectionId, size: u64) -> UsedBytes {
        UsedBytes { section, bits: vec![0; (size as usize).div_ceil(64)] }
    }

    /// The mergeable section.
    #[inline]
    pub fn section(&self) -> SectionId {
        self.section
    }

    /// Notes a reference. One outside of the section counts for the last byte, as relocation treats
    /// it.
    #[inline]
    pub fn add(&mut self, offset: u64, size: u64) {
        let at = offset.min(size.saturating_sub(1)) as usize;
        if let Some(word) = self.bits.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }

    /// Whether any of the bytes from `start` to `end` has a reference.
    pub fn any(&self, start: u32, end: u32) -> bool {
        let (first, last) = (start as usize / 64, end.saturating_sub(1) as usize / 64);
        let from_first = !0 << (start % 64);
        let to_last = !0 >> (63 - end.saturating_sub(1) % 64);
        self.bits.iter().enumerate().take(last + 1).skip(first).any(|(at, &word)| {
            let word = if at == first { word & from_first } else { word };
            word & if at == last { to_last } else { !0 } != 0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_used_by_any_of_their_bytes() {
        let mut used = UsedBytes::new(SectionId::new(0), 300);
        used.add(70, 300);
        used.add(128, 300);
        used.add(u64::MAX, 300);
        for (start, end, expected) in [
            (0, 70, false),
            (0, 71, true),
            (70, 71, true),
            (71, 128, false),
            (64, 128, true),
            (128, 129, true),
            (129, 299, false),
            (129, 300, true),
            (192, 192, false),
        ] {
            assert_eq!(used.any(start, end), expected, "{start}..{end}");
        }
    }
}
