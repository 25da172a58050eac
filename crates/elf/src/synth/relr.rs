//! `.relr.dyn`: relative relocations, packed.
//!
//! A word with an even value is the address of a word to relocate and says where the next bitmap
//! begins: 8 bytes after it. An odd word is a bitmap: bit `i + 1` relocates the word `i` words from
//! there, and the next bitmap begins 63 words later. Addends are in the relocated words. Only even
//! addresses can be encoded; others go to `.rela.dyn`. Source: generic ABI, "Relative Relocation
//! Table" (SHT_RELR).

/// Words that one bitmap covers: the lowest of its 64 bits marks a bitmap.
const BITMAP_WORDS: u64 = 63;
const WORD_SIZE: u64 = 8;
/// A bitmap without any address.
const EMPTY_BITMAP: u64 = 1;

/// `.relr.dyn` (gABI, SHT_RELR) for addresses that are even, distinct and sorted.
#[derive(Debug, Clone, Copy)]
pub struct Relr<'a> {
    addresses: &'a [u64],
}

impl<'a> Relr<'a> {
    /// The section for relative relocations at `addresses`, which are even and strictly increasing.
    pub fn new(addresses: &'a [u64]) -> Relr<'a> {
        debug_assert!(addresses.is_sorted_by(|a, b| a < b));
        assert!(addresses.iter().all(|address| address % 2 == 0));
        Relr { addresses }
    }

    /// Words of the section's content.
    pub fn encoded_len(&self) -> usize {
        let mut len = 0;
        self.encode(|_| len += 1);
        len
    }

    /// Bytes of the section.
    pub fn size(&self) -> u64 {
        WORD_SIZE * self.encoded_len() as u64
    }

    /// Fills `out`, which is [`Relr::size`] bytes long or more: a layout that iterates must not let
    /// the section shrink, and the rest becomes bitmaps that relocate nothing.
    pub fn write(&self, out: &mut [u8]) {
        let (words, rest) = out.as_chunks_mut::<8>();
        assert!(rest.is_empty(), "the section is an array of words");
        let mut at = 0;
        self.encode(|word| {
            words[at] = word.to_le_bytes();
            at += 1;
        });
        words[at..].fill(EMPTY_BITMAP.to_le_bytes());
    }

    /// Calls `emit` with each word of the section.
    fn encode(&self, mut emit: impl FnMut(u64)) {
        let mut rest = self.addresses;
        while let Some((&address, after)) = rest.split_first() {
            emit(address);
            rest = after;
            let mut base = address.wrapping_add(WORD_SIZE);
            loop {
                let mut bitmap = 0u64;
                while let Some((&address, after)) = rest.split_first() {
                    let distance = address.wrapping_sub(base);
                    if distance >= BITMAP_WORDS * WORD_SIZE || distance % WORD_SIZE != 0 {
                        break;
                    }
                    bitmap |= 1 << (distance / WORD_SIZE);
                    rest = after;
                }
                if bitmap == 0 {
                    break;
                }
                emit(bitmap << 1 | 1);
                base = base.wrapping_add(BITMAP_WORDS * WORD_SIZE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(addresses: &[u64], spare: usize) -> Vec<u64> {
        let relr = Relr::new(addresses);
        let mut out = vec![0xaa; relr.size() as usize + 8 * spare];
        relr.write(&mut out);
        out.as_chunks::<8>().0.iter().map(|&word| u64::from_le_bytes(word)).collect()
    }

    /// A decoder as the generic ABI gives it.
    fn decode(words: &[u64]) -> Vec<u64> {
        let (mut addresses, mut base) = (Vec::new(), 0u64);
        for &word in words {
            if word & 1 == 0 {
                addresses.push(word);
                base = word + 8;
                continue;
            }
            addresses.extend((0..63).filter(|i| word >> (i + 1) & 1 != 0).map(|i| base + 8 * i));
            base += 63 * 8;
        }
        addresses
    }

    #[test]
    fn write_fills_exactly_size() {
        assert_eq!(words(&[], 0), []);
        assert_eq!(words(&[0x1000, 0x1008, 0x1018], 0), [0x1000, 0b1011]);
        assert_eq!(words(&[0x1000, 0x1004, 0x1008], 0), [0x1000, 0x1004, 0x1008]);
        let run: Vec<u64> = (0..128).map(|i| 0x2000 + 8 * i).collect();
        assert_eq!(words(&run, 0), [0x2000, u64::MAX, u64::MAX, 0b11]);
    }

    #[test]
    fn spare_words_relocate_nothing() {
        assert_eq!(words(&[0x1000], 2), [0x1000, 1, 1]);
    }

    proptest! {
        #[test]
        fn decodes_to_what_was_encoded(
            gaps in prop::collection::vec((1u64..80, prop::bool::weighted(0.9)), 0..300),
        ) {
            let mut address = 0x1000;
            let addresses: Vec<u64> = gaps
                .into_iter()
                .map(|(gap, is_aligned)| {
                    address += if is_aligned { 8 * gap } else { 2 * gap };
                    address
                })
                .collect();
            prop_assert_eq!(decode(&words(&addresses, 1)), addresses);
        }
    }
}
