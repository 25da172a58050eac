//! The padding of gaps between input sections: zeros, no-ops or traps.

/// The padding of gaps: a word of four bytes, repeated. It is a number, so that a loop over
/// sections keeps it in a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Padding(u32);

impl Padding {
    /// Zeros, for gaps between data.
    pub const ZERO: Padding = Padding::bytes(0);

    /// One byte, repeated.
    pub const fn bytes(byte: u8) -> Padding {
        Padding(u32::from_ne_bytes([byte; 4]))
    }

    /// An instruction of four bytes, or twice one of two. Bytes before the first whole instruction
    /// are zero: code begins at multiples of the instruction size, so a gap at another offset
    /// follows data.
    pub const fn instruction(word: [u8; 4]) -> Padding {
        Padding(u32::from_ne_bytes(word))
    }

    /// Whether the bytes of the word differ from each other.
    pub fn is_of_words(self) -> bool {
        self.0 != self.0.rotate_left(8)
    }

    /// The bytes that are repeated.
    pub fn pattern(self) -> Vec<u8> {
        if self.is_of_words() { self.0.to_ne_bytes().to_vec() } else { vec![self.0 as u8] }
    }

    /// Fills a gap in front of code or at the end of the section. `can_be_of_words` is
    /// [`Padding::is_of_words`], which a loop over gaps evaluates once, before it starts.
    #[inline(always)]
    pub fn fill(self, gap: &mut [u8], can_be_of_words: bool) {
        if !can_be_of_words || !self.is_of_words() {
            gap.fill(self.0 as u8);
        } else {
            self.fill_words(gap);
        }
    }

    #[cold]
    fn fill_words(self, gap: &mut [u8]) {
        let size = if self.0 == self.0.rotate_left(16) { 2 } else { 4 };
        let (head, words) = gap.split_at_mut(gap.len() % size);
        head.fill(0);
        let word = self.0.to_ne_bytes();
        words.chunks_exact_mut(size).for_each(|place| place.copy_from_slice(&word[..size]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_where_the_gap_does() {
        let mut gap = [9; 10];
        Padding::instruction([1, 2, 3, 4]).fill(&mut gap, true);
        assert_eq!(gap, [0, 0, 1, 2, 3, 4, 1, 2, 3, 4]);
        Padding::instruction([5, 6, 5, 6]).fill(&mut gap[3..], true);
        assert_eq!(gap, [0, 0, 1, 0, 5, 6, 5, 6, 5, 6]);
        Padding::instruction([1, 2, 3, 4]).fill(&mut gap, true);
        Padding::bytes(7).fill(&mut gap[1..3], true);
        assert_eq!(gap, [0, 7, 7, 2, 3, 4, 1, 2, 3, 4]);
    }
}
