//! Lists and reports for users: functions that turn tables into lines, for a file or a stream
//! ([`listing`]).

pub(crate) mod backrefs;
pub(crate) mod claimed;
pub(crate) mod cross_references;
pub(crate) mod dependencies;
pub(crate) mod extraction_reasons;
pub(crate) mod identical_sections;
pub(crate) mod listing;
pub(crate) mod map;
pub(crate) mod memory_usage;
pub(crate) mod relative_relocs;
pub(crate) mod removed;
pub(crate) mod report;
pub(crate) mod reproduction;
pub(crate) mod symbol_order;
pub(crate) mod symbol_traces;
pub(crate) mod timing;
pub(crate) mod traces;
pub(crate) mod usage_lists;
pub(crate) mod why_live;
