//! Reading ahead: asks the kernel to read the bytes that the link is going to need.
//!
//! A mapped file that is not in the page cache is read from its disk a few pages at a time, and a
//! thread waits for each read. Advice before the first access keeps the disk busy instead: for
//! whole objects, for the index of archives, and later for the members of each round of extraction.
//! No advice is given if the file is in the page cache already, which one system call shows when
//! the file is opened (`docs/decisions/0010-prefetch.md`).

use crate::candidates::{ArchiveInput, Candidate};
use crate::ids::{ArchiveId, FileId};
use skald_core::ids::IdSlice;
use skald_core::input::InputFile;
use skald_core::par::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Bytes at the beginning of an archive or a library that are asked for before its index or its
/// section table tells more.
const HEAD: usize = 256 << 10;

/// Members that are this close to each other, in bytes, are read in one go.
const GAP: usize = 64 << 10;

/// Asks for the bytes of a just opened file that are read first, without looking into it.
pub fn opened(path: &Path, file: &InputFile) {
    let len = file.data.len();
    file.advise_willneed(0..if is_read_in_part(path) { len.min(HEAD) } else { len });
}

/// Asks for the rest of an archive's index, which ends at `members_offset`, or for the whole of an
/// archive whose members are all taken, if `is_wanted` says so of the file.
pub fn archive(
    file: &InputFile,
    members_offset: usize,
    is_whole: bool,
    is_wanted: impl Fn(&InputFile) -> bool,
) {
    let end = if is_whole { file.data.len() } else { members_offset };
    if end > HEAD && is_wanted(file) {
        file.advise_willneed(HEAD..end);
    }
}

/// Whether any archive is read ahead, so that [`members`] has something to do.
pub fn has_members(archives: &IdSlice<ArchiveId, ArchiveInput>) -> bool {
    archives.iter().any(|archive| archive.is_read_ahead)
}

/// Asks for the archive members among `files`, ascending, that are about to be read.
pub fn members(
    candidates: &IdSlice<FileId, Candidate>,
    archives: &IdSlice<ArchiveId, ArchiveInput>,
    files: &[FileId],
) {
    let mut ranges: Vec<(ArchiveId, Range<usize>)> = Vec::new();
    for &file in files {
        let Some((archive, range)) = member_range(candidates, archives, file) else { continue };
        match ranges.last_mut() {
            Some((last, merged)) if *last == archive && range.start <= merged.end + GAP => {
                merged.end = merged.end.max(range.end);
            }
            _ => ranges.push((archive, range)),
        }
    }
    ranges.into_par_iter().with_max_len(1).for_each(|(archive, range)| {
        let input = &archives[archive];
        if input.is_read_ahead {
            input.file.advise_willneed(range);
        }
    });
}

/// The archive of a member, and its byte range up to the next member: reading the member's header
/// for its size would mean to wait for it.
fn member_range(
    candidates: &IdSlice<FileId, Candidate>,
    archives: &IdSlice<ArchiveId, ArchiveInput>,
    file: FileId,
) -> Option<(ArchiveId, Range<usize>)> {
    let place = |file: FileId| match candidates.get(file)? {
        Candidate::Member { archive, header_offset, .. } => Some((*archive, *header_offset)),
        _ => None,
    };
    let (archive, start) = place(file)?;
    let input = &archives[archive];
    if !input.is_read_ahead || input.archive.is_thin() {
        return None;
    }
    let all = input.file.data.len();
    let next = place(file + 1).filter(|&(other, next)| other == archive && next > start);
    let end = next.map_or(all, |(_, next)| next as usize);
    Some((archive, start as usize..end.min(all)))
}

/// Whether only parts of a file are read: archives and shared libraries, judged by the name.
fn is_read_in_part(path: &Path) -> bool {
    let name = path.file_name().map_or(&[][..], |name| name.as_encoded_bytes());
    [&b".a"[..], b".lib", b".rlib", b".so"].iter().any(|end| name.ends_with(end))
        || memchr::memmem::find(name, b".so.").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_archives_and_libraries_from_objects() {
        for name in ["/x.o/libc.a", "libc.so", "libc.so.6", "core.rlib"] {
            assert!(is_read_in_part(Path::new(name)), "{name}");
        }
        for name in ["/x.a/x.o", "a", "also", "..", ""] {
            assert!(!is_read_in_part(Path::new(name)), "{name}");
        }
    }
}
