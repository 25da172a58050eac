//! `OVERWRITE_SECTIONS`, a command of lld: output sections that replace those of the same name in
//! the layout, and whose statements take inputs before all others.

use super::insertions::refused;
use super::statements::{OutputStatement, Statement};
use super::text_script::{Command, PlacedCommand};
use skald_core::unordered::UnorderedMap;
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

/// The statements of a layout while some of them are replaced.
pub struct Overwriting<'a> {
    statements: &'a mut [Statement],
    /// Output sections by name; if several have one name, the first.
    named: UnorderedMap<Vec<u8>, usize>,
}

impl<'a> Overwriting<'a> {
    /// Finds the output sections of a layout.
    pub fn new(statements: &'a mut [Statement]) -> Self {
        let mut named = UnorderedMap::new();
        for (at, statement) in statements.iter().enumerate() {
            if let Statement::Output(output) = statement {
                named.entry(output.name.clone()).or_insert(at);
            }
        }
        Self { statements, named }
    }

    /// Replaces the output section with the name of `own`; returns the error, if there is one. In
    /// the default layout `own` also takes the inputs of the replaced section.
    pub fn overwrite(&mut self, own: &OutputStatement, is_automatic: bool) -> Option<String> {
        let found = self.named.get(&own.name).and_then(|&at| match &mut self.statements[at] {
            Statement::Output(output) => Some(output),
            _ => None,
        });
        let (place, name) = (&own.place, String::from_utf8_lossy(&own.name));
        let Some(overwritten) = found else {
            return Some(format!("{place}: the layout has no section {name} to overwrite"));
        };
        let mut new = own.clone();
        new.take_first();
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
}
