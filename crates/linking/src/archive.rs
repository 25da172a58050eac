//! Archives of members and their symbol index: System V/GNU, BSD, and thin ones.
//!
//! An archive is a magic word and members, each a 60-byte header of ASCII fields and its data,
//! padded to an even offset. Members whose names begin with `/` or `__.SYMDEF` are the archive's
//! own:
//! - `/` (32-bit) and `/SYM64/`: the index of GNU ar, big-endian: a count, as many file offsets of
//!   member headers, as many NUL-terminated names;
//! - `__.SYMDEF`, `__.SYMDEF SORTED` and their `_64` forms: the index of BSD ar, little-endian: a
//!   size, pairs of name and header offsets, a size, names;
//! - `//`: GNU's long names; a member then is called `/` and an offset into them.
//!
//! BSD puts a long name (`#1/` and its length) in front of the member's data. A thin archive
//! (`!<thin>`) has headers only; the data is in the files that they name, relative to the
//! archive's directory. GNU ar flattens an archive that goes into a thin one: its members stay
//! where they are and are called `/name:header_offset`, the offset being one in the named archive.
//!
//! Parsing reads the archive's own members only, and the index is walked without touching the
//! members it names: most are not needed, and each would be a page fault. Nothing is allocated;
//! counts and offsets are checked before use. Sources: GNU ar and `ar(5)` of the BSDs; the
//! 64-bit index is that of `bfd/archive64.c`'s documentation.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::archive_index::{Index, IndexKind};
use super::cursor::Malformed;

const MAGIC: &[u8; 8] = b"!<arch>\n";
const THIN_MAGIC: &[u8; 8] = b"!<thin>\n";
const HEADER_SIZE: usize = 60;

/// An archive whose own members have been found.
#[derive(Debug, Clone, Copy)]
pub struct Archive<'a> {
    bytes: &'a [u8],
    is_thin: bool,
    index: Option<Index<'a>>,
    long_names: &'a [u8],
    /// File offset of the first member header behind the archive's own members.
    first_member: usize,
}

/// Where the data of a member is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberData {
    /// In the archive, at this range of file offsets.
    Here(Range<usize>),
    /// In the file that the name says: see [`thin_member_path`].
    File,
    /// In the archive that the name says, as the member whose header is at this file offset.
    Nested(u64),
}

/// A member of an archive, as its header describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member<'a> {
    /// File offset of the member's header, which the symbol index refers to.
    pub header_offset: usize,
    /// Name without terminators; a path if the archive is thin.
    pub name: &'a [u8],
    /// Where the member's data is stored.
    pub data: MemberData,
}

impl<'a> Archive<'a> {
    /// Whether `bytes` begin like a thin archive.
    pub fn is_thin_archive(bytes: &[u8]) -> bool {
        bytes.starts_with(THIN_MAGIC)
    }

    /// Whether `bytes` begin like an archive.
    pub fn is_archive(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC) || bytes.starts_with(THIN_MAGIC)
    }

    /// Reads the archive's own members, which come first. Fails if `bytes` are no archive or if
    /// one of these members is damaged. Entries of the index are checked when it is walked.
    pub fn parse(bytes: &'a [u8]) -> Result<Archive<'a>, Malformed> {
        if !Archive::is_archive(bytes) {
            return Err(Malformed::new("not an archive", 0));
        }
        let mut archive = Archive {
            bytes,
            is_thin: Archive::is_thin_archive(bytes),
            index: None,
            long_names: &[],
            first_member: MAGIC.len(),
        };
        while let Some(raw) = RawMember::read(bytes, archive.first_member)? {
            let Some(special) = raw.special()? else { break };
            let data = raw.data(bytes)?;
            match special {
                SpecialMember::LongNames => archive.long_names = &bytes[data.clone()],
                // A second `/` is the linker member of another format: the first one is the index.
                SpecialMember::Index(_) if archive.index.is_some() => {}
                SpecialMember::Index(kind) => {
                    let start = data.start + raw.bsd_name_len()?.unwrap_or(0);
                    archive.index = Some(Index::parse(kind, bytes, start..data.end)?);
                }
            }
            archive.first_member = next_header(data.end, bytes);
        }
        Ok(archive)
    }

    /// All bytes of the archive.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Whether members are files of their own.
    pub const fn is_thin(&self) -> bool {
        self.is_thin
    }

    /// The symbol index, if the archive has one.
    pub const fn index(&self) -> Option<Index<'a>> {
        self.index
    }

    /// File offset of the first of [`Archive::members`]: what comes before is the index.
    pub const fn members_offset(&self) -> usize {
        self.first_member
    }

    /// The members in file order, without the archive's own. Ends after an error.
    pub const fn members(&self) -> Members<'a> {
        Members { archive: *self, next: self.first_member }
    }

    /// The member whose header is at file offset `header_offset`, as from the index.
    pub fn member_at(&self, header_offset: u64) -> Result<Member<'a>, Malformed> {
        const BAD: &str = "archive index refers to no member header";
        let header_offset =
            usize::try_from(header_offset).map_err(|_| Malformed::new(BAD, usize::MAX))?;
        if header_offset < MAGIC.len() {
            return Err(Malformed::new(BAD, header_offset));
        }
        match RawMember::read(self.bytes, header_offset) {
            Ok(Some(raw)) => self.member(&raw).map(|(member, _)| member),
            Ok(None) | Err(_) => Err(Malformed::new(BAD, header_offset)),
        }
    }

    /// The member, and the file offset where the next header may be.
    fn member(&self, raw: &RawMember<'a>) -> Result<(Member<'a>, usize), Malformed> {
        let header_offset = raw.header_offset;
        if self.is_thin {
            let (name, nested) = self.long_or_short_name(raw)?;
            let data = nested.map_or(MemberData::File, MemberData::Nested);
            let end = header_offset + HEADER_SIZE;
            return Ok((Member { header_offset, name, data }, next_header(end, self.bytes)));
        }
        let mut data = raw.data(self.bytes)?;
        let next = next_header(data.end, self.bytes);
        let name = match raw.bsd_name_len()? {
            Some(len) => {
                let name = &self.bytes[data.start..data.start + len];
                data.start += len;
                // The name is padded with NULs so that the data is aligned.
                &name[..memchr::memchr(0, name).unwrap_or(len)]
            }
            None => self.long_or_short_name(raw)?.0,
        };
        Ok((Member { header_offset, name, data: MemberData::Here(data) }, next))
    }

    /// The name, and for a nested archive's member the header offset in that archive.
    fn long_or_short_name(
        &self,
        raw: &RawMember<'a>,
    ) -> Result<(&'a [u8], Option<u64>), Malformed> {
        let field = raw.name_field;
        let Some(reference) = field.strip_prefix(b"/").filter(|rest| !rest.is_empty()) else {
            // GNU ends short names with a slash, BSD with the padding.
            return Ok((field.strip_suffix(b"/").unwrap_or(field), None));
        };
        // In a thin archive GNU ar writes the reference over the field of the name, of which the
        // slash in the last place is left.
        let reference = &reference[..memchr::memchr(b' ', reference).unwrap_or(reference.len())];
        let bad =
            Malformed::new("invalid reference to the archive's long names", raw.header_offset);
        let (offset, nested) = match memchr::memchr(b':', reference) {
            Some(colon) => (&reference[..colon], Some(&reference[colon + 1..])),
            None => (reference, None),
        };
        let offset = decimal(offset).and_then(|n| usize::try_from(n).ok()).ok_or(bad)?;
        let nested = nested.map(|digits| decimal(digits).ok_or(bad)).transpose()?;
        let rest = self.long_names.get(offset..).filter(|rest| !rest.is_empty()).ok_or(bad)?;
        // GNU's long names end with a slash and a newline, others with a NUL.
        let len = memchr::memchr2(b'\n', 0, rest).ok_or(bad)?;
        Ok((rest[..len].strip_suffix(b"/").unwrap_or(&rest[..len]), nested))
    }
}

/// The path of a thin archive's member: `name`, relative to the directory of `archive_path`.
pub fn thin_member_path(archive_path: &Path, name: &Path) -> PathBuf {
    match archive_path.parent() {
        Some(directory) => directory.join(name),
        None => name.to_owned(),
    }
}

/// Iterates over the members of an archive: see [`Archive::members`].
#[derive(Debug, Clone)]
pub struct Members<'a> {
    archive: Archive<'a>,
    next: usize,
}

impl<'a> Members<'a> {
    fn read(&mut self) -> Result<Option<Member<'a>>, Malformed> {
        while let Some(raw) = RawMember::read(self.archive.bytes, self.next)? {
            if raw.special()?.is_some() {
                self.next = next_header(raw.data(self.archive.bytes)?.end, self.archive.bytes);
                continue;
            }
            let (member, next) = self.archive.member(&raw)?;
            self.next = next;
            return Ok(Some(member));
        }
        Ok(None)
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = Result<Member<'a>, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        let member = self.read();
        if !matches!(member, Ok(Some(_))) {
            self.next = self.archive.bytes.len();
        }
        member.transpose()
    }
}

/// The kinds of members that belong to the archive itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SpecialMember {
    LongNames,
    Index(IndexKind),
}

/// A member header as it is in the file.
#[derive(Debug, Clone, Copy)]
struct RawMember<'a> {
    header_offset: usize,
    /// `ar_name` without the padding.
    name_field: &'a [u8],
    /// `ar_size`: bytes behind the header, as declared.
    size: u64,
    /// The name that a BSD archive puts in front of the data; `None` if there is none, or not all
    /// of it.
    bsd_name: Option<&'a [u8]>,
}

impl<'a> RawMember<'a> {
    /// The header at file offset `header_offset`; `None` at the end of the file. A single last byte
    /// is padding.
    fn read(bytes: &'a [u8], header_offset: usize) -> Result<Option<RawMember<'a>>, Malformed> {
        let rest = bytes.get(header_offset..).unwrap_or(&[]);
        if rest.len() <= 1 {
            return Ok(None);
        }
        let Some(header) = rest.first_chunk::<HEADER_SIZE>() else {
            return Err(Malformed::new("truncated archive member header", header_offset));
        };
        if &header[58..] != b"`\n" {
            return Err(Malformed::new("invalid archive member header", header_offset));
        }
        let size = decimal(trim(&header[48..58]))
            .ok_or(Malformed::new("invalid archive member size", header_offset))?;
        let name_field = trim(&rest[..16]);
        let bsd_name = name_field
            .strip_prefix(b"#1/")
            .and_then(decimal)
            .filter(|&len| len <= size)
            .and_then(|len| rest[HEADER_SIZE..].get(..usize::try_from(len).ok()?));
        Ok(Some(RawMember { header_offset, name_field, size, bsd_name }))
    }

    /// Range of file offsets of the bytes behind the header.
    fn data(&self, bytes: &[u8]) -> Result<Range<usize>, Malformed> {
        let start = self.header_offset + HEADER_SIZE;
        if self.size > (bytes.len() - start) as u64 {
            let what = "archive member ends past the end of the file";
            return Err(Malformed::new(what, self.header_offset));
        }
        Ok(start..start + self.size as usize)
    }

    /// Length of the name in front of the data, in bytes; `None` for other kinds of names.
    fn bsd_name_len(&self) -> Result<Option<usize>, Malformed> {
        match self.bsd_name {
            Some(name) => Ok(Some(name.len())),
            None if self.name_field.starts_with(b"#1/") => {
                Err(Malformed::new("invalid length of an archive member name", self.header_offset))
            }
            None => Ok(None),
        }
    }

    /// The kind of a member that belongs to the archive itself; `None` for others.
    fn special(&self) -> Result<Option<SpecialMember>, Malformed> {
        self.bsd_name_len()?;
        let name = match self.bsd_name {
            Some(name) => &name[..memchr::memchr(0, name).unwrap_or(name.len())],
            None => self.name_field,
        };
        Ok(Some(match name {
            b"//" | b"ARFILENAMES/" => SpecialMember::LongNames,
            b"/" => SpecialMember::Index(IndexKind::Gnu32),
            b"/SYM64/" => SpecialMember::Index(IndexKind::Gnu64),
            b"__.SYMDEF" | b"__.SYMDEF/" | b"__.SYMDEF SORTED" => {
                SpecialMember::Index(IndexKind::Bsd32)
            }
            b"__.SYMDEF_64" | b"__.SYMDEF_64 SORTED" => SpecialMember::Index(IndexKind::Bsd64),
            _ => return Ok(None),
        }))
    }
}

/// Members begin at even offsets; the pad byte after the last one may be missing.
fn next_header(end: usize, bytes: &[u8]) -> usize {
    end.next_multiple_of(2).min(bytes.len())
}

fn trim(field: &[u8]) -> &[u8] {
    field.trim_ascii_end()
}

/// A decimal number that has all of `digits`.
fn decimal(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u64, |value, &digit| {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::super::archive_index::IndexError;
    use super::*;
    use proptest::prelude::*;

    /// Appends a member and returns the file offset of its header.
    fn push(archive: &mut Vec<u8>, name: &str, data: &[u8]) -> usize {
        let at = push_header(archive, name, data.len());
        archive.extend(data);
        if !archive.len().is_multiple_of(2) {
            archive.push(b'\n');
        }
        at
    }

    fn push_header(archive: &mut Vec<u8>, name: &str, size: usize) -> usize {
        let at = archive.len();
        archive.extend(format!("{name:<16}{:<32}{size:<10}`\n", "0").as_bytes());
        at
    }

    fn gnu_index(offsets: &[u32], names: &[u8]) -> Vec<u8> {
        let mut data = (offsets.len() as u32).to_be_bytes().to_vec();
        data.extend(offsets.iter().flat_map(|offset| offset.to_be_bytes()));
        data.extend(names);
        data
    }

    fn members<'a>(archive: &Archive<'a>) -> Vec<(usize, &'a [u8], MemberData)> {
        archive.members().map(|m| m.unwrap()).map(|m| (m.header_offset, m.name, m.data)).collect()
    }

    fn symbols<'a>(archive: &Archive<'a>) -> Vec<(&'a [u8], u64)> {
        let index = archive.index().unwrap();
        let entries: Vec<_> = index.iter().map(|entry| entry.unwrap()).collect();
        assert_eq!(entries.len(), index.len());
        entries.iter().map(|entry| (index.name(entry), entry.member_offset)).collect()
    }

    #[test]
    fn gnu_with_long_names() {
        let mut bytes = MAGIC.to_vec();
        push(&mut bytes, "/", &gnu_index(&[208, 208, 274], b"one\0uno\0two\0"));
        push(&mut bytes, "//", b"a_name_of_more_than_15.o/\nx.o/\n");
        let first = push(&mut bytes, "short.o/", b"12345");
        let second = push(&mut bytes, "/0", b"");
        let third = push(&mut bytes, "/26", b"7");
        assert_eq!((first, second), (188, 254));
        let archive = Archive::parse(&bytes).unwrap();
        let here = |at: usize, len: usize| MemberData::Here(at + 60..at + 60 + len);
        let expected = [
            (first, &b"short.o"[..], here(first, 5)),
            (second, &b"a_name_of_more_than_15.o"[..], here(second, 0)),
            (third, &b"x.o"[..], here(third, 1)),
        ];
        assert_eq!(members(&archive), expected);
        for (at, name, _) in expected {
            assert_eq!(archive.member_at(at as u64).unwrap().name, name);
        }
        assert_eq!(symbols(&archive), [(&b"one"[..], 208), (b"uno", 208), (b"two", 274)]);
        assert!(archive.member_at(208).is_err(), "in the middle of a member");
    }

    #[test]
    fn what_stands_behind_a_reference_is_not_part_of_it() {
        let mut bytes = THIN_MAGIC.to_vec();
        push(&mut bytes, "//", b"directory/a.o/\n");
        bytes.extend(format!("{:<15}/{:<32}{:<10}`\n", "/0", "0", 1 << 10).as_bytes());
        let archive = Archive::parse(&bytes).unwrap();
        let members = archive.members().collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!(members[0].name, b"directory/a.o");
    }

    #[test]
    fn a_missing_last_pad_byte_and_a_missing_index_are_fine() {
        let mut bytes = MAGIC.to_vec();
        push(&mut bytes, "a.o/", b"123");
        bytes.pop();
        let archive = Archive::parse(&bytes).unwrap();
        assert!(archive.index().is_none());
        assert_eq!(members(&archive).len(), 1);
        assert_eq!(members(&Archive::parse(MAGIC).unwrap()), []);
    }

    #[test]
    fn bsd_with_names_in_front_of_the_data() {
        for name in ["__.SYMDEF", "__.SYMDEF SORTED"] {
            let mut index = format!("{name}\0\0\0\0").into_bytes();
            let name_len = index.len();
            for number in [16u32, 4, 150, 0, 160, 8] {
                index.extend(number.to_le_bytes());
            }
            index.extend(b"two\0one\0");
            let mut bytes = MAGIC.to_vec();
            push(&mut bytes, &format!("#1/{name_len}"), &index);
            let first = push(&mut bytes, "#1/8", b"m1.o\0\0\0\0data");
            let archive = Archive::parse(&bytes).unwrap();
            let data = MemberData::Here(first + 68..first + 72);
            assert_eq!(members(&archive), [(first, &b"m1.o"[..], data)]);
            assert_eq!(symbols(&archive), [(&b"one"[..], 150), (b"two", 160)]);
        }
    }

    #[test]
    fn sym64() {
        let mut index = 1u64.to_be_bytes().to_vec();
        index.extend(88u64.to_be_bytes());
        index.extend(b"sym\0");
        let mut bytes = MAGIC.to_vec();
        push(&mut bytes, "/SYM64/", &index);
        let first = push(&mut bytes, "m.o/", b"12");
        assert_eq!(first, 88);
        let archive = Archive::parse(&bytes).unwrap();
        assert_eq!(symbols(&archive), [(&b"sym"[..], 88)]);
        assert_eq!(members(&archive).len(), 1);
    }

    /// The layout of `ar rcT nested.a m2.o sub/m3.o gnu.a` of GNU ar 2.40.
    #[test]
    fn thin_with_a_flattened_archive() {
        let mut bytes = THIN_MAGIC.to_vec();
        push(&mut bytes, "/", &gnu_index(&[], b""));
        push(&mut bytes, "//", b"m2.o/\nsub/m3.o/\ngnu.a/\n\n");
        let first = push_header(&mut bytes, "/0", 1136);
        push_header(&mut bytes, "/6", 1136);
        let third = push_header(&mut bytes, "/16:232", 1136);
        let archive = Archive::parse(&bytes).unwrap();
        assert!(archive.is_thin() && archive.index().unwrap().is_empty());
        let expected = [
            (first, &b"m2.o"[..], MemberData::File),
            (first + 60, &b"sub/m3.o"[..], MemberData::File),
            (third, &b"gnu.a"[..], MemberData::Nested(232)),
        ];
        assert_eq!(members(&archive), expected);
        assert_eq!(archive.member_at(third as u64).unwrap().data, MemberData::Nested(232));
    }

    #[test]
    fn thin_members_are_relative_to_the_archive() {
        let path = |archive: &str, name: &str| thin_member_path(archive.as_ref(), name.as_ref());
        assert_eq!(path("lib/a.a", "sub/m.o"), Path::new("lib/sub/m.o"));
        assert_eq!(path("a.a", "m.o"), Path::new("m.o"));
        assert_eq!(path("lib/a.a", "/abs/m.o"), Path::new("/abs/m.o"));
    }

    #[test]
    fn a_bad_index_entry_is_named() {
        let mut bytes = MAGIC.to_vec();
        push(&mut bytes, "/", &gnu_index(&[8, 0x10000, 8], b"good\0bad\0good\0"));
        let index = Archive::parse(&bytes).unwrap().index().unwrap();
        let entries: Vec<_> = index.iter().collect();
        assert_eq!(entries.len(), 2, "an error ends the iteration");
        let error = entries[1].unwrap_err();
        assert_eq!(error, IndexError::Member { name: b"bad", member_offset: 0x10000 });
        assert!(error.to_string().contains("symbol bad refers to a member at offset 0x10000"));

        let mut bytes = MAGIC.to_vec();
        push(&mut bytes, "/", &gnu_index(&[8, 8], b"good\0no end"));
        let index = Archive::parse(&bytes).unwrap().index().unwrap();
        assert!(matches!(index.iter().nth(1), Some(Err(IndexError::Name(_)))));
    }

    #[test]
    fn says_what_is_wrong() {
        let what = |bytes: &[u8]| Archive::parse(bytes).unwrap_err().what;
        assert_eq!(what(b"!<arch>"), "not an archive");
        let mut bytes = MAGIC.to_vec();
        push(&mut bytes, "/", &[0xff; 4]);
        assert_eq!(what(&bytes), "archive index announces more entries than fit");
        assert_eq!(what(&bytes[..40]), "truncated archive member header");
        assert_eq!(what(&bytes[..70]), "archive member ends past the end of the file");
        bytes[8 + 48] = b'-';
        assert_eq!(what(&bytes), "invalid archive member size");
        bytes[8 + 58] = 0;
        assert_eq!(what(&bytes), "invalid archive member header");

        let member_what = |name: &str| {
            let mut bytes = MAGIC.to_vec();
            push(&mut bytes, "//", b"no end");
            push(&mut bytes, name, b"1");
            let archive = Archive::parse(&bytes).map_err(|e| e.what)?;
            archive.members().next().unwrap().map(|_| ()).map_err(|e| e.what)
        };
        let reference = Err("invalid reference to the archive's long names");
        assert_eq!(member_what("/0"), reference);
        assert_eq!(member_what("/7"), reference);
        assert_eq!(member_what("/x"), reference);
        assert_eq!(member_what("#1/2"), Err("invalid length of an archive member name"));
    }

    fn read_all(bytes: &[u8]) {
        let Ok(archive) = Archive::parse(bytes) else { return };
        for member in archive.members().flatten() {
            if let MemberData::Here(data) = member.data {
                assert!(bytes.get(data).is_some());
            }
        }
        for entry in archive.index().iter().flatten().flatten() {
            let _ = archive.member_at(entry.member_offset);
        }
    }

    proptest! {
        #[test]
        fn damaged_archives_are_read_or_refused(
            edits: Vec<(usize, u8)>, len: usize, thin: bool, bsd: bool,
        ) {
            let mut bytes = if thin { THIN_MAGIC } else { MAGIC }.to_vec();
            if bsd {
                push(&mut bytes, "__.SYMDEF", b"\x08\0\0\0\0\0\0\0\x08\0\0\0\x04\0\0\0one\0");
            } else {
                push(&mut bytes, "/", &gnu_index(&[8, 200], b"one\0two\0"));
            }
            push(&mut bytes, "//", b"long.o/\nlonger.o/\n");
            push(&mut bytes, "/0", b"12345");
            push(&mut bytes, "/8:9", b"1");
            push(&mut bytes, "#1/4", b"name and data");
            let size = bytes.len();
            for (at, byte) in edits {
                bytes[at % (size - 8) + 8] = byte;
            }
            read_all(&bytes);
            read_all(&bytes[..len % size]);
        }
    }
}
