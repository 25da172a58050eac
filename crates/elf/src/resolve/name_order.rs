//! Sorts names by the inputs alone, independently of their ids.

use super::definitions::{Definitions, Rank, Strength};
use super::extract::Extraction;
use skald_core::column::with_room;
use skald_core::names::NameId;
use skald_core::sort::{self, Keyed};

/// Sorts names by the place of their definition; names without one come by spelling.
pub fn sort(definitions: &Definitions, extraction: &Extraction, names: &mut [NameId]) {
    let text = |number: u32| extraction.pools.name(&extraction.names, NameId::new(number));
    let keyed = |name: NameId| (definitions.ranks[name].0, name.number());
    let is_placed = |&(rank, _): &Keyed| Rank(rank).strength() != Strength::Undefined;
    let count = names.iter().filter(|&&name| is_placed(&keyed(name))).count();
    let (mut placed, mut unplaced) = (with_room(count), with_room(names.len() - count));
    for of_name in names.iter().map(|&name| keyed(name)) {
        let list = if is_placed(&of_name) { &mut placed } else { &mut unplaced };
        list.push(of_name);
    }
    sort::by_word(&mut placed, |a, b| a.cmp(&b));
    let skipped = common_prefix(unplaced.iter().map(|&(_, number)| text(number)));
    for (word, number) in &mut unplaced {
        *word = first_word(&text(*number)[skipped..]);
    }
    sort::by_word(&mut unplaced, |a, b| text(a).cmp(text(b)).then(a.cmp(&b)));
    for (name, sorted) in names.iter_mut().zip(placed.iter().chain(&unplaced)) {
        *name = NameId::new(sorted.1);
    }
}

/// Length of the longest prefix of all `texts`.
fn common_prefix<'a>(mut texts: impl Iterator<Item = &'a [u8]>) -> usize {
    let Some(first) = texts.next() else { return 0 };
    let alike = |common: usize, text: &[u8]| {
        first[..common].iter().zip(text).take_while(|(a, b)| a == b).count()
    };
    texts.fold(first.len(), alike)
}

/// The first eight bytes of `text` as a big-endian number, which compares like the bytes.
fn first_word(text: &[u8]) -> u64 {
    let mut word = [0; 8];
    let len = text.len().min(8);
    word[..len].copy_from_slice(&text[..len]);
    u64::from_be_bytes(word)
}
