//! A fast deflate encoder (RFC 1951). The only candidate for a match is the last position with the
//! same hash; each block has its own Huffman codes.
//!
//! It is faster than the lowest levels of libraries and compresses better (docs/decisions/0020).

mod block;
mod huffman;

use block::{Block, Content};

/// The greatest distance of a match, in bytes.
const WINDOW: usize = 1 << 15;
/// The longest match, in bytes.
const LONGEST: usize = 258;
/// The shortest match that is searched for, in bytes. Shorter matches are frequent and cause branch
/// mispredictions; the Huffman codes save most of what they would save.
const SHORTEST: usize = 6;
/// Entries of the hash table of positions. A larger table would not fit into the first-level cache.
const PLACES: usize = 1 << 13;
/// After this many bytes without a match every second position is tried, after twice as many every
/// third, and so on.
const PATIENCE: usize = 1 << 6;
/// Bytes that are compared at once.
const WORD: usize = 8;
/// Most bytes of a block; [`MOST_SEQUENCES`] limits it too.
const MOST_BYTES: usize = 1 << 17;
const MOST_SEQUENCES: usize = 1 << 14;

/// Literal bytes, followed by a match.
#[derive(Debug, Clone, Copy)]
struct Sequence {
    /// Number of literals.
    literals: u32,
    /// Bytes of the match; 0 if there is none, at the end of a block.
    length: u16,
    /// Distance of the match.
    distance: u16,
}

/// An encoder with its tables, which are reused for one run of bytes after the other.
#[derive(Debug)]
pub struct Encoder {
    /// By hash, the low bits of the last position with that hash. Any value is correct, since the
    /// bytes are compared. The table is cleared for each run, so that equal runs are encoded alike.
    places: Box<[u16; PLACES]>,
    sequences: Vec<Sequence>,
    literals: Literals,
    block: Block,
}

/// The literals of a block.
#[derive(Debug)]
struct Literals {
    bytes: Box<[u8]>,
    len: usize,
}

impl Literals {
    /// Adds the bytes from `start` to `end` of `all`.
    #[inline(always)]
    fn add(&mut self, all: &[u8], start: usize, end: usize) {
        let len = end - start;
        if len <= WORD && start + WORD <= all.len() {
            // Mostly there are few literals, and to copy a whole word is faster than to copy the
            // exact number.
            self.bytes[self.len..][..WORD].copy_from_slice(&all[start..start + WORD]);
        } else {
            self.bytes[self.len..][..len].copy_from_slice(&all[start..end]);
        }
        self.len += len;
    }
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder {
            places: Box::new([0; PLACES]),
            sequences: Vec::with_capacity(MOST_SEQUENCES + 1),
            literals: Literals { bytes: vec![0; MOST_BYTES + 2 * WORD].into(), len: 0 },
            block: Block::default(),
        }
    }
}

impl Encoder {
    /// Makes `out` deflate blocks of `bytes` that end on a byte boundary; the last run of bytes
    /// ends the stream.
    pub fn encode(&mut self, bytes: &[u8], is_last: bool, out: &mut Vec<u8>) {
        self.places.fill(0);
        self.block.begin(bytes.len(), out);
        let mut start = 0;
        while start < bytes.len() {
            let end = self.find_matches(bytes, start);
            let is_final = is_last && end == bytes.len();
            let content = Content {
                bytes: &bytes[start..end],
                literals: &self.literals.bytes[..self.literals.len],
                sequences: &self.sequences,
            };
            self.block.write(&content, is_final, out);
            start = end;
        }
        let is_ended = is_last && !bytes.is_empty();
        self.block.finish(is_last, is_ended, out);
    }

    /// Finds the sequences of a block that begins at `start`; returns where it ends.
    fn find_matches(&mut self, bytes: &[u8], start: usize) -> usize {
        self.sequences.clear();
        self.literals.len = 0;
        let places = &mut *self.places;
        // Past this position a word would leave the bytes.
        let end = bytes.len().saturating_sub(WORD).min(start + MOST_BYTES);
        let mut literals = start;
        let mut at = start;
        while at < end {
            let here = word8(bytes, at);
            let place = &mut places[hash(here)];
            let distance = usize::from((at as u16).wrapping_sub(*place));
            *place = at as u16;
            let is_near = distance.wrapping_sub(1) < WINDOW && distance <= at;
            let differ = if is_near { word8(bytes, at - distance) ^ here } else { 1 };
            if differ << (64 - 8 * SHORTEST) != 0 {
                at += 1 + (at - literals) / PATIENCE;
                continue;
            }
            let length = match differ {
                0 => WORD + common(bytes, at - distance + WORD, at + WORD),
                _ => differ.trailing_zeros() as usize / 8,
            };
            self.literals.add(bytes, literals, at);
            self.sequences.push(Sequence {
                literals: (at - literals) as u32,
                length: length as u16,
                distance: distance as u16,
            });
            if at + length < end {
                for inside in [at + 1, at + length - 1] {
                    places[hash(word8(bytes, inside))] = inside as u16;
                }
            }
            at += length;
            literals = at;
            if self.sequences.len() == MOST_SEQUENCES {
                return at;
            }
        }
        if literals < at {
            at = at.min(end);
        }
        let end = if at + WORD < bytes.len() { at } else { bytes.len() };
        self.literals.add(bytes, literals, end);
        self.sequences.push(Sequence { literals: (end - literals) as u32, length: 0, distance: 0 });
        end
    }
}

#[inline(always)]
fn word8(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + WORD].try_into().expect("eight bytes"))
}

#[inline(always)]
fn hash(word: u64) -> usize {
    ((word << (64 - 8 * SHORTEST)).wrapping_mul(0x9e37_79b1_85eb_ca87) >> (64 - PLACES.ilog2()))
        as usize
}

/// How many bytes from `one` on equal those from `other` on, which is the later position. At most
/// the number that a match has after its first word.
#[inline(always)]
fn common(bytes: &[u8], one: usize, other: usize) -> usize {
    let most = (LONGEST - WORD).min(bytes.len() - other);
    let mut len = 0;
    while len + WORD <= most {
        let differ = word8(bytes, one + len) ^ word8(bytes, other + len);
        if differ != 0 {
            return len + differ.trailing_zeros() as usize / 8;
        }
        len += WORD;
    }
    while len < most && bytes[one + len] == bytes[other + len] {
        len += 1;
    }
    len
}

#[cfg(test)]
mod tests;
