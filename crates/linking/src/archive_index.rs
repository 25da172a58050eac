//! The symbol index of an archive: which member defines a name.
//!
//! [`IndexIter`] yields every entry with its name as a range of the name pool, so that the caller
//! can keep 32-bit numbers. It walks the index only: a large link has hundreds of thousands of
//! entries and needs few of the members. The layouts are described in [`super::archive`].

use std::fmt;
use std::ops::Range;

use super::cursor::{Cursor, Malformed};

/// The layout of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexKind {
    /// `/`: big-endian, 32 bits.
    Gnu32,
    /// `/SYM64/`: big-endian, 64 bits.
    Gnu64,
    /// `__.SYMDEF`: little-endian, 32 bits.
    Bsd32,
    /// `__.SYMDEF_64`: little-endian, 64 bits.
    Bsd64,
}

impl IndexKind {
    const fn is_gnu(self) -> bool {
        matches!(self, IndexKind::Gnu32 | IndexKind::Gnu64)
    }

    /// Size of a number in bytes.
    const fn width(self) -> usize {
        match self {
            IndexKind::Gnu32 | IndexKind::Bsd32 => 4,
            IndexKind::Gnu64 | IndexKind::Bsd64 => 8,
        }
    }

    /// Reads the number at byte `at` of `table`; `None` past the end.
    #[inline]
    fn number(self, table: &[u8], at: usize) -> Option<u64> {
        let rest = table.get(at..)?;
        Some(match self {
            IndexKind::Gnu32 => u64::from(u32::from_be_bytes(*rest.first_chunk()?)),
            IndexKind::Gnu64 => u64::from_be_bytes(*rest.first_chunk()?),
            IndexKind::Bsd32 => u64::from(u32::from_le_bytes(*rest.first_chunk()?)),
            IndexKind::Bsd64 => u64::from_le_bytes(*rest.first_chunk()?),
        })
    }
}

/// An index whose header has been checked.
#[derive(Debug, Clone, Copy)]
pub struct Index<'a> {
    kind: IndexKind,
    /// The numbers: member offsets (GNU) or pairs of name and member offsets (BSD).
    table: &'a [u8],
    names: &'a [u8],
    /// Size of the archive in bytes; member offsets must be below it.
    archive_size: u64,
}

/// One symbol of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexEntry {
    /// Offset of the name in [`Index::names`], in bytes.
    pub name_offset: usize,
    /// Length of the name in bytes.
    pub name_len: usize,
    /// File offset of the header of the member that defines it. It lies within the archive;
    /// whether there is a header is found by `Archive::member_at`.
    pub member_offset: u64,
}

/// Errors of an index's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexError<'a> {
    /// A name is missing or has no end; the offset counts from the start of the numbers.
    Name(Malformed),
    /// The entry of `name` refers to a member that would lie outside of the archive.
    Member {
        /// The symbol of the entry.
        name: &'a [u8],
        /// File offset of the member's header, as the index has it.
        member_offset: u64,
    },
}

impl fmt::Display for IndexError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexError::Name(malformed) => write!(f, "archive index: {malformed}"),
            IndexError::Member { name, member_offset } => write!(
                f,
                "archive index: symbol {} refers to a member at offset {member_offset:#x}, \
                 outside of the archive",
                name.escape_ascii()
            ),
        }
    }
}

impl std::error::Error for IndexError<'_> {}

impl<'a> Index<'a> {
    /// Reads the header of the index at `range` of file offsets in `archive`.
    pub(super) fn parse(
        kind: IndexKind,
        archive: &'a [u8],
        range: Range<usize>,
    ) -> Result<Index<'a>, Malformed> {
        let mut cursor = Cursor::starting_at(&archive[..range.end], range.start);
        let (table, names) = if range.is_empty() {
            (&[][..], &[][..])
        } else if kind.is_gnu() {
            let len = sized(kind, &mut cursor, kind.width())?;
            let table = cursor.take(len, "archive index announces more entries than fit")?;
            (table, cursor.take(cursor.remaining(), "")?)
        } else {
            let len = sized(kind, &mut cursor, 1)?;
            let table = cursor.take(len, "archive index announces more entries than fit")?;
            let len = sized(kind, &mut cursor, 1)?;
            (table, cursor.take(len, "archive index announces more names than fit")?)
        };
        Ok(Index { kind, table, names, archive_size: archive.len() as u64 })
    }

    /// The name pool: NUL-terminated names.
    pub const fn names(&self) -> &'a [u8] {
        self.names
    }

    /// Bytes of the name pool that belong to `entry`.
    pub fn name(&self, entry: &IndexEntry) -> &'a [u8] {
        &self.names[entry.name_offset..entry.name_offset + entry.name_len]
    }

    /// How many entries the index has: as it announces and the file has room for.
    pub const fn len(&self) -> usize {
        self.table.len() / self.entry_size()
    }

    /// Whether there are no entries.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    const fn entry_size(&self) -> usize {
        if self.kind.is_gnu() { self.kind.width() } else { 2 * self.kind.width() }
    }

    /// The entries in order. After an error the iterator ends.
    pub const fn iter(&self) -> IndexIter<'a> {
        IndexIter { index: *self, at: 0, name: 0 }
    }
}

impl<'a> IntoIterator for &Index<'a> {
    type Item = Result<IndexEntry, IndexError<'a>>;
    type IntoIter = IndexIter<'a>;

    fn into_iter(self) -> IndexIter<'a> {
        self.iter()
    }
}

/// Reads a count of units of `unit` bytes and returns the size of all units in bytes.
fn sized(kind: IndexKind, cursor: &mut Cursor<'_>, unit: usize) -> Result<usize, Malformed> {
    let at = cursor.position();
    let field = cursor.take(kind.width(), "truncated archive index")?;
    kind.number(field, 0)
        .and_then(|count| usize::try_from(count).ok()?.checked_mul(unit))
        .ok_or(Malformed::new("archive index announces more entries than fit", at))
}

/// Iterates over the entries of an index: see [`Index::iter`].
#[derive(Debug, Clone)]
pub struct IndexIter<'a> {
    index: Index<'a>,
    /// How many bytes of the table have been read.
    at: usize,
    /// Offset of the next name in a GNU index, whose names follow each other.
    name: usize,
}

impl<'a> IndexIter<'a> {
    /// The next entry, with the result of `read_name` for its name. `read_name` finds the end of
    /// the name on the way: it gets the name pool from the name's first byte on, and returns the
    /// name's length, or `None` if no NUL ends it.
    #[inline]
    pub fn next_with<T>(
        &mut self,
        read_name: impl FnOnce(&'a [u8]) -> Option<(usize, T)>,
    ) -> Option<Result<(IndexEntry, T), IndexError<'a>>> {
        if self.index.table.len() - self.at < self.index.entry_size() {
            return None;
        }
        let entry = self.entry(read_name);
        if entry.is_err() {
            self.at = self.index.table.len();
        }
        Some(entry)
    }

    #[inline]
    fn entry<T>(
        &mut self,
        read_name: impl FnOnce(&'a [u8]) -> Option<(usize, T)>,
    ) -> Result<(IndexEntry, T), IndexError<'a>> {
        let Index { kind, table, names, archive_size } = self.index;
        let missing = IndexError::Name(Malformed::new("an entry has no name", self.at));
        let number = |at| kind.number(table, at).ok_or(missing);
        let (name_offset, member_offset) = if kind.is_gnu() {
            (self.name, number(self.at)?)
        } else {
            let name_offset = usize::try_from(number(self.at)?).map_err(|_| missing)?;
            (name_offset, number(self.at + kind.width())?)
        };
        let rest = names.get(name_offset..).ok_or(missing)?;
        let (name_len, read) = read_name(rest).ok_or(missing)?;
        self.at += self.index.entry_size();
        self.name = name_offset + name_len + 1;
        if member_offset >= archive_size {
            return Err(IndexError::Member { name: &rest[..name_len], member_offset });
        }
        Ok((IndexEntry { name_offset, name_len, member_offset }, read))
    }
}

impl<'a> Iterator for IndexIter<'a> {
    type Item = Result<IndexEntry, IndexError<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.next_with(|rest| Some((memchr::memchr(0, rest)?, ())));
        entry.map(|entry| entry.map(|(entry, ())| entry))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.index.table.len() - self.at) / self.index.entry_size();
        (left.min(1), Some(left))
    }
}
