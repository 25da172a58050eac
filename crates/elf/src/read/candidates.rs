//! Every file that may take part in the link, in command-line order, with what ELF and the scripts
//! of Unix linkers add to [`skald_base::candidates`]: shared objects, and commands beside inputs.

use super::{FileId, SharedFile};
use crate::args::options::InputName;
use crate::args::section_list::FileName;
use crate::read::{ArchiveId, LibraryId};
use crate::script::text_script::{Command, PlacedCommand};
use skald_base::candidates::{ArchiveInput, Candidate, Mention, Taking};
use skald_base::numbering::NumberedInputs;
use skald_core::diag::Result;
use skald_core::hash::HashKey;
use skald_core::ids::Column;
use skald_core::input::{InputBytes, ReleaseQueue};
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

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
        match &self.files[file] {
            Candidate::Object { input, .. } => Ok(*input),
            Candidate::Shared(shared) => {
                let bytes = self.shared[*shared].data;
                Ok(InputBytes { bytes, file: None, content: None })
            }
            Candidate::Member { archive, header_offset, .. } => {
                self.archives[*archive].member_bytes(*header_offset)
            }
        }
    }

    /// The name of a file in messages: `path`, or `archive(member)`.
    pub fn display_name(&self, file: FileId) -> String {
        match &self.files[file] {
            Candidate::Object { path, .. } => path.display().to_string(),
            Candidate::Shared(shared) => self.shared_paths[*shared].display().to_string(),
            Candidate::Member { archive, header_offset, .. } => {
                self.archives[*archive].display_name(*header_offset)
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
