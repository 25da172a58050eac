//! Facts of machines: one folder for each, and the struct [`Machine`] through which all stages use
//! them. Nothing here knows a stage. The loops of machines are in `loops`; nothing outside of these
//! two folders names a machine.

pub mod aarch64;
pub mod arm;
pub mod attribute_section;
pub mod avr;
pub mod build_attributes;
pub mod class;
pub mod description;
pub mod fold;
pub mod howto;
pub mod i386;
pub mod info_layout;
pub mod listed_got;
pub mod loaded_attributes;
pub mod loader;
pub mod loongarch;
pub mod m68k;
pub mod mips;
pub mod msp430;
pub mod padding;
pub mod ppc32;
pub mod ppc64;
pub mod property;
pub mod reloc_kind;
pub mod riscv;
pub mod s390x;
pub mod sh;
pub mod sparc64;
pub mod sums;
pub mod type_set;
pub mod x86_64;

pub use class::Class;
pub use description::Machine;
pub use reloc_kind::RelocKind;
use skald_linking::byte_order::ByteOrder;

/// All machines. The first is the default without `-m`.
pub static MACHINES: [&Machine; 30] = [
    &x86_64::MACHINE,
    &x86_64::X32,
    &aarch64::MACHINE,
    &aarch64::BIG_ENDIAN,
    &i386::MACHINE,
    &riscv::MACHINE,
    &riscv::BIG_ENDIAN,
    &riscv::RV32,
    &riscv::RV32_BIG_ENDIAN,
    &m68k::MACHINE,
    &s390x::MACHINE,
    &ppc64::MACHINE,
    &ppc64::ELFV1,
    &ppc32::MACHINE,
    &ppc32::LITTLE_ENDIAN,
    &sparc64::MACHINE,
    &arm::MACHINE,
    &arm::BIG_ENDIAN,
    &loongarch::MACHINE,
    &loongarch::LA32,
    &sh::MACHINE,
    &sh::BIG_ENDIAN,
    &mips::MACHINE,
    &mips::N64_BIG_ENDIAN,
    &mips::N32,
    &mips::N32_BIG_ENDIAN,
    &mips::O32,
    &mips::O32_BIG_ENDIAN,
    &avr::MACHINE,
    &msp430::MACHINE,
];

/// Arguments of `-m`, as lists show them.
pub const EMULATIONS: &str = "elf_x86_64|elf32_x86_64|aarch64linux|aarch64linuxb|elf_i386|\
    elf64lriscv|elf64briscv|elf32lriscv|elf32briscv|m68kelf|elf64_s390|elf64lppc|elf64ppc|elf32ppc|elf32lppc|elf64_sparc|\
    armelf_linux_eabi|armelfb_linux_eabi|\
    elf64loongarch|elf32loongarch|shlelf_linux|shelf_linux|\
    elf64ltsmip|elf64btsmip|elf32ltsmipn32|elf32btsmipn32|elf32ltsmip|elf32btsmip|avr2|msp430elf";

/// Arguments of `-m`, including the names that other systems have for the same machines.
pub const ALL_EMULATIONS: &str = "elf_x86_64|elf32_x86_64|aarch64linux|aarch64linuxb|elf_i386|\
    elf64lriscv|elf64briscv|elf32lriscv|elf32briscv|m68kelf|elf64_s390|elf64lppc|elf64ppc|elf32ppc|elf32lppc|elf64_sparc|\
    armelf_linux_eabi|armelfb_linux_eabi|\
    elf64loongarch|elf32loongarch|shlelf_linux|shelf_linux|\
    elf64ltsmip|elf64btsmip|elf32ltsmipn32|elf32btsmipn32|elf32ltsmip|elf32btsmip|avr2|msp430elf|\
    elf_x86_64_fbsd|elf_amd64_fbsd|aarch64elf|aarch64fbsd|aarch64elfb|aarch64fbsdb|elf_i386_fbsd|\
    elf64lriscv_lp64f|elf64lriscv_lp64|elf64briscv_lp64f|elf64briscv_lp64|\
    elf32lriscv_ilp32f|elf32lriscv_ilp32|elf32briscv_ilp32f|elf32briscv_ilp32|\
    m68kelfnbsd|elf32ppclinux|elf32ppc_fbsd|elf32lppclinux|\
    armelf|armelf_linux|armelf_fbsd|armelfb|armelfb_linux|armelfb_fbsd|\
    elf64ltsmip_fbsd|elf64btsmip_fbsd|elf32ltsmipn32_fbsd|elf32btsmipn32_fbsd|\
    elf32ltsmip_fbsd|elf32btsmip_fbsd|\
    avr1|avr25|avr3|avr31|avr35|avr4|avr5|avr51|avr6|avrxmega1|avrxmega2|avrxmega3|avrxmega4|\
    avrxmega5|avrxmega6|avrxmega7|avrtiny";

impl Machine {
    /// The machine that `-m` calls `emulation`, and `EI_OSABI` if the name is that of another
    /// system.
    pub fn by_emulation(emulation: &str) -> Option<(&'static Machine, Option<u8>)> {
        MACHINES.iter().find_map(|&machine| {
            let variant = machine.emulation_variants.iter().find(|(name, _)| *name == emulation);
            let is_own = machine.emulation == emulation;
            (is_own || variant.is_some())
                .then(|| (machine, variant.and_then(|&(_, os_abi)| os_abi)))
        })
    }

    /// Its name that is spelled like `word`, among all that `-m` takes.
    pub fn emulation_of(&self, word: &str) -> Option<&'static str> {
        let others = self.emulation_variants.iter().map(|(name, _)| *name);
        std::iter::once(self.emulation).chain(others).find(|name| *name == word)
    }

    /// The machine with a format that BFD calls `name`, and `EI_OSABI` if its files have one.
    pub fn by_format(name: &[u8]) -> Option<(&'static Machine, Option<u8>)> {
        let named = |machine: &&'static Machine| name.starts_with(machine.format.as_bytes());
        let mut machines = MACHINES.into_iter().filter(named);
        machines.find_map(|machine| Some((machine, machine.format_of(name)?)))
    }

    /// The machine that `OUTPUT_ARCH` calls `name`.
    pub fn by_architecture(name: &[u8]) -> Option<&'static Machine> {
        let own =
            |machine: &&Machine| machine.own_architectures.iter().any(|own| own.as_bytes() == name);
        let like = |machine: &&Machine| machine.has_architecture(name);
        MACHINES.into_iter().find(own).or_else(|| MACHINES.into_iter().find(like))
    }

    /// The machine that an ELF file is for, by its first bytes.
    pub fn of_file(file: &[u8]) -> Option<&'static Machine> {
        let (ident, rest) = file.split_first_chunk()?;
        let field = *rest.get(2..)?.first_chunk()?;
        let flags = |machine: &Machine| {
            let at = if machine.class == Class::Elf32 { 36 } else { 48 };
            machine.byte_order.get::<u32>(file, at).unwrap_or_default()
        };
        let is_for = |machine: &&Machine| {
            machine.has_files(ident, machine.byte_order.number::<u16>(field))
                && (machine.own_flags.is_none() || machine.has_flags(flags(machine)))
        };
        MACHINES.into_iter().find(is_for)
    }

    /// The same machine with files of a byte order, if it has such files.
    pub fn in_order(&self, order: ByteOrder) -> Option<&'static Machine> {
        let own = (self.e_machine, self.class, order, self.own_flags);
        let key = |one: &Machine| (one.e_machine, one.class, one.byte_order, one.own_flags);
        MACHINES.into_iter().find(|one| key(one) == own)
    }

    /// The machine for which compilers with the target `triple` generate code.
    pub fn by_triple(triple: &str) -> Option<&'static Machine> {
        MACHINES.into_iter().find(|machine| (machine.is_target)(triple))
    }

    /// x86-64 with another class and byte order, for tests of tables.
    #[cfg(test)]
    pub fn like_x86_64(
        class: Class,
        byte_order: skald_linking::byte_order::ByteOrder,
    ) -> &'static Machine {
        Box::leak(Box::new(Machine { class, byte_order, ..x86_64::MACHINE }))
    }

    /// Whether a word of `-z` has no effect for this machine, because it is one of other machines.
    pub fn lacks_keyword(&self, word: &str) -> bool {
        !self.keywords.contains(&word)
            && MACHINES.iter().any(|machine| machine.keywords.contains(&word))
    }
}

/// The default machine, without `-m`.
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
        assert!(Machine::by_emulation("elf_iamcu").is_none());
        let variants = MACHINES.iter().flat_map(|machine| machine.emulation_variants);
        let all: Vec<&str> = names.into_iter().chain(variants.map(|(name, _)| *name)).collect();
        assert_eq!(all.join("|"), ALL_EMULATIONS);
        for machine in MACHINES {
            let found = Machine::by_emulation(machine.emulation).expect("it is one of them").0;
            assert_eq!(found.e_machine, machine.e_machine);
            assert!(found.common_page_size <= found.max_page_size);
        }
    }

    #[test]
    fn machines_are_found_by_the_names_of_others() {
        let of_triple = |triple: &str| Machine::by_triple(triple).map(|found| found.emulation);
        assert_eq!(of_triple("x86_64-pc-linux-gnu"), Some("elf_x86_64"));
        assert_eq!(of_triple("i686-pc-linux-gnu"), Some("elf_i386"));
        assert_eq!(of_triple("i386-unknown-freebsd"), Some("elf_i386"));
        assert_eq!(of_triple("x86_64-pc-linux-gnux32"), Some("elf32_x86_64"));
        assert_eq!(of_triple("ia64-linux-gnu"), None);
        let of_name = |name: &str| {
            let found = Machine::by_architecture(name.as_bytes());
            found.map(|found| found.emulation)
        };
        assert_eq!(of_name("i386:x86-64"), Some("elf_x86_64"));
        assert_eq!(of_name("i386:x64-32"), Some("elf32_x86_64"));
        assert_eq!(of_name("i386"), Some("elf_i386"));
        assert_eq!(of_name("i8086"), None);
    }
}
