//! Sections of an automatic layout that are placed elsewhere than their statement, because they are
//! not of the kind of that place. Numbers, gaps and symbols of the statement are placed with them.

use super::Arranging;
use crate::layout::automatic::{self, PartPlace, Places};
use crate::layout::items::{Heading, Item};
use crate::script::matcher::RuleId;
use crate::script::statements::{BodyStatement, OutputStatement, Statement};
use std::sync::Arc;

/// An output section that is placed elsewhere as a whole.
#[derive(Debug)]
pub(super) struct Moved {
    /// Position of its statement among those of output sections.
    output: usize,
    /// Position of the statement for sections of its kind, with which it is placed.
    to: usize,
    /// Its first statement of input sections.
    rule: RuleId,
    /// Number of its first assignment to a symbol.
    number: usize,
}

/// Whether bytes that a statement gives have a type of their own. Then sections that the statement
/// does not take are not part of it (GNU ld makes a second section of that name).
fn has_data(output: &OutputStatement) -> bool {
    let is_data = |part: &BodyStatement| {
        matches!(part, BodyStatement::Number { .. } | BodyStatement::Text(_))
    };
    output.body.iter().any(is_data)
}

/// A section placed elsewhere than its statement, which contains more than input sections.
struct Displaced {
    /// Position of the statement among those of output sections.
    output: usize,
    /// The statement of input sections that takes it; `None` if only the name is the same.
    rule: Option<RuleId>,
    /// Position of the output section for sections of its kind.
    to: usize,
    /// Position of the section.
    part: usize,
}

/// How many assignments to symbols are in the body of an output section.
fn assignments(output: &OutputStatement) -> usize {
    let is_symbol =
        |part: &&BodyStatement| matches!(part, BodyStatement::Assign(own) if !own.is_dot());
    output.body.iter().filter(is_symbol).count()
}

/// How many statements of input sections are in the body of an output section.
fn rules(output: &OutputStatement) -> usize {
    output.body.iter().filter(|part| matches!(part, BodyStatement::Inputs(_))).count()
}

/// Whether a statement does more than take input sections.
fn states(output: &OutputStatement) -> bool {
    output.body.len() > rules(output)
}

impl Arranging<'_> {
    /// Finds where each part is placed in an automatic layout.
    pub(super) fn sort_by_zone(&mut self) {
        let places = Places::new(self.scripted);
        self.guests = vec![Vec::new(); places.output_count()];
        let padding = automatic::relro_padding(&mut self.parts, &places);
        self.parts.extend(padding.map(Some));
        let mut others: Vec<Displaced> = Vec::new();
        for (at, part) in self.parts.iter_mut().enumerate() {
            let part = part.as_mut().expect("not taken yet");
            let to = match places.stand(part) {
                Some(PartPlace::Rule(rule)) => {
                    self.of_rule[rule].push(at);
                    continue;
                }
                Some(PartPlace::Guest(to)) => to,
                None => {
                    self.of_name.entry(part.name.clone()).or_default().push(at);
                    continue;
                }
            };
            let rule = places.rule_of(part);
            let output = match rule {
                Some(rule) => Some(places.output_of(rule)),
                None => {
                    let own = places.first_named(&part.name);
                    own.filter(|&own| !has_data(places.statement(own)))
                }
            };
            let Some(output) = output.filter(|&own| states(places.statement(own))) else {
                self.guests[to].push(at);
                continue;
            };
            if places.fits(output, part) {
                // The output section of that name which stands before the part.
                part.zone = places.statement(output).zone.unwrap_or(part.zone);
                match rule {
                    Some(rule) => self.of_rule[rule].push(at),
                    None => self.guests[output].push(at),
                }
            } else if let Some(to) = places.rest_for(part) {
                part.zone = places.statement(to).zone.unwrap_or(part.zone);
                others.push(Displaced { output, rule, to, part: at });
            } else {
                self.guests[to].push(at);
            }
        }
        self.move_statements(&places, others);
    }

    /// Moves the statements of which no section stands at their place.
    fn move_statements(&mut self, places: &Places<'_>, others: Vec<Displaced>) {
        let mut numbers = Vec::new();
        let mut next = (RuleId::new(0), 0);
        let statements = if others.is_empty() { &[][..] } else { &self.scripted.script.statements };
        for statement in statements {
            match statement {
                Statement::Assign(assign) => next.1 += usize::from(!assign.is_dot()),
                Statement::Output(output) => {
                    numbers.push(next);
                    next = (next.0 + rules(output) as u32, next.1 + assignments(output));
                }
                _ => {}
            }
        }
        for Displaced { output, rule, to, part } in others {
            let (first, number) = numbers[output];
            let own = first.index()..first.index() + rules(places.statement(output));
            let is_moved = self.is_moved(output);
            let takes = |at| !self.of_rule[RuleId::from_index(at)].is_empty();
            if !is_moved && (own.clone().any(takes) || !self.guests[output].is_empty()) {
                self.guests[to].push(part);
                continue;
            }
            if !is_moved {
                self.moved.push(Moved { output, to, rule: first, number });
            }
            match rule {
                Some(rule) => self.of_rule[rule].push(part),
                None => self.guests[output].push(part),
            }
        }
    }

    /// Whether the output section at a position is placed elsewhere.
    pub(super) fn is_moved(&self, output: usize) -> bool {
        self.moved.iter().any(|moved| moved.output == output)
    }

    /// Skips an output section that is placed elsewhere; `number` is that of its first assignment.
    pub(super) fn pass(&mut self, output: &OutputStatement, number: &mut usize) {
        self.next_rule = self.next_rule + rules(output) as u32;
        *number += assignments(output);
    }

    /// The sections of an automatic layout that no statement names, each with a heading of its own,
    /// and statements that are placed with them.
    pub(super) fn rest(&mut self, output: &Arc<OutputStatement>, at: usize) {
        for part in std::mem::take(&mut self.guests[at]) {
            let Some(part) = self.take(part) else { continue };
            let heading = self.layout.headings.len();
            let statement = OutputStatement {
                name: self.sorted[part].name.clone(),
                body: Vec::new(),
                ..(**output).clone()
            };
            self.layout.headings.push(Heading::of_part(Arc::new(statement), part));
            self.layout.items.push(Item::Heading(heading));
        }
        let outputs: Vec<_> = if self.moved.is_empty() {
            Vec::new()
        } else {
            self.scripted.script.statements.iter().filter_map(output_of).collect()
        };
        let here = self.moved.iter().filter(|moved| moved.to == at);
        let here: Vec<_> = here.map(|moved| (moved.output, moved.rule, moved.number)).collect();
        for (own, rule, mut number) in here {
            let statement = OutputStatement {
                zone: output.zone,
                only_if: output.only_if,
                ..(**outputs[own]).clone()
            };
            let next = std::mem::replace(&mut self.next_rule, rule);
            self.output(&Arc::new(statement), own, true, &mut number);
            self.next_rule = next;
        }
    }
}

fn output_of(statement: &Statement) -> Option<&Arc<OutputStatement>> {
    match statement {
        Statement::Output(output) => Some(output),
        _ => None,
    }
}
