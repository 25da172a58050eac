//! Error messages that need more data than a successful link keeps.
//!
//! A successful link runs none of this code. When a link fails, its tables contain symbol, file,
//! section and offset, while the user needs source file, line and function. This module parses the
//! objects concerned again, with every check and without regard to speed, and renders the messages.
//!
//! | file | noun |
//! |---|---|
//! | `object_view` | one object parsed again: sections, enclosing symbols, references, its DWARF |
//! | `place` | a location in an input, ready to be printed |
//! | `messages` | the texts; pure functions from report to string |
//! | `hints` | what the user probably meant |
//! | `input_files` | files that cannot be linked, and what was meant |
//! | `known_names` | what the name alone tells |
//! | `unlinked_libraries` | libraries that would define what is undefined, or that are misspelt |
//! | `undefined` | all of it for undefined symbols |
//! | `enclosing` | the symbols that places belong to |
//! | `duplicates` | how a symbol came to be defined twice |
//! | `handling_script` | a program of the user's that is told what is missing |
//! | `visual_studio` | the form of messages that Visual Studio reads |
//! | `order` | which messages come before which |
//!
//! Invariant: nothing here depends on a table of the link, and nothing here fails. What cannot be
//! found out is left out of the message.

pub mod duplicates;
pub mod enclosing;
pub mod handling_script;
pub mod hints;
pub mod input_files;
pub mod known_names;
pub mod location;
pub mod messages;
pub mod object_view;
pub mod order;
pub mod undefined;
pub mod unlinked_libraries;
pub mod visual_studio;
