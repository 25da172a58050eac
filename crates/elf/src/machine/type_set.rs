//! Sets of relocation types, which stages can test without a call.

/// Types below 2048, as bits; no psABI has given a larger number than 1100.
pub struct TypeSet([u64; 32]);

impl TypeSet {
    /// The set of `types`.
    pub const fn of(types: &[u32]) -> TypeSet {
        TypeSet([0; 32]).and(types)
    }

    /// The set with `types` too.
    pub const fn and(self, types: &[u32]) -> TypeSet {
        let mut words = self.0;
        let mut at = 0;
        while at < types.len() {
            words[(types[at] / u64::BITS) as usize] |= 1 << (types[at] % u64::BITS);
            at += 1;
        }
        TypeSet(words)
    }

    /// Whether `r_type` is in the set.
    #[inline(always)]
    pub fn has(&self, r_type: u32) -> bool {
        let word = self.0.get((r_type / u64::BITS) as usize);
        word.is_some_and(|word| word >> (r_type % u64::BITS) & 1 != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_any_number_can_be_asked_for() {
        static SET: TypeSet = TypeSet::of(&[0, 63, 64, 1031]);
        let found: Vec<u32> = (0..3000).filter(|&r_type| SET.has(r_type)).collect();
        assert_eq!(found, [0, 63, 64, 1031]);
        assert!(!SET.has(u32::MAX));
    }
}
