//! Files of intermediate code that plugins have claimed, and the files compiled from them.

use super::{FileId, LibraryId};
use skald_core::names::NameId;
use skald_core::unordered::UnorderedSet;
use std::ops::Range;

/// The claimed files, and the files compiled from them.
#[derive(Debug, Default)]
pub struct Compiled {
    /// Files that plugins have claimed, which are not linked themselves.
    pub claimed: UnorderedSet<FileId>,
    /// The compiled files, and the first claimed one, whose place they take.
    pub place: Option<(Range<FileId>, FileId)>,
    /// Sections in the order that plugins ask for: files and section header indices.
    pub section_order: Vec<(FileId, u32)>,
    /// Segments that plugins ask for.
    pub segments: Vec<AskedSegment>,
    /// The references of claimed files, for reports that list them.
    pub notes: ClaimedNotes,
}

/// A segment of its own for some sections, which form one output section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AskedSegment {
    /// Name of the output section.
    pub name: Vec<u8>,
    /// Further `p_flags` besides those of its sections.
    pub flags: u32,
    /// Least alignment; 0 for that of its sections.
    pub align: u64,
    /// Files and section header indices.
    pub sections: Vec<(FileId, u32)>,
}

/// Information on claimed files for reports. The files are gone when reports are made from the
/// tables of the link, so it is collected before.
#[derive(Debug, Default)]
pub struct ClaimedNotes {
    /// The claimed files that take part.
    pub linked: Vec<FileId>,
    /// Why archive members and `--as-needed` libraries are linked.
    pub reasons: Reasons,
    /// The names in claimed files: name, whether the file only refers to it, and the file.
    pub mentions: Vec<(NameId, bool, FileId)>,
    /// What claimed files do with the symbols of `--trace-symbol`, by position in the option's
    /// list.
    pub traced: Vec<(usize, FileId, &'static str)>,
}

/// Why optional files are linked, in the order in which they were asked for.
#[derive(Debug, Clone, Default)]
pub struct Reasons {
    /// Members of archives.
    pub members: Vec<(FileId, Reason)>,
    /// Libraries of `--as-needed`.
    pub libraries: Vec<(LibraryId, Reason)>,
}

/// The reason why a file is linked.
#[derive(Debug, Clone, Copy)]
pub struct Reason {
    /// The first file or option that refers to `name`.
    pub asker: Requester,
    /// The undefined name that the file defines.
    pub name: NameId,
}

/// Who asks for a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requester {
    /// A file that refers to it.
    File(FileId),
    /// An option, as lld calls it.
    Option(&'static str),
}
