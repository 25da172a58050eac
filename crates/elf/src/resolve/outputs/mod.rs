//! Which output section each input section goes to.

pub mod output_names;
pub mod scripted;
pub mod spills;
pub mod zeros;
