//! Changes to code once everything is known: words that are written after relocations are applied,
//! and thunks in the room that layout leaves for them.

pub mod branches;
pub mod landing_pads;
pub mod shrinking;
pub mod split_stack;
pub mod thunks;
pub mod words;
