//! Orders found by balanced partitioning: sections that have much in common are placed close
//! together.
//!
//! The properties that sections have in common are *utilities*, which are opaque ids here: for
//! [`startup`] a stretch of time in which functions are first called, for [`similarity`] a run of
//! bytes that occurs in several sections. [`partition`] orders nodes by their utilities.

pub mod partition;
pub mod similarity;
pub mod startup;
