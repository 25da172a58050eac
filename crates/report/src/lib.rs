//! The report of a link: plain values to data for tools and to a page for people.
//!
//! [`data`] has the columns, which know no table of a link; whoever has linked fills them. [`json`]
//! writes them as `docs/report.md` describes, and [`page`] puts the same, compressed, into a page
//! with everything that is needed to look at it.
//!
//! Invariant: all but the timeline depends on the columns alone, so that equal links make equal
//! reports.

pub mod data;
pub mod json;
pub mod page;
