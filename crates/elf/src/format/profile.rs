//! Indexed instrumentation profiles of LLVM, as `llvm-profdata merge` writes them: the traces of
//! the order in which functions were first called.
//!
//! The header is an array of 64-bit words: magic, version, unused, kind of hash, offsets of the
//! hash table, of memory profiles, of binary ids and of the traces (`InstrProf.h`, versions 10 to
//! 12). A trace is a weight, a count and as many hashes of functions' names. The hash table has the
//! names: an array of buckets, each the offset of a 16-bit count of entries, which are hash, length
//! of the name, length of the data, name, data. All is little-endian.

use skald_core::unordered::UnorderedMap;

/// The temporal profile in LLVM's `.profdata`: the order in which each run first called functions.
#[derive(Debug, Default)]
pub struct Traces {
    /// By trace: functions by hash of their names.
    pub traces: Vec<Vec<u64>>,
    /// Names of functions by hash. A static function is called `FILE;FUNCTION`.
    pub names: UnorderedMap<u64, Vec<u8>>,
}

const MAGIC: &[u8; 8] = b"\xfflprofi\x81";
const VERSIONS: std::ops::RangeInclusive<u64> = 10..=12;
/// Bit in the upper half of the version word: the profile has traces.
const HAS_TRACES: u64 = 1 << 63;

/// Index of a word of the header.
const VERSION: usize = 1;
const TABLE: usize = 4;
const TRACES: usize = 7;

/// Decodes the traces of a profile. The message of an error lacks the name of the file.
pub fn parse(bytes: &[u8]) -> Result<Traces, String> {
    if !bytes.starts_with(MAGIC) {
        return Err("not an indexed profile of LLVM; llvm-profdata merge makes one".to_owned());
    }
    let cut = || "truncated profile".to_owned();
    let header = |index: usize| word(bytes, 8 * index).ok_or_else(cut);
    let version = header(VERSION)?;
    let number = version & 0xffff_ffff;
    if !VERSIONS.contains(&number) {
        return Err(format!(
            "profile version {number} is not supported; expected {} to {}, as LLVM 16 to 19 write",
            VERSIONS.start(),
            VERSIONS.end()
        ));
    }
    if version & HAS_TRACES == 0 {
        return Err("the profile has no temporal traces".to_owned());
    }
    let traces = traces(bytes, header(TRACES)?).ok_or_else(cut)?;
    let names = names(bytes, header(TABLE)?).ok_or_else(cut)?;
    Ok(Traces { traces, names })
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let end = at.checked_add(8)?;
    Some(u64::from_le_bytes(bytes.get(at..end)?.try_into().ok()?))
}

fn traces(bytes: &[u8], file_offset: u64) -> Option<Vec<Vec<u64>>> {
    let mut at = usize::try_from(file_offset).ok()?;
    let count = word(bytes, at)?;
    // The number of traces of which these are a sample, and the weight of each, are not needed for
    // an order.
    at += 16;
    let mut traces = Vec::new();
    for _ in 0..count {
        let length = usize::try_from(word(bytes, at.checked_add(8)?)?).ok()?;
        at = at.checked_add(16)?;
        let end = at.checked_add(length.checked_mul(8)?)?;
        let words = bytes.get(at..end)?.as_chunks::<8>().0;
        traces.push(words.iter().map(|&word| u64::from_le_bytes(word)).collect());
        at = end;
    }
    Some(traces)
}

fn names(bytes: &[u8], file_offset: u64) -> Option<UnorderedMap<u64, Vec<u8>>> {
    let table = usize::try_from(file_offset).ok()?;
    let bucket_count = usize::try_from(word(bytes, table)?).ok()?;
    let start = table.checked_add(16)?;
    let buckets = bytes.get(start..start.checked_add(bucket_count.checked_mul(8)?)?)?;
    let mut names = UnorderedMap::new();
    // At most as many bytes as the file has: beyond that, entries were read twice.
    let mut budget = bytes.len();
    for &bucket in buckets.as_chunks::<8>().0 {
        let bucket = usize::try_from(u64::from_le_bytes(bucket)).ok()?;
        if bucket == 0 {
            continue;
        }
        let entries = bytes.get(bucket..bucket.checked_add(2)?)?;
        let mut at = bucket + 2;
        for _ in 0..u16::from_le_bytes([entries[0], entries[1]]) {
            let name_size = usize::try_from(word(bytes, at.checked_add(8)?)?).ok()?;
            let data_size = usize::try_from(word(bytes, at.checked_add(16)?)?).ok()?;
            let name = at.checked_add(24)?;
            let name_end = name.checked_add(name_size)?;
            names.insert(word(bytes, at)?, bytes.get(name..name_end)?.to_vec());
            at = name_end.checked_add(data_size)?;
            budget = budget.checked_sub(at.min(bytes.len()) - name)?;
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A profile with one trace of two functions, one of which has a name.
    fn sample() -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let words = |bytes: &mut Vec<u8>, words: &[u64]| {
            words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        };
        let entry = 72u64;
        let table = entry + 2 + 24 + 4 + 3;
        let trace_table = table + 16 + 16;
        words(&mut bytes, &[12 | HAS_TRACES, 0, 0, table, 0, 0, trace_table, 0]);
        bytes.extend_from_slice(&1u16.to_le_bytes());
        words(&mut bytes, &[77, 4, 3]);
        bytes.extend_from_slice(b"mainxyz");
        words(&mut bytes, &[2, 1, 0, entry]);
        words(&mut bytes, &[1, 1, 1, 2, 77, 78]);
        bytes
    }

    #[test]
    fn traces_and_names() {
        let read = parse(&sample()).expect("a profile");
        assert_eq!(read.traces, [[77, 78]]);
        assert_eq!(read.names.get(&77), Some(&b"main".to_vec()));
        assert_eq!(read.names.len(), 1);
    }

    #[test]
    fn other_files_are_refused() {
        assert!(parse(b"").unwrap_err().contains("not an indexed profile"));
        let mut other = sample();
        other[8] = 99;
        assert!(parse(&other).unwrap_err().contains("version 99"));
        other = sample();
        other[15] = 0;
        assert!(parse(&other).unwrap_err().contains("no temporal traces"));
        for end in 8..sample().len() {
            assert!(parse(&sample()[..end]).is_err(), "cut at {end}");
        }
    }

    proptest! {
        #[test]
        fn damage_is_no_trouble(at in 8usize..150, value: u8) {
            let mut bytes = sample();
            let at = at % bytes.len();
            bytes[at] = value;
            let _ = parse(&bytes);
        }
    }
}
