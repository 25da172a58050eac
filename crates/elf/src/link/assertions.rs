//! `ASSERT(EXPRESSION, MESSAGE)` of scripts: an error once every address is known.

use super::address_checks;
use super::place::Placed;
use super::plan::{Link, Planned};
use crate::args::expr::{Expr, Value};
use crate::read::candidates::Candidates;
use crate::read::text_script::Command;
use crate::select::liveness::Liveness;
use skald_core::diag::Diag;

/// Errors come in the order of the assertions.
const KEY: u64 = (1 << 39) + 16;

/// All assertions with their messages, in order.
pub fn of_scripts(candidates: &Candidates) -> Vec<(&Expr, &[u8])> {
    let commands = candidates.script_commands.iter();
    let assertions = commands.filter_map(|command| match command {
        Command::Assert { expr, message } => Some((expr, &message[..])),
        _ => None,
    });
    assertions.collect()
}

/// Says the message of the `at`th assertion if it does not hold.
pub fn check(at: u64, value: &Value, message: &[u8], diag: &Diag) {
    if value.address == 0 {
        diag.error((KEY, at), String::from_utf8_lossy(message).into_owned());
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
        let values = self.evaluate(planned, placed, live, assertions.iter().map(|a| a.0));
        for (at, ((expr, message), value)) in (0..).zip(assertions.into_iter().zip(values)) {
            match value {
                Ok(value) => check(at, &value, message, self.diag),
                Err(error) => self.tables().bad_expression(expr, &error),
            }
        }
    }
}
