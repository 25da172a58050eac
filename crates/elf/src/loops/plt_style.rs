//! Variants of the code that PLTs of x86 have, with 32 and with 64 bits.

use crate::args::ZOptions;
use object::elf::GNU_PROPERTY_X86_FEATURE_1_IBT;

/// A variant of the PLT's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PltStyle {
    /// A `jmp` through the GOT, and nothing else.
    Plain,
    /// For processors that enforce indirect branch tracking.
    Ibt,
    /// Without indirect jumps, with lazy binding.
    Retpoline,
    /// Without indirect jumps, bound when the program is loaded.
    RetpolineNow,
}

impl PltStyle {
    /// The variant that options and the feature bits of the output's note ask for.
    pub fn chosen(z: &ZOptions, features: u64) -> PltStyle {
        let ibt = features & u64::from(GNU_PROPERTY_X86_FEATURE_1_IBT) != 0;
        if z.retpoline_plt {
            if z.now { PltStyle::RetpolineNow } else { PltStyle::Retpoline }
        } else if z.ibtplt || z.features.has("ibt") || ibt {
            PltStyle::Ibt
        } else {
            PltStyle::Plain
        }
    }
}
