//! Files that may be linked, and where the bytes of archive members are.
//!
//! Objects, shared objects and each archive member have a [`FileId`]; of a member only the header
//! offset is known until a name of it is wanted.

use crate::archive::{Archive, MemberData, thin_member_path};
use crate::cursor::Malformed;
use crate::ids::{ArchiveId, FileId, LibraryId};
use crate::indexed_names::IndexedName;
use skald_core::diag::{Error, Result};
use skald_core::input::{self, InputBytes, InputFile};
use skald_host::paths::OsStrBytes;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A file that may be linked.
#[derive(Debug)]
pub enum Candidate {
    /// An object of the command line.
    Object {
        /// The object's bytes, and the open file they are in.
        input: InputBytes,
        /// Path of the object.
        path: PathBuf,
        /// `--start-lib`: linked only if a name that it defines is wanted.
        lazy: bool,
        /// `--just-symbols`: its symbols are defined, its sections are not linked.
        just_symbols: bool,
    },
    /// An archive member.
    Member {
        /// The archive that contains it.
        archive: ArchiveId,
        /// File offset of its header in the archive.
        header_offset: u64,
        /// When it is linked.
        rule: ExtractionRule,
    },
    /// A shared object.
    Shared(LibraryId),
}

/// When an archive member is linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExtractionRule {
    /// When a name is wanted that the archive's index lists for it.
    ByIndex,
    /// When a name in its own symbol table is wanted: the archive has no index.
    BySymbols,
    /// Always (`--whole-archive`).
    Whole,
    /// Never: it cannot be linked, or is not to be looked at again.
    Skipped,
}

/// An archive of the command line or a script.
#[derive(Debug)]
pub struct ArchiveInput {
    /// Path of the archive.
    pub path: PathBuf,
    /// The open file.
    pub file: InputFile,
    /// The archive's own members, parsed.
    pub archive: Archive<'static>,
    /// The kernel is asked to read its members before they are parsed.
    pub is_read_ahead: bool,
    /// The pool of the names in its index.
    pub data: &'static [u8],
    /// Id of its first member; ids of the others follow.
    pub first_file: FileId,
    /// The names in its index; members are counted from `first_file`.
    pub index: Vec<IndexedName>,
}

/// The files of an input, each time it is named.
#[derive(Debug, Clone)]
pub struct Mention {
    /// Inputs of one group (`--start-group`) have one number, others one each; it grows from left
    /// to right.
    pub group: u32,
    /// Ids of the files.
    pub files: Range<FileId>,
    /// The archive that they are members of; `None` for other inputs.
    pub archive: Option<ArchiveId>,
}

impl ArchiveInput {
    /// The bytes of the member whose header is at this offset of the archive.
    pub fn member_bytes(&self, header_offset: u64) -> Result<InputBytes> {
        let member = self.archive.member_at(header_offset).map_err(|e| Error(e.to_string()))?;
        let (bytes, file) = match member.data {
            MemberData::Here(range) => (&self.archive.bytes()[range], Some(self.file)),
            MemberData::File => {
                let file = thin_file(&self.path, member.name)?;
                if self.is_read_ahead {
                    file.advise_willneed(0..file.data.len());
                }
                (file.data, Some(file))
            }
            MemberData::Nested(at) => (nested_member(&self.path, member.name, at)?, None),
        };
        Ok(InputBytes { bytes, file, content: None })
    }

    /// Name of a member for messages: `archive(member)`.
    pub fn display_name(&self, header_offset: u64) -> String {
        let path = self.path.display();
        match self.archive.member_at(header_offset) {
            Ok(member) => format!("{path}({})", String::from_utf8_lossy(member.name)),
            Err(_) => path.to_string(),
        }
    }
}

/// Opens a thin archive's member: a file, named relative to the archive's directory.
fn thin_file(archive: &Path, name: &[u8]) -> Result<InputFile> {
    let path = thin_member_path(archive, Path::new(std::ffi::OsStr::from_bytes(name)));
    input::open(&path).map_err(|e| {
        let archive = archive.display();
        Error(format!(
            "{e}\n>>> {archive} is a thin archive, which names its members and has no copies"
        ))
    })
}

/// The bytes of a thin archive's member that is itself in an archive: `header_offset` is an offset
/// in that inner archive.
fn nested_member(outer: &Path, name: &[u8], header_offset: u64) -> Result<&'static [u8]> {
    let file = thin_file(outer, name)?;
    let malformed = |e: Malformed| Error(format!("{}: {e}", file.path.display()));
    let inner = Archive::parse(file.data).map_err(malformed)?;
    match inner.member_at(header_offset).map_err(malformed)?.data {
        MemberData::Here(range) => Ok(&file.data[range]),
        _ => Err(Error(format!("{}: thin archives nested twice", outer.display()))),
    }
}
