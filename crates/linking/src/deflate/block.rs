//! Blocks of deflate: their headers, and their symbols as bits.

use super::huffman::Codes;
use super::{LONGEST, Sequence};

/// Number of symbols for literals, the end of the block, and lengths (RFC 1951, 3.2.5).
const LITERALS: usize = 286;
const DISTANCES: usize = 30;
/// Number of symbols for code lengths (RFC 1951, 3.2.7).
const LENGTHS: usize = 19;
const END_OF_BLOCK: usize = 256;
/// The index of the empty code, for no byte.
const NO_BYTE: usize = 256;
/// The order in which the lengths of the code length codes are written (RFC 1951, 3.2.7).
const ORDER: [usize; LENGTHS] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/// The most bytes of a stored block.
const STORED: usize = 0xffff;

const fn length_symbols() -> [(u16, u8, u8); LONGEST + 1] {
    let mut table = [(0, 0, 0); LONGEST + 1];
    let mut length = 3;
    let mut symbol = 257;
    while symbol < 285 {
        let extra = if symbol < 265 { 0 } else { (symbol - 261) / 4 };
        let mut more = 0;
        while more < 1 << extra && length < LONGEST {
            table[length] = (symbol as u16, extra as u8, more as u8);
            length += 1;
            more += 1;
        }
        symbol += 1;
    }
    table[LONGEST] = (285, 0, 0);
    table
}

/// By length of a match: its symbol, the number of extra bits, and these bits.
static LENGTH_SYMBOLS: [(u16, u8, u8); LONGEST + 1] = length_symbols();

/// The symbol of a distance, the number of extra bits, and these bits.
#[inline(always)]
fn distance_symbol(distance: u16) -> (usize, u32, u64) {
    let from_0 = u32::from(distance) - 1;
    let log2 = (from_0 | 1).ilog2();
    let extra = log2.saturating_sub(1);
    let symbol = if from_0 < 2 { from_0 } else { 2 * log2 + (from_0 >> extra & 1) };
    (symbol as usize, extra, u64::from(from_0 & ((1 << extra) - 1)))
}

/// The content of a block.
pub(super) struct Content<'a> {
    pub bytes: &'a [u8],
    /// The bytes that are in no match.
    pub literals: &'a [u8],
    /// Only the last one may be without a match.
    pub sequences: &'a [Sequence],
}

/// The bits that are not written yet, the first one lowest, and the symbol counts of a block.
#[derive(Debug)]
pub(super) struct Block {
    bits: u64,
    count: u32,
    /// Bytes that were written.
    len: usize,
    literals: [u32; LITERALS],
    distances: [u32; DISTANCES],
}

impl Default for Block {
    fn default() -> Block {
        Block { bits: 0, count: 0, len: 0, literals: [0; LITERALS], distances: [0; DISTANCES] }
    }
}

impl Block {
    /// Begins the blocks of `size` bytes; `out` gets room for all of them.
    pub fn begin(&mut self, size: usize, out: &mut Vec<u8>) {
        (self.bits, self.count, self.len) = (0, 0, 0);
        // A stored block has five extra bytes for each part, and `flush` writes up to a word past
        // the last byte.
        let most = size + 8 * (size / STORED + size / super::MOST_BYTES * 2 + 16);
        out.resize(most, 0);
    }

    /// Ends the output on a byte boundary; if `is_last`, ends the stream unless a final block did
    /// (`is_ended`).
    pub fn finish(&mut self, is_last: bool, is_ended: bool, out: &mut Vec<u8>) {
        if !is_last {
            // An empty stored block.
            self.put(0, 3);
            self.align(out);
            out[self.len..][..4].copy_from_slice(&[0, 0, 0xff, 0xff]);
            self.len += 4;
        } else if !is_ended {
            // An empty final block with fixed codes.
            self.put(0b011, 10);
        }
        self.align(out);
        out.truncate(self.len);
    }

    /// Writes a block with dynamic codes, or stored if that is no longer.
    pub fn write(&mut self, content: &Content, is_final: bool, out: &mut [u8]) {
        self.count_symbols(content);
        let bytes = content.bytes;
        let literals = Codes::of(&self.literals, 15);
        let distances = Codes::of(&self.distances, 15);
        let head = Head::of(&literals, &distances);
        let bits = head.bits() + self.bits_of(&literals, &distances);
        let parts = bytes.len().div_ceil(STORED);
        if bits / 8 >= bytes.len() + 5 * parts {
            return self.store(bytes, is_final, out);
        }
        self.put(u64::from(is_final) | 2 << 1, 3);
        self.write_head(&head, out);
        self.write_symbols(content, &literals, &distances, out);
    }

    fn count_symbols(&mut self, content: &Content) {
        self.literals.fill(0);
        self.distances.fill(0);
        // Four tables, because increments of the same counter depend on each other.
        let mut tables = [[0u32; 256]; 4];
        let (fours, rest) = content.literals.as_chunks::<4>();
        for four in fours {
            for (table, &byte) in tables.iter_mut().zip(four) {
                table[usize::from(byte)] += 1;
            }
        }
        for &byte in rest {
            tables[0][usize::from(byte)] += 1;
        }
        for table in tables {
            for (sum, count) in self.literals.iter_mut().zip(table) {
                *sum += count;
            }
        }
        for sequence in content.sequences.iter().filter(|sequence| sequence.length != 0) {
            let (symbol, ..) = LENGTH_SYMBOLS[usize::from(sequence.length)];
            self.literals[usize::from(symbol)] += 1;
            self.distances[distance_symbol(sequence.distance).0] += 1;
        }
        self.literals[END_OF_BLOCK] = 1;
    }

    /// How many bits the counted symbols need, extra bits included.
    fn bits_of(&self, literals: &Codes<LITERALS>, distances: &Codes<DISTANCES>) -> usize {
        let mut bits = 0;
        for (symbol, (&count, &length)) in self.literals.iter().zip(&literals.lengths).enumerate() {
            let extra = if (265..285).contains(&symbol) { (symbol - 261) / 4 } else { 0 };
            bits += count as usize * (usize::from(length) + extra);
        }
        for (symbol, (&count, &length)) in self.distances.iter().zip(&distances.lengths).enumerate()
        {
            bits += count as usize * (usize::from(length) + (symbol / 2).saturating_sub(1));
        }
        bits
    }

    fn store(&mut self, bytes: &[u8], is_final: bool, out: &mut [u8]) {
        let mut parts = bytes.chunks(STORED).peekable();
        while let Some(part) = parts.next() {
            self.put(u64::from(is_final && parts.peek().is_none()), 3);
            self.align(out);
            let len = part.len() as u16;
            let out = &mut out[self.len..][..4 + part.len()];
            out[..2].copy_from_slice(&len.to_le_bytes());
            out[2..4].copy_from_slice(&(!len).to_le_bytes());
            out[4..].copy_from_slice(part);
            self.len += out.len();
        }
    }

    fn write_head(&mut self, head: &Head, out: &mut [u8]) {
        self.put(head.literals as u64 - 257, 5);
        self.put(head.distances as u64 - 1, 5);
        self.put(head.orders as u64 - 4, 4);
        for &symbol in &ORDER[..head.orders] {
            self.flush(out);
            self.put(u64::from(head.codes.lengths[symbol]), 3);
        }
        for &(symbol, extra) in &head.symbols[..head.len] {
            self.flush(out);
            let symbol = usize::from(symbol);
            self.put(u64::from(head.codes.bits[symbol]), head.codes.lengths[symbol].into());
            self.put(u64::from(extra), Head::extra_bits(symbol));
        }
        self.flush(out);
    }

    fn write_symbols(
        &mut self,
        content: &Content,
        literals: &Codes<LITERALS>,
        distances: &Codes<DISTANCES>,
        out: &mut [u8],
    ) {
        // The last code is the empty one, for no byte.
        let mut byte_codes = [(0, 0); NO_BYTE + 1];
        for (byte, code) in byte_codes[..NO_BYTE].iter_mut().enumerate() {
            *code = (literals.bits[byte], literals.lengths[byte]);
        }
        let mut length_codes = [(0, 0); LONGEST + 1];
        for (code, &(symbol, extra, more)) in length_codes.iter_mut().zip(&LENGTH_SYMBOLS) {
            let symbol = usize::from(symbol);
            let len = literals.lengths[symbol];
            let more = u32::from(more) << len;
            *code = (u32::from(literals.bits[symbol]) | more, len + extra);
        }
        let mut rest = content.literals;
        for sequence in content.sequences {
            let mut count = sequence.literals;
            while count > 2 {
                let (three, behind) = rest.split_at(3);
                for &byte in three {
                    let (bits, len) = byte_codes[usize::from(byte)];
                    self.put(bits.into(), len.into());
                }
                self.flush(out);
                rest = behind;
                count -= 3;
            }
            // The remaining two, one or none, without an unpredictable branch.
            for at in 0..2 {
                let byte = rest.get(at).map_or(NO_BYTE, |&byte| usize::from(byte));
                let (bits, len) = byte_codes[if (at as u32) < count { byte } else { NO_BYTE }];
                self.put(bits.into(), len.into());
            }
            rest = rest.split_at(count as usize).1;
            if sequence.length == 0 {
                break;
            }
            let (bits, len) = length_codes[usize::from(sequence.length)];
            self.put(bits.into(), len.into());
            self.flush(out);
            let (symbol, extra, more) = distance_symbol(sequence.distance);
            let len = u32::from(distances.lengths[symbol]);
            self.put(u64::from(distances.bits[symbol]) | more << len, len + extra);
            self.flush(out);
        }
        self.flush(out);
        self.put(literals.bits[END_OF_BLOCK].into(), literals.lengths[END_OF_BLOCK].into());
        self.flush(out);
    }

    /// Adds bits: at most 56 between two calls of [`Block::flush`], which leaves at most 7.
    #[inline(always)]
    fn put(&mut self, bits: u64, count: u32) {
        self.bits |= bits << self.count;
        self.count += count;
    }

    /// Writes whole bytes.
    #[inline(always)]
    fn flush(&mut self, out: &mut [u8]) {
        out[self.len..][..8].copy_from_slice(&self.bits.to_le_bytes());
        self.len += self.count as usize / 8;
        self.bits >>= self.count & !7;
        self.count &= 7;
    }

    /// Writes all bits, padded with zeros to a whole byte.
    fn align(&mut self, out: &mut [u8]) {
        self.count = self.count.next_multiple_of(8);
        self.flush(out);
    }
}

/// The header of a block with dynamic codes (RFC 1951, 3.2.7).
struct Head {
    /// Number of code lengths for literals and lengths (HLIT + 257); those for distances follow
    /// (HDIST + 1).
    literals: usize,
    distances: usize,
    /// Number of code length codes that are written (HCLEN + 4).
    orders: usize,
    codes: Codes<LENGTHS>,
    /// The code lengths as symbols of the code length alphabet, with their extra bits.
    symbols: [(u8, u8); LITERALS + DISTANCES],
    len: usize,
}

impl Head {
    fn of(literals: &Codes<LITERALS>, distances: &Codes<DISTANCES>) -> Head {
        let used =
            |lengths: &[u8]| lengths.iter().rposition(|&len| len != 0).map_or(0, |at| at + 1);
        let mut head = Head {
            literals: used(&literals.lengths).max(257),
            distances: used(&distances.lengths).max(1),
            orders: 0,
            codes: Codes { lengths: [0; LENGTHS], bits: [0; LENGTHS] },
            symbols: [(0, 0); LITERALS + DISTANCES],
            len: 0,
        };
        let mut lengths = [0; LITERALS + DISTANCES];
        lengths[..head.literals].copy_from_slice(&literals.lengths[..head.literals]);
        lengths[head.literals..][..head.distances]
            .copy_from_slice(&distances.lengths[..head.distances]);
        let mut counts = [0; LENGTHS];
        for run in lengths[..head.literals + head.distances].chunk_by(|a, b| a == b) {
            head.add_run(run[0], run.len());
        }
        for &(symbol, _) in &head.symbols[..head.len] {
            counts[usize::from(symbol)] += 1;
        }
        head.codes = Codes::of(&counts, 7);
        let is_used = |&symbol: &usize| head.codes.lengths[symbol] != 0;
        head.orders = ORDER.iter().rposition(is_used).map_or(4, |at| at + 1).max(4);
        head
    }

    /// Adds `count` equal code lengths.
    fn add_run(&mut self, length: u8, mut count: usize) {
        if length != 0 {
            self.add(length, 0);
            count -= 1;
        }
        while count > 0 {
            let taken = match (length, count) {
                (_, 1 | 2) => {
                    self.add(length, 0);
                    1
                }
                (0, 3..=10) => {
                    self.add(17, (count - 3) as u8);
                    count
                }
                (0, _) => {
                    let taken = count.min(138);
                    self.add(18, (taken - 11) as u8);
                    taken
                }
                _ => {
                    let taken = count.min(6);
                    self.add(16, (taken - 3) as u8);
                    taken
                }
            };
            count -= taken;
        }
    }

    fn add(&mut self, symbol: u8, extra: u8) {
        self.symbols[self.len] = (symbol, extra);
        self.len += 1;
    }

    fn extra_bits(symbol: usize) -> u32 {
        match symbol {
            16 => 2,
            17 => 3,
            18 => 7,
            _ => 0,
        }
    }

    /// Bits of the header, with the three bits of the block's type.
    fn bits(&self) -> usize {
        let symbols = self.symbols[..self.len].iter().map(|&(symbol, _)| {
            let symbol = usize::from(symbol);
            usize::from(self.codes.lengths[symbol]) + Head::extra_bits(symbol) as usize
        });
        3 + 14 + 3 * self.orders + symbols.sum::<usize>()
    }
}
