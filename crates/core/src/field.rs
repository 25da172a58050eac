//! Fields of a byte buffer.

/// Writes `bytes` at `at` of `buffer`; `false`, with nothing written, if they do not fit.
///
/// One comparison, against a bound that a loop over one buffer keeps in a register.
#[inline(always)]
#[must_use]
pub fn store<const N: usize>(buffer: &mut [u8], at: usize, bytes: [u8; N]) -> bool {
    update(buffer, at, |_| bytes)
}

/// Replaces the `N` bytes at `at` of `buffer`, with one comparison too; `false`, with nothing
/// written, if they do not lie inside.
#[inline(always)]
#[must_use]
pub fn update<const N: usize>(
    buffer: &mut [u8],
    at: usize,
    replacement: impl FnOnce([u8; N]) -> [u8; N],
) -> bool {
    let end = buffer.len().saturating_sub(N - 1);
    if at >= end {
        return false;
    }
    // SAFETY: `end` is not zero, so the buffer has N bytes or more and `end` is its length less
    // N - 1: N bytes from `at` on lie inside the buffer.
    let field = unsafe { &mut *buffer.as_mut_ptr().add(at).cast::<[u8; N]>() };
    *field = replacement(*field);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_only_inside() {
        for len in 0..12 {
            for at in (0..16).chain([usize::MAX - 3, usize::MAX]) {
                let mut buffer = vec![0u8; len];
                let fits = at.checked_add(4).is_some_and(|end| end <= len);
                assert_eq!(store(&mut buffer, at, [1, 2, 3, 4]), fits, "{at} in {len}");
                let mut expected = vec![0u8; len];
                if fits {
                    expected[at..at + 4].copy_from_slice(&[1, 2, 3, 4]);
                }
                assert_eq!(buffer, expected);
                let add = |field: [u8; 4]| field.map(|byte| byte + 1);
                assert_eq!(update(&mut buffer, at, add), fits, "{at} in {len}");
                if fits {
                    expected[at..at + 4].copy_from_slice(&[2, 3, 4, 5]);
                }
                assert_eq!(buffer, expected);
            }
        }
    }
}
