//! Assigns ids to inputs that have been opened ([`skald_linking::numbering`]).

use super::candidates::Candidates;
use super::statement_files::path_of;
use crate::args::{Input, Options};
use crate::read::{ArchiveId, FileId, SharedFile};
use crate::script::text_script::{Command, PlacedCommand};
use skald_core::input::InputBytes;
use skald_host::input::Identity;
use skald_linking::candidates::Candidate;
use skald_linking::opened_archive::OpenedArchive;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// An input that has been opened.
pub struct Opened {
    /// The input as the command line or a script names it.
    pub input: Input,
    /// The path at which it was found.
    pub path: PathBuf,
    /// The kind of the input, with its contents.
    pub kind: OpenedKind,
    /// Named by `STARTUP`: comes before all other inputs.
    pub is_startup: bool,
    /// A statement of input sections names it, and no input before does.
    pub is_of_statement: bool,
}

/// The inputs in order: `inputs` has the results of each input of the command line. Between them
/// come the files that the scripts of `-T` name, and the commands of these scripts and of
/// `--defsym`, each with the number of inputs before it. If a statement and, behind the script, the
/// command line name the same file, it is one input, with the flags of the command line, at the
/// statement's place.
pub fn in_turn(inputs: Vec<Vec<Opened>>, scripts: Vec<(usize, Vec<Opened>)>) -> Vec<Opened> {
    // For each file that a statement names: the position of its script, and its own among all files
    // of scripts.
    let mut named: BTreeMap<PathBuf, (usize, usize)> = BTreeMap::new();
    let of_scripts =
        scripts.iter().flat_map(|(position, all)| all.iter().map(move |o| (position, o)));
    for (at, (&position, opened)) in of_scripts.enumerate() {
        if let Some(path) = path_of(&opened.input.what).filter(|_| opened.is_of_statement) {
            named.entry(path.to_owned()).or_insert((position, at));
        }
    }
    // The sort key: position on the command line, files of scripts before the input there, position
    // among the files of scripts.
    let mut all: Vec<((usize, bool, usize), Opened)> = Vec::new();
    for (at, input) in inputs.into_iter().enumerate() {
        let path = input.first().and_then(|opened| path_of(&opened.input.what));
        let earlier =
            path.and_then(|path| named.get(path)).copied().filter(|&(early, _)| early <= at);
        if let Some(path) = path.filter(|_| earlier.is_some()) {
            named.remove(path);
        }
        let turn = earlier.map_or((at, true, 0), |(position, of)| (position, false, of));
        all.extend(input.into_iter().map(|opened| (turn, opened)));
    }
    let mut number = 0;
    for (position, opened) in scripts {
        for opened in opened {
            let path = path_of(&opened.input.what);
            let is_elsewhere =
                opened.is_of_statement && path.is_some_and(|path| !named.contains_key(path));
            let turn = (position, false, number);
            number += 1;
            if !is_elsewhere {
                all.push((turn, opened));
            }
        }
    }
    all.sort_by_key(|&(turn, ref opened)| (!opened.is_startup, turn));
    all.into_iter().map(|(_, opened)| opened).collect()
}

/// Kinds of opened inputs.
pub enum OpenedKind {
    /// A relocatable object.
    Object(InputBytes),
    /// An archive, with its index.
    Archive(Box<OpenedArchive>),
    /// A shared object.
    Shared {
        /// Device and inode, by which a library that is named twice is recognised.
        identity: Identity,
        /// The parsed library.
        shared: Box<SharedFile>,
    },
    /// A command of a script, and its line.
    Command(u32, Command),
    /// A script, whose inputs and commands follow.
    Script,
}

/// Gives ids to inputs in order.
pub struct Numbering<'a> {
    /// The options of the link.
    pub options: &'a Options,
    /// Receives the inputs with their ids.
    pub candidates: &'a mut Candidates,
}

impl Numbering<'_> {
    /// Gives the next ids to an opened input.
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
                self.candidates.command_places.push(first);
            }
            OpenedKind::Script => {}
        }
        let Candidates { files, mentions, numbered, .. } = &mut *self.candidates;
        numbered.mention(input.group, first..files.end(), archive_at, mentions);
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
