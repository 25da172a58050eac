//! Shared objects that are archive members. They cannot be linked from an archive, so other files
//! must define their names.
//!
//! That a member is a shared object shows only when it is taken. Other files may define the name
//! that it was taken for, so extraction starts again without the member. The other members of the
//! archive are then examined, too, so that this happens once for each archive and not once for each
//! member.

use super::Extraction;
use crate::machine::Machine;
use crate::read::candidates::Candidates;
use crate::read::identify::{self, FileKind};
use crate::read::{ArchiveId, FileId};
use crate::resolve::names::references::ref_flags;
use skald_core::diag::Diag;
use skald_core::hash::Hash128;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedSet;
use skald_linking::candidates::Candidate;

/// Archive members that are left out because they are shared objects.
#[derive(Debug, Default)]
pub struct LibrariesInArchives {
    /// Members that no name has wanted so far, with the names that the index says they define.
    offers: Vec<(FileId, Hash128)>,
}

impl LibrariesInArchives {
    /// Excludes the members `taken`, and all other shared objects of their archives.
    pub fn leave_out(
        &mut self,
        machine: &Machine,
        taken: &mut [FileId],
        candidates: &mut Candidates,
        diag: &Diag,
    ) {
        shuffled(taken).sort_unstable();
        for &file in taken.iter() {
            warn(candidates, file, diag);
        }
        let archives: UnorderedSet<ArchiveId> =
            taken.iter().filter_map(|&file| archive_of(candidates, file)).collect();
        let others: Vec<FileId> = candidates
            .files
            .par_ids()
            .filter(|&file| archive_of(candidates, file).is_some_and(|at| archives.contains(&at)))
            .filter(|&file| {
                candidates.is_lazy_member(file) && is_library(machine, candidates, file)
            })
            .collect();
        for (at, archive) in candidates.archives.with_ids() {
            if !archives.contains(&at) {
                continue;
            }
            let offers =
                archive.index.iter().map(|entry| (archive.first_file + entry.member, entry.hash));
            let is_new = |file: &FileId| {
                others.binary_search(file).is_ok() && taken.binary_search(file).is_err()
            };
            self.offers.extend(offers.filter(|(file, _)| is_new(file)));
        }
        candidates.skip_members(&others);
    }

    /// Warns also of those that were never read but would have been taken as objects.
    pub fn warn(&self, candidates: &Candidates, extraction: &Extraction, diag: &Diag) {
        let mut told = UnorderedSet::new();
        for &(file, hash) in &self.offers {
            let Some(name) = extraction.names.find(hash) else { continue };
            let refs = extraction.refs.get(name);
            let is_referred_to = refs.flags() & ref_flags::REFERRED_TO_STRONGLY != 0;
            if is_referred_to && refs.would_take(file) && told.insert(file) {
                warn(candidates, file, diag);
            }
        }
    }
}

/// Whether a file is an ELF shared object.
pub fn is_library(machine: &Machine, candidates: &Candidates, file: FileId) -> bool {
    let input = candidates.input(file);
    input.is_ok_and(|input| identify::identify(machine, input.bytes) == FileKind::Shared)
}

fn archive_of(candidates: &Candidates, file: FileId) -> Option<ArchiveId> {
    match candidates.files[file] {
        Candidate::Member { archive, .. } => Some(archive),
        _ => None,
    }
}

fn warn(candidates: &Candidates, file: FileId, diag: &Diag) {
    let text = format!("{}: is a shared object, skipped", candidates.display_name(file));
    diag.warn((u64::from(file.number()), 0), text);
}
