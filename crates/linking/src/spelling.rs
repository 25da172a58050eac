//! The edit distance of words, for hints in messages.
//!
//! Typing errors are insertions, deletions, replacements and swaps of neighbours (optimal string
//! alignment distance).

/// The most typing errors that [`errors`] counts; in a mangled name one in the source can also
/// change a length.
pub const MAX_ERRORS: usize = 3;

/// Letters to insert, delete, replace or swap with their neighbour to get from `a` to `b`.
pub fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    // A very long word must not cost a table of that size; it counts as far from everything.
    if a.len() > 100 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut best = (above[j] + usize::from(x != y)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

/// The typing errors between two names if they are at most `limit`, which is at most
/// [`MAX_ERRORS`]. They are counted in a band around the diagonal, and counting is given up where
/// they exceed the limit, which for most names is after a few characters.
pub fn errors(a: &[u8], b: &[u8], limit: usize) -> Option<usize> {
    const WIDTH: usize = 2 * MAX_ERRORS + 1;
    const FAR: usize = usize::MAX / 2;
    if limit == 0 || a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    // Cell `k` of row `i` is the distance of `a[..i]` and `b[..i + k - MAX_ERRORS]`.
    let mut rows = [[FAR; WIDTH]; 3];
    for (k, cell) in rows[2].iter_mut().enumerate().skip(MAX_ERRORS) {
        *cell = k - MAX_ERRORS;
    }
    for i in 1..=a.len() {
        rows.rotate_left(1);
        let [before, last, row] = &mut rows;
        row.fill(FAR);
        for k in 0..WIDTH {
            let Some(j) = (i + k).checked_sub(MAX_ERRORS).filter(|&j| j <= b.len()) else {
                continue;
            };
            let removed = last.get(k + 1).map_or(FAR, |&cell| cell + 1);
            let inserted = if k > 0 { row[k - 1] + 1 } else { FAR };
            let replaced = if j > 0 { last[k] + usize::from(a[i - 1] != b[j - 1]) } else { FAR };
            let is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            let swapped = if is_swap { before[k] + 1 } else { FAR };
            row[k] = removed.min(inserted).min(replaced).min(swapped);
        }
        // A swap looks back two rows.
        if row.iter().chain(last.iter()).all(|&cell| cell > limit) {
            return None;
        }
    }
    let at = (b.len() + MAX_ERRORS).checked_sub(a.len())?;
    rows[2].get(at).copied().filter(|&errors| errors <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("abc", "acb"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    proptest! {
        #[test]
        fn both_ways_of_counting_agree(a in "[ab]{0,9}", b in "[ab]{0,9}", limit in 1usize..=3) {
            let plain = distance(&a, &b);
            let expected = (plain <= limit).then_some(plain);
            prop_assert_eq!(errors(a.as_bytes(), b.as_bytes(), limit), expected);
        }
    }
}
