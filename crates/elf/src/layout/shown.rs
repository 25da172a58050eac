//! Where a map shows what a script contributes: assignments, and bytes that it gives.

use super::items::{BodyPart, Item, Layout};
use skald_core::unordered::UnorderedSet;

/// A script's contributions, by the parts of the output that they stand next to.
#[derive(Debug, Default)]
pub struct Shown {
    /// Assignments to symbols, in order.
    pub assignments: Vec<ShownAssignment>,
    /// Positions of the parts that are gaps.
    pub gaps: UnorderedSet<usize>,
    /// Positions of the parts that are numbers.
    pub numbers: UnorderedSet<usize>,
}

/// An assignment that a map shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownAssignment {
    /// The number of the assignment among all assignments.
    pub number: usize,
    /// Position of the part next to it.
    pub position: usize,
    /// It stands before that part, not behind.
    pub is_before: bool,
}

impl Shown {
    /// The script's contributions in `layout`; in an automatic one only those within output
    /// sections. An assignment before all output sections is next to no part.
    pub fn find(layout: &Layout) -> Shown {
        let mut shown = Shown::default();
        let mut last = None;
        for item in &layout.items {
            match item {
                Item::Assign(_) if layout.is_automatic => {}
                Item::Assign(assign) => shown.add(assign.number, last.map(|at| (at, false))),
                Item::Heading(at) => {
                    let mut next = layout.headings[*at].parts().map(|parts| parts.start);
                    for part in &layout.headings[*at].body {
                        match part {
                            BodyPart::Assign(assign) => {
                                let before = next.map(|at| (at, true));
                                shown.add(assign.number, before.or(last.map(|at| (at, false))));
                            }
                            BodyPart::Gap(position, _) => _ = shown.gaps.insert(*position),
                            BodyPart::Number { part, .. } => _ = shown.numbers.insert(*part),
                            BodyPart::Part(_) | BodyPart::Assert(_) => {}
                        }
                        if let Some(position) = part.position() {
                            (last, next) = (Some(position), None);
                        }
                    }
                }
                Item::Assert(_) | Item::NotMade | Item::Segment(_) => {}
            }
        }
        shown
    }

    fn add(&mut self, number: Option<usize>, place: Option<(usize, bool)>) {
        if let Some((number, (position, is_before))) = number.zip(place) {
            self.assignments.push(ShownAssignment { number, position, is_before });
        }
    }
}
