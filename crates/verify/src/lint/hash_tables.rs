//! .hash, .gnu.hash and .gnu.version: a lookup by the dynamic loader finds each symbol that the
//! file exports, and no other.
//!
//! The lookups are done as glibc does them (`do_lookup_x`): bloom filter, bucket, chain.

use super::Report;
use crate::encoding::Encoding;
use crate::output_file::{OutputFile, Section, Symbol};
use object::elf;

pub(super) fn check(file: &OutputFile, report: &mut Report) {
    let exported: Vec<(u32, &Symbol)> = file
        .dynamic_symbols
        .iter()
        .enumerate()
        .filter(|(_, s)| s.is_defined() && !s.is_local() && !s.name.is_empty())
        .map(|(index, s)| (index as u32, s))
        .collect();
    let table = |kind| file.sections.iter().find(|s| s.kind == kind && s.is_alloc());
    if let Some(section) = table(elf::SHT_GNU_HASH) {
        gnu_hash(file, section, &exported, report);
    }
    if let Some(section) = table(elf::SHT_HASH) {
        sysv_hash(file, section, &exported, report);
    }
    if let Some(section) = table(elf::SHT_GNU_VERSYM) {
        let entries = section.size / 2;
        report.expect("versym-size", entries == file.dynamic_symbols.len() as u64, || {
            format!("{entries} versions for {} symbols", file.dynamic_symbols.len())
        });
    }
}

/// The word of `size` bytes at `index` of a table; zero past its end.
fn word(encoding: Encoding, bytes: &[u8], size: usize, index: u32) -> u32 {
    let at = index as usize * size;
    encoding.number(bytes.get(at..at + size).unwrap_or_default()) as u32
}

fn gnu_hash(
    file: &OutputFile,
    section: &Section,
    exported: &[(u32, &Symbol)],
    report: &mut Report,
) {
    let bytes = file.section_bytes(section);
    let word = |index| word(file.encoding, bytes, 4, index);
    let (buckets, first, bloom_words, shift) = (word(0), word(1), word(2), word(3));
    let right = bloom_words.is_power_of_two() && shift < 32;
    report.expect("gnu-hash", right, || format!("{bloom_words} bloom words, shift {shift}"));
    if !right {
        return;
    }
    // A word of the bloom filter has the size of an address.
    let bloom_size = file.encoding.word_size() as u32;
    let bits = 8 * bloom_size;
    let bucket_base = bloom_words.saturating_mul(bloom_size / 4).saturating_add(4);
    let chain_base = bucket_base.wrapping_add(buckets);
    let look_up = |name: &str, wanted: u32| -> bool {
        let hash = gnu_hash_of(name);
        let size = bloom_size as usize;
        let at = 16 + (hash / bits % bloom_words) as usize * size;
        let bloom = file.encoding.number(bytes.get(at..at + size).unwrap_or_default());
        let mask = 1u64 << (hash % bits) | 1u64 << ((hash >> shift) % bits);
        if bloom & mask != mask || buckets == 0 {
            return false;
        }
        let mut index = word(bucket_base.saturating_add(hash % buckets));
        while index >= first && (index as usize) < file.dynamic_symbols.len() {
            let entry = word(chain_base.wrapping_add(index - first));
            if entry | 1 == hash | 1 && index == wanted {
                return true;
            }
            if entry & 1 == 1 {
                return false;
            }
            index += 1;
        }
        false
    };
    for (index, symbol) in exported {
        report.expect("gnu-hash", look_up(&symbol.name, *index), || {
            format!("{} is not found", symbol.name)
        });
    }
    for bucket in 0..buckets.min(bytes.len() as u32) {
        let mut index = word(bucket_base.saturating_add(bucket));
        while index != 0 {
            let symbol = file.dynamic_symbols.get(index as usize);
            // A canonical PLT entry is an undefined symbol with a value, and is looked up. GNU ld
            // also enters undefined symbols that are weak, or functions whose address is taken; the
            // loader ignores these.
            let may_be_undefined =
                |s: &Symbol| s.value != 0 || s.binding == elf::STB_WEAK || s.kind == elf::STT_FUNC;
            let is_right = symbol.is_some_and(|s| s.is_defined() || may_be_undefined(s));
            report.expect("gnu-hash", is_right && index >= first, || {
                format!("bucket {bucket} leads to symbol {index}, which is not defined")
            });
            let last = word(chain_base.wrapping_add(index.wrapping_sub(first))) & 1 == 1;
            index = if last || !is_right { 0 } else { index + 1 };
        }
    }
}

/// The hash function of .gnu.hash.
fn gnu_hash_of(name: &str) -> u32 {
    name.bytes().fold(5381, |hash: u32, b| hash.wrapping_mul(33).wrapping_add(u32::from(b)))
}

fn sysv_hash(
    file: &OutputFile,
    section: &Section,
    exported: &[(u32, &Symbol)],
    report: &mut Report,
) {
    let bytes = file.section_bytes(section);
    // The psABI of s390x has words of eight bytes here.
    let size = if file.machine == elf::EM_S390 && file.encoding.is_64 { 8 } else { 4 };
    let word = |index| word(file.encoding, bytes, size, index);
    let (buckets, chains) = (word(0), word(1));
    report.expect("hash", chains as usize == file.dynamic_symbols.len(), || {
        format!("{chains} chains for {} symbols", file.dynamic_symbols.len())
    });
    let look_up = |name: &str, wanted: u32| -> bool {
        if buckets == 0 {
            return false;
        }
        let mut index = word((sysv_hash_of(name) % buckets).saturating_add(2));
        for _ in 0..chains {
            if index == wanted || index == 0 || index >= chains {
                break;
            }
            index = word(buckets.saturating_add(index).saturating_add(2));
        }
        index == wanted
    };
    for (index, symbol) in exported {
        report.expect("hash", look_up(&symbol.name, *index), || {
            format!("{} is not found", symbol.name)
        });
    }
}

/// The hash function of .hash (generic ABI, "Hash Table Section").
fn sysv_hash_of(name: &str) -> u32 {
    name.bytes().fold(0, |hash: u32, b| {
        let hash = (hash << 4).wrapping_add(u32::from(b));
        let high = hash & 0xf000_0000;
        (hash ^ high >> 24) & !high
    })
}

#[cfg(test)]
mod tests {
    use super::{gnu_hash_of, sysv_hash_of};

    #[test]
    fn known_hashes() {
        assert_eq!(gnu_hash_of("printf"), 0x156b_2bb8);
        assert_eq!(sysv_hash_of("printf"), 0x077_905a6);
    }
}
