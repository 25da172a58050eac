//! A section whose content cannot be used, for a message.
use crate::read::ObjectId;

/// Where and what is wrong; the message is made where file names are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SectionFault {
    /// The object that has the section.
    pub object: ObjectId,
    /// Section header index in the object.
    pub shndx: u32,
    /// Offset in the section, in bytes.
    pub section_offset: u64,
    /// What is wrong, as the end of a message.
    pub what: &'static str,
}
