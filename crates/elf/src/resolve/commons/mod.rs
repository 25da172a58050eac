//! Common symbols: how large and how aligned they are, and which of them do not become definitions.
//! [`super::extract::common_members`] finds archive members that replace common symbols.

pub mod common_sizes;
pub mod undefined_commons;
