//! Link-time optimisation: inputs of intermediate code, which a compiler's plugin turns into
//! objects.
//!
//! A file that one of the [`plugins`] claims is first linked as a stand-in: an object in memory
//! with the file's symbols and no contents. So files are taken and definitions compete as in any
//! other link. When no more files are wanted, definitions are settled on trial and the plugins get
//! the resolutions (`resolve::prevailing`). The objects that they compile then replace the
//! stand-ins (`link::compiling`). Modules of ThinLTO may be compiled elsewhere ([`distribute`]).

pub mod distribute;
mod plugin_search;
pub mod plugins;
pub mod producer;
mod stand_in;
