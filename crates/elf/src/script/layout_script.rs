//! The layout commands of all scripts of a link, joined.

use super::classes;
use super::default_layout::{self, LayoutOptions};
use super::further_sections;
use super::insertions::{self, Insertion};
use super::overwriting;
use super::regions::Declared;
use super::relocatable_layout;
use super::statements::{
    Assertion, Assign, BodyStatement, InputStatement, OutputStatement, Place, ProgramHeader,
    Region, SectionPattern, Sort, Statement, ZONES,
};
use super::text_script::{Command, PlacedCommand};
use skald_core::unordered::UnorderedSet;
use skald_linking::expr::Expr;
use std::borrow::Borrow;
use std::sync::Arc;

/// The layout that all scripts together describe.
#[derive(Debug, Clone, Default)]
pub struct LayoutScript {
    /// The statements of all `SECTIONS`, and assignments outside of them, those of `--defsym` too,
    /// in order.
    pub statements: Vec<Statement>,
    /// The regions of all `MEMORY` commands.
    pub regions: Vec<Region>,
    /// The program headers of `PHDRS`; `None` without that command.
    pub headers: Option<Vec<ProgramHeader>>,
    /// `LD_FEATURE("AUTOMATIC_LAYOUT")`: segments follow from the order and the flags of sections.
    pub is_automatic: bool,
    /// `LD_FEATURE("SANE_EXPR")`: numbers are plain numbers outside of output sections, too.
    pub is_sane: bool,
    /// Assignments and assertions are evaluated while addresses are assigned. `false` for an
    /// automatic layout without any in its statements; other assignments are evaluated after the
    /// layout.
    pub evaluates: bool,
    /// Errors of commands that contradict each other.
    pub problems: Vec<String>,
    /// The names of `CLASS` definitions. The last output sections, one for each class, drop the
    /// sections that a class takes and no output section refers to.
    pub classes: Vec<Vec<u8>>,
    /// `--sort-section` sorts statements that give no order of their own.
    pub(super) sorts_by_option: bool,
}

/// Whether commands of scripts lay out the output.
pub fn is_asked(commands: &[PlacedCommand]) -> bool {
    first(commands).is_some() || overwriting::is_asked(commands)
}

/// The first command that lays out the output.
pub fn first<C: Borrow<PlacedCommand>>(commands: &[C]) -> Option<&PlacedCommand> {
    let lays_out = |placed: &&PlacedCommand| {
        matches!(
            placed.command,
            Command::Sections(_) | Command::Memory(_) | Command::ProgramHeaders(_)
        )
    };
    commands.iter().map(Borrow::borrow).find(lays_out)
}

/// Whether the layout is automatic: a script has `LD_FEATURE("AUTOMATIC_LAYOUT")`, or scripts only
/// insert into the default layout.
pub fn is_automatic(commands: &[PlacedCommand]) -> bool {
    let (kept, insertions) = insertions::split(commands);
    let adds = !insertions.is_empty() || overwriting::is_asked(commands);
    asks_automatic(&kept) || adds && first(&kept).is_none()
}

fn asks_automatic(commands: &[&PlacedCommand]) -> bool {
    commands.iter().any(|placed| matches!(placed.command, Command::AutomaticLayout))
}

/// Takes the word behind an output section of an automatic layout as its zone; returns the error,
/// if the section has one.
fn stand_in_zone(output: &mut OutputStatement) -> Option<String> {
    let words = std::mem::take(&mut output.segments);
    let zone = |word: &Vec<u8>| ZONES.iter().find(|(name, _)| name.as_bytes() == word);
    output.zone = words.iter().find_map(zone).map(|&(_, zone)| zone);
    let (place, name) = (&output.place, String::from_utf8_lossy(&output.name));
    if output.zone.is_none() && !output.discards() {
        let zones: Vec<&str> = ZONES.iter().map(|(name, _)| *name).collect();
        let zones = zones.join(", :");
        return Some(format!(
            "{place}: an automatic layout has to say behind {name} where it stands, which is one of \
             :{zones}"
        ));
    }
    if output.address.as_ref().is_some_and(|address| address.constant().is_none()) {
        return Some(format!("{place}: the address of {name} in an automatic layout is a number"));
    }
    output.load_address.as_ref().map(|_| format!("{place}: AT cannot be in an automatic layout"))
}

/// Whether there is anything to evaluate in these statements.
fn assigns(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Output(output) => {
            output.body.iter().any(|part| !matches!(part, BodyStatement::Inputs(_)))
        }
        Statement::Entry(_) | Statement::NoCrossReferences(_) | Statement::Class(_) => false,
        Statement::Assign(_) | Statement::Assert(_) => true,
    })
}

impl LayoutScript {
    /// Whether a statement has `DATA_SEGMENT_RELRO_END`.
    pub fn ends_relro(&self) -> bool {
        let ends = |statement: &Statement| match statement {
            Statement::Assign(assign) => assign.expr.ends_relro(),
            _ => false,
        };
        self.statements.iter().any(ends)
    }

    /// Joins the `commands`, in order. If `INSERT` moves all their statements, these are moved into
    /// the layout that `options` ask for.
    pub fn new(commands: &[PlacedCommand], options: &LayoutOptions) -> LayoutScript {
        let (kept, insertions) = insertions::split(commands);
        let sorts_by_option = options.sorts_by_option;
        let regions = Declared::new(commands).regions;
        let mut script = LayoutScript { sorts_by_option, regions, ..LayoutScript::default() };
        for placed in &kept {
            script.add(placed);
        }
        script.note_automatic(&kept);
        let overwritten = overwriting::outputs(commands);
        if !insertions.is_empty() || overwriting::is_asked(commands) {
            if first(&kept).is_none() {
                script.insert_into_default(&insertions, options);
            }
            let is_automatic = script.is_automatic;
            let mut statements = overwriting::Overwriting::new(&mut script.statements);
            for output in &overwritten {
                let statement = Statement::Output(output.clone());
                script.evaluates |= assigns(std::slice::from_ref(&statement));
                script.problems.extend(statements.overwrite(output, is_automatic));
            }
            script.insert(&insertions);
        }
        let (classes, problems) = classes::expand(&mut script.statements);
        script.classes = classes;
        script.problems.extend(problems);
        script.check_regions();
        script
    }

    /// Puts the statements of the default layout before all others.
    fn insert_into_default(&mut self, insertions: &[Insertion<'_>], options: &LayoutOptions) {
        if options.is_relocatable {
            self.statements.splice(0..0, relocatable_layout::statements());
            return;
        }
        self.is_automatic = true;
        self.evaluates = false;
        let mut statements = default_layout::default(options).statements;
        for Insertion { anchor, .. } in insertions {
            further_sections::add(&mut statements, anchor, options);
        }
        self.statements.splice(0..0, statements);
    }

    /// Moves statements to the place that `INSERT` names.
    fn insert(&mut self, insertions: &[Insertion<'_>]) {
        for insertion in insertions {
            let before = std::mem::take(&mut self.statements);
            insertion.commands.iter().for_each(|placed| self.add(placed));
            let own = std::mem::replace(&mut self.statements, before);
            self.evaluates |= assigns(&own);
            if let Some(problem) = insertion.insert(own, &mut self.statements, self.is_automatic) {
                self.problems.push(problem);
            }
        }
        if !self.evaluates {
            self.statements.retain(is_of_layout);
        }
    }

    fn add(&mut self, placed: &PlacedCommand) {
        match &placed.command {
            Command::Assign { name, expr, provide, hidden } => {
                let (name, expr) = (name.clone(), expr.clone());
                let (provide, hidden) = (*provide, *hidden);
                self.statements.push(Statement::Assign(Assign {
                    name,
                    expr,
                    provide,
                    hidden,
                    ends_overlay: false,
                }));
            }
            Command::Assert { expr, message } => {
                let script = placed.script.to_string_lossy().as_ref().into();
                let place = Place { script, line: placed.line };
                let (expr, message) = (expr.clone(), message.clone());
                self.statements.push(Statement::Assert(Assertion { expr, message, place }));
            }
            Command::Sections(statements) => {
                for statement in statements.iter().cloned() {
                    if !matches!(statement, Statement::NoCrossReferences(_)) {
                        self.statements.push(normal(statement, self.sorts_by_option));
                    }
                }
            }
            Command::ProgramHeaders(headers) => {
                self.headers.get_or_insert_default().extend(headers.iter().cloned());
            }
            Command::SaneExpressions => self.is_sane = true,
            _ => {}
        }
    }

    /// Sets `is_automatic` and `evaluates`.
    fn note_automatic(&mut self, commands: &[&PlacedCommand]) {
        self.is_automatic = asks_automatic(commands);
        self.evaluates = !self.is_automatic || commands.iter().any(|placed| {
            matches!(&placed.command, Command::Sections(statements) if assigns(statements))
        });
        if !self.is_automatic {
            return;
        }
        if !self.evaluates {
            self.statements.retain(is_of_layout);
        }
        if !self.regions.is_empty() || self.headers.is_some() {
            let text = "MEMORY and PHDRS cannot be in an automatic layout, whose segments follow \
                        from its sections";
            self.problems.push(text.to_owned());
        }
        for statement in &mut self.statements {
            if let Statement::Output(output) = statement {
                self.problems.extend(stand_in_zone(Arc::make_mut(output)));
            }
        }
    }

    fn check_regions(&mut self) {
        let regions: UnorderedSet<&Vec<u8>> =
            self.regions.iter().flat_map(|region| &region.names).collect();
        let headers: UnorderedSet<&Vec<u8>> =
            self.headers.iter().flatten().map(|header| &header.name).collect();
        let mut problems = Vec::new();
        for output in self.outputs() {
            let named = [&output.region, &output.load_region];
            for name in named.into_iter().flatten().filter(|name| !regions.contains(*name)) {
                let name = String::from_utf8_lossy(name);
                problems.push(format!("{}: memory region {name} is not declared", output.place));
            }
            let unknown = output.segments.iter();
            let unknown = unknown.filter(|name| **name != b"NONE" && !headers.contains(*name));
            for name in unknown {
                let name = String::from_utf8_lossy(name);
                let place = &output.place;
                problems.push(format!("{place}: program header {name} is not declared"));
            }
        }
        self.problems.extend(problems);
    }

    /// The output sections, in order.
    pub fn outputs(&self) -> impl Iterator<Item = &OutputStatement> {
        self.statements.iter().filter_map(|statement| match statement {
            Statement::Output(output) => Some(&**output),
            _ => None,
        })
    }

    /// The statements of input sections, in order, each with the position of its output section in
    /// [`Self::outputs`].
    pub fn inputs(&self) -> impl Iterator<Item = (usize, &InputStatement)> {
        self.outputs().enumerate().flat_map(|(at, output)| {
            output.body.iter().filter_map(move |statement| match statement {
                BodyStatement::Inputs(inputs) => Some((at, &**inputs)),
                _ => None,
            })
        })
    }

    /// The assignments to symbols, in order.
    pub fn assignments(&self) -> impl Iterator<Item = &Assign> {
        self.standing_assignments().map(|(_, assign)| assign)
    }

    /// The assignments to symbols, in order, with the output section that each stands in.
    pub fn standing_assignments(
        &self,
    ) -> impl Iterator<Item = (Option<&Arc<OutputStatement>>, &Assign)> {
        self.statements
            .iter()
            .flat_map(|statement| {
                let (own, output) = match statement {
                    Statement::Assign(assign) => (Some(assign), None),
                    Statement::Output(output) => (None, Some(output)),
                    _ => (None, None),
                };
                let body = output.map_or(&[][..], |output| &output.body[..]);
                let inner = body.iter().filter_map(|statement| match statement {
                    BodyStatement::Assign(assign) => Some(assign),
                    _ => None,
                });
                own.into_iter().chain(inner).map(move |assign| (output, assign))
            })
            .filter(|(_, assign)| !assign.is_dot())
    }

    /// Symbols that expressions refer to, or that `DEFINED` asks for.
    pub fn symbols(&self) -> impl Iterator<Item = &[u8]> {
        self.expressions().into_iter().flat_map(Expr::mentioned)
    }

    /// All expressions of statements, regions and program headers.
    pub fn expressions(&self) -> Vec<&Expr> {
        let mut all: Vec<&Expr> = Vec::new();
        let any = |_: &Assign| true;
        self.statements.iter().for_each(|statement| add_expressions(statement, any, &mut all));
        all.extend(region_expressions(&self.regions));
        all.extend(header_expressions(self.headers.iter().flatten()));
        all
    }

    /// Whether an expression that takes effect uses SIZEOF_HEADERS; `provides` says whether the
    /// `PROVIDE` of a symbol takes effect.
    pub fn uses_headers(&self, provides: impl Fn(&[u8]) -> bool) -> bool {
        let mut all: Vec<&Expr> = Vec::new();
        let counts = |assign: &Assign| !assign.provide || provides(&assign.name);
        self.statements.iter().for_each(|statement| add_expressions(statement, counts, &mut all));
        all.extend(region_expressions(&self.regions));
        all.extend(header_expressions(self.headers.iter().flatten()));
        all.iter().any(|expr| expr.uses_headers())
    }

    /// The symbol that `ENTRY` names.
    pub fn entry(&self) -> Option<&[u8]> {
        self.statements.iter().rev().find_map(|statement| match statement {
            Statement::Entry(name) => Some(&name[..]),
            _ => None,
        })
    }
}

/// The expressions of a command, without those of `PROVIDE`, which count only if it takes effect.
pub fn expressions_of(command: &Command) -> Vec<&Expr> {
    let mut all: Vec<&Expr> = Vec::new();
    match command {
        Command::Assign { expr, provide: false, .. } | Command::Assert { expr, .. } => {
            all.push(expr);
        }
        Command::Sections(statements) | Command::Overwrite(statements) => {
            let holds = |assign: &Assign| !assign.provide;
            statements.iter().for_each(|statement| add_expressions(statement, holds, &mut all));
        }
        Command::Memory(regions) => all.extend(region_expressions(regions)),
        Command::ProgramHeaders(headers) => all.extend(header_expressions(headers)),
        _ => {}
    }
    all
}

/// Adds the expressions of a statement; those of assignments only if `counts` accepts the
/// assignment.
fn add_expressions<'a>(
    statement: &'a Statement,
    counts: impl Fn(&Assign) -> bool,
    all: &mut Vec<&'a Expr>,
) {
    match statement {
        Statement::Assign(assign) => all.extend(counts(assign).then_some(&assign.expr)),
        Statement::Assert(assertion) => all.push(&assertion.expr),
        Statement::Entry(_) | Statement::NoCrossReferences(_) | Statement::Class(_) => {}
        Statement::Output(output) => {
            let own = [&output.address, &output.load_address, &output.align];
            all.extend(own.into_iter().chain([&output.subalign]).flatten());
            all.extend(output.body.iter().filter_map(|statement| match statement {
                BodyStatement::Assign(assign) => counts(assign).then_some(&assign.expr),
                BodyStatement::Assert(assertion) => Some(&assertion.expr),
                BodyStatement::Number { expr, .. } => Some(expr),
                _ => None,
            }));
        }
    }
}

fn region_expressions(regions: &[Region]) -> impl Iterator<Item = &Expr> {
    regions.iter().flat_map(|region| [&region.origin, &region.length])
}

fn header_expressions<'a>(
    headers: impl IntoIterator<Item = &'a ProgramHeader>,
) -> impl Iterator<Item = &'a Expr> {
    let of_header = |header: &'a ProgramHeader| {
        [Some(&header.p_type), header.flags.as_ref(), header.load_address.as_ref()]
    };
    headers.into_iter().flat_map(of_header).flatten()
}

/// Whether a statement concerns the layout and has nothing to evaluate.
fn is_of_layout(statement: &Statement) -> bool {
    matches!(statement, Statement::Output(_) | Statement::Class(_))
}

/// The statement, with statements of input sections split so that each has one sort order.
fn normal(statement: Statement, sorts_by_option: bool) -> Statement {
    match statement {
        Statement::Output(output) => {
            let mut output = Arc::unwrap_or_clone(output);
            let mut body = Vec::with_capacity(output.body.len());
            for statement in std::mem::take(&mut output.body) {
                match statement {
                    BodyStatement::Inputs(inputs) => {
                        let split = split(*inputs, sorts_by_option);
                        body.extend(split.into_iter().map(|i| BodyStatement::Inputs(Box::new(i))));
                    }
                    other => body.push(other),
                }
            }
            output.body = body;
            Statement::Output(Arc::new(output))
        }
        Statement::Class(class) => {
            let mut class = Arc::unwrap_or_clone(class);
            let inputs = std::mem::take(&mut class.inputs);
            class.inputs = inputs.into_iter().flat_map(|i| split(i, sorts_by_option)).collect();
            Statement::Class(Arc::new(class))
        }
        other => other,
    }
}

/// A statement of input sections, or one for each of its patterns, so that each has one sort order.
fn split(inputs: InputStatement, sorts_by_option: bool) -> Vec<InputStatement> {
    if is_uniform(&inputs.sections, sorts_by_option) {
        return vec![inputs];
    }
    let of_pattern = |pattern: &SectionPattern| InputStatement {
        sections: vec![pattern.clone()],
        ..inputs.clone()
    };
    inputs.sections.iter().map(of_pattern).collect()
}

fn is_uniform(patterns: &[SectionPattern], sorts_by_option: bool) -> bool {
    // Without an option that sorts, SORT_NONE has no effect.
    let own =
        |sort: Sort| if sort == Sort::None && !sorts_by_option { Sort::Default } else { sort };
    let order = |pattern: &SectionPattern| -> ([Sort; 2], bool) {
        (pattern.sort.map(own), pattern.is_reversed)
    };
    patterns.windows(2).all(|pair| order(&pair[0]) == order(&pair[1]))
}
