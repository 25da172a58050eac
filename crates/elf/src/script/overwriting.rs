//! `OVERWRITE_SECTIONS`, a command of lld: output sections that stand where the layout has those of
//! their names, in place of them, and whose statements take inputs before all others.

use super::insertions::refused;
use super::statements::{BodyStatement, FIRST_TURN, OutputStatement, Statement};
use super::text_script::{Command, PlacedCommand};
use std::sync::Arc;

/// Whether a script overwrites sections.
pub fn is_asked(commands: &[PlacedCommand]) -> bool {
    commands.iter().any(|placed| matches!(placed.command, Command::Overwrite(_)))
}

/// The output sections that commands overwrite, in order.
pub fn outputs(commands: &[PlacedCommand]) -> Vec<Arc<OutputStatement>> {
    let statements = commands.iter().flat_map(|placed| match &placed.command {
        Command::Overwrite(statements) => &statements[..],
        _ => &[],
    });
    let outputs = statements.filter_map(|statement| match statement {
        Statement::Output(output) => Some(output.clone()),
        _ => None,
    });
    outputs.collect()
}

/// Puts `own` in the place of the section with its name in `statements`; returns what is wrong. In
/// the default layout it takes what that section takes, too.
pub fn overwrite(
    own: &OutputStatement,
    statements: &mut [Statement],
    is_automatic: bool,
) -> Option<String> {
    let found = statements.iter_mut().find_map(|statement| match statement {
        Statement::Output(output) if output.name == own.name => Some(output),
        _ => None,
    });
    let (place, name) = (&own.place, String::from_utf8_lossy(&own.name));
    let Some(overwritten) = found else {
        return Some(format!("{place}: the layout has no section {name} to overwrite"));
    };
    let mut new = own.clone();
    for statement in &mut new.body {
        if let BodyStatement::Inputs(inputs) = statement {
            inputs.turn = FIRST_TURN;
        }
    }
    if is_automatic {
        if let Some(problem) = refused(own) {
            return Some(problem);
        }
        new.body.extend(overwritten.body.iter().cloned());
        (new.zone, new.only_if) = (overwritten.zone, overwritten.only_if);
    }
    *overwritten = Arc::new(new);
    None
}
