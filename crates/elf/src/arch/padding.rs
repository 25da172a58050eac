//! What stands between sections.

/// The bytes of gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Padding {
    /// One byte, again and again.
    Bytes(u8),
    /// An instruction of four bytes. What is before the first whole one is zero: code begins at
    /// multiples of its size, so a gap that does not has data before it.
    Words([u8; 4]),
}

impl Padding {
    /// Between data.
    pub const ZERO: Padding = Padding::Bytes(0);

    /// Fills a gap, behind which there is code or the end.
    #[inline(always)]
    pub fn fill(self, gap: &mut [u8]) {
        match self {
            Padding::Bytes(byte) => gap.fill(byte),
            Padding::Words(word) => fill_words(word, gap),
        }
    }
}

#[cold]
fn fill_words(word: [u8; 4], gap: &mut [u8]) {
    let (head, words) = gap.split_at_mut(gap.len() % word.len());
    head.fill(0);
    words.chunks_exact_mut(word.len()).for_each(|place| place.copy_from_slice(&word));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_where_the_gap_does() {
        let mut gap = [9; 10];
        Padding::Words([1, 2, 3, 4]).fill(&mut gap);
        assert_eq!(gap, [0, 0, 1, 2, 3, 4, 1, 2, 3, 4]);
        Padding::Bytes(7).fill(&mut gap[1..3]);
        assert_eq!(gap, [0, 7, 7, 2, 3, 4, 1, 2, 3, 4]);
    }
}
