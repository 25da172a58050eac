//! The report of a link: turns plain values into JSON for tools and into an HTML page for people.
//!
//! [`data`] has the columns, which do not depend on the linker's tables; the linker fills them.
//! [`json`] writes them as `docs/report.md` describes, and [`page`] embeds the compressed JSON in a
//! page with all code that is needed to view it.
//!
//! Invariant: apart from the timeline, the report is reproducible: equal links make equal reports.

pub mod data;
pub mod json;
pub mod page;
