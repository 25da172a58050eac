//! SHT_CREL: relocations as a stream of LEB128 differences.
//!
//! A section is a ULEB128 header, `count << 3 | has_addends << 2 | shift`, and `count` entries. The
//! first byte of an entry holds flags in its low bits: 1 if the symbol differs from the entry
//! before, 2 for the type, 4 for the addend, if there are addends. Above them are the low bits of
//! the difference of `r_offset >> shift`. With its top bit set, a ULEB128 with the rest follows.
//! Then come the SLEB128 differences that the flags announce. All arithmetic wraps.
//!
//! An input without addends (`has_addends` clear) keeps them in the relocated bytes, as SHT_REL.
//! Source: the generic-abi proposal "CREL" and LLVM's `llvm/Object/ELF.h`, which writes the format
//! under `-Wa,--crel`.

use skald_linking::cursor::{Cursor, Malformed};
use skald_linking::leb128::push_uleb128;

/// A relocation of an SHT_CREL section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CrelEntry {
    /// Offset in the relocated section, in bytes.
    pub r_offset: u64,
    /// 0 if the section has no addends.
    pub r_addend: i64,
    /// Symbol table index, not checked yet.
    pub r_sym: u32,
    /// Relocation type of the machine.
    pub r_type: u32,
}

/// Decodes the relocations of an SHT_CREL section, in order. The iterator ends at an error.
#[derive(Debug, Clone)]
pub struct Crel<'a> {
    cursor: Cursor<'a>,
    left: usize,
    has_addends: bool,
    shift: u32,
    /// The previous relocation; its `r_offset` is still shifted right.
    last: CrelEntry,
}

impl<'a> Crel<'a> {
    /// Reads the header. Fails if it is truncated or announces more entries than there are bytes.
    pub fn parse(section: &'a [u8]) -> Result<Crel<'a>, Malformed> {
        let mut cursor = Cursor::new(section);
        let header = cursor.uleb128("truncated CREL header")?;
        // A relocation takes at least one byte, so the file's size bounds what callers reserve.
        let left = usize::try_from(header >> 3)
            .ok()
            .filter(|&count| count <= cursor.remaining())
            .ok_or(Malformed::new("CREL header announces more entries than fit", 0))?;
        Ok(Crel {
            cursor,
            left,
            has_addends: header & 4 != 0,
            shift: (header & 3) as u32,
            last: CrelEntry::default(),
        })
    }

    /// How many relocations are left.
    pub const fn len(&self) -> usize {
        self.left
    }

    /// Whether no relocation is left.
    pub const fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Whether the addends are here (as in SHT_RELA) or in the relocated bytes (as in SHT_REL).
    pub const fn has_addends(&self) -> bool {
        self.has_addends
    }

    #[inline]
    fn entry(&mut self) -> Result<CrelEntry, Malformed> {
        const TRUNCATED: &str = "truncated CREL entry";
        let flag_bits = if self.has_addends { 3 } else { 2 };
        let first = self.cursor.u8(TRUNCATED)?;
        let mut difference = u64::from(first >> flag_bits);
        if first >= 0x80 {
            let high = self.cursor.uleb128(TRUNCATED)?;
            difference =
                (high << (7 - flag_bits)).wrapping_add(difference).wrapping_sub(0x80 >> flag_bits);
        }
        let last = &mut self.last;
        last.r_offset = last.r_offset.wrapping_add(difference);
        if first & 1 != 0 {
            last.r_sym = last.r_sym.wrapping_add(self.cursor.sleb128(TRUNCATED)? as u32);
        }
        if first & 2 != 0 {
            last.r_type = last.r_type.wrapping_add(self.cursor.sleb128(TRUNCATED)? as u32);
        }
        if self.has_addends && first & 4 != 0 {
            last.r_addend = last.r_addend.wrapping_add(self.cursor.sleb128(TRUNCATED)?);
        }
        Ok(CrelEntry { r_offset: last.r_offset << self.shift, ..*last })
    }
}

impl Iterator for Crel<'_> {
    type Item = Result<CrelEntry, Malformed>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let entry = self.entry();
        if entry.is_err() {
            self.left = 0;
        }
        Some(entry)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // The iterator may end early, at an error.
        (usize::from(self.left != 0), Some(self.left))
    }
}

/// Encodes `entries` as LLVM does: the shift is the number of trailing zeros that all offsets have,
/// at most 3.
pub fn encode(entries: &[CrelEntry], has_addends: bool) -> Vec<u8> {
    let offsets = entries.iter().fold(8, |bits, entry| bits | entry.r_offset);
    let shift = offsets.trailing_zeros();
    let flag_bits = if has_addends { 3 } else { 2 };
    let mut out = Vec::with_capacity(8 + 4 * entries.len());
    push_uleb128(
        &mut out,
        (entries.len() as u64) << 3 | u64::from(has_addends) << 2 | shift as u64,
    );
    let mut last = CrelEntry::default();
    for &entry in entries {
        let mut difference = (entry.r_offset.wrapping_sub(last.r_offset)) >> shift;
        let symbol = i64::from(entry.r_sym.wrapping_sub(last.r_sym) as i32);
        let kind = i64::from(entry.r_type.wrapping_sub(last.r_type) as i32);
        let addend = entry.r_addend.wrapping_sub(last.r_addend);
        let mut flags = u8::from(symbol != 0) | u8::from(kind != 0) << 1;
        if has_addends {
            flags |= u8::from(addend != 0) << 2;
        }
        let low_bits = 7 - flag_bits;
        if difference < 1 << low_bits {
            out.push((difference as u8) << flag_bits | flags);
        } else {
            out.push(((difference as u8) << flag_bits | flags) & 0x7f | 0x80);
            difference >>= low_bits;
            push_uleb128(&mut out, difference);
        }
        for (flag, value) in [(1, symbol), (2, kind), (4, addend)] {
            if flags & flag != 0 {
                push_sleb128(&mut out, value);
            }
        }
        last = entry;
    }
    out
}

fn push_sleb128(out: &mut Vec<u8>, mut value: i64) {
    while !(-0x40..0x40).contains(&value) {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8 & 0x7f);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(bytes: &[u8]) -> Result<Vec<CrelEntry>, Malformed> {
        Crel::parse(bytes)?.collect()
    }

    const fn entry(r_offset: u64, r_sym: u32, r_type: u32, r_addend: i64) -> CrelEntry {
        CrelEntry { r_offset, r_addend, r_sym, r_type }
    }

    /// `.crel.text`, `.crel.data` and `.crel.debug_str_offsets` of a C file under
    /// `clang-19 -c -O1 -g -Wa,--crel,--allow-experimental-crel`; the entries are what
    /// `llvm-readelf-19 -r` prints of them.
    #[test]
    fn decodes_and_encodes_what_clang_writes() {
        let text = [
            0x2c, 0x4f, 0x0e, 0x2a, 0x7c, 0x53, 0x75, 0x58, 0x4b, 0x0c, 0x02, 0x3b, 0x75, 0x7e,
            0x2b, 0x0c, 0x02,
        ];
        let entries = vec![
            entry(0x09, 0x0e, 0x2a, -4),
            entry(0x13, 0x03, 2, -4),
            entry(0x1c, 0x0f, 4, -4),
            entry(0x23, 0x04, 2, -4),
            entry(0x28, 0x10, 4, -4),
        ];
        assert_eq!(all(&text), Ok(entries.clone()));
        assert_eq!(encode(&entries, true), text);

        let data = [0x1f, 0x03, 0x0d, 0x01, 0x08, 0x08];
        let entries = vec![entry(0, 13, 1, 0), entry(8, 13, 1, 0), entry(16, 13, 1, 0)];
        assert_eq!(all(&data).as_ref(), Ok(&entries));

        let debug_str_offsets = [
            0x5e, 0x13, 0x09, 0x0a, 0x0c, 0x28, 0x0c, 0x04, 0x0c, 0x08, 0x0c, 0x05, 0x0c, 0x14,
            0x0c, 0x04, 0x0c, 0x04, 0x0c, 0x07, 0x0c, 0x05, 0x0c, 0x02,
        ];
        let addends = [0, 0x28, 0x2c, 0x34, 0x39, 0x4d, 0x51, 0x55, 0x5c, 0x61, 0x63];
        let offsets = (8..).step_by(4);
        let entries: Vec<CrelEntry> =
            offsets.zip(addends).map(|(offset, addend)| entry(offset, 9, 10, addend)).collect();
        assert_eq!(all(&debug_str_offsets).as_ref(), Ok(&entries));
        assert_eq!(encode(&entries, true), debug_str_offsets);
    }

    #[test]
    fn counts_and_truncation_are_checked() {
        assert_eq!(all(&[]).unwrap_err().what, "truncated CREL header");
        let absurd = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0];
        assert!(all(&absurd).unwrap_err().what.contains("more entries"));
        let whole = encode(&[CrelEntry { r_offset: 9, r_addend: -4, r_sym: 7, r_type: 2 }], true);
        for len in 1..whole.len() {
            assert!(all(&whole[..len]).is_err(), "{len} bytes of {}", whole.len());
        }
        let mut crel = Crel::parse(&[0x14, 0x07, 0x01]).unwrap();
        assert!(crel.next().unwrap().is_err());
        assert!(crel.next().is_none(), "an error ends the stream");
    }

    proptest! {
        #[test]
        fn round_trips(raw: Vec<(u64, u32, u32, i64)>, has_addends: bool, shift in 0u32..4) {
            let entries: Vec<CrelEntry> = raw
                .iter()
                .map(|&(offset, r_sym, r_type, addend)| CrelEntry {
                    r_offset: offset << shift,
                    r_addend: if has_addends { addend } else { 0 },
                    r_sym,
                    r_type,
                })
                .collect();
            let bytes = encode(&entries, has_addends);
            prop_assert_eq!(Crel::parse(&bytes).unwrap().has_addends(), has_addends);
            prop_assert_eq!(all(&bytes), Ok(entries));
        }

        #[test]
        fn any_bytes_are_decoded_or_refused(bytes: Vec<u8>) {
            if let Ok(entries) = all(&bytes) {
                prop_assert!(entries.len() <= bytes.len());
            }
        }
    }
}
