//! Output files: their names until they are complete, and how bytes get into them.
//!
//! A host decides how an output replaces an older one ([`Destination`]). The caller decides on the
//! order of writes, and on the threads that write.

pub use crate::system::output::{
    Destination, MappedRange, Mapping, Place, Replaced, Written, check, is_stream, permission_bits,
};
use std::path::Path;

/// The properties of an output to be opened.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The name that the output gets when it is complete; `-` is standard output.
    pub path: &'a Path,
    /// Bytes of the file.
    pub size: u64,
    /// Permission bits of a new file, as [`permission_bits`] gives them.
    pub mode: u32,
    /// An existing file may be overwritten, because it is an executable, which only processes that
    /// run it have mapped.
    pub may_reuse: bool,
    /// The old output keeps its name until the new one is complete.
    pub atomic: bool,
}

/// How bytes get into a destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A file, at any offset.
    AtOffsets,
    /// A file that has its final name already, at any offset. Its first bytes are to be written
    /// last, so that an incomplete file does not begin like an output.
    InPlace,
    /// A pipe, a device or a descriptor of the caller, in order.
    InOrder,
    /// Nothing is kept.
    Nowhere,
}

/// The cost of a shared mapping of a file in comparison with writing, with many threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SharedPages {
    /// Pages are small either way: a mapping helps threads that would wait for the writing one.
    Small,
    /// A write makes large folios and a page fault small ones: mixing both is the slowest.
    Large,
    /// Nothing is known.
    Unknown,
}
