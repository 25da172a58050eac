//! Every address, size and file offset.
//!
//! [`collect`] sorts live input sections into [`output_sections`] by the rules of [`rules`] and, where
//! options have a say, in the order of [`order`]; [`place`] gives them offsets, with room for [`islands`]; [`segments`] gives output sections addresses and file offsets and makes the
//! program headers.

pub mod collect;
pub mod file_size;
pub mod islands;
pub mod memory_binding;
pub mod order;
pub mod output_sections;
pub mod place;
pub mod rules;
pub mod section_order;
pub mod segments;
pub mod zeros;

pub use output_sections::{Content, OutputSection, OutputSections, Synthetic};
pub use segments::Segment;
