//! The files that the numbers of DW_AT_decl_file refer to (DWARF 5, section 6.2.4).

use super::identity::text;
use super::tree::{EntryId, Tree};
use crate::entries::UnitView;
use crate::values::{self, Encoding, Value, fixed, uleb};
use gimli::constants::*;
use skald_core::hash::{Hash128, HashKey};

/// The files of a unit's line table, each as the hash of its path.
pub struct SourceFiles {
    paths: Vec<Hash128>,
    /// The number of the first file.
    first: u64,
}

/// Reads the file table of a line number program.
struct Reader<'a, 'v> {
    view: &'v UnitView<'a>,
    bytes: &'a [u8],
    at: usize,
    /// The encoding that the line table declares.
    encoding: Encoding,
}

impl SourceFiles {
    /// The files of the unit whose line table begins at `offset` of `lines`; none if the table is
    /// broken.
    pub fn read(tree: &Tree<'_>, lines: &[u8], offset: u64, key: &HashKey) -> SourceFiles {
        let first = if tree.unit().encoding.version >= 5 { 0 } else { 1 };
        let nothing = SourceFiles { paths: Vec::new(), first };
        let directory = tree.value(EntryId::ROOT, DW_AT_comp_dir);
        let directory = directory.and_then(|value| text(&tree.view, value)).unwrap_or_default();
        let Ok(at) = usize::try_from(offset) else { return nothing };
        let encoding = tree.unit().encoding;
        let mut reader = Reader { view: &tree.view, bytes: lines, at, encoding };
        reader.files(directory, key).unwrap_or(nothing)
    }

    /// Whether a number refers to a file: before DWARF 5, 0 means none.
    pub fn is_file(&self, number: u64) -> bool {
        number >= self.first
    }

    /// The hash of the path of a file by its number.
    pub fn path(&self, number: u64) -> Option<Hash128> {
        let index = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.paths.get(index).copied()
    }
}

/// `name` in `directory`.
fn joined(directory: &[u8], name: &[u8]) -> Vec<u8> {
    if name.starts_with(b"/") || directory.is_empty() {
        return name.to_vec();
    }
    [directory, b"/", name].concat()
}

impl<'a> Reader<'a, '_> {
    fn number(&mut self, size: usize) -> Option<u64> {
        fixed(self.bytes, &mut self.at, size, self.encoding.order)
    }

    fn files(&mut self, directory: &[u8], key: &HashKey) -> Option<SourceFiles> {
        let (offset_size, len) = match self.number(4)? {
            0xffff_ffff => (8, self.number(8)?),
            len => (4, len),
        };
        let end = self.at.checked_add(usize::try_from(len).ok()?)?;
        self.bytes = self.bytes.get(..end)?;
        let version = self.number(2)? as u16;
        self.encoding = Encoding { version, offset_size, ..self.encoding };
        if version >= 5 {
            self.number(2)?;
        }
        let _header_length = self.number(offset_size.into())?;
        // `minimum_instruction_length` to `opcode_base`; version 4 added one field.
        self.number(if version >= 4 { 5 } else { 4 })?;
        let opcode_base = self.number(1)? as usize;
        self.at = self.at.checked_add(opcode_base.checked_sub(1)?)?;
        match version {
            5 => self.new_files(directory, key),
            2..=4 => self.old_files(directory, key),
            _ => None,
        }
    }

    fn old_text(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..)?;
        let text = &rest[..memchr::memchr(0, rest)?];
        self.at += text.len() + 1;
        Some(text)
    }

    fn old_files(&mut self, directory: &[u8], key: &HashKey) -> Option<SourceFiles> {
        let mut directories = vec![directory.to_vec()];
        loop {
            match self.old_text()? {
                b"" => break,
                text => directories.push(joined(directory, text)),
            }
        }
        let mut paths = Vec::new();
        loop {
            let name = self.old_text()?;
            if name.is_empty() {
                return Some(SourceFiles { paths, first: 1 });
            }
            let directory = uleb(self.bytes, &mut self.at)?;
            let _time = uleb(self.bytes, &mut self.at)?;
            let _size = uleb(self.bytes, &mut self.at)?;
            let directory = directories.get(usize::try_from(directory).ok()?)?;
            paths.push(key.hash(&joined(directory, name)));
        }
    }

    /// The path, and the number of its directory, of the rows of a table.
    fn rows(&mut self) -> Option<Vec<(&'a [u8], u64)>> {
        let formats = self.number(1)?;
        let mut columns = Vec::new();
        for _ in 0..formats {
            let content = uleb(self.bytes, &mut self.at)?;
            let form = uleb(self.bytes, &mut self.at)?;
            columns.push((content, DwForm(u16::try_from(form).ok()?)));
        }
        let count = uleb(self.bytes, &mut self.at)?;
        let mut rows = Vec::new();
        for _ in 0..count {
            let before = self.at;
            let (mut path, mut directory) = (&b""[..], 0);
            for &(content, form) in &columns {
                let value = values::read(self.bytes, &mut self.at, form, 0, self.encoding)?;
                match (DwLnct(u16::try_from(content).unwrap_or(u16::MAX)), value) {
                    (DW_LNCT_path, value) => path = text(self.view, value)?,
                    (DW_LNCT_directory_index, Value::Number(number)) => directory = number,
                    _ => {}
                }
            }
            if self.at == before {
                return None;
            }
            rows.push((path, directory));
        }
        Some(rows)
    }

    fn new_files(&mut self, directory: &[u8], key: &HashKey) -> Option<SourceFiles> {
        let directories = self.rows()?;
        let base = joined(directory, directories.first().map_or(b"", |row| row.0));
        let directories: Vec<Vec<u8>> =
            directories.iter().map(|(path, _)| joined(&base, path)).collect();
        let files = self.rows()?;
        let path = |&(name, directory): &(&[u8], u64)| {
            let directory = directories.get(usize::try_from(directory).ok()?)?;
            Some(key.hash(&joined(directory, name)))
        };
        let paths = files.iter().map(path).collect::<Option<Vec<Hash128>>>()?;
        Some(SourceFiles { paths, first: 0 })
    }
}
