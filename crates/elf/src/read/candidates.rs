//! Every file that may be linked, in command-line order. To [`skald_linking::candidates`] this adds
//! shared objects, and the commands of scripts.

use super::claimed_files::Compiled;
use super::{FileId, SharedFile};
use crate::args::options::InputName;
use crate::args::section_list::FileName;
use crate::read::{ArchiveId, LibraryId};
use crate::script::text_script::{Command, PlacedCommand};
use skald_core::diag::Result;
use skald_core::hash::HashKey;
use skald_core::ids::Column;
use skald_core::input::{InputBytes, ReleaseQueue};
use skald_host::paths::OsStrBytes;
use skald_linking::candidates::{ArchiveInput, Candidate, ExtractionRule, Mention};
use skald_linking::numbering::NumberedInputs;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// All files that may be linked, and the tables made while opening them.
#[derive(Debug)]
pub struct Candidates {
    /// The key of this link's name hashes.
    pub key: HashKey,
    /// Takes parts of objects that will not be read again soon, to give their memory back. Only in
    /// links so large that memory matters more than mapping the parts again.
    pub release_early: Option<ReleaseQueue>,
    /// Objects and archive members, by [`FileId`].
    pub files: Column<FileId, Candidate>,
    /// The archives, each with its index.
    pub archives: Column<ArchiveId, ArchiveInput>,
    /// The shared objects, parsed.
    pub shared: Column<LibraryId, SharedFile>,
    /// By shared object, its path.
    pub shared_paths: Column<LibraryId, PathBuf>,
    /// The object that the linker adds for `.comment`; checks that concern every input skip it.
    pub own: Option<FileId>,
    /// Commands of text scripts other than inputs, in order.
    pub script_commands: Vec<PlacedCommand>,
    /// By command: id of the first file behind it.
    pub command_places: Vec<FileId>,
    /// A script of `-T` or `-dT` replaces the default layout: it does not only `INSERT`.
    pub replaces_default: bool,
    /// Paths of the scripts of `-T` and `-dT`.
    pub given_scripts: Vec<PathBuf>,
    /// The inputs in order, repeated ones too.
    pub mentions: Vec<Mention>,
    /// All paths that were read, in order, for `--dependency-file`.
    pub paths: Vec<PathBuf>,
    /// Libraries that are inputs because taken files, not the command line, ask for them.
    pub late_inputs: BTreeSet<InputName>,
    /// The results of link-time optimisation.
    pub compiled: Compiled,
    /// Inputs that have ids already, so that a repeated input does not get another.
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
            command_places: Vec::new(),
            replaces_default: false,
            given_scripts: Vec::new(),
            mentions: Vec::new(),
            paths: Vec::new(),
            late_inputs: BTreeSet::new(),
            compiled: Compiled::default(),
            numbered: NumberedInputs::default(),
        }
    }
}

impl Candidates {
    /// Adds the linker's own object behind all others.
    pub fn add_own(&mut self, object: Candidate) {
        self.own = Some(FileId::new(self.files.len() as u32));
        self.files.push(object);
    }

    /// The commands of text scripts, without their places.
    pub fn commands(&self) -> impl DoubleEndedIterator<Item = &Command> {
        self.script_commands.iter().map(|placed| &placed.command)
    }

    /// The bytes of an object or archive member.
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

    /// Name of a file for messages: `path`, or `archive(member)`.
    pub fn display_name(&self, file: FileId) -> String {
        match &self.files[file] {
            Candidate::Object { path, .. } => path.display().to_string(),
            Candidate::Shared(shared) => self.shared_paths[*shared].display().to_string(),
            Candidate::Member { archive, header_offset, .. } => {
                self.archives[*archive].display_name(*header_offset)
            }
        }
    }

    /// Path of the file, or of the archive that it is in.
    pub fn path(&self, file: FileId) -> &Path {
        match &self.files[file] {
            Candidate::Object { path, .. } => path,
            Candidate::Shared(shared) => &self.shared_paths[*shared],
            Candidate::Member { archive, .. } => &self.archives[*archive].path,
        }
    }

    /// Name and archive of the file, as file patterns match them.
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

    /// Whether the file is a member of an archive under `--whole-archive`.
    pub fn is_whole(&self, file: FileId) -> bool {
        matches!(self.files[file], Candidate::Member { rule: ExtractionRule::Whole, .. })
    }

    /// Whether it is the object that the linker adds.
    pub fn is_of_linker(&self, file: FileId) -> bool {
        self.own == Some(file)
    }

    /// Whether the file defines symbols only (`--just-symbols`).
    pub fn is_just_symbols(&self, file: FileId) -> bool {
        matches!(self.files[file], Candidate::Object { just_symbols: true, .. })
    }

    /// Whether the file was compiled by a plugin.
    pub fn is_compiled(&self, file: FileId) -> bool {
        self.compiled.place.as_ref().is_some_and(|(files, _)| files.contains(&file))
    }

    /// Whether the file is an archive member that is linked only if it is wanted.
    pub fn is_lazy_member(&self, file: FileId) -> bool {
        self.is_member(file) && !self.is_whole(file)
    }

    /// Removes the names that `members` (sorted) offer, before names are resolved again.
    pub fn skip_members(&mut self, members: &[FileId]) {
        for &file in members {
            if let Candidate::Member { rule, .. } = &mut self.files[file] {
                *rule = ExtractionRule::Skipped;
            }
        }
        for archive in &mut self.archives {
            let first = archive.first_file;
            let is_skipped = |member: u32| members.binary_search(&(first + member)).is_ok();
            archive.index.retain(|entry| !is_skipped(entry.member));
        }
        self.forget_names();
    }

    /// Removes the name ids of libraries, before names are resolved again.
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
