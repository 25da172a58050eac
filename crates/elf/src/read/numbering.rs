//! Ids of what is opened: in command-line order, and behind all others for what is found to be
//! needed only when files have been read. A file that is named twice is taken once, unless it is an
//! object.

use super::candidates::{ArchiveInput, Candidate, Candidates, Mention, Taking};
use super::indexed_names::IndexedNames;
use super::read_ahead;
use crate::args::{Input, Options};
use crate::read::{ArchiveId, FileId, LibraryId, SharedFile};
use crate::script::text_script::{Command, PlacedCommand};
use skald_base::archive::Archive;
use skald_core::input::{Identity, InputBytes, InputFile};
use skald_core::unordered::UnorderedMap;
use std::path::PathBuf;

/// What is known of an archive's members when it is opened.
pub enum Members {
    /// What the index says.
    Indexed(IndexedNames),
    /// Offsets of all headers: members are taken whole, or looked at for lack of an index.
    All(Vec<u64>),
}

/// An input that has been opened.
pub struct Opened {
    /// As it was named.
    pub input: Input,
    /// Where it was found.
    pub path: PathBuf,
    /// What it is.
    pub kind: OpenedKind,
    /// `STARTUP`: before all others.
    pub is_startup: bool,
}

/// Kinds of inputs.
pub enum OpenedKind {
    /// An object.
    Object(InputBytes),
    /// An archive.
    Archive {
        /// The file.
        file: InputFile,
        /// The archive in it.
        archive: Archive<'static>,
        /// Its members.
        members: Members,
    },
    /// A shared object.
    Shared {
        /// Which file it is, however it was named.
        identity: Identity,
        /// What was read of it.
        shared: Box<SharedFile>,
    },
    /// What stands on a line of a script.
    Command(u32, Command),
    /// Read, but with nothing to link.
    Script,
}

/// Which inputs have ids.
#[derive(Debug, Default)]
pub struct NumberedInputs {
    /// Archives (`true`) and shared objects (`false`) by identity.
    seen: UnorderedMap<(Identity, bool), usize>,
    /// Shared objects by what programs call them.
    sonames: UnorderedMap<Vec<u8>, usize>,
    /// The first mention of each archive.
    mentioned: UnorderedMap<ArchiveId, usize>,
}

/// Gives ids in order.
pub struct Numbering<'a> {
    /// The options.
    pub options: &'a Options,
    /// What has ids.
    pub candidates: &'a mut Candidates,
}

impl Numbering<'_> {
    /// Gives the next ids to what has been opened.
    pub fn add(&mut self, opened: Opened) {
        let Opened { input, path, kind, .. } = opened;
        let first = self.candidates.files.end();
        let mut archive_at = None;
        if !matches!(kind, OpenedKind::Command(..)) {
            self.candidates.paths.push(path.clone());
        }
        match kind {
            OpenedKind::Object(bytes) => drop(self.candidates.files.push(Candidate::Object {
                input: bytes,
                path,
                lazy: input.lazy,
                just_symbols: input.just_symbols,
            })),
            OpenedKind::Archive { file, archive, members } => {
                archive_at = Some(self.add_archive(&input, path, file, archive, members));
            }
            OpenedKind::Shared { identity, shared } => {
                self.add_shared(&input, path, identity, *shared);
            }
            OpenedKind::Command(line, command) => {
                let placed = PlacedCommand { command, script: path, line };
                self.candidates.script_commands.push(placed);
            }
            OpenedKind::Script => {}
        }
        if self.options.reports.warn_backrefs {
            self.mention(input.group, first, archive_at);
        }
    }

    /// Takes note of an input whose files, if they are new, begin with `first`.
    fn mention(&mut self, group: u32, first: FileId, archive: Option<ArchiveId>) {
        let Candidates { files, mentions, numbered, .. } = &mut *self.candidates;
        let mut files = first..files.end();
        if files.is_empty()
            && let Some(&earlier) = archive.and_then(|archive| numbered.mentioned.get(&archive))
        {
            files = mentions[earlier].files.clone();
        }
        if !files.is_empty() {
            if let Some(archive) = archive {
                numbered.mentioned.entry(archive).or_insert(mentions.len());
            }
            mentions.push(Mention { group, files, archive });
        }
    }

    fn add_shared(&mut self, input: &Input, path: PathBuf, id: Identity, mut shared: SharedFile) {
        let by_soname = || self.candidates.numbered.sonames.get(&shared.soname).copied();
        let earlier = self.candidates.numbered.seen.get(&(id, false)).copied().or_else(by_soname);
        if let Some(at) = earlier.map(LibraryId::from_index) {
            self.candidates.shared[at].as_needed &= input.as_needed;
            self.candidates.shared[at].copies_needed |= input.copies_needed;
            return;
        }
        let at = self.candidates.shared.len();
        self.candidates.numbered.seen.insert((id, false), at);
        self.candidates.numbered.sonames.insert(shared.soname.clone(), at);
        shared.file = Some(FileId::new(self.candidates.files.len() as u32));
        shared.as_needed = input.as_needed;
        shared.copies_needed = input.copies_needed;
        self.candidates.files.push(Candidate::Shared(LibraryId::from_index(at)));
        self.candidates.shared.push(shared);
        self.candidates.shared_paths.push(path);
    }

    fn add_archive(
        &mut self,
        input: &Input,
        path: PathBuf,
        file: InputFile,
        archive: Archive<'static>,
        members: Members,
    ) -> ArchiveId {
        // Its members are known already; a second mention adds only what it takes whole.
        let at = self.candidates.archives.end();
        let earlier = self.candidates.numbered.seen.insert((file.identity, true), at.index());
        if let Some(earlier) = earlier
            && !input.whole_archive
        {
            self.candidates.numbered.seen.insert((file.identity, true), earlier);
            return ArchiveId::from_index(earlier);
        }
        let mut entry = ArchiveInput {
            path,
            archive,
            file,
            is_read_ahead: read_ahead::is_wanted(self.options, &file),
            data: file.data,
            first_file: self.candidates.files.end(),
            index: Vec::new(),
        };
        let (offsets, taking) = match members {
            Members::Indexed(names) => {
                entry.data = names.pool;
                entry.index = names.entries;
                (names.members, Taking::ByIndex)
            }
            Members::All(offsets) if input.whole_archive => (offsets, Taking::Whole),
            Members::All(offsets) => (offsets, Taking::BySymbols),
        };
        self.candidates.files.extend(offsets.into_iter().map(|header_offset| Candidate::Member {
            archive: at,
            header_offset,
            taking,
        }));
        self.candidates.archives.push(entry);
        at
    }
}
