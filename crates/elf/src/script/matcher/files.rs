//! Patterns of files: those that match a file are found once for all of its sections.

use super::ArchiveGlob;
use crate::script::statements::{ArchivePattern, FileName, InputStatement};
use skald_core::id;
use skald_core::ids::Column;
use skald_core::unordered::UnorderedMap;
use skald_linking::glob::Glob;
use skald_linking::glob_index::{GlobId, GlobIndex};

id! {
    /// A pattern of files.
    FilePatternId
}

/// The distinct patterns of files.
#[derive(Debug, Default)]
pub(super) struct FilePatterns {
    /// The archive part of each pattern.
    archives: Column<FilePatternId, ArchiveGlob>,
    ids: UnorderedMap<(Vec<u8>, ArchivePattern), FilePatternId>,
    names: UnorderedMap<Vec<u8>, GlobId>,
    globs: Column<GlobId, Glob>,
    /// By name pattern, the patterns of files that have it.
    with_name: Column<GlobId, Vec<FilePatternId>>,
    index: GlobIndex,
}

/// How many patterns of files a statement has.
pub(super) fn count(statement: &InputStatement) -> usize {
    let of_sections = statement.sections.iter().map(|section| section.excluded.len());
    let own = usize::from(*statement.file.name != *b"*");
    own + statement.file.excluded.len() + of_sections.sum::<usize>()
}

impl FilePatterns {
    /// The id of a pattern.
    pub fn add(&mut self, name: &[u8], archive: &ArchivePattern) -> FilePatternId {
        if let Some(&known) = self.ids.get(&(name.to_vec(), archive.clone())) {
            return known;
        }
        let id = self.archives.push(ArchiveGlob::new(archive));
        self.ids.insert((name.to_vec(), archive.clone()), id);
        let of_name = *self.names.entry(name.to_vec()).or_insert_with(|| {
            self.with_name.push(Vec::new());
            self.globs.push(Glob::new(name))
        });
        self.with_name[of_name].push(id);
        id
    }

    /// The id of a pattern in `EXCLUDE_FILE`.
    pub fn add_excluded(&mut self, file: &FileName) -> FilePatternId {
        self.add(&file.name, &file.archive)
    }

    /// Compiles what was added.
    pub fn finish(&mut self) {
        self.index = GlobIndex::new(std::mem::take(&mut self.globs));
        (self.ids, self.names) = Default::default();
    }

    /// Whether there is no pattern.
    pub fn is_empty(&self) -> bool {
        self.archives.is_empty()
    }

    /// The patterns that match a file, ascending.
    pub fn matching(&self, file: &[u8], archive: Option<&[u8]>) -> Vec<FilePatternId> {
        let mut found = Vec::new();
        let mut see = |name: GlobId, is_archive: bool| {
            let all = self.with_name[name].iter();
            found.extend(all.copied().filter(|&id| match (&self.archives[id], archive) {
                (ArchiveGlob::Any, _) => true,
                (ArchiveGlob::None, None) | (ArchiveGlob::Unasked, _) => !is_archive,
                (ArchiveGlob::Named(glob), Some(archive)) => !is_archive && glob.matches(archive),
                _ => false,
            }));
        };
        self.index.visit(file, |_| true, |name| see(name, false));
        if let Some(archive) = archive {
            self.index.visit(archive, |_| true, |name| see(name, true));
        }
        found.sort();
        found.dedup();
        found
    }
}
