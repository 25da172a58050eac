//! Classes of input sections: `CLASS`, as lld has it.
//!
//! A definition takes sections where it stands among the statements, for all output sections that
//! refer to it. Each reference becomes statements of input sections, which take sections at the
//! definition's place in the order. The first reference takes all; sections that do not fit into
//! its memory region spill to the next.

use super::statements::{
    BodyStatement, ClassReference, ClassStatement, InputStatement, OTHER_TURN, OutputStatement,
    Statement,
};
use skald_core::unordered::UnorderedMap;
use std::sync::Arc;

/// A class while statements are processed in order.
struct Class {
    definition: Arc<ClassStatement>,
    number: u32,
    /// The turn of its first statement ([`InputStatement::turn`]).
    turn: u32,
    /// How many output sections refer to it.
    references: usize,
    /// Whether `/DISCARD/` refers to the class.
    is_discarded: bool,
}

impl Class {
    /// Its statements of input sections, as an output section contains them.
    fn inputs(&self) -> impl Iterator<Item = InputStatement> {
        (self.turn..).zip(&self.definition.inputs).map(|(turn, inputs)| InputStatement {
            turn,
            class: Some(self.number),
            ..inputs.clone()
        })
    }
}

/// Replaces references to classes by statements of input sections, and removes the definitions.
/// Returns the names of the classes by number, and errors.
pub fn expand(statements: &mut Vec<Statement>) -> (Vec<Vec<u8>>, Vec<String>) {
    let defines = |statement: &Statement| matches!(statement, Statement::Class(_));
    let refers = |statement: &Statement| matches!(statement, Statement::Output(output) if output.body.iter().any(is_reference));
    if !statements.iter().any(|statement| defines(statement) || refers(statement)) {
        return (Vec::new(), Vec::new());
    }
    let mut classes = Classes { turn: OTHER_TURN, ..Classes::default() };
    for statement in std::mem::take(statements) {
        match statement {
            Statement::Class(definition) => classes.define(definition),
            Statement::Output(output) => {
                let output = Arc::new(classes.refer(Arc::unwrap_or_clone(output)));
                statements.push(Statement::Output(output));
            }
            other => statements.push(other),
        }
    }
    // Sections that a class takes and no reference uses are dropped, and reported.
    for class in &classes.all {
        let place = class.definition.place.clone();
        let mut rest = OutputStatement::new(b"/DISCARD/".to_vec(), place);
        rest.body = class.inputs().map(|inputs| BodyStatement::Inputs(Box::new(inputs))).collect();
        statements.push(Statement::Output(Arc::new(rest)));
        if class.is_discarded && class.references > 1 {
            let name = String::from_utf8_lossy(&class.definition.name);
            let place = &class.definition.place;
            let text =
                format!("{place}: sections of class {name} cannot spill from or to /DISCARD/");
            classes.problems.push(text);
        }
    }
    let names = classes.all.iter().map(|class| class.definition.name.clone()).collect();
    (names, classes.problems)
}

fn is_reference(statement: &BodyStatement) -> bool {
    matches!(statement, BodyStatement::Class(_))
}

#[derive(Default)]
struct Classes {
    all: Vec<Class>,
    by_name: UnorderedMap<Vec<u8>, usize>,
    turn: u32,
    problems: Vec<String>,
}

impl Classes {
    fn define(&mut self, definition: Arc<ClassStatement>) {
        let number = self.all.len();
        let turn = self.turn;
        self.turn += definition.inputs.len() as u32;
        if self.by_name.insert(definition.name.clone(), number).is_some() {
            let (place, name) = (&definition.place, String::from_utf8_lossy(&definition.name));
            self.problems.push(format!("{place}: class {name} is already defined"));
        }
        self.all.push(Class {
            definition,
            number: number as u32,
            turn,
            references: 0,
            is_discarded: false,
        });
    }

    /// The output section with the statements of the classes that it refers to.
    fn refer(&mut self, mut output: OutputStatement) -> OutputStatement {
        let discards = output.discards();
        let mut body = Vec::with_capacity(output.body.len());
        for statement in std::mem::take(&mut output.body) {
            match statement {
                BodyStatement::Class(reference) => {
                    let inputs = self.referred(&reference, discards);
                    body.extend(inputs.into_iter().map(|i| BodyStatement::Inputs(Box::new(i))));
                }
                BodyStatement::Inputs(mut inputs) => {
                    if inputs.turn >= OTHER_TURN {
                        inputs.turn = self.turn;
                        self.turn += 1;
                    }
                    body.push(BodyStatement::Inputs(inputs));
                }
                other => body.push(other),
            }
        }
        output.body = body;
        output
    }

    fn referred(&mut self, reference: &ClassReference, discards: bool) -> Vec<InputStatement> {
        let Some(&at) = self.by_name.get(&reference.name) else {
            let (place, name) = (&reference.place, String::from_utf8_lossy(&reference.name));
            self.problems.push(format!("{place}: class {name} is not defined before"));
            return Vec::new();
        };
        let class = &mut self.all[at];
        class.references += 1;
        class.is_discarded |= discards;
        let (with, without) = reference.flags;
        class
            .inputs()
            .map(|inputs| InputStatement {
                keep: inputs.keep || reference.keep,
                with_flags: inputs.with_flags | with,
                without_flags: inputs.without_flags | without,
                ..inputs
            })
            .collect()
    }
}
