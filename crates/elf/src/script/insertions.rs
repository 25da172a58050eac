//! `INSERT`: moves the statements before it in its script to an output section of another one, or
//! of the default layout (GNU ld manual, "Miscellaneous Commands").

use super::statements::{Condition, OutputStatement, Statement, Zone};
use super::text_script::{Command, PlacedCommand};
use object::elf::SHF_TLS;
use std::sync::Arc;

/// An `INSERT`, and the commands that it moves.
pub struct Insertion<'a> {
    /// The `INSERT` command.
    placed: &'a PlacedCommand,
    /// `AFTER`, not `BEFORE`.
    is_after: bool,
    /// Name of the output section.
    pub anchor: &'a [u8],
    /// No script before this one lays out sections. As in GNU ld, its statements take inputs before
    /// all others, because they are moved only after that.
    is_first: bool,
    /// The commands before it in its script.
    pub commands: Vec<&'a PlacedCommand>,
}

/// The commands that stay where they are, and those that are moved.
pub fn split(commands: &[PlacedCommand]) -> (Vec<&PlacedCommand>, Vec<Insertion<'_>>) {
    let (mut kept, mut insertions) = (Vec::new(), Vec::new());
    for placed in commands {
        let Command::Insert { is_after, anchor, reach } = &placed.command else {
            kept.push(placed);
            continue;
        };
        let is_moved = |placed: &&PlacedCommand| {
            matches!(
                placed.command,
                Command::Sections(_) | Command::Assign { .. } | Command::Assert { .. }
            )
        };
        let within = kept.split_off(kept.len().saturating_sub(*reach));
        let (commands, others): (_, Vec<_>) = within.into_iter().partition(is_moved);
        let lays_out = |placed: &&PlacedCommand| matches!(placed.command, Command::Sections(_));
        let is_first = !kept.iter().any(lays_out);
        kept.extend(others);
        insertions.push(Insertion { placed, is_after: *is_after, anchor, is_first, commands });
    }
    (kept, insertions)
}

impl Insertion<'_> {
    /// Whether statements inserted behind the statements `before` stand in front of all memory that
    /// is read-only after relocation, as in GNU ld's script: there writable sections are not in
    /// that memory. RELRO begins with the TLS template, and `.eh_frame` is before it.
    fn is_before_relro(&self, before: &[Statement]) -> bool {
        let is_relro = |statement: &Statement| matches!(statement, Statement::Output(output) if output.zone == Some(Zone::Relro));
        self.anchor == b".eh_frame" || !before.iter().any(is_relro)
    }

    /// Before the first statement of the anchor, or behind the last in the part of the layout where
    /// the first is: the default layout has a second place for a writable `.eh_frame`.
    fn place_in(&self, into: &[Statement]) -> Option<usize> {
        let zone_of = |statement: &Statement| match statement {
            Statement::Output(output) if output.name == self.anchor => Some(output.zone),
            _ => None,
        };
        let first = into.iter().position(|statement| zone_of(statement).is_some())?;
        if !self.is_after {
            return Some(first);
        }
        let zone = zone_of(&into[first]);
        let last = into.iter().rposition(|statement| zone_of(statement) == zone)?;
        Some(last + 1)
    }

    /// Inserts the statements `own` at their place; returns errors.
    pub fn insert(
        &self,
        mut own: Vec<Statement>,
        into: &mut Vec<Statement>,
        is_automatic: bool,
    ) -> Option<String> {
        let at = self.place_in(into);
        let Some(at) = at else {
            let name = String::from_utf8_lossy(self.anchor);
            return Some(format!("{}: {name} not found for insert", self.placed.place()));
        };
        let outputs = own.iter_mut().filter_map(|statement| match statement {
            Statement::Output(output) if self.is_first => Some(output),
            _ => None,
        });
        outputs.for_each(|output| Arc::make_mut(output).take_first());
        if is_automatic {
            let anchor = at - usize::from(self.is_after);
            let Some(Statement::Output(anchor)) = into.get(anchor) else { return None };
            let (zone, of_anchor) = (anchor.zone, anchor.only_if);
            let is_outside = zone == Some(Zone::Relro) && self.is_before_relro(&into[..at]);
            for statement in &mut own {
                let Statement::Output(output) = statement else { continue };
                if let Some(problem) = refused(output) {
                    return Some(problem);
                }
                let output = Arc::make_mut(output);
                output.zone = zone;
                if is_outside {
                    output.only_if = Condition { with_flags: SHF_TLS.into(), ..output.only_if };
                }
                // `.tbss` stands behind all sections with bytes.
                if of_anchor.with_flags & u64::from(SHF_TLS) != 0 {
                    output.only_if.without_types |= of_anchor.without_types;
                }
            }
        }
        into.splice(at..at, own);
        None
    }
}

/// An error for attributes that the default layout cannot have, because its segments follow from
/// its sections.
pub(super) fn refused(output: &OutputStatement) -> Option<String> {
    let name = String::from_utf8_lossy(&output.name);
    let what = if output.load_address.is_some() || output.load_region.is_some() {
        "a load address"
    } else if output.region.is_some() {
        "a memory region"
    } else if !output.segments.is_empty() {
        "program headers"
    } else {
        return None;
    };
    let place = &output.place;
    Some(format!("{place}: {name} cannot have {what} where it is inserted into the default layout"))
}
