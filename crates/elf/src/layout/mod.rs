//! Every address, size and file offset.
//!
//! [`collect`] sorts live input sections into [`output_sections`] by their names; [`statements`] is
//! the list that says in which order these stand and, where options have a say, in the order of
//! [`order`]; [`place`] gives them offsets, with room for [`islands`]. What stands where is a list
//! of [`items`], made by [`automatic`] from the options, by [`section_order`] or [`scripted`] from
//! what the user wrote; [`walk`] goes through it and gives all their addresses; [`segments`] makes
//! the program headers.

pub mod arrange;
pub mod automatic;
pub mod collect;
mod extents;
pub mod file_size;
pub mod islands;
pub mod items;
pub mod memory_binding;
pub mod order;
mod orphans;
pub mod output_sections;
pub mod place;
pub mod scripted;
pub mod section_order;
pub mod segments;
pub mod walk;

pub use output_sections::{Content, OutputSection, OutputSections, Synthetic};
pub use segments::Segment;
