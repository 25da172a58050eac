//! Where a list of the output shows what a script says: assignments, and bytes that it states.

use super::items::{BodyPart, Item, Layout};
use skald_core::unordered::UnorderedSet;

/// What a script says, by the parts of the output that it stands among.
#[derive(Debug, Default)]
pub struct Shown {
    /// Assignments to symbols, in order.
    pub assignments: Vec<ShownAssignment>,
    /// Positions of the parts that are gaps.
    pub gaps: UnorderedSet<usize>,
    /// Positions of the parts that are numbers.
    pub numbers: UnorderedSet<usize>,
}

/// An assignment that a list of the output shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownAssignment {
    /// The number of the assignment among all.
    pub number: usize,
    /// Position of the part beside it.
    pub position: usize,
    /// It stands before that part, not behind it.
    pub is_before: bool,
}

impl Shown {
    /// What scripts say in `layout`; in an automatic one, within output sections alone. What stands
    /// before all output sections is beside no part.
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
