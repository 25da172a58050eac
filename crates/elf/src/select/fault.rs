//! A section whose content cannot be used.
use crate::read::ObjectId;

/// Where and why; the message is made where file names are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SectionFault {
    /// Object.
    pub object: ObjectId,
    /// Section header index.
    pub shndx: u32,
    /// Bytes from the start of the section.
    pub section_offset: u64,
    /// What is wrong.
    pub what: &'static str,
}
