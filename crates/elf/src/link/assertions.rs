//! `ASSERT(EXPRESSION, MESSAGE)` of scripts: an error once every address is known.

use super::place::Placed;
use super::plan::{Link, Planned};
use crate::check::address_checks;
use crate::read::candidates::Candidates;
use crate::read::text_script::{Command, PlacedCommand};
use crate::select::liveness::Liveness;
use skald_base::expr::{Expr, Value};
use skald_core::diag::Diag;

/// Errors come in the order of the assertions.
const KEY: u64 = (1 << 39) + 16;

/// An assertion.
pub struct Assertion<'a> {
    /// What must not be zero.
    pub expr: &'a Expr,
    message: &'a [u8],
    command: &'a PlacedCommand,
}

/// All assertions, in order.
pub fn of_scripts(candidates: &Candidates) -> Vec<Assertion<'_>> {
    let assertions = candidates.script_commands.iter().filter_map(|command| {
        let Command::Assert { expr, message } = &command.command else { return None };
        Some(Assertion { expr, message, command })
    });
    assertions.collect()
}

impl Assertion<'_> {
    /// Says the message of this assertion, the `at`th, if it does not hold.
    pub fn check(&self, at: u64, value: &Value, diag: &Diag) {
        if value.address == 0 {
            let message = String::from_utf8_lossy(self.message);
            diag.error((KEY, at), format!("{}: {message}", self.command.place()));
        }
    }
}

impl Link<'_> {
    /// Checks what can be wrong with addresses by itself, and what scripts say of them.
    pub(super) fn check_addresses(&self, planned: &Planned, placed: &Placed, live: &Liveness) {
        let sections = &planned.outputs.sections;
        address_checks::check(self.options, sections, &placed.segments, self.diag);
        self.check_assertions(planned, placed, live);
    }

    fn check_assertions(&self, planned: &Planned, placed: &Placed, live: &Liveness) {
        let assertions = of_scripts(self.candidates);
        if assertions.is_empty() {
            return;
        }
        let values = self.evaluate(planned, placed, live, assertions.iter().map(|a| a.expr));
        for (at, (assertion, value)) in (0..).zip(assertions.into_iter().zip(values)) {
            match value {
                Ok(value) => assertion.check(at, &value, self.diag),
                Err(error) => self.tables().bad_expression(assertion.expr, &error),
            }
        }
    }
}
