//! Machines as facts: one folder each, and [`Target`], behind which they stand. Every stage may ask
//! for a fact, so nothing here knows a stage; the loops of machines are in `loops`, and nothing
//! outside of the two names a machine.

pub mod description;
pub mod fold;
pub mod howto;
pub mod loader;
pub mod padding;
pub mod property;
pub mod type_set;
pub mod x86_64;

pub use description::Target;

/// All machines, the first being the one that is linked for without `-m`.
pub static TARGETS: [&Target; 1] = [&x86_64::TARGET];

/// Arguments that `-m` takes, as lists of them show them.
pub const EMULATIONS: &str = "elf_x86_64";

/// Arguments that `-m` takes, with the names that other systems have for the same machines.
pub const ALL_EMULATIONS: &str = "elf_x86_64|elf_x86_64_fbsd|elf_amd64_fbsd";

impl Target {
    /// The machine that `-m` calls `emulation`, and `EI_OSABI` if that is for another system.
    pub fn by_emulation(emulation: &str) -> Option<(&'static Target, Option<u8>)> {
        TARGETS.iter().find_map(|&target| {
            let variant = target.emulation_variants.iter().find(|(name, _)| *name == emulation);
            let is_own = target.emulation == emulation;
            (is_own || variant.is_some()).then(|| (target, variant.map(|&(_, os_abi)| os_abi)))
        })
    }
}

/// The machine that is linked for without `-m`.
impl Default for &'static Target {
    fn default() -> &'static Target {
        &x86_64::TARGET
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emulations_are_those_of_the_targets() {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.emulation).collect();
        assert_eq!(names.join("|"), EMULATIONS);
        assert!(Target::by_emulation("elf_i386").is_none());
        let variants = TARGETS.iter().flat_map(|target| target.emulation_variants);
        let all: Vec<&str> = names.into_iter().chain(variants.map(|(name, _)| *name)).collect();
        assert_eq!(all.join("|"), ALL_EMULATIONS);
        for target in TARGETS {
            let found = Target::by_emulation(target.emulation).expect("it is one of them").0;
            assert_eq!(found.machine, target.machine);
            assert!(found.common_page_size <= found.max_page_size);
        }
    }
}
