//! Small mutations of valid inputs. There is no coverage feedback, so inputs stay close to valid
//! ones: mostly one to four changes, some of which know how numbers and words are written.

use crate::random::Chance;
use std::ops::Range;

/// Bytes that an input has at most.
const LIMIT: usize = 1 << 16;

/// Values that often break computations of sizes and offsets.
const NUMBERS: [u64; 26] = [
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    15,
    16,
    24,
    63,
    64,
    0x7f,
    0x80,
    0xff,
    0x100,
    0x7fff,
    0x8000,
    0xff00,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    1 << 63,
    u64::MAX,
];

/// The input number `number` of those that `corpus` gives, and `words` if it is a text.
pub fn input(corpus: &[Vec<u8>], words: &[&str], number: u64) -> Vec<u8> {
    let mut chance = Chance::new(number);
    let mut bytes = corpus[chance.below(corpus.len())].clone();
    let edits = match chance.below(20) {
        0..7 => 1,
        7..12 => 2,
        12..16 => 3,
        16..19 => 4,
        _ => 5 + chance.below(30),
    };
    for _ in 0..edits {
        if words.is_empty() || chance.below(4) == 0 {
            edit(&mut bytes, corpus, &mut chance);
        } else if chance.below(2) == 0 {
            let other = &corpus[chance.below(corpus.len())];
            edit_tokens(&mut bytes, other, &mut chance);
        } else {
            edit_text(&mut bytes, words, &mut chance);
        }
    }
    bytes.truncate(LIMIT);
    bytes
}

/// Number of kinds of changes; the first ones do not move any bytes.
const KINDS: usize = 12;
const IN_PLACE: usize = 7;

fn edit(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], chance: &mut Chance) {
    if bytes.is_empty() {
        bytes.push(chance.below(256) as u8);
    }
    let at = chance.below(bytes.len());
    // ELF files hold offsets of their parts, so most changes that move bytes are refused at once.
    let is_elf = bytes.windows(4).take(2).any(|word| word == b"\x7fELF");
    let kinds = if is_elf && chance.below(16) != 0 { IN_PLACE } else { KINDS };
    match chance.below(kinds) {
        0 => bytes[at] ^= 1 << chance.below(8),
        1 => bytes[at] = chance.below(256) as u8,
        2 | 3 => write_number(bytes, at, chance),
        4 | 5 => add_to_number(bytes, at, chance),
        6 => {
            let block = block(bytes, chance).to_vec();
            let end = (at + block.len()).min(bytes.len());
            bytes[at..end].copy_from_slice(&block[..end - at]);
        }
        7 => {
            let end = (at + length(chance)).min(bytes.len());
            bytes.drain(at..end);
        }
        8 => {
            let block = block(bytes, chance).to_vec();
            let times = if chance.below(8) == 0 { 100 } else { 1 };
            bytes.splice(at..at, block.repeat(times));
        }
        9 => {
            let other = &corpus[chance.below(corpus.len())];
            let block = block(other, chance).to_vec();
            let end = if chance.below(2) == 0 { at } else { (at + block.len()).min(bytes.len()) };
            bytes.splice(at..end, block);
        }
        10 => bytes.truncate(at),
        _ => bytes.insert(at, chance.below(256) as u8),
    }
}

/// Some bytes of an input, mostly few.
fn block<'a>(bytes: &'a [u8], chance: &mut Chance) -> &'a [u8] {
    let start = chance.below(bytes.len() + 1);
    &bytes[start..(start + length(chance)).min(bytes.len())]
}

fn length(chance: &mut Chance) -> usize {
    let longest = chance.one_of(&[1, 4, 8, 16, 24, 64, 512]);
    1 + chance.below(longest)
}

/// A range of `width` bytes, mostly aligned as fields are.
fn place(bytes: &[u8], at: usize, width: usize, chance: &mut Chance) -> std::ops::Range<usize> {
    let at = if chance.below(4) == 0 { at } else { at - at % width };
    at..(at + width).min(bytes.len())
}

fn write_number(bytes: &mut [u8], at: usize, chance: &mut Chance) {
    let width = chance.one_of(&[1, 2, 4, 8]);
    let near = (bytes.len() + chance.below(9)).saturating_sub(4) as u64;
    let number = if chance.below(6) == 0 { near } else { chance.one_of(&NUMBERS) };
    let place = place(bytes, at, width, chance);
    let is_big_endian = chance.below(8) == 0;
    let field = &mut bytes[place];
    let written = if is_big_endian {
        &number.to_be_bytes()[8 - field.len()..]
    } else {
        &number.to_le_bytes()[..field.len()]
    };
    field.copy_from_slice(written);
}

fn add_to_number(bytes: &mut [u8], at: usize, chance: &mut Chance) {
    let width = chance.one_of(&[1, 2, 4, 8]);
    let field = place(bytes, at, width, chance);
    let mut word = [0; 8];
    let field = &mut bytes[field];
    word[..field.len()].copy_from_slice(field);
    let difference = [1, 2, 3, 4, 8, 16, 24, 32, 64, 0x1000][chance.below(10)];
    let word = u64::from_le_bytes(word);
    let word = if chance.below(2) == 0 {
        word.wrapping_add(difference)
    } else {
        word.wrapping_sub(difference)
    };
    let word = if chance.below(8) == 0 { word.wrapping_neg() } else { word };
    field.copy_from_slice(&word.to_le_bytes()[..field.len()]);
}

/// Inserts, removes or replaces words.
fn edit_text(bytes: &mut Vec<u8>, words: &[&str], chance: &mut Chance) {
    let at = chance.below(bytes.len() + 1);
    let word = chance.one_of(words).as_bytes();
    match chance.below(6) {
        0 | 1 => drop(bytes.splice(at..at, word.iter().copied())),
        2 | 3 => {
            let found = word_at(bytes, at);
            bytes.splice(found, word.iter().copied());
        }
        4 => drop(bytes.drain(word_at(bytes, at))),
        _ => {
            // Deep nesting and long lists; so long that what recurses without a limit overflows the
            // stack.
            let times = chance.one_of(&[2, 8, 64, 5000]);
            drop(bytes.splice(at..at, word.repeat(times)));
        }
    }
}

/// Removes, repeats or swaps tokens, or replaces them by those of another text.
fn edit_tokens(bytes: &mut Vec<u8>, other: &[u8], chance: &mut Chance) {
    let (own, others) = (tokens(bytes), tokens(other));
    if own.is_empty() || others.is_empty() {
        return;
    }
    let some = |tokens: &[Range<usize>], chance: &mut Chance| {
        let first = chance.below(tokens.len());
        let longest = 1 << chance.below(6);
        let last = (first + chance.below(longest)).min(tokens.len() - 1);
        tokens[first].start..tokens[last].end
    };
    let at = some(&own, chance);
    match chance.below(5) {
        0 => drop(bytes.drain(at)),
        1 => {
            let again = bytes[at.clone()].to_vec();
            bytes.splice(at.end..at.end, again);
        }
        2 => {
            let to = some(&own, chance);
            let (first, second) = if at.start < to.start { (at, to) } else { (to, at) };
            if first.end <= second.start {
                let between = &bytes[first.end..second.start];
                let swapped = [&bytes[second.clone()], between, &bytes[first.clone()]].concat();
                bytes.splice(first.start..second.end, swapped);
            }
        }
        3 => {
            let new = other[some(&others, chance)].to_vec();
            bytes.splice(at, new);
        }
        _ => {
            let new = other[some(&others, chance)].to_vec();
            bytes.splice(at.start..at.start, new);
        }
    }
}

/// Words and single other bytes, without spaces.
fn tokens(bytes: &[u8]) -> Vec<Range<usize>> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let letters = bytes[at..].iter().take_while(|byte| is_letter(byte)).count();
        let token = at..at + letters.max(1);
        at = token.end;
        if !bytes[token.start].is_ascii_whitespace() {
            tokens.push(token);
        }
    }
    tokens
}

/// The letters and digits around a place, or one other byte.
fn word_at(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let before = bytes[..at].iter().rev().take_while(|byte| is_letter(byte)).count();
    let after = bytes[at..].iter().take_while(|byte| is_letter(byte)).count();
    let end = if before + after == 0 { (at + 1).min(bytes.len()) } else { at + after };
    at - before..end
}

#[cfg(test)]
mod tests {
    use super::input;

    #[test]
    fn numbers_decide_inputs() {
        let corpus = [b"some (text) 12".to_vec(), Vec::new(), vec![0x7f; 100]];
        for words in [&[][..], &["(", ")", "1"]] {
            let of = |from: u64| {
                (from..from + 2000).map(|n| input(&corpus, words, n)).collect::<Vec<_>>()
            };
            assert_eq!(of(0), of(0));
            assert_ne!(of(0), of(1));
        }
    }
}
