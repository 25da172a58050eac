//! `ASSERT(EXPRESSION, MESSAGE)` of scripts: an error once every address is known.

use super::undefined;
use crate::diagnose::order::MessageKind;
use crate::read::candidates::Candidates;
use crate::resolve::tables::Tables;
use crate::script::text_script::{Command, PlacedCommand};
use skald_core::diag::{Diag, Error};
use skald_linking::expr::{Expr, Value};

/// `ASSERT(expr, message)` of a script.
pub struct Assertion<'a> {
    /// The link fails if it is zero.
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
    /// Reports the message of the assertion, which is number `at` of all, if `value` is zero.
    /// `passes`: the link goes on all the same.
    pub fn check(&self, at: u64, value: &Value, passes: bool, diag: &Diag) {
        if value.address == 0 {
            let (key, message) =
                (MessageKind::Assertion.key(at), String::from_utf8_lossy(self.message));
            let text = format!("{}: {message}", self.command.place());
            if passes { diag.warn(key, text) } else { diag.error(key, text) }
        }
    }
}

/// Checks the assertions of scripts, whose `values` are known once everything has an address.
pub fn check<'a>(
    tables: &Tables<'a>,
    values: impl FnOnce(&[&'a Expr]) -> Vec<Result<Value, Error>>,
) {
    let assertions = of_scripts(tables.candidates);
    if assertions.is_empty() {
        return;
    }
    let expressions: Vec<&Expr> = assertions.iter().map(|assertion| assertion.expr).collect();
    for (at, (assertion, value)) in (0..).zip(assertions.iter().zip(values(&expressions))) {
        match value {
            Ok(value) => assertion.check(at, &value, tables.options.noinhibit_exec, tables.diag),
            Err(error) => undefined::bad_expression(tables, assertion.expr, &error),
        }
    }
}
