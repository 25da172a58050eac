//! Versions of the architecture, by the values of `Tag_CPU_arch` ("Build attributes"): which one
//! runs the code of two, and what its instructions can do.

/// Values of `Tag_CPU_arch`.
mod arch {
    pub const V4T: u64 = 2;
    pub const V5T: u64 = 3;
    pub const V6: u64 = 6;
    pub const V6KZ: u64 = 7;
    pub const V6T2: u64 = 8;
    pub const V6K: u64 = 9;
    pub const V7: u64 = 10;
    pub const V6_M: u64 = 11;
    pub const V6S_M: u64 = 12;
    pub const V7E_M: u64 = 13;
    pub const V8: u64 = 14;
    pub const V8_M_BASE: u64 = 16;
    pub const V8_M_MAIN: u64 = 17;
    pub const V8_1_M_MAIN: u64 = 21;
    pub const V9: u64 = 22;
}

/// BLX with a distance changes between A32 and Thumb.
pub const HAS_BLX: u32 = 1;
/// There is no A32.
pub const IS_THUMB_ONLY: u32 = 1 << 1;
/// BL of Thumb reaches 16 MiB, and not 4.
pub const HAS_LONG_CALLS: u32 = 1 << 2;
/// MOVW and MOVT load an address.
pub const HAS_MOVES: u32 = 1 << 3;
/// All instructions of Thumb with four bytes, as B.W.
pub const HAS_THUMB2: u32 = 1 << 4;
/// BX exists.
pub const HAS_BX: u32 = 1 << 5;

/// A version with its profile: a letter, or 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Architecture {
    /// `Tag_CPU_arch`
    pub number: u64,
    /// `Tag_CPU_arch_profile`
    pub profile: u8,
}

impl Architecture {
    /// What its instructions can do. If nothing is known, that is what all processors can.
    pub const fn features(self) -> u32 {
        use arch::*;
        let number = self.number;
        let is_small = matches!(number, V6_M | V6S_M);
        let is_thumb_only = is_small
            || matches!(number, V7E_M | V8_M_BASE | V8_M_MAIN | V8_1_M_MAIN)
            || self.profile == b'M';
        let has_thumb2 = matches!(number, V6T2 | V7) || number >= V7E_M && number != V8_M_BASE;
        let mut features = if number >= V4T { HAS_BX } else { 0 };
        if is_thumb_only {
            features |= IS_THUMB_ONLY;
        } else if number >= V5T {
            features |= HAS_BLX;
        }
        if has_thumb2 {
            features |= HAS_THUMB2;
        }
        if has_thumb2 || is_thumb_only {
            features |= HAS_LONG_CALLS;
        }
        if has_thumb2 || number == V8_M_BASE {
            features |= HAS_MOVES;
        }
        features
    }
}

/// The version that runs the code of both; `None` if none does.
pub fn joined(a: u64, b: u64) -> Option<u64> {
    use arch::*;
    let (low, high) = (a.min(b), a.max(b));
    if low == high {
        return Some(high);
    }
    Some(match (high, low) {
        (0..=V6, _) => high,
        // Extensions of version 6 that do not include each other.
        (V6T2, V6KZ) => V7,
        (V6K, V6T2) => V7,
        (V6K, V6KZ) => V6KZ,
        (V6KZ..=V7, _) => high,
        // Profile M has the Thumb instructions of version 6, but none of the oldest code.
        (V6_M | V6S_M | V7E_M, 0 | 1) => return None,
        (V6S_M, V6_M) => V6S_M,
        (V6_M | V6S_M, V7) => V7,
        (V6_M | V6S_M, V6T2) => V7,
        (V6_M | V6S_M, V6KZ) => V6KZ,
        (V6_M | V6S_M, _) => V6K,
        (V7E_M, _) => V7E_M,
        (V8_M_BASE, V6_M | V6S_M) => V8_M_BASE,
        (V8_M_MAIN, V6_M | V6S_M | V7 | V7E_M | V8_M_BASE) => V8_M_MAIN,
        (V8_1_M_MAIN, V6_M | V6S_M | V7 | V7E_M | V8_M_BASE | V8_M_MAIN) => V8_1_M_MAIN,
        (V8_M_BASE | V8_M_MAIN | V8_1_M_MAIN, _) => return None,
        (V8..=V9, V8_M_BASE | V8_M_MAIN | V8_1_M_MAIN) => return None,
        _ => high,
    })
}

#[cfg(test)]
mod tests {
    use super::arch::*;
    use super::*;

    #[test]
    fn a_later_version_runs_earlier_code() {
        for (a, b, both) in [
            (V4T, V7, Some(V7)),
            (V6T2, V6K, Some(V7)),
            (V6KZ, V6K, Some(V6KZ)),
            (V6_M, V4T, Some(V6K)),
            (V6_M, V7, Some(V7)),
            (V6_M, V7E_M, Some(V7E_M)),
            (V8_M_BASE, V6_M, Some(V8_M_BASE)),
            (V8_M_BASE, V7, None),
            (V8_M_MAIN, V7E_M, Some(V8_M_MAIN)),
            (V8_M_MAIN, V8, None),
            (V8, V7, Some(V8)),
        ] {
            assert_eq!([joined(a, b), joined(b, a)], [both; 2], "{a} {b}");
        }
    }

    #[test]
    fn features_grow_with_versions() {
        let of = |number, profile| Architecture { number, profile }.features();
        assert_eq!(of(0, 0), 0);
        assert_eq!(of(V4T, 0), HAS_BX);
        assert_eq!(of(V5T, 0), HAS_BX | HAS_BLX);
        let all = HAS_BX | HAS_BLX | HAS_LONG_CALLS | HAS_MOVES | HAS_THUMB2;
        assert_eq!([of(V6T2, 0), of(V7, b'A'), of(V8, b'A')], [all; 3]);
        assert_eq!(of(V7, b'M'), all & !HAS_BLX | IS_THUMB_ONLY);
        assert_eq!(of(V6_M, b'M'), HAS_BX | IS_THUMB_ONLY | HAS_LONG_CALLS);
        assert_eq!(of(V8_M_BASE, b'M'), HAS_BX | IS_THUMB_ONLY | HAS_LONG_CALLS | HAS_MOVES);
    }
}
