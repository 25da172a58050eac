//! .sframe, as an unwinder finds it: one readable table, whose functions are code of the file and
//! sorted if the flags say so ("The SFrame Format" of GNU binutils, versions 1 to 3).

use super::{Report, is_code};
use crate::encoding::Encoding;
use crate::output_file::OutputFile;

/// Segment by which unwinders find the table.
const PT_GNU_SFRAME: u32 = 0x6474_e554;
/// `SFRAME_MAGIC`, with which each table begins.
const MAGIC: u64 = 0xdee2;
/// `SFRAME_F_FDE_SORTED`.
const SORTED: u8 = 1;
/// `SFRAME_F_FDE_FUNC_START_PCREL`.
const FROM_FIELD: u8 = 4;

pub(super) fn check(file: &OutputFile, report: &mut Report) {
    let Some(segment) = file.segments.iter().find(|s| s.kind == PT_GNU_SFRAME) else { return };
    let section = file.section(".sframe").filter(|s| s.address == segment.address);
    let Some(section) = section else {
        return report.add("sframe", "PT_GNU_SFRAME is not .sframe".to_owned());
    };
    let table = match table(file.encoding, file.section_bytes(section), section.address) {
        Some(table) => table,
        None => return report.add("sframe", "the table cannot be read".to_owned()),
    };
    let mut last = 0;
    for &(start, size) in &table.functions {
        report.expect("sframe", size == 0 || is_code(file, start), || {
            format!("{start:#x} is no code")
        });
        let in_order = !table.is_sorted || last <= start;
        report.expect("sframe", in_order, || format!("{start:#x} is not in order"));
        last = start;
    }
}

/// The contents of a table.
#[derive(Debug, PartialEq)]
struct Table {
    is_sorted: bool,
    /// Start and size of each function.
    functions: Vec<(u64, u32)>,
}

/// The table in `bytes`, at `address`. `None` if it cannot be read, or its rows are not inside it.
fn table(encoding: Encoding, bytes: &[u8], address: u64) -> Option<Table> {
    let word = |at: usize| Some(encoding.number(bytes.get(at..at + 4)?) as u32);
    let &[_, _, version, flags, _, _, _, added] = bytes.first_chunk()?;
    (encoding.number(&bytes[..2]) == MAGIC).then_some(())?;
    let fde_size = match version {
        1 => 17,
        2 => 20,
        3 => 16,
        _ => return None,
    };
    let base = 28 + usize::from(added);
    let (count, row_count, row_bytes) = (word(8)?, word(12)?, word(16)? as usize);
    let (fdes, rows) = (base + word(20)? as usize, base + word(24)? as usize);
    let rows = bytes.get(rows..rows + row_bytes)?;
    let (mut functions, mut rows_of_functions) = (Vec::new(), 0);
    for index in 0..count as usize {
        let at = fdes + index * fde_size;
        let from = if flags & FROM_FIELD == 0 { address } else { address.wrapping_add(at as u64) };
        let (low, high) = (word(at)?, word(at + 4)?);
        let (distance, size, first_row) = if version == 3 {
            (i64::from(high as i32) << 32 | i64::from(low), word(at + 8)?, word(at + 12)?)
        } else {
            (i64::from(low as i32), high, word(at + 8)?)
        };
        let of_function = rows.get(first_row as usize..)?;
        let (own, info, of_function) = match version {
            3 => {
                let (attributes, rest) = of_function.split_first_chunk::<5>()?;
                (encoding.number(&attributes[..2]) as u32, attributes[2], rest)
            }
            _ => (word(at + 12)?, *bytes.get(at + 16)?, of_function),
        };
        are_inside(of_function, own, info).then_some(())?;
        rows_of_functions += u64::from(own);
        functions.push((encoding.address(from.wrapping_add_signed(distance)), size));
    }
    let is_sorted = flags & SORTED != 0;
    (rows_of_functions == u64::from(row_count)).then_some(Table { is_sorted, functions })
}

/// Whether the first `count` rows of a function are in `rows`.
fn are_inside(mut rows: &[u8], count: u32, info: u8) -> bool {
    for _ in 0..count {
        // Sizes of 1, 2 or 4 bytes: of the address in the function, and of each offset.
        let size_of = |code: u8| (code < 3).then(|| 1 << code);
        let row = |rows: &[u8]| {
            let address = size_of(info & 0xf)?;
            let kind = *rows.get(address)?;
            Some(address + 1 + usize::from(kind >> 1 & 0xf) * size_of(kind >> 5 & 3)?)
        };
        match row(rows).and_then(|size| rows.get(size..)) {
            Some(rest) => rows = rest,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sorted table of version 3 with two functions; the second one is more than 2 GiB away.
    #[rustfmt::skip]
    const VERSION_3: &[u8] = &[
        0xe2, 0xde, 3, 5, 3, 0, 0xf8, 0, 2, 0, 0, 0, 3, 0, 0, 0, 22, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0,
        0xe4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 9, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0,
        1, 0, 0, 0, 0, 0, 3, 8,
        2, 0, 1, 0, 0, 0, 0, 3, 8, 1, 0, 0x23, 16, 0,
    ];

    fn changed(at: usize, byte: u8) -> Option<Table> {
        let mut bytes = VERSION_3.to_vec();
        bytes[at] = byte;
        table(Encoding::default(), &bytes, 0x1000)
    }

    #[test]
    fn version_3_is_read() {
        let functions = vec![(0x1000, 9), (0x1_0000_102c, 7)];
        let expected = Table { is_sorted: true, functions };
        assert_eq!(table(Encoding::default(), VERSION_3, 0x1000), Some(expected));
        let starts: Vec<u64> = changed(3, 1).unwrap().functions.iter().map(|f| f.0).collect();
        assert_eq!(starts, [0xfe4, 0x1_0000_1000], "from the section");
    }

    #[test]
    fn what_is_not_inside_cannot_be_read() {
        for (at, byte) in [(1, 0), (2, 4), (8, 3), (12, 4), (16, 23), (40, 21), (56, 22)] {
            assert_eq!(changed(at, byte), None, "{at}");
        }
        for length in 0..VERSION_3.len() {
            assert_eq!(table(Encoding::default(), &VERSION_3[..length], 0x1000), None, "{length}");
        }
    }
}
