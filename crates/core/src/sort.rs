//! Sorts by a word and, where words are equal, by a more expensive comparison.

use crate::column::with_room;
use crate::par::prelude::*;
use crate::perturb::shuffled;
use std::cmp::Ordering;

/// Fewer elements are sorted by comparison.
const MIN_COUNTED: usize = 1 << 10;
/// This many elements or more are sorted by comparison, on all threads.
const MAX_COUNTED: usize = 1 << 18;
/// Bits that one pass sorts by. The counts of a pass fit into the first level of the cache.
const DIGIT: u32 = 11;

/// A key, and the element that has it.
pub type Keyed = (u64, u32);

/// Sorts by the words; `tie` compares elements with equal words.
///
/// A medium number of elements is sorted by radix sort from the lowest digit: that takes a third of
/// the instructions of a comparison sort, and has no branch that is mispredicted half of the time.
pub fn by_word(elements: &mut Vec<Keyed>, tie: impl Fn(u32, u32) -> Ordering + Sync) {
    if !(MIN_COUNTED..MAX_COUNTED).contains(&elements.len()) {
        shuffled(elements).par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| tie(a.1, b.1)));
        return;
    }
    let (first, mut varying) = (elements[0].0, 0);
    for element in elements.iter() {
        varying |= element.0 ^ first;
    }
    let mut sorted = with_room(elements.len());
    sorted.resize(elements.len(), (0, 0));
    while varying != 0 {
        let shift = varying.trailing_zeros();
        let mask = (1 << DIGIT) - 1;
        pass(elements, &mut sorted, |word| (word >> shift & mask) as usize);
        std::mem::swap(elements, &mut sorted);
        varying &= !(mask << shift);
    }
    for same in elements.chunk_by_mut(|a, b| a.0 == b.0) {
        if same.len() > 1 {
            shuffled(same).sort_unstable_by(|a, b| tie(a.1, b.1));
        }
    }
}

/// Sorts `from` into `to` by one digit; elements with equal digits keep their order.
fn pass(from: &[Keyed], to: &mut [Keyed], digit: impl Fn(u64) -> usize) {
    let mut places = [0u32; 1 << DIGIT];
    for element in from {
        places[digit(element.0)] += 1;
    }
    let mut next = 0;
    for place in &mut places {
        next += std::mem::replace(place, next);
    }
    for &element in from {
        let place = &mut places[digit(element.0)];
        to[*place as usize] = element;
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn empty_and_alike() {
        const COUNT: u32 = if cfg!(miri) { 1500 } else { 5000 };
        let mut none = Vec::new();
        by_word(&mut none, |a, b| a.cmp(&b));
        let mut alike: Vec<(u64, u32)> = (0..COUNT).rev().map(|at| (7, at)).collect();
        by_word(&mut alike, |a, b| a.cmp(&b));
        assert!(alike.iter().copied().eq((0..COUNT).map(|at| (7, at))));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 40 }))]

        #[test]
        fn as_by_comparing(
            bits in 1u32..=64,
            low in 0u32..64,
            seed: u64,
            count in prop_oneof![0usize..3000, 1000usize..9000],
        ) {
            let mut state = seed | 1;
            let mut random = || {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d);
                state = state.wrapping_add(0x1405_7b7e_f767_814f);
                state.rotate_left(29)
            };
            let mask = u64::MAX >> (64 - bits);
            let mut elements: Vec<(u64, u32)> =
                (0..count as u32).map(|at| ((random() & mask) << low, at ^ 0x155)).collect();
            let mut compared = elements.clone();
            compared.sort_by_key(|&(word, place)| (word, std::cmp::Reverse(place)));
            by_word(&mut elements, |a, b| b.cmp(&a));
            prop_assert_eq!(elements, compared);
        }
    }
}
