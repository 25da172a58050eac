//! Ids of what every link has.

use skald_core::id;

id! {
    /// An input's place in the command line; archive members take one each. Lower wins ties.
    FileId
}

id! {
    /// An archive, in the order of the command line.
    ArchiveId
}

id! {
    /// A shared object that takes part, in the order of the command line.
    LibraryId
}

id! {
    /// An object that takes part, in the order of the command line.
    ObjectId
}

id! {
    /// A section of an object that takes part, in the same order.
    SectionId
}
