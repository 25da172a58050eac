//! Loops of machines: one folder for each, and [`Loops`], the table through which they are called.
//! They know the tables of all stages up to `synth`. Later stages call them directly; earlier
//! stages get the functions as arguments.

mod aarch64;
pub mod apply_loop;
mod arm;
mod avr;
pub mod code;
pub mod errata;
mod i386;
mod loongarch;
mod m68k;
mod mips;
mod msp430;
pub mod operands;
pub mod plt_style;
mod ppc32;
mod ppc64;
mod riscv;
mod s390x;
pub mod scan_loop;
pub mod scanning;
mod sh;
mod sparc64;
pub mod table;
pub mod thunks;
pub mod tls_model;
#[cfg(test)]
pub mod toy;
pub mod upper_part;
mod x86_64;

use crate::machine::Machine;
pub use table::Loops;

/// The loops of all machines.
static LOOPS: &[&Loops] = &[
    &x86_64::LOOPS,
    &x86_64::X32,
    &aarch64::LOOPS,
    &aarch64::BIG_ENDIAN,
    &i386::LOOPS,
    &riscv::LOOPS,
    &riscv::BIG_ENDIAN,
    &riscv::RV32,
    &riscv::RV32_BIG_ENDIAN,
    &m68k::LOOPS,
    &s390x::LOOPS,
    &ppc64::LOOPS,
    &sparc64::LOOPS,
    &ppc64::ELFV1,
    &ppc32::LOOPS,
    &ppc32::LITTLE_ENDIAN,
    &arm::LOOPS,
    &arm::BIG_ENDIAN,
    &loongarch::LOOPS,
    &loongarch::LA32,
    &sh::LOOPS,
    &sh::BIG_ENDIAN,
    &mips::LOOPS,
    &mips::N64_BIG_ENDIAN,
    &mips::N32,
    &mips::N32_BIG_ENDIAN,
    &mips::O32,
    &mips::O32_BIG_ENDIAN,
    &avr::LOOPS,
    &msp430::LOOPS,
    #[cfg(test)]
    &toy::LOOPS,
];

/// The loops of a machine.
pub fn of(machine: &Machine) -> &'static Loops {
    let found = LOOPS.iter().find(|loops| std::ptr::eq(loops.machine, machine));
    found.expect("each machine has loops")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::MACHINES;

    #[test]
    fn each_machine_has_loops() {
        for machine in MACHINES {
            assert!(std::ptr::eq(of(machine).machine, machine));
        }
    }
}
