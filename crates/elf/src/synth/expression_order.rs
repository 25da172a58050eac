//! The order in which assignments are evaluated: each after those that it refers to, otherwise as
//! they are given.
//!
//! Chains may be long and in any order, so this is a search in depth with a stack of its own. In a
//! circle, the reference that closes it counts for nothing here, and is an error when it is evaluated.

use super::linker_symbols::{ClaimedSymbols, Mark};
use crate::args::expr::Expr;
use crate::resolve::extract::Extraction;
use skald_core::unordered::UnorderedMap;

/// Names and expressions in that order.
pub fn sorted<'a>(
    claimed: &'a ClaimedSymbols,
    extraction: &Extraction,
) -> impl Iterator<Item = (u32, &'a Expr)> {
    let assigned: Vec<(u32, &Expr)> = claimed
        .symbols
        .iter()
        .filter_map(|symbol| match &symbol.mark {
            Mark::Expression(expr) => Some((symbol.name, expr)),
            _ => None,
        })
        .collect();
    let id = |text: &[u8]| extraction.names.find(extraction.names.key().hash(text));
    let order = order(&assigned, id);
    order.into_iter().map(move |at| assigned[at])
}

/// Positions in that order. Of several assignments to one name the first is the one that the others
/// need: what follows it has its own place.
pub fn order(assigned: &[(u32, &Expr)], id: impl Fn(&[u8]) -> Option<u32>) -> Vec<usize> {
    let mut at_of: UnorderedMap<u32, usize> = UnorderedMap::new();
    for (at, &(name, _)) in assigned.iter().enumerate() {
        at_of.entry(name).or_insert(at);
    }
    let needed = |at: usize| -> Vec<usize> {
        let names = assigned[at].1.symbols().filter_map(&id);
        names.filter_map(|name| at_of.get(&name).copied()).collect()
    };
    let mut order = Vec::with_capacity(assigned.len());
    let mut is_seen = vec![false; assigned.len()];
    for first in 0..assigned.len() {
        if std::mem::replace(&mut is_seen[first], true) {
            continue;
        }
        let mut stack = vec![(first, needed(first).into_iter())];
        while let Some((at, rest)) = stack.last_mut() {
            match rest.next() {
                Some(next) if !is_seen[next] => {
                    is_seen[next] = true;
                    stack.push((next, needed(next).into_iter()));
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
        let exprs =
            ["b + c", "c", "4", "d", "a"].map(|t| Expr::parse_text("test", t.as_bytes()).unwrap());
        let assigned: Vec<(u32, &Expr)> = (0..).zip(&exprs).collect();
        let id = |text: &[u8]| Some(u32::from(text[0] - b'a'));
        assert_eq!(order(&assigned, id), [2, 1, 0, 3, 4]);
    }
}
