//! `ASSERT(EXPRESSION, MESSAGE)` of scripts: an error once every address is known.

use super::address_checks;
use super::place::Placed;
use super::plan::{Link, Planned};
use crate::args::expr::Expr;
use crate::read::text_script::Command;
use crate::select::liveness::Liveness;

/// Errors come in the order of the assertions.
const KEY: u64 = (1 << 39) + 16;

impl Link<'_> {
    /// Checks what can be wrong with addresses by itself, and what scripts say of them.
    pub(super) fn check_addresses(&self, planned: &Planned, placed: &Placed, live: &Liveness) {
        let sections = &planned.outputs.sections;
        address_checks::check(self.options, sections, &placed.segments, self.diag);
        self.check_assertions(planned, placed, live);
    }

    fn check_assertions(&self, planned: &Planned, placed: &Placed, live: &Liveness) {
        let assertions =
            self.candidates.script_commands.iter().filter_map(|command| match command {
                Command::Assert { expr, message } => Some((expr, message)),
                _ => None,
            });
        let assertions: Vec<(&Expr, &Vec<u8>)> = assertions.collect();
        if assertions.is_empty() {
            return;
        }
        let values = self.evaluate(planned, placed, live, assertions.iter().map(|a| a.0));
        for (at, ((expr, message), value)) in (0..).zip(assertions.into_iter().zip(values)) {
            match value {
                Ok(value) if value.address != 0 => {}
                Ok(_) => {
                    let message = String::from_utf8_lossy(message).into_owned();
                    self.diag.error((KEY, at), message);
                }
                Err(error) => self.tables().bad_expression(expr, &error),
            }
        }
    }
}
