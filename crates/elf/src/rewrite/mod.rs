//! What code has to change once all is known: as words over what relocating wrote, and thunks in
//! the room that layout leaves for them.

pub mod branches;
pub mod landing_pads;
pub mod shrinking;
pub mod split_stack;
pub mod thunks;
pub mod words;
