//! Loops of machines: one folder each, and [`Loops`], the table behind which they stand. They know
//! the tables of all stages up to `synth`. The stages after them call them; an earlier one is
//! handed what it calls.

pub mod code;
pub mod table;
pub mod thunks;
#[cfg(test)]
pub mod toy;
mod x86_64;

use crate::machine::Machine;
pub use table::Loops;

/// The loops of all machines.
static LOOPS: &[&Loops] = &[
    &x86_64::LOOPS,
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
