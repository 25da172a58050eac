//! Messages that need more than the good path keeps.
//!
//! A link that succeeds never comes here. When one fails, the tables know symbol, file, section
//! and offset; what a user wants to read is source file, line and function. These files parse the
//! objects concerned once more, slowly and with every check, and render the text.
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
