//! Common symbols: how large and how aligned they are, and which of them are no definitions.
//! Archive members that replace them are [`super::extract::common_members`].

pub mod common_sizes;
pub mod undefined_commons;
