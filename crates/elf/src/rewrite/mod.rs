//! Changes to code once everything is known: words that are written after relocations are applied,
//! and thunks in the room that layout leaves for them.

pub mod branches;
pub mod errata;
pub mod landing_pads;
pub mod shrinking;
pub mod split_stack;
pub mod thunks;
pub mod veneers;
pub mod words;
