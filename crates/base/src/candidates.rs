//! Files that may take part in a link, and where the bytes of archive members are.
//!
//! Objects, shared objects and each archive member take one [`FileId`]; a member is no more than
//! its place in the archive until something needs it.

use crate::archive::{Archive, MemberData, thin_member_path};
use crate::cursor::Malformed;
use crate::ids::{ArchiveId, FileId, LibraryId};
use crate::indexed_names::IndexedName;
use skald_core::diag::{Error, Result};
use skald_core::input::{self, InputBytes, InputFile};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// One file that may take part.
#[derive(Debug)]
pub enum Candidate {
    /// An object of the command line.
    Object {
        /// Its bytes.
        input: InputBytes,
        /// Where it came from.
        path: PathBuf,
        /// `--start-lib`: taken only if needed.
        lazy: bool,
        /// `--just-symbols`: its symbols count, its sections do not.
        just_symbols: bool,
    },
    /// An archive member.
    Member {
        /// The archive.
        archive: ArchiveId,
        /// Offset of its header in the archive.
        header_offset: u64,
        /// Known to take part (`--whole-archive`) or to need reading for lack of an index.
        taking: Taking,
    },
    /// A shared object.
    Shared(LibraryId),
}

/// When an archive member is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taking {
    /// If a name of the archive's index is wanted.
    ByIndex,
    /// If a name of its own symbol table is wanted: the archive has no index.
    BySymbols,
    /// Always.
    Whole,
    /// Never.
    Skipped,
}

/// An archive of the command line.
#[derive(Debug)]
pub struct ArchiveInput {
    /// Where it came from.
    pub path: PathBuf,
    /// The file.
    pub file: InputFile,
    /// The parsed archive.
    pub archive: Archive<'static>,
    /// Its members are to be read ahead.
    pub is_read_ahead: bool,
    /// The pool of the names in its index.
    pub data: &'static [u8],
    /// Id of its first member that is a candidate.
    pub first_file: FileId,
    /// The names in its index; members count from `first_file`.
    pub index: Vec<IndexedName>,
}

/// Files of one input that `--warn-backrefs` looks at.
#[derive(Debug, Clone)]
pub struct Mention {
    /// Inputs that are looked through again and again together have one number, others one each; it
    /// grows from left to right.
    pub group: u32,
    /// The files.
    pub files: Range<FileId>,
    /// The archive that they are members of.
    pub archive: Option<ArchiveId>,
}

impl ArchiveInput {
    /// The bytes of the member whose header is at an offset of the archive.
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

    /// The name of a member in messages: `archive(member)`.
    pub fn display_name(&self, header_offset: u64) -> String {
        let path = self.path.display();
        match self.archive.member_at(header_offset) {
            Ok(member) => format!("{path}({})", String::from_utf8_lossy(member.name)),
            Err(_) => path.to_string(),
        }
    }
}

/// A thin archive's member is a file, named relative to the archive's directory.
fn thin_file(archive: &Path, name: &[u8]) -> Result<InputFile> {
    let path = thin_member_path(archive, Path::new(std::ffi::OsStr::from_bytes(name)));
    input::open(&path).map_err(|e| {
        let archive = archive.display();
        Error(format!(
            "{e}\n>>> {archive} is a thin archive, which names its members and has no copies"
        ))
    })
}

/// A thin archive made of archives names a member of the inner one by its header's offset.
fn nested_member(outer: &Path, name: &[u8], header_offset: u64) -> Result<&'static [u8]> {
    let file = thin_file(outer, name)?;
    let malformed = |e: Malformed| Error(format!("{}: {e}", file.path.display()));
    let inner = Archive::parse(file.data).map_err(malformed)?;
    match inner.member_at(header_offset).map_err(malformed)?.data {
        MemberData::Here(range) => Ok(&file.data[range]),
        _ => Err(Error(format!("{}: thin archives nested twice", outer.display()))),
    }
}
