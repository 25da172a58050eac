//! Gives every section its address, size and file offset.
//!
//! [`collect`] sorts live input sections into [`output_sections`]; options can change their order
//! ([`order`]). [`input_offsets`] gives inputs their offsets, with room for [`islands`]. A layout
//! is a list of [`items`]: [`arrange`] makes it of statements, those of a script or of the default
//! layout ([`automatic`]), and [`section_order`] of a list of sections. [`walk`] goes through the
//! items and gives them addresses. [`segments`] makes program headers from the order and flags of
//! sections, and [`address_segments`], for scripts, from addresses. [`settle`] repeats all of it
//! until nothing changes.

pub mod address_segments;
pub mod arrange;
pub mod automatic;
pub mod collect;
mod debug_order;
pub mod deletions;
pub mod empty_sections;
mod extents;
pub mod file_size;
pub mod input_offsets;
pub mod islands;
pub mod items;
pub mod limits;
pub mod link_order;
pub mod memory_binding;
mod merged_places;
pub mod nature;
pub mod order;
mod orphans;
pub mod output_sections;
pub mod placed;

pub mod section_order;
mod segment_marks;
pub mod segments;
pub mod settle;
pub mod shown;
pub mod spill;
pub mod table_headers;
pub mod walk;

pub use output_sections::{Content, OutputSection, OutputSections, Synthetic};
pub use segments::Segment;
