//! What code has to change once all is known: as words over what relocating wrote, or before
//! anything has an address.

pub mod branches;
pub mod fall_through;
pub mod landing_pads;
pub mod split_stack;
pub mod thunks;
pub mod words;
