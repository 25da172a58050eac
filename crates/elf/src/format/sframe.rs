//! `.sframe`: tables by which profilers and the kernel unwind stacks without interpreting anything.
//!
//! A header, function entries (FDEs) of a fixed size, and behind them the rows (FREs) of each
//! function: from each of some instructions on, the locations of the CFA, the frame pointer and the
//! return address. Versions 1 and 2 differ in the size of an FDE. In version 3 the start of a
//! function has 64 bits, and the kind of its rows is stated in front of the rows instead of in the
//! FDE. Source: "The SFrame Format" of GNU binutils,
//! <https://sourceware.org/binutils/docs/sframe-spec.html>: 2.1 and 2.2 (header), 2.3 (function
//! descriptors: index, and from version 3 on attributes), 2.4 (rows). Version 3 is that of binutils
//! 2.46.

use skald_linking::byte_order::{ByteOrder, Number};
use skald_linking::cursor::{Cursor, Malformed};
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
    /// All flags of versions 1 and 2; version 3 has no [`FRAME_POINTER`].
    pub(super) const KNOWN: u8 = SORTED | FRAME_POINTER | FROM_FIELD;
}

/// The header of a table; tables that are joined have equal headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// `sfp_version`: 1, 2 or 3.
    pub version: u8,
    /// `sfp_flags`: see [`flags`].
    pub flags: u8,
    /// `sfh_abi_arch`: machine and byte order.
    pub abi: u8,
    /// `sfh_cfa_fixed_fp_offset`: offset from the CFA at which the frame pointer is saved; 0 if
    /// that varies.
    pub fixed_fp_offset: u8,
    /// `sfh_cfa_fixed_ra_offset`: offset from the CFA of the return address; 0 if that varies.
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
    /// What follows the number of rows: in versions 1 and 2 the rest of the FDE, in version 3 the
    /// rest of the attributes.
    pub tail: &'a [u8],
    /// The bytes of the rows (FREs).
    pub rows: &'a [u8],
}

/// A function's entry, as it is written.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// Start of the function, relative to the place that the table's flags determine.
    pub start: i64,
    /// Bytes of the function.
    pub size: u32,
    /// Offset of the function's rows or, in version 3, of the attributes in front of them.
    pub first_row: u32,
    /// How many rows there are.
    pub row_count: u32,
    /// As [`Fde::tail`]; the version determines how many of the bytes are used.
    pub tail: &'a [u8; 4],
}

/// A table of an `.sframe` section.
#[derive(Debug, Clone)]
pub struct Table<'a> {
    /// The part of the header that must be equal for tables to be joined.
    pub header: Header,
    order: ByteOrder,
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
        match self.version {
            1 => 17,
            2 => 20,
            _ => 16,
        }
    }

    /// Bytes of the attributes in front of a function's rows.
    pub const fn attributes_size(&self) -> usize {
        if self.version < 3 { 0 } else { 5 }
    }

    /// [`Fde::tail`] for a function with this info byte, whose rows repeat every `repeat` bytes.
    pub const fn tail(&self, info: u8, repeat: u8) -> [u8; 4] {
        if self.version < 3 { [info, repeat, 0, 0] } else { [info, 0, repeat, 0] }
    }

    /// Writes an FDE. `None` if the field of this version cannot hold the distance to the function.
    pub fn write_fde(&self, order: ByteOrder, out: &mut [u8], entry: &Entry<'_>) -> Option<()> {
        let &Entry { start, size, first_row, row_count, tail } = entry;
        let mut put = Writer(order, out);
        if self.version < 3 {
            put.number(i32::try_from(start).ok()?);
            put.number(size);
            put.number(first_row);
            put.number(row_count);
            put.bytes(&tail[..self.fde_size() - 16]);
        } else {
            put.number(start);
            put.number(size);
            put.number(first_row);
        }
        Some(())
    }

    /// Writes the attributes in front of the rows of a function; there are none before version 3.
    pub fn write_attributes(
        &self,
        order: ByteOrder,
        out: &mut [u8],
        row_count: u32,
        tail: &[u8; 4],
    ) {
        if self.attributes_size() != 0 {
            let mut put = Writer(order, out);
            // No function of an input has more rows, because the field has 16 bits there, too.
            put.number(u16::try_from(row_count).unwrap_or(u16::MAX));
            put.bytes(&tail[..3]);
        }
    }

    /// Writes a header for a table of `fdes` FDEs, and `rows` rows in `row_bytes` bytes, without
    /// gaps.
    pub fn write(&self, order: ByteOrder, out: &mut [u8], fdes: u32, rows: u32, row_bytes: u32) {
        let mut put = Writer(order, out);
        put.number(MAGIC);
        put.bytes(&[
            self.version,
            self.flags,
            self.abi,
            self.fixed_fp_offset,
            self.fixed_ra_offset,
            0,
        ]);
        let rows_offset = fdes.wrapping_mul(self.fde_size() as u32);
        for word in [fdes, rows, row_bytes, 0, rows_offset] {
            put.number(word);
        }
    }
}

/// The bytes that are still to be written, and the byte order of numbers.
struct Writer<'a>(ByteOrder, &'a mut [u8]);

impl Writer<'_> {
    fn bytes(&mut self, bytes: &[u8]) {
        let (field, rest) = std::mem::take(&mut self.1).split_at_mut(bytes.len());
        field.copy_from_slice(bytes);
        self.1 = rest;
    }

    fn number(&mut self, number: impl Number) {
        self.bytes(self.0.bytes(number).as_ref());
    }
}

/// Decodes the tables of a section: `-r` concatenates those of several files.
pub fn tables(order: ByteOrder, section: &[u8]) -> Result<Vec<Table<'_>>, Malformed> {
    let mut tables = Vec::new();
    let mut start = 0;
    while start < section.len() {
        let (table, size) =
            Table::parse(order, &section[start..], start).map_err(|e| e.moved_by(start))?;
        tables.push(table);
        // In a section with an alignment of eight bytes there are zeros between tables.
        start += size;
        start += section[start..].iter().take_while(|&&byte| byte == 0).count();
    }
    Ok(tables)
}

impl<'a> Table<'a> {
    /// Decodes the table that `bytes` begins with; also returns its size. `start` is its offset in
    /// the section.
    fn parse(
        order: ByteOrder,
        bytes: &'a [u8],
        start: usize,
    ) -> Result<(Table<'a>, usize), Malformed> {
        const TRUNCATED: &str = "truncated .sframe header";
        let mut cursor = Cursor::new(bytes);
        let mut byte = || cursor.u8(TRUNCATED);
        if order.number::<u16>([byte()?, byte()?]) != MAGIC {
            return Err(Malformed::new("no .sframe table", 0));
        }
        let (version, flags) = (byte()?, byte()?);
        let known_flags = match version {
            1 | 2 => flags::KNOWN,
            3 => flags::KNOWN & !flags::FRAME_POINTER,
            _ => return Err(Malformed::new("unknown version of .sframe", 2)),
        };
        if flags & !known_flags != 0 {
            return Err(Malformed::new("unknown flags of .sframe", 3));
        }
        let header = Header {
            version,
            flags,
            abi: byte()?,
            fixed_fp_offset: byte()?,
            fixed_ra_offset: byte()?,
        };
        let added = usize::from(byte()?);
        let mut word = || cursor.u32(order, TRUNCATED).map(|word| word as usize);
        let (fde_count, _row_count, row_bytes) = (word()?, word()?, word()?);
        let (fdes, rows) = (word()?, word()?);
        // Assemblers of versions 1 and 2 write starts relative to their own field without setting
        // the flag. In version 3 the flag is right, and GNU ld accepts no others either.
        if version > 2 && fde_count > 0 && flags & flags::FROM_FIELD == 0 {
            return Err(Malformed::new(
                "starts of .sframe functions do not count from themselves",
                3,
            ));
        }
        let base = HEADER_SIZE + added;
        // The fields have 32 bits and the factors are small, so 64 bits do not overflow.
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
        Ok((Table { header, order, bytes, start, fde_start, fde_count, rows }, size))
    }

    /// The FDEs in order. No two FDEs share rows, so a table claims no more bytes than it has.
    pub fn fdes(&self) -> Result<Vec<Fde<'a>>, Malformed> {
        let mut room = self.rows.len();
        let mut fdes = Vec::with_capacity(self.fde_count);
        for index in 0..self.fde_count {
            let at = self.fde_start + index * self.header.fde_size();
            let fde = self.fde(at)?;
            room = room
                .checked_sub(self.header.attributes_size() + fde.rows.len())
                .ok_or(Malformed::new("rows of .sframe functions overlap", self.start + at))?;
            fdes.push(fde);
        }
        Ok(fdes)
    }

    /// The FDE at offset `at` of the table.
    fn fde(&self, at: usize) -> Result<Fde<'a>, Malformed> {
        let section_offset = self.start + at;
        let malformed = Malformed::new("malformed rows of an .sframe function", section_offset);
        let fde = &self.bytes[at..at + self.header.fde_size()];
        let word = |at: usize| self.order.get::<u32>(fde, at).expect("inside of the FDE");
        let all = &self.bytes[self.rows.clone()];
        let behind = |first_row: u32| all.get(first_row as usize..).unwrap_or_default();
        let (size, row_count, tail, rows) = if self.header.version < 3 {
            (word(4), word(12), &fde[16..], behind(word(8)))
        } else {
            let attributes = behind(word(12)).split_at_checked(self.header.attributes_size());
            let (attributes, rows) = attributes.ok_or(malformed)?;
            let row_count = self.order.number::<u16>([attributes[0], attributes[1]]);
            (word(8), u32::from(row_count), &attributes[2..], rows)
        };
        let length = rows_length(rows, row_count, tail[0]).ok_or(malformed)?;
        Ok(Fde { section_offset, size, row_count, tail, rows: &rows[..length] })
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

    const ROWS: [u8; 7] = [0, 3, 8, 4, 5, 24, 0xf0];

    fn header(version: u8) -> Header {
        let flags = if version < 3 { 0 } else { flags::FROM_FIELD };
        Header { version, flags, ..HEADER }
    }

    fn table(version: u8) -> Vec<u8> {
        table_in(ByteOrder::Little, version)
    }

    fn tables(bytes: &[u8]) -> Result<Vec<Table<'_>>, Malformed> {
        super::tables(ByteOrder::Little, bytes)
    }

    /// A table of one function with two rows.
    fn table_in(order: ByteOrder, version: u8) -> Vec<u8> {
        let header = header(version);
        let (before, fdes) = (header.attributes_size(), HEADER_SIZE + header.fde_size());
        let mut bytes = vec![0; fdes + before];
        bytes.extend(ROWS);
        let tail = &header.tail(0x10, 16);
        header.write(order, &mut bytes, 1, 2, (before + ROWS.len()) as u32);
        let entry = Entry { start: -4, size: 52, first_row: 0, row_count: 2, tail };
        header.write_fde(order, &mut bytes[HEADER_SIZE..fdes], &entry).unwrap();
        header.write_attributes(order, &mut bytes[fdes..], 2, tail);
        bytes
    }

    #[test]
    fn all_versions_are_read() {
        let tails: [&[u8]; 3] = [&[0x10], &[0x10, 16, 0, 0], &[0x10, 0, 16]];
        let orders = [ByteOrder::Little, ByteOrder::Big];
        let all = (1..=3).zip(tails).flat_map(|each| orders.map(|order| (order, each)));
        for (order, (version, tail)) in all {
            let bytes = table_in(order, version);
            let tables = super::tables(order, &bytes).unwrap();
            assert_eq!(tables.len(), 1);
            assert_eq!(tables[0].header, header(version));
            let fdes = tables[0].fdes().unwrap();
            assert_eq!(fdes.len(), 1);
            assert_eq!((fdes[0].section_offset, fdes[0].size), (HEADER_SIZE, 52));
            assert_eq!((fdes[0].row_count, fdes[0].tail), (2, tail));
            assert_eq!(fdes[0].rows, ROWS);
        }
    }

    /// The bytes of version 3 according to its specification, 2.3 and 2.4.
    #[test]
    fn version_3_is_as_specified() {
        #[rustfmt::skip]
        let expected = [
            0xe2, 0xde, 3, 4, 3, 0, 0xf8, 0, // Magic, version, flags, ABI, fixed offsets.
            1, 0, 0, 0, 2, 0, 0, 0, // One function, two rows,
            12, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, // of 12 bytes with the attributes.
            0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, // Index: start,
            52, 0, 0, 0, 0, 0, 0, 0, // size, and first row.
            2, 0, 0x10, 0, 16, // Attributes: rows, two bytes of info, repeated block.
            0, 3, 8, 4, 5, 24, 0xf0,
        ];
        assert_eq!(table(3), expected);
    }

    #[test]
    fn only_version_3_reaches_beyond_2_gib() {
        for version in 1..=3 {
            let header = header(version);
            let mut out = vec![0; header.fde_size()];
            let mut write = |start| {
                let tail = &[0; 4];
                let entry = Entry { start, size: 1, first_row: 0, row_count: 0, tail };
                header.write_fde(ByteOrder::Little, &mut out, &entry).is_some()
            };
            assert!(write(-0x8000_0000) && write(0x7fff_ffff));
            assert_eq!([write(-0x8000_0001), write(0x8000_0000)], [version == 3; 2]);
        }
    }

    #[test]
    fn flags_of_other_versions_are_refused() {
        for (version, known) in [(1, 7), (2, 7), (3, 5)] {
            for bit in 0..8 {
                let mut bytes = table(version);
                bytes[3] |= 1 << bit;
                assert_eq!(tables(&bytes).is_ok(), known >> bit & 1 == 1, "{version} {bit}");
            }
        }
        let mut bytes = table(3);
        bytes[3] = 0;
        assert_eq!(tables(&bytes).unwrap_err().offset, 3);
        bytes[8] = 0;
        assert!(tables(&bytes).is_ok(), "there is no function whose start could be wrong");
    }

    #[test]
    fn attributes_are_no_ones_rows() {
        let mut bytes = table(3);
        // A second function that uses the same five bytes.
        let index: Vec<u8> = bytes[HEADER_SIZE..HEADER_SIZE + 16].to_vec();
        bytes.splice(HEADER_SIZE..HEADER_SIZE, index);
        (bytes[8], bytes[24], bytes[60]) = (2, 32, 0);
        let overlapping = tables(&bytes).unwrap()[0].fdes();
        assert!(overlapping.is_ok(), "two times no row fit into the rows");
        bytes[60] = 1;
        let overlapping = tables(&bytes).unwrap()[0].fdes();
        assert_eq!(overlapping.unwrap_err().what, "rows of .sframe functions overlap");
        let mut bytes = table(3);
        for first_row in [8, 12, 13, 0xff] {
            bytes[HEADER_SIZE + 12] = first_row;
            let fdes = tables(&bytes).unwrap()[0].fdes();
            assert_eq!(fdes.unwrap_err().what, "malformed rows of an .sframe function");
        }
    }

    #[test]
    fn joined_tables_are_told_apart() {
        for version in [1, 3] {
            let mut bytes = table(version);
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            let second = bytes.len();
            bytes.extend(table(version));
            let tables = tables(&bytes).unwrap();
            let fdes = tables.iter().flat_map(|table| table.fdes().unwrap());
            let offsets: Vec<usize> = fdes.map(|fde| fde.section_offset).collect();
            assert_eq!(offsets, [HEADER_SIZE, second + HEADER_SIZE]);
        }
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let read = |bytes: &[u8]| {
            if let Ok(tables) = tables(bytes) {
                tables.iter().for_each(|table| drop(table.fdes()));
            }
        };
        for good in [table(2), table(3)] {
            for length in 1..good.len() {
                assert!(tables(&good[..length]).is_err());
            }
            for at in 0..good.len() {
                for byte in 0..=0xff {
                    let mut bytes = good.clone();
                    bytes[at] = byte;
                    read(&bytes);
                }
            }
        }
        assert_eq!(tables(&[1, 0, 0, 0]).unwrap_err().what, "no .sframe table");
    }
}
