//! Pieces: what a section of strings or of constants is divided into, so that equal ones stay once.
//!
//! [`split`] finds and hashes the pieces, [`super::piece_owners`] which of equal ones stays, and
//! [`place`] gives all of them their places in the output. A [`Member`] is what is then known of
//! one section; a large section is several while it is split and placed ([`joined`]).

pub mod joined;
mod member;
pub mod place;
pub mod split;
mod used_bytes;

pub use member::Member;
use skald_core::id;
pub use used_bytes::UsedBytes;

id! {
    /// A group of merged sections: what goes to one output section and is alike.
    GroupId
}

id! {
    /// A merged section, in the order of the command line.
    MemberId
}

/// How a section is divided into pieces.
#[derive(Debug, Clone, Copy)]
pub struct Division {
    /// Bytes of the section.
    pub size: u64,
    /// Bytes of a constant, or of a character of strings.
    pub unit_size: u16,
    /// Alignment of every piece as a power of two.
    pub align_log2: u8,
    /// Pieces are strings, each with a terminator, and not constants.
    pub is_strings: bool,
}
