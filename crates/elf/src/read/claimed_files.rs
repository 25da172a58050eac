//! Files of intermediate code, which plugins have claimed, and what has been compiled of them.

use super::{FileId, LibraryId};
use skald_core::names::NameId;
use skald_core::unordered::UnorderedSet;
use std::ops::Range;

/// Files of intermediate code, and what has been compiled of them.
#[derive(Debug, Default)]
pub struct Compiled {
    /// Files that plugins have claimed, which are not linked themselves.
    pub claimed: UnorderedSet<FileId>,
    /// The files that were compiled, and the first claimed one, in whose place they are linked.
    pub place: Option<(Range<FileId>, FileId)>,
    /// Sections in the order that plugins ask for: files and section header indices.
    pub section_order: Vec<(FileId, u32)>,
    /// Segments that plugins ask for.
    pub segments: Vec<AskedSegment>,
    /// What the claimed files say, for reports that list it.
    pub notes: ClaimedNotes,
}

/// A segment of its own for some sections, which are one output section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AskedSegment {
    /// Name of the output section.
    pub name: Vec<u8>,
    /// `p_flags` that it has besides those that its sections ask for.
    pub flags: u32,
    /// Least alignment; 0 for that of its sections.
    pub align: u64,
    /// Files and section header indices.
    pub sections: Vec<(FileId, u32)>,
}

/// What reports show of claimed files. They are gone when the reports are made of the tables of the
/// link, so that it is noted before.
#[derive(Debug, Default)]
pub struct ClaimedNotes {
    /// The claimed files that take part.
    pub linked: Vec<FileId>,
    /// Why members and libraries of `--as-needed` take part.
    pub reasons: Reasons,
    /// The names of claimed files: whether the file does not define the name, and the file.
    pub mentions: Vec<(NameId, bool, FileId)>,
    /// What claimed files say of the symbols of `--trace-symbol`, by position in the option's list.
    pub traced: Vec<(usize, FileId, &'static str)>,
}

/// Why files take part that need not, in the order in which they are asked for.
#[derive(Debug, Clone, Default)]
pub struct Reasons {
    /// Members of archives.
    pub members: Vec<(FileId, Reason)>,
    /// Libraries of `--as-needed`.
    pub libraries: Vec<(LibraryId, Reason)>,
}

/// What a file takes part for.
#[derive(Debug, Clone, Copy)]
pub struct Reason {
    /// Who refers to `name` first.
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
