//! Orders of sections that make programs start and run faster.

pub mod balanced;
pub mod call_graph;
