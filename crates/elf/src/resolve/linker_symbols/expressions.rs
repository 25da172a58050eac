//! Assignments in the order of their evaluation: each after those that it refers to, otherwise in
//! the order given.
//!
//! If a name is assigned several times, the last assignment gives the symbol its value. A reference
//! to the name means the nearest assignment before it, or the last if there is none before. In an
//! assignment to `k`, a reference to `k` means the assignment before it, or else the definition
//! that the assignments replace. References before the first assignment mean that definition, too
//! (GNU ld's evaluation in passes).
//!
//! Chains of references may be long and in any order, so this is a depth-first search with an
//! explicit stack. The reference that closes a cycle is ignored here, and is an error when it is
//! evaluated.

use skald_core::hash::Hash128;
use skald_core::names::{NameId, NameTable};
use skald_core::unordered::UnorderedMap;
use skald_linking::expr::Expr;
use std::ops::Range;

/// Up to this many symbols of an expression are compared one by one.
const FEW: usize = 8;

/// All assignments, with the symbols that they refer to.
#[derive(Debug, Default)]
pub struct Expressions {
    /// The assignments as they are given.
    assigned: Vec<Assigned>,
    /// Indices in `assigned`, in the order of evaluation.
    order: Vec<usize>,
    /// The symbols that all expressions refer to.
    references: Vec<Reference>,
    /// By name, the assignments to it.
    places: UnorderedMap<NameId, Vec<usize>>,
}

#[derive(Debug)]
struct Assigned {
    name: NameId,
    expr: Expr,
    /// The symbols of this expression, as a range of the list of all references.
    references: Range<usize>,
    /// The last assignment to the name, whose value the symbol gets.
    is_last: bool,
    is_absolute: bool,
}

/// A symbol that an expression refers to.
#[derive(Debug, Clone, Copy)]
pub struct Reference {
    /// The name; `None` if no file or option mentions it.
    pub id: Option<NameId>,
    /// Index of the assignment that gives the value; `None` if none does.
    pub assigned: Option<usize>,
    /// The value is that of the definition that assignments to the name replace.
    pub is_original: bool,
}

/// An assignment with its expression.
#[derive(Debug, Clone, Copy)]
pub struct Expression<'a> {
    /// Index of the assignment in the order given.
    pub at: usize,
    /// The name that is assigned to.
    pub name: NameId,
    /// The expression that is evaluated.
    pub expr: &'a Expr,
    /// Whether it is the last assignment to the name, whose value the symbol gets.
    pub is_last: bool,
    references: &'a [Reference],
}

impl Expressions {
    /// Orders the assignments in `given`.
    pub fn new(given: Vec<(NameId, Expr)>, names: &NameTable) -> Self {
        let symbols = given.iter().flat_map(|(_, expr)| expr.symbols());
        let hashes: Vec<Hash128> = symbols.map(|text| names.key().hash(text)).collect();
        let mut ids = names.find_batch(&hashes).into_iter();
        let mut places: UnorderedMap<NameId, Vec<usize>> = UnorderedMap::with_capacity(given.len());
        for (at, (name, _)) in given.iter().enumerate() {
            places.entry(*name).or_default().push(at);
        }
        let asks_itself: Vec<bool> = {
            let mut ids = ids.clone();
            let own = |(name, expr): &(NameId, Expr)| {
                ids.by_ref().take(expr.symbols().count()).filter(|&id| id == Some(*name)).count()
                    > 0
            };
            given.iter().map(own).collect()
        };
        let meant = |id: Option<NameId>, at: usize| {
            let Some(places) = id.and_then(|id| places.get(&id)) else {
                return Reference { id, assigned: None, is_original: false };
            };
            let before = places.partition_point(|&place| place < at);
            let assigned = match before.checked_sub(1) {
                Some(nearest) => places.get(nearest),
                None => places.iter().rev().find(|&&place| !asks_itself[place]),
            };
            Reference { id, assigned: assigned.copied(), is_original: assigned.is_none() }
        };
        let mut references = Vec::with_capacity(hashes.len());
        let mut assigned = Vec::with_capacity(given.len());
        for (at, (name, expr)) in given.into_iter().enumerate() {
            let start = references.len();
            for id in ids.by_ref().take(expr.symbols().count()) {
                references.push(meant(id, at));
            }
            let places = &places[&name];
            assigned.push(Assigned {
                name,
                expr,
                references: start..references.len(),
                is_last: places.last() == Some(&at),
                is_absolute: false,
            });
        }
        let needed = |at: usize| {
            let own: &Assigned = &assigned[at];
            references[own.references.clone()].iter().filter_map(|reference| reference.assigned)
        };
        let order = order(assigned.len(), needed);
        Self { assigned, order, references, places }
    }

    /// The assignments in the order of evaluation.
    pub fn iter(&self) -> impl Iterator<Item = Expression<'_>> {
        self.order.iter().map(|&at| self.get(at))
    }

    fn get(&self, at: usize) -> Expression<'_> {
        let assigned = &self.assigned[at];
        Expression {
            at,
            name: assigned.name,
            expr: &assigned.expr,
            is_last: assigned.is_last,
            references: &self.references[assigned.references.clone()],
        }
    }

    /// Whether there are no assignments.
    pub fn is_empty(&self) -> bool {
        self.assigned.is_empty()
    }

    /// How many assignments there are.
    pub fn len(&self) -> usize {
        self.assigned.len()
    }

    /// Finds expressions whose value does not move with the output (SHN_ABS): those that refer to
    /// absolute values alone. `is_absolute` says whether a symbol is absolute that is not assigned,
    /// or, with its flag set, the definition that assignments replace.
    pub fn find_absolute(&mut self, names: &NameTable, is_absolute: impl Fn(NameId, bool) -> bool) {
        for place in 0..self.order.len() {
            let at = self.order[place];
            let expression = self.get(at);
            let found = expression.expr.is_absolute(|text| {
                let reference = expression.reference(text, names);
                match reference.assigned {
                    Some(assigned) => self.assigned[assigned].is_absolute || assigned == at,
                    None => reference.id.is_some_and(|id| is_absolute(id, reference.is_original)),
                }
            });
            self.assigned[at].is_absolute = found;
        }
    }

    /// Whether the value of an assignment does not move with the output.
    pub fn is_absolute(&self, at: usize) -> bool {
        self.assigned[at].is_absolute
    }

    /// Whether an assignment to a name stands before the one at `at`; `None` if none does anywhere.
    pub fn is_assigned_before(&self, name: NameId, at: usize) -> Option<bool> {
        self.places.get(&name).map(|places| places.first().is_some_and(|&first| first < at))
    }

    /// Names that expressions refer to, which are roots of marking.
    pub fn referenced(&self) -> Vec<NameId> {
        self.references.iter().filter_map(|reference| reference.id).collect()
    }
}

impl Expression<'_> {
    /// What the symbol `text` of the expression refers to.
    pub fn reference(&self, text: &[u8], names: &NameTable) -> Reference {
        if self.references.len() <= FEW
            && let Some(at) = self.expr.symbols().position(|symbol| symbol == text)
        {
            return self.references[at];
        }
        let id = names.find_text(text);
        let found = self.references.iter().find(|reference| reference.id == id);
        found.copied().unwrap_or(Reference { id, assigned: None, is_original: false })
    }

    /// Whether a symbol is assigned by an expression that has no value in `done` yet: then that
    /// expression is computed from this one.
    pub fn is_open<T>(&self, text: &[u8], names: &NameTable, done: &[Option<T>]) -> bool {
        self.reference(text, names).assigned.is_some_and(|at| done[at].is_none())
    }

    /// The symbol `b` of an assignment `a = b`.
    pub fn alias_of(&self) -> Option<NameId> {
        self.expr.as_symbol().and(self.references.first()?.id)
    }
}

/// Indices of `count` items, each after the items that it needs.
fn order<N: Iterator<Item = usize>>(count: usize, needed: impl Fn(usize) -> N) -> Vec<usize> {
    let mut order = Vec::with_capacity(count);
    let mut is_seen = vec![false; count];
    let mut stack = Vec::new();
    for first in 0..count {
        if std::mem::replace(&mut is_seen[first], true) {
            continue;
        }
        stack.push((first, needed(first)));
        while let Some((at, rest)) = stack.last_mut() {
            match rest.next() {
                Some(next) if !is_seen[next] => {
                    is_seen[next] = true;
                    stack.push((next, needed(next)));
                }
                Some(_) => {}
                None => {
                    order.push(*at);
                    stack.pop();
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_referred_to_comes_first() {
        let needed =
            |at: usize| [vec![1, 2], vec![2], vec![], vec![3], vec![0]][at].clone().into_iter();
        assert_eq!(order(5, needed), [2, 1, 0, 3, 4]);
        // A cycle begins at the item that is given first.
        assert_eq!(order(3, |at: usize| std::iter::once((at + 1) % 3)), [2, 1, 0]);
    }
}
