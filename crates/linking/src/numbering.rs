//! Gives ids to opened inputs in command-line order, and then to inputs that turn out to be needed
//! when files have been read. A file that is named twice gets one id, unless it is an object.

use crate::candidates::{ArchiveInput, Candidate, ExtractionRule, Mention};
use crate::ids::{ArchiveId, FileId, LibraryId};
use crate::opened_archive::{Members, OpenedArchive};
use skald_core::ids::Column;
use skald_core::unordered::UnorderedMap;
use skald_host::input::Identity;
use std::ops::Range;
use std::path::PathBuf;

/// Archives and shared objects that have ids.
#[derive(Debug, Default)]
pub struct NumberedInputs {
    archives: UnorderedMap<Identity, ArchiveId>,
    libraries: UnorderedMap<Identity, LibraryId>,
    /// Shared objects by name (`DT_SONAME`).
    library_names: UnorderedMap<Vec<u8>, LibraryId>,
    /// By archive, the index of its first mention.
    mentioned: UnorderedMap<ArchiveId, usize>,
}

impl NumberedInputs {
    /// The id of the archive found at `path`; gives ids to its members if they have none.
    pub fn add_archive(
        &mut self,
        path: PathBuf,
        opened: OpenedArchive,
        is_read_ahead: bool,
        files: &mut Column<FileId, Candidate>,
        archives: &mut Column<ArchiveId, ArchiveInput>,
    ) -> ArchiveId {
        let OpenedArchive { file, archive, members, is_whole } = opened;
        // Its members have ids; naming it again only adds that all are taken (`--whole-archive`).
        if let Some(&earlier) = self.archives.get(&file.identity)
            && !is_whole
        {
            return earlier;
        }
        let at = archives.end();
        self.archives.insert(file.identity, at);
        let mut entry = ArchiveInput {
            path,
            archive,
            file,
            is_read_ahead,
            data: file.data,
            first_file: files.end(),
            index: Vec::new(),
        };
        let (offsets, rule) = match members {
            Members::Indexed(names) => {
                entry.data = names.pool;
                entry.index = names.entries;
                (names.members, ExtractionRule::ByIndex)
            }
            Members::All(offsets) if is_whole => (offsets, ExtractionRule::Whole),
            Members::All(offsets) => (offsets, ExtractionRule::BySymbols),
        };
        files.extend(offsets.into_iter().map(|header_offset| Candidate::Member {
            archive: at,
            header_offset,
            rule,
        }));
        archives.push(entry);
        at
    }

    /// The shared object with this file identity, or with this name (`DT_SONAME`).
    pub fn library(&self, identity: Identity, name: &[u8]) -> Option<LibraryId> {
        self.libraries.get(&identity).or_else(|| self.library_names.get(name)).copied()
    }

    /// Notes a shared object that has got an id.
    pub fn add_library(&mut self, identity: Identity, name: &[u8], library: LibraryId) {
        self.libraries.insert(identity, library);
        self.library_names.insert(name.to_vec(), library);
    }

    /// Adds an input to `mentions`. Its files are `files`, or those that its archive got ids for
    /// when it was named first.
    pub fn mention(
        &mut self,
        group: u32,
        mut files: Range<FileId>,
        archive: Option<ArchiveId>,
        mentions: &mut Vec<Mention>,
    ) {
        if files.is_empty()
            && let Some(&earlier) = archive.and_then(|archive| self.mentioned.get(&archive))
        {
            files = mentions[earlier].files.clone();
        }
        if !files.is_empty() {
            if let Some(archive) = archive {
                self.mentioned.entry(archive).or_insert(mentions.len());
            }
            mentions.push(Mention { group, files, archive });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skald_core::hash::HashKey;
    use skald_core::input;

    /// An archive without an index, of members of no bytes.
    fn archive_file(directory: &std::path::Path, members: usize) -> PathBuf {
        let mut text = b"!<arch>\n".to_vec();
        for at in 0..members {
            let header = format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", at, 0, 0, 0, 644, 0);
            text.extend_from_slice(header.as_bytes());
        }
        let path = directory.join("x.a");
        std::fs::write(&path, text).expect("a temporary file");
        path
    }

    #[test]
    fn archives_have_one_id_unless_they_are_taken_whole_later() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = archive_file(directory.path(), 3);
        let key = HashKey::random();
        let mut numbered = NumberedInputs::default();
        let (mut files, mut archives) = (Column::new(), Column::new());
        let mut mentions = Vec::new();
        let mut add = |is_whole: bool, mentions: &mut Vec<Mention>| {
            let first = files.end();
            let file = input::open(&path).expect("just written");
            let archive = crate::archive::Archive::parse(file.data).expect("an archive");
            let opened = OpenedArchive::read(file, archive, is_whole, &key).expect("whole");
            let at = numbered.add_archive(path.clone(), opened, false, &mut files, &mut archives);
            numbered.mention(0, first..files.end(), Some(at), mentions);
            (at.index(), files.len())
        };
        assert_eq!(add(false, &mut mentions), (0, 3));
        assert_eq!(add(false, &mut mentions), (0, 3));
        assert_eq!(add(true, &mut mentions), (1, 6));
        assert_eq!(add(false, &mut mentions), (1, 6));
        let ranges: Vec<Range<usize>> =
            mentions.iter().map(|m| m.files.start.index()..m.files.end.index()).collect();
        assert_eq!(ranges, [0..3, 0..3, 3..6, 3..6]);
    }
}
