//! `.debug_str_offsets.dwo`: tables of offsets into `.debug_str.dwo`. DWARF 5 has a header before
//! each (section 7.26), GNU's form one table without header.

use super::super::values::fixed;
use super::Form;
use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::Malformed;
use std::ops::Range;

/// The tables of a file.
pub struct StringTables<'a> {
    bytes: &'a [u8],
    order: ByteOrder,
    /// The byte range of each table's entries, and the size of an entry.
    tables: Vec<(Range<usize>, usize)>,
}

impl<'a> StringTables<'a> {
    /// The tables in `bytes`. `offset_size` is the size of an entry if there is no header.
    ///
    /// # Errors
    /// With the offset in `bytes` of what is broken.
    pub fn parse(
        bytes: &'a [u8],
        form: Form,
        offset_size: u8,
        order: ByteOrder,
    ) -> Result<StringTables<'a>, Malformed> {
        let mut tables = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let (range, size) = match form {
                Form::Gnu => (0..bytes.len(), usize::from(offset_size)),
                Form::Dwarf5 => match table(bytes, at, order)? {
                    Some(table) => table,
                    None => break,
                },
            };
            if !range.len().is_multiple_of(size) {
                return Err(Malformed::new("table of strings ends within an offset", at));
            }
            at = range.end;
            tables.push((range, size));
        }
        Ok(StringTables { bytes, order, tables })
    }

    /// Offsets of strings, in order.
    pub fn offsets(&self) -> impl Iterator<Item = u64> {
        let entries =
            |(range, size): &(Range<usize>, usize)| self.bytes[range.clone()].chunks_exact(*size);
        let number = |entry: &[u8]| self.order.unsigned(entry);
        self.tables.iter().flat_map(entries).map(number)
    }

    /// How many offsets there are.
    pub fn count(&self) -> usize {
        self.tables.iter().map(|(range, size)| range.len() / size).sum()
    }

    /// Bytes of all tables, with their headers.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Fills `out`, which is as long as the tables, with the same tables, but with other offsets.
    pub fn write(&self, mut offsets: impl Iterator<Item = u32>, out: &mut [u8]) {
        out.copy_from_slice(self.bytes);
        for (range, size) in &self.tables {
            for entry in out[range.clone()].chunks_exact_mut(*size) {
                let offset = u64::from(offsets.next().unwrap_or(0));
                self.order.put_low(entry, offset);
            }
        }
    }
}

/// The entries of the table whose header is at `at`, and their size; `None` if zeros follow.
fn table(
    bytes: &[u8],
    at: usize,
    order: ByteOrder,
) -> Result<Option<(Range<usize>, usize)>, Malformed> {
    let wrong = |what| Malformed::new(what, at);
    let truncated = wrong("truncated table of strings");
    if bytes[at..].iter().all(|&byte| byte == 0) {
        return Ok(None);
    }
    let mut entries = at;
    let mut next = |size| fixed(bytes, &mut entries, size, order).ok_or(truncated);
    let (size, len) = match next(4)? {
        0xffff_ffff => (8, next(8)?),
        len @ 0..0xffff_fff0 => (4, len),
        _ => return Err(wrong("reserved length of a table of strings")),
    };
    if next(2)? != 5 {
        return Err(wrong("unknown version of a table of strings"));
    }
    next(2)?;
    let len = len.checked_sub(4).and_then(|len| usize::try_from(len).ok()).ok_or(truncated)?;
    let end = entries.checked_add(len).filter(|&end| end <= bytes.len()).ok_or(truncated)?;
    Ok(Some((entries..end, size)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(bytes: &[u8], form: Form, size: u8) -> (Vec<u64>, Vec<u8>) {
        let tables =
            StringTables::parse(bytes, form, size, ByteOrder::Little).expect("whole tables");
        let offsets: Vec<u64> = tables.offsets().collect();
        assert_eq!(offsets.len(), tables.count());
        let mut out = vec![0xaa; bytes.len()];
        tables.write(offsets.iter().map(|&offset| offset as u32 + 0x100), &mut out);
        (offsets, out)
    }

    #[test]
    fn tables_with_headers() {
        let mut bytes = vec![12, 0, 0, 0, 5, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0];
        bytes.extend([255, 255, 255, 255, 12, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0]);
        bytes.extend([7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let (offsets, out) = rewritten(&bytes, Form::Dwarf5, 4);
        assert_eq!(offsets, [3, 1, 7]);
        bytes[9] = 1;
        bytes[13] = 1;
        bytes[33] = 1;
        assert_eq!(out, bytes);
    }

    #[test]
    fn one_table_without_header() {
        let (offsets, out) = rewritten(&[3, 0, 0, 0, 1, 0, 0, 0], Form::Gnu, 4);
        assert_eq!((offsets, out), (vec![3, 1], vec![3, 1, 0, 0, 1, 1, 0, 0]));
        let (offsets, out) = rewritten(&[3, 0, 0, 0, 0, 0, 0, 0], Form::Gnu, 8);
        assert_eq!((offsets, out), (vec![3], vec![3, 1, 0, 0, 0, 0, 0, 0]));
    }

    #[test]
    fn broken_tables_are_refused() {
        let what = |bytes: &[u8], form| {
            StringTables::parse(bytes, form, 4, ByteOrder::Little).err().map(|e| e.what)
        };
        let odd = Some("table of strings ends within an offset");
        assert_eq!(what(&[1, 2, 3], Form::Gnu), odd);
        assert_eq!(what(&[6, 0, 0, 0, 5, 0, 0, 0, 1, 1], Form::Dwarf5), odd);
        let truncated = Some("truncated table of strings");
        assert_eq!(what(&[12, 0, 0, 0, 5, 0, 0, 0, 1, 1], Form::Dwarf5), truncated);
        assert_eq!(what(&[2, 0, 0, 0, 5, 0, 0, 0], Form::Dwarf5), truncated);
        let version = Some("unknown version of a table of strings");
        assert_eq!(what(&[4, 0, 0, 0, 4, 0, 0, 0], Form::Dwarf5), version);
        assert_eq!(what(&[], Form::Dwarf5), None);
    }
}
