//! Names of relocation types, for diagnostics.
//!
//! A name is a `Display` value and not a `String`, so that a message can be built around it without
//! the code that found the fault allocating anything.

use std::fmt;

use super::howto::howto;

/// The name of a relocation type as the psABI spells it (`R_X86_64_PC32`), or `unknown (N)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelocationName(u32);

/// The name of `r_type`, to be formatted with `{}`.
pub const fn relocation_name(r_type: u32) -> RelocationName {
    RelocationName(r_type)
}

impl fmt::Display for RelocationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match howto(self.0) {
            Some(howto) => f.pad(howto.name),
            None => write!(f, "unknown ({})", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_abi_spelling() {
        for (r_type, name) in [
            (0, "R_X86_64_NONE"),
            (2, "R_X86_64_PC32"),
            (42, "R_X86_64_REX_GOTPCRELX"),
            (51, "R_X86_64_CODE_6_GOTPC32_TLSDESC"),
            (251, "R_X86_64_GNU_VTENTRY"),
            (52, "unknown (52)"),
            (u32::MAX, "unknown (4294967295)"),
        ] {
            assert_eq!(relocation_name(r_type).to_string(), name);
        }
    }
}
