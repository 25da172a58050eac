//! Files that are written: under which name until they are whole, and by which way bytes get
//! there.
//!
//! A host decides how an output takes the place of an older one ([`Destination`]). What is written
//! in which order, and by which thread, is the business of whoever writes.

pub use crate::system::output::{
    Destination, MappedRange, Mapping, Place, Replaced, Written, check, is_stream, permission_bits,
};
use std::path::Path;

/// What is wanted of an output.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The name that it gets when it is whole; `-` is standard output.
    pub path: &'a Path,
    /// Bytes of the file.
    pub size: u64,
    /// Permission bits of a new file, as [`permission_bits`] gives them.
    pub mode: u32,
    /// An existing file may be overwritten: an executable, which nobody maps but those who run it.
    pub may_reuse: bool,
    /// The old output keeps its name until the new one is whole.
    pub atomic: bool,
}

/// How bytes get into a destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A file, at any offset.
    AtOffsets,
    /// A file that has its name already, at any offset: its first bytes are to be written last, so
    /// that what is not whole does not begin like an output.
    InPlace,
    /// A pipe, a device or a descriptor of the caller, in order.
    InOrder,
    /// Nothing is kept.
    Nowhere,
}

/// What a shared mapping of a file costs beside writing to it, with many threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SharedPages {
    /// Pages are small either way: a mapping helps those who would wait for the one that writes.
    Small,
    /// Large folios come after a write and small ones after a fault: to mix both is the worst.
    Large,
    /// Nothing is known.
    Unknown,
}
