//! The link, from options to the output file.

use skald_core::diag::{Diag, Failed};

use crate::args::Options;

/// Links what `options` ask for; messages go to `diag`.
pub fn link(options: &Options, diag: &Diag) -> Result<(), Failed> {
    diag.error((0, 0), format!("cannot make {}: no stage is in place", options.output.display()));
    diag.checkpoint()
}
