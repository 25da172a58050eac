//! Machines as facts: one folder each, and [`Machine`], behind which they stand. Every stage may
//! ask for a fact, so nothing here knows a stage; the loops of machines are in `loops`, and nothing
//! outside of the two names a machine.

pub mod class;
pub mod description;
pub mod fold;
pub mod howto;
pub mod loader;
pub mod padding;
pub mod property;
pub mod type_set;
pub mod x86_64;

pub use class::Class;
pub use description::Machine;

/// All machines, the first being the one that is linked for without `-m`.
pub static MACHINES: [&Machine; 1] = [&x86_64::MACHINE];

/// Arguments that `-m` takes, as lists of them show them.
pub const EMULATIONS: &str = "elf_x86_64";

/// Arguments that `-m` takes, with the names that other systems have for the same machines.
pub const ALL_EMULATIONS: &str = "elf_x86_64|elf_x86_64_fbsd|elf_amd64_fbsd";

impl Machine {
    /// The machine that `-m` calls `emulation`, and `EI_OSABI` if that is for another system.
    pub fn by_emulation(emulation: &str) -> Option<(&'static Machine, Option<u8>)> {
        MACHINES.iter().find_map(|&machine| {
            let variant = machine.emulation_variants.iter().find(|(name, _)| *name == emulation);
            let is_own = machine.emulation == emulation;
            (is_own || variant.is_some()).then(|| (machine, variant.map(|&(_, os_abi)| os_abi)))
        })
    }

    /// The machine one of whose formats BFD calls `name`, and `EI_OSABI` if its files say it.
    pub fn by_format(name: &[u8]) -> Option<(&'static Machine, Option<u8>)> {
        let named = |machine: &&'static Machine| name.starts_with(machine.format.as_bytes());
        let mut machines = MACHINES.into_iter().filter(named);
        machines.find_map(|machine| Some((machine, machine.format_of(name)?)))
    }

    /// The machine one of whose names is `name`, as in `OUTPUT_ARCH`.
    pub fn by_architecture(name: &[u8]) -> Option<&'static Machine> {
        MACHINES.into_iter().find(|machine| machine.has_architecture(name))
    }

    /// The machine that compilers for `triple` make code for.
    pub fn by_triple(triple: &str) -> Option<&'static Machine> {
        MACHINES.into_iter().find(|machine| triple.starts_with(machine.tool_prefix))
    }

    /// x86-64 with another class and byte order, for tests of tables.
    #[cfg(test)]
    pub fn like_x86_64(
        class: Class,
        byte_order: skald_linking::byte_order::ByteOrder,
    ) -> &'static Machine {
        Box::leak(Box::new(Machine { class, byte_order, ..x86_64::MACHINE }))
    }

    /// Whether a word of `-z` means nothing for this machine: it is one of others.
    pub fn lacks_keyword(&self, word: &str) -> bool {
        !self.keywords.contains(&word)
            && MACHINES.iter().any(|machine| machine.keywords.contains(&word))
    }
}

/// The machine that is linked for without `-m`.
impl Default for &'static Machine {
    fn default() -> &'static Machine {
        &x86_64::MACHINE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emulations_are_those_of_the_machines() {
        let names: Vec<&str> = MACHINES.iter().map(|machine| machine.emulation).collect();
        assert_eq!(names.join("|"), EMULATIONS);
        assert!(Machine::by_emulation("elf_i386").is_none());
        let variants = MACHINES.iter().flat_map(|machine| machine.emulation_variants);
        let all: Vec<&str> = names.into_iter().chain(variants.map(|(name, _)| *name)).collect();
        assert_eq!(all.join("|"), ALL_EMULATIONS);
        for machine in MACHINES {
            let found = Machine::by_emulation(machine.emulation).expect("it is one of them").0;
            assert_eq!(found.e_machine, machine.e_machine);
            assert!(found.common_page_size <= found.max_page_size);
        }
    }
}
