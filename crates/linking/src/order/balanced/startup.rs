//! Orders the functions that are called when a program starts by their first calls, so that fewer
//! pages are read at startup.
//!
//! A trace is the order in which a run first called functions. It is cut into stretches that double
//! in length, by calls or by bytes. The utilities of a function are the stretch of its first call
//! and all later stretches of the trace. So functions that are first called together in many traces
//! have many utilities in common, and early functions have more. The idea is that of Ellis Hoag et
//! al., "Optimizing Function Layout for Mobile Applications", LCTES 2023.

use super::partition::{self, Node, UtilityId};
use crate::ids::SectionId;
use std::collections::BTreeMap;

/// The order of the sections that `traces` mention; `size_of` is the size of a section.
pub fn sort(traces: &[Vec<SectionId>], size_of: impl Fn(SectionId) -> u64) -> Vec<SectionId> {
    let mut utilities: BTreeMap<SectionId, Vec<UtilityId>> = BTreeMap::new();
    let mut first_calls: BTreeMap<SectionId, usize> = BTreeMap::new();
    let mut next = 0;
    for trace in traces {
        let start = next;
        let (mut bytes, mut end_bytes, mut end_calls) = (0u64, 1u64, 1);
        let mut stretches: BTreeMap<SectionId, u32> = BTreeMap::new();
        for (call, &section) in trace.iter().enumerate() {
            let first = first_calls.entry(section).or_insert(call);
            *first = call.min(*first);
            bytes = bytes.saturating_add(size_of(section));
            if call >= end_calls || bytes >= end_bytes {
                next += 1;
                end_bytes = bytes.saturating_mul(2);
                end_calls *= 2;
            }
            stretches.entry(section).or_insert(next);
        }
        for (section, stretch) in stretches {
            utilities
                .entry(section)
                .or_default()
                .extend((stretch.max(start)..=next).map(UtilityId::new));
        }
        next += 1;
    }
    let mut sections: Vec<SectionId> = utilities.keys().copied().collect();
    sections.sort_by_key(|section| first_calls[section]);
    let mut node = |section: SectionId| Node {
        id: section.number(),
        utilities: utilities.remove(&section).unwrap_or_default(),
    };
    let nodes = sections.into_iter().map(&mut node).collect();
    partition::order(nodes, next as usize).into_iter().map(SectionId::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_trace_is_its_order() {
        let trace: Vec<SectionId> = [9, 3, 7, 1].map(SectionId::new).to_vec();
        let order = sort(std::slice::from_ref(&trace), |_| 10);
        assert_eq!(order.len(), 4);
        assert_eq!(order[0], SectionId::new(9));
    }

    #[test]
    fn what_starts_in_all_traces_is_apart_from_the_rest() {
        let mut traces = Vec::new();
        for own in [100, 200, 300] {
            let shared = 0..10;
            let trace = shared.chain(own..own + 10).map(SectionId::new);
            traces.push(trace.collect::<Vec<SectionId>>());
        }
        let order = sort(&traces, |_| 100);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 40);
        assert!(
            order[..20].iter().filter(|&&id| id < SectionId::new(10)).count() >= 8,
            "{order:?}"
        );
    }
}
