//! The layout commands of linker scripts: `SECTIONS`, `MEMORY`, `PHDRS` and what belongs to them.
//!
//! [`text_script`] makes commands of a file and hands what lays the output out to [`parse`], which
//! turns it into [`statements`], [`layout_script`] joins what several scripts say, and
//! [`matcher`] says which statement takes an input section. What holds without a script is a list
//! of the same statements, [`default_layout`], which [`print`] writes as a script; what it says of
//! a name alone, objects are read with ([`name_classes`]).
//!
//! Source of the rules: GNU ld manual, "SECTIONS Command" and the sections around it, and GNU ld's
//! behaviour where the manual is silent.

mod classes;
pub mod default_layout;
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
