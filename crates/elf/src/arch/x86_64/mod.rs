//! x86-64: relocations, relaxations and PLTs (x86-64 psABI).

pub mod apply;
mod apply_any;
pub mod branch;
pub mod decide;
pub mod fall_through;
pub mod fold;
pub mod howto;
mod instruction;
pub mod landing_pad;
pub mod loader;
pub mod names;
pub mod plt;
pub mod plt_frames;
pub mod relax;
pub mod scan;
pub mod split_prologue;
pub mod thunk;
pub mod tls;
