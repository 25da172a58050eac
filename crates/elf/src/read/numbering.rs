//! Inputs that have been opened, and the ids that they get ([`skald_base::numbering`]).

use super::candidates::Candidates;
use crate::args::{Input, Options};
use crate::read::{ArchiveId, FileId, SharedFile};
use crate::script::text_script::{Command, PlacedCommand};
use skald_base::candidates::Candidate;
use skald_base::opened_archive::OpenedArchive;
use skald_core::input::{Identity, InputBytes};
use std::path::PathBuf;

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
    Archive(Box<OpenedArchive>),
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
            OpenedKind::Archive(opened) => archive_at = Some(self.add_archive(path, *opened)),
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
            let Candidates { files, mentions, numbered, .. } = &mut *self.candidates;
            numbered.mention(input.group, first..files.end(), archive_at, mentions);
        }
    }

    fn add_shared(&mut self, input: &Input, path: PathBuf, id: Identity, mut shared: SharedFile) {
        let Candidates { numbered, shared: libraries, .. } = &mut *self.candidates;
        if let Some(at) = numbered.library(id, &shared.soname) {
            libraries[at].as_needed &= input.as_needed;
            libraries[at].copies_needed |= input.copies_needed;
            return;
        }
        let at = libraries.end();
        numbered.add_library(id, &shared.soname, at);
        shared.file = Some(FileId::new(self.candidates.files.len() as u32));
        shared.as_needed = input.as_needed;
        shared.copies_needed = input.copies_needed;
        self.candidates.files.push(Candidate::Shared(at));
        self.candidates.shared.push(shared);
        self.candidates.shared_paths.push(path);
    }

    fn add_archive(&mut self, path: PathBuf, opened: OpenedArchive) -> ArchiveId {
        let is_read_ahead = super::is_read_ahead(self.options, &opened.file);
        let Candidates { files, archives, numbered, .. } = &mut *self.candidates;
        numbered.add_archive(path, opened, is_read_ahead, files, archives)
    }
}
