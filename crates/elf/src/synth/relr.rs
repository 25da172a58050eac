//! `.relr.dyn`: relative relocations, packed.
//!
//! An even word is the address of a word to relocate; the next bitmap starts at the word behind
//! that. An odd word is a bitmap: bit `i + 1` relocates the word that is `i` words behind its
//! start. The next bitmap starts as many words later as a word has bits, less one. Addends are in
//! the relocated words. Only even addresses can be encoded; others go to `.rela.dyn`. Source:
//! generic ABI, "Relative Relocation Table" (SHT_RELR).

use crate::format::encoding::{Encoding, Word};

/// A bitmap without any address.
const EMPTY_BITMAP: u64 = 1;

/// `.relr.dyn` (gABI, SHT_RELR) for addresses that are even, distinct and sorted.
#[derive(Debug, Clone, Copy)]
pub struct Relr<'a> {
    encoding: Encoding,
    addresses: &'a [u64],
}

impl<'a> Relr<'a> {
    /// The section for relative relocations at `addresses`, which are even and strictly increasing.
    pub fn new(encoding: Encoding, addresses: &'a [u64]) -> Relr<'a> {
        debug_assert!(addresses.is_sorted_by(|a, b| a < b));
        assert!(addresses.iter().all(|address| address % 2 == 0));
        Relr { encoding, addresses }
    }

    /// Words of the section's content.
    pub fn encoded_len(&self) -> usize {
        let mut len = 0;
        self.encode(|_| len += 1);
        len
    }

    /// Bytes of the section.
    pub fn size(&self) -> u64 {
        (self.encoding.word_size() * self.encoded_len()) as u64
    }

    /// Fills `out`, which is at least [`Relr::size`] bytes long: a layout that iterates must not
    /// let the section shrink. The rest becomes bitmaps that relocate nothing.
    pub fn write(&self, out: &mut [u8]) {
        self.encoding.fill(out, |words: &mut [Word]| {
            let mut at = 0;
            self.encode(|word| {
                words[at] = Word::new(word);
                at += 1;
            });
            words[at..].fill(Word::new(EMPTY_BITMAP));
        });
    }

    /// Calls `emit` with each word of the section.
    fn encode(&self, mut emit: impl FnMut(u64)) {
        let word_size = self.encoding.word_size() as u64;
        // Words that one bitmap covers: its lowest bit marks a bitmap.
        let bitmap_words = 8 * word_size - 1;
        let mut rest = self.addresses;
        while let Some((&address, after)) = rest.split_first() {
            emit(address);
            rest = after;
            let mut base = address.wrapping_add(word_size);
            loop {
                let mut bitmap = 0u64;
                while let Some((&address, after)) = rest.split_first() {
                    let distance = address.wrapping_sub(base);
                    if distance >= bitmap_words * word_size || distance % word_size != 0 {
                        break;
                    }
                    bitmap |= 1 << (distance / word_size);
                    rest = after;
                }
                if bitmap == 0 {
                    break;
                }
                emit(bitmap << 1 | 1);
                base = base.wrapping_add(bitmap_words * word_size);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::encoding::ALL;
    use proptest::prelude::*;

    fn words(addresses: &[u64], spare: usize) -> Vec<u64> {
        words_in(Encoding::NATIVE, addresses, spare)
    }

    fn words_in(encoding: Encoding, addresses: &[u64], spare: usize) -> Vec<u64> {
        let relr = Relr::new(encoding, addresses);
        let mut out = vec![0xaa; relr.size() as usize + encoding.word_size() * spare];
        relr.write(&mut out);
        out.chunks(encoding.word_size()).map(|word| encoding.word(word)).collect()
    }

    /// A decoder as the generic ABI gives it.
    fn decode(words: &[u64], word_size: u64) -> Vec<u64> {
        let bits = 8 * word_size - 1;
        let (mut addresses, mut base) = (Vec::new(), 0u64);
        for &word in words {
            if word & 1 == 0 {
                addresses.push(word);
                base = word + word_size;
                continue;
            }
            let set = (0..bits).filter(|i| word >> (i + 1) & 1 != 0);
            addresses.extend(set.map(|i| base + word_size * i));
            base += bits * word_size;
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
            for encoding in ALL {
                let words = words_in(encoding, &addresses, 1);
                prop_assert_eq!(decode(&words, encoding.word_size() as u64), &addresses[..]);
            }
        }
    }
}
