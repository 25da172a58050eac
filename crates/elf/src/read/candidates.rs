//! Every file that may take part in the link, in command-line order.
//!
//! Objects, shared objects and each archive member take one [`FileId`]; a member is no more than
//! its place in the archive until something needs it.

use super::indexed_names::IndexedName;
use super::numbering::NumberedInputs;
use super::{FileId, SharedFile};
use crate::args::options::InputName;
use crate::args::section_list::FileName;
use crate::read::{ArchiveId, LibraryId};
use crate::script::text_script::{Command, PlacedCommand};
use skald_base::archive::{Archive, MemberData, thin_member_path};
use skald_core::diag::{Error, Result};
use skald_core::hash::HashKey;
use skald_core::ids::Column;
use skald_core::input::{self, InputBytes, InputFile, ReleaseQueue};
use std::collections::BTreeSet;
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
        /// Index in [`Candidates::archives`].
        archive: ArchiveId,
        /// Offset of its header in the archive.
        header_offset: u64,
        /// Known to take part (`--whole-archive`) or to need reading for lack of an index.
        taking: Taking,
    },
    /// A shared object: an index in [`Candidates::shared`].
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
    /// [`crate::args::Input::group`].
    pub group: u32,
    /// The files.
    pub files: Range<FileId>,
    /// The archive that they are members of.
    pub archive: Option<ArchiveId>,
}

/// The candidates and what they are made of.
#[derive(Debug)]
pub struct Candidates {
    /// What names are hashed with, in this link.
    pub key: HashKey,
    /// Takes what a stage has read of an object and will not read again soon, in links so large
    /// that memory is dearer than mapping it once more.
    pub release_early: Option<ReleaseQueue>,
    /// By [`FileId`].
    pub files: Column<FileId, Candidate>,
    /// Archives.
    pub archives: Column<ArchiveId, ArchiveInput>,
    /// Shared objects.
    pub shared: Column<LibraryId, SharedFile>,
    /// Paths of the shared objects.
    pub shared_paths: Column<LibraryId, PathBuf>,
    /// The object that the linker adds. No demand on all inputs is one on it.
    pub own: Option<FileId>,
    /// What text scripts asked for beside inputs.
    pub script_commands: Vec<PlacedCommand>,
    /// The inputs in order, repeated ones too; only with `--warn-backrefs`.
    pub mentions: Vec<Mention>,
    /// All paths that were read, in order, for `--dependency-file`.
    pub paths: Vec<PathBuf>,
    /// Inputs that are not named by the command line, but by what has been read.
    pub late_inputs: BTreeSet<InputName>,
    /// Which inputs have ids.
    pub(super) numbered: NumberedInputs,
}

impl Default for Candidates {
    fn default() -> Candidates {
        Candidates {
            key: HashKey::random(),
            release_early: None,
            files: Column::new(),
            archives: Column::new(),
            shared: Column::new(),
            shared_paths: Column::new(),
            own: None,
            script_commands: Vec::new(),
            mentions: Vec::new(),
            paths: Vec::new(),
            late_inputs: BTreeSet::new(),
            numbered: NumberedInputs::default(),
        }
    }
}

impl Candidates {
    /// Adds the object that the linker makes itself, behind all others.
    pub fn add_own(&mut self, object: Candidate) {
        self.own = Some(FileId::new(self.files.len() as u32));
        self.files.push(object);
    }

    /// What text scripts asked for, without where.
    pub fn commands(&self) -> impl DoubleEndedIterator<Item = &Command> {
        self.script_commands.iter().map(|placed| &placed.command)
    }

    /// The bytes of a file.
    pub fn input(&self, file: FileId) -> Result<InputBytes> {
        let (bytes, file) = match &self.files[file] {
            Candidate::Object { input, .. } => return Ok(*input),
            Candidate::Shared(shared) => (self.shared[*shared].data, None),
            Candidate::Member { archive, header_offset, .. } => {
                let input = &self.archives[*archive];
                let member =
                    input.archive.member_at(*header_offset).map_err(|e| Error(e.to_string()))?;
                match member.data {
                    MemberData::Here(range) => (&input.archive.bytes()[range], Some(input.file)),
                    MemberData::File => {
                        let file = thin_file(&input.path, member.name)?;
                        if input.is_read_ahead {
                            file.advise_willneed(0..file.data.len());
                        }
                        (file.data, Some(file))
                    }
                    MemberData::Nested(at) => (nested_member(&input.path, member.name, at)?, None),
                }
            }
        };
        Ok(InputBytes { bytes, file, content: None })
    }

    /// The name of a file in messages: `path`, or `archive(member)`.
    pub fn display_name(&self, file: FileId) -> String {
        match &self.files[file] {
            Candidate::Object { path, .. } => path.display().to_string(),
            Candidate::Shared(shared) => self.shared_paths[*shared].display().to_string(),
            Candidate::Member { archive, header_offset, .. } => {
                let input = &self.archives[*archive];
                let path = input.path.display();
                match input.archive.member_at(*header_offset) {
                    Ok(member) => format!("{path}({})", String::from_utf8_lossy(member.name)),
                    Err(_) => path.to_string(),
                }
            }
        }
    }

    /// The path of the file or of the archive it is in.
    pub fn path(&self, file: FileId) -> &Path {
        match &self.files[file] {
            Candidate::Object { path, .. } => path,
            Candidate::Shared(shared) => &self.shared_paths[*shared],
            Candidate::Member { archive, .. } => &self.archives[*archive].path,
        }
    }

    /// The file as patterns see it.
    pub fn file_name(&self, file: FileId) -> FileName {
        let path = self.path(file).as_os_str().as_bytes().to_vec();
        if !self.is_member(file) {
            return FileName { archive: None, name: path };
        }
        // `ARCHIVE(MEMBER)`.
        let shown = self.display_name(file).into_bytes();
        let name = shown.get(path.len() + 1..shown.len() - 1).unwrap_or_default().to_vec();
        FileName { archive: Some(path), name }
    }

    /// Whether the file is a member of an archive of which all are taken.
    pub fn is_whole(&self, file: FileId) -> bool {
        matches!(self.files[file], Candidate::Member { taking: Taking::Whole, .. })
    }

    /// Whether only the symbols of a file count (`--just-symbols`).
    pub fn is_just_symbols(&self, file: FileId) -> bool {
        matches!(self.files[file], Candidate::Object { just_symbols: true, .. })
    }

    /// Whether the file is an archive member that is taken when it is wanted.
    pub fn is_lazy_member(&self, file: FileId) -> bool {
        self.is_member(file) && !self.is_whole(file)
    }

    /// Lets members, which are sorted, offer nothing, before names are resolved once more.
    pub fn skip_members(&mut self, members: &[FileId]) {
        for &file in members {
            if let Candidate::Member { taking, .. } = &mut self.files[file] {
                *taking = Taking::Skipped;
            }
        }
        for archive in &mut self.archives {
            let first = archive.first_file;
            let is_skipped = |member: u32| members.binary_search(&(first + member)).is_ok();
            archive.index.retain(|entry| !is_skipped(entry.member));
        }
        self.forget_names();
    }

    /// Forgets the names that libraries were found to have, before names are resolved once more.
    pub fn forget_names(&mut self) {
        for shared in &mut self.shared {
            shared.exports.clear();
            shared.imports.clear();
        }
    }

    /// Whether the file is an archive member.
    pub fn is_member(&self, file: FileId) -> bool {
        matches!(self.files[file], Candidate::Member { .. })
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
    let malformed =
        |e: skald_base::cursor::Malformed| Error(format!("{}: {e}", file.path.display()));
    let inner = Archive::parse(file.data).map_err(malformed)?;
    match inner.member_at(header_offset).map_err(malformed)?.data {
        MemberData::Here(range) => Ok(&file.data[range]),
        _ => Err(Error(format!("{}: thin archives nested twice", outer.display()))),
    }
}
