//! The layout commands of linker scripts: `SECTIONS`, `MEMORY`, `PHDRS` and related ones.
//!
//! [`text_script`] parses a file into commands; [`parse`] turns the layout commands among them into
//! [`statements`]. [`layout_script`] joins those of several scripts, and [`matcher`] finds the
//! statement that takes an input section. The layout without a script is a list of the same
//! statements, [`default_layout`], which [`print`] writes as a script. Its patterns of names alone
//! classify sections when objects are read ([`name_classes`]).
//!
//! Source of the rules: GNU ld manual, "SECTIONS Command" and the sections around it, and GNU ld's
//! behaviour where the manual is silent.

mod classes;
pub mod default_layout;
mod fixed_addresses;
mod further_sections;
pub mod init_order;
pub mod insertions;
pub mod layout_script;
pub mod matcher;
pub mod name_classes;
mod overwriting;
pub mod parse;
pub mod print;
pub mod regions;
mod relocatable_layout;
pub mod section_names;
pub mod statements;
pub mod text_script;

pub use layout_script::LayoutScript;
