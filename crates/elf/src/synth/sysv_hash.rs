//! `.hash`: the System V hash table of `.dynsym`.
//!
//! A bucket count, a chain count, the buckets, the chains; all 4 bytes wide, but 8 on the machines
//! whose first 64-bit ABI said so (`Machine::hash_word`: s390x, alpha). A bucket holds the index of
//! a symbol and `chain[index]` that of the next one; 0 ends the chain. As in lld and mold
//! there are as many buckets as symbols: 4 bytes for each symbol, and one probe for most lookups.
//! Generic ABI, "Hash Table".

use crate::format::encoding::{Encoding, Word};
use crate::format::gnu_hash::hashes_of;
use crate::machine::Machine;
use zerocopy::little_endian::U32;

/// The hash function of the generic ABI; version definitions use it too.
pub fn sysv_hash(name: &[u8]) -> u32 {
    let mut hash = 0u32;
    for &byte in name {
        // The gABI clears the upper four bits at each step; here the next shift drops them.
        hash = (hash << 4).wrapping_add(u32::from(byte));
        hash ^= hash >> 24 & 0xf0;
    }
    hash & 0x0fff_ffff
}

/// The plan of `.hash`.
#[derive(Debug, Clone)]
pub struct SysvHash {
    /// Hashes of the symbols of `.dynsym`, from index 1 on.
    hashes: Vec<u32>,
    encoding: Encoding,
    /// Bytes of a word: 4 or 8.
    word: u64,
}

impl SysvHash {
    /// The plan for the names of `.dynsym` in their final order, without the null symbol.
    pub fn plan(machine: &Machine, names: &[&[u8]]) -> SysvHash {
        let (encoding, word) = (Encoding::of(machine), machine.hash_word);
        SysvHash { hashes: hashes_of(names, sysv_hash), encoding, word }
    }

    /// `nchain` and `nbucket`: the number of symbols with the null symbol.
    fn count(&self) -> usize {
        self.hashes.len() + 1
    }

    /// Bytes of the section.
    pub fn size(&self) -> u64 {
        self.word * (2 + 2 * self.count() as u64)
    }

    /// Fills `out`, which is [`SysvHash::size`] bytes long.
    pub fn write(&self, out: &mut [u8]) {
        assert_eq!(out.len() as u64, self.size());
        let count = self.count();
        let mut buckets = vec![0u32; count];
        let mut chains = vec![0u32; count];
        // From the last symbol on, so that each chain is in symbol order.
        for (index, &hash) in self.hashes.iter().enumerate().rev() {
            let bucket = &mut buckets[hash as usize % count];
            chains[index + 1] = *bucket;
            *bucket = index as u32 + 1;
        }
        let words = [count as u32; 2].into_iter().chain(buckets).chain(chains);
        if self.word == 4 {
            self.encoding.fill(out, |fields: &mut [U32]| {
                fields.iter_mut().zip(words).for_each(|(field, word)| *field = word.into());
            });
        } else {
            self.encoding.fill(out, |fields: &mut [Word]| {
                let words = words.map(|word| Word::new(word.into()));
                fields.iter_mut().zip(words).for_each(|(field, word)| *field = word);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::encoding::ALL;
    use crate::machine::Class;
    use crate::synth::blank;

    fn planned(encoding: Encoding, names: &[&[u8]]) -> SysvHash {
        SysvHash::plan(Machine::like_x86_64(encoding.class, encoding.order), names)
    }

    fn words(names: &[&[u8]]) -> Vec<u32> {
        let table = planned(Encoding::NATIVE, names);
        let mut out = blank(table.size());
        table.write(&mut out);
        for encoding in ALL {
            let mut other = blank(table.size());
            planned(encoding, names).write(&mut other);
            let words = encoding.records::<U32>(&other).expect("whole words");
            assert_eq!(encoding.bytes(&words), other);
            assert_eq!(Encoding::NATIVE.bytes(&words), out, "the words are the same");
        }
        out.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect()
    }

    #[test]
    fn hashes_of_the_abi() {
        assert_eq!(sysv_hash(b""), 0);
        assert_eq!(sysv_hash(b"printf"), 0x077905a6);
        assert_eq!(sysv_hash(b"GLIBC_2.2.5"), 0x09691a75);
        assert_eq!(sysv_hash(b"a_long_name_that_overflows"), 0x0052_adb3);
    }

    /// The bytes are those that `ld.lld-19 --hash-style=sysv` writes for a library without symbols.
    #[test]
    fn empty() {
        assert_eq!(words(&[]), [1, 1, 0, 0]);
    }

    #[test]
    fn words_may_have_eight_bytes() {
        for encoding in ALL.into_iter().filter(|encoding| encoding.class == Class::Elf64) {
            let table = SysvHash { word: 8, ..planned(encoding, &[b"f"]) };
            let mut out = blank(table.size());
            table.write(&mut out);
            let words = encoding.records::<Word>(&out).expect("whole words");
            let numbers: Vec<u64> = words.iter().map(|word| word.get()).collect();
            assert_eq!(numbers, [2, 2, 1, 0, 0, 0], "{encoding:?}");
        }
    }

    #[test]
    fn write_fills_exactly_size_and_every_name_is_found() {
        let names: Vec<String> = (0..500).map(|i| format!("name_{}", i * i)).collect();
        let names: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
        let words = words(&names);
        let (buckets, chains) = words[2..].split_at(words[0] as usize);
        assert_eq!(chains.len(), words[1] as usize);
        for (index, name) in names.iter().enumerate() {
            let mut at = buckets[sysv_hash(name) as usize % buckets.len()] as usize;
            while at != index + 1 {
                assert_ne!(at, 0, "{} is not in its chain", name.escape_ascii());
                at = chains[at] as usize;
            }
        }
    }
}
