//! Patterns of files: which of them match a file, found once for all of its sections.

use super::ArchiveGlob;
use crate::script::statements::{ArchivePattern, FileName, InputStatement};
use skald_base::glob::Glob;
use skald_base::glob_index::GlobIndex;
use skald_core::unordered::UnorderedMap;

/// Different patterns of files, with their numbers.
#[derive(Debug, Default)]
pub(super) struct FilePatterns {
    /// What each says of the archive.
    archives: Vec<ArchiveGlob>,
    numbers: UnorderedMap<(Vec<u8>, ArchivePattern), u32>,
    names: UnorderedMap<Vec<u8>, u32>,
    globs: Vec<Glob>,
    /// By name pattern, the patterns of files that have it.
    with_name: Vec<Vec<u32>>,
    index: GlobIndex,
}

/// How many patterns of files a statement has.
pub(super) fn count(statement: &InputStatement) -> usize {
    let of_sections = statement.sections.iter().map(|section| section.excluded.len());
    let own = usize::from(*statement.file.name != *b"*");
    own + statement.file.excluded.len() + of_sections.sum::<usize>()
}

impl FilePatterns {
    /// The number of a pattern.
    pub fn add(&mut self, name: &[u8], archive: &ArchivePattern) -> u32 {
        if let Some(&number) = self.numbers.get(&(name.to_vec(), archive.clone())) {
            return number;
        }
        let number = self.archives.len() as u32;
        self.numbers.insert((name.to_vec(), archive.clone()), number);
        let of_name = *self.names.entry(name.to_vec()).or_insert_with(|| {
            self.globs.push(Glob::new(name));
            self.with_name.push(Vec::new());
            self.globs.len() as u32 - 1
        });
        self.with_name[of_name as usize].push(number);
        self.archives.push(ArchiveGlob::new(archive));
        number
    }

    /// The number of a pattern in `EXCLUDE_FILE`.
    pub fn add_excluded(&mut self, file: &FileName) -> u32 {
        self.add(&file.name, &file.archive)
    }

    /// Compiles what was added.
    pub fn finish(&mut self) {
        self.index = GlobIndex::new(std::mem::take(&mut self.globs));
        (self.numbers, self.names) = Default::default();
    }

    /// Whether there is no pattern.
    pub fn is_empty(&self) -> bool {
        self.archives.is_empty()
    }

    /// The patterns that match a file, ascending.
    pub fn matching(&self, file: &[u8], archive: Option<&[u8]>) -> Vec<u32> {
        let mut found = Vec::new();
        let mut see = |name: u32, is_archive: bool| {
            let all = self.with_name[name as usize].iter();
            found.extend(all.copied().filter(|&number| {
                match (&self.archives[number as usize], archive) {
                    (ArchiveGlob::Any, _) => true,
                    (ArchiveGlob::None, None) => !is_archive,
                    (ArchiveGlob::Named(glob), Some(archive)) => {
                        !is_archive && glob.matches(archive)
                    }
                    _ => false,
                }
            }));
        };
        self.index.visit(file, |_| true, |name| see(name, false));
        if let Some(archive) = archive {
            self.index.visit(archive, |_| true, |name| see(name, true));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
