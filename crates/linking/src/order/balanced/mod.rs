//! Orders found by balanced partitioning: sections that have much in common stand close together.
//!
//! What sections have in common are *utilities*, numbers that mean nothing by themselves: for
//! [`startup`] a stretch of time in which functions are first called, for [`similarity`] a run of
//! bytes that occurs in several sections. [`partition`] orders nodes by their utilities.

pub mod partition;
pub mod similarity;
pub mod startup;
