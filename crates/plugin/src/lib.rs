//! Compiler plugins for link-time optimisation, each in a process of its own.
//!
//! A plugin is a library that belongs to a compiler. It claims inputs with intermediate code, is
//! told which definitions prevail, and returns object files (`plugin-api.h` of GNU binutils;
//! "Linker Plugin Interface" in GCC's wiki). Such a library may end its process, change its
//! directory or write to its streams, so it is loaded by a helper: this program, started again
//! under the name [`HOST`], with a socket as its standard input. [`process`] is the linker's side,
//! `host` the helper's, and [`wire`] has the messages between the two.
//!
//! Contents of files do not go through the socket: the helper opens and maps them itself.

mod api;
mod callbacks;
mod format;
mod host;
pub mod process;
mod section_view;
mod temp_dir;
mod waiting;
pub mod wire;

pub use host::serve;
pub use process::PluginProcess;

/// The name under which the program runs as a helper.
pub const HOST: &str = "skald-plugin-host";
