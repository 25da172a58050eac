//! Pieces of merged sections: strings or constants, of which equal ones are stored once.
//!
//! [`split`] finds and hashes the pieces, [`super::piece_owners`] decides which of several equal
//! pieces is stored, and [`output_offsets`] gives all of them output offsets. A [`Member`] holds
//! the pieces of one section; a large section is several members while it is split and placed
//! ([`joined`]).

pub mod joined;
mod member;
pub mod output_offsets;
pub mod split;
mod used_bytes;

pub use member::Member;
use skald_core::id;
pub use used_bytes::UsedBytes;

id! {
    /// A group of sections whose pieces are merged: they go to the same output section and are of
    /// the same kind.
    GroupId
}

id! {
    /// A merged section, in command-line order.
    MemberId
}

/// How a section is split into pieces.
#[derive(Debug, Clone, Copy)]
pub struct Division {
    /// Size of the section in bytes.
    pub size: u64,
    /// Bytes of a constant, or of a character of a string.
    pub unit_size: u16,
    /// Alignment of every piece as a power of two (log2).
    pub align_log2: u8,
    /// The pieces are terminated strings, not constants.
    pub is_strings: bool,
}
