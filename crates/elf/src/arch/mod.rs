//! Machines: one folder each, and [`Target`], behind which they stand. Nothing outside names one.

pub mod code;
pub mod fold;
pub mod howto;
pub mod loader;
pub mod loops;
pub mod padding;
pub mod property;
pub mod target;
pub mod type_set;
mod x86_64;

use loops::Loops;
pub use target::Target;

/// All machines, the first being the one that is linked for without `-m`.
pub static TARGETS: [&Target; 1] = [&x86_64::TARGET];

/// The loops of all machines.
static LOOPS: [&Loops; 1] = [&x86_64::LOOPS];

/// Arguments that `-m` takes, as lists of them show them.
pub const EMULATIONS: &str = "elf_x86_64";

/// Arguments that `-m` takes, with the names that other systems have for the same machines.
pub const ALL_EMULATIONS: &str = "elf_x86_64|elf_x86_64_fbsd|elf_amd64_fbsd";

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
            assert!(std::ptr::eq(loops::of(target).machine, target));
            assert!(found.common_page_size <= found.max_page_size);
        }
    }
}
