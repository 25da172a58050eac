//! `.sframe`: tables by which profilers and the kernel unwind stacks without interpreting anything.
//!
//! A header, function entries (FDEs) of a fixed size, and behind them the rows (FREs) of each
//! function: from which of its instructions on where the CFA, the frame pointer and the return
//! address are. Versions 1 and 2 differ in the size of an FDE. Source: "The SFrame Format" of GNU
//! binutils, <https://sourceware.org/binutils/docs/sframe-spec.html>.

use skald_base::cursor::{Cursor, Malformed};
use std::ops::Range;

/// The first two bytes, little-endian.
const MAGIC: u16 = 0xdee2;
/// Bytes of a header without an auxiliary header.
pub const HEADER_SIZE: usize = 28;

/// Bits of [`Header::flags`].
pub mod flags {
    /// FDEs are sorted by address.
    pub const SORTED: u8 = 1;
    /// All functions keep the frame pointer.
    pub const FRAME_POINTER: u8 = 2;
    /// Start addresses count from their own field, not from the section.
    pub const FROM_FIELD: u8 = 4;
}

/// The header of a table; tables of one output have equal ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// `sfp_version`: 1 or 2.
    pub version: u8,
    /// `sfp_flags`: see [`flags`].
    pub flags: u8,
    /// `sfh_abi_arch`: machine and byte order.
    pub abi: u8,
    /// `sfh_cfa_fixed_fp_offset`: where the frame pointer is saved, from the CFA; 0 if that varies.
    pub fixed_fp_offset: u8,
    /// `sfh_cfa_fixed_ra_offset`: where the return address is, from the CFA; 0 if that varies.
    pub fixed_ra_offset: u8,
}

/// An FDE: a function, and its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fde<'a> {
    /// Offset in the section of the FDE, which begins with the start address.
    pub section_offset: usize,
    /// Bytes of the function.
    pub size: u32,
    /// How many rows there are.
    pub row_count: u32,
    /// The bytes of the FDE behind the number of rows.
    pub tail: &'a [u8],
    /// The bytes of the rows (FREs).
    pub rows: &'a [u8],
}

/// A table of an `.sframe` section.
#[derive(Debug, Clone)]
pub struct Table<'a> {
    /// The part of its header that must be equal to be joined with others.
    pub header: Header,
    bytes: &'a [u8],
    /// Offset of the table in the section.
    start: usize,
    fde_start: usize,
    fde_count: usize,
    rows: Range<usize>,
}

impl Header {
    /// Bytes of an FDE in this version.
    pub const fn fde_size(&self) -> usize {
        if self.version == 1 { 17 } else { 20 }
    }

    /// Writes a header for a table of `fdes` FDEs, and `rows` rows in `row_bytes` bytes, without
    /// gaps.
    pub fn write(&self, out: &mut [u8], fdes: u32, rows: u32, row_bytes: u32) {
        out[..2].copy_from_slice(&MAGIC.to_le_bytes());
        out[2..8].copy_from_slice(&[
            self.version,
            self.flags,
            self.abi,
            self.fixed_fp_offset,
            self.fixed_ra_offset,
            0,
        ]);
        let rows_offset = fdes.wrapping_mul(self.fde_size() as u32);
        for (field, word) in
            out[8..HEADER_SIZE].chunks_exact_mut(4).zip([fdes, rows, row_bytes, 0, rows_offset])
        {
            field.copy_from_slice(&word.to_le_bytes());
        }
    }
}

/// Decodes the tables of a section: `-r` puts those of several files one behind the other.
pub fn tables(section: &[u8]) -> Result<Vec<Table<'_>>, Malformed> {
    let mut tables = Vec::new();
    let mut start = 0;
    while start < section.len() {
        let (table, size) =
            Table::parse(&section[start..], start).map_err(|e| e.moved_by(start))?;
        tables.push(table);
        // In a section of eight-byte alignment there are zeros between tables.
        start += size;
        start += section[start..].iter().take_while(|&&byte| byte == 0).count();
    }
    Ok(tables)
}

impl<'a> Table<'a> {
    /// Decodes the table that `bytes` begins with; also returns its size. `start` is its offset in
    /// the section.
    fn parse(bytes: &'a [u8], start: usize) -> Result<(Table<'a>, usize), Malformed> {
        const TRUNCATED: &str = "truncated .sframe header";
        let mut cursor = Cursor::new(bytes);
        let mut byte = || cursor.u8(TRUNCATED);
        if u16::from_le_bytes([byte()?, byte()?]) != MAGIC {
            return Err(Malformed::new("no .sframe table", 0));
        }
        let (version, flags) = (byte()?, byte()?);
        if !matches!(version, 1 | 2) {
            return Err(Malformed::new("unknown version of .sframe", 2));
        }
        let header = Header {
            version,
            flags,
            abi: byte()?,
            fixed_fp_offset: byte()?,
            fixed_ra_offset: byte()?,
        };
        let added = usize::from(byte()?);
        let mut word = || cursor.u32(TRUNCATED).map(|word| word as usize);
        let (fde_count, _row_count, row_bytes) = (word()?, word()?, word()?);
        let (fdes, rows) = (word()?, word()?);
        let base = HEADER_SIZE + added;
        // The fields have 32 bits and factors are small: 64 bits do not overflow.
        let fde_start = base + fdes;
        let fde_end = fde_start + fde_count * header.fde_size();
        let rows = base + rows..base + rows + row_bytes;
        if fde_end > bytes.len() {
            return Err(Malformed::new(".sframe functions lie outside the section", 8));
        }
        if rows.end > bytes.len() {
            return Err(Malformed::new(".sframe rows lie outside the section", 16));
        }
        let size = fde_end.max(rows.end).max(base.min(bytes.len()));
        Ok((Table { header, bytes, start, fde_start, fde_count, rows }, size))
    }

    /// The FDEs in order. No two share rows, so that a table claims no more than it has.
    pub fn fdes(&self) -> Result<Vec<Fde<'a>>, Malformed> {
        let mut room = self.rows.len();
        let mut fdes = Vec::with_capacity(self.fde_count);
        for index in 0..self.fde_count {
            let at = self.fde_start + index * self.header.fde_size();
            let fde = self.fde(at)?;
            room = room
                .checked_sub(fde.rows.len())
                .ok_or(Malformed::new("rows of .sframe functions overlap", self.start + at))?;
            fdes.push(fde);
        }
        Ok(fdes)
    }

    /// The FDE number `at` of the table.
    fn fde(&self, at: usize) -> Result<Fde<'a>, Malformed> {
        let place = self.start + at;
        let fde = &self.bytes[at..at + self.header.fde_size()];
        let word = |at: usize| u32::from_le_bytes(fde[at..at + 4].try_into().expect("four bytes"));
        let (size, first_row, row_count) = (word(4), word(8) as usize, word(12));
        let all = &self.bytes[self.rows.clone()];
        let rows = all.get(first_row..).unwrap_or_default();
        let length = rows_length(rows, row_count, fde[16])
            .ok_or(Malformed::new("malformed rows of an .sframe function", place))?;
        let (tail, rows) = (&fde[16..], &rows[..length]);
        Ok(Fde { section_offset: place, size, row_count, tail, rows })
    }
}

/// Bytes of the first `count` rows of `rows`, for a function with this info byte.
fn rows_length(rows: &[u8], count: u32, info: u8) -> Option<usize> {
    let address_size = match info & 0xf {
        0 => 1,
        1 => 2,
        2 => 4,
        _ => return None,
    };
    let mut at = 0usize;
    for _ in 0..count {
        let row = *rows.get(at + address_size)?;
        let offset_size = match row >> 5 & 3 {
            0 => 1,
            1 => 2,
            2 => 4,
            _ => return None,
        };
        at += address_size + 1 + usize::from(row >> 1 & 0xf) * offset_size;
        if at > rows.len() {
            return None;
        }
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: Header =
        Header { version: 1, flags: 0, abi: 3, fixed_fp_offset: 0, fixed_ra_offset: 0xf8 };

    /// A table of one function with two rows.
    fn table(version: u8) -> Vec<u8> {
        let header = Header { version, ..HEADER };
        let rows = [0, 3, 8, 4, 5, 24, 0xf0];
        let mut bytes = vec![0; HEADER_SIZE];
        header.write(&mut bytes, 1, 2, rows.len() as u32);
        for word in [0u32, 52, 0, 2] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.resize(HEADER_SIZE + header.fde_size(), 0);
        bytes.extend(rows);
        bytes
    }

    #[test]
    fn both_versions_are_read() {
        for version in [1, 2] {
            let bytes = table(version);
            let tables = tables(&bytes).unwrap();
            assert_eq!(tables.len(), 1);
            assert_eq!(tables[0].header, Header { version, ..HEADER });
            let fdes = tables[0].fdes().unwrap();
            assert_eq!(fdes.len(), 1);
            assert_eq!((fdes[0].section_offset, fdes[0].size), (HEADER_SIZE, 52));
            assert_eq!(fdes[0].rows, [0, 3, 8, 4, 5, 24, 0xf0]);
        }
    }

    #[test]
    fn joined_tables_are_told_apart() {
        let mut bytes = table(1);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        let second = bytes.len();
        bytes.extend(table(1));
        let tables = tables(&bytes).unwrap();
        let fdes = tables.iter().flat_map(|table| table.fdes().unwrap());
        let offsets: Vec<usize> = fdes.map(|fde| fde.section_offset).collect();
        assert_eq!(offsets, [HEADER_SIZE, second + HEADER_SIZE]);
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let read = |bytes: &[u8]| {
            if let Ok(tables) = tables(bytes) {
                tables.iter().for_each(|table| drop(table.fdes()));
            }
        };
        let good = table(2);
        for length in 0..good.len() {
            assert!(length == 0 || tables(&good[..length]).is_err());
        }
        for at in 0..good.len() {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut bytes = good.clone();
                bytes[at] = byte;
                read(&bytes);
            }
        }
        assert_eq!(tables(&[1, 0, 0, 0]).unwrap_err().what, "no .sframe table");
    }
}
