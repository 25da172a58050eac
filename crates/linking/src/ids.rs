//! Ids of files and sections, in any object format.

use skald_core::id;

id! {
    /// A file's position on the command line; every archive member has one. Lower wins ties.
    FileId
}

id! {
    /// An archive, numbered in command-line order.
    ArchiveId
}

id! {
    /// A shared object of the link, numbered in command-line order.
    LibraryId
}

id! {
    /// An object that is linked, numbered in command-line order.
    ObjectId
}

id! {
    /// An input section of a linked object, numbered object by object.
    SectionId
}
