//! Pseudo-random numbers that depend on a seed alone, so that a link can be repeated.

/// The state of a SplitMix64 generator.
#[derive(Debug, Clone, Copy)]
pub struct Sequence(pub u64);

impl Sequence {
    /// A sequence with a seed that differs from link to link.
    pub fn random() -> Sequence {
        Sequence(skald_core::hash::HashKey::random().hash(b"shuffle") as u64)
    }

    /// The next number below `limit`, which is not 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        bits % limit
    }

    /// Shuffles `items` (Fisher-Yates).
    pub fn permute<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_one_permutation() {
        let shuffled = |seed| {
            let mut items: Vec<u32> = (0..100).collect();
            Sequence(seed).permute(&mut items);
            items
        };
        assert_eq!(shuffled(42), shuffled(42));
        assert_ne!(shuffled(42), shuffled(5));
        let mut sorted = shuffled(42);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }
}
