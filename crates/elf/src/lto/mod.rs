//! Link-time optimisation: inputs of intermediate code, which a compiler's plugin turns into
//! objects.
//!
//! A file that one of the [`plugins`] claims is linked as a stand-in first: an object in memory
//! with its symbols and without contents. So files are taken and definitions compete as in any
//! other link. When no more files are wanted, definitions are settled on trial, the plugins are
//! given the resolutions (`resolve::prevailing`), and what they compile joins the link in the place
//! of the stand-ins (`link::compiling`). Modules of ThinLTO may be compiled elsewhere
//! ([`distribute`]).

pub mod distribute;
mod plugin_search;
pub mod plugins;
pub mod producer;
mod stand_in;
